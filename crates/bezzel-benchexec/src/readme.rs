//! The README of an export: its files, and the commands.

use std::fmt::Write;

use super::definition::PACKAGE;
use super::tasks::Tasks;

/// Returns the text. `name` is the config's name.
pub(super) fn text(name: &str, tasks: &Tasks, ending: &str) -> String {
    let mut text = format!(
        "{name}: {} formulas for BenchExec, written by `bezzel benchexec export`\n\n\
         formulas/       the formulas, each with a map of its variables in its comments\n\
         tasks/          a task definition for each\n\
         sets/           which tasks each run definition has\n\
         *.xml           a benchmark definition for each solver\n\
         {PACKAGE}/   the tool-info modules, in Python\n\
         config.yaml     the question; the import plans it again\n\n\
         Run here, with BenchExec and the solvers installed (`pip install benchexec`):\n\n",
        tasks.formulas.len()
    );
    for benchmark in &tasks.benchmarks {
        let _ = writeln!(
            text,
            "    PYTHONPATH=. benchexec --read-only-dir / --full-access-dir . {}.xml -o results/",
            benchmark.name
        );
    }
    let _ = write!(
        text,
        "\nWhere containers are not available, use --no-container in place of the two options of\n\
         folders. BenchExec keeps limits of memory and counts whole trees of processes only where it\n\
         has control groups: `python3 -m benchexec.check_cgroups` checks this.\n\n\
         Back into Bezzel, as the rows of a new experiment:\n\n    \
         bezzel benchexec import {name}-benchexec --from . results/*.xml.bz2\n\n\
         The answers are judged then by Bezzel, with the models in the logs, which BenchExec keeps in\n\
         results/*.logfiles.zip.\n",
    );
    if ending != ".cnf" {
        text.push_str(
            "\nFormulas are unpacked within the time that is measured, by the solver itself or before it\n\
             by a shell that the tool-info module starts. `bezzel benchexec export --packing none` leaves\n\
             nothing to be unpacked.\n",
        );
    }
    for reason in &tasks.left_out {
        let _ = writeln!(text, "\nLeft out: {reason}.");
    }
    text
}
