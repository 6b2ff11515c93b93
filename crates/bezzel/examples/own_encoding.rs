//! A whole program with an at-most-one encoding of its own. Every command knows the encoding, and so do the workers.
//!
//!     cargo run --example own_encoding -- solve 8 --encoding thrifty
//!     cargo run --example own_encoding -- run my-question.yaml

use std::process::ExitCode;

use bezzel_encode::{AtMostOne, Auxiliaries, ClauseSink, EncodingInfo, Lit, Propagation, Size};

/// Pairwise on short inputs. Longer inputs are cut after three: a variable that states that one of the three holds
/// takes their place.
struct Thrifty;

/// The number of inputs that a cut takes.
const GROUP: usize = 3;

impl AtMostOne for Thrifty {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: "thrifty".into(),
            title: "groups of three".into(),
            citation: "this example".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        // Every cut takes three inputs away, adds one, and costs six binary clauses.
        let cuts = if n > 4 { (n - 4).div_ceil(2) } else { 0 };
        let rest = u128::from(n - 2 * cuts);
        let clauses = 6 * u128::from(cuts) + rest * rest.saturating_sub(1) / 2;
        Some(Size::new(cuts.into(), clauses, 2 * clauses))
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        let mut rest = xs.to_vec();
        while rest.len() > GROUP + 1 {
            let one_of_them = out.fresh(1).lit(0);
            let group: Vec<Lit> = rest.drain(..GROUP).collect();
            pairwise(&group, out);
            for &x in &group {
                // x → one of them holds
                out.clause(&[!x, one_of_them]);
            }
            rest.push(one_of_them);
        }
        pairwise(&rest, out);
    }
}

fn pairwise(xs: &[Lit], out: &mut dyn ClauseSink) {
    for (index, &first) in xs.iter().enumerate() {
        for &second in &xs[index + 1..] {
            out.clause(&[!first, !second]);
        }
    }
}

fn main() -> ExitCode {
    bezzel::main(&bezzel::Workbench::standard().with_at_most_one(Thrifty))
}
