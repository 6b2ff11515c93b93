//! The consistency of a row.

use bezzel_solve::Answer;

use crate::model::all_solutions::AllSolutions;
use crate::model::job::Task;
use crate::model::measure::Propagation;
use crate::model::row::{Row, Termination};

/// Returns the contradiction within a row, if there is one: among its answer, its results and its end.
pub(crate) fn contradiction(row: &Row) -> Option<String> {
    let Row { job, status, termination, all, .. } = row;
    let has_solution = row.has_solution();
    if job.task.backend().is_none() {
        return of_measured(row);
    }
    if row.circuit.is_some() || row.propagation.is_some() {
        return Some("it measures what a job without solver is asked for".to_owned());
    }
    match (job.task, all) {
        (Task::Solve, Some(_)) => {
            Some("it reports all solutions, and one was asked for".to_owned())
        }
        (Task::Solve, None) if row.values.is_none() => {
            let shown = has_solution && *status != Answer::Sat;
            shown.then(|| format!("it answers {status} and has a solution"))
        }
        (Task::Optimise, all) => {
            let has_values = row.values.as_ref().is_some_and(|values| !values.is_empty());
            if all.is_some() {
                Some("it reports all solutions, and the best one was asked for".to_owned())
            } else if has_values != has_solution {
                Some("it has a value exactly if it has a solution".to_owned())
            } else if (*status == Answer::Sat) && !has_values
                || (*status == Answer::Unsat) && has_values
            {
                Some(format!("it answers {status}, and its values contradict that"))
            } else {
                None
            }
        }
        _ if row.values.is_some() => Some("it has values, and no optimum was asked for".to_owned()),
        _ if has_solution => {
            Some("it has the candidates of one solution, and all were asked for".to_owned())
        }
        (_, None) => {
            let claims = *termination == Termination::Finished || *status != Answer::Unknown;
            claims.then(|| format!("it answers {status} and reports no number of solutions"))
        }
        (_, Some(all)) => of_all(*status, *termination, all),
    }
}

fn of_measured(row: &Row) -> Option<String> {
    let Row { job, status, termination, all, formula, circuit, propagation, .. } = row;
    if *status != Answer::Unknown || row.has_solution() || all.is_some() {
        return Some("it answers, and nothing was solved".to_owned());
    }
    let is_size = job.task == Task::Size;
    if (is_size && propagation.is_some()) || (!is_size && circuit.is_some()) {
        return Some("it measures what the other task asks for".to_owned());
    }
    if *termination == Termination::Finished
        && (formula.is_none() || is_size != propagation.is_none())
    {
        return Some("it finished without the requested measurement".to_owned());
    }
    let propagation = propagation.as_ref()?;
    let Propagation { conflict, found, truth, .. } = propagation;
    if *conflict == found.is_some() {
        return Some("propagation reports literals exactly if it found no conflict".to_owned());
    }
    let truth = truth.as_ref();
    if truth.is_some_and(|truth| truth.solvable == truth.implied.is_none()) {
        return Some("facts about all solutions need a solution".to_owned());
    }
    let implied = truth.and_then(|truth| truth.implied.as_ref());
    let strange = [found.as_ref(), implied].into_iter().flatten();
    strange.map(|marks| (marks, marks.read(&job.instance))).find_map(|(marks, read)| {
        read.is_none().then(|| format!("`{marks}` says nothing of such a {}", job.instance.noun()))
    })
}

fn of_all(answer: Answer, termination: Termination, all: &AllSolutions) -> Option<String> {
    let AllSolutions { count, whole, digest, .. } = all;
    if answer != all.answer() {
        let all = if *whole { "in all" } else { "so far" };
        return Some(format!("it answers {answer} and found {count} solutions {all}"));
    }
    if termination == Termination::Finished && !whole {
        return Some("it finished, and did not find all requested solutions".to_owned());
    }
    let is_digest =
        |digest: &String| digest.len() == 32 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    digest
        .as_ref()
        .filter(|digest| !is_digest(digest))
        .map(|digest| format!("`{digest}` is no digest"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::cross::tests::{count, row};

    #[test]
    fn the_fields_of_a_count_must_agree() {
        let right = count(6, "a", "b", 4);
        assert_eq!(contradiction(&right), None);
        let all = |change: fn(&mut AllSolutions)| {
            let mut row = right.clone();
            change(row.all.as_mut().unwrap());
            contradiction(&row)
        };
        let fault = all(|all| all.count = 0_u8.into());
        assert_eq!(fault.unwrap(), "it answers sat and found 0 solutions in all");
        assert!(all(|all| all.whole = false).unwrap().starts_with("it finished"));
        assert!(all(|all| all.digest = Some("set".into())).unwrap().contains("is no digest"));
        assert_eq!(all(|all| all.digest = Some("0".repeat(32))), None);

        let denial = Row { status: Answer::Unsat, ..right.clone() };
        let fault = contradiction(&denial).unwrap();
        assert_eq!(fault, "it answers unsat and found 4 solutions in all");
        let nothing = Row { all: None, ..right.clone() };
        assert!(contradiction(&nothing).unwrap().contains("reports no number"));
        let lost = Row {
            all: None,
            status: Answer::Unknown,
            termination: Termination::CpuLimit,
            ..right.clone()
        };
        assert_eq!(contradiction(&lost), None);
        let placed = Row { places: Some(Vec::new()), ..right.clone() };
        assert!(contradiction(&placed).unwrap().contains("candidates of one solution"));
        let first = Row { all: right.all, ..row(6, "a", Answer::Sat, None) };
        assert!(contradiction(&first).unwrap().contains("one was asked for"));
    }
}
