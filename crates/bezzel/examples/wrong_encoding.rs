//! A program whose encodings are wrong: one forgets the pairs at a distance of two; one of whole boards forgets every
//! third of the clauses of two literals. The tests run it to check that wrong encoders and wrong answers are found.

use std::process::ExitCode;

use bezzel_encode::{
    AtMostOne, Auxiliaries, ClauseSink, Encoding, EncodingInfo, Formula, Lit, Propagation,
    Registry, Settings, Size, VarMap,
};
use bezzel_problem::Problem;

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

struct ForgetfulBoard;

impl Encoding for ForgetfulBoard {
    fn info(&self) -> EncodingInfo {
        EncodingInfo { id: "forgetful-board".into(), ..AtMostOne::info(&Forgetful) }
    }

    fn kind(&self) -> Option<&'static str> {
        Some("queens")
    }

    fn size(&self, _problem: &Problem) -> Option<Size> {
        None
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        let pairwise =
            bezzel_queens::register(Registry::standard()).find("pairwise").expect("it is listed");
        let mut formula = Formula::new();
        let map = pairwise.with_settings(Settings::default()).rules(problem, &mut formula);
        out.fresh(formula.variables());
        for (number, clause) in formula.clauses().enumerate() {
            if clause.len() != 2 || number % 3 != 0 {
                out.clause(clause);
            }
        }
        map
    }
}

fn main() -> ExitCode {
    bezzel::main(
        &bezzel::Workbench::standard().with_at_most_one(Forgetful).with_encoding(ForgetfulBoard),
    )
}
