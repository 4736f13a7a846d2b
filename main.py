"""ContextBias Studio: every command, and the window when none is given.

This is the only file that sees everything: it opens the study, puts the jobs of `core` and `annotation`
together with it, and either runs them here or opens the window. It must stay readable for an older
Python, so that the sentence about the version is what a person sees.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
import traceback
from pathlib import Path

OLDEST = (3, 11)
SAMPLE = Path("studies") / "sample"


def main(arguments=None):
    """Carry out one command; returns 0 done, 1 a sentence was said, 2 a fault of ours, 130 cancelled."""
    if sys.version_info < OLDEST:
        version = "{}.{}".format(*sys.version_info[:2])
        return _say(
            f"Python {version} is too old: ContextBias Studio needs 3.11 or newer.", "Run it with python3.11."
        )
    from core.command_line import parser

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A dash must not stop a table on an old terminal; a line is told at once, also to a file.
            stream.reconfigure(errors="replace", line_buffering=True)
    chosen = parser().parse_args(_with_command(sys.argv[1:] if arguments is None else arguments))
    command = chosen.command or "window"
    with _logged(command) as ended:
        ended.append(_carried_out(command, chosen))
    return ended[0]


def _with_command(arguments):
    """A packet alone, as a double-click gives it, is to be annotated."""
    arguments = [str(one) for one in arguments]
    is_packet = len(arguments) == 1 and arguments[0].endswith(".packet")
    return ["annotate", *arguments] if is_packet else arguments


@contextlib.contextmanager
def _logged(command):
    """One line when a command begins and one when it ends, without what it was given."""
    import logging

    from core import __version__
    from core.log_file import start_log

    start_log()
    log, began, ended = logging.getLogger("main"), time.monotonic(), []
    log.info("%s began, version %s", command, __version__)
    try:
        yield ended
    finally:
        code = ended[0] if ended else "none"
        log.info("%s ended with code %s after %.1f s", command, code, time.monotonic() - began)


def _carried_out(command, chosen):
    """The exit code of a command; whatever stops it is told."""
    from core.errors import UserError

    try:
        return COMMANDS[command](chosen) or 0
    except UserError as error:
        return _say(str(error))
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] in ("core", "annotation", "storage", "gui"):
            raise
        return _say(f"The Python package {error.name} is not installed.", _install_line())
    except KeyboardInterrupt:
        print("Cancelled; what was done is kept.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever reads our output has heard enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        import logging

        logging.getLogger("main").error("a fault of ours", exc_info=error)
        traceback.print_exc()
        return 2


def _say(sentence, remedy=""):
    print(f"{sentence} {remedy}".strip(), file=sys.stderr)
    return 1


def _install_line():
    return f"Run: {sys.executable} -m pip install -r requirements.txt"


# Commands, in the order of the work --------------------------------------------------------------------


def check(chosen):
    """Say whether this Python can set up and run the application."""
    import importlib.util

    if importlib.util.find_spec("ensurepip") is None:
        version = "{}.{}".format(*sys.version_info[:2])
        return _say("This Python cannot make environments.", f"Run: apt-get install python{version}-venv")
    print(f"Python {sys.version.split()[0]} will do.")
    return 0


def new(chosen):
    """Make a study."""
    from core.bank_builder.roles import own_bank
    from core.plan import choose_roles, plan_study
    from core.sentences import ENGLISH
    from storage.making import make_study

    names = [name.strip() for name in chosen.generators.split(",") if name.strip()]
    further, contexts, sentences = own_bank(chosen.contexts) if chosen.contexts else ((), None, ENGLISH)
    plan = plan_study(
        chosen.name or chosen.study.resolve().name,
        choose_roles(chosen.roles, further),
        contexts=contexts,
        sentences=sentences,
        seed=chosen.seed,
        seeds=chosen.seeds,
        design=chosen.design,
        unrelated=chosen.unrelated,
        images_per_prompt=chosen.images_per_prompt,
        generators=names,
    )
    make_study(chosen.study, plan).close()
    print(
        f"{chosen.study}: {len(plan.roles)} roles, {len(plan.prompts)} prompts, {plan.images} images to make."
    )


def prompts(chosen):
    """List the prompts, or write them to a file."""
    from dataclasses import asdict

    from core.csv_rows import write_rows

    with _opened(chosen.study) as store:
        rows = [asdict(prompt) for prompt in store.prompts()]
    if chosen.out:
        write_rows(chosen.out, rows)
        print(f"{len(rows)} prompts written to {chosen.out}.")
        return
    for row in rows:
        print("\t".join((row["role"], row["condition"] or "-", row["kind"], row["text"])))


def generate(chosen):
    """Make the images that are missing, or look the run over."""
    from core.engines.choosing import engine_of
    from core.generation.findings import can_run
    from core.generation.left_out import left_out_lines
    from core.generation.preflight import lines, preflight
    from core.running import generate_in
    from storage.listing import measured_of

    with _opened(chosen.study) as store:
        if chosen.preflight:
            devices = tuple(chosen.device.split(",")) if chosen.device else ()
            found = preflight(
                store, chosen.generator, measured_of(store, chosen.generator), chosen.limit, devices
            )
            print("\n".join(lines(found)))
            return 0 if can_run(found) else 1
        if chosen.engine == "slurm":
            return _slurm(chosen, store)
        job = generate_in(
            store, chosen.generator, chosen.limit, engine_of(chosen), accepts_device=chosen.accept_device
        )
        _warn_of_pickled(chosen.generator)
        code = _finish(_run("generate", job), "images")
        for line in left_out_lines(store.images(chosen.generator)):
            print(line, file=sys.stderr)
        return code


def _warn_of_pickled(name):
    """Say that a generator's own entry allows what could run a stranger's commands."""
    from core.generation.diffusers.pickled import WARNING
    from core.generation.registry import by_name

    parts = by_name(name).settings.get("pickled_weights")
    if parts:
        print(f"{name}: {', '.join(parts)} as its entry allows: {WARNING}.", file=sys.stderr)


def _slurm(chosen, store):
    """Write the work for a cluster, or take in what is finished of it."""
    from core.engines.collecting import collect
    from core.engines.slurm import write_work
    from core.generation.registry import by_name
    from core.generation.study_job import plan_of, tasks_of
    from core.jobs import recorded

    if chosen.folder is None:
        return _say("SLURM needs a folder that every node sees.", "Name one with --folder.")
    if chosen.collect:
        job = collect(chosen.folder, store, accepts_device=chosen.accept_device)
        settings = {"generator": chosen.generator, "engine": "slurm"}
        return _finish(_run("collect", recorded(job, store, "generate", 0, settings)), "images")
    tasks = tasks_of(*plan_of(store), chosen.limit)
    shards, images = write_work(chosen.folder, by_name(chosen.generator), tasks, store, chosen.workers)
    print(f"{images} images in {shards} jobs. Run: sbatch {chosen.folder / 'job.sh'}")
    print(
        f"Then: main.py generate {chosen.study} --generator {chosen.generator} --engine slurm"
        f" --folder {chosen.folder} --collect"
    )
    return 0


def shard(chosen):
    """Make one shard of work that was written for a cluster."""
    from core.engines.slurm import run_shard
    from core.generation.registry import by_name

    return _finish(_run("shard", run_shard(chosen.folder, chosen.number, by_name)), "images")


def import_images(chosen):
    """Bring in pictures made elsewhere."""
    from core.bank import load_roles
    from core.importing import Stated, import_images, remarks, scan
    from core.importing.remarks import planned_lines
    from core.jobs import recorded
    from core.records import Condition

    condition = Condition(chosen.condition) if chosen.condition else None
    plan = scan(chosen.folder, chosen.map, Stated(chosen.role, condition, chosen.generator))
    with _opened(chosen.study) as store:
        for sentence in remarks(plan, [role.name for role in (*load_roles(), *store.roles())]):
            print(sentence, file=sys.stderr)
        if chosen.dry_run:
            for failure in plan.refused:
                print(f"not taken: {failure.item}: {failure.reason}", file=sys.stderr)
            print("\n".join(planned_lines(plan)))
            return 0
        job = recorded(
            import_images(plan, store), store, "import", plan.asked, {"folder": chosen.folder.name}
        )
        return _finish(_run("import", job), "files")


def extract(chosen):
    """Read labels off the images."""
    from core.extraction.vlm.arguments import options_of
    from core.running import extract_in, extract_in_batches

    options = options_of(chosen) if chosen.extractor == "vlm" else None
    with _opened(chosen.study) as store:
        if options is not None and chosen.batch:
            job = extract_in_batches(store, _schema(store), chosen.study / "batches", options, chosen.limit)
        else:
            folder = chosen.study / "batches"
            job = extract_in(store, chosen.extractor, _schema(store), chosen.limit, options, folder)
        code = _finish(_run("extract", job), "images")
        _say_simulated(store)
        return code


def simulate(chosen):
    """Let simulated annotators answer packets and hand them in, or remove everything simulated."""
    import tempfile

    from annotation.simulated import load_simulated
    from annotation.simulated_packets import simulate_in_packets
    from storage.packet_files import PacketFiles

    with _opened(chosen.study) as store, tempfile.TemporaryDirectory() as folder:
        if chosen.remove:
            removed = store.remove_simulated()
            print("Removed: " + ", ".join(f"{count} {word}" for word, count in removed.items()) + ".")
            return 0
        people = load_simulated(chosen.annotators)
        job = simulate_in_packets(
            *(store, _questions(store), Path(folder), PacketFiles(), store.thumbnail_bytes, people)
        )
        code = _finish(_run("simulate", job), "simulated answers")
        _print_expectation(store, {one.name for one in people})
        return code


def round_of(chosen):
    """Design a round of annotation; list rounds; lock the newest; take in the study lead's answers."""
    from annotation.commands.rounds import round_lines

    with _opened(chosen.study) as store:
        _print_all(round_lines(store, _questions(store), chosen))


def packet(chosen):
    """Write the packet of one annotator; list packets; withdraw one."""
    from annotation.commands.packets import must_say_what, packet_lines_of
    from storage.packet_files import PacketFiles

    must_say_what(chosen)
    with _opened(chosen.study) as store:
        writer = PacketFiles().open_writer
        _print_all(packet_lines_of(store, _questions(store), writer, chosen, _run))


def annotate(chosen):
    """Open a packet in the annotator's program."""
    from gui.platform_check import is_seen, require_window
    from storage.packet_files import PacketFiles

    # Who has a terminal is told there; who opened a file on the desktop needs a window that says it.
    if chosen.packet is not None and (sys.stderr.isatty() or not is_seen()):
        PacketFiles().must_be_packet(chosen.packet)
    require_window()
    from gui.annotate.alone import run_alone

    return run_alone(chosen.packet)


def handin(chosen):
    """Write what goes back to the study lead."""
    from storage.packet_files import PacketFiles

    made = PacketFiles().write_hand_in(chosen.packet, chosen.out)
    print(f"{made.path}: {made.answers} of {made.assigned} answers. Send this file to the study lead.")
    return 0


def merge(chosen):
    """Take hand-ins or a table of answers in; say what each would change; undo merges; decide conflicts."""
    from annotation.commands.merging import merge_book_lines
    from annotation.merge_running import merge_files
    from storage.packet_files import PacketFiles

    with _opened(chosen.study) as store:
        _print_all(merge_book_lines(store, chosen))
        if chosen.answers:
            print(f"{chosen.answers.name}: {_import_answers(store, chosen.answers).sentence}.")
        if not chosen.files:
            return 0
        job = merge_files(
            *(store, _questions(store), chosen.files, PacketFiles().read_hand_in, _print_preview),
            is_dry_run=chosen.dry_run,
        )
        outcome = _run("merge", job)
        if chosen.dry_run:
            print("Nothing was changed.")
        return _finish(outcome, "files") or int(outcome.failed > 0)


def _import_answers(store, path):
    """A table that `export` wrote, back into the newest round."""
    from annotation.answer_import import import_answers
    from core.csv_rows import read_rows
    from core.questions import choose

    if path.suffix == ".parquet":
        import pandas as pd

        rows = pd.read_parquet(path).to_dict("records")
    else:
        rows = read_rows(path)
    found = _newest_round(store)
    return import_answers(store, found.round_id, rows, choose(_questions(store), found.questions))


def quality(chosen):
    """Look over each annotator's answers; record and withdraw exclusions."""
    from annotation.commands.quality import exclude, quality_lines
    from storage.quality_rows import quality_answers

    with _opened(chosen.study) as store:
        exclude(store, chosen)
        given = quality_answers(store, _newest_round(store).round_id)
        _print_all(quality_lines(store, given, chosen))


def adjudicate(chosen):
    """Decide what people did not agree on, after the lock."""
    from annotation.commands.adjudicating import adjudicate_lines
    from storage.frames import Frames

    with _opened(chosen.study) as store:
        answers = Frames(store.folder).answers(_newest_round(store).round_id)
        _print_all(adjudicate_lines(store, answers, _questions(store), chosen))


def export(chosen):
    """Write the newest round's answers, or the pictures, for other programs."""
    from annotation.commands.exporting import export_line
    from storage.frames import Frames
    from storage.quality_rows import quality_answers

    if chosen.format == "imagefolder":
        return _release(chosen)
    with _opened(chosen.study) as store:
        number, frames = _newest_round(store).round_id, Frames(store.folder)
        said = frames.answers(number), frames.repeats(number)
        print(export_line(store, quality_answers(store, number), said, _questions(store), chosen))
        _say_simulated(store)
        return 0


def _release(chosen):
    """The pictures of a study as a folder for others."""
    from dataclasses import asdict

    from core.environment import versions
    from core.release.folder import release_folder
    from core.report.material import Made
    from core.tables import write_tables

    with _opened(chosen.study) as store:
        made = [Made(one.name, one.kind, one.settings) for one in store.generators()]
        job = release_folder(store.images(), store.folder, chosen.out, asdict(store.study), made)
        outcome = _run("export", job)
        counts = {"asked": outcome.asked, "done": outcome.done, "failed": outcome.failed}
        run = {"format": "imagefolder", "images": counts, "versions": versions()}
        write_tables({}, chosen.out, {"export": run})
        return _finish(outcome, "images")


def labels(chosen):
    """Propose, review, export and import the label map."""
    from core.labels.commands import labels_lines

    with _opened(chosen.study) as store:
        _print_all(labels_lines(store, _schema(store), chosen, _run))


def bank(chosen):
    """Contexts for new roles: propose, review, export, import."""
    from core.bank_builder.commands import bank_lines

    with _opened(chosen.study) as store:
        _print_all(bank_lines(store, _schema(store), chosen, _run))


def validate(chosen):
    """Extraction against prompts whose attribute is stated."""
    from core.validation.work import read_sheet, stated_in, trials_in, write_sheet

    with _opened(chosen.study) as store:
        validation, name = _validation_of(store, chosen)
        _say_simulated(store)
    with validation as store:
        schema, stated = _schema(store), stated_in(store.study.settings)
        if not store.images() and not chosen.generator:
            print(f"They have no image yet: main.py generate {store.folder} --generator NAME makes them.")
            return 0
        if chosen.sheet:
            print(f"{write_sheet(chosen.sheet, store, stated, schema)} images written to {chosen.sheet}.")
            return 0
        _read_for_validation(store, chosen, [name, chosen.judge])
        judged = read_sheet(chosen.judge_file, schema) if chosen.judge_file else None
        trials = trials_in(store, stated, name, judged, chosen.judge)
        generators = {image.image_id: image.generator for image in store.images()}
    return _print_validation(trials, generators, chosen, name)


def _validation_of(store, chosen):
    """The validation study, made from the study's labels where it is not there, and the extractor's name."""
    from core.validation.work import stated_in
    from storage.validation_study import mine_validation, open_validation

    name = _extractor(store, chosen.extractor)
    found = open_validation(store)
    if found is None:
        found = mine_validation(store, name, chosen.prompts, chosen.images_per_prompt)
        stated = stated_in(found.study.settings)
        print(f"{len(stated)} prompts with a stated attribute are in {found.folder}.", file=sys.stderr)
    else:
        print(f"The prompts are those in {found.folder}; mine others by removing it.", file=sys.stderr)
    return found, name


def _read_for_validation(store, chosen, names):
    """Make and read what is missing, with the parts that need no server."""
    from core.extraction import registry
    from core.running import extract_in, generate_in

    if chosen.generator:
        _run("generate", generate_in(store, chosen.generator))
    for name in names:
        if name in registry.names() and store.images():
            _run("extract", extract_in(store, name, _schema(store)))


def _print_validation(trials, generators, chosen, name):
    from core.latex.checks import validation_latex
    from core.latex.writing import write_latex
    from core.printing.exact import as_json
    from core.printing.validation import NOBODY_JUDGED, validation_text
    from core.run_record import with_earlier
    from core.schema import load_schema
    from core.tables import write_tables
    from core.validation.tables import validation_account, validation_tables

    tables = validation_tables(trials, generators)
    if chosen.out:
        run = validation_account(name, chosen.judge or (chosen.judge_file and chosen.judge_file.name))
        write_tables(tables, chosen.out, with_earlier(chosen.out, "validate", run, {}))
    if chosen.out and chosen.latex:
        write_latex(validation_latex(tables, load_schema()), chosen.out / "latex")
    if not (chosen.json or chosen.judge or chosen.judge_file):
        print(NOBODY_JUDGED, file=sys.stderr)
    print(as_json(tables) if chosen.json else validation_text(tables))
    return 0


def agreement(chosen):
    """Agreement of people with people and with the pipeline."""
    from annotation.mapped_labels import Sides, agreement_mapped
    from core.labels.label_map import RAW
    from core.printing.agreement import agreement_text
    from core.printing.exact import as_json
    from core.publishing import publish_agreement
    from core.run_record import with_earlier
    from core.schema import load_schema
    from core.tables import read_answers, write_tables

    if (chosen.study is None) == (chosen.answers is None):
        return _say("Name a study or a table of answers, one of the two.", "See `main.py agreement --help`.")
    options = {
        "bootstrap": chosen.bootstrap,
        "seed": chosen.seed,
        "unknown": chosen.unknown.replace("-", " "),
    }
    schema = load_schema()
    if chosen.answers:
        from annotation.agreement import questions_in
        from annotation.repeats import split_repeats
        from core.questions import load_questions

        answers, repeats = split_repeats(read_answers(chosen.answers))
        asked = questions_in(answers, load_questions())
        said, maps = Sides(answers, repeats=repeats), {"mapping": chosen.label_map}
        result = _run("agreement", agreement_mapped(said, asked, RAW, schema, **maps, **options))
    else:
        with _opened(chosen.study) as store:
            options |= {"mapping": chosen.label_map}
            result = _agreement_of(store, chosen.extractor, options, before_lock=chosen.before_lock)
            _say_simulated(store)
            schema, asked = _schema(store), _questions(store)
    write_tables(result.tables, chosen.out, with_earlier(chosen.out, "agreement", result.run, options))
    wanted = {"figures": chosen.figures}
    _run("figures", publish_agreement(result.tables, result.run, asked, schema, chosen.out, **wanted))
    tables = result.tables
    print(as_json(tables) if chosen.json else agreement_text(tables, result.run, chosen.out))
    return 0


def analyse(chosen):
    """Bias Intensity, prevalence, persistence."""
    from core.labels.analysing import analyse_mapped
    from core.labels.label_map import RAW
    from core.printing.analysis import analysis_text, left_out_sentence
    from core.printing.exact import as_json
    from core.publishing import publish_analysis
    from core.run_record import with_earlier
    from core.schema import load_schema
    from core.seeds import seed_rule
    from core.tables import read_counts, read_labels, write_tables

    sources = [each for each in (chosen.study, chosen.labels, chosen.counts) if each is not None]
    if len(sources) != 1:
        return _say(
            "Name a study, a label table or a count table, one of the three.", "See `main.py analyse --help`."
        )
    options = {"mode": chosen.mode, "bootstrap": chosen.bootstrap, "seed": chosen.seed}
    if chosen.study:
        with _opened(chosen.study) as store:
            result = _analysis_of(store, chosen.extractor, options, chosen.label_map, chosen.bounds)
            options = options | {"seeds_of_images": seed_rule(store.study.settings)}
            _say_simulated(store)
            schema = _schema(store)
    else:
        schema = load_schema()
        table = read_labels(chosen.labels) if chosen.labels else read_counts(chosen.counts)
        maps = {"mapping": chosen.label_map, "bounds": chosen.bounds}
        result = _run("analyse", analyse_mapped(table, load_schema(), RAW, **maps, **options))
    write_tables(result.tables, chosen.out, with_earlier(chosen.out, "analyse", result.run, options))
    wanted = {"figures": chosen.figures, "latex": chosen.latex}
    _run("figures", publish_analysis(result.tables, result.run, schema, chosen.out, **wanted))
    left_out = left_out_sentence(result.run)
    if left_out:
        print(left_out, file=sys.stderr)
    print(as_json(result.tables) if chosen.json else analysis_text(result.tables, chosen.out))
    return 0


def plan(chosen):
    """What a design can show, before an image is made."""
    from core.power.commands import plan_text

    print(plan_text(chosen, _run))


def phantom(chosen):
    """Make, train and measure the phantom."""
    from core.phantom.commands import job_of

    print(_run(f"phantom {chosen.part}", job_of(chosen)))


def calibrate(chosen):
    """Say how often the audit's intervals hold what is known of the phantom."""
    from annotation.simulated_eyes import simulated_eyes
    from core.phantom.commands import calibration_of
    from core.schema import load_schema

    print(_run("calibrate", calibration_of(chosen, simulated_eyes(load_schema()))))


def sheet(chosen):
    """A contact sheet: pictures of a role by condition or prompt, and generator."""
    from core.figures.contact_sheet import Choice, contact_sheet
    from core.figures.writing import write_with_data

    choice = Choice(
        chosen.role, chosen.by, chosen.generators, chosen.images, chosen.seed, tuple(chosen.choose or ())
    )
    with _opened(chosen.study) as store:
        drawing = contact_sheet(store.images(), choice, store.folder)
    for path in write_with_data(drawing, chosen.out):
        print(path)


def report(chosen):
    """Write the report of a study: HTML, and PDF if asked for."""
    from annotation.report_job import report_job
    from core.publishing import publish_analysis
    from core.run_record import with_earlier
    from core.table_files import read_table
    from core.tables import write_tables
    from storage.frames import Frames
    from storage.listing import record_facts

    options = {"bootstrap": chosen.bootstrap, "seed": chosen.seed}
    names = ("validation", "validation_dimensions") if chosen.validation else ()
    more = {"validation": {each: read_table(chosen.validation / f"{each}.csv") for each in names}}
    with _opened(chosen.study) as store:
        name, schema = _extractor(store, chosen.extractor), _schema(store)
        result = _analysis_of(store, name, options)
        parts = (schema, _questions(store), name, (result.tables, result.run), record_facts(store))
        job = report_job(store, Frames(store.folder), *parts, chosen.out, pdf=chosen.pdf, **more, **options)
        written = _run("report", job)
        _say_simulated(store)
    if chosen.folder:
        run = with_earlier(chosen.folder, "analyse", result.run, options)
        written += write_tables(result.tables, chosen.folder, run)
        wanted = {"figures": chosen.figures or ("png", "svg", "pdf"), "latex": True}
        written += _run(
            "figures", publish_analysis(result.tables, result.run, schema, chosen.folder, **wanted)
        )
    print(f"Written: {', '.join(str(path) for path in written)}.")


def doctor(chosen):
    """Look over the environment, and a study."""
    from core.environment import environment_lines
    from gui.platform_check import missing_system_packages

    for line in environment_lines():
        print(line)
    packages = missing_system_packages()
    print(f"System libraries for the window: {'missing ' + ' '.join(packages) if packages else 'all there'}")
    if chosen.study is None:
        return 0
    from storage.check import check_study, damaged_contents
    from storage.repair import repair

    findings = check_study(chosen.study)
    changed = _run("reading image files", damaged_contents(chosen.study)) if chosen.contents else []
    if changed:  # whole files tell more than their sizes
        findings = [finding for finding in findings if finding.kind != "damaged image"] + changed
    for finding in findings:
        print(f"{finding.sentence} {finding.remedy}".strip())
        for item in finding.items[:20]:
            print(f"  {item}")
    if chosen.repair:
        for line in repair(chosen.study, findings, chosen.look_in):
            print(line)
    total = f"{len(findings)} finding{'s' if len(findings) > 1 else ''} in {chosen.study}."
    print(total if findings else f"{chosen.study}: nothing is wrong.")
    left = check_study(chosen.study) if chosen.repair else findings
    return 1 if left else 0


def window(chosen):
    """Open the window."""
    return _open_window(chosen.study if chosen.command else None)


def demo(chosen):
    """Make the sample study, run every step on the embedded parts, print the tables, open the window."""
    from core.printing.exact import as_json
    from core.sample import EXACT, PIPELINE
    from core.sample_report import sample_report
    from core.tables import write_tables

    folder = chosen.study or SAMPLE
    phantom_folder = folder.with_name(f"{folder.name}-phantom")
    is_new = not (folder / "study.sqlite").exists()
    ahead = _phantom_ahead(phantom_folder) if is_new and chosen.phantom and not chosen.json else None
    tell = (lambda said: None) if chosen.json else print
    tell(f"Making the sample study in {folder}: pictures, labels, three simulated annotators …")
    _run("sample study", sample_study(folder))
    tell("Working out Bias Intensity, CCS and agreement …")
    with _opened(folder) as store:
        analysis = _analysis_of(store, EXACT, {})
        agreed = _agreement_of(store, PIPELINE, {})
        tables = analysis.tables | agreed.tables | _planted_tables(store, analysis)
    write_tables(tables, folder / "tables", {"analyse": analysis.run, "agreement": agreed.run})
    if chosen.json:
        print(as_json({name: tables[name] for name in ("planted_bi", "implied", "agreement", "ccs_mean")}))
    else:
        print(sample_report(tables))
        print(f"\nThe study is in {folder}, all its tables in {folder / 'tables'}.")
        if chosen.phantom:
            _phantom_in_demo(phantom_folder, ahead)
    return _window_after_demo(chosen, folder)


def _phantom_ahead(folder):
    """Begin the phantom study beside the sample study, in a process of its own: it keeps one core busy."""
    import multiprocessing
    import os

    if (os.cpu_count() or 1) < 2:
        return None
    # It ends with this program; what it had made by then is kept, and the next demo goes on from there.
    ahead = multiprocessing.get_context("spawn").Process(target=_begin_phantom, args=(folder,), daemon=True)
    ahead.start()
    return ahead


def _begin_phantom(folder):
    import contextlib
    import io

    from core.jobs import run_here

    # Whatever stops it is met again, and told, where the demo comes to this part.
    with contextlib.suppress(Exception, KeyboardInterrupt), contextlib.redirect_stderr(io.StringIO()):
        run_here(phantom_study(folder))


def _phantom_in_demo(folder, ahead=None):
    """The part of the demo with true diffusion; what is missing for it is said, and the demo goes on."""
    if ahead is not None and ahead.is_alive():
        print("The phantom study is still being made.", file=sys.stderr)
        ahead.join()
    from core.errors import UserError
    from core.phantom.study import READER, phantom_report, phantom_rows
    from core.tables import write_tables

    try:
        print(f"\nMaking the phantom study in {folder}: a small diffusion model with a known bias …")
        _run("phantom study", phantom_study(folder))
        with _opened(folder) as store:
            analysis = _analysis_of(store, READER, {})
        write_tables(analysis.tables, folder / "tables", {"analyse": analysis.run})
        print("\n" + phantom_report(phantom_rows(analysis.tables["prevalence"])))
        print(f"\nThis study is in {folder}.")
    except UserError as error:
        print(f"The part with the phantom was left out. {error}", file=sys.stderr)


# What the commands share --------------------------------------------------------------------------------


def sample_study(folder):
    """The job that makes the sample study in `folder`, or continues it where it stopped."""
    from annotation.simulated_round import simulate_in
    from core.errors import BadInput
    from core.running import extract_in, generate_in
    from core.sample import EXACT, GENERATORS, PIPELINE, sample_plan
    from storage.making import make_study
    from storage.store import Store

    exists = (folder / "study.sqlite").exists()
    store = Store.open(folder) if exists else make_study(folder, sample_plan())
    with store:
        if not store.study.is_sample:
            raise BadInput(f"{folder} holds a study of yours, not the sample.", "Name another folder.")
        for name in GENERATORS:
            yield from generate_in(store, name)
        for name in (EXACT, PIPELINE):
            yield from extract_in(store, name, _schema(store))
        yield from simulate_in(store, _questions(store))
    return folder


def phantom_study(folder):
    """The job that makes the phantom study in `folder`, or continues it where it stopped."""
    from core.errors import BadInput
    from core.phantom import NAME
    from core.phantom.study import READER, STUDY_NAME, phantom_plan
    from core.running import extract_in, generate_in
    from storage.making import make_study
    from storage.store import Store

    exists = (folder / "study.sqlite").exists()
    store = Store.open(folder) if exists else make_study(folder, phantom_plan())
    with store:
        if store.study.name != STUDY_NAME:
            raise BadInput(f"{folder} holds a study of yours.", "Name another folder.")
        yield from generate_in(store, NAME)
        yield from extract_in(store, READER, _schema(store))
    return folder


def _opened(folder):
    """The open study; what opening found is said."""
    from storage.store import Store

    store = Store.open(folder)
    for sentence in (store.moved_sentence, *(job.stopped_sentence for job in store.interrupted)):
        if sentence:
            print(sentence, file=sys.stderr)
    return store


def _schema(store):
    from core.schema import schema_from

    return schema_from(json.loads(store.study.schema_json))


def _questions(store):
    from core.questions import questions_from

    return questions_from(json.loads(store.study.questions_json), _schema(store))


def _run(name, job):
    from core.jobs import run_here
    from core.progress_line import ProgressLine

    line = ProgressLine(name)
    try:
        return run_here(job, line)
    finally:
        line.end()


def _analysis_of(store, extractor, options, mapping="study", bounds=False):
    """Result tables of what an extractor of the study has read, with the study's label map or another."""
    from core.labels.analysing import analyse_mapped
    from storage.frames import Frames

    name = _extractor(store, extractor)
    labels = Frames(store.folder).labels(name)
    job = analyse_mapped(labels, _schema(store), store.label_map(), mapping=mapping, bounds=bounds, **options)
    result = _run("analyse", job)
    is_simulated = next(each.is_simulated for each in store.extractors() if each.name == name)
    result.run["extractor"] = {"name": name, "is_simulated": is_simulated}
    return result


def _agreement_of(store, extractor, options, before_lock=False):
    """Agreement in the study's latest round; with the pipeline once the round is locked.

    Until then people could still be led by it. A sample study has nobody to lead; elsewhere it takes
    `before_lock`, which the record keeps.
    """
    from annotation.agreement_tables import image_sets_table
    from annotation.mapped_labels import Sides, agreement_mapped
    from core.errors import BadInput
    from storage.frames import Frames

    rounds, frames, questions = store.rounds(), Frames(store.folder), _questions(store)
    if not rounds:
        raise BadInput("Nobody has labelled anything in this study yet.", "Open the page Annotate.")
    round_id, readings = rounds[-1].round_id, None
    is_open = not (rounds[-1].is_locked or store.study.is_sample)
    if store.extractors() and is_open and not before_lock:
        print("The pipeline is compared once the round is locked (or with --before-lock).", file=sys.stderr)
    elif store.extractors():
        readings = frames.readings(round_id, _extractor(store, extractor))
    said = Sides(frames.answers(round_id), readings, frames.repeats(round_id))
    job = agreement_mapped(said, questions, store.label_map(), _schema(store), **options)
    result = _run("agreement", job)
    result.run["extractor"] = _extractor(store, extractor) if readings is not None else None
    result.run["study"] = store.study.study_key
    result.run["compared_before_lock"] = is_open and readings is not None
    result.tables["image_sets"] = image_sets_table(store.image_sets(round_id))
    return _with_decisions(store, round_id, result)


def _with_decisions(store, round_id, result):
    """What a person decided: adjudicated labels in the consensus, and who is excluded from every table."""
    from annotation.adjudication import with_decisions

    excluded = store.exclusions(round_id)
    for one in excluded:
        if not one["withdrawn_at"]:
            where = one["question"] or "all questions"
            print(f"Excluded: {one['annotator']}, {where}: {one['reason']}.", file=sys.stderr)
    return with_decisions(result, store.adjudications(round_id), excluded)


def _extractor(store, wanted):
    """The extractor asked for, or the study's only one."""
    from core.errors import BadInput

    names = [each.name for each in store.extractors()]
    if wanted is None and len(names) == 1:
        return names[0]
    if wanted in names:
        return wanted
    if not names:
        raise BadInput("No extractor has read this study's images.", "Run `main.py extract` first.")
    asked = f"Extractor {wanted!r} has not read this study." if wanted else "Several extractors have read it."
    raise BadInput(asked, f"Say `--extractor` and one of: {', '.join(names)}.")


def _planted_tables(store, analysis):
    """The right answers of the sample study, beside what was measured."""
    from annotation.commands.simulating import planted_beside
    from core.extraction.registry import by_name
    from core.sample import PIPELINE

    errors = by_name(PIPELINE, _schema(store)).errors
    return planted_beside(store, _questions(store), errors, analysis.tables)


def _print_preview(found, merged):
    print(found.sentence + (f" [merge {merged}]" if merged else ""))


def _print_expectation(store, names):
    """What kappa annotators of the simulated accuracy come to."""
    from annotation.agreement import agreement as agree
    from annotation.commands.simulating import expectation_text
    from storage.frames import Frames

    answers = Frames(store.folder).answers(store.rounds()[-1].round_id)
    answers = answers[answers["annotator"].isin(names)]
    print(expectation_text(_run("agreement", agree(answers, None, _questions(store), bootstrap=400))))


def _newest_round(store):
    from annotation.commands.rounds import newest_round

    return newest_round(store)


def _say_simulated(store):
    if store.has_simulated():
        print("This study contains simulated answers or records.", file=sys.stderr)


def _open_window(folder):
    from gui.app import run_window

    return run_window(folder, make_sample=sample_study)


def _window_after_demo(chosen, folder):
    """Open the window where there is a display, else say how to."""
    from core.errors import MissingPart

    if chosen.window is False:
        return 0
    try:
        return _open_window(folder)
    except MissingPart as part:
        print(f"\nThe window was not opened. {part}", file=sys.stderr)
        print(f"With a display: {sys.executable} main.py window {folder}", file=sys.stderr)
        return 1 if chosen.window else 0


def _finish(outcome, noun):
    from core.printing.outcomes import exit_code, failure_lines

    for line in failure_lines(outcome):
        print(line, file=sys.stderr)
    print(outcome.sentence(noun) + ".")
    return exit_code(outcome)


def _print_all(lines):
    for line in lines:
        print(line)


COMMANDS = {
    one.__name__.replace("_", "-"): one
    for one in (
        *(check, demo, window, new, prompts, generate, shard, import_images, extract, simulate, packet),
        *(annotate, handin, merge, quality, adjudicate, export, labels, validate, bank, agreement),
        *(analyse, plan, phantom, calibrate, sheet, report, doctor),
    )
}
COMMANDS["round"] = round_of  # the name is Python's own

if __name__ == "__main__":
    sys.exit(main())
