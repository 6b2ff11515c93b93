//! Records like those of experiments. The sizes are those of the encodings. Times and conflicts are synthetic, by a law
//! and a generator that are equal on every machine.

use std::time::Duration;

use bezzel_encode::numbering::{AuxiliaryPlace, SquareOrder};
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{Constraints, Encoding, FormulaStats, Numbering, Registry, Settings};
use bezzel_experiment::calibration::CalibrationJob;
use bezzel_experiment::environment::{Build, SolverBuild};
use bezzel_experiment::{
    Environment, Evidence, EvidenceKind, ExperimentRecord, Finding, FormulaSize, Job, Key, Limits,
    PlannedJob, ProofRecord, Row, Task, Termination, Verdict,
};
use bezzel_problem::Square;
use bezzel_queens::{Board, Geometry};
use bezzel_solve::{Answer, Effort, OptionValue, Options, ProofFormat, Simplified};

/// The CPU limit of all runs, in seconds.
const LIMIT_S: f64 = 5.0;

/// An encoding, the hardness of its formulas, and the factor of hardness in the generated order.
struct Subject {
    id: &'static str,
    hardness: f64,
    as_generated: f64,
}

const fn subject(id: &'static str, hardness: f64, as_generated: f64) -> Subject {
    Subject { id, hardness, as_generated }
}

/// The encodings of the large record.
const SUBJECTS: [Subject; 9] = [
    subject("pairwise", 6.0, 1500.0),
    subject("implication", 5.0, 1400.0),
    subject("implication:auxiliary", 9.0, 900.0),
    subject("sequential-counter", 285.0, 23.0),
    subject("binary", 60.0, 14.0),
    subject("bitwise", 121.0, 53.0),
    subject("bryant-circuit", 400.0, 11.0),
    subject("bryant-circuit:binary", 500.0, 16.0),
    subject("bryant-circuit+plaisted-greenbaum", 250.0, 30.0),
];

/// Pseudo-random numbers that are equal on every machine: Marsaglia's xorshift.
struct Dice(u64);

impl Dice {
    /// A number from 0 to 1.
    fn random_share(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A factor around 1, between a fifth and five.
    fn factor(&mut self) -> f64 {
        5.0_f64.powf(self.random_share() + self.random_share() - 1.0)
    }
}

/// The encoding's real size on the board.
pub(crate) fn formula(encoding: &dyn Encoding, board: &Board) -> FormulaSize {
    let mut tally = FormulaStats::new();
    encoding.encode(&board.problem(), &mut tally);
    let size = tally.size();
    FormulaSize {
        variables: tally.variables().into(),
        primary: tally.primary().into(),
        clauses: size.clauses as u64,
        literals: size.literals as u64,
        sections: tally.into_sections(),
    }
}

fn board(side: u32, geometry: Geometry) -> Board {
    Board::new(side).expect("the side is in range").with_geometry(geometry)
}

/// The encoding with this name.
pub(crate) fn registered(encoding: &str) -> NamedEncoding {
    bezzel_queens::register(Registry::standard()).find(encoding).expect("the encoding is known")
}

fn found(subject: &Subject) -> NamedEncoding {
    registered(subject.id)
}

fn job(subject: &Subject, board: &Board, numbering: Numbering, solver: &str) -> Job {
    let takes_constraints = found(subject).has_lines();
    Job {
        settings: Settings {
            constraints: takes_constraints.then_some(Constraints::Full),
            ..Settings::default()
        },
        numbering,
        options: Options::from([("factor".into(), OptionValue::Integer(0))]).into(),
        proof: (solver == "cadical").then_some(ProofFormat::Lrat),
        simplified: solver == "cadical",
        ..plain_job(board.clone(), subject.id, solver, Task::Solve)
    }
}

/// A job as generated, without settings, options and proof.
pub(crate) fn plain_job(board: Board, encoding: &str, solver: &str, task: Task) -> Job {
    Job {
        instance: board.into(),
        encoding: encoding.into(),
        settings: Settings::default(),
        numbering: Numbering::AS_GENERATED,
        solver: solver.into(),
        options: std::sync::Arc::default(),
        task,
        max_solutions: None,
        repeat: 1,
        limits: Limits {
            cpu_s: LIMIT_S,
            wall_s: 2.0 * LIMIT_S,
            memory_bytes: 2 << 30,
            nodes: None,
        },
        proof: None,
        simplified: false,
    }
}

/// A planned job of the first revision of an encoding.
pub(crate) fn planned(job: Job, key: String, solver_version: &str) -> PlannedJob {
    let solver_version = solver_version.into();
    PlannedJob { job, key: Key(key), encoding_revision: 1, solver_version, size: None }
}

fn run(subject: &Subject, formula: &FormulaSize, job: Job, dice: &mut Dice) -> Row {
    let side = u64::from(job.instance.size());
    let torus = Board::of(&job.instance).unwrap().geometry() == Geometry::Torus;
    let slow = if job.solver == "batsat" { 1.4 } else { 1.0 };
    let mut conflicts = if torus {
        300.0 * 9.0_f64.powf(side as f64 / 2.0 - 4.0) * dice.factor().powf(0.3)
    } else {
        subject.hardness * (side as f64 / 60.0).powf(1.7) * dice.factor()
    };
    if job.numbering == Numbering::AS_GENERATED && !torus {
        let effect = (side as f64 / 60.0).powi(2) * (subject.as_generated - 1.0);
        conflicts *= 1.0 + if job.solver == "batsat" { effect.min(2.0) } else { effect };
    }
    let conflicts = (conflicts - 1.0).max(0.0).round();
    let clauses = formula.clauses as f64;
    let seconds = slow * (1e-7 * clauses + 4e-9 * (conflicts + 1.0) * clauses.powf(0.9) + 2e-5);
    let seconds = if torus { seconds * 12.0 } else { seconds };
    let timed_out = seconds > LIMIT_S;
    let (answer, verdict, evidence) = if timed_out {
        (Answer::Unknown, Verdict::Unchecked, None)
    } else if torus {
        let source = "OEIS A007705".into();
        (Answer::Unsat, Verdict::Verified, Some(Evidence { kind: EvidenceKind::Cross, source }))
    } else {
        let source = "the rules of the board".into();
        (Answer::Sat, Verdict::Verified, Some(Evidence { kind: EvidenceKind::Rules, source }))
    };
    let seconds = seconds.min(LIMIT_S);
    let (generate_s, load_s) = (1e-8 * clauses, 1.5e-7 * clauses);
    let (proof, simplified) = (proof(&job, answer, seconds), simplified(&job, formula, answer));
    let evidence = match &proof {
        Some(proof) => {
            let source = format!("LRAT proof of {} steps", proof.steps.unwrap_or_default());
            Some(Evidence { kind: EvidenceKind::Proof, source })
        }
        None => evidence,
    };
    let sat = answer == Answer::Sat;
    // The first of the 92 solutions in the order of the alphabet.
    let queens = [1, 5, 8, 6, 3, 7, 2, 4];
    let queens = (1..).zip(queens).map(Square::from).collect();
    let number = (dice.random_share() * 1e18) as u64;
    let key = format!("{number:016x}{number:016x}");
    let planned = PlannedJob {
        encoding_revision: found(subject).info().revision,
        ..planned(job, key, if slow > 1.0 { "0.6.0" } else { "3.0.1" })
    };
    Row {
        status: answer,
        verdict,
        checked_by: evidence,
        formula: Some(formula.clone()),
        generate_cpu_s: Some(generate_s),
        load_cpu_s: Some(load_s),
        solve_cpu_s: Some(seconds),
        decode_cpu_s: sat.then_some(2e-6 * side as f64),
        check_cpu_s: sat.then_some(2e-8 * clauses),
        places: (sat && side == 8).then_some(queens),
        proof,
        simplified,
        core: Some(1),
        cpu_s: generate_s + load_s + seconds + 0.001,
        wall_s: generate_s + load_s + seconds + 0.002,
        memory_peak_bytes: Some(4_000_000 + (90.0 * clauses) as u64),
        solver_stats: Effort { conflicts: Some(conflicts as u64), ..Effort::default() },
        started_unix_s: 1_767_225_600.0,
        ..Row::blank(planned, if timed_out { Termination::CpuLimit } else { Termination::Finished })
    }
}

/// The proof record of a run that answers that there is no solution.
fn proof(job: &Job, answer: Answer, solve_cpu_s: f64) -> Option<ProofRecord> {
    let format = job.proof.filter(|_| answer == Answer::Unsat)?;
    Some(ProofRecord {
        format,
        finding: Finding::Accepted,
        bytes: Some((2e7 * solve_cpu_s) as u64),
        steps: Some((4e5 * solve_cpu_s) as u64),
        check_cpu_s: Some(0.3 * solve_cpu_s),
        check_memory_peak_bytes: Some(6_000_000),
        note: None,
        translated: false,
        checker_version: None,
    })
}

/// Synthetic results of preprocessing: the more auxiliary variables, the less is left.
fn simplified(job: &Job, formula: &FormulaSize, answer: Answer) -> Option<Simplified> {
    let is_simplified = job.simplified && answer != Answer::Unknown;
    is_simplified.then(|| {
        let auxiliary = formula.variables - formula.primary;
        Simplified {
            variables: formula.primary - formula.primary / 10 + auxiliary / 3,
            clauses: formula.clauses - formula.clauses * auxiliary / (3 * formula.variables),
            literals: formula.literals,
            answer: Answer::Unknown,
        }
    })
}

/// Readings of the machine that differ by some hundredths.
fn readings() -> Vec<Row> {
    let fixed = CalibrationJob::new(&bezzel_queens::experiment::catalog(), Duration::from_secs(30));
    let planned =
        fixed.expect("the catalog contains the encoding and the solver of the fixed job").planned;
    let reading = |number: u32| Row {
        status: Answer::Unsat,
        verdict: Verdict::Verified,
        solve_cpu_s: Some(0.07 + 0.0005 * f64::from(number * 7 % 5)),
        solver_stats: Effort { conflicts: Some(12_250), ..Effort::default() },
        core: Some(1),
        ..Row::blank(planned.clone(), Termination::Finished)
    };
    (0..12).map(reading).collect()
}

fn record(name: &str, question: &str, config: &str, rows: Vec<Row>) -> ExperimentRecord {
    ExperimentRecord {
        name: name.into(),
        config_name: name.into(),
        question: Some(question.into()),
        config: config.into(),
        config_from: format!("configs/{name}.yaml"),
        map: None,
        environments: vec![Environment {
            build: Build {
                version: "0.1.0".into(),
                git_revision: Some("0123abc".into()),
                git_dirty: Some(false),
                rustc: Some("rustc 1.95.0".into()),
                profile: None,
                opt_level: None,
                optimised: true,
            },
            cpu_model: Some("Example CPU".into()),
            cores: Some(2),
            memory_bytes: Some(8_000_000_000),
            kernel: Some("6.1.0".into()),
            solvers: [("batsat", "0.6.0"), ("cadical", "3.0.1")]
                .map(|(id, version)| {
                    let options = [("factor".to_owned(), "0".to_owned())].into();
                    let version = version.to_owned();
                    (id.to_owned(), SolverBuild { version, digest: None, options })
                })
                .into(),
            parallel: 1,
            started_unix_s: 1_767_225_600,
            ..Environment::default()
        }],
        planned: rows.len(),
        rows,
        readings: readings(),
        ..ExperimentRecord::default()
    }
}

/// A record of the shape of `first-look`: nine encodings, four sides of the plane and two of the torus, two solvers, as
/// generated and under ten shuffles; with time-outs, unchecked answers and one missing run.
pub(crate) fn large() -> ExperimentRecord {
    let mut dice = Dice(0x1848_0000_0001);
    let mut boards: Vec<Board> =
        [8, 16, 32, 60].iter().map(|&side| board(side, Geometry::Plane)).collect();
    boards.extend([10, 12].map(|side| board(side, Geometry::Torus)));
    let mut rows = Vec::new();
    for board in &boards {
        for subject in &SUBJECTS {
            let formula = formula(&*found(subject).with_settings(Constraints::Full), board);
            for solver in ["cadical", "batsat"] {
                for seed in 0..=10 {
                    let numbering = match seed {
                        0 => Numbering::AS_GENERATED,
                        seed => Numbering::random(seed),
                    };
                    let job = job(subject, board, numbering, solver);
                    rows.push(run(subject, &formula, job, &mut dice));
                }
            }
        }
    }
    for row in &mut rows {
        let odd = row.job.encoding == "binary" && row.job.numbering == Numbering::random(3);
        if odd && row.job.instance.size() == 10 && row.status == Answer::Unsat {
            (row.verdict, row.checked_by, row.proof) = (Verdict::Unchecked, None, None);
        }
    }
    let mut record = record(
        "sample",
        "What does the numbering of variables do, beside the encoding?",
        "name: sample\nproblems: [{queens: {size: [8, 16, 32, 60]}}, {queens: {size: [10, 12], geometry: torus}}]\n",
        rows,
    );
    record.planned += 1;
    record
}

/// A record with data for every figure of solvers: ten boards of three families, five encodings, three numberings, one
/// solver; with a time-out, an unchecked answer and a missing run. All numbers are whole or quarters.
pub(crate) fn wide() -> ExperimentRecord {
    let mut dice = Dice(0x1848_0000_0003);
    let mut boards: Vec<Board> =
        [8, 12, 16].iter().map(|&side| board(side, Geometry::Plane)).collect();
    boards.extend([6, 9].map(|side| board(side, Geometry::Torus)));
    boards.extend((1..8).map(|column| {
        let closed = Square { row: 0, column };
        board(8, Geometry::Plane).with_blocked([closed]).expect("the square is on the board")
    }));
    let spiral = Numbering::ordered(SquareOrder::Spiral, AuxiliaryPlace::After);
    let numberings = [Numbering::AS_GENERATED, spiral, Numbering::random(1)];
    let mut rows = Vec::new();
    for (place, board) in boards.iter().enumerate() {
        for (number, subject) in SUBJECTS[..5].iter().enumerate() {
            let formula = formula(&*found(subject).with_settings(Constraints::Full), board);
            for (turn, numbering) in numberings.into_iter().enumerate() {
                let job = job(subject, board, numbering, "cadical");
                let mut row = run(subject, &formula, job, &mut dice);
                let size = (1 + place) * (1 + (3 * number + turn) % 7);
                row.solve_cpu_s = Some(size as f64 / 16.0);
                row.solver_stats.conflicts = Some((size * size - 1) as u64);
                rows.push(row);
            }
        }
    }
    let late = rows.last_mut().expect("there are rows");
    (late.status, late.verdict, late.termination) =
        (Answer::Unknown, Verdict::Unchecked, Termination::CpuLimit);
    (late.checked_by, late.proof) = (None, None);
    let unproved = rows
        .iter()
        .position(|row| row.status == Answer::Unsat && row.job.numbering == Numbering::random(1));
    let unproved = &mut rows[unproved.expect("a torus of side 6 has no solution")];
    (unproved.verdict, unproved.checked_by, unproved.proof) = (Verdict::Unchecked, None, None);
    rows.remove(2);
    record("wide", "Which encoding, where?", "name: wide\nproblems: [{queens: {size: 8}}]\n", rows)
}

/// A record of boards without a solution, of two sides, with proofs.
pub(crate) fn refuted() -> ExperimentRecord {
    let mut record = wide();
    record.rows.retain(|row| Board::of(&row.job.instance).unwrap().geometry() == Geometry::Torus);
    record
}

/// A record of two solvers. Under both one encoding is faster than another.
pub(crate) fn ranked() -> ExperimentRecord {
    let mut record = wide();
    let of_both = |row: &Row| SUBJECTS[..2].iter().any(|subject| subject.id == row.job.encoding);
    record.rows.retain(|row| {
        of_both(row)
            && row.job.numbering == Numbering::random(1)
            && Board::of(&row.job.instance).unwrap().geometry() == Geometry::Plane
    });
    for row in &mut record.rows {
        let factor = if row.job.encoding == SUBJECTS[0].id { 0.25 } else { 1.0 };
        row.solve_cpu_s = Some(factor * f64::from(row.job.instance.size()) / 4.0);
        (row.status, row.verdict) = (Answer::Sat, Verdict::Verified);
        (row.proof, row.job.proof, row.termination) = (None, None, Termination::Finished);
    }
    let others = record.rows.clone().into_iter().map(|mut row| {
        row.job.solver = "batsat".into();
        row
    });
    record.rows.extend(others.collect::<Vec<_>>());
    record
}

/// A record that is small enough for a golden file: two encodings, two sides, one solver, as generated and under two
/// shuffles; with a time-out and an unchecked answer.
pub(crate) fn small() -> ExperimentRecord {
    let mut dice = Dice(0x1848_0000_0002);
    let mut rows = Vec::new();
    let boards = [(8, Geometry::Plane), (16, Geometry::Plane), (6, Geometry::Torus)];
    for (side, geometry) in boards {
        let board = board(side, geometry);
        for subject in [&SUBJECTS[0], &SUBJECTS[3]] {
            let formula = formula(&*found(subject).with_settings(Constraints::Full), &board);
            for seed in 0..=2 {
                let numbering = match seed {
                    0 => Numbering::AS_GENERATED,
                    seed => Numbering::random(seed),
                };
                let job = job(subject, &board, numbering, "cadical");
                rows.push(run(subject, &formula, job, &mut dice));
            }
        }
    }
    // Whole numbers are shown exactly in a golden file.
    for (index, row) in rows.iter_mut().enumerate() {
        row.solve_cpu_s = Some((index % 3 + 1) as f64 / 4.0);
        (row.generate_cpu_s, row.load_cpu_s) = (Some(0.0625), Some(0.125));
        row.cpu_s = (index % 3 + 2) as f64 / 4.0;
        row.solver_stats.conflicts = Some([0, 12, 30][index % 3]);
        row.memory_peak_bytes = Some(4_000_000 + 1_000_000 * (index as u64 / 3));
        (row.decode_cpu_s, row.check_cpu_s) =
            (row.decode_cpu_s.and(Some(0.001)), row.check_cpu_s.and(Some(0.003)));
        if let Some(proof) = &mut row.proof {
            (proof.bytes, proof.steps, proof.check_cpu_s) =
                (Some(3 << 20), Some(60_000), Some(0.25));
        }
    }
    let late = &mut rows[11];
    (late.status, late.verdict, late.termination) =
        (Answer::Unknown, Verdict::Unchecked, Termination::CpuLimit);
    (late.checked_by, late.solve_cpu_s, late.simplified) = (None, Some(4.9), None);
    (late.decode_cpu_s, late.check_cpu_s) = (None, None);
    let unproved = &mut rows[14];
    (unproved.verdict, unproved.checked_by) = (Verdict::Unchecked, None);
    if let Some(proof) = &mut unproved.proof {
        (proof.finding, proof.note) = (Finding::Unchecked, Some("it has no end".into()));
    }
    record("small", "Is this read?", "name: small\nproblems: [{queens: {size: 8}}]\n", rows)
}
