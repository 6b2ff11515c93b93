//! The time and memory of a million jobs: planned, cut into shards, merged, and counted. Each step is a process of its own, which prints its wall time and its peak memory.
//!
//! `cargo bench -p bezzel-bench --bench million` makes up rows of 1,000 attempts, some 2 GB, in the folder
//! for temporary files.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use bezzel_experiment::config::Config;
use bezzel_experiment::shard::shards_of_keys;
use bezzel_experiment::status;
use bezzel_experiment::store::{self, Store, checksum};
use bezzel_experiment::{Catalog, Environment, Plan, PlannedJob, Row, merge};

const CONFIG: &str = "\
name: million
problems: [{queens: {size: [4, 5, 6, 7, 8]}}]
encodings: [pairwise, sequential-counter, binary, product, 'commander:3', 'bimander:2', bitwise, support]
solvers: [batsat, cadical]
numberings: [random: {shuffles: 12500}]
";

/// The number of shards.
const SHARDS: u32 = 1_000;

const STEPS: [&str; 6] = ["plan", "cut", "make rows up", "merge", "merge again", "status"];

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
    let catalog = bezzel_queens::experiment::catalog();
    let config = Config::parse(CONFIG, "million.yaml", &catalog).expect("it is right");
    let began = Instant::now();
    let result = match step {
        "plan" => format!("{} jobs", plan(&config, &catalog).jobs.len()),
        "cut" => {
            let plan = plan(&config, &catalog);
            format!("{SHARDS} shards of {} jobs", shards_of_keys(&plan, SHARDS).len())
        }
        "make rows up" => format!("{} bytes", make_up(folder, &config, &catalog)),
        "merge" | "merge again" => {
            let merged = merge::merge(folder, Duration::ZERO).expect("it can be merged").merged;
            format!("{} rows of {} attempts added", merged.added, merged.attempts)
        }
        _ => {
            let status = status::read(folder, &catalog).expect("it can be read").status;
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
fn make_up(folder: &Path, config: &Config, catalog: &Catalog) -> u64 {
    drop(Store::open(folder, CONFIG, &[]).expect("it can be begun"));
    let plan = plan(config, catalog);
    let of_keys = shards_of_keys(&plan, SHARDS);
    let mut shards: HashMap<u32, Vec<&PlannedJob>> = HashMap::new();
    for planned in &plan.jobs {
        shards.entry(of_keys[&planned.key]).or_default().push(planned);
    }
    let attempts = folder.join(store::SHARDS).join(format!("of-{SHARDS}"));
    for shard in 1..=SHARDS {
        let (mut store, _) = Store::begin_attempt(&attempts, shard).expect("it can be begun");
        store.begin_session(Environment::default()).expect("it can be kept");
    }
    let (mut sizes, mut bytes) = (HashMap::new(), 0);
    for files in store::all_attempts(folder).expect("they were begun") {
        let file: File = OpenOptions::new().append(true).open(files.rows()).expect("it is there");
        let mut out = BufWriter::new(file);
        for (place, &planned) in shards[&files.attempt.shard()].iter().enumerate() {
            let of = (planned.job.instance.clone(), planned.job.encoding.clone());
            let size =
                sizes.entry(of).or_insert_with(|| bezzel_bench::size(planned, catalog)).clone();
            let row = Row { session: 0, ..bezzel_bench::row(planned.clone(), size, place) };
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
