"""The job in EvalScope: a benchmark of one's own, whose score asks the reference and the judge."""

# ruff: noqa: ANN001, ANN003, ANN201, ARG002 - the forms are the library's
import os
from pathlib import Path

from evalscope import TaskConfig, run_task
from evalscope.api.benchmark import BenchmarkMeta, DefaultDataAdapter
from evalscope.api.dataset import Sample
from evalscope.api.metric import Score
from evalscope.api.registry import register_benchmark
from openai import OpenAI

JUDGE = Path("judge.txt").read_text("utf-8")
POINTS = {"[[1]]": 1.0, "[[2]]": 0.0, "[[3]]": 0.5}
CLIENT = OpenAI()


def ask(model, text):
    answer = CLIENT.chat.completions.create(model=model, messages=[{"role": "user", "content": text}])
    return answer.choices[0].message.content


@register_benchmark(
    BenchmarkMeta(
        name="compared",
        pretty_name="compared",
        description="Two assistants at 40 questions.",
        dataset_id="data",
        metric_list=["win_rate"],
        eval_split="test",
        prompt_template="{question}",
    )
)
class Compared(DefaultDataAdapter):
    def load_from_disk(self, **settings):
        return super().load_from_disk(use_local_loader=True)

    def record_to_sample(self, record):
        return Sample(input=record["question"], target=record["guidance"])

    def match_score(self, original_prediction, filtered_prediction, reference, task_state):
        other = ask("weak-a", task_state.messages[0].text)
        said = []
        for _ in range(3):
            for first, second in ((original_prediction, other), (other, original_prediction)):
                text = JUDGE.format(guidance=reference, first=first, second=second)
                said.append(POINTS[ask("judge", text)[-5:]])
        value = (sum(said[::2]) + 3 - sum(said[1::2])) / 6
        return Score(
            value={"win_rate": value},
            prediction=original_prediction,
            main_score_name="win_rate",
            metadata={"opponent": other},
        )


if __name__ == "__main__":
    run_task(
        TaskConfig(
            model="weak-b",
            api_url=os.environ["OPENAI_BASE_URL"],
            api_key="none",
            eval_type="openai_api",
            datasets=["compared"],
            dataset_args={"compared": {"local_path": "data"}},
            eval_batch_size=16,
            work_dir="logs",
            use_cache="logs" if Path("logs").exists() else None,
            no_timestamp=True,
        )
    )
