"""Which tasks were given to whom by name, as the ledger keeps it: appended to, never overwritten."""

from __future__ import annotations

from benchbar.records import Assignment, decode


class Assigned:
    """The assignments of one ledger that were not taken back."""

    def __init__(self) -> None:
        """None yet."""
        self._of_task: dict[str, dict[str, str]] = {}

    def add(self, record: bytes) -> None:
        """Know one more row."""
        one = decode(record, Assignment)
        people = self._of_task.setdefault(one.task, {})
        if one.back:
            people.pop(one.person, None)
        else:
            people[one.person] = one.by

    def people(self, task: str) -> dict[str, str]:
        """Whom the task was given to, each with who asks."""
        return dict(self._of_task.get(task, {}))

    def to(self, person: str) -> list[str]:
        """The tasks that were given to this person, in the order in which tasks were first given."""
        return [task for task, people in self._of_task.items() if person in people]

    def all(self) -> list[tuple[str, str, str]]:
        """Task, person and who asks, in the order in which tasks were first given."""
        return [(task, person, by) for task, people in self._of_task.items() for person, by in people.items()]
