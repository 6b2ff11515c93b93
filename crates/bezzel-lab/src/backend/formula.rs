//! What engines read that read an encoding.

use bezzel_encode::{ClauseSink, Digest, Encoding, Images, Numbering, Tally, VarMap};
use bezzel_external::usage;
use bezzel_problem::Problem;

/// The formula of a problem, as the encoder writes it and as it is numbered.
#[derive(Clone, Copy)]
pub struct Formula<'a> {
    /// The encoding, settings and all.
    pub encoding: &'a dyn Encoding,
    /// The problem.
    pub problem: &'a Problem,
    /// What the encoder's variables mean.
    pub map: &'a VarMap,
    /// The numbering.
    pub numbering: &'a Numbering,
    /// The image of each of the encoder's variables.
    pub images: &'a Images,
    /// How many variables there are.
    pub variables: u32,
    /// How many of them, the first ones, say where the queens are.
    pub primary: u32,
    /// How many clauses there are.
    pub clauses: u64,
}

impl Formula<'_> {
    /// Writes the formula as it is numbered.
    pub fn write(&self, out: &mut dyn ClauseSink) {
        self.numbering.encode(self.encoding, self.problem, self.images, out);
    }

    /// The digest of its clauses.
    pub fn digest(&self) -> String {
        let mut digest = Digest::new();
        self.write(&mut digest);
        digest.finish()
    }
}

/// An encoding of a problem, gone through once: renaming must know the number of variables beforehand.
pub struct Prepared<'a> {
    encoding: &'a dyn Encoding,
    problem: &'a Problem,
    numbering: &'a Numbering,
    tally: Tally,
    map: VarMap,
    images: Images,
    generate_cpu_s: f64,
}

impl<'a> Prepared<'a> {
    /// Goes through the encoding of the problem, and numbers its variables.
    pub fn new(encoding: &'a dyn Encoding, problem: &'a Problem, numbering: &'a Numbering) -> Self {
        let start = usage::thread_cpu_s();
        let mut tally = Tally::new();
        let map = encoding.encode(problem, &mut tally);
        let generate_cpu_s = usage::thread_cpu_s() - start;
        let images = numbering.images(problem, tally.variables(), &map);
        Self { encoding, problem, numbering, tally, map, images, generate_cpu_s }
    }

    /// What was counted.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// CPU time of going through it, in seconds.
    pub fn generate_cpu_s(&self) -> f64 {
        self.generate_cpu_s
    }

    /// The formula.
    pub fn formula(&self) -> Formula<'_> {
        Formula {
            encoding: self.encoding,
            problem: self.problem,
            map: &self.map,
            numbering: self.numbering,
            images: &self.images,
            variables: self.tally.variables(),
            primary: self.tally.primary(),
            clauses: u64::try_from(self.tally.size().clauses).expect("counted one by one"),
        }
    }
}
