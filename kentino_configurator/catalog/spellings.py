"""People's spellings of models and GPUs, reduced to one form so that they can be compared."""

from __future__ import annotations

import re

_BRACKETS = re.compile(r"\([^)]*\)|\[[^]]*\]")
_MODEL_SUFFIX = re.compile(r"[-_ ](instruct|it|chat|hf|base)(?:[-_ ](?:\d{4}|v\d+(?:\.\d+)*|hf))*$")
_GPU_FILLER = re.compile(r"\b(nvidia|geforce|blackwell|generation|edition|tensor core|dgx|gpu)\b")
_GPU_MEMORY = re.compile(r"\b(\d+) ?gi?b\b(?: hbm\w+)?")
_GPU_SYNONYM = ((re.compile(r"\bworkstation\b"), "ws"), (re.compile(r"\bsxm\d\b"), "sxm"))
_NOT_ALPHANUMERIC = re.compile(r"[^a-z0-9]+")


def model_spelling(text: str) -> str:
    """A model name without vendor prefix, bracket remarks, suffixes such as ``-Instruct-2507`` and punctuation."""
    name = _BRACKETS.sub(" ", text.lower()).strip().rsplit("/", 1)[-1].strip()
    name = _MODEL_SUFFIX.sub("", name).removeprefix("meta-").removeprefix("meta ")
    return _NOT_ALPHANUMERIC.sub("", name)


def gpu_spelling(text: str) -> str:
    """A GPU name without maker, generation, memory size, bracket remarks and punctuation."""
    name = _GPU_FILLER.sub(" ", _BRACKETS.sub(" ", _words(text)))
    for pattern, word in _GPU_SYNONYM:
        name = pattern.sub(word, name)
    return _NOT_ALPHANUMERIC.sub("", _GPU_MEMORY.sub(" ", name))


def stated_memory_gb(text: str) -> int | None:
    """The memory size a GPU name carries (``A100 80GB``), ``None`` when it carries none."""
    match = _GPU_MEMORY.search(_words(text))
    return int(match[1]) if match else None


def _words(text: str) -> str:
    return text.lower().replace("_", " ").replace("-", " ")
