"""The decision in words: five questions, findings by severity, what was not chosen, what is needed instead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kentino_configurator.answer.sentences import finding_sentence, trace_sentence, verdict_message
from kentino_configurator.core.answer import Answer
from kentino_configurator.core.decision import (
    Alternative,
    Decision,
    Finding,
    Formula,
    LimitMet,
    Severity,
    TraceEntry,
    Verdict,
)
from kentino_configurator.core.message import Quantity, message
from kentino_configurator.core.units import Unit
from kentino_configurator.texts import Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaPicture:
    """A formula with its numbers filled in."""

    name: str
    expression: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPicture:
    """One of the five questions. ``answer`` is one or two words, ``sentence`` the numbers behind it."""

    number: int
    question: str
    answer: str
    sentence: str
    decided: bool
    decided_words: str
    formula_title: str
    formulas: tuple[FormulaPicture, ...]
    spoken: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingPicture:
    """One finding: what, and why with the way out. ``key`` names it among the others."""

    key: str
    severity: Severity
    title: str
    detail: tuple[str, ...]
    spoken: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingGroup:
    """The findings of one severity."""

    severity: Severity
    title: str
    findings: tuple[FindingPicture, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InsteadPicture:
    """Something that was not chosen, why, and what would bring it back (may be empty)."""

    name: str
    why: str
    change: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FootPicture:
    """Name and sentence at the foot; ``agrees`` adds the tick, ``None`` no mark."""

    name: str
    words: str
    agrees: bool | None = None


# ---------------------------------------------------------------- five questions


def lead(decision: Decision, texts: Texts) -> str:
    """What the five questions are, and whether one of them decided."""
    decided = any(entry.decided for entry in decision.trace)
    return texts.say("view.decision.lead" if decided else "view.decision.lead_open")


def question_pictures(decision: Decision, texts: Texts) -> tuple[QuestionPicture, ...]:
    """The five questions in the article's order. The deciding one also shows the formulas of the plan."""
    return tuple(_question(entry, decision, texts) for entry in decision.trace)


def _question(entry: TraceEntry, decision: Decision, texts: Texts) -> QuestionPicture:
    question = texts.say(f"tr.{entry.number}.question")
    answer = texts.say(f"view.decision.answer.{entry.answer.value}")
    sentence = _without_answer(trace_sentence(entry, texts), answer)
    formulas = tuple(_formula(f, "reference", texts) for f in entry.formulas)
    if entry.decided:
        formulas += tuple(_formula(f, "plan", texts) for f in decision.formulas)
    decided = texts.say("view.decision.decided_here")
    said = (f"{entry.number}. {question}", f"{answer}. {sentence}", decided if entry.decided else "")
    return QuestionPicture(
        number=entry.number,
        question=question,
        answer=answer,
        sentence=sentence,
        decided=entry.decided,
        decided_words=decided,
        formula_title=texts.say("view.decision.formulas"),
        formulas=formulas,
        spoken=" ".join(part for part in said if part),
    )


def _without_answer(sentence: str, answer: str) -> str:
    """The sentence of the texts begins with the answer, which stands apart here: "Yes. Weights ..."."""
    return sentence.removeprefix(f"{answer}.").lstrip()


def _formula(formula: Formula, of: str, texts: Texts) -> FormulaPicture:
    """``of`` tells the formulas of the question about the reference node from those of the plan."""
    return FormulaPicture(
        name=texts.say(f"view.formula.{of}.{formula.id}"),
        expression=formula.expression,
        value=texts.words(formula.value),
    )


# ---------------------------------------------------------------- findings


def finding_groups(decision: Decision, texts: Texts) -> tuple[FindingGroup, ...]:
    """Decisions and information; what blocks too, when there is any."""
    return tuple(group for severity in Severity if (group := _group(decision, severity, texts)).findings)


def _group(decision: Decision, severity: Severity, texts: Texts) -> FindingGroup:
    found = sorted((f for f in decision.findings if f.severity is severity), key=lambda f: -f.weight)
    return FindingGroup(
        severity=severity,
        title=texts.say(f"sev.{severity.value}.label"),
        findings=tuple(_finding(finding, index, texts) for index, finding in enumerate(found)),
    )


def _finding(finding: Finding, index: int, texts: Texts) -> FindingPicture:
    title = finding_sentence(finding, "text", texts)
    severity = texts.say(f"sev.{finding.severity.value}.label")
    change = texts.say("view.decision.way_out", change=finding_sentence(finding, "change", texts))
    return FindingPicture(
        key=f"{finding.rule}.{index}",
        severity=finding.severity,
        title=title,
        detail=(finding_sentence(finding, "why", texts), change),
        spoken=f"{severity}: {title}",
    )


def blocking_words(decision: Decision, texts: Texts) -> str:
    """How many findings block, also when none does."""
    count = sum(finding.severity is Severity.BLOCK for finding in decision.findings)
    return texts.count("view_blocking", count)


# ---------------------------------------------------------------- not chosen


def instead_pictures(decision: Decision, texts: Texts) -> tuple[InsteadPicture, ...]:
    """Everything that was looked at and not chosen."""
    return tuple(_instead(alternative, texts) for alternative in decision.alternatives)


def _instead(alternative: Alternative, texts: Texts) -> InsteadPicture:
    change = alternative.what_would_change
    return InsteadPicture(
        name=texts.say(f"doc.alt.{alternative.kind}"),
        why=texts.say(alternative.why_not),
        change="" if change is None else texts.say(change),
    )


# ---------------------------------------------------------------- foot


def foot_pictures(answer: Answer, texts: Texts) -> tuple[FootPicture, ...]:
    """How many units were counted, and whether rules and search agree."""
    return (*_count(answer, texts), *_search(answer.decision, texts))


def _count(answer: Answer, texts: Texts) -> Iterator[FootPicture]:
    configuration = answer.decision.configuration
    if configuration is None:
        return
    none = message("n.list_none")
    growth = answer.request.growth
    yield FootPicture(
        name=texts.say("view.decision.count"),
        words=texts.say(
            "view.decision.count_words",
            copies=Quantity(configuration.replicas, Unit.COPIES),
            gpus=Quantity(configuration.parallelism.gpus_per_copy, Unit.GPUS),
            spare=Quantity(configuration.spare_copies, Unit.COPIES) if configuration.spare_copies else none,
            growth=Quantity(growth.factor, Unit.FACTOR) if growth.factor > 1 else none,
        ),
    )


def _search(decision: Decision, texts: Texts) -> Iterator[FootPicture]:
    name = texts.say("view.decision.search")
    if decision.rule_verdict is None or decision.search_verdict is None:
        yield FootPicture(name=name, words=texts.say("view.decision.search_empty"))
    elif decision.disagreement is None:
        yield FootPicture(name=name, words=texts.say("view.decision.search_agrees"), agrees=True)
    else:
        yield FootPicture(name=name, words=_disagreement(decision, texts), agrees=False)


def _disagreement(decision: Decision, texts: Texts) -> str:
    assert decision.rule_verdict and decision.search_verdict and decision.disagreement
    return texts.say(
        "v.common.disagreement",
        rule_verdict=_title(decision.rule_verdict, texts),
        search_verdict=_title(decision.search_verdict, texts),
        reason=texts.say(decision.disagreement).rstrip("."),
    )


def _title(verdict: Verdict, texts: Texts) -> str:
    return texts.say(f"v.{verdict.value}.title")


# ---------------------------------------------------------------- answers without a machine of ours


def explanation(answer: Answer, texts: Texts) -> tuple[str, str]:
    """Headline and reason of the verdict."""
    return texts.say(verdict_message(answer, "headline")), texts.say(verdict_message(answer, "text"))


def delivered(decision: Decision, texts: Texts) -> tuple[str, ...]:
    """What Kentino can still deliver beside an SXM system."""
    return () if decision.referral is None else tuple(map(texts.say, decision.referral.can_deliver))


def needed(decision: Decision, texts: Texts) -> tuple[str, ...]:
    """What would have to be known or to change, each as a sentence."""
    return tuple(_sentence(texts.say(item)) for item in decision.needed)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def limit_words(limit: LimitMet, texts: Texts) -> tuple[str, str, str]:
    """What binds, what was asked, what is possible."""
    names = [texts.say(f"e.condition.{name}") for name in limit.name.split("+")]
    return _sentence(" + ".join(names)), texts.words(limit.asked), texts.words(limit.best)
