"""A generator in the words of its card, and what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence

from gui.generate.checks import what_it_is
from gui.generate.facts import IMPORTED, Maker
from gui.tasks import Task
from gui.widgets.check_rows import FAILED, Check
from gui.widgets.choice_card import CardState
from gui.words import counted, rate, thousands

IN_THE_STRIP = "Pause and cancel are in the strip below; what is made is kept."


def state_of(maker: Maker, task: Task | None, *, lacks_weights: bool = False) -> CardState:
    """What the card of a generator shows."""
    status, icon, role = _status(maker, task, lacks_weights)
    progress = task.progress if task is not None and task.is_started else None
    failed = maker.left_out + maker.unmade
    done, pace = maker.images, maker.pace
    if task is not None and progress is not None:
        done, failed = max(progress.done - progress.failed, maker.images), progress.failed + maker.left_out
        pace = task.pace.per_second or pace
    return CardState(
        line=what_it_is(maker),
        status=status,
        icon=icon,
        role=role,
        done=done,
        total=maker.asked,
        failed=failed,
        pace=rate(pace, "images").replace("images ", "") if pace and maker.present else "",
        is_running=task is not None and task.is_started and not task.is_paused,
        trouble=maker.trouble,
    )


def _status(maker: Maker, task: Task | None, lacks_weights: bool) -> tuple[str, str, str]:
    """Word, icon and role."""
    if task is not None:
        if not task.is_started:
            return "next in line", "clock", "muted"
        return ("paused", "pause", "accent") if task.is_paused else ("running", "play", "accent")
    if maker.trouble:
        return "cannot run yet", "warn", "danger"
    if not maker.is_here:
        return ("imported", "folder", "muted") if maker.kind == IMPORTED else ("made elsewhere", "", "muted")
    if maker.asked and not maker.missing:
        return "done", "check", "muted"
    return ("weights not here", "info", "muted") if lacks_weights else ("ready", "", "muted")


def blocked_by(checks: Sequence[Check]) -> str:
    """Why a run cannot start: the first check that failed, except that a trial only tells."""
    failed = [one for one in checks if one.state == FAILED and one.name != "Repeatable"]
    return f"{failed[0].name}: {failed[0].said}" if failed else ""


def act_of(maker: Maker, task: Task | None, blocked: str = "") -> tuple[str, str, str]:
    """The button's caption, what stands beside it, and why it cannot be pressed."""
    if task is not None:
        waits = "Next in line; cancel what runs to have it sooner." if not task.is_started else IN_THE_STRIP
        return "", waits, ""
    if not maker.asked or (not maker.missing and not maker.trouble):
        return "", "", ""
    verb = "Make the other" if maker.present else "Make"
    caption = f"{verb} {counted(maker.missing, 'image')}" if maker.missing else "Make images"
    said = f"{thousands(maker.unmade)} that failed are tried again" if maker.unmade else ""
    return caption, said, maker.trouble or blocked
