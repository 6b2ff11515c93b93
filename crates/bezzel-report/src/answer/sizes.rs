//! Which formulas are smallest, and from which board on.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_lab::quantity::grouped;

use crate::escape::plain;
use crate::material::{Material, terrain};
use crate::table::operations::{Counted, Crossing, counted, crossing};

/// A number for each side of the board.
type BySide = BTreeMap<u32, u64>;

/// The sentence; none if there is nothing to compare.
pub(super) fn sentence(material: &Material<'_>) -> Option<String> {
    let told: Vec<String> = operations(material).into_iter().chain(clauses(material)).collect();
    if told.is_empty() {
        return None;
    }
    Some(format!("On the empty boards of the plane that were measured {}.", told.join("; ")))
}

/// From which side on the smallest circuit has fewer operations than the smallest formula without a
/// circuit has clauses; smallest on the largest side.
fn operations(material: &Material<'_>) -> Option<String> {
    let all = counted(material);
    let of = |number: fn(&Counted<'_>) -> Option<u64>| {
        let mut found: BTreeMap<usize, BySide> = BTreeMap::new();
        for it in &all {
            if let Some(number) = number(it) {
                found.entry(it.style).or_default().insert(it.side, number);
            }
        }
        found
    };
    let circuits = of(|it| it.operations);
    let mut others = of(|it| Some(it.clauses));
    others.retain(|style, _| !circuits.contains_key(style));
    let largest = all.iter().map(|it| it.side).max()?;
    let (_, circuit) = least(&circuits, largest)?;
    let (_, other) = least(&others, largest)?;
    let since = since(&circuits[&circuit], &others[&other])?;
    let name = |style: usize| plain(&material.encodings[style]);
    Some(format!("{} has fewer operations than {} has clauses {since}", name(circuit), name(other)))
}

/// From which side on the formula that has the fewest clauses in the end has fewer than that which has
/// the fewest at first; or how few they have, if it is one and the same.
fn clauses(material: &Material<'_>) -> Option<String> {
    let mut of: BTreeMap<usize, BySide> = BTreeMap::new();
    for cell in material.with_formula().filter(|cell| terrain(cell.board) == "plane") {
        if let Some(formula) = cell.formula() {
            let by_side = of.entry(material.style(&cell.encoding)).or_default();
            by_side.entry(cell.board.rows()).or_insert(formula.clauses);
        }
    }
    let compared = |side: &u32| of.values().filter(|known| known.contains_key(side)).count() > 1;
    let sides: BTreeSet<u32> =
        of.values().flat_map(BTreeMap::keys).copied().filter(compared).collect();
    let (smallest, largest) = (*sides.first()?, *sides.last()?);
    let ((few, first), (fewest, last)) = (least(&of, smallest)?, least(&of, largest)?);
    let name = |style: usize| plain(&material.encodings[style]);
    if first != last
        && let Some(since) = since(&of[&last], &of[&first])
    {
        return Some(format!("{} has fewer clauses than {} {since}", name(last), name(first)));
    }
    let at = |side: u32, clauses: u64| format!("for N = {side} ({})", grouped(clauses.into()));
    let told = format!("{} has the fewest clauses {}", name(first), at(smallest, few));
    Some(if smallest == largest {
        told
    } else if first == last {
        format!("{told} and {}", at(largest, fewest))
    } else {
        format!("{told}, {} {}", name(last), at(largest, fewest))
    })
}

/// The least number on a side, and whose it is; of equals the first of the plan.
fn least(of: &BTreeMap<usize, BySide>, side: u32) -> Option<(u64, usize)> {
    of.iter().filter_map(|(style, known)| Some((*known.get(&side)?, *style))).min()
}

/// From which side on the first of two numbers is smaller, with both of them there; nothing if it is
/// not on the largest side that has both.
fn since(one: &BySide, other: &BySide) -> Option<String> {
    match crossing(one, other)? {
        Crossing::Everywhere(side) | Crossing::From(side) => {
            let [one, other] = [one, other].map(|known| grouped(known[&side].into()));
            Some(format!("from N = {side} on ({one} against {other})"))
        }
        Crossing::Nowhere(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use bezzel_lab::{Row, SectionOperations};

    use crate::answer::tests::{of, told};
    use crate::sample::{measured, on_side, sized};

    fn pairs(side: u32, clauses: u64) -> Row {
        sized("pairwise", side, measured(1, clauses, 1))
    }

    fn circuit(side: u32, built: u64, clauses: u64) -> Row {
        let section =
            SectionOperations { name: "ROW".into(), written: built, built, reachable: built };
        let formula = measured(1, clauses, 1);
        Row { circuit: Some(vec![section]), ..sized("bryant-circuit", side, formula) }
    }

    #[test]
    fn where_clauses_and_operations_fall_below_others_is_told() {
        let rows = vec![
            circuit(4, 109, 328),
            pairs(4, 84),
            circuit(8, 565, 1696),
            pairs(8, 744),
            circuit(20, 4045, 12_136),
            pairs(20, 12_580),
        ];
        let to_eight = rows[..4].to_vec();
        assert_eq!(
            told(rows),
            [
                "On the empty boards of the plane that were measured bryant-circuit has fewer operations \
              than pairwise has clauses from N = 8 on (565 against 744); bryant-circuit has fewer \
              clauses than pairwise from N = 20 on (12,136 against 12,580)."
            ]
        );
        assert_eq!(
            told(to_eight),
            [
                "On the empty boards of the plane that were measured bryant-circuit has fewer operations \
              than pairwise has clauses from N = 8 on (565 against 744); pairwise has the fewest \
              clauses for N = 4 (84) and for N = 8 (744)."
            ]
        );
    }

    #[test]
    fn formulas_that_were_solved_are_compared_where_nothing_else_can_be() {
        let solved = |encoding: &str, side, clauses| {
            of(encoding, "batsat", on_side(side, measured(64, clauses, 2 * clauses)))
        };
        let head = "On the empty boards of the plane that were measured";
        let rows = vec![solved("pairwise", 4, 84), solved("product", 4, 100)];
        assert_eq!(told(rows), [format!("{head} pairwise has the fewest clauses for N = 4 (84).")]);
        // Each on a board of its own are not beside each other.
        assert!(told(vec![solved("pairwise", 4, 84), solved("product", 5, 100)]).is_empty());
    }

    #[test]
    fn whoever_is_missing_on_the_other_end_is_told_by_its_own() {
        let of = |encoding: &str, side, clauses| sized(encoding, side, measured(1, clauses, 1));
        let rows = vec![of("a", 4, 10), of("b", 4, 20), of("b", 8, 50), of("c", 8, 40)];
        let told = told(rows).remove(0);
        assert!(
            told.ends_with("a has the fewest clauses for N = 4 (10), c for N = 8 (40)."),
            "{told}"
        );
    }
}
