"""Numbers and revisions of the quotations that were issued for a project."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from kentino_configurator.project.document import IssuedQuote, Project
from kentino_configurator.proposal.terms import DocumentTerms, Revision, SellerProfile
from kentino_configurator.settings import Preferences


class QuoteError(Exception):
    """No number can be given; the message says what to enter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedQuote:
    """A new quotation: the project and the preferences to be saved with it."""

    quote: IssuedQuote
    project: Project
    preferences: Preferences


def issue_quote(project: Project, preferences: Preferences, day: date) -> NumberedQuote:
    """The next revision of the project's quotation, or its first one under a new number.

    The number is the author's prefix, the day and the author's own counter: authors who never meet, or one who lost
    the preferences, do not give the same number twice. Save the preferences before the document is sent.
    Raises ``QuoteError`` without a prefix.
    """
    if project.quotes:
        last = project.quotes[-1]
        quote = IssuedQuote(number=last.number, revision=last.revision + 1, issued_on=day.isoformat())
        return NumberedQuote(quote=quote, project=_with(project, quote), preferences=preferences)
    prefix = preferences.author_prefix.strip()
    if not prefix:
        raise QuoteError("Settings: the author's prefix is empty; enter two to four letters of your own.")
    number = f"{prefix}-{day:%y%m%d}-{preferences.next_quote_number:03d}"
    quote = IssuedQuote(number=number, revision=1, issued_on=day.isoformat())
    counted = replace(preferences, next_quote_number=preferences.next_quote_number + 1)
    return NumberedQuote(quote=quote, project=_with(project, quote), preferences=counted)


def terms_of(project: Project, preferences: Preferences, seller: SellerProfile, today: date) -> DocumentTerms:
    """Terms of the quotation issued last; before the first one those of a draft of today."""
    if not project.quotes:
        return DocumentTerms(issued=today, author=preferences.author_name, seller=seller)
    last = project.quotes[-1]
    return DocumentTerms(
        issued=date.fromisoformat(last.issued_on),
        number=last.number,
        revision=last.revision,
        author=preferences.author_name,
        draft=False,
        seller=seller,
        history=tuple(
            Revision(number=quote.revision, issued=date.fromisoformat(quote.issued_on))
            for quote in project.quotes
        ),
    )


def _with(project: Project, quote: IssuedQuote) -> Project:
    return replace(project, quotes=(*project.quotes, quote))
