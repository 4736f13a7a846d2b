"""The files between a study and its annotators, under the names by which `annotation` asks for them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from core.packets import HandIn, PacketContent
from storage.handin_file import HandedIn, write_hand_in
from storage.handin_reader import read_hand_in
from storage.packet_book import PacketBook, RunBook
from storage.packet_file import PacketWriter


class PacketFiles:
    """Makes, opens and reads packets and hand-ins."""

    def open_writer(self, path: Path, content: PacketContent) -> PacketWriter:
        """Begin a packet."""
        return PacketWriter(path, content)

    def read_hand_in(self, path: Path) -> HandIn:
        """What came back, as it is; see `storage.handin_reader`."""
        return read_hand_in(path)

    def must_be_packet(self, path: Path) -> None:
        """Look at a packet and let go of it, unchanged; StoreError when it is none or cannot be opened."""
        PacketBook(path, is_sitting=False).close()

    @contextlib.contextmanager
    def open_run(self, path: Path) -> Iterator[RunBook]:
        """The acts of the study in a packet, while it is open."""
        with PacketBook(path) as book:
            yield RunBook(book, 0)

    def write_hand_in(self, packet: Path, path: Path) -> HandedIn:
        """Write what is in a packet to a hand-in. The packet must not be open elsewhere: StoreError."""
        with PacketBook(packet, is_sitting=False) as book:
            return write_hand_in(book, path)
