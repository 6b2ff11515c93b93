//! The arguments of `bezzel encoder`.

use bezzel_encode::InputOrder;
use clap::{Args, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  printf 'bezzel-encoder 1\\nat-most-one 5\\n' | bezzel encoder product
      at most one of the variables 1 to 5, in DIMACS
  printf 'bezzel-encoder 1\\nexactly 2 6\\n' | bezzel encoder totalizer:cut
      exactly two of six
  printf 'bezzel-encoder 1\\nsum at-most 9 3 3 5 7\\n' | bezzel encoder robdd
      3a + 5b + 7c is at most 9
  bezzel encoder '{short: pairwise, long: product, at: 7}' --format marshal
      requests from the keyboard, answers as lists for Python

The first line of stdin is `bezzel-encoder 1`. Each further line is a request: `at-most-one N`, `at-most K N`, \
`at-least K N` or `exactly K N`. N variables, 1 to N, are the inputs. With further numbers, as in \
`at-most K N TOP L1 ... LN`, the inputs are these N literals, and auxiliary variables begin after TOP. \
`sum at-most B N W1 ... WN` has a weight for each input, and TOP and literals after them as well. `if R` at the end of \
a request makes the constraint hold if the literal R does. Each answer is \
written before the next request is read. docs/external-encoders.md has the form of the answers.

Exit codes: 0 stdin has ended, 2 there is no such encoder or a request is invalid.";

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct EncoderArguments {
    /// The id of an at-most-one encoding, or of an encoder of at most K or of sums; `bezzel list` has them. `default`
    /// chooses by the shape of each request
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// The format of the answers
    #[arg(long, value_enum, default_value_t = AnswerFormat::Dimacs)]
    pub(crate) format: AnswerFormat,
    /// The order in which the encoder takes the literals of a request: as-stated, reversed or random:SEED
    #[arg(long, value_name = "ORDER", default_value_t)]
    pub(crate) input_order: InputOrder,
}

/// The format of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// Text, one line for each clause
    Dimacs,
    /// A header and a list of lists for `marshal.loads` of Python
    Marshal,
}
