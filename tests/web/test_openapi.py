"""Requests made from the app's own OpenAPI document: whatever is sent, the app answers and does not break."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")


def test_no_request_breaks_the_app(apps, copied):
    """As owner with the token of the session, over a folder with runs: never an answer from 500 on."""
    visitor = apps(copied)()
    visitor.sign_in()
    document = schemathesis.openapi.from_dict(visitor.client.get("/openapi.json").json())
    # Signing out would end the test, and the stream of a run's progress may last.
    left_out = {"/sign-out"}
    operations = [one.ok() for one in document.get_all_operations() if one.ok() and one.ok().path not in left_out]
    assert len(operations) > 12
    token = visitor.csrf("/people")

    @given(case=st.one_of([operation.as_strategy() for operation in operations]))
    @settings(max_examples=60, derandomize=True, suppress_health_check=list(HealthCheck))
    def answered(case):
        sent = case.as_transport_kwargs(base_url="http://localhost")
        sent["headers"] = {str(name): value for name, value in dict(sent.get("headers") or {}).items()}
        sent["headers"] |= {"x-csrf-token": token, "accept": "text/html"}
        sent["url"] = sent["url"].replace("\n", "")
        body = sent.get("data")
        answer = visitor.client.request(
            sent["method"],
            sent["url"],
            params=sent.get("params"),
            **({"content": body} if body is None or isinstance(body, (str, bytes)) else {"data": dict(body)}),
            headers=sent["headers"],
            follow_redirects=False,
        )
        assert answer.status_code < 500, (sent, answer.text)

    answered()
