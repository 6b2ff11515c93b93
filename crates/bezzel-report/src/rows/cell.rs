//! A row of evidence as named cells: the columns of the table of rows.
//!
//! One place names every field, by taking each struct apart whole: a field that is new somewhere does
//! not compile until it has a column here.

use std::borrow::Cow;
use std::collections::BTreeSet;

use bezzel_encode::tally::Section;
use bezzel_encode::{Settings, Square};
use bezzel_lab::{
    Additions, AllSolutions, DiagramSize, Evidence, FormulaSize, Job, Limits, ProofRecord,
    Propagation, Row, SectionOperations, Stop, Truth,
};
use bezzel_solve::{Effort, Simplified};
use serde::Serialize;

/// The columns that depend on the record: there is one for each option, section and part of a
/// circuit that some row has.
#[derive(Debug, Default)]
pub(super) struct Wide {
    options: BTreeSet<String>,
    sections: BTreeSet<String>,
    circuit: BTreeSet<String>,
}

impl Wide {
    pub(super) fn of(rows: &[Row]) -> Self {
        let mut wide = Self::default();
        let add = |names: &mut BTreeSet<String>, name: &str| {
            if !names.contains(name) {
                names.insert(name.to_owned());
            }
        };
        for row in rows {
            row.job.options.keys().for_each(|name| add(&mut wide.options, name));
            let sections = row.formula.iter().flat_map(|formula| &formula.sections);
            sections.for_each(|section| add(&mut wide.sections, &section.name));
            let circuit = row.circuit.iter().flatten();
            circuit.for_each(|section| add(&mut wide.circuit, &section.name));
        }
        wide
    }
}

/// The cells of a row, each with the name of its column: always the same columns in the same order. A cell is
/// empty where nothing was measured.
pub(super) fn cells(row: &Row, wide: &Wide) -> Vec<(Cow<'static, str>, String)> {
    let Row {
        format,
        key,
        job,
        encoding_revision,
        solver_version,
        answer,
        verdict,
        evidence,
        stop,
        note,
        formula,
        clause_digest,
        generate_cpu_s,
        load_cpu_s,
        solve_cpu_s,
        decode_cpu_s,
        check_cpu_s,
        cpu_s,
        wall_s,
        memory_peak_bytes,
        effort,
        queens,
        all,
        circuit,
        propagation,
        proof,
        simplified,
        additions,
        isolation,
        core,
        started_unix_s,
        session,
    } = row;
    let mut out = Out(Vec::new());
    out.shown("format", Some(format));
    out.shown("key", Some(&key.0));
    of_job(job, &mut out);
    out.shown("encoding_revision", Some(encoding_revision));
    out.shown("solver_version", Some(solver_version));
    out.word("answer", Some(answer));
    out.word("verdict", Some(verdict));
    let (kind, source) = evidence.as_ref().map(|Evidence { kind, source }| (kind, source)).unzip();
    out.word("evidence", kind);
    out.shown("evidence_source", source.map(String::as_str));
    out.word("stop", Some(stop));
    out.shown("note", note.as_deref());
    of_formula(formula.as_ref(), &mut out);
    out.shown("clause_digest", clause_digest.as_deref());
    out.shown("generate_cpu_s", *generate_cpu_s);
    out.shown("load_cpu_s", *load_cpu_s);
    out.shown("solve_cpu_s", *solve_cpu_s);
    out.shown("decode_cpu_s", *decode_cpu_s);
    out.shown("check_cpu_s", *check_cpu_s);
    // What was never run has zeros there, which nobody measured.
    let ran = *stop != Stop::Skipped;
    out.shown("cpu_s", ran.then_some(cpu_s));
    out.shown("wall_s", ran.then_some(wall_s));
    out.shown("memory_peak_bytes", *memory_peak_bytes);
    let Effort { conflicts, decisions, propagations, restarts, ticks } = *effort;
    out.shown("conflicts", conflicts);
    out.shown("decisions", decisions);
    out.shown("propagations", propagations);
    out.shown("restarts", restarts);
    out.shown("ticks", ticks);
    out.shown("queens", queens.as_deref().map(listed));
    of_all(all.as_ref(), &mut out);
    of_propagation(propagation.as_ref(), &mut out);
    of_proof(proof.as_ref(), &mut out);
    of_simplified(simplified.as_ref(), &mut out);
    let added = additions.map(|Additions { variables, across_lines }| (variables, across_lines));
    out.shown("added_variables", added.map(|added| added.0));
    out.shown("added_variables_across_lines", added.map(|added| added.1));
    out.word("isolation", Some(isolation));
    out.shown("core", *core);
    out.shown("started_unix_s", ran.then_some(started_unix_s));
    out.shown("session", Some(session));
    of_options(job, wide, &mut out);
    of_sections(formula.as_ref(), wide, &mut out);
    of_circuit(circuit.as_deref(), wide, &mut out);
    out.0
}

/// The named cells of one row.
struct Out(Vec<(Cow<'static, str>, String)>);

impl Out {
    fn shown(&mut self, name: impl Into<Cow<'static, str>>, value: Option<impl ToString>) {
        let text = value.map_or_else(String::new, |value| value.to_string());
        self.0.push((name.into(), text));
    }

    /// A word by which rows know one of several things.
    fn word<T: Serialize>(&mut self, name: &'static str, thing: Option<T>) {
        let word = thing.and_then(|thing| match serde_json::to_value(thing) {
            Ok(serde_json::Value::String(word)) => Some(word),
            _ => None,
        });
        self.shown(name, word);
    }
}

fn of_job(job: &Job, out: &mut Out) {
    let Job {
        board,
        encoding,
        settings,
        numbering,
        solver,
        // Columns of their own, at the end.
        options: _,
        task,
        most,
        repeat,
        limits,
        proof,
        simplified,
        measured_by,
    } = job;
    out.shown("board", Some(board));
    out.shown("board_rows", Some(board.rows()));
    out.shown("board_columns", Some(board.columns()));
    out.word("geometry", Some(board.geometry()));
    out.word("piece", Some(board.piece()));
    out.shown("given_queens", Some(listed(board.placed())));
    out.shown("blocked_squares", Some(listed(board.blocked())));
    out.shown("encoding", Some(encoding));
    for axis in Settings::AXES {
        out.shown(axis.column, axis.name(settings));
    }
    out.shown("numbering", Some(numbering.id()));
    out.word("numbering_squares", Some(numbering.squares));
    out.word("numbering_auxiliaries", Some(numbering.auxiliaries));
    out.shown("variables_seed", numbering.variables);
    out.shown("literals_seed", numbering.literals);
    out.shown("polarity_seed", numbering.polarity);
    out.shown("clauses_seed", numbering.clauses);
    out.shown("solver", Some(solver));
    out.shown("task", Some(task.id()));
    out.shown("most_solutions", *most);
    out.shown("repeat", Some(repeat));
    let Limits { cpu_s, wall_s, memory_bytes, nodes } = *limits;
    out.shown("cpu_limit_s", Some(cpu_s));
    out.shown("wall_limit_s", Some(wall_s));
    out.shown("memory_limit_bytes", Some(memory_bytes));
    out.shown("node_limit", nodes);
    out.word("proof_asked", proof.as_ref());
    out.shown("simplified_asked", Some(*simplified));
    out.word("measured_by", Some(measured_by));
}

fn of_formula(formula: Option<&FormulaSize>, out: &mut Out) {
    let sizes = formula.map(|formula| {
        // The sections have columns of their own, at the end.
        let FormulaSize { variables, primary, clauses, literals, sections: _ } = formula;
        [*variables, *primary, *clauses, *literals]
    });
    let names = ["variables", "primary_variables", "clauses", "literals"];
    for (place, name) in names.into_iter().enumerate() {
        out.shown(name, sizes.map(|sizes| sizes[place]));
    }
}

fn of_all(all: Option<&AllSolutions>, out: &mut Out) {
    let all = all.map(|all| {
        let AllSolutions { count, whole, digest, diagram, auxiliaries } = all;
        (count, *whole, digest.as_deref(), *diagram, *auxiliaries)
    });
    out.shown("solutions", all.map(|all| all.0));
    out.shown("solutions_whole", all.map(|all| all.1));
    out.shown("solutions_digest", all.and_then(|all| all.2));
    let diagram = all.and_then(|all| all.3).unwrap_or_default();
    let DiagramSize { nodes, peak_nodes, peak_states } = diagram;
    out.shown("diagram_nodes", nodes);
    out.shown("diagram_peak_nodes", peak_nodes);
    out.shown("diagram_peak_states", peak_states);
    out.word("auxiliaries_promised", all.and_then(|all| all.4));
}

fn of_propagation(propagation: Option<&Propagation>, out: &mut Out) {
    let told = propagation.map(|propagation| {
        let Propagation { conflict, found, truth, propagate_cpu_s } = propagation;
        (*conflict, found.as_ref(), truth.as_ref(), *propagate_cpu_s)
    });
    out.shown("propagation_conflict", told.map(|told| told.0));
    let found = told.and_then(|told| told.1);
    out.shown("propagation_found", found);
    out.shown("propagate_cpu_s", told.map(|told| told.3));
    let truth = told.and_then(|told| told.2);
    let truth = truth.map(|Truth { solvable, implied }| (*solvable, implied.as_ref()));
    out.shown("truth_solvable", truth.map(|truth| truth.0));
    let implied = truth.and_then(|truth| truth.1);
    out.shown("truth_implied", implied);
}

fn of_proof(proof: Option<&ProofRecord>, out: &mut Out) {
    out.word("proof_format", proof.map(|proof| proof.format));
    let told = proof.map(|proof| {
        let ProofRecord {
            format: _,
            finding,
            bytes,
            steps,
            check_cpu_s,
            check_memory_peak_bytes,
            note,
        } = proof;
        (finding, bytes, steps, check_cpu_s, check_memory_peak_bytes, note.as_deref())
    });
    out.word("proof_finding", told.map(|told| told.0));
    out.shown("proof_bytes", told.and_then(|told| *told.1));
    out.shown("proof_steps", told.and_then(|told| *told.2));
    out.shown("proof_check_cpu_s", told.and_then(|told| *told.3));
    out.shown("proof_check_memory_peak_bytes", told.and_then(|told| *told.4));
    out.shown("proof_note", told.and_then(|told| told.5));
}

fn of_simplified(simplified: Option<&Simplified>, out: &mut Out) {
    let told = simplified.map(|simplified| {
        let Simplified { variables, clauses, literals, answer } = *simplified;
        (variables, clauses, literals, answer)
    });
    out.shown("simplified_variables", told.map(|told| told.0));
    out.shown("simplified_clauses", told.map(|told| told.1));
    out.shown("simplified_literals", told.map(|told| told.2));
    out.word("simplified_answer", told.map(|told| told.3));
}

fn of_options(job: &Job, wide: &Wide, out: &mut Out) {
    for name in &wide.options {
        out.shown(format!("option_{name}"), job.options.get(name));
    }
}

fn of_sections(formula: Option<&FormulaSize>, wide: &Wide, out: &mut Out) {
    for name in &wide.sections {
        let mut sections = formula.iter().flat_map(|formula| &formula.sections);
        let section = sections.find(|section| section.name == *name);
        let size = section.map(Section::size);
        let lengths = section.map(|Section { name: _, variables: _, lengths }| {
            let words: Vec<String> =
                lengths.iter().map(|(length, clauses)| format!("{length}:{clauses}")).collect();
            words.join(" ")
        });
        let name = |what| format!("section_{name}_{what}");
        out.shown(name("variables"), size.map(|size| size.variables));
        out.shown(name("clauses"), size.map(|size| size.clauses));
        out.shown(name("literals"), size.map(|size| size.literals));
        out.shown(name("clauses_by_length"), lengths);
    }
}

fn of_circuit(circuit: Option<&[SectionOperations]>, wide: &Wide, out: &mut Out) {
    for name in &wide.circuit {
        let mut sections = circuit.into_iter().flatten();
        let told = sections.find(|section| section.name == *name).map(|section| {
            let SectionOperations { name: _, written, built, reachable } = section;
            [*written, *built, *reachable]
        });
        for (place, what) in ["written", "built", "reachable"].into_iter().enumerate() {
            out.shown(format!("circuit_{name}_{what}"), told.map(|told| told[place]));
        }
    }
}

/// Squares as `1,7 2,2`: row and column, counted from 1.
fn listed(squares: &[Square]) -> String {
    let words: Vec<String> = squares.iter().map(ToString::to_string).collect();
    words.join(" ")
}
