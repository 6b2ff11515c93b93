//! With which encodings unit propagation finds least and most of what is implied.

use super::words::names;
use crate::escape::plain;
use crate::material::{Material, distinct};
use crate::number::whole_or;
use crate::statistics::strength::percent;
use crate::table::propagation::{Found, found};

/// The sentence; none if no boards of a family compare two encodings.
pub(super) fn sentence(material: &Material<'_>) -> Option<String> {
    let all = found(material);
    let families = distinct(all.iter().map(|found| found.family.as_str()));
    let mut told = families.into_iter().filter_map(|family| {
        let here = all.iter().filter(|found| found.family == family);
        Some((shares(material, &here.collect::<Vec<_>>())?, plain(family)))
    });
    let (shares, family) = told.next()?;
    let others = told.map(|(shares, family)| format!("; {shares} on {family}"));
    Some(format!(
        "Unit propagation finds {shares} of the implied squares on boards of the family {family}{}.",
        others.collect::<Vec<_>>().concat()
    ))
}

/// The smallest and the largest share that was found on the boards of a family, and by whom.
fn shares(material: &Material<'_>, of_family: &[&Found]) -> Option<String> {
    // Shares of other boards would compare boards: only those count that have the most of them.
    let extent = |found: &Found| (found.strength.boards, found.strength.implied);
    let whole = of_family.iter().map(|found| extent(found)).max()?;
    let all: Vec<&Found> =
        of_family.iter().copied().filter(|found| extent(found) == whole).collect();
    let numbers = || all.iter().map(|found| found.strength.found);
    let (least, most) = (numbers().min()?, numbers().max()?);
    let share = |number: u64| {
        let share = percent(number, whole.1)?.measured()?;
        Some(format!("{} %", whole_or(share, 3)))
    };
    let by = |number: u64| {
        let equal = all.iter().filter(|found| found.strength.found == number);
        let equal = equal.map(|found| plain(&material.encodings[found.style]));
        names(&equal.collect::<Vec<_>>())
    };
    let of_most = format!("{} ({})", share(most)?, by(most));
    if least == most {
        return (all.len() > 1).then_some(of_most);
    }
    Some(format!("from {} ({}) to {of_most}", share(least)?, by(least)))
}

#[cfg(test)]
mod tests {
    use bezzel_encode::{Board, Registry, Square};
    use bezzel_lab::{ExperimentRecord, Row};

    use crate::answer::answer;
    use crate::answer::tests::told;
    use crate::material::Material;
    use crate::sample::propagated;

    const TRUTH: &str = "xQxx/xxxQ/Qxxx/xxQx";
    /// Of the 15 squares that are implied, 9.
    const ATTACKED: &str = "xQxx/xxx./.x.x/.x..";

    fn of(encoding: &str, found: &str) -> Row {
        propagated(encoding, Some(found), Some(TRUTH))
    }

    #[test]
    fn the_smallest_and_the_largest_share_are_told_with_all_that_have_it() {
        let rows =
            vec![of("pairwise", ATTACKED), of("order", TRUTH), of("a", TRUTH), of("b", ATTACKED)];
        assert_eq!(
            told(rows),
            ["Unit propagation finds from 60 % (pairwise, b) to 100 % (order, a) of the implied \
              squares on boards of the family partly filled."]
        );
        let alike = vec![of("pairwise", ATTACKED), of("product", ATTACKED)];
        assert_eq!(
            told(alike),
            [
                "Unit propagation finds 60 % (pairwise, product) of the implied squares on boards of the \
              family partly filled."
            ]
        );
        assert!(told(vec![of("pairwise", ATTACKED)]).is_empty());
    }

    #[test]
    fn each_family_is_told_and_boards_that_one_lacks_do_not_favour_it() {
        let elsewhere = |mut row: Row| {
            // The mirror image of the board.
            row.job.board = Board::new(4).unwrap().with_placed([Square::new(0, 2)]).unwrap();
            let turned = |text: &str| {
                let rows = text.split('/').map(|row| row.chars().rev().collect::<String>());
                serde_json::from_value(rows.collect::<Vec<_>>().join("/").into()).unwrap()
            };
            let propagation = row.propagation.as_mut().unwrap();
            propagation.found = Some(turned(ATTACKED));
            propagation.truth.as_mut().unwrap().implied = Some(turned(TRUTH));
            row
        };
        let mut rows = vec![
            of("pairwise", ATTACKED),
            of("order", TRUTH),
            elsewhere(of("pairwise", ATTACKED)),
            elsewhere(of("order", ATTACKED)),
        ];
        let answered = |rows: Vec<Row>, families: [&str; 2]| {
            let boards = [rows[0].job.board.clone(), rows[2].job.board.clone()];
            let families = boards.into_iter().zip(families.map(str::to_owned)).collect();
            let record = ExperimentRecord { rows, families, ..ExperimentRecord::default() };
            answer(&Material::new(&record, &Registry::new())).remove(0)
        };
        assert_eq!(
            answered(rows.clone(), ["prefix", "random"]),
            "Unit propagation finds from 60 % (pairwise) to 100 % (order) of the implied squares on \
             boards of the family prefix; 60 % (pairwise, order) on random."
        );
        // One that has the easier board alone would have the largest share.
        rows.push(of("easy", TRUTH));
        assert_eq!(
            answered(rows, ["prefix", "prefix"]),
            "Unit propagation finds from 60 % (pairwise) to 80 % (order) of the implied squares on \
             boards of the family prefix."
        );
    }
}
