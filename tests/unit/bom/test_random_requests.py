"""Random valid requests through the whole program; ``benchmarks/random_requests.py`` runs thousands of them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.random_requests import SITE_RULES, broken_promises, random_configuration, random_request
from kentino_configurator.answer.service import Service
from kentino_configurator.bom.assemble import assemble
from kentino_configurator.core.answers import Answers
from kentino_configurator.core.bom import Outcome
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.wizard.reading import read_request


@pytest.fixture(scope="module")
def service(snapshot: CatalogSnapshot) -> Service:
    return Service(snapshot)


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(min_value=0, max_value=10**9))
def test_random_requests_are_valid(service: Service, seed: int) -> None:
    request = random_request(random.Random(seed), service.snapshot)
    assert read_request(Answers(request), service.snapshot).problems == ()


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(min_value=0, max_value=10**9))
def test_any_machine_for_any_request_blocks_at_the_site_only_and_names_what_is_unknown(
    service: Service, seed: int
) -> None:
    draw = random.Random(seed)
    reading = read_request(Answers(random_request(draw, service.snapshot)), service.snapshot)
    assert reading.request is not None
    bom = assemble(reading.request, random_configuration(draw, service), service.snapshot)
    assert {check.rule for check in bom.checks if check.outcome is Outcome.BLOCK} <= SITE_RULES
    for check in bom.checks:
        assert (check.outcome is Outcome.UNKNOWN) == bool(check.missing), check.rule


@settings(max_examples=6, deadline=None, derandomize=True)
@given(seed=st.integers(min_value=0, max_value=10**9))
def test_a_bill_of_materials_of_a_random_request_can_be_built(service: Service, seed: int) -> None:
    request = random_request(random.Random(seed), service.snapshot)
    answer = service.evaluate(Answers(request), lenient=False, quick=True).answer
    assert answer is not None
    if answer.bom is not None:
        assert list(broken_promises(answer)) == []
