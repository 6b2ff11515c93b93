//! The time and memory of a million jobs: planned, written as rows, read, read compressed, and counted. Each step is a
//! process of its own, which prints its wall time and its peak memory.
//!
//! `cargo bench -p bezzel-bench --bench million` writes rows of 1 GB into the folder for temporary files.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use bezzel_experiment::config::Config;
use bezzel_experiment::packing::Packing;
use bezzel_experiment::store::{NewEntry, Rows, line_of, session_files};
use bezzel_experiment::{Catalog, Plan, status};

const CONFIG: &str = "\
name: million
problems: [{queens: {size: [4, 5, 6, 7, 8]}}]
encodings: [pairwise, sequential-counter, binary, product, 'commander:3', 'bimander:2', bitwise, support]
solvers: [batsat, cadical]
numberings: [random: {shuffles: 12500}]
";

const STEPS: [&str; 7] = ["plan", "write", "read", "status", "compress", "read", "status"];

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
        "write" => format!("{} rows", write(folder, &config, &catalog)),
        "compress" => format!("{} bytes", compress(folder)),
        "read" => {
            let (_, rows) = Rows::read(folder).expect("they can be read");
            format!("{} rows", rows.by_key.len())
        }
        _ => {
            let status = status::read(folder, &catalog).expect("it can be read");
            format!("{} done, {} missing", status.done, status.missing)
        }
    };
    let (seconds, memory) = (began.elapsed().as_secs_f64(), peak_mib());
    writeln!(std::io::stdout(), "{step:<9} {seconds:>6.2} s {memory:>5} MiB   {result}")
        .expect("it can be written");
}

fn plan(config: &Config, catalog: &Catalog) -> Plan {
    Plan::new(config, catalog).expect("it can be planned")
}

/// Writes a session with a row for each job.
fn write(folder: &Path, config: &Config, catalog: &Catalog) -> usize {
    let mut out = bezzel_bench::begin_session(folder, config);
    let (mut sizes, jobs) = (HashMap::new(), plan(config, catalog).jobs);
    let number = jobs.len();
    for (place, planned) in jobs.into_iter().enumerate() {
        let of = (planned.job.instance.clone(), planned.job.encoding.clone());
        let size = sizes.entry(of).or_insert_with(|| bezzel_bench::size(&planned, catalog)).clone();
        let row = bezzel_bench::row(planned, size, place);
        out.write_all(&line_of(NewEntry::Row(&row))).expect("there is room");
    }
    out.flush().expect("there is room");
    number
}

/// Compresses the session by xz, and returns the number of bytes.
fn compress(folder: &Path) -> u64 {
    let [session] = &session_files(folder).expect("it is there")[..] else { panic!("one session") };
    let packed = session.path.with_added_extension("xz");
    let mut plain = File::open(&session.path).expect("it is there");
    let file = File::create(&packed).expect("there is room");
    let mut out = Packing::Xz.write(file).expect("it can be written");
    std::io::copy(&mut plain, &mut out).expect("there is room");
    out.finish().expect("there is room");
    fs::remove_file(&session.path).expect("it is there");
    fs::metadata(packed).expect("it is there").len()
}

/// The most memory that this process had.
fn peak_mib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("it is there");
    let line =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the kernel reports it");
    let kib: u64 = line.trim().trim_end_matches(" kB").trim().parse().expect("a number");
    kib / 1024
}
