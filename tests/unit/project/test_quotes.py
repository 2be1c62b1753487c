"""Quote numbers that offline authors cannot give twice, and revisions."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from kentino_configurator.project.document import Project, new_project
from kentino_configurator.project.json_form import FormError, project_from_json, project_to_json
from kentino_configurator.project.quotes import QuoteError, issue_quote, terms_of
from kentino_configurator.proposal.seller_file import SellerError, load_seller
from kentino_configurator.proposal.terms import SellerProfile
from kentino_configurator.settings import Preferences

DAY, LATER = date(2026, 12, 1), date(2026, 12, 9)
AUTHOR = Preferences(author_prefix="MB", author_name="M. B.", next_quote_number=7)


def test_the_first_quote_takes_prefix_day_and_counter() -> None:
    issued = issue_quote(new_project(), AUTHOR, DAY)
    assert issued.quote.number == "MB-261201-007"
    assert issued.preferences.next_quote_number == 8


def test_two_projects_of_one_author_and_two_authors_never_share_a_number() -> None:
    first = issue_quote(new_project(), AUTHOR, DAY)
    second = issue_quote(new_project(), first.preferences, DAY)
    other = issue_quote(new_project(), replace(AUTHOR, author_prefix="JK"), DAY)
    again_after_loss = issue_quote(new_project(), Preferences(author_prefix="MB"), LATER)
    numbers = [item.quote.number for item in (first, second, other, again_after_loss)]
    assert len(set(numbers)) == 4


def test_a_further_issue_of_the_same_project_is_a_revision() -> None:
    first = issue_quote(new_project(), AUTHOR, DAY)
    second = issue_quote(first.project, first.preferences, LATER)
    assert (second.quote.number, second.quote.revision) == (first.quote.number, 2)
    assert second.preferences == first.preferences
    terms = terms_of(second.project, second.preferences, SellerProfile(), LATER)
    assert (terms.number, terms.revision, terms.issued, terms.draft) == ("MB-261201-007", 2, LATER, False)
    assert [(item.number, item.issued) for item in terms.history] == [(1, DAY), (2, LATER)]


def test_before_the_first_issue_it_is_a_draft_without_number() -> None:
    terms = terms_of(new_project(), AUTHOR, SellerProfile(), DAY)
    assert (terms.number, terms.draft, terms.issued, terms.author) == ("", True, DAY, "M. B.")


def test_without_a_prefix_no_number_is_given() -> None:
    with pytest.raises(QuoteError, match="prefix"):
        issue_quote(new_project(), Preferences(author_prefix=" "), DAY)


def test_issued_quotes_are_saved_with_the_project() -> None:
    project = issue_quote(new_project(), AUTHOR, DAY).project
    assert project_from_json(project_to_json(project)).quotes == project.quotes


@pytest.mark.parametrize("quotes", ["x", [1], [{"number": "a", "revision": 1, "issued_on": "soon"}]])
def test_damaged_quotes_are_refused(quotes: object) -> None:
    tree = project_to_json(Project(id="a")) | {"quotes": quotes}
    with pytest.raises(FormError, match="quotes"):
        project_from_json(tree)


def test_no_seller_file_is_an_empty_profile(tmp_path: Path) -> None:
    assert load_seller(tmp_path / "none.toml") == SellerProfile()


def test_the_seller_file_is_read_with_dates_and_trimmed_texts(tmp_path: Path) -> None:
    path = tmp_path / "seller.toml"
    path.write_text('legal_name = " Firma s.r.o. "\nlegal_texts_approved_on = 2026-11-30\n', encoding="utf-8")
    assert load_seller(path) == SellerProfile(legal_name="Firma s.r.o.", legal_texts_approved_on="2026-11-30")


@pytest.mark.parametrize(
    ("text", "what"),
    [("legal_nam = 'x'", '"legal_nam" is unknown'), ("vat_id = 5", "not a text"), ("vat_id = ", "TOML")],
)
def test_a_wrong_seller_file_is_refused_in_one_sentence(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "seller.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SellerError, match=what) as problem:
        load_seller(path)
    assert str(path) in str(problem.value)


def test_the_example_of_a_seller_file_names_every_field_and_no_value() -> None:
    from kentino_configurator.paths import resource_dir

    assert load_seller(resource_dir() / "seller.example.toml") == SellerProfile()
    text = (resource_dir() / "seller.example.toml").read_text("utf-8")
    assert all(f"\n{name} = " in text for name in SellerProfile.__dataclass_fields__)
