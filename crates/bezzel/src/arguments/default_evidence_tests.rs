//! The table in `docs/defaults.md`: the default encoder of each shape of constraints beside the other encoders, by all
//! committed evidence. `BEZZEL_BLESS=1 cargo test -p bezzel --lib evidence` writes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use bezzel_encode::Settings;
use bezzel_encode::registry::Name;
use bezzel_experiment::{ExperimentRecord, Row, Task, Verdict};
use bezzel_problem::{Instance, Problem};
use bezzel_report::row_statistics::cell::is_counted;
use bezzel_solve::Answer;
use bezzel_statistics::{
    Contrast, DRAWS, DesignInstance, Estimate, LEVEL, Observation, PairedDesign, Relation,
    estimate, simultaneous, tolerance,
};
use serde_json::json;

use super::*;

#[path = "default_page_tests.rs"]
mod page;

/// The encoders that commands take, although the evidence shows another one to be faster.
const SLOWER: [&str; 2] = [
    "at most one, short, unsatisfiable: product than sequential-counter",
    "at most one, long, unsatisfiable: product than commander:3",
];

/// The encoder with which the default of at most one is compared.
const RIVAL: &str = "commander:3";

/// The offset of a ratio of times, in seconds.
const OFFSET: f64 = 1e-4;

/// The largest group of an instance with short groups.
const SHORT: u64 = 10;

/// The largest small weight.
const SMALL: u64 = 100;

/// The shape of the hardest constraint of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    ShortAtMostOne,
    LongAtMostOne,
    LargerBound,
    SmallWeights,
    LargeWeights,
}

impl Shape {
    fn of(problem: &Problem) -> Self {
        let families = || problem.families().iter();
        let weights = families().filter_map(|family| family.weights()?.items().iter().max());
        if let Some(&largest) = weights.max() {
            return if largest <= SMALL { Self::SmallWeights } else { Self::LargeWeights };
        }
        if families().any(|family| encoder(family, HEAVY[0]) == LARGER) {
            return Self::LargerBound;
        }
        let bounded = families().filter(|family| family.bounds().at_most == Some(1));
        let longest = bounded.filter_map(|family| family.lengths().max()).max();
        if longest.unwrap_or(0) <= SHORT { Self::ShortAtMostOne } else { Self::LongAtMostOne }
    }

    fn words(self) -> &'static str {
        match self {
            Self::ShortAtMostOne => "at most one, short",
            Self::LongAtMostOne => "at most one, long",
            Self::LargerBound => "at most k",
            Self::SmallWeights => "small weights",
            Self::LargeWeights => "large weights",
        }
    }

    /// The encoder that commands take.
    fn default(self) -> &'static str {
        match self {
            Self::ShortAtMostOne | Self::LongAtMostOne => AT_MOST_ONE,
            Self::LargerBound => LARGER,
            Self::SmallWeights | Self::LargeWeights => HEAVY[0],
        }
    }
}

/// The logarithms of the times of the encoders under the same conditions.
type Cell = BTreeMap<String, f64>;

/// The cells of each family, by shape and answer.
type Evidence = BTreeMap<(Shape, bool), BTreeMap<String, BTreeMap<String, Cell>>>;

/// The part of each encoding that varies, if all are maps with the same keys that differ in one: as in `{slots: pairwise,
/// windows: product}`. Otherwise the whole names.
fn varied(encodings: &BTreeSet<&str>) -> BTreeMap<String, String> {
    let whole = || encodings.iter().map(|id| ((*id).to_owned(), (*id).to_owned())).collect();
    let maps = encodings.iter().map(|id| match Name::parse(id) {
        Ok(Name::Map(entries)) => Some(entries),
        _ => None,
    });
    let Some(maps) = maps.collect::<Option<Vec<_>>>() else { return whole() };
    let keys = |entries: &[(String, Name)]| -> Vec<String> {
        entries.iter().map(|(key, _)| key.clone()).collect()
    };
    if maps.len() < 2 || maps.iter().any(|entries| keys(entries) != keys(&maps[0])) {
        return whole();
    }
    let differs = |place: &usize| maps.iter().any(|entries| entries[*place].1 != maps[0][*place].1);
    let varying: Vec<usize> = (0..maps[0].len()).filter(differs).collect();
    let [varying] = varying[..] else { return whole() };
    let parts = maps.iter().map(|entries| entries[varying].1.to_string());
    encodings.iter().map(|id| (*id).to_owned()).zip(parts).collect()
}

/// The family of an instance, without its answer.
fn family(record: &ExperimentRecord, instance: &Instance) -> String {
    let stated = instance.file().and(record.families.get(instance));
    let stated = stated.and_then(|family| family.split(',').next()).map(str::to_owned);
    let derived = || instance.reported().family();
    stated.or_else(derived).unwrap_or_else(|| instance.kind().to_owned())
}

/// True for a run whose time is compared.
fn is_compared(row: &Row) -> bool {
    let job = &row.job;
    let Settings { constraints, .. } = job.settings;
    job.task == Task::Solve
        && job.solver == "cadical"
        && serde_json::to_value(&*job.options).is_ok_and(|options| options == json!({"factor": 0}))
        && job.settings == Settings { constraints, ..Settings::default() }
        && is_counted(row)
        && !row.is_disturbed()
        && !(row.solved() && row.verdict == Verdict::Unchecked)
}

/// Adds the runs of a record.
fn add(evidence: &mut Evidence, record: &ExperimentRecord) {
    let rows = || record.rows.iter().filter(|row| is_compared(row));
    let names = varied(&rows().map(|row| row.job.encoding.as_str()).collect());
    let mut known: BTreeMap<&Instance, (Shape, Option<Answer>)> = BTreeMap::new();
    for row in rows() {
        let instance = &row.job.instance;
        let (_, answer) =
            known.entry(instance).or_insert_with(|| (Shape::of(&instance.problem()), None));
        if row.solved() {
            *answer = Some(row.status);
        }
    }
    for row in rows() {
        let job = &row.job;
        let (shape, Some(answer)) = known[&job.instance] else { continue };
        let time = row.solve_cpu_s.filter(|_| row.solved()).unwrap_or(2.0 * job.limits.cpu_s);
        let key = format!(
            "{} {} {:?} {} {:?} {:?} {:?}",
            record.name,
            job.instance,
            job.numbering,
            job.repeat,
            job.settings,
            job.limits,
            job.proof
        );
        let families = evidence.entry((shape, answer == Answer::Sat)).or_default();
        let cells = families.entry(family(record, &job.instance)).or_default();
        cells.entry(key).or_default().insert(names[&job.encoding].clone(), (time + OFFSET).ln());
    }
}

/// The means of the encoders of a row on a family.
type Means = BTreeMap<String, f64>;

/// The families of a row with the means of its encoders.
fn means(
    cells: &BTreeMap<String, BTreeMap<String, Cell>>,
    default: &str,
) -> BTreeMap<String, Means> {
    let measured = |cells: &BTreeMap<String, Cell>, encoder: &str| {
        cells.values().any(|cell| cell.contains_key(encoder) && cell.contains_key(default))
    };
    let of_default: Vec<_> = cells
        .values()
        .filter(|cells| cells.values().any(|cell| cell.len() > 1 && cell.contains_key(default)))
        .collect();
    let all: BTreeSet<&String> =
        of_default.iter().flat_map(|cells| cells.values().flat_map(Cell::keys)).collect();
    let is_common = |encoder: &&String| {
        let on = of_default.iter().filter(|cells| measured(cells, encoder)).count();
        4 * on >= 3 * of_default.len()
    };
    let encoders: Vec<&String> = all.into_iter().filter(is_common).collect();
    let mut families = BTreeMap::new();
    for (family, cells) in cells {
        let whole: Vec<&Cell> = cells
            .values()
            .filter(|cell| encoders.iter().all(|encoder| cell.contains_key(*encoder)))
            .collect();
        if !whole.is_empty() && encoders.len() > 1 {
            let mean = |encoder: &&String| {
                let sum: f64 = whole.iter().map(|cell| cell[*encoder]).sum();
                ((*encoder).clone(), sum / whole.len() as f64)
            };
            families.insert(family.clone(), encoders.iter().map(mean).collect());
        }
    }
    families
}

/// The regrets of an encoder, by family.
fn regrets(families: &BTreeMap<String, Means>, encoder: &str) -> Vec<f64> {
    let regret = |means: &Means| {
        let least = means.values().copied().fold(f64::INFINITY, f64::min);
        (means[encoder] - least).exp()
    };
    families.values().map(regret).collect()
}

fn mean_regret(regrets: &[f64]) -> f64 {
    (regrets.iter().map(|regret| regret.ln()).sum::<f64>() / regrets.len() as f64).exp()
}

/// An encoder with its mean regret and its bound.
fn described(encoder: &str, regrets: &[f64]) -> String {
    let bound = [0.9, 0.8].into_iter().find_map(|share| {
        let bound = tolerance::upper_bound(regrets, share, LEVEL)?;
        Some(format!("≤ {:.2} on {:.0} %", (100.0 * bound).ceil() / 100.0, 100.0 * share))
    });
    let needed = tolerance::min_count(0.9, LEVEL);
    let bound = bound.unwrap_or_else(|| format!("too few families: {} of {needed}", regrets.len()));
    format!("`{encoder}`: {:.2}, {bound}", mean_regret(regrets))
}

/// The relations of the times of an encoder to those of each other one of a row, with the ratios. The intervals hold
/// simultaneously.
fn compared(
    families: &BTreeMap<String, Means>,
    encoder: &str,
    others: &[&str],
) -> BTreeMap<String, (Relation, String)> {
    let mut design = PairedDesign::new(others.len() + 1);
    for (name, means) in families {
        let seen = std::iter::once(&encoder).chain(others);
        let seen = seen.map(|encoder| vec![Observation::Exact(means[*encoder].exp())]);
        let instance = DesignInstance { name: name.clone(), family: String::new() };
        design.push(instance, seen.collect());
    }
    let contrasts: Vec<Contrast> = (1..=others.len()).map(|other| Contrast::of(0, other)).collect();
    let estimated = estimate(&design, &contrasts, simultaneous(LEVEL, others.len()), DRAWS);
    let described = others.iter().zip(estimated).map(|(other, of)| {
        let relation = Relation::of(of.interval, 0.0);
        let ends = of.interval.and_then(|of| of.low.zip(of.high));
        let ends = ends.map_or(String::new(), |(low, high)| format!(" [{low:.2}, {high:.2}]"));
        let ratio = of.ratio.estimate.and_then(Estimate::exact).expect("times are exact");
        let word = match relation {
            Relation::TooFewInstances => "too few families".to_owned(),
            other => other.to_string(),
        };
        ((*other).to_owned(), (relation, format!("{ratio:.2}{ends}, {word}")))
    });
    described.collect()
}

/// A line of the table. Encoders that are shown to be slower than another one are added to `slower`.
fn line(
    shape: Shape,
    is_sat: bool,
    families: &BTreeMap<String, Means>,
    slower: &mut Vec<String>,
) -> String {
    let answer = if is_sat { "satisfiable" } else { "unsatisfiable" };
    let (words, default, first) = (shape.words(), shape.default(), FIRST_TUNED);
    let encoders = families.values().next().expect("there is evidence").keys();
    let encoders: Vec<&str> = encoders.map(String::as_str).collect();
    let mean = |encoder: &str| mean_regret(&regrets(families, encoder));
    let best = encoders.iter().min_by(|one, two| mean(one).total_cmp(&mean(two)));
    let best = *best.expect("there are several");
    let mut ratio = "the same".to_owned();
    for own in [default, first].into_iter().filter(|own| encoders.contains(own)) {
        let others: Vec<&str> = encoders.iter().copied().filter(|other| *other != own).collect();
        let compared = compared(families, own, &others);
        if own == default && best != default {
            ratio.clone_from(&compared[best].1);
        }
        let faster = compared.iter().filter(|(_, (relation, _))| *relation == Relation::More);
        slower.extend(faster.map(|(other, _)| format!("{words}, {answer}: {own} than {other}")));
    }
    let described = |encoder: &str| {
        if encoders.contains(&encoder) {
            described(encoder, &regrets(families, encoder))
        } else {
            format!("`{encoder}`: not measured")
        }
    };
    let names: Vec<&str> = families.keys().map(String::as_str).collect();
    format!(
        "| {words} | {answer} | {}: {} | {} | {} | {} | {ratio} |\n",
        families.len(),
        names.join("; "),
        described(default),
        described(first),
        described(best),
    )
}

/// The geometric mean of the ratios of the rival's times to those of the default of at most one, in words.
fn ratio_of_rival(evidence: &Evidence) -> String {
    let of_one = evidence.iter().filter(|((shape, _), _)| shape.default() == AT_MOST_ONE);
    let cells = of_one.flat_map(|(_, families)| families.values()).flat_map(BTreeMap::values);
    let ratios: Vec<f64> =
        cells.filter_map(|cell| Some(cell.get(RIVAL)? - cell.get(AT_MOST_ONE)?)).collect();
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    format!("{:.2} times the time of `{AT_MOST_ONE}` in {} pairs of runs", mean.exp(), ratios.len())
}

#[test]
fn the_defaults_are_those_of_the_table_with_the_encoders_that_are_shown_to_be_faster() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let catalog = bezzel_queens::experiment::catalog();
    let mut evidence = Evidence::new();
    let mut folders: Vec<_> = fs::read_dir(root.join("experiments"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    let mut judging = Evidence::new();
    for folder in folders.into_iter().filter(|path| path.is_dir()) {
        // Its instances judge the defaults (docs/tuning.md), so they are no evidence for them.
        let is_judging = folder.ends_with("tune-regret");
        let evidence = if is_judging { &mut judging } else { &mut evidence };
        add(evidence, &ExperimentRecord::open(&folder, &catalog).unwrap());
    }
    let mut table = page::HEAD.to_owned();
    let (mut slower, mut rivals) = (Vec::new(), Vec::new());
    for shape in [
        Shape::ShortAtMostOne,
        Shape::LongAtMostOne,
        Shape::LargerBound,
        Shape::SmallWeights,
        Shape::LargeWeights,
    ] {
        for is_sat in [true, false] {
            let families = means(&evidence[&(shape, is_sat)], shape.default());
            table.push_str(&line(shape, is_sat, &families, &mut slower));
            if shape.default() == AT_MOST_ONE {
                let mean = |encoder: &str| mean_regret(&regrets(&families, encoder));
                rivals.push(format!("{:.2} ({:.2})", mean(RIVAL), mean(AT_MOST_ONE)));
            }
        }
    }
    let rest = page::REST.replace("REGRETS", &rivals.join(", "));
    table.push_str(&rest.replace("RATIO", &ratio_of_rival(&judging)));
    table.push_str(&page::published(&root));
    let path = root.join("docs/defaults.md");
    if std::env::var_os("BEZZEL_BLESS").is_some() {
        fs::write(&path, &table).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap_or_default() == table,
        "docs/defaults.md is not the table of the evidence; BEZZEL_BLESS=1 rewrites it"
    );
    assert_eq!(
        slower, SLOWER,
        "the encoders that are shown to be slower than another one have changed"
    );
}
