//! A program whose encoding is wrong: it forgets the pairs at a distance of two. The tests run it to check that wrong
//! answers are found.

use std::process::ExitCode;

use bezzel_encode::{AtMostOne, Auxiliaries, ClauseSink, EncodingInfo, Lit, Propagation, Size};

struct Forgetful;

impl AtMostOne for Forgetful {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: "forgetful".into(),
            title: "pairwise without some pairs".into(),
            citation: "none".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::None,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, _n: u64) -> Option<Size> {
        None
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        for (i, &first) in xs.iter().enumerate() {
            for (j, &second) in xs.iter().enumerate().skip(i + 1) {
                if j - i != 2 {
                    out.clause(&[!first, !second]);
                }
            }
        }
    }
}

fn main() -> ExitCode {
    bezzel::main(bezzel::Registry::standard().with_at_most_one(Forgetful))
}
