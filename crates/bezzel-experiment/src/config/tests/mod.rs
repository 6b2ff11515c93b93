//! Configs that are read, and configs that are refused with one clear message.

use std::path::PathBuf;

use bezzel_encode::Numbering;
use bezzel_encode::numbering::{AuxiliaryPlace, SquareOrder};
use bezzel_problem::{Geometry, Piece, Square};
use bezzel_solve::OptionValue;

use super::*;
use crate::plan::Plan;

mod engines;
mod extended;
mod frozen;
mod fuzz;
mod hostile;

mod instances;
mod matrices;
mod measures;
mod problems;
mod schema;
mod solvers;

const SMALLEST: &str =
    "name: smallest\nboards: [{size: 8}]\nencodings: [pairwise]\nsolvers: [cadical]\n";

const ALL_AXES: &str = r#"
name: all-axes.2
question: Which?
boards:
  - {size: [8, 10]}
  - {size: 12, geometry: torus, shuffles: 2}
  - {size: 8, piece: rook, queens: ["1,2", 9], blocked: [[3, 3]]}
  - {size: [3x4, 9x8], piece: rook, blocked: [4]}
encodings: [pairwise, binary]
constraints: [full, minimal]
input_order: [as-stated, reversed]
numberings:
  - as-generated
  - {squares: spiral, auxiliaries: between}
  - random: {shuffles: 3, seed: 7, polarity: true}
  - random: {shuffles: 2, literals: false, clauses: true}
solvers:
  - cadical
  - {id: "cadical:plain", options: {factor: 1}}
limits: {cpu: 5 s, wall: 0.5 min, memory: 1.5 GiB}
repeats: 2
parallel: 3
"#;

const ONE_EACH: &str = "name: one\nboards: {size: 8}\nencodings: pairwise\nsolvers: cadical\n\
     numberings: random\nconstraints: minimal\n";

fn parse(text: &str) -> Result<Config, ConfigError> {
    Config::parse(
        text,
        "config.yaml",
        &Catalog::standard().with_permission(crate::model::permission::Permission::everything()),
    )
}

/// The smallest config and some lines more.
fn with(lines: &str) -> Config {
    parse(&format!("{SMALLEST}{lines}")).unwrap_or_else(|error| panic!("{error}"))
}

/// The values of a setting.
fn listed<'c>(config: &'c Config, key: &str) -> &'c [String] {
    &config.matrix.settings.iter().find(|values| values.axis.key == key).unwrap().names
}

/// Returns the verdict on a config: accepted, or the message.
fn verdict(text: &str) -> String {
    let catalog =
        Catalog::standard().with_permission(crate::model::permission::Permission::everything());
    let plan = Config::parse(text, "config.yaml", &catalog)
        .and_then(|config| Plan::new(&config, &catalog));
    match plan {
        Ok(plan) => format!("accepted with {} jobs", plan.jobs.len()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn former_words_are_read_and_a_note_names_the_new_ones() {
    let new = "name: words\nboards: [{size: 6}]\nencodings: [pairwise, product]\n\
         task: [solve, enumerate]\nmax_solutions: 3\nsolvers: [{id: cadical, bve: off}, cadical]\n\
         bva: [off, on]\nengines: blocking\nexclude: [{task: solve, encoding: product, bva: on}]\n\
         include: [{boards: {size: 7}, task: solve, bva: off}]\n";
    let former = [("solve,", "first,"), ("max_solutions", "most"), ("bva", "reencode")];
    let former =
        former.iter().fold(new.to_owned(), |text, (new, former)| text.replace(new, former));
    let former = former.replace("bve", "eliminate");
    assert!(schema::fits_schema(new) && schema::fits_schema(&former), "{former}");
    let (new, former) = (parse(new).unwrap(), parse(&former).unwrap());
    assert_eq!(new.notes, [""; 0]);
    assert_eq!(
        former.notes,
        [
            "config.yaml:4: `first` is now `solve`",
            "config.yaml:5: `most` is now `max_solutions`",
            "config.yaml:6: `eliminate` is now `bve`",
            "config.yaml:7: `reencode` is now `bva`",
        ]
    );
    assert_eq!(new.differing(&former), [""; 0]);
    let catalog = Catalog::standard();
    let plans = [new, former].map(|config| Plan::new(&config, &catalog).unwrap());
    assert_eq!(plans[0].keys(), plans[1].keys());
    // A former key beside the new one is unknown.
    let both = parse(&format!("{SMALLEST}bva: on\nreencode: on\n")).unwrap_err();
    assert_eq!((both.line, &*both.message), (Some(6), "the config has no key `reencode`"));
}

#[test]
fn the_smallest_config_has_defaults_for_everything_else() {
    let config = parse(SMALLEST).unwrap();
    assert_eq!(config.name, "smallest");
    assert_eq!(config.question, None);
    assert_eq!(config.matrix.instances.len(), 1);
    assert_eq!(config.matrix.instances[0].instance, bezzel_problem::Board::new(8).unwrap().into());
    assert_eq!(config.matrix.encodings[0].id, "pairwise");
    assert_eq!(listed(&config, "constraints"), ["full"]);
    assert_eq!(listed(&config, "input_order"), ["as-stated"]);
    assert_eq!(config.matrix.numberings.len(), 1);
    assert_eq!(config.matrix.numberings[0].numbering(0), Numbering::AS_GENERATED);
    assert_eq!(config.matrix.arms[0].id, "cadical");
    let limits = Limits { cpu_s: 60.0, wall_s: 600.0, memory_bytes: 4 << 30, nodes: None };
    assert_eq!(config.limits, limits);
    assert_eq!((config.repeats, config.parallel), (1, 1));
    assert_eq!(config.text(), SMALLEST);
}

#[test]
fn every_axis_is_read() {
    let config = parse(ALL_AXES).unwrap();
    assert_eq!(config.question.as_deref(), Some("Which?"));
    let boards: Vec<_> =
        config.matrix.instances.iter().map(|entry| entry.instance.to_string()).collect();
    assert_eq!(boards[..4], ["8", "10", "torus 12", "rooks 8 with 1,2 2,1 placed and 3,3 blocked"]);
    // Squares are counted by the columns of each size.
    assert_eq!(boards[4..], ["rooks 3x4 with 1,4 blocked", "rooks 9x8 with 1,4 blocked"]);
    assert_eq!(config.matrix.instances[2].instance.board().unwrap().geometry(), Geometry::Torus);
    assert_eq!(config.matrix.instances[2].shuffles, Some(2));
    let rooks = &config.matrix.instances[3].instance;
    assert_eq!(rooks.board().unwrap().piece(), Piece::Rook);
    assert_eq!(rooks.board().unwrap().placed(), [Square::new(0, 1), Square::new(1, 0)]);
    assert_eq!(rooks.board().unwrap().blocked(), [Square::new(2, 2)]);
    assert_eq!(listed(&config, "constraints"), ["full", "minimal"]);
    assert_eq!(listed(&config, "input_order"), ["as-stated", "reversed"]);
    let [plain, spiral, first, second] = &config.matrix.numberings[..] else { panic!("four") };
    let ordered = Numbering::ordered(SquareOrder::Spiral, AuxiliaryPlace::Between);
    assert_eq!(spiral.numbering(0), ordered);
    assert_eq!((plain.count(None), first.count(None), second.count(None)), (1, 3, 2));
    assert_eq!((plain.count(Some(0)), first.count(Some(2)), first.count(Some(9))), (1, 2, 3));
    assert_eq!(first.numbering(2), Numbering { polarity: Some(9), ..Numbering::random(9) });
    let clauses = Numbering { variables: Some(1), clauses: Some(1), ..Numbering::AS_GENERATED };
    assert_eq!(second.numbering(0), clauses);
    assert_eq!(config.matrix.arms[1].id, "cadical:plain");
    assert_eq!(config.matrix.arms[1].options.get("factor"), Some(&OptionValue::Integer(1)));
    let limits = Limits { cpu_s: 5.0, wall_s: 30.0, memory_bytes: 3 << 29, nodes: None };
    assert_eq!(config.limits, limits);
    assert_eq!((config.repeats, config.parallel), (2, 3));
}

#[test]
fn orders_are_read_and_what_is_as_generated_anyway_is_called_so() {
    let of = |written: &str| {
        let config = with(&format!("numberings: [{written}]\n"));
        let [entry] = &config.matrix.numberings[..] else { panic!("one numbering") };
        assert_eq!((entry.count(None), entry.count(Some(0))), (1, 1));
        entry.numbering(0).id()
    };
    assert_eq!(of("{squares: spiral}"), "spiral");
    assert_eq!(of("{auxiliaries: before}"), "auxiliaries before");
    assert_eq!(
        of("{squares: centre-out, auxiliaries: between}"),
        "centre-out with auxiliaries between"
    );
    assert_eq!(of("{squares: row-major, auxiliaries: after}"), "as-generated");
}

#[test]
fn an_order_with_shuffles_has_those_of_the_random_numbering_with_the_same_seeds() {
    let config = with(
        "numberings:\n\
         - {squares: spiral, auxiliaries: before, shuffles: 20, seed: 3, clauses: true}\n\
         - {squares: row-major, shuffles: 2, literals: false, polarity: true}\n\
         - random: {shuffles: 20, seed: 3, clauses: true}\n\
         - {variables: false, clauses: true}\n",
    );
    let [spiral, negated, random, defaults] = &config.matrix.numberings[..] else { panic!("four") };
    assert_eq!((spiral.count(None), spiral.count(Some(4)), spiral.count(Some(0))), (20, 4, 0));
    assert_eq!((negated.count(None), defaults.count(None)), (2, 10));
    let ordered = Numbering::ordered(SquareOrder::Spiral, AuxiliaryPlace::Before);
    let seventh = Numbering { literals: Some(9), clauses: Some(9), ..ordered };
    assert_eq!(spiral.numbering(6), seventh);
    assert_eq!(seventh.id(), "spiral with auxiliaries before, shuffled literals+clauses");
    // Apart from the names of variables, nothing differs.
    let renamed = Numbering { variables: Some(9), ..seventh };
    assert_eq!(
        random.numbering(6),
        Numbering { auxiliaries: AuxiliaryPlace::After, squares: SquareOrder::RowMajor, ..renamed }
    );
    assert_eq!(negated.numbering(1), Numbering { polarity: Some(2), ..Numbering::AS_GENERATED });
    assert_eq!(defaults.numbering(0).id(), "shuffled literals+clauses");
}

#[test]
fn an_order_with_and_without_shuffles_is_two_numberings() {
    let outcome = |written: &str| verdict(&format!("{SMALLEST}numberings: [{written}]\n"));
    let both = "{squares: spiral, shuffles: 3}, {squares: spiral}";
    assert_eq!(outcome(both), "accepted with 4 jobs");
    // The same holds under another order. An entry that only repeats a seed is refused.
    let four = "{shuffles: 1}, {auxiliaries: before, shuffles: 1}, random: {shuffles: 1}, random: {shuffles: 1, seed: 2}";
    assert_eq!(outcome(four), "accepted with 4 jobs");
    let same = outcome("{shuffles: 2}, random: {variables: false}");
    assert!(same.contains("or some of their seeds, are in line 5, column 14"), "{same}");
}

#[test]
fn one_thing_need_not_be_a_list() {
    let config = parse(ONE_EACH).unwrap();
    assert_eq!(
        (config.matrix.instances.len(), config.matrix.encodings.len(), config.matrix.arms.len()),
        (1, 1, 1)
    );
    assert_eq!(config.matrix.numberings[0].count(None), 10);
    assert_eq!(config.matrix.numberings[0].numbering(0), Numbering::random(1));
}

#[test]
fn times_and_memory_are_read_in_their_units() {
    for (limits, cpu_s, wall_s) in [
        ("{cpu: 5}", 5.0, 50.0),
        ("{cpu: 0.5}", 0.5, 5.0),
        ("{cpu: 100 ms}", 0.1, 1.0),
        ("{cpu: 7min}", 420.0, 4200.0),
        ("{cpu: 1234 ms, wall: 1.234}", 1.234, 1.234),
        ("{cpu: 1 h, wall: 1 h}", 3600.0, 3600.0),
        ("{wall: 10 s}", 10.0, 10.0),
        ("{wall: 100 s}", 60.0, 100.0),
    ] {
        let read = with(&format!("limits: {limits}\n")).limits;
        assert_eq!((read.cpu_s, read.wall_s), (cpu_s, wall_s), "{limits}");
    }
    for (memory, bytes) in [
        ("64 MiB", 64 << 20),
        ("100MB", 100_000_000),
        ("2 GiB", 2 << 30),
        ("2.5 GB", 2_500_000_000),
        ("1 TiB", 1 << 40),
        ("200000000 bytes", 200_000_000),
    ] {
        let read = with(&format!("limits: {{memory: {memory}}}\n")).limits;
        assert_eq!(read.memory_bytes, bytes, "{memory}");
    }
}

#[test]
fn an_alias_stands_for_what_its_anchor_marks() {
    let config = with("limits: {cpu: &time 5 s, wall: *time}\n");
    assert_eq!((config.limits.cpu_s, config.limits.wall_s), (5.0, 5.0));
}

#[test]
fn a_byte_order_mark_and_foreign_line_ends_are_no_fault() {
    let text = format!("\u{FEFF}{}", SMALLEST.replace('\n', "\r\n"));
    assert_eq!(parse(&text).unwrap().name, "smallest");
    let error = parse(&text.replace("size: 8", "size: 0")).unwrap_err();
    assert_eq!((error.line, error.column), (Some(2), Some(17)));
    assert_eq!(
        error.snippet.as_deref(),
        Some("  |\n2 | boards: [{size: 0}]\n  |                 ^")
    );
}

#[test]
fn refused_configs_get_the_message_that_is_on_record() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/config/tests/refused.txt");
    let record = std::fs::read_to_string(path).unwrap();
    let mut cases = record.split("\n### ");
    let mut fresh = vec![cases.next().unwrap().to_owned()];
    for case in cases {
        let (input, _) = case.split_once(">>>\n").expect("a case has a message");
        let (title, text) = input.split_once('\n').expect("a case has a title");
        let verdict = verdict(text);
        assert!(!verdict.starts_with("accepted"), "{title}: {verdict}");
        fresh.push(format!("{title}\n{text}>>>\n{verdict}\n"));
    }
    let fresh = fresh.join("\n### ");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, fresh).unwrap();
    } else if fresh != record {
        let (new, old) = fresh
            .lines()
            .zip(record.lines())
            .find(|(new, old)| new != old)
            .unwrap_or(("the end", "the end"));
        panic!("{path} says\n{old}\nand should say\n{new}\nSet BLESS=1 to write it anew.");
    }
}

/// Returns every config of the repository, except one that others extend and that lacks its boards.
fn configs() -> Vec<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs"));
    let mut configs = Vec::new();
    for folder in [root.to_owned(), root.join("which-encoding")] {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        configs.extend(entries.filter(|path| {
            path.extension().is_some_and(|ending| ending == "yaml")
                && path.file_stem().is_some_and(|stem| stem != "common")
        }));
    }
    assert!(configs.len() > 20, "{configs:?}");
    configs
}

#[test]
fn the_configs_that_come_along_can_be_planned() {
    let catalog =
        Catalog::standard().with_permission(crate::model::permission::Permission::everything());
    let mut planned = 0;
    for path in configs() {
        let config = Config::read(&path, &catalog).unwrap_or_else(|error| panic!("{error}"));
        let plan = Plan::new(&config, &catalog).unwrap_or_else(|error| panic!("{error}"));
        // The name is that of the file after that of its folder, so that a config and its evidence have the same
        // name.
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let folder = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
        assert!([stem.to_owned(), format!("{folder}-{stem}")].contains(&config.name), "{stem}");
        planned += plan.jobs.len();
    }
    assert!(planned > 0);
}
