"""Contexts for a role: candidates, an editor with the prompts that would come of it, and decisions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.bank import Context, load_roles
from core.bank_builder.candidate import (
    KINDS,
    BankAct,
    Candidate,
    Kind,
    candidates_of,
    deciding,
    editing,
    proposing,
    wording,
)
from core.bank_builder.preview import preview
from core.bank_builder.roles import new_role
from core.bank_builder.rules import problems
from core.errors import UserError
from core.labels.work import user_name
from core.records import Role
from core.schema import read_schema
from core.sentences import ENGLISH, Sentences
from gui.bank.context_card import ContextCard, named_line
from gui.bank.facts import (
    Bench,
    Line,
    asking,
    bring_in,
    in_words,
    keep_acts,
    read_bench,
    take_from_bank,
    write_out,
)
from gui.bank.wording import WordingDialog
from gui.export import ask_for_file
from gui.extract.server_dialog import ServerDialog
from gui.file_dialogs import open_file
from gui.fonts import px
from gui.models.rows import Column, RowsModel
from gui.studio import Studio
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.choice_box import ChoiceBox
from gui.widgets.table import Table
from gui.widgets.table_dialog import TableDialog
from gui.words import counted

SENT = "The role's name goes to this address, and nothing of the study. What comes back are proposals."
EXAMPLE = Context("park", "a", "reading a map")
"""Stands in the example sentences until somebody types a context."""

CSV_OR_JSON = "All candidates as CSV (*.csv);;What was accepted, for a study, as JSON (*.json)"
STATES = {"open": "", "accepted": "accepted", "rejected": "rejected"}


def _judged(line: Line) -> str:
    found = line.candidate.judgement
    return f"{found.relevance} / {found.neutrality} / {found.confound}" if found else ""


COLUMNS = (
    Column("context", lambda line: in_words(line.candidate), tip=lambda line: in_words(line.candidate)),
    Column("kind", lambda line: line.candidate.kind),
    Column("decided", lambda line: STATES[line.candidate.state]),
    Column("judged", _judged, tip=lambda line: "relevance, neutrality, confound: 1 to 5"),
    Column(
        "warnings",
        lambda line: str(len(line.problems) + len(line.near) or ""),
        lambda line: len(line.problems) + len(line.near),
        is_number=True,
        tip=lambda line: " ".join(line.problems),
    ),
    Column("by", lambda line: line.candidate.decided_by or line.candidate.proposed_by),
)


class BankDialog(TableDialog):
    """Candidates at the left, the editor at the right. Without a server it is an editor, and complete."""

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__("Contexts for roles", parent)
        self.bench: Bench | None = None
        self.current: Line | None = None
        self._studio = studio
        self._to_do: list[tuple[Callable[..., Bench], tuple[object, ...]]] = []
        self._is_doing = False
        self._added: Role | None = None
        self._in_bank = frozenset(role.name for role in load_roles())
        self._asking: ServerDialog | None = None
        self.role = ChoiceBox([], "Role")
        self.new_role = named_line("New role", "a new role, then Enter")
        self.model = RowsModel(COLUMNS, self)
        self.table = Table(self.model, "Candidates")
        self.card = ContextCard()
        self.ask = Button("Propose with a server…")
        self.bring, self.export = Button("Import", "quiet"), Button("Export", "quiet", "export")
        self.words, self.take = Button("Sentences…"), Button("From the bank")
        self.take.setToolTip("the contexts that the bank has for this role, to be edited")
        self.whole = Caption("", "muted", wraps=True)
        self._wording: WordingDialog | None = None
        self._lay_out()
        self._connect()
        self._do(read_bench)

    # -- parts ------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.new_role.setFixedWidth(px(200))
        top = QHBoxLayout()
        top.setSpacing(px(8))
        for widget in (self.role, self.new_role):
            top.addWidget(widget)
        top.addStretch(1)
        for button in (self.bring, self.export, self.take, self.words, self.ask):
            top.addWidget(button)
        self.table.set_widths(270, 80, 80, 70, 72)
        self.put_together(top, self.table, self.card, self.whole)

    def _connect(self) -> None:
        self.role.chosen.connect(self._show_role)
        self.new_role.returnPressed.connect(self._on_new_role)
        self.table.moved.connect(self._on_moved)
        self.card.kind.chosen.connect(self._show_words)
        self.card.activity.textChanged.connect(self._show_words)
        self.card.location.textChanged.connect(self._show_words)
        self.card.add.clicked.connect(self.add_context)
        self.card.change.clicked.connect(self.change_words)
        self.card.accept_it.clicked.connect(self.accept_current)
        self.card.reject_it.clicked.connect(self.reject_current)
        self.ask.clicked.connect(self._on_ask)
        self.words.clicked.connect(self._on_wording)
        self.take.clicked.connect(self._on_take)
        self.bring.clicked.connect(self._on_import)
        self.export.clicked.connect(self._on_export)

    @property
    def chosen_role(self) -> Role | None:
        """The role that contexts are built for."""
        roles = self._roles()
        return roles[self.role.currentIndex()] if 0 <= self.role.currentIndex() < len(roles) else None

    def _roles(self) -> list[Role]:
        roles = {role.name: role for role in (self.bench.roles if self.bench else ())}
        if self._added is not None:
            roles.setdefault(self._added.name, self._added)
        return list(roles.values())

    # -- what is shown ----------------------------------------------------------------------------

    def _do(self, read: Callable[..., Bench], *more: object) -> None:
        """One after the other: in the pool two quick acts could overtake each other."""
        self._to_do.append((read, more))
        self._do_next()

    def _do_next(self) -> None:
        store = self._studio.store
        if store is None or self._is_doing or not self._to_do:
            return
        read, more = self._to_do.pop(0)
        self._is_doing = True
        self.say_trouble("")
        self._studio.query(lambda: read(store, *more), self._on_done, self._on_not_done)

    def _on_done(self, bench: Bench) -> None:
        self._is_doing = False
        self._on_bench(bench)
        self._do_next()

    def _on_not_done(self, error: Exception) -> None:
        self._is_doing = False
        self._on_failed(error)
        self._do_next()

    def _on_bench(self, bench: Bench) -> None:
        self.bench = bench
        self.role.set_captions([role.display_name for role in self._roles()])
        self._show_role()

    def _show_role(self, _name: object = None) -> None:
        role = self.chosen_role
        lines = [
            line
            for line in (self.bench.lines if self.bench else ())
            if role and line.candidate.role == role.name
        ]
        key = self.current.candidate.key if self.current else ""
        self.take.setEnabled(role is not None and role.name in self._in_bank and not lines)
        self.model.set_rows(lines)
        keys = [line.candidate.key for line in self.model.rows]
        if keys:
            self.table.setCurrentIndex(self.model.index(keys.index(key) if key in keys else 0, 0))
        self._on_moved(self.model.rows[keys.index(key) if key in keys else 0] if keys else None)
        self._show_whole()

    def _show_whole(self) -> None:
        role = self.chosen_role
        if role is not None:
            found = preview(role, [line.candidate for line in self.model.rows], self._sentences)
            needed = [said for said in found.warnings if "needed" in said]
            self.whole.setText(
                f"{counted(len(found.prompts), 'sentence')} of {role.display_name}. {' '.join(needed)}"
            )

    def _on_moved(self, line: Line | None) -> None:
        self.current = line
        if line is not None:
            self.card.kind.choose(KINDS.index(line.candidate.kind))
            self.card.activity.setText(line.candidate.context.activity)
            self.card.location.setText(line.candidate.context.location)
        self._show_words()

    def _show_words(self, _what: object = None) -> None:
        """The sentences and warnings of what stands in the editor, as it is typed."""
        role, candidate = self.chosen_role, self._typed()
        self.card.sentences.setText("")
        self.card.warnings.setText("")
        if role is not None and candidate is not None:
            said_first, write = self._sentences.wordings[0], self._sentences.write
            both = [write(role, said_first, candidate.context, with_activity=it) for it in (False, True)]
            near = self.current.near if self.current and self._is_unchanged(candidate) else ()
            wrong = problems(candidate, role, self._sentences.is_english)
            said = [*wrong, *(f"Nearly the same as “{one}”." for one in near)]
            self.card.sentences.setText("\n".join(both))
            self.card.warnings.setText("\n".join(said))
        self._show_acts(candidate)

    def _show_acts(self, candidate: Candidate | None) -> None:
        is_new = candidate is not None and not self._is_unchanged(candidate)
        state = self.current.candidate.state if self.current else ""
        self.card.add.setEnabled(is_new)
        self.card.add.setToolTip("" if is_new else "Write an activity and a location that are not there yet.")
        self.card.change.setEnabled(is_new and self.current is not None)
        self.card.change.setToolTip("what was decided before is then open again")
        for button, done in ((self.card.accept_it, "accepted"), (self.card.reject_it, "rejected")):
            button.setEnabled(bool(state) and state != done)
            button.setToolTip("" if state else "Choose a context in the table.")
        self.card.history.setText(_history(self.current.candidate) if self.current else "")

    def _typed(self) -> Candidate | None:
        role = self.chosen_role
        if role is None or not self.card.activity.text().strip() or not self.card.location.text().strip():
            return None
        kind = KINDS[self.card.kind.index]
        return candidates_of([self._proposing(role, kind)])[0]

    @property
    def _sentences(self) -> Sentences:
        return self.bench.sentences if self.bench else ENGLISH

    def _proposing(self, role: Role, kind: Kind) -> BankAct:
        """What is typed, put forward; in another language than English as it was typed."""
        words = role.name, kind, self.card.location.text(), self.card.activity.text(), user_name()
        if self._sentences.is_english:
            return proposing(*words)
        return proposing(*words, article="", role_words=role.display_name)

    def _is_unchanged(self, candidate: Candidate) -> bool:
        own = self.current.candidate if self.current else None
        return own is not None and (own.context, own.kind) == (candidate.context, candidate.kind)

    def _on_failed(self, error: Exception) -> None:
        self.say_trouble(str(error))

    # -- acts -------------------------------------------------------------------------------------

    def _on_new_role(self) -> None:
        if self.new_role.text().strip():
            self._added = new_role(self.new_role.text(), is_english=self._sentences.is_english)
            self.new_role.clear()
            self.role.set_captions([role.display_name for role in self._roles()])
            self.role.choose(self._added.display_name)
            self.card.activity.clear()
            self.card.location.clear()

    def add_context(self) -> None:
        """Put what stands in the editor forward; it is open until it is accepted."""
        role = self.chosen_role
        if role is not None:
            kind = KINDS[self.card.kind.index]
            self._keep(lambda: self._proposing(role, kind))

    def change_words(self) -> None:
        """Change the words of the chosen candidate."""
        line = self.current
        if line is not None:
            words = self.card.location.text(), self.card.activity.text()
            article = None if self._sentences.is_english else ""
            self._keep(lambda: editing(line.candidate, *words, user_name(), article=article))

    def accept_current(self) -> None:
        """It may enter the bank."""
        self._decide("accept")

    def reject_current(self) -> None:
        """It may not."""
        self._decide("reject")

    def _decide(self, act: str) -> None:
        line = self.current
        if line is not None:
            self._keep(lambda: deciding(line.candidate, act, user_name()))

    def _keep(self, make: Callable[[], BankAct]) -> None:
        try:
            act = make()
        except UserError as error:
            self.say_trouble(str(error))
            return
        self._do(keep_acts, [act])

    def _on_wording(self) -> None:
        role = self.chosen_role
        if role is not None:
            typed = self._typed()
            context = typed.context if typed else EXAMPLE
            self._wording = WordingDialog(self._sentences, role, context, self)
            self._wording.accepted.connect(self._on_worded)
            self._wording.open()

    def _on_take(self) -> None:
        if self.chosen_role is not None:
            self._do(take_from_bank, self.chosen_role.name, user_name())

    def _on_worded(self) -> None:
        chosen = self._wording.sentences if self._wording else None
        if chosen is not None and chosen != self._sentences:
            self._do(keep_acts, [wording(chosen, user_name())])

    def _on_ask(self) -> None:
        store = self._studio.store
        if store is not None and self.chosen_role is not None:
            schema = read_schema(store.study.schema_json)
            title, act = "Propose with a server", "Propose contexts"
            self._asking = ServerDialog(self._studio, schema, 1, self, title=title, act=act, sent=SENT)
            self._asking.accepted.connect(self._on_server)
            self._asking.open()

    def _on_server(self) -> None:
        store, role, dialog = self._studio.store, self.chosen_role, self._asking
        if store is None or role is None or dialog is None or dialog.options is None:
            return
        job = asking(store, role, dialog.options)
        task = self._studio.runner.run("Propose contexts", job, page="prompts", noun="questions")
        task.finished.connect(self._on_proposed)
        task.failed.connect(self._on_failed)
        self.whole.setText("Asking the server; the strip of the window shows how far it is.")

    def _on_proposed(self, _acts: object) -> None:
        self._do(read_bench)

    def _on_import(self) -> None:
        path = open_file(self, "Contexts", "", "CSV or JSON (*.csv *.json)")
        if path is not None:
            self.import_from(path)

    def import_from(self, path: Path) -> None:
        """Bring candidates and decisions of a file in."""
        self._do(bring_in, path, user_name())

    def _on_export(self) -> None:
        if self._studio.folder is not None:
            path = ask_for_file(self, self._studio.folder / "contexts.csv", CSV_OR_JSON)
            if path is not None:
                self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Write candidates as CSV, or what was accepted as JSON."""
        store = self._studio.store
        if store is not None:
            self._studio.query(lambda: write_out(store, path), self.whole.setText, self._on_failed)


def _history(candidate: Candidate) -> str:
    parts = [f"put forward by {candidate.proposed_by}"]
    if candidate.is_edited:
        parts.append("words changed")
    if candidate.judgement is not None and candidate.judgement.sentence:
        parts.append(f"judged: {candidate.judgement.sentence}")
    if candidate.decided_by:
        parts.append(f"{candidate.state} by {candidate.decided_by}")
    return "; ".join(parts)
