"""The dialog for a model behind a server: which, key and limits, and a check before anything runs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QVBoxLayout, QWidget

from core.errors import UserError
from core.extraction.vlm.options import VlmOptions
from core.extraction.vlm.servers import OWN, Server, check_address, servers
from core.schema import Schema
from gui import settings
from gui.extract.plain_http import PlainHttp
from gui.extract.server_fields import beside, line_named, number_in, whole_in
from gui.extract.server_key import ServerKey
from gui.extract.server_look import ServerLook
from gui.extract.server_work import ServerCheck, as_settings, checking
from gui.fonts import px
from gui.studio import Studio
from gui.widgets.button import Button
from gui.widgets.caption import Caption
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
        self._studio, self._schema, self._images = studio, schema, images
        self._looking, self._keeping = ServerLook(studio, self), ServerKey(studio, self)
        self._known = servers()
        self.server = ChoiceBox([one.name for one in self._known], "Server")
        self.address, self.model, self.key = line_named("Address"), line_named("Model"), self._keeping.line
        self.how_said = Caption("", "muted")
        self.api = Segmented(["Chat completions", "Responses"], "API")
        self.at_once = NumberBox(1, 512, 8, "Requests at once")
        self.size = NumberBox(64, 4096, 768, "Longest side in pixels")
        self.budget, self.price_in, self.price_out = (
            line_named("Budget"),
            line_named("Price in"),
            line_named("Price out"),
        )
        self.calls = line_named("Most calls")
        self.look = Button("Check the server", icon="search")
        self.how = Segmented(["One call an image", "Batch, half the price"], "How")
        self.plainly = PlainHttp()
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

    @property
    def check(self) -> ServerCheck | None:
        """What a look at the server found; None until then."""
        return self._looking.found

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
        form.addRow("", self._keeping.said)
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
        column.addWidget(scrolled(self._looking.rows), 1)
        column.addWidget(self._trouble)
        column.addLayout(last)
        self._looking.forget()

    def _connect(self) -> None:
        self.server.chosen.connect(self._on_server)
        for line in (self.address, self.model, self.key, self.price_in, self.price_out):
            line.textChanged.connect(self._on_changed)
        self.api.chosen.connect(self._on_changed)
        self.how.chosen.connect(self._on_changed)
        self.plainly.toggled.connect(self._on_confirmed)
        self.look.clicked.connect(self.ask)
        self._looking.failed.connect(self._trouble.setText)
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
        self._looking.forget()
        self._trouble.setText("")
        self._keeping.say(self.chosen_server, self.address.text())
        self._say_how()
        self.plainly.ask_about(self.address.text())

    @property
    def is_batch(self) -> bool:
        """Whether the images go through the Batch interface."""
        return self._offers_batch and self.how.index == 1

    def _say_how(self) -> None:
        self.how_said.setText(IN_BATCH if self.is_batch else "")
        self.at_once.setEnabled(not self.is_batch)
        verb = "Order" if self.is_batch else "Read"
        self.go.setText(self._act or f"{verb} {counted(self._images, 'image')}")

    def _on_confirmed(self, _is_on: bool) -> None:
        self._trouble.setText("")

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
            self.plainly.must_be_confirmed()
            if self._keeping.is_typed:
                self._keeping.keep(check_address(self.address.text(), plain_http_is_fine=True).origin)
        except UserError as error:
            self._trouble.setText(str(error))
            return None
        settings.remember_server_choices(as_settings(options))
        return options

    # -- the check, and the end -------------------------------------------------------------------

    def ask(self) -> None:
        """Ask the server what it can do, off the GUI thread."""
        options = self._options()
        if options is None or self._looking.is_asking:
            return
        self._trouble.setText("")
        self._looking.ask(checking(options, self._schema, self._images, is_batch=self.is_batch))

    def _on_go(self) -> None:
        self.options = self._options()
        if self.options is not None:
            self.accept()

    def done(self, result: int) -> None:
        """Want no answer any more."""
        self._looking.drop()
        self._keeping.drop()
        super().done(result)
