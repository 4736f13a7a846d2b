"""The agreement tables: what is compared, on what, with which interval, and what is left out."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from annotation.agreement import AgreementResult, agreement, contingency, implied_kappa, questions_in
from annotation.comparison import pipeline_answers
from core.errors import BadInput
from core.jobs import run_here
from core.questions import Question, load_questions
from core.statistics.bca import bca_interval
from core.statistics.brennan_prediger import brennan_prediger
from core.statistics.cohen_kappa import cohen_kappa, cohen_kappa_mean
from core.statistics.concordance import concordance_mean
from core.statistics.conger_kappa import conger_kappa
from core.statistics.count_error import count_error
from core.statistics.estimate import Estimate
from core.statistics.fleiss_kappa import fleiss_kappa
from core.statistics.gwet_ac import gwet_ac1
from core.statistics.intraclass import intraclass
from core.statistics.krippendorff_alpha import krippendorff_alpha
from core.statistics.leave_one_out import leave_one_out
from core.statistics.raw_agreement import raw_agreement
from core.statistics.resampling import cluster_weights

QUESTIONS = {question.id: question for question in load_questions()}
GENDER, TONE, ITEMS = QUESTIONS["gender_presentation"], QUESTIONS["skin_tone"], QUESTIONS["items"]
COLOR = QUESTIONS["color_temperature"]
PEOPLE = ("Ada", "Ben", "Cem")
COLUMNS = (
    *("question", "scope", "statistic", "level", "value", "low", "high"),
    *("units", "annotators", "excluded", "categories", "without_unknown", "reason"),
)
STATISTICS = {
    *("raw_agreement", "cohen_kappa", "cohen_kappa_mean", "fleiss_kappa", "conger_kappa"),
    *("krippendorff_alpha", "gwet_ac1", "brennan_prediger"),
    *("icc_2_1", "concordance", "mean_absolute_error", "bias"),
}
OF_MANY: dict[str, Callable[[np.ndarray, int], Estimate]] = {
    "raw_agreement": raw_agreement,
    "cohen_kappa_mean": cohen_kappa_mean,
    "fleiss_kappa": fleiss_kappa,
    "conger_kappa": conger_kappa,
    "krippendorff_alpha": krippendorff_alpha,
    "gwet_ac1": gwet_ac1,
    "brennan_prediger": brennan_prediger,
}
OF_TWO: dict[str, Callable[[np.ndarray, int], Estimate]] = {
    **{name: measure for name, measure in OF_MANY.items() if name not in ("cohen_kappa_mean",)},
    "cohen_kappa": cohen_kappa,
}
OF_TWO.pop("fleiss_kappa")
OF_TWO.pop("conger_kappa")

Row = tuple[str, str, str, str, float | None]


def frame(rows: Sequence[Row]) -> pd.DataFrame:
    """Answers from (annotator, image set, question, label, slider); the label "unknown" is a status."""
    table = pd.DataFrame(rows, columns=["annotator", "image_set", "question", "label", "slider"])
    table["status"] = np.where(table["label"] == "unknown", "unknown", "ok")
    table["label"] = table["label"].where(table["label"] != "unknown", "")
    return table


def study(
    seed: int = 0,
    sets: int = 30,
    questions: Sequence[Question] = (GENDER, TONE),
    missing: float = 0.0,
    unknown: float = 0.05,
    right: float = 0.85,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Answers of three people and of a pipeline that are right more often than chance."""
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    read = []
    for number in range(sets):
        for question in questions:
            options = question.option_ids
            truth = options[rng.choice(len(options), p=rng.dirichlet(np.ones(len(options))))]
            count = int(rng.integers(5, 11))
            for person in (*PEOPLE, "pipeline"):
                label = truth if rng.random() < right else options[rng.integers(len(options))]
                slider = float(np.clip(count + rng.integers(-1, 2), 0, 10))
                if person == "pipeline":
                    read.append((f"set {number:02}", question.id, label, slider, "mode"))
                elif rng.random() >= missing:
                    dark = rng.random() < unknown
                    row = (person, f"set {number:02}", question.id, "unknown" if dark else label)
                    rows.append((*row, None if dark else slider))
    pipeline = pd.DataFrame(read, columns=["image_set", "question", "label", "slider", "how"])
    return frame(rows), pipeline


def run(answers: pd.DataFrame, pipeline: pd.DataFrame | None = None, **options: Any) -> AgreementResult:
    questions = options.pop("questions", (GENDER, TONE))
    return run_here(agreement(answers, pipeline, questions, **{"bootstrap": 0, **options}))


def line(result: AgreementResult, question: str, scope: str, statistic: str, level: str = "nominal") -> Any:
    found = result.row(question, scope, statistic, level)
    assert found is not None, (question, scope, statistic)
    return found


def coded(
    answers: pd.DataFrame, question: Question, unknown: bool = True, start: int = 0
) -> tuple[np.ndarray, int]:
    """A matrix of codes made in the most obvious way: offered labels, then unknown."""
    labels = [*question.option_ids, *(["unknown"] if unknown else [])]
    sets = sorted(answers["image_set"].unique())
    matrix = np.full((len(sets), len(PEOPLE)), -1)
    for row in answers[answers["question"] == question.id].itertuples():
        label = "unknown" if row.status == "unknown" else row.label
        if label in labels:
            matrix[sets.index(row.image_set), PEOPLE.index(row.annotator)] = labels.index(label) + start
    return matrix, len(labels)


def same(value: float, estimate: Estimate) -> None:
    if estimate.value is None:
        assert np.isnan(value)
    else:
        assert value == pytest.approx(estimate.value, abs=1e-9)


def test_the_tables_have_the_promised_columns_and_statistics() -> None:
    answers, pipeline = study()

    result = run(answers, pipeline)

    assert tuple(result.tables["agreement"].columns) == COLUMNS
    assert set(result.tables["agreement"]["statistic"]) == STATISTICS
    assert list(result.tables["consensus"].columns) == [
        *("image_set", "question", "label", "how", "votes", "slider_mean_winner", "slider_mean_all")
    ]
    assert list(result.tables["confusion"].columns) == ["question", "human", "pipeline", "count"]
    key = ["question", "scope", "statistic", "level"]
    assert not result.tables["agreement"].duplicated(key).any()


@pytest.mark.parametrize("unknown", [True, False])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_every_coefficient_of_a_question_is_that_of_its_matrix(unknown: bool, missing: float) -> None:
    answers, _ = study(1, missing=missing)
    result = run(answers, unknown="label" if unknown else "left out")

    for question in (GENDER, TONE):
        matrix, size = coded(answers, question, unknown)
        for name, measure in OF_MANY.items():
            row = line(result, question.id, "annotators", name)
            same(row["value"], measure(matrix, size))
            assert row["units"] == ((matrix >= 0).sum(axis=1) >= 2).sum()
            assert row["units"] + row["excluded"] == len(matrix)
            assert row["categories"] == size
        for name, measure in OF_TWO.items():
            same(line(result, question.id, "Ada and Cem", name)["value"], measure(matrix[:, [0, 2]], size))


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_pooled_is_one_table_in_which_a_label_belongs_to_its_question(missing: float) -> None:
    answers, pipeline = study(2, missing=missing)
    result = run(answers, pipeline)
    gender, size = coded(answers, GENDER)
    tone, more = coded(answers, TONE, start=size)
    table = np.vstack([gender, tone])

    for name, measure in OF_MANY.items():
        row = line(result, "POOLED", "annotators", name)
        same(row["value"], measure(table, size + more))
        assert row["units"] == ((table >= 0).sum(axis=1) >= 2).sum()
        assert row["categories"] == size + more
    for name, measure in OF_TWO.items():
        same(line(result, "POOLED", "Ben and Cem", name)["value"], measure(table[:, [1, 2]], size + more))


def test_pooled_kappa_says_that_it_is_close_to_raw_agreement() -> None:
    """Two people who answer at random, mostly with each question's favourite label."""
    rng = np.random.default_rng(0)
    questions = [question for question in QUESTIONS.values() if not question.is_open]
    rows = [
        (person, f"set {number:02}", question.id, question.option_ids[int(rng.random() > 0.9)], 5.0)
        for number in range(60)
        for question in questions
        for person in ("Ada", "Ben")
    ]

    result = run(frame(rows), questions=questions)

    pooled = line(result, "POOLED", "Ada and Ben", "cohen_kappa")
    assert pooled["value"] > 0.75
    assert "close to raw agreement" in pooled["reason"]
    assert abs(line(result, "ALL", "Ada and Ben", "cohen_kappa")["value"]) < 0.05


def test_all_is_the_mean_over_questions_and_names_those_left_out() -> None:
    answers, _ = study(3)
    constant = [(who, f"set {n:02}", COLOR.id, "warm", 9.0) for n in range(30) for who in PEOPLE]
    everything = pd.concat([answers, frame(constant)])

    result = run(everything, questions=(GENDER, TONE, COLOR))

    row = line(result, "ALL", "annotators", "fleiss_kappa")
    each = [line(result, question.id, "annotators", "fleiss_kappa")["value"] for question in (GENDER, TONE)]
    assert row["value"] == pytest.approx(np.mean(each))
    assert "mean of 2 of 3 questions" in row["reason"]
    assert "left out: color_temperature" in row["reason"]
    raw = line(result, "ALL", "annotators", "raw_agreement")
    assert "mean of 3 of 3" in raw["reason"]


def test_one_category_is_undefined_with_its_reason_and_raw_agreement_whole() -> None:
    answers = frame([(who, f"set {n}", GENDER.id, "female", 9.0) for n in range(8) for who in PEOPLE])

    result = run(answers, questions=(GENDER,))

    for name in ("cohen_kappa_mean", "fleiss_kappa", "conger_kappa", "krippendorff_alpha"):
        row = line(result, GENDER.id, "annotators", name)
        assert np.isnan(row["value"])
        assert "one category" in row["reason"]
        assert np.isnan(line(result, "POOLED", "annotators", name)["value"])
        assert "one category" in line(result, "POOLED", "annotators", name)["reason"]
    assert line(result, GENDER.id, "annotators", "raw_agreement")["value"] == 1.0
    assert line(result, GENDER.id, "annotators", "gwet_ac1")["value"] == 1.0
    assert "no value for the one question" in line(result, "ALL", "annotators", "fleiss_kappa")["reason"]


def test_people_without_a_common_image_set_share_no_unit() -> None:
    answers = frame(
        [("Ada", f"set {n}", GENDER.id, "female", 5.0) for n in range(5)]
        + [("Ben", f"set {n}", GENDER.id, "male", 5.0) for n in range(5, 10)]
    )

    row = line(run(answers, questions=(GENDER,)), GENDER.id, "Ada and Ben", "krippendorff_alpha")

    assert np.isnan(row["value"])
    assert row["units"] == 0
    assert row["excluded"] == 10
    assert "no unit shared" in row["reason"]


def test_intervals_are_bca_over_image_sets_drawn_together() -> None:
    answers, pipeline = study(4, sets=14)
    sets = sorted(answers["image_set"].unique())
    weights = cluster_weights(sets, 80, rng=np.random.default_rng(5))
    matrices = [coded(answers, question) for question in (GENDER, TONE)]

    result = run(answers, pipeline, bootstrap=80, seed=5)

    def mean_kappa(rows: np.ndarray) -> float:
        values = [fleiss_kappa(matrix[rows], size).value for matrix, size in matrices]
        return float(np.mean([value for value in values if value is not None]))

    everything = np.arange(len(sets))
    expected = bca_interval(
        [mean_kappa(np.repeat(everything, draw)) for draw in weights],
        mean_kappa(everything),
        [mean_kappa(np.delete(everything, one)) for one in everything],
    )
    row = line(result, "ALL", "annotators", "fleiss_kappa")
    assert (row["low"], row["high"]) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_pooled_intervals_draw_whole_image_sets() -> None:
    answers, _ = study(6, sets=12)
    sets = sorted(answers["image_set"].unique())
    weights = cluster_weights(sets, 60, rng=np.random.default_rng(0))
    gender, size = coded(answers, GENDER)
    tone, more = coded(answers, TONE, start=size)

    def pooled(rows: np.ndarray) -> float:
        value = gwet_ac1(np.vstack([gender[rows], tone[rows]]), size + more).value
        assert value is not None
        return value

    everything = np.arange(len(sets))
    expected = bca_interval(
        [pooled(np.repeat(everything, draw)) for draw in weights],
        pooled(everything),
        [pooled(np.delete(everything, one)) for one in everything],
    )
    row = line(run(answers, bootstrap=60), "POOLED", "annotators", "gwet_ac1")
    assert (row["low"], row["high"]) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_same_input_and_seed_give_the_same_tables_whatever_the_order_of_rows() -> None:
    answers, pipeline = study(7, missing=0.1)
    shuffled = answers.sample(frac=1, random_state=1)

    one, other = run(answers, pipeline, bootstrap=50), run(shuffled, pipeline[::-1], bootstrap=50)

    for name, table in one.tables.items():
        pd.testing.assert_frame_equal(table, other.tables[name])
    assert json.dumps(one.run) == json.dumps(other.run)


def test_another_seed_gives_other_intervals_and_the_same_values() -> None:
    answers, _ = study(8)

    one, other = (run(answers, bootstrap=50, seed=seed).tables["agreement"] for seed in (1, 2))

    assert one["value"].equals(other["value"])
    assert not one["low"].equals(other["low"])


def test_renaming_people_renames_scopes_alone() -> None:
    answers, pipeline = study(9)
    name = {"Ada": "Zoe", "Ben": "Yan", "Cem": "Xia"}

    one, other = run(answers, pipeline), run(answers.replace({"annotator": name}), pipeline)

    for scope in ("annotators", "pipeline", "people with the rest", "pipeline minus people"):
        for statistic in ("raw_agreement", "mean_absolute_error"):
            level = "nominal" if statistic == "raw_agreement" else "interval"
            assert line(one, "ALL", scope, statistic, level)["value"] == pytest.approx(
                line(other, "ALL", scope, statistic, level)["value"]
            )


def test_clusters_are_drawn_whole() -> None:
    answers, _ = study(10, sets=30)
    doubled = pd.concat(
        [answers.assign(image_set=answers["image_set"] + copy) for copy in (" a", " b")], ignore_index=True
    )
    role = pd.Series({name: name[:-2] for name in doubled["image_set"].unique()})
    single = line(run(answers, bootstrap=300), "ALL", "annotators", "raw_agreement")

    naive = line(run(doubled, bootstrap=300), "ALL", "annotators", "raw_agreement")
    clustered = line(run(doubled, bootstrap=300, clusters=role), "ALL", "annotators", "raw_agreement")

    def width(row: dict[str, float]) -> float:
        return row["high"] - row["low"]

    assert clustered["value"] == pytest.approx(naive["value"])
    assert width(clustered) == pytest.approx(width(single), rel=0.15)
    assert width(naive) < 0.85 * width(clustered)


def test_an_image_set_without_a_cluster_is_refused() -> None:
    answers, _ = study(sets=6)

    with pytest.raises(BadInput, match="set 05 belongs to no cluster"):
        run(answers, clusters=pd.Series({f"set {n:02}": "baker" for n in range(5)}))


def test_few_image_sets_have_no_interval_and_say_so() -> None:
    answers, _ = study(sets=4)

    row = line(run(answers, bootstrap=50), GENDER.id, "annotators", "raw_agreement")

    assert np.isnan(row["low"])
    assert "fewer than 5" in row["reason"]


def test_replicates_that_are_undefined_are_counted() -> None:
    rows = [(who, f"set {n}", GENDER.id, "female", 9.0) for n in range(8) for who in PEOPLE]
    rows[0] = ("Ada", "set 0", GENDER.id, "male", 9.0)

    row = line(run(frame(rows), bootstrap=200, questions=(GENDER,)), GENDER.id, "annotators", "fleiss_kappa")

    assert "% of replicates" in row["reason"]
    assert 0.2 < float(row["reason"].split("undefined in ")[1].split("%")[0]) / 100 < 0.5


def test_unknown_as_a_label_and_left_out_are_two_tables() -> None:
    answers = frame(
        [("Ada", f"set {n}", GENDER.id, "unknown" if n < 3 else "female", None) for n in range(6)]
        + [("Ben", f"set {n}", GENDER.id, "unknown" if n < 2 else "female", None) for n in range(6)]
    )

    kept = run(answers, questions=(GENDER,))
    without = run(answers, questions=(GENDER,), unknown="left out")

    assert line(kept, GENDER.id, "annotators", "raw_agreement")["value"] == pytest.approx(5 / 6)
    assert line(without, GENDER.id, "annotators", "raw_agreement")["value"] == 1.0
    assert line(without, GENDER.id, "annotators", "raw_agreement")["excluded"] == 3
    assert without.run["rows"]["answers"]["left_out"] == {"unknown": 5}
    assert line(kept, GENDER.id, "annotators", "gwet_ac1")["categories"] == 4
    assert line(without, GENDER.id, "annotators", "gwet_ac1")["categories"] == 3
    pd.testing.assert_frame_equal(kept.tables["consensus"], without.tables["consensus"])


def test_every_row_that_came_in_is_used_or_left_out_for_a_reason() -> None:
    answers, pipeline = study(11)
    extra = frame([("Ada", "set 00", "mood", "calm", 5.0), ("Ada", "set 99", GENDER.id, "", 4.0)])
    extra.loc[len(extra)] = ["Ben", "set 99", GENDER.id, "female", 3.0, "flagged"]
    stranger = pd.DataFrame(
        [("set 77", GENDER.id, "female", 5.0, "mode"), ("set 00", "mood", "calm", 5.0, "mode")],
        columns=pipeline.columns,
    )

    rows = run(pd.concat([answers, extra]), pd.concat([pipeline, stranger])).run["rows"]

    assert rows["answers"]["left_out"] == {"no label": 1, "question not asked": 1, "status flagged": 1}
    assert rows["sliders"]["left_out"] == {"no label": 1, "question not asked": 1, "status flagged": 1}
    assert rows["pipeline"]["left_out"] == {"image set without an answer": 1, "question not asked": 1}
    for account in rows.values():
        assert account["in"] == account["used"] + sum(account["left_out"].values())


def test_a_label_nobody_offered_stays_an_answer_and_is_named() -> None:
    answers, _ = study(12)
    answers.loc[0, ["label", "status"]] = ["robot", "ok"]

    row = line(run(answers), GENDER.id, "annotators", "gwet_ac1")

    assert row["categories"] == 5
    assert "a label that was not offered: robot" in row["reason"]


def test_open_questions_meet_in_lower_case_and_count_the_labels_given() -> None:
    answers = frame(
        [
            ("Ada", "set 1", ITEMS.id, "Coffee  mug", 5.0),
            ("Ben", "set 1", ITEMS.id, "coffee mug", 5.0),
            ("Ada", "set 2", ITEMS.id, "tray", 5.0),
            ("Ben", "set 2", ITEMS.id, "plate", 5.0),
        ]
    )

    row = line(run(answers, questions=(ITEMS,)), ITEMS.id, "annotators", "raw_agreement")

    assert row["value"] == 0.5
    assert "open question" in row["reason"]


def test_answers_from_elsewhere_bring_their_own_questions() -> None:
    answers, _ = study(23)
    answers["question"] = answers["question"].replace({GENDER.id: "hat size"})

    questions = questions_in(answers, (GENDER, TONE))
    row = line(run(answers, questions=questions), "hat size", "annotators", "raw_agreement")

    assert [question.id for question in questions] == [TONE.id, "hat size"]
    matrix, size = coded(answers.replace({"question": {"hat size": GENDER.id}}), GENDER)
    same(row["value"], raw_agreement(matrix, size))


def test_consensus_names_how_and_keeps_both_means() -> None:
    answers = frame(
        [
            ("Ada", "set 1", GENDER.id, "female", 8.0),
            ("Ben", "set 1", GENDER.id, "female", 6.0),
            ("Cem", "set 1", GENDER.id, "male", 1.0),
            ("Ada", "set 2", GENDER.id, "male", 5.0),
        ]
    )

    table = run(answers, questions=(GENDER, TONE)).tables["consensus"]

    first = table.iloc[0]
    assert (first["label"], first["how"], first["votes"]) == ("female", "majority", "female 2, male 1")
    assert (first["slider_mean_winner"], first["slider_mean_all"]) == (7.0, 5.0)
    assert table["how"].tolist() == ["majority", "one answer", "no answer", "no answer"]


def test_counts_are_compared_between_those_who_chose_the_same_label() -> None:
    rng = np.random.default_rng(0)
    rows: list[Row] = []
    for number in range(12):
        count = int(rng.integers(2, 9))
        rows += [("Ada", f"set {number:02}", GENDER.id, "female", count)]
        rows += [("Ben", f"set {number:02}", GENDER.id, "female", count + 1)]
        rows += [("Cem", f"set {number:02}", GENDER.id, "male", 10 - count)]
    result = run(frame(rows), questions=(GENDER,))

    pair = line(result, GENDER.id, "Ada and Ben", "bias", "interval")
    apart = line(result, GENDER.id, "Ada and Cem", "mean_absolute_error", "interval")

    assert (pair["value"], pair["units"], pair["excluded"]) == (1.0, 12, 0)
    assert np.isnan(apart["value"])
    assert "same label" in apart["reason"]
    assert apart["excluded"] == 12


def test_slider_measures_are_those_of_the_counts_of_one_label() -> None:
    rng = np.random.default_rng(1)
    counts = np.clip(rng.integers(2, 10, (20, 1)) + rng.integers(-1, 2, (20, 3)), 0, 10).astype(float)
    counts[3, 1], counts[7, 0] = np.nan, 0.0
    rows = [
        (who, f"set {n:02}", GENDER.id, "female", None if np.isnan(counts[n, k]) else counts[n, k])
        for n in range(20)
        for k, who in enumerate(PEOPLE)
    ]
    codes = np.where(np.isnan(counts), -1, counts).astype(int)

    result = run(frame(rows), questions=(GENDER,))

    def value(statistic: str, scope: str = "annotators", question: str = GENDER.id) -> float:
        return float(line(result, question, scope, statistic, "interval")["value"])

    for question in (GENDER.id, "POOLED", "ALL"):
        same(value("icc_2_1", question=question), intraclass(counts).icc_2_1)
        same(value("concordance", question=question), concordance_mean(counts))
        same(value("krippendorff_alpha", question=question), krippendorff_alpha(codes, 11, "interval"))
    pair = count_error(counts[:, 0], counts[:, 1])
    same(value("mean_absolute_error", "Ada and Ben"), pair.mean_absolute_error)
    same(value("bias", "Ada and Ben"), pair.bias)
    assert line(result, GENDER.id, "annotators", "icc_2_1", "interval")["units"] == 19


def test_pipeline_is_compared_with_the_consensus() -> None:
    answers, pipeline = study(13)
    result = run(answers, pipeline)
    consensus = result.tables["consensus"]
    agreed = consensus[consensus["question"] == GENDER.id].set_index("image_set")
    read = pipeline[pipeline["question"] == GENDER.id].set_index("image_set")
    labels = [*GENDER.option_ids, "unknown"]
    both = [
        (labels.index(agreed["label"][name]), labels.index(read["label"][name]))
        for name in agreed.index
        if agreed["label"][name]
    ]

    for statistic, measure in OF_TWO.items():
        row = line(result, GENDER.id, "pipeline", statistic)
        same(row["value"], measure(np.array(both), len(labels)))
        assert row["units"] == len(both)


def test_bias_of_the_pipeline_is_its_count_minus_the_people() -> None:
    answers = frame([(who, f"set {n}", GENDER.id, "female", 5.0) for n in range(6) for who in PEOPLE])
    pipeline = pd.DataFrame(
        [(f"set {n}", GENDER.id, "female", 7.0, "mode") for n in range(6)],
        columns=["image_set", "question", "label", "slider", "how"],
    )

    row = line(run(answers, pipeline, questions=(GENDER,)), GENDER.id, "pipeline", "bias", "interval")

    assert row["value"] == 2.0


def test_mixed_and_unresolved_are_left_out_by_reason_and_stand_in_the_confusion() -> None:
    votes = {
        "set 1": ("warm", "warm", "cool"),
        "set 2": ("warm", "warm", "warm"),
        "set 3": ("warm", "cool", "neutral"),
        "set 4": ("mixed", "mixed", "mixed"),
        "set 5": ("cool", "cool", "cool"),
    }
    answers = frame(
        [(w, s, COLOR.id, v, 5.0) for s, vs in votes.items() for w, v in zip(PEOPLE, vs, strict=True)]
    )
    pipeline = pd.DataFrame(
        [
            ("set 1", COLOR.id, "warm", 8.0, "mode"),
            ("set 2", COLOR.id, "", np.nan, "tie"),
            ("set 3", COLOR.id, "warm", 8.0, "mode"),
            ("set 4", COLOR.id, "mixed", 8.0, "mode"),
        ],
        columns=["image_set", "question", "label", "slider", "how"],
    )

    result = run(answers, pipeline, questions=(COLOR,))

    row = line(result, COLOR.id, "pipeline", "raw_agreement")
    assert (row["value"], row["units"], row["excluded"]) == (1.0, 2, 3)
    assert result.run["left_out"]["pipeline"][COLOR.id] == {
        "people: unresolved": 1,
        "pipeline: mixed": 1,
        "pipeline: no pipeline answer": 1,
    }
    confusion = result.tables["confusion"].set_index(["human", "pipeline"])["count"].to_dict()
    assert confusion == {
        ("warm", "warm"): 1,
        ("warm", "(mixed)"): 1,
        ("(unresolved)", "warm"): 1,
        ("mixed", "mixed"): 1,
        ("cool", "(no pipeline answer)"): 1,
    }


def test_confusion_counts_every_image_set_once_a_question() -> None:
    answers, pipeline = study(14, missing=0.3)

    table = run(answers, pipeline).tables["confusion"]

    assert table.groupby("question")["count"].sum().to_dict() == {GENDER.id: 30, TONE.id: 30}


@pytest.mark.parametrize("missing", [0.0, 0.25])
def test_leaving_one_person_out_equals_the_plain_function(missing: float) -> None:
    answers, pipeline = study(15, missing=missing)
    result = run(answers, pipeline)
    matrix, size = coded(answers, GENDER)
    labels = [*GENDER.option_ids, "unknown"]
    read = pipeline[pipeline["question"] == GENDER.id].set_index("image_set")["label"]
    machine = np.array([labels.index(read[name]) for name in sorted(answers["image_set"].unique())])

    expected = leave_one_out(matrix, size, machine)

    for one in expected.each:
        name = PEOPLE[one.rater]
        person = line(result, GENDER.id, f"{name} with the rest", "raw_agreement")
        same(person["value"], one.person)
        assert person["units"] == one.person.n
        place = f"pipeline in the place of {name}"
        same(line(result, GENDER.id, place, "raw_agreement")["value"], one.pipeline)
        same(line(result, GENDER.id, place, "cohen_kappa_mean")["value"], one.pipeline_kappa)
    same(line(result, GENDER.id, "people with the rest", "raw_agreement")["value"], expected.people)
    same(line(result, GENDER.id, "people with the rest", "cohen_kappa_mean")["value"], expected.people_kappa)
    machine_row = line(result, GENDER.id, "pipeline with the rest", "cohen_kappa_mean")
    same(machine_row["value"], expected.pipeline_kappa)
    assert line(result, GENDER.id, "pipeline minus people", "raw_agreement")["value"] == pytest.approx(
        expected.pipeline.value - expected.people.value
    )


def test_a_pipeline_as_good_as_a_person_has_a_difference_whose_interval_holds_zero() -> None:
    equal, as_good = study(16, sets=120)
    worse = study(16, sets=120, right=0.5)[1]

    good = line(run(equal, as_good, bootstrap=200), "ALL", "pipeline minus people", "raw_agreement")
    bad = line(run(equal, worse, bootstrap=200), "ALL", "pipeline minus people", "raw_agreement")

    assert good["low"] < 0.06
    assert good["high"] > -0.06
    assert bad["high"] < 0


def test_the_run_tells_how_often_the_pipeline_is_at_least_as_good_as_each_person() -> None:
    answers, pipeline = study(17)

    told = run(answers, pipeline).run["leave_one_out"]

    assert set(told) == set(PEOPLE)
    assert told["Ada"]["pipeline_at_least_as_good"] + told["Ada"]["pipeline_at_most_as_good"] >= 1.0


def test_without_a_pipeline_only_people_are_compared() -> None:
    answers, _ = study(18)

    result = run(answers)

    assert not [scope for scope in result.tables["agreement"]["scope"].unique() if "pipeline" in scope]
    assert result.tables["confusion"].empty
    assert line(result, "ALL", "people with the rest", "raw_agreement")["value"] == pytest.approx(
        line(result, "ALL", "annotators", "raw_agreement")["value"]
    )


def test_one_annotator_has_reasons_instead_of_coefficients() -> None:
    answers, pipeline = study(19)

    result = run(answers[answers["annotator"] == "Ada"], pipeline)

    row = line(result, GENDER.id, "annotators", "fleiss_kappa")
    assert np.isnan(row["value"])
    assert "no unit shared" in row["reason"]
    assert line(result, GENDER.id, "pipeline", "raw_agreement")["value"] > 0.5


def test_simulated_people_are_named_in_the_run() -> None:
    answers, _ = study(20)
    answers["is_simulated"] = answers["annotator"] == "Ben"

    assert run(answers).run["simulated"] == ["Ben"]


def test_prevalences_stand_beside_the_coefficients() -> None:
    answers = frame([(who, f"set {n}", GENDER.id, "female", 9.0) for n in range(5) for who in PEOPLE])

    told = run(answers, questions=(GENDER,)).run["prevalence"][GENDER.id]

    assert told == {"shares": {"female": 1.0}, "index": 1.0}


def test_the_job_tells_which_scope_it_is_at() -> None:
    answers, pipeline = study(sets=6)

    steps = list(agreement(answers, pipeline, (GENDER,), bootstrap=0))

    assert steps[0].text == "annotators"
    assert steps[-1].done == steps[-1].total
    done = [step.done / step.total for step in steps]
    assert done == sorted(done)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda answers: answers.drop(columns="slider"), "'slider'"),
        (lambda answers: pd.concat([answers, answers[:1]]), "twice"),
        (lambda answers: answers.assign(slider=11), "count 11"),
        (lambda answers: answers[:0], "no answers"),
    ],
)
def test_answers_that_cannot_be_used_are_refused_with_a_sentence(
    change: Callable[[pd.DataFrame], pd.DataFrame], sentence: str
) -> None:
    answers, _ = study(sets=3)

    with pytest.raises(BadInput, match=sentence):
        run(change(answers))


def test_a_cell_opens_its_image_sets() -> None:
    answers, _ = study(21, missing=0.1)
    matrix, _ = coded(answers, GENDER)
    both = matrix[(matrix[:, :2] >= 0).all(axis=1)]

    found = contingency(answers, GENDER, "Ada", "Ben")

    assert found.labels == (*GENDER.option_ids, "unknown")
    assert found.matrix.sum() == len(both)
    assert np.trace(found.matrix) == (both[:, 0] == both[:, 1]).sum()
    for cell, image_sets in found.image_sets.items():
        assert found.matrix[cell] == len(image_sets)
        for name in image_sets:
            rows = answers[(answers["image_set"] == name) & (answers["question"] == GENDER.id)]
            said = {row.annotator: row.label or "unknown" for row in rows.itertuples()}
            assert (said["Ada"], said["Ben"]) == (found.labels[cell[0]], found.labels[cell[1]])


def test_consensus_and_pipeline_open_the_cells_of_the_confusion() -> None:
    answers, pipeline = study(22, missing=0.2)
    result = run(answers, pipeline)

    found = contingency(answers, GENDER, "consensus", "pipeline", pipeline=pipeline)

    table = result.tables["confusion"]
    expected = table[table["question"] == GENDER.id].set_index(["human", "pipeline"])["count"].to_dict()
    told = {
        (found.labels[a], found.labels[b]): len(image_sets) for (a, b), image_sets in found.image_sets.items()
    }
    assert told == expected


def test_a_cell_of_somebody_who_did_not_answer_is_refused() -> None:
    answers, _ = study(sets=3)

    with pytest.raises(BadInput, match="Dora"):
        contingency(answers, GENDER, "Ada", "Dora")


def test_implied_kappa_is_what_simulation_gives_in_the_long_run() -> None:
    confusion, shares = np.array([[0.9, 0.07, 0.03], [0.2, 0.7, 0.1], [0.0, 0.1, 0.9]]), [0.7, 0.2, 0.1]
    rng = np.random.default_rng(0)
    truth = rng.choice(3, size=60_000, p=shares)
    read = (rng.random(60_000)[:, None] > confusion[truth].cumsum(axis=1)).sum(axis=1)

    implied = implied_kappa(confusion, shares)

    assert implied.value == pytest.approx(cohen_kappa(np.column_stack([truth, read]), 3).value, abs=0.01)


def test_implied_kappa_of_a_perfect_reader_is_one_and_of_one_truth_undefined() -> None:
    assert implied_kappa(np.eye(2), [0.3, 0.7]).value == pytest.approx(1.0)
    assert implied_kappa(np.eye(2), [1.0, 0.0]).value is None
    with pytest.raises(ValueError, match="sum to 1"):
        implied_kappa([[0.9, 0.2], [0.5, 0.5]], [0.5, 0.5])


def marked(rows: Sequence[tuple[str, str, str, Sequence[int], int | None]]) -> pd.DataFrame:
    """Answers to the gender question from (annotator, image set, label, marks, slider)."""
    table = frame([(who, where, GENDER.id, label, slider) for who, where, label, _, slider in rows])
    table["marks"] = [json.dumps(list(marks)) if marks else "" for *_, marks, _ in rows]
    return table


def image_readings(labels: Sequence[str], image_set: str = "set 1") -> pd.DataFrame:
    return pd.DataFrame(
        [(image_set, n, f"image {n}", GENDER.id, label, "ok") for n, label in enumerate(labels)],
        columns=["image_set", "position", "image", "question", "label", "status"],
    )


def test_marks_compare_people_on_single_images_by_hand() -> None:
    answers = marked(
        [("Ada", "set 1", "female", range(7), 7), ("Ben", "set 1", "female", range(1, 8), 7)]
        + [(who, f"set {n}", "female", range(9), 9) for n in range(2, 6) for who in ("Ada", "Ben")]
    )

    row = line(run(answers, questions=(GENDER,)), GENDER.id, "annotators image", "raw_agreement")

    assert (row["units"], row["value"]) == (50, pytest.approx(48 / 50))


def test_people_with_different_labels_say_nothing_about_each_others_images() -> None:
    answers = marked(
        [
            ("Ada", "set 1", "female", range(7), 7),
            ("Ben", "set 1", "male", range(7, 10), 3),
            ("Cem", "set 1", "female", range(6), 6),
        ]
    )

    result = run(answers, questions=(GENDER,))

    assert line(result, GENDER.id, "annotators image", "raw_agreement")["units"] == 10
    assert line(result, GENDER.id, "Ada and Ben image", "raw_agreement")["units"] == 0
    assert line(result, GENDER.id, "Ada and Cem image", "raw_agreement")["value"] == 0.9


def test_marks_that_are_not_the_count_are_left_out() -> None:
    answers = marked(
        [
            ("Ada", "set 1", "female", range(7), 7),
            ("Ben", "set 1", "female", range(7), 5),
            ("Cem", "set 1", "unknown", range(2), None),
        ]
    )

    rows = run(answers, questions=(GENDER,)).run["rows"]["marks"]

    assert rows == {
        "in": 3,
        "used": 1,
        "left_out": {"count differs from the number of marks": 1, "no label": 1},
    }


def test_marks_are_compared_with_what_the_pipeline_read_off_each_image() -> None:
    answers = marked([(who, "set 1", "female", range(6), 6) for who in PEOPLE])
    readings = image_readings([*["female"] * 5, *["male"] * 4, ""])
    readings.loc[9, "status"] = "refused"
    pipeline = pipeline_answers(readings, [GENDER])

    result = run(answers, pipeline, questions=(GENDER,), readings=readings)

    row = line(result, GENDER.id, "pipeline image", "raw_agreement")
    assert (row["value"], row["units"], row["excluded"]) == (pytest.approx(8 / 9), 9, 1)


def test_a_question_that_the_extractor_does_not_read_has_no_value_and_says_so() -> None:
    answers, _ = study(sets=6, unknown=0.0)
    images = [(f"set {n:02}", 0, f"image {n}", GENDER.id, "female", "ok") for n in range(6)]
    names = ["image_set", "position", "image", "question", "label", "status"]
    readings = pd.DataFrame(images, columns=names)
    unread = readings.assign(question="mood", label="unknown", status="unknown")
    readings = pd.concat([readings, unread])
    readings.attrs["not_measured"] = {"mood": "pixels"}
    questions = [QUESTIONS["mood"], GENDER]
    answers = pd.concat(
        [answers[answers["question"] == GENDER.id].assign(question=one.id) for one in questions]
    )
    answers["label"] = answers["label"].where(answers["question"] == GENDER.id, "calm")

    result = run(answers, pipeline_answers(readings, questions), questions=questions, readings=readings)

    for statistic in ("cohen_kappa", "raw_agreement", "gwet_ac1"):
        row = line(result, "mood", "pipeline", statistic)
        assert np.isnan(row["value"])
        assert row["reason"].startswith("not measured by pixels")
    assert "undefined and left out: mood" in line(result, "ALL", "pipeline", "raw_agreement")["reason"]
    assert line(result, "mood", "annotators", "raw_agreement")["value"] == 1.0
    table = result.tables["confusion"]
    assert set(table.loc[table["question"] == "mood", "pipeline"]) == {"(not measured by pixels)"}


def test_an_image_set_of_seven_has_seven_images() -> None:
    answers = marked([(who, "set 1", "female", range(6), 6) for who in PEOPLE])
    readings = image_readings(["female"] * 7)

    result = run(answers, pipeline_answers(readings, [GENDER]), questions=(GENDER,), readings=readings)

    assert line(result, GENDER.id, "annotators image", "raw_agreement")["units"] == 7


def test_without_marks_there_are_no_rows_for_images() -> None:
    answers, _ = study(sets=6)
    answers["marks"] = ""

    scopes = run(answers).tables["agreement"]["scope"].unique()

    assert not [scope for scope in scopes if scope.endswith(" image")]


def test_marks_that_are_no_positions_are_refused() -> None:
    answers = marked([("Ada", "set 1", "female", [3], 1)])
    answers["marks"] = "[12]"

    with pytest.raises(BadInput, match="not a list of positions"):
        run(answers, questions=(GENDER,))


def test_readings_behind_single_images_are_used_or_left_out_by_reason() -> None:
    answers = marked(
        [(who, "set 1", "female", range(6), 6) for who in PEOPLE]
        + [(who, "set 2", "male", [], 4) for who in PEOPLE]
    )
    readings = pd.concat([image_readings(["female"] * 10), image_readings(["male"] * 10, "set 2")])
    other = image_readings(["calm"] * 10).assign(question="mood")
    readings = pd.concat([readings, other], ignore_index=True)

    result = run(answers, pipeline_answers(readings, [GENDER]), questions=(GENDER,), readings=readings)

    assert result.run["rows"]["readings"] == {
        "in": 30,
        "used": 10,
        "left_out": {"no question asks for the dimension": 10, "nobody marked the image set": 10},
    }
    table = result.tables["agreement"]
    whole = table[table["scope"].str.endswith(" image") & (table["level"] == "nominal")]
    whole = whole[whole["question"] == GENDER.id]
    assert (whole["units"] + whole["excluded"] == 10).all()
    row = line(result, GENDER.id, "pipeline image", "raw_agreement")
    assert (row["value"], row["units"]) == (0.6, 10)


def test_the_pipeline_on_single_images_is_measured_beside_each_person() -> None:
    answers = marked(
        [
            ("Ada", "set 1", "female", range(6), 6),
            ("Ben", "set 1", "female", range(6), 6),
            ("Cem", "set 1", "female", range(8), 8),
        ]
    )
    readings = image_readings([*["female"] * 7, *["male"] * 3])
    pipeline = pipeline_answers(readings, [GENDER])

    result = run(answers, pipeline, questions=(GENDER,), readings=readings)

    cem = line(result, GENDER.id, "Cem with the rest image", "raw_agreement")["value"]
    place = line(result, GENDER.id, "pipeline in the place of Cem image", "raw_agreement")["value"]
    assert (cem, place) == (pytest.approx(0.8), pytest.approx(0.9))
    people = line(result, GENDER.id, "people with the rest image", "raw_agreement")["value"]
    machine = line(result, GENDER.id, "pipeline with the rest image", "raw_agreement")["value"]
    assert people == pytest.approx((0.9 + 0.9 + 0.8) / 3)
    assert machine == pytest.approx(0.9)


def test_beside_each_value_stands_what_it_is_without_unknown() -> None:
    answers, pipeline = study(unknown=0.3)
    key = ["question", "scope", "statistic", "level"]

    both = run(answers, pipeline).tables["agreement"].set_index(key)
    bare = run(answers, pipeline, unknown="left out").tables["agreement"].set_index(key)

    pd.testing.assert_series_equal(
        both["without_unknown"], bare["value"].reindex(both.index), check_names=False, rtol=1e-12
    )
    assert (both["value"] - both["without_unknown"]).abs().max() > 0.01
