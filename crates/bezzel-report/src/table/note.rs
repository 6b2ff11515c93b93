//! Footnotes: the limits, how they were enforced, and over how many shuffles.

use std::collections::BTreeSet;

use bezzel_encode::Numbering;
use bezzel_lab::{Isolation, Limits};

use crate::material::{Material, distinct};
use crate::number::{bytes, count, whole_or};

/// The limits of the runs.
pub(super) fn limits(material: &Material<'_>) -> String {
    let say = |limits: Limits| {
        format!(
            "{} s of CPU time, {} s of wall time and {} of memory",
            whole_or(limits.cpu_s, 3),
            whole_or(limits.wall_s, 3),
            bytes(limits.memory_bytes)
        )
    };
    let all = distinct(material.record.rows.iter().map(|row| row.job.limits));
    let all: Vec<_> = all.into_iter().map(say).collect();
    format!("Limits of a run, its whole process counted: {}.", all.join("; or "))
}

/// How limits were enforced.
pub(super) fn isolation(material: &Material<'_>) -> String {
    let ways = distinct(material.record.rows.iter().map(|row| row.isolation));
    let ways = ways.into_iter().map(|way| match way {
        Isolation::Rlimits => {
            "a process of its own for every run, with rlimits, watched from within and from without"
        }
    });
    format!("Isolation: {}.", ways.collect::<Vec<_>>().join("; "))
}

/// How many shuffles each numbering stands for, on which boards if not on all the same.
pub(super) fn shuffles(material: &Material<'_>) -> String {
    let mut parts = Vec::new();
    for id in material.numberings.iter().filter(|id| **id != Numbering::AS_GENERATED.id()) {
        let mut numbers: Vec<(usize, Vec<String>)> = Vec::new();
        for board in &material.boards {
            let rows = material.record.rows.iter().filter(|row| row.job.board == **board);
            let numberings =
                rows.map(|row| row.job.numbering).filter(|numbering| numbering.id() == *id);
            let number = numberings.collect::<BTreeSet<_>>().len();
            match numbers.iter_mut().find(|known| known.0 == number) {
                Some(known) => known.1.push(board.to_string()),
                None => numbers.push((number, vec![board.to_string()])),
            }
        }
        let all = numbers.len() == 1;
        let of_boards = numbers.iter().map(|(number, boards)| {
            let number = count(*number, "shuffle");
            if all { number } else { format!("{number} on {}", boards.join(", ")) }
        });
        parts.push(format!("{id}, {}", of_boards.collect::<Vec<_>>().join(" and ")));
    }
    if parts.is_empty() {
        "Shuffles: none.".into()
    } else {
        format!("Shuffles: {}.", parts.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use bezzel_encode::{Board, Registry};
    use bezzel_lab::ExperimentRecord;

    use super::*;
    use crate::sample::{shuffled, solved};

    fn note(boards: [u32; 4]) -> String {
        let mut rows = vec![solved(1.0), shuffled(1, 1.0), shuffled(2, 1.0), shuffled(1, 1.0)];
        for (row, side) in rows.iter_mut().zip(boards) {
            row.job.board = Board::new(side).unwrap();
        }
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        shuffles(&Material::new(&record, &Registry::new()))
    }

    #[test]
    fn shuffles_are_counted_by_their_seeds_and_board_by_board_where_they_differ() {
        assert_eq!(note([8, 8, 8, 8]), "Shuffles: random, 2 shuffles.");
        assert_eq!(note([8, 8, 8, 9]), "Shuffles: random, 2 shuffles on 8 and 1 shuffle on 9.");
    }
}
