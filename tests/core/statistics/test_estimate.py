"""An estimate is a value or a reason, and never a number that is none."""

from __future__ import annotations

import pytest

from core.statistics.estimate import Estimate, undefined


def test_no_value_needs_a_reason():
    with pytest.raises(ValueError, match="reason"):
        Estimate(None)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
@pytest.mark.parametrize("name", ["value", "low", "high"])
def test_a_number_that_is_none_is_refused(name, number):
    with pytest.raises(ValueError, match="undefined is None"):
        Estimate(**{"value": 0.5, name: number})


def test_undefined_keeps_its_reason():
    estimate = undefined("no usable image", n=3)

    assert not estimate.is_defined
    assert (estimate.reason, estimate.n) == ("no usable image", 3)
