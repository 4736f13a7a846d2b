"""ContextBias Studio: every command, and the window when none is given.

This is the only file that sees everything: it opens the study, puts the jobs of `core` and `annotation`
together with it, and either runs them here or opens the window. It must stay readable for an older
Python, so that the sentence about the version is what a person sees.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
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
    try:
        return _understood(arguments)
    except KeyboardInterrupt:
        return _cancelled()  # before the command began, or after it ended


def _understood(arguments):
    """Read the command line and carry it out."""
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
    from core.argument_words import must_be_text, odd_path
    from core.errors import UserError

    try:
        must_be_text(chosen)
        return COMMANDS[command](chosen) or 0
    except UserError as error:
        return _say(str(error))
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] in ("core", "annotation", "storage", "gui"):
            raise
        return _say(f"The Python package {error.name} is not installed.", _install_line())
    except KeyboardInterrupt:
        return _cancelled()
    except Exception as error:
        import logging
        import traceback

        if _has_nobody_listening(error):  # whoever reads our output has heard enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        if isinstance(error, OSError) and error.filename is not None:  # the system said no to a file
            logging.getLogger("main").error("the system refused a file", exc_info=error)
            return _say(f"{error.filename} cannot be used: {error.strerror}.")
        path = odd_path(chosen) if isinstance(error, UnicodeEncodeError) else ""
        if path:
            return _say(f"The name {path} is not UTF-8 text.", "Give the file or folder another name.")
        logging.getLogger("main").error("a fault of ours", exc_info=error)
        traceback.print_exc()
        return 2


def _has_nobody_listening(error, platform=sys.platform):
    """Whether our output went into a pipe that was closed: Windows calls that an invalid argument."""
    return isinstance(error, BrokenPipeError) or (
        platform == "win32" and isinstance(error, OSError) and (error.errno, error.filename) == (22, None)
    )


def _cancelled():
    print("Cancelled; what was done is kept.", file=sys.stderr)
    return 130


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
    from core.figures.wording import counted
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
    sizes = counted(len(plan.roles), "role"), counted(len(plan.prompts), "prompt")
    each = f"{counted(chosen.images_per_prompt, 'image')} a prompt with each generator"
    print(f"{chosen.study}: {', '.join((*sizes, counted(plan.images, 'image') if names else each))} to make.")
    if chosen.contexts and chosen.unrelated == "permuted":
        _tell("CA-U takes the other roles' related contexts; the file's own: --unrelated everyday.")
    maker = f"--generator {names[0]}" if names else "--generator NAME"
    more = "" if names else f", or `main.py import-images {chosen.study} FOLDER` brings yours in"
    _tell(f"Next: `main.py generate {chosen.study} {maker}` makes images{more}.")


def prompts(chosen):
    """List the prompts, or write them to a file."""
    from dataclasses import asdict

    from core.csv_rows import write_rows
    from core.overwriting import refuse_old

    refuse_old(chosen, *filter(None, [chosen.out]))
    with _opened(chosen.study) as store:
        rows = [asdict(prompt) for prompt in store.prompts()]
    if chosen.out:
        write_rows(chosen.out, rows)
        print(f"{len(rows)} prompt{'' if len(rows) == 1 else 's'} written to {chosen.out}.")
        return
    for row in rows:
        print("\t".join((row["role"], row["condition"] or "-", row["kind"], row["text"])))


def generate(chosen):
    """Make the images that are missing, or look the run over."""
    from core.engines.choosing import engine_of
    from core.generation.commands import look_over, pickled_lines
    from core.generation.left_out import left_out_lines
    from core.running import generate_in
    from storage.listing import measured_of

    with _opened(chosen.study) as store:
        if chosen.preflight:
            lines, can_run = look_over(store, measured_of(store, chosen.generator), chosen)
            _print_all(lines)
            return 0 if can_run else 1
        if chosen.engine == "slurm":
            return _slurm(chosen, store)
        engine = engine_of(chosen)
        job = generate_in(store, chosen.generator, chosen.limit, engine, accepts_device=chosen.accept_device)
        _tell_all(pickled_lines(chosen.generator))
        code = _finish(_run("generate", job), "images")
        _tell_all(left_out_lines(store.images(chosen.generator)))
        return code


def _slurm(chosen, store):
    """Write the work for a cluster, or take in what is finished of it."""
    from core.engines.commands import collecting, must_name_folder, work_lines

    must_name_folder(chosen)
    if chosen.collect:
        return _finish(_run("collect", collecting(store, chosen)), "images")
    return _print_all(work_lines(store, chosen))


def shard(chosen):
    """Make one shard of work that was written for a cluster."""
    from core.engines.slurm import run_shard
    from core.generation.registry import by_name

    return _finish(_run("shard", run_shard(chosen.folder, chosen.number, by_name)), "images")


def import_images(chosen):
    """Bring in pictures made elsewhere."""
    from core.bank import load_roles
    from core.importing import Stated, import_images, remarks, scan
    from core.importing.rehearsal import rehearsed_lines
    from core.jobs import recorded
    from core.records import Condition

    condition = Condition(chosen.condition) if chosen.condition else None
    plan = scan(chosen.folder, chosen.map, Stated(chosen.role, condition, chosen.generator))
    with _opened(chosen.study) as store:
        _tell_all(remarks(plan, [role.name for role in (*load_roles(), *store.roles())]))
        if chosen.dry_run:
            return _print_all(_run("looking", rehearsed_lines(plan, store)))
        job = recorded(
            import_images(plan, store), store, "import", plan.asked, {"folder": chosen.folder.name}
        )
        return _finish(_run("import", job), "files")


def extract(chosen):
    """Read labels off the images."""
    from core.extraction.reader import reader_remarks
    from core.extraction.vlm.arguments import options_of
    from core.running import extract_in, extract_in_batches

    options = options_of(chosen) if chosen.extractor == "vlm" else None
    with _opened(chosen.study) as store:
        _tell_all(reader_remarks(chosen.extractor, store.generators()))
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

    from annotation.commands.simulating import expectation_text, expected_agreement
    from annotation.simulated import load_simulated
    from annotation.simulated_packets import simulate_in_packets
    from storage.frames import Frames
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
        answers = Frames(store.folder).answers(_newest_round(store).round_id)
        job = expected_agreement(answers, {one.name for one in people}, _questions(store))
        print(expectation_text(_run("agreement", job)))
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
    from annotation.commands.merging import import_table, merge_book_lines
    from annotation.merge_running import merge_files
    from storage.packet_files import PacketFiles

    with _opened(chosen.study) as store:
        _print_all(merge_book_lines(store, chosen))
        code = 0
        if chosen.answers:
            parts = (store, _questions(store), chosen.answers, print)
            code = import_table(*parts, is_dry_run=chosen.dry_run)
        if not chosen.files:
            if chosen.dry_run:
                print("Nothing was changed.")
            return code
        job = merge_files(
            *(store, _questions(store), chosen.files, PacketFiles().read_hand_in, _print_preview),
            is_dry_run=chosen.dry_run,
        )
        outcome = _run("merge", job)
        if chosen.dry_run:
            print("Nothing was changed.")
        return _finish(outcome, "files") or code or int(outcome.failed > 0)


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
    from core.release.commands import releasing

    with _opened(chosen.study) as store:
        return _finish(_run("export", releasing(store, chosen.out)), "images")


def labels(chosen):
    """Propose, review, export and import the label map."""
    from core.labels.commands import labels_lines

    with _opened(chosen.study) as store:
        _print_all(labels_lines(store, _schema(store), chosen, _run, _tell))


def bank(chosen):
    """Contexts for new roles: propose, review, export, import."""
    from core.bank_builder.commands import bank_lines

    with _opened(chosen.study) as store:
        _print_all(bank_lines(store, _schema(store), chosen, _run, _tell))


def validate(chosen):
    """Extraction against prompts whose attribute is stated."""
    from core.validation.commands import validation_lines

    with _opened(chosen.study) as store:
        validation, name = _validation_of(store, chosen)
        _say_simulated(store)
    with validation as store:
        _print_all(validation_lines(store, _schema(store), name, chosen, _run, _tell))


def _validation_of(store, chosen):
    """The validation study, made from the study's labels where it is not there, and the extractor's name."""
    from core.extraction.choosing import chosen_extractor
    from core.validation.commands import kept_line, made_line
    from storage.validation_study import mine_validation, open_validation

    name = chosen_extractor(store, chosen.extractor)
    found = open_validation(store)
    if found is not None:
        _tell(kept_line(found))
        return found, name
    found = mine_validation(store, name, chosen.prompts, chosen.images_per_prompt)
    _tell(made_line(found))
    return found, name


def agreement(chosen):
    """Agreement of people with people and with the pipeline."""
    from annotation.commands.agreeing import agreement_lines, must_name_one, sides_in, table_agreement
    from core.schema import load_schema

    must_name_one(chosen)
    unknown = chosen.unknown.replace("-", " ")
    options = {"bootstrap": chosen.bootstrap, "seed": chosen.seed, "unknown": unknown}
    if chosen.answers:
        schema, (said, questions) = load_schema(), sides_in(chosen.answers)
        job = table_agreement(said, questions, schema, options, chosen.label_map)
        result = _run("agreement", job)
    else:
        with _opened(chosen.study) as store:
            options |= {"mapping": chosen.label_map}
            result = _agreement_of(store, chosen.extractor, options, before_lock=chosen.before_lock)
            _say_simulated(store)
            schema, questions = _schema(store), _questions(store)
    _print_all(agreement_lines(result, (schema, questions), chosen, options, _run))


def analyse(chosen):
    """Bias Intensity, prevalence, persistence."""
    from core.commands.analysing import analysis_lines, must_name_one, table_analysis
    from core.schema import load_schema
    from core.seeds import seed_rule

    must_name_one(chosen)
    options = {"mode": chosen.mode, "bootstrap": chosen.bootstrap, "seed": chosen.seed}
    if chosen.study:
        with _opened(chosen.study) as store:
            how = {"mapping": chosen.label_map, "bounds": chosen.bounds}
            result = _analysis_of(store, chosen.extractor, options, **how)
            options = options | {"seeds_of_images": seed_rule(store.study.settings)}
            _say_simulated(store)
            schema = _schema(store)
    else:
        schema = load_schema()
        result = _run("analyse", table_analysis(chosen, schema, options))
    _print_all(analysis_lines(result, schema, chosen, options, _run, _tell))


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
    from core.origins import of_unknown_origin
    from core.overwriting import refuse_old

    refuse_old(chosen, chosen.out)
    choice = Choice(
        chosen.role, chosen.by, chosen.generators, chosen.images, chosen.seed, tuple(chosen.choose or ())
    )
    with _opened(chosen.study) as store:
        unknown = of_unknown_origin(store.generators())
        # All images only where there is none to show, to say which roles there are.
        images = store.images(status="ok", role=chosen.role) or store.images()
        drawing = contact_sheet(images, choice, store.folder, unknown)
    _print_all(write_with_data(drawing, chosen.out))


def report(chosen):
    """Write the report of a study: HTML, and PDF if asked for."""
    from core.extraction.choosing import chosen_extractor
    from core.overwriting import refuse_old

    refuse_old(chosen, chosen.out, *([chosen.out.with_suffix(".pdf")] if chosen.pdf else []))
    with _opened(chosen.study) as store:  # a question to the person comes before what takes seconds
        chosen_extractor(store, chosen.extractor)
    from annotation.report_job import report_job
    from core.commands.analysing import write_analysis
    from core.table_files import read_table
    from storage.frames import Frames
    from storage.listing import record_facts

    options = {"bootstrap": chosen.bootstrap, "seed": chosen.seed}
    names = ("validation", "validation_dimensions") if chosen.validation else ()
    more = {"validation": {each: read_table(chosen.validation / f"{each}.csv") for each in names}}
    with _opened(chosen.study) as store:
        name, schema = chosen_extractor(store, chosen.extractor), _schema(store)
        result = _analysis_of(store, name, options)
        parts = (schema, _questions(store), name, (result.tables, result.run), record_facts(store))
        job = report_job(store, Frames(store.folder), *parts, chosen.out, pdf=chosen.pdf, **more, **options)
        written = _run("report", job)
        _say_simulated(store)
    if chosen.folder:
        wanted = {"figures": chosen.figures or ("png", "svg", "pdf"), "latex": True}
        written += write_analysis(result, schema, chosen.folder, options, _run, **wanted)
    print(f"Labels read by {name}. Written: {', '.join(str(path) for path in written)}.")


def doctor(chosen):
    """Look over the environment, and a study."""
    from core.environment import environment_lines
    from gui.platform_check import missing_system_packages

    _print_all(environment_lines())
    packages = missing_system_packages()
    print(f"System libraries for the window: {'missing ' + ' '.join(packages) if packages else 'all there'}")
    if chosen.study is None:
        return 0
    from storage.check import check_study
    from storage.failure_lines import failure_lines_of
    from storage.finding_lines import examine, finding_lines, total_line
    from storage.repair import repair

    findings = examine(chosen.study, chosen.contents, _run)
    _print_all(finding_lines(findings))
    if chosen.repair:
        _print_all(repair(chosen.study, findings, chosen.look_in))
    print(total_line(findings, chosen.study))
    if all(finding.kind not in ("unusable", "damaged file") for finding in findings):
        _print_all(failure_lines_of(chosen.study))
    left = check_study(chosen.study) if chosen.repair else findings
    return 1 if left else 0


def window(chosen):
    """Open the window."""
    return _open_window(chosen.study if chosen.command else None)


def demo(chosen):
    """Make the sample study, run every step on the embedded parts, print the tables, open the window."""
    from annotation.commands.simulating import planted_beside
    from core.job_ahead import begin_ahead
    from core.printing.exact import as_json
    from core.sample import EXACT, PIPELINE
    from core.sample_report import sample_report
    from core.tables import write_tables

    folder = chosen.study or SAMPLE
    phantom_folder = folder.with_name(f"{folder.name}-phantom")
    is_new = not (folder / "study.sqlite").exists()
    is_ahead = is_new and chosen.phantom and not chosen.json
    ahead = begin_ahead(phantom_study, phantom_folder) if is_ahead else None
    tell = (lambda said: None) if chosen.json else print
    tell(f"Making the sample study in {folder}: pictures, labels, three simulated annotators …")
    _run("sample study", sample_study(folder))
    tell("Working out Bias Intensity, CCS and agreement …")
    with _opened(folder) as store:
        analysis = _analysis_of(store, EXACT, {})
        agreed = _agreement_of(store, PIPELINE, {})
        planted = planted_beside(store, _schema(store), _questions(store), analysis.tables)
        tables = analysis.tables | agreed.tables | planted
    write_tables(tables, folder / "tables", {"analyse": analysis.run, "agreement": agreed.run})
    if chosen.json:
        print(as_json({name: tables[name] for name in ("planted_bi", "implied", "agreement", "ccs_mean")}))
    else:
        print(sample_report(tables))
        print(f"\nThe study is in {folder}, all its tables in {folder / 'tables'}.")
        if chosen.phantom:
            _phantom_in_demo(phantom_folder, ahead)
    return _window_after_demo(chosen, folder)


def _phantom_in_demo(folder, ahead=None):
    """The part of the demo with true diffusion; what is missing for it is said, and the demo goes on."""
    if ahead is not None and ahead.is_alive():
        _tell("The phantom study is still being made.")
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
        _tell(f"The part with the phantom was left out. {error}")


# What the commands share --------------------------------------------------------------------------------


def sample_study(folder):
    """The job that makes the sample study in `folder`, or continues it where it stopped."""
    from annotation.sample_study import sample_steps
    from core.sample import sample_plan
    from storage.making import open_or_make

    with open_or_make(folder, sample_plan) as store:
        yield from sample_steps(store, _schema(store), _questions(store))
    return folder


def phantom_study(folder):
    """The job that makes the phantom study in `folder`, or continues it where it stopped."""
    from core.phantom.study import phantom_plan, phantom_steps
    from storage.making import open_or_make

    with open_or_make(folder, phantom_plan) as store:
        yield from phantom_steps(store, _schema(store))
    return folder


def _opened(folder):
    """The open study; what opening found is said."""
    from storage.store import Store

    store = Store.open(folder)
    for sentence in (store.moved_sentence, *(job.stopped_sentence for job in store.interrupted)):
        if sentence:
            _tell(sentence)
    return store


def _schema(store):
    import json

    from core.schema import schema_from

    return schema_from(json.loads(store.study.schema_json))


def _questions(store):
    import json

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


def _analysis_of(store, extractor, options, **how):
    """Result tables of what an extractor of the study has read."""
    from core.commands.analysing import study_analysis
    from storage.frames import Frames

    job = study_analysis(store, Frames(store.folder), _schema(store), extractor, options, **how)
    return _run("analyse", job)


def _agreement_of(store, extractor, options, **how):
    """Agreement in the study's latest round."""
    from annotation.commands.agreeing import study_agreement
    from storage.frames import Frames

    asked = _schema(store), _questions(store)
    return study_agreement(store, Frames(store.folder), asked, extractor, options, _run, _tell, **how)


def _print_preview(found, merged):
    print(found.sentence + (f" [merge {merged}]" if merged else ""))
    _print_all(found.reason_lines)


def _newest_round(store):
    from annotation.commands.rounds import newest_round

    return newest_round(store)


def _say_simulated(store):
    if store.has_simulated():
        _tell("This study contains simulated answers or records.")


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
        _tell(f"\nThe window was not opened. {part}")
        _tell(f"With a display: {sys.executable} main.py window {folder}")
        return 1 if chosen.window else 0


def _finish(outcome, noun):
    from core.printing.outcomes import exit_code, failure_lines

    _tell_all(failure_lines(outcome))
    print(outcome.sentence(noun) + ".")
    return exit_code(outcome)


def _print_all(lines):
    for line in lines:
        print(line)


def _tell(sentence):
    """Say what is no part of the result."""
    print(sentence, file=sys.stderr)


def _tell_all(lines):
    for line in lines:
        _tell(line)


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
