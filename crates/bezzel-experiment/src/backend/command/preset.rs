//! Widespread programs with the call of each, in one table.

use bezzel_solve::ProofFormat;

use crate::model::job::BackendKind;

/// A program that has an id.
#[derive(Debug)]
pub struct Preset {
    /// The kind: a solver, or an engine, which counts.
    pub kind: BackendKind,
    /// The id, which is permanent.
    pub id: &'static str,
    /// The title, in a few words.
    pub title: &'static str,
    /// The command line.
    pub command: &'static str,
    /// The command line that prints its version, if it can.
    pub version: Option<&'static str>,
    /// The smallest seed that it accepts.
    pub least_seed: i64,
    /// The format of the proofs that it writes, if it writes any in a known format. [`DRAT_TRIM`] converts DRAT.
    pub proof: Option<ProofFormat>,
    /// The way to get it.
    pub package: &'static str,
    /// The source.
    pub citation: &'static str,
}

/// The command line that turns a proof in DRAT into LRAT.
pub const DRAT_TRIM: &str = "drat-trim {cnf} {proof} -L {lrat}";

/// The way to get DRAT-trim.
pub(super) const DRAT_TRIM_PACKAGE: &str = "build it from github.com/marijnheule/drat-trim";

/// The program that checks proofs from files of constraints.
pub(super) const VERIPB: &str = "veripb";

/// The way to get VeriPB.
pub(super) const VERIPB_PACKAGE: &str = "cargo install veripb";

impl Preset {
    /// The first program of the table that a command line starts; `program` is the first word.
    pub(super) fn by_program(program: &str) -> Option<&'static Self> {
        let name = |word: &'static str| word.split_whitespace().next();
        let is_it = |preset: &&Self| {
            !preset.is_module() && name(preset.command) == program.rsplit('/').next()
        };
        PRESETS.iter().find(is_it)
    }

    /// True for a module of an interpreter.
    pub(super) fn is_module(&self) -> bool {
        self.command.starts_with("python3 ")
    }
}

/// The usual values: a solver that takes any seed and writes no proof.
const SOLVER: Preset = Preset {
    kind: BackendKind::Solver,
    id: "",
    title: "",
    command: "",
    version: None,
    least_seed: 0,
    proof: None,
    package: "",
    citation: "",
};

/// The programs, in the order in which they are listed.
///
/// A seed has an effect only if the command line passes it on. Without `-rnd-init`, MiniSat and Glucose accept a seed
/// and ignore it. They refuse the seed 0.
pub const PRESETS: [Preset; 12] = [
    Preset {
        id: "kissat",
        title: "Kissat",
        command: "kissat [--seed={seed}] {cnf} {proof}",
        version: Some("kissat --version"),
        proof: Some(ProofFormat::Drat),
        package: "the wheel `passagemath-kissat` of PyPI, or build it from github.com/arminbiere/kissat",
        citation: "Biere, Faller, Fazekas, Fleury, Froleyks, Pollitt: CaDiCaL, Gimsatul, IsaSAT and \
                   Kissat Entering the SAT Competition 2024",
        ..SOLVER
    },
    Preset {
        id: "cadical-program",
        title: "CaDiCaL as a program, whatever version is installed",
        command: "cadical [--seed={seed}] {cnf} {proof}",
        version: Some("cadical --version"),
        proof: Some(ProofFormat::Drat),
        package: "Debian's package `cadical`, or build it from github.com/arminbiere/cadical",
        citation: "Biere, Faller, Fazekas, Fleury, Froleyks, Pollitt: CaDiCaL 2.0. CAV 2024, LNCS \
                   14681, 133-152",
        ..SOLVER
    },
    Preset {
        id: "minisat",
        title: "MiniSat",
        command: "minisat [-rnd-init -rnd-seed={seed}] {cnf} {answer}",
        least_seed: 1,
        package: "Debian's package `minisat`, or build it from github.com/niklasso/minisat",
        citation: "Eén, Sörensson: An Extensible SAT-solver. SAT 2003, LNCS 2919, 502-518",
        ..SOLVER
    },
    Preset {
        id: "glucose",
        title: "Glucose",
        command: "glucose -model [-rnd-init -rnd-seed={seed}] \
                  [-certified -certified-output={proof}] {cnf}",
        version: Some(
            r"glucose --version 2>/dev/null | sed -n 's/^c This is \(glucose [0-9.]*\).*/\1/p'",
        ),
        least_seed: 1,
        proof: Some(ProofFormat::Drat),
        package: "the wheel `passagemath-glucose` of PyPI, or build it from github.com/audemard/glucose",
        citation: "Audemard, Simon: On the Glucose SAT Solver. IJAIT 27(1), 2018",
        ..SOLVER
    },
    Preset {
        // Version 4.2.1 sometimes waits for its own threads without end, mostly on small formulas. A limit of wall
        // time ends it.
        id: "glucose-syrup",
        title: "Glucose in parallel, four threads",
        command: "glucose-syrup -model -nthreads=4 {cnf}",
        version: Some(
            r"glucose-syrup --version 2>/dev/null | sed -n 's/^c This is \(glucose-syrup [0-9.]*\).*/\1/p'",
        ),
        package: "the wheel `passagemath-glucose` of PyPI, or build it from github.com/audemard/glucose",
        citation: "Audemard, Simon: Lazy Clause Exchange Policy for Parallel SAT Solvers. SAT 2014, \
                   LNCS 8561, 197-205",
        ..SOLVER
    },
    Preset {
        id: "picosat",
        title: "PicoSAT",
        command: "picosat -v [-s {seed}] {cnf}",
        version: Some("picosat --version"),
        package: "Debian's package `picosat`, or build it from fmv.jku.at/picosat",
        citation: "Biere: PicoSAT Essentials. JSAT 4, 2008, 75-97",
        ..SOLVER
    },
    Preset {
        id: "cryptominisat5",
        title: "CryptoMiniSat",
        command: "cryptominisat5 --verb 1 [--random {seed}] {cnf}",
        version: Some("cryptominisat5 --version | sed 's/^c //'"),
        package: "Debian's package `cryptominisat`, or build it from github.com/msoos/cryptominisat",
        citation: "Soos, Nohl, Castelluccia: Extending SAT Solvers to Cryptographic Problems. SAT \
                   2009, LNCS 5584, 244-257",
        ..SOLVER
    },
    Preset {
        id: "lingeling",
        title: "Lingeling",
        command: "lingeling [--seed={seed}] {cnf}",
        version: Some("lingeling --version"),
        package: "build it from github.com/arminbiere/lingeling",
        citation: "Biere: Lingeling, Plingeling, PicoSAT and PrecoSAT at SAT Race 2010. FMV Report \
                   10/1",
        ..SOLVER
    },
    Preset {
        id: "plingeling",
        title: "Lingeling in parallel, four threads",
        command: "plingeling -t 4 {cnf}",
        version: Some("plingeling --version"),
        package: "build it from github.com/arminbiere/lingeling",
        citation: "Biere: Lingeling, Plingeling, PicoSAT and PrecoSAT at SAT Race 2010. FMV Report \
                   10/1",
        ..SOLVER
    },
    Preset {
        id: "clasp",
        title: "clasp",
        // Exit code 30 means that the model is the only one.
        command: "clasp --stats {cnf}; code=$?; [ $code -ne 30 ] || exit 10; exit $code",
        version: Some("clasp --version"),
        package: "Debian's package `clasp`, or build it from github.com/potassco/clasp",
        citation: "Gebser, Kaufmann, Schaub: Conflict-Driven Answer Set Solving: From Theory to \
                   Practice. AIJ 187-188, 2012, 52-89",
        ..SOLVER
    },
    Preset {
        kind: BackendKind::Engine,
        id: "ganak",
        title: "Ganak, projected model counter",
        command: "ganak {cnf}",
        version: Some("ganak --version"),
        package: "build it from github.com/meelgroup/ganak",
        citation: GANAK,
        ..SOLVER
    },
    Preset {
        kind: BackendKind::Engine,
        id: "pyganak",
        title: "Ganak as a Python module",
        // The module takes clauses, so the command parses the file for it.
        command: "python3 -c 'import sys; from pyganak import Counter; c = Counter(); \
                  lines = [l.split() for l in open(sys.argv[1])]; \
                  [c.new_vars(int(w[2])) for w in lines if w[0] == \"p\"]; \
                  [c.add_clause([int(x) for x in w[:-1]]) for w in lines if w[0] not in \"cp\"]; \
                  c.set_sampling_set([int(x) for w in lines if w[:3] == [\"c\", \"p\", \"show\"] \
                  for x in w[3:-1]]); print(\"c s exact arb int\", c.count())' {cnf}",
        version: Some("python3 -c 'import pyganak; print(\"pyganak\", pyganak.__version__)'"),
        package: "the wheel `pyganak` of PyPI",
        citation: GANAK,
        ..SOLVER
    },
];

const GANAK: &str =
    "Soos, Meel: Engineering an Efficient Probabilistic Exact Model Counter. CAV 2025";
