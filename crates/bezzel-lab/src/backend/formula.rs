//! What engines read that read an encoding.

use bezzel_encode::{ClauseSink, Digest, Encoding, Images, VarMap, Numbering, Tally};
use bezzel_external::usage;
use bezzel_problem::Board;

/// The formula of a board, as the encoder writes it and as it is numbered.
#[derive(Clone, Copy)]
pub struct Formula<'a> {
    /// The encoding, settings and all.
    pub encoding: &'a dyn Encoding,
    /// The board.
    pub board: &'a Board,
    /// What the encoder's variables mean.
    pub layout: &'a VarMap,
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
        self.numbering.encode(self.encoding, self.board, self.images, out);
    }

    /// The digest of its clauses.
    pub fn digest(&self) -> String {
        let mut digest = Digest::new();
        self.write(&mut digest);
        digest.finish()
    }
}

/// An encoding of a board, gone through once: renaming must know the number of variables beforehand.
pub struct Prepared<'a> {
    encoding: &'a dyn Encoding,
    board: &'a Board,
    numbering: &'a Numbering,
    tally: Tally,
    layout: VarMap,
    images: Images,
    generate_cpu_s: f64,
}

impl<'a> Prepared<'a> {
    /// Goes through the encoding of the board, and numbers its variables.
    pub fn new(encoding: &'a dyn Encoding, board: &'a Board, numbering: &'a Numbering) -> Self {
        let start = usage::thread_cpu_s();
        let mut tally = Tally::new();
        let layout = encoding.encode(board, &mut tally);
        let generate_cpu_s = usage::thread_cpu_s() - start;
        let images = numbering.images(tally.variables(), &layout);
        Self { encoding, board, numbering, tally, layout, images, generate_cpu_s }
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
            board: self.board,
            layout: &self.layout,
            numbering: self.numbering,
            images: &self.images,
            variables: self.tally.variables(),
            primary: self.tally.primary(),
            clauses: u64::try_from(self.tally.size().clauses).expect("counted one by one"),
        }
    }
}
