//! The time and memory of a million jobs: planned, cut into shards and frozen, merged, and counted. Each step is a process
//! of its own, which prints its wall time and its peak memory.
//!
//! `cargo bench -p bezzel-bench --bench million` makes up rows of 1,000 attempts, some 2 GB, in the folder
//! for temporary files.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use bezzel_experiment::config::Config;
use bezzel_experiment::evidence::RecordError;
use bezzel_experiment::shard::{Cut, cut, prior_s};
use bezzel_experiment::status;
use bezzel_experiment::store::{self, Store, attempts, checksum};
use bezzel_experiment::submission::{NewSubmission, Submission, freeze};
use bezzel_experiment::{Catalog, Environment, Permission, Plan, Row, merge};

const CONFIG: &str = "\
name: million
boards: [{size: [4, 5, 6, 7, 8]}]
encodings: [pairwise, sequential-counter, binary, product, 'commander:3', 'bimander:2', bitwise, support]
solvers: [batsat, cadical]
numberings: [random: {shuffles: 12500}]
";

/// The number of shards.
const SHARDS: usize = 1_000;

const STEPS: [&str; 6] = ["plan", "freeze", "make rows up", "merge", "merge again", "status"];

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    if let (Some(step), Some(folder)) = (arguments.next(), arguments.next()) {
        return run(&step, Path::new(&folder));
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let own = std::env::current_exe().expect("it runs");
    for step in STEPS {
        let ended = Command::new(&own).arg(step).arg(folder.path()).status();
        assert!(ended.expect("it can be run").success(), "{step}");
    }
}

fn run(step: &str, folder: &Path) {
    let catalog = Catalog::standard();
    let config = Config::parse(CONFIG, "million.yaml", &catalog).expect("it is right");
    let began = Instant::now();
    let result = match step {
        "plan" => format!("{} jobs", plan(&config, &catalog).jobs.len()),
        "freeze" => {
            drop(Store::open(folder, CONFIG, &[]).expect("it can be begun"));
            let plan = plan(&config, &catalog);
            let weights: Vec<f64> = plan.jobs.iter().map(prior_s).collect();
            let cut: Cut = cut(&weights, plan.rounds(), SHARDS);
            let request = NewSubmission {
                name: "million",
                config: CONFIG,
                jobs: &plan.jobs,
                permission: &Permission::none(),
                cut: &cut,
            };
            let made = freeze(folder, &request).expect("it can be frozen");
            let (shards, jobs) = (made.shards().len(), made.jobs());
            let bytes: u64 = made.shards().iter().map(|shard| shard.bytes).sum();
            format!("{shards} shards of {jobs} jobs, {bytes} bytes, planning included")
        }
        "make rows up" => format!("{} bytes", make_up(folder, &catalog)),
        "merge" | "merge again" => {
            let merged = merge::merge(folder, Duration::ZERO).expect("it can be merged").merged;
            format!("{} rows of {} attempts added", merged.added, merged.attempts)
        }
        _ => {
            let nobody = |_: &Submission| Ok::<_, RecordError>(BTreeMap::new());
            let status = status::read(folder, &catalog, nobody).expect("it can be read").status;
            format!("{} done, {} missing", status.done, status.missing)
        }
    };
    let (seconds, memory) = (began.elapsed().as_secs_f64(), peak_mib());
    writeln!(std::io::stdout(), "{step:<13} {seconds:>6.2} s {memory:>5} MiB   {result}")
        .expect("it can be written");
}

fn plan(config: &Config, catalog: &Catalog) -> Plan {
    Plan::new(config, catalog).expect("it can be planned")
}

/// Rows of every shard, each of one attempt.
fn make_up(folder: &Path, catalog: &Catalog) -> u64 {
    let submission = Submission::all(folder).expect("it is there").remove(0);
    let (mut sizes, mut bytes) = (HashMap::new(), 0);
    for shard in submission.shards() {
        let (mut store, _) =
            Store::begin_attempt(submission.folder(), shard.number).expect("it can be begun");
        store.begin_session(Environment::default()).expect("it can be kept");
    }
    for files in attempts(submission.folder()).expect("they were begun") {
        let file: File = OpenOptions::new().append(true).open(files.rows()).expect("it is there");
        let mut out = BufWriter::new(file);
        let jobs = submission.jobs_of(files.attempt.shard()).expect("it was frozen");
        for (place, planned) in jobs.into_iter().enumerate() {
            let of = (planned.job.instance.clone(), planned.job.encoding.clone());
            let size =
                sizes.entry(of).or_insert_with(|| bezzel_bench::size(&planned, catalog)).clone();
            let row = Row { session: 0, ..bezzel_bench::row(planned, size, place) };
            let line = checksum::line_of(&row);
            bytes += line.len() as u64;
            out.write_all(&line).expect("there is room");
        }
    }
    assert!(fs::metadata(folder.join(store::ROWS)).is_ok());
    bytes
}

/// The most memory that this process had.
fn peak_mib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("it is there");
    let line =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the kernel reports it");
    let kib: u64 = line.trim().trim_end_matches(" kB").trim().parse().expect("a number");
    kib / 1024
}
