"""A model of natural language inference in a folder, small enough to be built by a test, with real operators and a real tokenizer.

It knows numbers alone: each has a value, those of the premise count plus and those of the hypothesis minus, and what is left of
the sum is how much the two contradict each other.
"""

from __future__ import annotations

import json
from pathlib import Path

NUMBERS = {"三": 3, "六": 6, "九": 9, "thirty": 3, "sixty": 6, "ninety": 9}
SPECIAL = ("[UNK]", "[PAD]", "[CLS]", "[SEP]")
LABELS = {"0": "ENTAILMENT", "1": "NEUTRAL", "2": "CONTRADICTION"}


def build(folder: Path, *, longest: int = 200, labels: dict[str, str] | None = None) -> Path:
    """Write ``model.onnx``, ``tokenizer.json`` and ``config.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    words = [*SPECIAL, *NUMBERS]
    _tokenizer(words).save(str(folder / "tokenizer.json"))
    (folder / "model.onnx").write_bytes(_graph([float(NUMBERS.get(word, 0)) for word in words]))
    config = {"id2label": labels or LABELS, "max_position_embeddings": longest, "pad_token_id": 1, "model_type": "tiny"}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    return folder


def _tokenizer(words: list[str]) -> object:
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, processors

    found = Tokenizer(models.WordLevel({word: at for at, word in enumerate(words)}, unk_token="[UNK]"))
    # Chinese characters one by one, words between spaces.
    han = pre_tokenizers.Split(Regex("[\u4e00-\u9fff]"), "isolated")
    found.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), han])
    found.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    # As many folders have it: what is read must be all the same.
    found.enable_truncation(16)
    return found


def _graph(values: list[float]) -> bytes:
    from onnx import TensorProto, checker, helper

    def tensor(name: str, numbers: list[float]) -> object:
        return helper.make_tensor(name, TensorProto.FLOAT, [len(numbers)], numbers)

    takes = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    nodes = [
        helper.make_node("Gather", ["values", "input_ids"], ["value"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Cast", ["token_type_ids"], ["second"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["second", "two"], ["twice"]),
        helper.make_node("Sub", ["one", "twice"], ["sign"]),
        helper.make_node("Mul", ["value", "sign"], ["signed"]),
        helper.make_node("Mul", ["signed", "mask"], ["kept"]),
        helper.make_node("ReduceSum", ["kept", "axis"], ["left"], keepdims=1),
        helper.make_node("Abs", ["left"], ["apart"]),
        helper.make_node("Mul", ["apart", "weights"], ["weighed"]),
        helper.make_node("Add", ["weighed", "bias"], ["logits"]),
    ]
    held = [
        tensor("values", values),
        tensor("one", [1.0]),
        tensor("two", [2.0]),
        tensor("weights", [-2.0, 0.0, 2.0]),
        tensor("bias", [4.0, 0.0, -4.0]),
        helper.make_tensor("axis", TensorProto.INT64, [1], [1]),
    ]
    gives = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 3])]
    model = helper.make_model(
        helper.make_graph(nodes, "tiny", takes, gives, held), opset_imports=[helper.make_opsetid("", 17)], ir_version=8
    )
    checker.check_model(model)
    return model.SerializeToString()
