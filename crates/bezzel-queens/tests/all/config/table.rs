//! Tables of configs with their outcomes: `read.txt` has configs that are read, `refused.txt` those that are refused.
//!
//! A case is a title after `###`, the config, other files (each a path after `+++`, and its text), and after `>>>` the
//! outcome. A title may end with `| jobs of` and the title of a case with the same jobs.

use std::fs;
use std::path::Path;

use super::*;
use bezzel_experiment::model::permission::Permission;

/// The permission to start every program, which no case does.
pub(super) fn catalog() -> Catalog {
    bezzel_queens::experiment::catalog().with_permission(Permission::everything())
}

struct Case<'t> {
    title: &'t str,
    text: &'t str,
    files: Vec<(&'t str, &'t str)>,
}

impl<'t> Case<'t> {
    /// Splits the input of a case, which is the part before its outcome.
    fn new(input: &'t str) -> Self {
        let (title, text) = input.split_once('\n').expect("a case has a title");
        let mut parts = text.split("+++ ");
        let text = parts.next().unwrap();
        let files = parts.map(|part| part.split_once('\n').expect("a file has a text")).collect();
        Self { title, text, files }
    }

    /// Reads the config, in a folder of its own if it has other files, and plans it.
    fn plan(
        &self,
        plan: fn(&Config, &Catalog) -> Result<Plan, ConfigError>,
    ) -> Result<(Config, Plan), String> {
        let catalog = catalog();
        let folder = tempfile::tempdir().unwrap();
        let config = if self.files.is_empty() {
            Config::parse(self.text, "config.yaml", &catalog)
        } else {
            for (name, text) in self.files.iter().chain([&("config.yaml", self.text)]) {
                let path = folder.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Config::read(&folder.path().join("config.yaml"), &catalog)
        };
        let plan = config.and_then(|config| {
            let plan = plan(&config, &catalog)?;
            Ok((config, plan))
        });
        let prefix = format!("{}/", folder.path().display());
        plan.map_err(|error| error.to_string().replace(&prefix, ""))
    }
}

/// Returns the plan of a config without starting its programs.
pub(super) fn without_programs(config: &Config, catalog: &Catalog) -> Result<Plan, ConfigError> {
    Plan::of_record(config, catalog, std::iter::empty())
}

/// Compares each outcome of the table with that of `outcome`. Under `BEZZEL_BLESS=1` it writes the table anew.
fn check(file: &str, mut outcome: impl FnMut(&Case<'_>) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/config").join(file);
    let record = fs::read_to_string(&path).unwrap();
    let mut cases = record.split("\n### ");
    let mut fresh = vec![cases.next().unwrap().to_owned()];
    for case in cases {
        let (input, _) = case.split_once(">>>\n").expect("a case has an outcome");
        fresh.push(format!("{input}>>>\n{}\n", outcome(&Case::new(input))));
    }
    let fresh = fresh.join("\n### ");
    if std::env::var_os("BEZZEL_BLESS").is_some() {
        fs::write(path, fresh).unwrap();
    } else if fresh != record {
        let mut both = fresh.lines().zip(record.lines());
        let (new, old) = both.find(|(new, old)| new != old).unwrap_or(("the end", "the end"));
        panic!("{file} has\n{old}\nand should have\n{new}\nBEZZEL_BLESS=1 writes it anew.");
    }
}

/// Every config of `read.txt` that needs no other file.
pub(super) fn read_configs() -> impl Iterator<Item = &'static str> {
    let cases = include_str!("read.txt").split("\n### ").skip(1);
    let cases = cases.map(|case| Case::new(case.split_once(">>>\n").unwrap().0));
    cases.filter(|case| case.files.is_empty()).map(|case| case.text)
}

/// The beginnings of messages about the whole config, which have no place in it.
const WHOLE: [&str; 5] = [
    "the config is empty",
    "the config has no `",
    "the plan has ",
    "the matrix has ",
    "no job is left",
];

#[test]
fn each_refused_config_has_its_message_with_a_place_and_a_correction() {
    check("refused.txt", |case| {
        let message = case
            .plan(Plan::new)
            .map_or_else(|message| message, |_| panic!("{} is read", case.title));
        let first = message.lines().next().unwrap();
        let (place, fault) = first.split_once(": ").expect("a message begins with its place");
        let numbers: Vec<&str> = place.split(':').skip(1).collect();
        assert!(
            match &numbers[..] {
                [] =>
                    WHOLE.iter().any(|whole| fault.starts_with(whole)) && message.contains("\n = "),
                numbers => numbers.len() == 2 && message.contains('^'),
            },
            "{}: {message}",
            case.title
        );
        // A wrong word is corrected by the near match, or by a list of the right ones.
        if fault.contains("unknown") || fault.contains("has no key") {
            let corrected = message.contains("\n  = ") || fault.contains(", expected one of `");
            assert!(corrected, "{}: {message}", case.title);
        }
        message
    });
}

#[test]
fn each_config_that_is_read_has_its_meaning() {
    let mut jobs: Vec<(String, Vec<String>)> = Vec::new();
    let mut defaults: Vec<String> = Vec::new();
    check("read.txt", |case| {
        let (config, plan) =
            case.plan(without_programs).unwrap_or_else(|error| panic!("{}: {error}", case.title));
        recorded::check(&config);
        let mut keys: Vec<String> = plan.jobs.iter().map(|job| job.key.to_string()).collect();
        keys.sort_unstable();
        let (title, same) = case.title.split_once(" | jobs of ").unwrap_or((case.title, ""));
        if let Some((_, expected)) = jobs.iter().find(|(title, _)| title == same) {
            assert_eq!(&keys, expected, "{title}");
        } else {
            assert_eq!(same, "", "{title}");
        }
        jobs.push((title.to_owned(), keys));
        let run = run_lines(&config);
        let differing: Vec<_> =
            run.iter().filter(|line| !defaults.contains(line)).cloned().collect();
        if defaults.is_empty() {
            defaults = run;
        }
        let mut lines = matrix_lines(&config.matrix);
        for included in &config.include {
            lines.extend(matrix_lines(included).into_iter().map(|line| format!("included {line}")));
        }
        lines.extend(differing);
        lines.push(format!("{} jobs", plan.jobs.len()));
        lines.join("\n")
    });
}

/// The axes; a setting at its default is left out.
fn matrix_lines(matrix: &Matrix) -> Vec<String> {
    let instances = matrix.instances.iter().map(|entry| {
        let kind = if entry.instance.kind() == "queens" { "board " } else { "" };
        let shuffles = entry.shuffles.map(|count| format!(", at most {count} shuffles"));
        let family = entry.family.as_ref().map(|family| format!(", of the family {family}"));
        [
            kind.into(),
            entry.instance.to_string(),
            shuffles.unwrap_or_default(),
            family.unwrap_or_default(),
        ]
        .concat()
    });
    let encodings = matrix.encodings.iter().map(|entry| format!("encoding {}", entry.id));
    let settings = matrix.settings.iter().filter(|values| values.names != [values.axis.default()]);
    let settings =
        settings.map(|values| format!("{} {}", values.axis.key, values.names.join(", ")));
    let numberings = matrix
        .numberings
        .iter()
        .filter(|entry| !entry.is_as_generated() || matrix.numberings.len() > 1);
    let numberings = numberings.map(|entry| {
        let count = entry.count(None);
        let last = serde_json::to_string(&entry.numbering(count - 1)).unwrap();
        format!("numbering {count} × {}, last {last}", entry.numbering(0).id())
    });
    let arms = matrix.arms.iter().map(|arm| {
        let shown = ["factor", "elim", "seed", "random_seed"];
        let options = arm.options.iter().filter(|(name, _)| shown.contains(&&***name));
        let options: Vec<_> = options.map(|(name, value)| format!(", {name} {value}")).collect();
        let options = options.concat();
        let most = arm.max_solutions.map(|most| format!(", at most {most}")).unwrap_or_default();
        let proof = arm.proof.map(|proof| format!(", {proof:?} proofs")).unwrap_or_default();
        format!("{} {}{options}{most}{proof}", arm.task, arm.label())
    });
    instances.chain(encodings).chain(settings).chain(numberings).chain(arms).collect()
}

/// The limits and settings of the run, and its texts.
pub(super) fn run_lines(config: &Config) -> Vec<String> {
    let Limits { cpu_s, wall_s, memory_bytes, nodes } = config.limits;
    let mut lines = vec![
        format!("name {}", config.name),
        format!("limits {cpu_s} s, {wall_s} s, {memory_bytes} bytes, {nodes:?} nodes"),
        format!(
            "repeats {}, parallel {}, warm-up {}",
            config.repeats, config.parallel, config.warm_up
        ),
        format!("calibration {}", config.calibration.is_some()),
        format!("simplified {}", config.simplified),
    ];
    lines.extend(config.question.iter().map(|question| format!("question {question}")));
    lines.extend(
        config.files.iter().map(|file| format!("file {}, {} bytes", file.path, file.bytes.len())),
    );
    lines.extend(config.names.iter().map(|(id, name)| format!("name of {id}: {name}")));
    lines.extend(config.notes.iter().map(|note| format!("note {note}")));
    let mut families: Vec<_> =
        config.families.iter().map(|(of, family)| format!("family of {of}: {family}")).collect();
    families.sort_unstable();
    lines.extend(families);
    lines
}
