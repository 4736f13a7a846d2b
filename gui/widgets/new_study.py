"""The dialog that plans a new study: folder, name, roles, design, images, seed, and what that comes to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from core.bank import RoleContexts, load_contexts, load_roles
from core.bank_builder.roles import own_bank
from core.errors import UserError
from core.paths import STUDY_FILE
from core.plan import DESIGNS, UNRELATED_RULES, StudyPlan, plan_study
from core.records import Role
from core.seeds import EXPLAINED as EXPLAINED_SEEDS
from core.seeds import SEED_RULES
from core.sentences import ENGLISH
from gui.file_dialogs import choose_folder, open_file
from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.check_list import CheckList
from gui.widgets.number_box import NumberBox
from gui.widgets.segmented import Segmented
from gui.words import counted

EXPLAINED = {
    "balanced": "Six prompts a condition: comparisons have equal numbers.",
    "paper": "As published: 3 context-free, 7 related, 8 unrelated prompts a role.",
    "permuted": "Unrelated places come from other roles' related ones, so each place is used equally.",
    "everyday": "Unrelated places are everyday ones that belong to no role.",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A study to be made: where, and its checked plan."""

    folder: Path
    plan: StudyPlan


class NewStudyDialog(QDialog):
    """Ask for everything that a study is made of; `wanted` is there once it was accepted."""

    def __init__(self, parent: QWidget | None = None, suggestion: Path | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("New study")
        self.setMinimumWidth(px(600))
        self.wanted: Wanted | None = None
        start = suggestion or Path.home() / "ContextBias" / "study"
        self.folder, self.study_name = QLineEdit(str(start)), QLineEdit(start.name)
        self.roles = RoleChoice(load_roles())
        self._contexts: dict[str, RoleContexts] | None = None
        self._sentences = ENGLISH
        self.design = Segmented([name.capitalize() for name in DESIGNS], "Design")
        self.unrelated = Segmented([name.capitalize() for name in UNRELATED_RULES], "Unrelated contexts")
        self.images = NumberBox(1, 1000, 10, "Images per prompt")
        self.seed = NumberBox(0, 2**31 - 1, 0, "Seed")
        self.seeds = Segmented(["Per role", "Per prompt"], "Seeds")
        self._explained = [Caption("", "muted", wraps=True) for _ in range(2)]
        self.sum, self.trouble = Caption("", "strong", wraps=True), Caption("", "danger", wraps=True)
        self.make = Button("Make the study", "primary")
        self._lay_out()
        self._connect()
        self._on_changed()

    def _lay_out(self) -> None:
        self.folder.setAccessibleName("Folder")
        self.study_name.setAccessibleName("Name")
        browse = Button("Choose…")
        browse.clicked.connect(self._on_browse)
        place = QHBoxLayout()
        place.setSpacing(px(8))
        place.addWidget(self.folder, 1)
        place.addWidget(browse)
        form = QFormLayout()
        form.setHorizontalSpacing(px(16))
        form.setVerticalSpacing(px(10))
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        form.addRow("Folder", place)
        form.addRow("Name", self.study_name)
        form.addRow("Roles", self.roles)
        form.addRow("Design", _over(self.design, self._explained[0]))
        form.addRow("Unrelated contexts", _over(self.unrelated, self._explained[1]))
        form.addRow("Images per prompt", self.images)
        seeds = QHBoxLayout()
        seeds.setSpacing(px(8))
        for widget in (self.seed, self.seeds):
            seeds.addWidget(widget)
        seeds.addStretch(1)
        form.addRow("Seed", seeds)
        last = QHBoxLayout()
        cancel = Button("Cancel", "quiet")
        cancel.clicked.connect(self.reject)
        last.addStretch(1)
        last.addWidget(cancel)
        last.addWidget(self.make)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(16))
        column.setSpacing(px(12))
        column.addWidget(Caption("New study", "drawer_title"))
        column.addLayout(form)
        column.addWidget(self.sum)
        column.addWidget(self.trouble)
        column.addLayout(last)

    def _connect(self) -> None:
        self.roles.changed.connect(self._on_changed)
        self.roles.own.clicked.connect(self._on_contexts)
        self.design.chosen.connect(self._on_changed)
        self.unrelated.chosen.connect(self._on_changed)
        self.seeds.chosen.connect(self._on_changed)
        self.images.valueChanged.connect(self._on_changed)
        self.folder.textChanged.connect(self._on_changed)
        self.study_name.textChanged.connect(self._on_changed)
        self.make.clicked.connect(self._on_make)

    def _on_browse(self) -> None:
        chosen = choose_folder(self, "Folder for the study", self.folder.text())
        if chosen is not None:
            self.folder.setText(str(chosen))

    def _on_contexts(self) -> None:
        chosen = open_file(self, "Contexts of mine", "", "Contexts (*.json)")
        if chosen is not None:
            self.use_contexts(chosen)

    def use_contexts(self, path: Path) -> None:
        """Take the roles, contexts and sentences of a file that the bank builder wrote."""
        try:
            further, contexts, sentences = own_bank(path)
            of_file = frozenset(load_contexts(path))
        except UserError as error:
            self.trouble.setText(str(error))
            self.trouble.show()
            return
        self._contexts, self._sentences = contexts, sentences
        self.roles.use((*further, *load_roles()), of_file, f"{path.name}: {sentences.language}")
        self._on_changed()

    def _on_changed(self) -> None:
        self.trouble.hide()
        self._explained[0].setText(EXPLAINED[DESIGNS[self.design.index]])
        self._explained[1].setText(EXPLAINED[UNRELATED_RULES[self.unrelated.index]])
        self.seeds.setToolTip(EXPLAINED_SEEDS[SEED_RULES[self.seeds.index]])
        roles = len(self.roles.chosen)
        prompts = roles * 18
        self.sum.setText(
            f"{counted(roles, 'role')}, {counted(prompts, 'prompt')}, "
            f"{counted(prompts * self.images.value(), 'image')} from each generator"
        )

    def _on_make(self) -> None:
        try:
            self.wanted = self._read()
        except UserError as error:
            self.trouble.setText(str(error))
            self.trouble.show()
            return
        self.accept()

    def _read(self) -> Wanted:
        folder = Path(self.folder.text().strip()).expanduser()
        if not self.folder.text().strip():
            raise UserError("A study needs a folder.", "Choose an empty one.")
        if (folder / STUDY_FILE).exists():
            raise UserError(f"There is a study in {folder} already.", "Choose another folder, or open it.")
        plan = plan_study(
            self.study_name.text(),
            self.roles.chosen,
            seed=self.seed.value(),
            design=DESIGNS[self.design.index],
            unrelated=UNRELATED_RULES[self.unrelated.index],
            images_per_prompt=self.images.value(),
            seeds=SEED_RULES[self.seeds.index],
            contexts=self._contexts,
            sentences=self._sentences,
        )
        return Wanted(folder, plan)


class RoleChoice(QWidget):
    """All roles of the bank, or some of them from a list with a filter."""

    def __init__(self, bank: tuple[Role, ...]) -> None:
        super().__init__()
        self._bank = bank
        self.which = Segmented([f"All {len(bank)}", "Choose"], "Roles")
        self.changed = self.which.chosen
        self.own = Button("Contexts of mine…", "quiet")
        self.own.setToolTip("a JSON file that the window Contexts for roles wrote")
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter roles")
        self.filter.setAccessibleName("Filter roles")
        self.list = CheckList(tuple(role.display_name for role in bank), "Roles")
        self.list.setMinimumHeight(px(72))  # with it open the dialog still fits 720 px
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(6))
        first = QHBoxLayout()
        first.setSpacing(px(8))
        for widget in (self.which, self.own):
            first.addWidget(widget)
        first.addStretch(1)
        column.addLayout(first)
        for below in (self.filter, self.list):
            column.addWidget(below)
        self._on_which(0)
        self.which.chosen.connect(self._on_which)
        self.filter.textChanged.connect(self._on_filter)
        self.list.toggled.connect(self._on_toggled)

    def use(self, bank: tuple[Role, ...], wanted: frozenset[str], where: str) -> None:
        """Offer other roles, those that are wanted checked; `where` says where they come from."""
        self._bank = bank
        self.own.setText(where)
        self.list.fill(tuple(role.display_name for role in bank))
        self.which.set_caption(0, f"All {len(bank)}")
        self.which.choose(1)
        self.filter.clear()
        for row, role in enumerate(bank):
            if role.name in wanted:
                self.list.toggle(row)

    @property
    def chosen(self) -> tuple[Role, ...]:
        """The roles that are wanted, in the bank's order."""
        if self.which.index == 0:
            return self._bank
        return tuple(self._bank[row] for row in self.list.checked)

    def _on_which(self, index: int) -> None:
        self.filter.setVisible(index == 1)
        self.list.setVisible(index == 1)

    def _on_filter(self, text: str) -> None:
        for row, role in enumerate(self._bank):
            self.list.item(row).setHidden(text.strip().lower() not in role.display_name.lower())

    def _on_toggled(self) -> None:
        self.changed.emit(self.which.index)


def _over(control: QWidget, caption: QWidget) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(px(4))
    column.addWidget(control, 0, Qt.AlignmentFlag.AlignLeft)
    column.addWidget(caption)
    return column
