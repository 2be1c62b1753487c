"""The field for a question: which widget, which options, which words."""

from __future__ import annotations

from functools import lru_cache

from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.llm import ModelSpec
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.units import Unit
from kentino_configurator.texts import Texts
from kentino_configurator.ui.fields.amount_field import AmountField
from kentino_configurator.ui.fields.choice import SEGMENTS_AT_MOST, MenuField, SegmentsField, TicksField
from kentino_configurator.ui.fields.circuits_field import CIRCUIT_CHOICES, CircuitsField, CircuitWords
from kentino_configurator.ui.fields.field import Field
from kentino_configurator.ui.fields.file_field import FileField
from kentino_configurator.ui.fields.numbers_field import NumbersField
from kentino_configurator.ui.fields.search_field import Entry, SearchField
from kentino_configurator.ui.fields.typed import AreaField, LineField
from kentino_configurator.ui.widgets.segmented import Option
from kentino_configurator.wizard.countries import COUNTRIES
from kentino_configurator.wizard.questions import OptionSource, Question, QuestionKind, questionnaire

LONG_TEXT = 150
ARCHITECTURE_NUMBERS = (
    "num_layers",
    "hidden_size",
    "num_attention_heads",
    "num_kv_heads",
    "head_dim",
    "intermediate_size",
    "vocab_size",
    "num_experts",
    "experts_per_token",
    "moe_intermediate_size",
)


def field_for(question: Question, snapshot: CatalogSnapshot, texts: Texts) -> Field:
    """A new field for one question."""
    match question.kind:
        case QuestionKind.NUMBER:
            return LineField(unit_words(question, texts), placeholder=_empty_words(question, texts))
        case QuestionKind.TEXT:
            if (question.maximum or 0) > LONG_TEXT:
                return AreaField()
            return LineField(wide=True, placeholder=texts.say("w.field.empty"))
        case QuestionKind.DATE:
            return LineField(placeholder=texts.say("w.field.date_example"))
        case QuestionKind.CHOICE:
            return _choice(question, snapshot, texts)
        case QuestionKind.MULTI_CHOICE:
            return TicksField(_gpu_options(snapshot), texts.say("w.field.all"))
        case QuestionKind.MODEL:
            search = texts.say("w.field.model_search")
            return SearchField(
                _model_entries(snapshot, texts), texts.say("w.field.open_list"), placeholder=search
            )
        case QuestionKind.LIST:
            return CircuitsField(circuit_words(texts))
        case QuestionKind.AMOUNT:
            return AmountField(options_of(question, texts), texts.say("w.field.amount_unit"))
        case QuestionKind.FILE:
            return _file_field(texts)
        case QuestionKind.TABLE:
            return NumbersField(ARCHITECTURE_NUMBERS)


def unit_words(question: Question, texts: Texts) -> str:
    """The unit inside the frame."""
    if not question.unit:
        return ""
    key = question.unit.lower().replace("%", "percent").replace("°", "").replace("/", "_")
    return texts.say(f"w.unit.{key}")


def _empty_words(question: Question, texts: Texts) -> str:
    return texts.say("w.field.no_requirement" if question.optional else "w.field.empty")


def _file_field(texts: Texts) -> FileField:
    say = texts.say
    title = say("q.m_config_file.label")
    return FileField(say("w.field.choose_file"), title, say("w.field.config_filter"), say("w.field.no_file"))


# ---------------------------------------------------------------- options


def _choice(question: Question, snapshot: CatalogSnapshot, texts: Texts) -> Field:
    open_list = texts.say("w.field.open_list")
    match question.option_source:
        case OptionSource.COUNTRIES:
            return SearchField(country_entries(texts.locale), open_list)
        case OptionSource.GPUS:
            return MenuField(_gpu_options(snapshot))
        case OptionSource.WARRANTIES:
            return _warranty_field(snapshot, texts)
    options = options_of(question, texts)
    return SegmentsField(options) if len(options) <= SEGMENTS_AT_MOST else MenuField(options)


def options_of(question: Question, texts: Texts) -> tuple[Option, ...]:
    """The listed options in words."""
    return tuple(
        Option(value=option.value, words=_option_words(question, option.value, option.text, texts))
        for option in question.options
    )


def _option_words(question: Question, value: object, text_id: str, texts: Texts) -> str:
    if not text_id:
        return str(value)
    if question.id != "d_latency_feel" or value == "none":
        return texts.say(text_id, alternative=texts.say("w.field.other_gpu"))
    word = questionnaire().latency_words[str(value)]
    return texts.say(
        text_id,
        ttft=Quantity(word.ttft_s or 0, Unit.SECONDS),
        speed=Quantity(word.tokens_per_s_per_user or 0, Unit.TOKENS_PER_S),
    )


def _gpu_options(snapshot: CatalogSnapshot) -> tuple[Option, ...]:
    """Families of the cards that are sold, each once."""
    families = dict.fromkeys(gpu.family for gpu in snapshot.shipping_gpus())
    return tuple(Option(value=family, words=_family_name(family, snapshot)) for family in families)


def _family_name(family: str, snapshot: CatalogSnapshot) -> str:
    editions = [gpu.name for gpu in snapshot.shipping_gpus() if gpu.family == family]
    return min(editions, key=len) if editions else family


def _warranty_field(snapshot: CatalogSnapshot, texts: Texts) -> Field:
    terms = [part for part in snapshot.parts.values() if part.category == "warranty" and not part.retired]
    if not terms:
        return LineField(wide=True, placeholder=texts.say("w.field.empty"))
    return MenuField(tuple(Option(value=part.sku, words=part.name) for part in terms))


@lru_cache(maxsize=4)
def country_entries(locale: str) -> tuple[Entry, ...]:
    """All countries by their name in a language; the code finds them too."""
    from babel import Locale

    names = Locale.parse(locale).territories
    entries = [
        Entry(value=code, name=names.get(code, code), detail=code, spellings=(code,)) for code in COUNTRIES
    ]
    return tuple(sorted(entries, key=lambda entry: entry.name.casefold()))


def _model_entries(snapshot: CatalogSnapshot, texts: Texts) -> tuple[Entry, ...]:
    return tuple(_model_entry(model, texts) for model in snapshot.models.values())


def _model_entry(model: ModelSpec, texts: Texts) -> Entry:
    detail = texts.say(
        "w.field.model_detail",
        parameters=Quantity(model.text_params, Unit.PARAMETERS),
        licence=model.license.name,
    )
    return Entry(
        value=model.id, name=model.name, detail=detail, spellings=(model.id, model.hf_id, *model.aliases)
    )


def circuit_words(texts: Texts) -> CircuitWords:
    """The words of the rows of circuits."""
    written: dict[tuple[str, int], str] = {}
    for count in CIRCUIT_CHOICES["count"]:
        written["count", count] = texts.say("w.circuit.times", count=count)
    for part, unit in (("volts", Unit.VOLTS), ("amps", Unit.AMPERES)):
        for number in CIRCUIT_CHOICES[part]:
            written[part, number] = texts.words(Quantity(number, unit))
    for phases in CIRCUIT_CHOICES["phases"]:
        written["phases", phases] = texts.say(f"w.circuit.phase_{phases}")
    return CircuitWords(
        add=texts.say("w.circuit.add"),
        remove=texts.say("w.circuit.remove"),
        unknown=texts.say("w.field.unknown"),
        parts={part: texts.say(f"w.circuit.{part}") for part in CIRCUIT_CHOICES},
        written=written,
    )
