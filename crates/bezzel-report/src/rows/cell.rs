//! A row of evidence as named cells: what the tables of rows have in their columns.
//!
//! One place names every field, by taking each struct apart whole: a field that is new somewhere does
//! not compile until it has a column here.

use std::borrow::Cow;
use std::collections::BTreeSet;

use bezzel_encode::Square;
use bezzel_encode::tally::Section;
use bezzel_lab::{
    Additions, AllSolutions, DiagramSize, Evidence, FormulaSize, Job, Limits, ProofRecord,
    Propagation, Row, SectionOperations, Stop, Truth,
};
use bezzel_solve::{Effort, Simplified};
use serde::Serialize;

/// What stands in one column of one row; nothing where nothing was measured.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell<'a> {
    Text(Option<Cow<'a, str>>),
    Whole(Option<u64>),
    Real(Option<f64>),
    Flag(Option<bool>),
}

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

/// Who takes the cells of a row: always the same columns in the same order.
pub(super) type Take<'t, 'r> = dyn FnMut(Cow<'static, str>, Cell<'r>) + 't;

/// Tells every cell of a row.
pub(super) fn cells<'r>(row: &'r Row, wide: &Wide, take: &mut Take<'_, 'r>) {
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
    let mut out = Out { take };
    out.whole("format", Some((*format).into()));
    out.text("key", Some(&key.0));
    of_job(job, &mut out);
    out.whole("encoding_revision", Some((*encoding_revision).into()));
    out.text("solver_version", Some(solver_version));
    out.word("answer", Some(answer));
    out.word("verdict", Some(verdict));
    let (kind, source) = evidence.as_ref().map(|Evidence { kind, source }| (kind, source)).unzip();
    out.word("evidence", kind);
    out.text("evidence_source", source.map(String::as_str));
    out.word("stop", Some(stop));
    out.text("note", note.as_deref());
    of_formula(formula.as_ref(), &mut out);
    out.text("clause_digest", clause_digest.as_deref());
    out.real("generate_cpu_s", *generate_cpu_s);
    out.real("load_cpu_s", *load_cpu_s);
    out.real("solve_cpu_s", *solve_cpu_s);
    out.real("decode_cpu_s", *decode_cpu_s);
    out.real("check_cpu_s", *check_cpu_s);
    // What was never run has zeros there, which nobody measured.
    let ran = *stop != Stop::Skipped;
    out.real("cpu_s", ran.then_some(*cpu_s));
    out.real("wall_s", ran.then_some(*wall_s));
    out.whole("memory_peak_bytes", *memory_peak_bytes);
    let Effort { conflicts, decisions, propagations, restarts, ticks } = *effort;
    out.whole("conflicts", conflicts);
    out.whole("decisions", decisions);
    out.whole("propagations", propagations);
    out.whole("restarts", restarts);
    out.whole("ticks", ticks);
    out.owned("queens", queens.as_deref().map(listed));
    of_all(all.as_ref(), &mut out);
    of_propagation(propagation.as_ref(), &mut out);
    of_proof(proof.as_ref(), &mut out);
    of_simplified(simplified.as_ref(), &mut out);
    let added = additions.map(|Additions { variables, across_lines }| (variables, across_lines));
    out.whole("added_variables", added.map(|added| added.0));
    out.whole("added_variables_across_lines", added.map(|added| added.1));
    out.word("isolation", Some(isolation));
    out.whole("core", core.map(|core| core as u64));
    let started = Some(*started_unix_s).filter(|_| ran);
    out.real("started_unix_s", started);
    out.whole("session", Some(*session as u64));
    of_options(job, wide, &mut out);
    of_sections(formula.as_ref(), wide, &mut out);
    of_circuit(circuit.as_deref(), wide, &mut out);
}

/// Names columns for whoever takes them.
struct Out<'o, 't, 'r> {
    take: &'o mut Take<'t, 'r>,
}

impl<'r> Out<'_, '_, 'r> {
    fn text(&mut self, name: &'static str, text: Option<&'r str>) {
        (self.take)(name.into(), Cell::Text(text.map(Cow::Borrowed)));
    }

    fn owned(&mut self, name: &'static str, text: Option<String>) {
        (self.take)(name.into(), Cell::Text(text.map(Cow::Owned)));
    }

    /// A word by which rows know one of several things.
    fn word<T: Serialize>(&mut self, name: &'static str, thing: Option<T>) {
        let word = thing.and_then(|thing| match serde_json::to_value(thing) {
            Ok(serde_json::Value::String(word)) => Some(word),
            _ => None,
        });
        self.owned(name, word);
    }

    fn whole(&mut self, name: &'static str, number: Option<u64>) {
        (self.take)(name.into(), Cell::Whole(number));
    }

    fn real(&mut self, name: &'static str, number: Option<f64>) {
        (self.take)(name.into(), Cell::Real(number));
    }

    fn flag(&mut self, name: &'static str, flag: Option<bool>) {
        (self.take)(name.into(), Cell::Flag(flag));
    }
}

fn of_job<'r>(job: &'r Job, out: &mut Out<'_, '_, 'r>) {
    let Job {
        board,
        encoding,
        constraints,
        blocked,
        symmetry,
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
    out.owned("board", Some(board.to_string()));
    out.whole("board_rows", Some(board.rows().into()));
    out.whole("board_columns", Some(board.columns().into()));
    out.word("geometry", Some(board.geometry()));
    out.word("piece", Some(board.piece()));
    out.owned("given_queens", Some(listed(board.placed())));
    out.owned("blocked_squares", Some(listed(board.blocked())));
    out.text("encoding", Some(encoding));
    out.word("constraints", constraints.as_ref());
    out.word("blocked_by", Some(blocked));
    out.word("symmetry", Some(symmetry));
    out.owned("numbering", Some(numbering.id()));
    out.word("numbering_squares", Some(numbering.squares));
    out.word("numbering_auxiliaries", Some(numbering.auxiliaries));
    out.whole("variables_seed", numbering.variables);
    out.whole("literals_seed", numbering.literals);
    out.whole("polarity_seed", numbering.polarity);
    out.whole("clauses_seed", numbering.clauses);
    out.text("solver", Some(solver));
    out.text("task", Some(task.id()));
    out.whole("most_solutions", *most);
    out.whole("repeat", Some((*repeat).into()));
    let Limits { cpu_s, wall_s, memory_bytes, nodes } = *limits;
    out.real("cpu_limit_s", Some(cpu_s));
    out.real("wall_limit_s", Some(wall_s));
    out.whole("memory_limit_bytes", Some(memory_bytes));
    out.whole("node_limit", nodes);
    out.word("proof_asked", proof.as_ref());
    out.flag("simplified_asked", Some(*simplified));
    out.word("measured_by", Some(measured_by));
}

fn of_formula(formula: Option<&FormulaSize>, out: &mut Out<'_, '_, '_>) {
    let sizes = formula.map(|formula| {
        // The sections have columns of their own, at the end.
        let FormulaSize { variables, primary, clauses, literals, sections: _ } = formula;
        [*variables, *primary, *clauses, *literals]
    });
    let names = ["variables", "primary_variables", "clauses", "literals"];
    for (place, name) in names.into_iter().enumerate() {
        out.whole(name, sizes.map(|sizes| sizes[place]));
    }
}

fn of_all<'r>(all: Option<&'r AllSolutions>, out: &mut Out<'_, '_, 'r>) {
    let split = |all: &'r AllSolutions| {
        let AllSolutions { count, whole, digest, diagram, auxiliaries } = all;
        (count, *whole, digest.as_deref(), *diagram, *auxiliaries)
    };
    let all = all.map(split);
    // Exact however large: no column of numbers holds them all.
    out.owned("solutions", all.map(|all| all.0.to_string()));
    out.flag("solutions_whole", all.map(|all| all.1));
    out.text("solutions_digest", all.and_then(|all| all.2));
    let diagram = all.and_then(|all| all.3).unwrap_or_default();
    let DiagramSize { nodes, peak_nodes, peak_states } = diagram;
    out.whole("diagram_nodes", nodes);
    out.whole("diagram_peak_nodes", peak_nodes);
    out.whole("diagram_peak_states", peak_states);
    out.word("auxiliaries_promised", all.and_then(|all| all.4));
}

fn of_propagation(propagation: Option<&Propagation>, out: &mut Out<'_, '_, '_>) {
    let told = propagation.map(|propagation| {
        let Propagation { conflict, found, truth, propagate_cpu_s } = propagation;
        (*conflict, found.as_ref(), truth.as_ref(), *propagate_cpu_s)
    });
    out.flag("propagation_conflict", told.map(|told| told.0));
    let found = told.and_then(|told| told.1);
    out.owned("propagation_found", found.map(ToString::to_string));
    out.real("propagate_cpu_s", told.map(|told| told.3));
    let truth = told.and_then(|told| told.2);
    let truth = truth.map(|Truth { solvable, implied }| (*solvable, implied.as_ref()));
    out.flag("truth_solvable", truth.map(|truth| truth.0));
    let implied = truth.and_then(|truth| truth.1);
    out.owned("truth_implied", implied.map(ToString::to_string));
}

fn of_proof<'r>(proof: Option<&'r ProofRecord>, out: &mut Out<'_, '_, 'r>) {
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
    out.whole("proof_bytes", told.and_then(|told| *told.1));
    out.whole("proof_steps", told.and_then(|told| *told.2));
    out.real("proof_check_cpu_s", told.and_then(|told| *told.3));
    out.whole("proof_check_memory_peak_bytes", told.and_then(|told| *told.4));
    out.text("proof_note", told.and_then(|told| told.5));
}

fn of_simplified(simplified: Option<&Simplified>, out: &mut Out<'_, '_, '_>) {
    let told = simplified.map(|simplified| {
        let Simplified { variables, clauses, literals, answer } = *simplified;
        (variables, clauses, literals, answer)
    });
    out.whole("simplified_variables", told.map(|told| told.0));
    out.whole("simplified_clauses", told.map(|told| told.1));
    out.whole("simplified_literals", told.map(|told| told.2));
    out.word("simplified_answer", told.map(|told| told.3));
}

fn of_options(job: &Job, wide: &Wide, out: &mut Out<'_, '_, '_>) {
    for name in &wide.options {
        let value = job.options.get(name).map(ToString::to_string);
        (out.take)(format!("option_{name}").into(), Cell::Text(value.map(Cow::Owned)));
    }
}

fn of_sections(formula: Option<&FormulaSize>, wide: &Wide, out: &mut Out<'_, '_, '_>) {
    for name in &wide.sections {
        let mut sections = formula.iter().flat_map(|formula| &formula.sections);
        let section = sections.find(|section| section.name == *name);
        let size = section.map(Section::size);
        let lengths = section.map(|Section { name: _, variables: _, lengths }| {
            let words: Vec<String> =
                lengths.iter().map(|(length, clauses)| format!("{length}:{clauses}")).collect();
            words.join(" ")
        });
        let whole = |number: Option<u128>| Cell::Whole(number.and_then(|n| u64::try_from(n).ok()));
        let name = |what| format!("section_{name}_{what}").into();
        (out.take)(name("variables"), whole(size.map(|size| size.variables)));
        (out.take)(name("clauses"), whole(size.map(|size| size.clauses)));
        (out.take)(name("literals"), whole(size.map(|size| size.literals)));
        (out.take)(name("clauses_by_length"), Cell::Text(lengths.map(Cow::Owned)));
    }
}

fn of_circuit(circuit: Option<&[SectionOperations]>, wide: &Wide, out: &mut Out<'_, '_, '_>) {
    for name in &wide.circuit {
        let mut sections = circuit.into_iter().flatten();
        let told = sections.find(|section| section.name == *name).map(|section| {
            let SectionOperations { name: _, written, built, reachable } = section;
            [*written, *built, *reachable]
        });
        for (place, what) in ["written", "built", "reachable"].into_iter().enumerate() {
            let name = format!("circuit_{name}_{what}").into();
            (out.take)(name, Cell::Whole(told.map(|told| told[place])));
        }
    }
}

/// Squares as `1,7 2,2`: row and column, counted from 1.
fn listed(squares: &[Square]) -> String {
    let words: Vec<String> = squares.iter().map(ToString::to_string).collect();
    words.join(" ")
}
