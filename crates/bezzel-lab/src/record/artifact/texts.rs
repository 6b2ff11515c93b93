//! What an archive says of itself, and the script that tries it.

use std::collections::BTreeSet;

use super::{MANIFEST, Programs, SCRIPT, Sources};
use crate::model::quantity::{duration, grouped, memory};
use crate::record::evidence::ExperimentRecord;

/// The page for whoever evaluates the archive.
pub(super) fn readme(
    record: &ExperimentRecord,
    sources: &Sources,
    programs: &Programs,
    is_vendored: bool,
) -> String {
    let (needed, again, packed) = of_programs(programs);
    let name = &record.name;
    let question = record.question.as_deref().unwrap_or("its config puts none in words").trim();
    let network = if is_vendored {
        "No network: the dependencies are in `sources/vendor/`."
    } else {
        "The registry of Rust's packages, from which cargo takes the dependencies that \
         `sources/Cargo.lock` names by their digests."
    };
    let wall: f64 = record.rows.iter().map(|row| row.wall_s).sum();
    let largest = record.rows.iter().filter_map(|row| row.memory_peak_bytes).max();
    let largest = largest.map_or(String::new(), |bytes| {
        format!(" The largest job took {} of memory.", memory(bytes.into()))
    });
    format!(
        "\
# Artifact: {name}

## What is claimed

The question was: {question}

The answer, with what stands out and what to be careful with, is `reports/{name}/index.html` (the same
in Markdown: `reports/{name}/report.md`). Every number and figure there is computed from the {rows} rows
of `experiments/{name}/rows.jsonl`, and from nothing else. Machine, compiler, versions of solvers:
`experiments/{name}/environment.json`.

## What is needed

- Linux on x86-64 or AArch64, 2 GB of disk, a terminal with `sh` and `sha256sum`.
- Rust as `sources/Cargo.toml` names it (`rust-version`), and g++.
- {network}
{needed}
## Ten minutes

    ./{SCRIPT}

builds the program (some minutes the first time), then

1. holds every file against its digest in `{MANIFEST}` (`sha256sum -c`);
2. checks the evidence without trusting it (`bezzel verify`): seals, keys, placements, verdicts, sizes
   and digests of formulas, a sample of the jobs;
3. runs a sample of the jobs again for about ten minutes (`bezzel run --sample`), and compares: answers,
   clauses, and the effort of linked solvers (conflicts, decisions, propagations) must be *equal*, times
   are compared by an interval. Times of another machine differ by a factor; that is no failure.

The last line says whether the record was reproduced; the exit code is 0 if so. `MINUTES=60 ./{SCRIPT}`
takes longer, `BEZZEL=/path/to/bezzel ./{SCRIPT}` takes a program that is built already. It may be
interrupted, and goes on where it was.
{again}
## All of it

The whole took {wall} of wall time, job after job.{largest} To run it under another name, and compare:

    bezzel run experiments/{name}/config.yaml --name {name}-again
    bezzel compare {name} {name}-again
    bezzel report {name}

(`bezzel` is `sources/target/release/bezzel`.) `sources/docs/` says what each verb does, and
`sources/METHODOLOGY.md` what each measure means.

## What is where

- `experiments/{name}/`: the frozen config, the machines, the rows.
- `reports/{name}/`: the report, with the data behind each figure as CSV.
{packed}- `sources/`: Bezzel, {sources}. Evidence and reports of other questions are left out.
- `{MANIFEST}`: the SHA-256 of every other file.
- `LICENSE-MIT`, `LICENSE-APACHE`: either, as you like.
",
        rows = grouped(record.rows.len() as u128),
        wall = duration(wall.round()),
        sources = sources.told,
    )
}

/// What the page says of programs that rows name: what must be installed, how their jobs are run again, and
/// where their files are.
fn of_programs(programs: &Programs) -> (String, String, String) {
    if programs.is_empty() {
        return Default::default();
    }
    let needed = programs.needed().into_iter().map(|line| format!("- {line}\n"));
    let again = format!(
        "\nJobs of encoders, solvers and counters that are programs of their own are left out, since what \
         evidence names\nis not run unasked. `PROGRAMS=1 ./{SCRIPT}` runs them too.\n"
    );
    let files = programs.files.iter().map(|file| format!("`{}`", file.path));
    let files = files.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ");
    let packed = if files.is_empty() {
        String::new()
    } else {
        format!(
            "- {files}: the files that commands of encoders name. What these files load is not packed.\n"
        )
    };
    (needed.collect(), again, packed)
}

/// The script.
pub(super) fn script(name: &str, is_vendored: bool) -> String {
    let offline = if is_vendored { " --offline" } else { "" };
    format!(
        "\
#!/bin/sh
# Tries this artifact: README.md says what each step does.
#   BEZZEL=/path/to/bezzel   a program that is built already
#   MINUTES=10               how long jobs are run again
#   PROGRAMS=1               also those of programs that the evidence names
set -eu
cd \"$(dirname \"$0\")\"

echo '== digests'
sha256sum --check --quiet --strict {MANIFEST}
echo 'every file is as it was packed'

if [ -z \"${{BEZZEL:-}}\" ]; then
    echo '== build'
    (cd sources && cargo build --release --locked{offline} --package bezzel)
    BEZZEL=sources/target/release/bezzel
fi

echo '== evidence'
\"$BEZZEL\" verify {name}

echo '== jobs again'
\"$BEZZEL\" run {name} --sample \"${{MINUTES:-10}}\" ${{PROGRAMS:+--programs}}
"
    )
}
