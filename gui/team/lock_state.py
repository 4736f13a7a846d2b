"""Whether a round can be locked, and what of it is missing: nothing asked is not everything answered."""

from __future__ import annotations

from gui.team.facts import Team
from gui.words import counted

OPENS = "Locking it opens the comparison with the pipeline."


def lock_state(team: Team) -> tuple[str, str]:
    """What stands above *Lock*, and why the round cannot be locked; "" where it can.

    Of a round without anybody, or without any answer, nothing could be compared, and a lock stays for good.
    """
    sets = counted(team.image_sets, "image set")
    if not team.members:
        wait = "waits" if team.image_sets == 1 else "wait"
        return (
            f"Nobody has been asked yet: {sets} {wait} for annotators. Add one, or write a packet for one.",
            "Nobody has been asked yet, so there is no answer to lock.",
        )
    answers = sum(one.answers for one in team.members)
    if not answers:
        out = sum(one.has_packet for one in team.members)
        named = f"{counted(len(team.members), 'annotator has', 'annotators have')} been named"
        who = f"{counted(out, 'packet is', 'packets are')} out" if out else named
        return f"No answer is in yet: {who}.", "No answer is in yet, so there is nothing to lock."
    if team.open_answers:
        return f"{counted(team.open_answers, 'answer')} still open. {OPENS}", ""
    asked = sum(bool(one.answers or one.has_packet) for one in team.members)
    if asked < team.wanted_annotators:
        so_far = f"All answers of {counted(asked, 'annotator')} are in"
        return f"{so_far}; the round was designed for {team.wanted_annotators}. {OPENS}", ""
    return f"All answers are in. {OPENS}", ""
