//! A fault that shows only beyond the sizes at which every assignment is tried is found, too.

use bezzel_encode::amo::pairwise::Pairwise;
use bezzel_encode::properties;
use bezzel_encode::{AtMostOne, ClauseSink, EncodingInfo, Lit, Size};

/// Pairwise, but with many inputs the first pair is repeated in place of the last one.
struct FarOff;

impl AtMostOne for FarOff {
    fn info(&self) -> EncodingInfo {
        EncodingInfo { id: "far-off".into(), ..Pairwise.info() }
    }

    fn size(&self, n: u64) -> Option<Size> {
        Pairwise.size(n)
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        let last = xs.len().saturating_sub(2);
        for (i, &first) in xs.iter().enumerate() {
            for &second in &xs[i + 1..] {
                let repeated = xs.len() > 20 && i == last;
                let pair = if repeated { [!xs[0], !xs[1]] } else { [!first, !second] };
                out.clause(&pair);
            }
        }
    }
}

#[test]
fn a_pair_forgotten_among_many_inputs_violates_a_property() {
    let violation = properties::at_most_one::check(&FarOff).unwrap_err().to_string();
    assert!(
        violation.contains(
            "`meaning` on 21 inputs: it wrongly allows that exactly these inputs hold: 20, 21"
        ),
        "{violation}"
    );
}
