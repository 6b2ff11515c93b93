//! The number of projections of the solutions to some variables, by a clause against each projection that was found.
//!
//! The solution of each projection is checked by the rules of the instance. That there are no further ones is the answer
//! of the solver.

use bezzel_encode::{FormulaStats, Lit};
use bezzel_problem::Candidate;
use bezzel_solve::{Answer, Options, Session, SessionOptions, Solver, cadical};

use super::EngineRequest;
use crate::failure::Failure;
use crate::phase::{self, Phase};
use crate::{interrupt, limited};

/// Counts the projections of the solutions to these candidates, and names the solver.
pub(crate) fn count_projections(
    request: &EngineRequest,
    set: &[Candidate],
) -> Result<(u64, String), Failure> {
    let EngineRequest { instance, numbering, .. } = request;
    let interrupt = interrupt::listing_begins();
    phase::begin(Phase::Generating);
    let encoding = request.encoding.as_ref().ok_or_else(|| {
        Failure::Input("--projected counts by clauses: take no engine that reads boards".to_owned())
    })?;
    let problem = instance.problem();
    let mut stats = FormulaStats::new();
    let map = encoding.encode(&problem, &mut stats);
    let images = numbering.images(&problem, stats.variables(), &map);
    let lits = set.iter().map(|&candidate| match map.cube(candidate) {
        [lit] => Ok(images.of(*lit)),
        _ => Err(Failure::Input(format!(
            "`{}` has several variables for `{}`, so it is not projected: take an encoding with one, as `product`",
            encoding.info().id,
            instance.label(candidate)
        ))),
    });
    let lits: Vec<Lit> = lits.collect::<Result<_, _>>()?;
    let solver = cadical::Cadical::Default;
    let options = SessionOptions::from(interrupt);
    phase::begin(Phase::Loading);
    let mut session: Box<dyn Session> =
        solver.open(&Options::new(), &options).map_err(Failure::input)?;
    session.expect(stats.variables(), stats.size().clauses as u64);
    session.set_primary(&mut images.range(0..stats.primary()));
    numbering.encode(encoding.as_ref(), &problem, &images, session.as_mut());
    phase::begin(Phase::Searching);
    let mut count = 0;
    loop {
        match session.solve() {
            Answer::Sat => {}
            Answer::Unsat => break,
            Answer::Unknown => {
                let so_far = format!("; {count} projections found so far");
                return Err(match interrupt::stop_reason() {
                    Some(reason) => limited::stopped(reason, &so_far),
                    None => Failure::Work(format!("the solver did not decide{so_far}")),
                });
            }
        }
        let solution = map.decode(|lit| session.holds(images.of(lit)));
        if let Err(fault) = instance.check(&solution) {
            let id = encoding.info().id;
            return Err(Failure::Work(format!(
                "a solution under `{id}` is wrong: {fault}; `bezzel check` shows if the encoding is wrong"
            )));
        }
        count += 1;
        let clause: Vec<Lit> =
            lits.iter().map(|&lit| if session.holds(lit) { !lit } else { lit }).collect();
        session.clause(&clause);
    }
    Ok((count, solver.info().id))
}
