"""The command line's words: every command, its options, and what they mean. `main.py` carries them out."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, NoReturn

from core.draws import OF_AGREEMENT, OF_RESULTS
from core.overwriting import add_overwrite
from core.team_arguments import add_adjudicate, add_merge, add_packet, add_quality, add_round

MOST_RESAMPLES = 100_000
"""More would need gigabytes, and change no digit that is printed."""


FIGURE_KINDS = ("png", "svg", "pdf")


class OneSentence(argparse.ArgumentParser):
    """A parser whose complaint is one sentence with exit code 1, like every other complaint."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where the help is."""
        print(f"{message[:1].upper()}{message[1:]}. See `{self.prog} --help`.", file=sys.stderr)  # noqa: T201
        sys.exit(1)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse what is left over here, so that the help named is that of the command and not of all."""
        chosen, left_over = super().parse_known_args(args, namespace)
        if left_over:
            self.error(f"unrecognized arguments: {' '.join(left_over)}")
        return chosen, left_over


def parser() -> argparse.ArgumentParser:
    """The whole grammar of `main.py`."""
    top = OneSentence(
        prog="main.py",
        description="ContextBias Studio: audit text-to-image generators, with people and with a pipeline.",
        epilog="Without a command, the window opens.",
    )
    commands = top.add_subparsers(dest="command", metavar="command")
    for add in (_check, _demo, _window, _new, _prompts, _generate, _shard, _import, _extract, _simulate):
        add(commands)
    for add in (_round, _packet, _annotate, _handin, _merge, _quality, _adjudicate, _export):
        add(commands)
    for add in (
        _labels,
        _validate,
        _bank,
        _agreement,
        _analyse,
        _plan,
        _phantom,
        _calibrate,
        _sheet,
        _report,
        _doctor,
    ):
        add(commands)
    return top


Commands = argparse._SubParsersAction  # the only name that argparse has for it


def _check(commands: Commands[OneSentence]) -> None:
    commands.add_parser("check", help="say whether this Python can run the application")


def _demo(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("demo", help="make the sample study, run every step, print the tables")
    one.add_argument("--study", type=Path, default=None, help="folder (default: studies/sample)")
    one.add_argument(
        "--window", action=argparse.BooleanOptionalAction, default=None, help="open it afterwards"
    )
    one.add_argument(
        "--phantom",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="also the small diffusion model with a known bias (default)",
    )
    _json(one)


def _window(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("window", help="open the window (as without any command)")
    one.add_argument("study", type=Path, nargs="?", help="study folder to open")


def _new(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("new", help="make a study: roles, prompts, seeds; no images yet")
    _study(one)
    one.add_argument("--name", default="", help="what to call it (default: the folder's name)")
    one.add_argument(
        "--roles", default="all", help="all, a number, names with commas, or a file with one a line"
    )
    one.add_argument("--contexts", type=Path, metavar="FILE", help="contexts that `bank` exported as JSON")
    said = "as many prompts in each condition, or those of the paper (default: balanced)"
    one.add_argument("--design", choices=("balanced", "paper"), default="balanced", help=said)
    said = "contexts of CA-U: those of another role, or everyday ones (default: permuted)"
    one.add_argument("--unrelated", choices=("permuted", "everyday"), default="permuted", help=said)
    one.add_argument("--generators", default="", help="names with commas")
    said = "images of a prompt by each generator (default: 10)"
    one.add_argument("--images-per-prompt", type=_positive, default=10, metavar="N", help=said)
    said = "what chance decides in the design; the same seed, the same prompts (default: 0)"
    one.add_argument("--seed", type=_seed, default=0, metavar="N", help=said)
    said = "the same seeds for every prompt of a role, or its own for each prompt (default: per-role)"
    one.add_argument("--seeds", choices=("per-role", "per-prompt"), default="per-role", help=said)


def _prompts(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("prompts", help="list or export the prompts")
    _study(one)
    one.add_argument("--out", type=Path, metavar="FILE", help="CSV file")
    add_overwrite(one.add_argument)


def _generate(commands: Commands[OneSentence]) -> None:
    from core.generation.arguments import add_arguments

    one = commands.add_parser("generate", help="make the images that are missing")
    _study(one)
    one.add_argument("--generator", required=True, metavar="NAME")
    one.add_argument("--limit", type=_positive, metavar="N", help="at most so many images")
    add_arguments(one)


def _shard(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("shard", help="make one shard of work written for a cluster (its jobs do this)")
    one.add_argument("folder", type=Path)
    one.add_argument("number", type=_count)


def _import(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("import-images", help="bring in pictures made elsewhere")
    _study(one)
    one.add_argument("folder", type=Path)
    one.add_argument("--map", type=Path, help="CSV: file, role, condition, generator, prompt, seed")
    one.add_argument("--role", help="role of pictures about which nothing else is said")
    one.add_argument("--condition", choices=("CF", "CA-R", "CA-U"))
    one.add_argument("--generator", metavar="NAME")
    one.add_argument("--dry-run", action="store_true", help="only say what would be taken")


def _extract(commands: Commands[OneSentence]) -> None:
    from core.extraction.vlm.arguments import add_arguments

    one = commands.add_parser("extract", help="read labels off the images")
    _study(one)
    one.add_argument("--extractor", required=True, metavar="NAME")
    one.add_argument("--limit", type=_positive, metavar="N", help="at most so many images")
    add_arguments(one)


def _simulate(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("simulate", help="let simulated annotators of stated accuracy answer")
    _study(one)
    one.add_argument("--remove", action="store_true", help="remove everything simulated, in one act")
    one.add_argument(
        "--annotators", type=Path, metavar="FILE", help="their accuracy and bias (default: as released)"
    )


def _round(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("round", help="design a round of annotation; list and lock rounds")
    _study(one)
    add_round(one, _positive, _seed)


def _packet(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("packet", help="write one file for an annotator")
    _study(one)
    add_packet(one, _positive)


def _annotate(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("annotate", help="open a packet: the annotation screen alone")
    one.add_argument("packet", type=Path, nargs="?", help="the file (default: ask)")


def _handin(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("handin", help="write what goes back to the study lead")
    one.add_argument("packet", type=Path)
    one.add_argument("--out", type=Path, required=True, metavar="FILE")


def _merge(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("merge", help="take hand-ins in; undo merges, decide conflicts")
    _study(one)
    add_merge(one, _positive)


def _quality(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("quality", help="look over each annotator's answers; record exclusions")
    _study(one)
    add_quality(one, _positive)


def _adjudicate(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("adjudicate", help="decide what people did not agree on, after the lock")
    _study(one)
    add_adjudicate(one)


def _export(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("export", help="write the newest round's answers for other programs")
    _study(one)
    formats = ("csv", "parquet", "label-studio", "coco", "imagefolder")
    one.add_argument(
        "--format", choices=formats, default="csv", help="imagefolder: the pictures, for release"
    )
    one.add_argument("--out", type=Path, required=True, metavar="DIR")
    one.add_argument(
        "--letters", action="store_true", help="for release: annotators are letters, comments are left out"
    )


def _labels(commands: Commands[OneSentence]) -> None:
    from core.labels.arguments import add_labels_arguments

    one = commands.add_parser("labels", help="which labels in an extractor's own words mean the same")
    _study(one)
    add_labels_arguments(one)
    _json(one)


def _bank(commands: Commands[OneSentence]) -> None:
    from core.bank_builder.arguments import add_bank_arguments

    one = commands.add_parser("bank", help="contexts for new roles: proposed, judged, decided by a person")
    _study(one)
    add_bank_arguments(one)
    _json(one)


def _validate(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser(
        "validate",
        help="extraction against prompts whose attribute is stated",
        epilog="The first run mines prompts from the study's labels and makes a study of their own for them "
        "in STUDY/validation; `main.py generate` and `main.py extract` work on it as on any other.",
    )
    _study(one)
    one.add_argument("--extractor", metavar="NAME", help="what is validated (default: the study's only one)")
    one.add_argument("--generator", metavar="NAME", help="make the images that are missing")
    one.add_argument(
        "--judge", default="", metavar="NAME", help="a second extractor that says what was drawn"
    )
    one.add_argument("--judge-file", type=Path, metavar="FILE", help="what a person saw, a sheet filled in")
    one.add_argument("--sheet", type=Path, metavar="FILE", help="write a sheet for a person to fill in")
    one.add_argument("--prompts", type=_positive, default=60, metavar="N", help="prompts at most (60)")
    one.add_argument("--images-per-prompt", type=_positive, default=5, metavar="N")
    one.add_argument("--out", type=Path, metavar="DIR", help="folder for the tables")
    one.add_argument("--latex", action="store_true", help="also write the paper's tables 1 and 7 as LaTeX")
    _json(one)


def _agreement(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser(
        "agreement",
        help="people with people, people with the pipeline",
        epilog="A table of answers (CSV or Parquet) has the columns annotator, image_set, question, label "
        "and slider (0 to 10); an empty cell is a missing answer, the label unknown is one. The column "
        "repeat_of may name the image set that a row's image set shows a second time.",
    )
    one.add_argument("study", type=Path, nargs="?", help="study folder")
    one.add_argument("--answers", type=Path, metavar="FILE", help="table of answers made elsewhere")
    one.add_argument("--extractor", metavar="NAME", help="which pipeline (default: the study's only one)")
    one.add_argument("--unknown", choices=("label", "left-out"), default="label", help="what unknown is")
    one.add_argument(
        "--before-lock",
        action="store_true",
        help="compare with the pipeline although the round is open; kept in run.json",
    )
    _label_map(one)
    _figures(one)
    _resampling(one)


def _analyse(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser(
        "analyse",
        help="Bias Intensity, CCS and what belongs to them",
        epilog="A label table (CSV or Parquet) has one row per image, dimension and label: generator, "
        "role, condition, prompt, image, dimension, label and perhaps status. A count table has one row per "
        "prompt, dimension and label: generator, role, condition, prompt, dimension, label, count and "
        "perhaps images.",
    )
    one.add_argument("study", type=Path, nargs="?", help="study folder")
    one.add_argument("--labels", type=Path, metavar="FILE", help="label table made elsewhere")
    one.add_argument("--counts", type=Path, metavar="FILE", help="count table made elsewhere")
    one.add_argument("--extractor", metavar="NAME", help="which pipeline (default: the study's only one)")
    one.add_argument("--mode", choices=("audit", "paper"), default="audit")
    one.add_argument(
        "--latex", action="store_true", help="also write the paper's tables as LaTeX into DIR/latex"
    )
    _figures(one)
    _label_map(one)
    one.add_argument(
        "--bounds",
        action="store_true",
        help="also what became of every image, and prevalence if all failed records had the label or none",
    )
    usual = ", ".join(f"{number} in {mode} mode" for mode, number in OF_RESULTS.items())
    _resampling(one, None, usual)


def _plan(commands: Commands[OneSentence]) -> None:
    from core.power.arguments import add_arguments

    one = commands.add_parser("plan", help="what a design can show, before an image is made")
    add_arguments(one)
    _json(one)


def _phantom(commands: Commands[OneSentence]) -> None:
    from core.phantom.arguments import add_arguments

    one = commands.add_parser("phantom", help="make, train and measure the small model with a known bias")
    add_arguments(one)


def _calibrate(commands: Commands[OneSentence]) -> None:
    from core.phantom.arguments import add_calibrate_arguments

    one = commands.add_parser("calibrate", help="how often intervals hold what is known of the phantom")
    add_calibrate_arguments(one)


def _sheet(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("sheet", help="contact sheet: pictures of a role side by side, with a caption")
    _study(one)
    one.add_argument("--role", required=True, metavar="NAME")
    one.add_argument("--by", choices=("condition", "prompt"), default="condition", help="what the rows are")
    one.add_argument("--generators", type=_names, default=(), metavar="a,b", help="default: all")
    one.add_argument("--images", type=_positive, default=3, metavar="N", help="pictures a cell")
    one.add_argument("--seed", type=_seed, default=0, metavar="N", help="which pictures are drawn")
    one.add_argument("--choose", type=_positive, nargs="+", metavar="ID", help="these images, none drawn")
    one.add_argument("--out", type=Path, required=True, metavar="FILE", help=".png, .pdf or .svg")
    add_overwrite(one.add_argument)


def _report(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("report", help="report of a study: one HTML file that loads nothing, and PDF")
    _study(one)
    one.add_argument("--out", type=Path, required=True, metavar="FILE", help=".html or .pdf")
    add_overwrite(one.add_argument)
    one.add_argument(
        "--validation", type=Path, metavar="DIR", help="what `validate --out` wrote, to be shown"
    )
    one.add_argument("--pdf", action="store_true", help="also write a PDF of the same name")
    one.add_argument("--extractor", metavar="NAME", help="which pipeline (default: the study's only one)")
    one.add_argument(
        "--folder", type=Path, metavar="DIR", help="also write tables, LaTeX tables and figures for a paper"
    )
    _figures(one)
    one.add_argument(
        "--bootstrap", type=_count, default=1000, metavar="B", help="resamples (0: no intervals)"
    )
    one.add_argument("--seed", type=_seed, default=0, metavar="N", help="of the resamples (default: 0)")


def _doctor(commands: Commands[OneSentence]) -> None:
    one = commands.add_parser("doctor", help="look over the environment and a study")
    one.add_argument("study", type=Path, nargs="?", help="study folder")
    one.add_argument("--contents", action="store_true", help="read every image file whole, not just its size")
    one.add_argument("--repair", action="store_true", help="mend what can safely be mended")
    one.add_argument(
        "--look-in", type=Path, nargs="+", default=[], metavar="DIR", help="where missing images may lie"
    )


def _study(one: argparse.ArgumentParser) -> None:
    one.add_argument("study", type=_folder, help="study folder")


def _resampling(
    one: argparse.ArgumentParser, draws: int | None = OF_AGREEMENT, usual: str = str(OF_AGREEMENT)
) -> None:
    said = f"resamples (0: no intervals; default: {usual})"
    one.add_argument("--bootstrap", type=_count, default=draws, metavar="B", help=said)
    one.add_argument("--seed", type=_seed, default=0, metavar="N", help="of the resamples (default: 0)")
    one.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the tables")
    _json(one)


def _label_map(one: argparse.ArgumentParser) -> None:
    one.add_argument(
        "--label-map",
        default="study",
        metavar="MAP",
        help="study (its own, the default), raw (labels as said), both (raw tables get the ending _raw), "
        "or a CSV file",
    )


def _figures(one: argparse.ArgumentParser) -> None:
    one.add_argument(
        "--figures",
        type=_kinds,
        nargs="?",
        const=FIGURE_KINDS,
        default=(),
        metavar="png,svg,pdf",
        help="also write figures with their data into DIR/figures (all three kinds, or those named)",
    )


def _json(one: argparse.ArgumentParser) -> None:
    one.add_argument("--json", action="store_true", help="print JSON instead of tables")


def _folder(text: str) -> Path:
    if not text.strip():
        raise argparse.ArgumentTypeError("needs a folder, not an empty text")
    return Path(text)


def _names(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _kinds(text: str) -> tuple[str, ...]:
    """Kinds of figures, or the words in which argparse refuses one."""
    named = tuple(dict.fromkeys(word.strip().lower() for word in text.split(",") if word.strip()))
    if not named or not set(named) <= set(FIGURE_KINDS):
        raise argparse.ArgumentTypeError(f"takes {', '.join(FIGURE_KINDS)}, not {text[:40]!r}")
    return named


def _positive(text: str) -> int:
    return _whole(text, 1, 10_000_000)


def _count(text: str) -> int:
    return _whole(text, 0, MOST_RESAMPLES)


def _seed(text: str) -> int:
    return _whole(text, 0, 2**63 - 1)


def _whole(text: str, least: int, most: int) -> int:
    """A whole number within bounds, or the words in which argparse refuses it."""
    if not (text.isascii() and text.isdecimal() and len(text) < 20 and least <= int(text) <= most):
        upper = f" to {most}" if most < sys.maxsize else ""
        raise argparse.ArgumentTypeError(f"must be a whole number from {least}{upper}, not {text[:40]!r}")
    return int(text)
