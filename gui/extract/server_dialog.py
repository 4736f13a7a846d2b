"""The dialog for a model behind a server: which, key and limits, and a check before anything runs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDialog, QFormLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from core.errors import BadInput, UserError
from core.extraction.vlm.options import VlmOptions
from core.extraction.vlm.servers import OWN, Server, check_address, servers
from core.jobs import Progress
from core.schema import Schema
from core.secrets import keep_key
from gui import settings
from gui.extract.server_fields import beside, key_words, line_named, number_in, plain_origin, whole_in
from gui.extract.server_work import ServerCheck, as_settings, checking
from gui.fonts import px
from gui.studio import Studio
from gui.tasks import Query, Task
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.check_rows import show_checks
from gui.widgets.choice_box import ChoiceBox
from gui.widgets.number_box import NumberBox
from gui.widgets.scrolled import scrolled
from gui.widgets.segmented import Segmented
from gui.words import counted

SENT = (
    "Pictures go to this address, re-encoded as JPEG, and nothing else about them: no role, condition, "
    "prompt, generator or file name."
)
APIS = ("chat", "responses")
IN_BATCH = "within a day; answers are fetched later"
UNENCRYPTED = "Send pictures and key unencrypted to {origin}"
NOT_CONFIRMED = (
    "{origin} is another machine and http is not encrypted: pictures and key could be read on the way."
)
CONFIRM = "Use https, or confirm it below the address."
NOT_CHECKED = "Not checked yet. One question shows what the server takes and what a picture costs."


class ServerDialog(QDialog):
    """Ask for server and limits; `options` is there once it was accepted."""

    def __init__(
        self,
        studio: Studio,
        schema: Schema,
        images: int,
        parent: QWidget | None = None,
        *,
        title: str = "Read with a server",
        act: str = "",
        sent: str = SENT,
        offers_batch: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(px(680))
        self.resize(px(760), px(700))
        self.options: VlmOptions | None = None
        self.check: ServerCheck | None = None
        self._studio, self._schema, self._images = studio, schema, images
        self._task: Task | None = None
        self._key_query: Query | None = None
        self._known = servers()
        self.server = ChoiceBox([one.name for one in self._known], "Server")
        self.address, self.model, self.key = line_named("Address"), line_named("Model"), line_named("Key")
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key_said, self.how_said = Caption("", "muted", wraps=True), Caption("", "muted")
        self.api = Segmented(["Chat completions", "Responses"], "API")
        self.at_once = NumberBox(1, 512, 8, "Requests at once")
        self.size = NumberBox(64, 4096, 768, "Longest side in pixels")
        self.budget, self.price_in, self.price_out = (
            line_named("Budget"),
            line_named("Price in"),
            line_named("Price out"),
        )
        self.calls = line_named("Most calls")
        self._plain = ""
        self.checked = QVBoxLayout()
        self.look = Button("Check the server", icon="search")
        self.how = Segmented(["One call an image", "Batch, half the price"], "How")
        self.plainly = QCheckBox("")
        self._act, self._offers_batch = act, offers_batch
        self.go = Button("", "primary")
        self._trouble = Caption("", "danger", wraps=True)
        self._lay_out(title, sent)
        self._connect()
        self._recall()

    @property
    def trouble(self) -> str:
        """What is said to be wrong."""
        return self._trouble.text()

    # -- parts ------------------------------------------------------------------------------------

    def _lay_out(self, title: str, sent: str) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(px(16))
        form.setVerticalSpacing(px(8))
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.addRow("Server", beside(self.server, self.api))
        form.addRow("Address", self.address)
        form.addRow("", self.plainly)
        form.addRow("Model", self.model)
        form.addRow("Key", self.key)
        form.addRow("", self.key_said)
        if self._offers_batch:
            form.addRow("How", beside(self.how, self.how_said))
        form.addRow("Requests at once", beside(self.at_once, Caption("longest side, px", "muted"), self.size))
        prices = (
            Caption("a million tokens in", "muted"),
            self.price_in,
            Caption("out", "muted"),
            self.price_out,
        )
        form.addRow("Price", beside(*prices))
        form.addRow("Stop at", beside(self.budget, Caption("or after so many calls", "muted"), self.calls))
        self.checked.setContentsMargins(0, 0, px(8), 0)
        self.checked.setSpacing(0)
        last = QHBoxLayout()
        cancel = Button("Cancel", "quiet")
        cancel.clicked.connect(self.reject)
        last.addWidget(self.look)
        last.addStretch(1)
        last.addWidget(cancel)
        last.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(16))
        column.setSpacing(px(12))
        column.addWidget(Caption(title, "drawer_title"))
        column.addWidget(Caption(sent, "muted", wraps=True))
        column.addLayout(form)
        column.addWidget(scrolled(self.checked), 1)
        column.addWidget(self._trouble)
        column.addLayout(last)
        self._say_found((Caption(NOT_CHECKED, "muted", wraps=True),))

    def _connect(self) -> None:
        self.server.chosen.connect(self._on_server)
        for line in (self.address, self.model, self.key, self.price_in, self.price_out):
            line.textChanged.connect(self._on_changed)
        self.api.chosen.connect(self._on_changed)
        self.how.chosen.connect(self._on_changed)
        self.plainly.toggled.connect(self._on_confirmed)
        self.look.clicked.connect(self.ask)
        self.go.clicked.connect(self._on_go)

    @property
    def chosen_server(self) -> Server:
        """The kind of server that is chosen."""
        return self._known[max(self.server.currentIndex(), 0)]

    # -- what is chosen ---------------------------------------------------------------------------

    def _recall(self) -> None:
        kept = settings.server_choices()
        names = [one.id for one in self._known]
        self.server.setCurrentIndex(names.index(kept["server"]) if kept.get("server") in names else 0)
        self._on_server("")
        for name, line in (("base_url", self.address), ("model", self.model)):
            if kept.get(name):
                line.setText(str(kept[name]))
        for name, line in (("price_in", self.price_in), ("price_out", self.price_out)):
            line.setText("" if kept.get(name) is None else f"{float(kept[name]):g}")
        self.at_once.setValue(int(kept.get("concurrency") or 8))
        self.api.choose(APIS.index(kept["api"]) if kept.get("api") in APIS else 0)

    def _on_server(self, _name: str) -> None:
        server = self.chosen_server
        self.address.setText(server.base_url)
        self.address.setPlaceholderText("https://host/v1" if server.id == OWN else server.base_url)
        why_not = "" if server.has_batch else f"{server.name} has no Batch interface."
        self.how.set_enabled(1, server.has_batch, why_not)
        if not server.has_batch:
            self.how.choose(0)
        self._on_changed()

    def _on_changed(self, _what: object = None) -> None:
        self._drop()
        self.check = None
        self._trouble.setText("")
        self._say_found((Caption(NOT_CHECKED, "muted", wraps=True),))
        self._say_key()
        self._say_how()
        self._ask_about_plain_http()

    @property
    def is_batch(self) -> bool:
        """Whether the images go through the Batch interface."""
        return self._offers_batch and self.how.index == 1

    def _say_how(self) -> None:
        self.how_said.setText(IN_BATCH if self.is_batch else "")
        self.at_once.setEnabled(not self.is_batch)
        verb = "Order" if self.is_batch else "Read"
        self.go.setText(self._act or f"{verb} {counted(self._images, 'image')}")

    def _ask_about_plain_http(self) -> None:
        """An unencrypted address of another machine has to be confirmed, each address for itself."""
        origin = plain_origin(self.address.text())
        if origin != self._plain:
            self._plain = origin
            self.plainly.setChecked(False)
            self.plainly.setText(UNENCRYPTED.format(origin=origin))
        self.plainly.setVisible(bool(origin))

    def _on_confirmed(self, _is_on: bool) -> None:
        self._trouble.setText("")

    def _say_key(self) -> None:
        """Say where the key comes from; keyrings can be slow, so they are asked off the GUI thread."""
        server, address = self.chosen_server, self.address.text()
        if self._key_query is not None:
            self._key_query.drop()
        self._key_query = self._studio.query(lambda: key_words(server, address), self._on_key)

    def _on_key(self, words: str) -> None:
        self._key_query = None
        self.key_said.setText(words)

    def read_options(self) -> VlmOptions:
        """What the fields say; BadInput in words for what cannot be meant."""
        return VlmOptions(
            model=self.model.text().strip(),
            base_url=self.address.text().strip(),
            server=self.chosen_server.id,
            api=APIS[self.api.index],
            concurrency=self.at_once.value(),
            image_size=self.size.value(),
            price_in=number_in(self.price_in),
            price_out=number_in(self.price_out),
            budget=number_in(self.budget),
            most_calls=whole_in(self.calls),
            allow_plain_http=self.plainly.isChecked(),
        )

    def _options(self) -> VlmOptions | None:
        try:
            options = self.read_options()
            if self._plain and not options.allow_plain_http:
                raise BadInput(NOT_CONFIRMED.format(origin=self._plain), CONFIRM)
            if self.key.text().strip():
                self._keep_key(check_address(self.address.text(), plain_http_is_fine=True).origin)
        except UserError as error:
            self._trouble.setText(str(error))
            return None
        settings.remember_server_choices(as_settings(options))
        return options

    def _keep_key(self, origin: str) -> None:
        self.key_said.setText(keep_key(origin, self.key.text()).sentence)
        self.key.blockSignals(True)
        self.key.clear()
        self.key.blockSignals(False)

    # -- the check, and the end -------------------------------------------------------------------

    def ask(self) -> None:
        """Ask the server what it can do, off the GUI thread."""
        options = self._options()
        if options is None or self._task is not None:
            return
        self._trouble.setText("")
        self._say_found((Caption("Asking the server …", "muted"),))
        job = checking(options, self._schema, self._images, is_batch=self.is_batch)
        self._task = self._studio.runner.run("Check the server", job, noun="questions")
        self._task.progressed.connect(self._on_progress)
        self._task.finished.connect(self._on_checked)
        self._task.failed.connect(self._on_failed)

    def _on_progress(self, progress: Progress) -> None:
        self._say_found((Caption(progress.text, "muted", wraps=True),))

    def _on_checked(self, found: ServerCheck) -> None:
        self._task, self.check = None, found
        self._clear_found()
        show_checks(self.checked, found.checks)
        self.checked.addStretch(1)

    def _on_failed(self, error: Exception) -> None:
        self._task = None
        self._trouble.setText(str(error))

    def _on_go(self) -> None:
        self.options = self._options()
        if self.options is not None:
            self.accept()

    def done(self, result: int) -> None:
        """Want no answer any more."""
        self._drop()
        if self._key_query is not None:
            self._key_query.drop()
            self._key_query = None
        super().done(result)

    def _drop(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.progressed.disconnect(self._on_progress)
            task.finished.disconnect(self._on_checked)
            task.failed.disconnect(self._on_failed)
            task.cancel()

    def _say_found(self, widgets: tuple[QWidget, ...]) -> None:
        self._clear_found()
        for widget in widgets:
            self.checked.addWidget(widget)
        self.checked.addStretch(1)

    def _clear_found(self) -> None:
        while (item := self.checked.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
