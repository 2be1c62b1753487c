"""The default of every question, given the other answers, and where it comes from.

``value_of`` is what counts for a question: the answer, else its default. A default may rest on other values
(the answer length on the profile, the profile on the job); the chain has no circle.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kentino_configurator.core.answers import ABSENT
from kentino_configurator.core.llm import ModelSpec
from kentino_configurator.core.request import JobKind, Runs
from kentino_configurator.wizard import conversion, countries, names
from kentino_configurator.wizard.conversion import Conversion
from kentino_configurator.wizard.known import Known, job_of, kind_of
from kentino_configurator.wizard.questions import LatencyWord, LengthProfile, Question, questionnaire

_FOUR_BIT_JOBS: Final = frozenset({JobKind.INFERENCE, JobKind.BATCH, JobKind.QLORA})
_DATASET_TOKENS: Final = {JobKind.FULL_FINETUNE: 100e6, JobKind.PRETRAIN: 1.5e12}
_ADAPTER_DATASET_TOKENS: Final = 20e6
_LONGEST_CONTEXT: Final = 10_485_760


@dataclass(frozen=True, slots=True)
class Default:
    """A default value (as stored in the answers) and the text id of its origin."""

    value: Any
    origin: str


Rule = Callable[[Known, int], "Default | Any"]


def question(question_id: str) -> Question:
    """The shipped question with that id."""
    return questionnaire().by_id[question_id]


def value_of(known: Known, question_id: str, workload: int = 0) -> Any:
    """The answer if there is one, else the default."""
    asked = question(question_id)
    stated = known.stated(asked, workload)
    return default_of(known, asked, workload).value if stated is ABSENT else stated


def default_of(known: Known, asked: Question, workload: int = 0) -> Default:
    """The default of a question, as if it were not answered."""
    if not asked.rule:
        return Default(asked.default, asked.origin)
    found = RULES[asked.rule](known, workload)
    return found if isinstance(found, Default) else Default(found, asked.origin)


def model_of(known: Known, workload: int = 0) -> ModelSpec:
    """The model of a workload: the stated one, else the default's."""
    stated = known.models.get(workload)
    if stated is not None:
        return stated
    return names.catalog_model(known.snapshot, str(_model(known, workload).value))


# ------------------------------------------------------------------ load


def response_s(known: Known, workload: int = 0) -> float:
    """Time one answer may take by the targets, s."""
    return conversion.response_s(
        value_of(known, "d_output_tokens", workload),
        value_of(known, "d_ttft_s", workload),
        value_of(known, "d_tokens_per_s_user", workload),
    )


def load_of(known: Known, workload: int = 0) -> Conversion | None:
    """The load derived from people or from a rate; ``None`` when it was stated as a concurrency."""
    basis = value_of(known, "d_load_basis", workload)
    if basis == "people":
        return conversion.from_people(
            value_of(known, "d_named_users", workload),
            value_of(known, "d_active_share", workload),
            value_of(known, "d_think_time", workload),
            response_s(known, workload),
        )
    rate = value_of(known, "d_requests_per_s", workload)
    return conversion.from_rate(rate, response_s(known, workload)) if basis == "rate" and rate else None


def people_stated(known: Known, workload: int = 0) -> bool:
    """Whether the load is stated as people: somebody chose to, or answered something about them."""
    basis = known.answers.get(f"workloads[{workload}].hints.load")
    if basis is not ABSENT:
        return bool(basis == "people")
    return bool(known.answers.get(f"workloads[{workload}].load_basis"))


def _load(known: Known, workload: int) -> str:
    if people_stated(known, workload):
        return "people"
    if _number_stated(known, "d_requests_per_s", workload):
        return "rate"
    return "concurrent" if _number_stated(known, "d_concurrent_requests", workload) else "people"


def _number_stated(known: Known, question_id: str, workload: int) -> bool:
    return known.stated(question(question_id), workload) not in (ABSENT, None)


def _concurrent_requests(known: Known, workload: int) -> Default:
    """From people if they are known; open when a rate is stated; a plain assumption when nothing is known."""
    if people_stated(known, workload):
        found = load_of(known, workload)
        if found is not None:
            return Default(found.planned_concurrency, "origin.concurrency_people")
    if _number_stated(known, "d_requests_per_s", workload):
        return Default(None, "origin.concurrency_rate")
    return Default(int(questionnaire().figures["unknown_load_requests"]), "origin.concurrency_unknown")


# ------------------------------------------------------------------ job and model


def _workload_name(known: Known, workload: int) -> str:
    """The job's name, with a number when an earlier workload has it."""
    taken = {value_of(known, "j_workload_name", earlier) for earlier in range(workload)}
    job = job_of(known, workload).id
    free = (f"{job} {number}" if number > 1 else job for number in range(1, workload + 3))
    return next(name for name in free if name not in taken)


def _runs(known: Known, workload: int) -> Runs:
    kinds = {kind_of(known, index) for index in range(known.workload_count)}
    by_turns = kind_of(known, workload) is not JobKind.INFERENCE and JobKind.INFERENCE in kinds
    return Runs.EXCLUSIVE if by_turns else Runs.TOGETHER


def _model(known: Known, workload: int) -> Default:
    size_class = known.answers.get(f"workloads[{workload}].hints.size_class")
    if size_class is not ABSENT:
        return Default(questionnaire().size_classes[size_class], "origin.size_class")
    job = job_of(known, workload)
    return Default(job.model, job.model_origin)


def _allow_int4(known: Known, workload: int) -> Default:
    kinds = {kind_of(known, index) for index in range(known.workload_count)}
    if kinds & _FOUR_BIT_JOBS:
        return Default(True, "origin.int4_inference")
    return Default(False, "origin.int4_training")


# ------------------------------------------------------------------ lengths


def profile_of(known: Known, workload: int = 0) -> LengthProfile:
    """The length profile of an interactive workload or of embeddings."""
    return questionnaire().profiles[value_of(known, "d_use_case", workload) or "chat"]


def tokens_per_word(known: Known, workload: int = 0) -> float:
    """Tokens that one word of the customer's texts costs."""
    return questionnaire().tokens_per_word[value_of(known, "d_text_language", workload)]


def _text_language(known: Known, workload: int) -> str:
    groups = {"pt": "romance", "cs": "slavic"}
    return groups.get(value_of(known, "j_document_language"), "english")


def context_limit(known: Known, workload: int = 0) -> int:
    """Longest context the model supports, tokens; where that is not known, the longest that can be asked."""
    return model_of(known, workload).max_context or _LONGEST_CONTEXT


def _input_tokens(known: Known, workload: int) -> Default:
    """The profile's question, shortened when the model cannot hold it beside the answer."""
    profile = profile_of(known, workload)
    if kind_of(known, workload) is JobKind.BATCH:
        if profile.id == "embeddings":
            return Default(profile.input_tokens, profile.origin)
        return Default(round(_tokens_per_document(known, workload)), "origin.document_length")
    room = context_limit(known, workload) - value_of(known, "d_output_tokens", workload)
    if profile.input_tokens > room:
        return Default(max(1, room), "origin.context_limit")
    return Default(profile.input_tokens, profile.origin)


def _output_tokens(known: Known, workload: int) -> Default:
    """Of a batch: the share of the written tokens that falls on one document."""
    if kind_of(known, workload) is JobKind.BATCH:
        documents = _documents_in_corpus(known, workload)
        written = value_of(known, "d_corpus_output_tokens", workload)
        return Default(math.ceil(written / documents), "origin.document_output")
    profile = profile_of(known, workload)
    most = context_limit(known, workload) // 2
    if profile.output_tokens > most:
        return Default(max(1, most), "origin.context_limit")
    return Default(profile.output_tokens, profile.origin)


def _max_context_tokens(known: Known, workload: int) -> Default:
    """The profile's context, at least question and answer, at most what the model supports."""
    needed = value_of(known, "d_input_tokens", workload) + value_of(known, "d_output_tokens", workload)
    if kind_of(known, workload) is JobKind.BATCH:
        return Default(needed, "origin.context_fits")
    profile = profile_of(known, workload)
    limit = context_limit(known, workload)
    if needed > profile.max_context_tokens:
        return Default(needed, "origin.context_fits")
    if profile.max_context_tokens > limit:
        return Default(max(limit, needed), "origin.context_limit")
    return Default(profile.max_context_tokens, profile.origin)


# ------------------------------------------------------------------ a pile of documents


def _tokens_per_document(known: Known, workload: int) -> float:
    figures = questionnaire().figures
    words = figures["words_per_page"]
    return words * tokens_per_word(known, workload) + figures["instruction_tokens_per_document"]


def corpus_words(known: Known, workload: int = 0) -> float | None:
    """Words of the corpus when its amount is given in pages or words."""
    corpus = value_of(known, "d_corpus_amount", workload)
    if corpus["unit"] == "pages":
        return float(corpus["amount"] * questionnaire().figures["words_per_page"])
    return float(corpus["amount"]) if corpus["unit"] == "words" else None


def corpus_text_tokens(known: Known, workload: int = 0) -> float:
    """Tokens of the corpus itself, without instructions."""
    corpus = value_of(known, "d_corpus_amount", workload)
    words = corpus_words(known, workload)
    if words is not None:
        return words * tokens_per_word(known, workload)
    factor = questionnaire().figures["tokens_per_gigabyte"] if corpus["unit"] == "gigabytes" else 1.0
    return float(corpus["amount"] * factor)


def _documents_of_amount(known: Known, workload: int) -> float:
    """Documents of one page in the stated amount."""
    page_tokens = questionnaire().figures["words_per_page"] * tokens_per_word(known, workload)
    return max(1.0, corpus_text_tokens(known, workload) / page_tokens)


def _documents_in_corpus(known: Known, workload: int) -> float:
    """Documents of the assumed length in the tokens to be read."""
    read = value_of(known, "d_corpus_input_tokens", workload)
    return float(max(1.0, read / value_of(known, "d_input_tokens", workload)))


def _corpus_input_tokens(known: Known, workload: int) -> Default:
    """The text, and for anything but embeddings the instruction repeated for every document."""
    text = corpus_text_tokens(known, workload)
    if job_of(known, workload).id == "embeddings":
        return Default(_whole(max(1000.0, text)), "origin.corpus_amount")
    instruction = questionnaire().figures["instruction_tokens_per_document"]
    repeated = instruction * _documents_of_amount(known, workload)
    return Default(_whole(max(1000.0, text + repeated)), "origin.corpus_input")


def _corpus_output_tokens(known: Known, workload: int) -> Default:
    if job_of(known, workload).id == "embeddings":
        return Default(0, "origin.corpus_embeddings")
    written = questionnaire().figures["output_tokens_per_document"]
    if _number_stated(known, "d_corpus_input_tokens", workload):
        read = value_of(known, "d_corpus_input_tokens", workload)
        documents = max(1.0, read / value_of(known, "d_input_tokens", workload))
        return Default(_whole(written * documents), "origin.corpus_output")
    return Default(_whole(written * _documents_of_amount(known, workload)), "origin.corpus_output")


def _whole(value: float) -> int:
    return math.ceil(value - 1e-6)


# ------------------------------------------------------------------ waiting


def latency_of(known: Known, workload: int = 0) -> LatencyWord:
    """The word for waiting of a workload."""
    return questionnaire().latency_words[value_of(known, "d_latency_feel", workload)]


def _ttft_s(known: Known, workload: int) -> Default:
    word = latency_of(known, workload)
    return Default(word.ttft_s, word.origin)


def _tokens_per_s_per_user(known: Known, workload: int) -> Default:
    word = latency_of(known, workload)
    return Default(word.tokens_per_s_per_user, word.origin)


# ------------------------------------------------------------------ training


def _dataset_tokens(known: Known, workload: int) -> int:
    return int(_DATASET_TOKENS.get(kind_of(known, workload), _ADAPTER_DATASET_TOKENS))


def _epochs(known: Known, workload: int) -> int:
    return 3 if kind_of(known, workload) in (JobKind.LORA, JobKind.QLORA) else 1


def _sequence_tokens(known: Known, workload: int) -> int:
    """A model made anew may take any length; one that exists has its limit."""
    if kind_of(known, workload) is JobKind.PRETRAIN:
        return 8192
    return min(4096, context_limit(known, workload))


def _deadline_days(known: Known, workload: int) -> int:
    return 180 if kind_of(known, workload) is JobKind.PRETRAIN else 7


# ------------------------------------------------------------------ site, people, terms


def _office(known: Known, workload: int) -> bool:
    return bool(value_of(known, "s_place") == "office")


def _pue(known: Known, workload: int) -> float:
    return 1.4 if value_of(known, "s_place") in ("colocation", "datacenter") else 1.7


def _duty_percent(known: Known, workload: int) -> Default:
    kinds = {kind_of(known, index) for index in range(known.workload_count)}
    if kinds == {JobKind.INFERENCE}:
        return Default(24, "origin.duty_people")
    return Default(90, "origin.duty_training")


def _document_language(known: Known, workload: int) -> str:
    return countries.document_language(value_of(known, "j_customer_country"))


def _vat_mode(known: Known, workload: int) -> str:
    country = value_of(known, "j_customer_country")
    if country == countries.HOME:
        return "domestic"
    if country not in countries.EU:
        return "export"
    return "intra_eu" if value_of(known, "b_vat_id") else "gross"


def _customer_country(known: Known, workload: int) -> Any:
    return value_of(known, "j_customer_country")


RULES: Final[Mapping[str, Rule]] = {
    "job": lambda known, workload: job_of(known, workload).id,
    "workload_name": _workload_name,
    "runs": _runs,
    "model": _model,
    "allow_int4": _allow_int4,
    "load": _load,
    "active_share": lambda known, workload: job_of(known, workload).active_share,
    "think_time_s": lambda known, workload: job_of(known, workload).think_time_s,
    "concurrent_requests": _concurrent_requests,
    "profile": lambda known, workload: job_of(known, workload).profile,
    "text_language": _text_language,
    "input_tokens": _input_tokens,
    "output_tokens": _output_tokens,
    "max_context_tokens": _max_context_tokens,
    "latency": lambda known, workload: job_of(known, workload).latency or "none",
    "ttft_s": _ttft_s,
    "tokens_per_s_per_user": _tokens_per_s_per_user,
    "corpus_input_tokens": _corpus_input_tokens,
    "corpus_output_tokens": _corpus_output_tokens,
    "dataset_tokens": _dataset_tokens,
    "epochs": _epochs,
    "sequence_tokens": _sequence_tokens,
    "deadline_days": _deadline_days,
    "office": _office,
    "pue": _pue,
    "duty_percent": _duty_percent,
    "document_language": _document_language,
    "vat_mode": _vat_mode,
    "end_user_country": _customer_country,
    "parent_country": _customer_country,
}
