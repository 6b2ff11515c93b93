//! Solutions up to symmetry, compared with OEIS A002562 and with classes of images.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use bezzel_count::Budget;
use bezzel_queens::Board;
use bezzel_queens::count::{Bitmask, fundamental};
use num_bigint::BigUint;

/// OEIS A002562, from one row on.
const PUBLISHED: [u32; 13] = [1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787, 9233];

/// All permutations of columns in which no two queens are in one diagonal, by trying every permutation.
fn solutions(columns: &mut Vec<usize>, row: usize, found: &mut Vec<Vec<usize>>) {
    let side = columns.len();
    if row == side {
        let attacks = |a: usize| (0..a).any(|b| columns[a].abs_diff(columns[b]) == a - b);
        if !(0..side).any(attacks) {
            found.push(columns.clone());
        }
    }
    for other in row..side {
        columns.swap(row, other);
        solutions(columns, row + 1, found);
        columns.swap(row, other);
    }
}

/// The least of the eight images.
fn canonical(columns: &[usize]) -> Vec<usize> {
    let last = columns.len() - 1;
    let mut image = columns.to_vec();
    let mut images = Vec::new();
    for _ in 0..4 {
        images.push(image.iter().map(|column| last - column).collect());
        let mut turned = vec![0; image.len()];
        for (row, &column) in image.iter().enumerate() {
            turned[column] = last - row;
        }
        images.push(image);
        image = turned;
    }
    images.into_iter().min().unwrap()
}

#[test]
fn fundamental_solutions_are_as_many_as_published_and_as_there_are_classes_of_images() {
    let stop = AtomicBool::new(false);
    for (side, published) in (1..).zip(PUBLISHED) {
        let search = Bitmask::new(&Board::new(side).unwrap()).unwrap();
        let all = search.count(NonZeroUsize::MIN, Budget::unlimited(&stop)).unwrap().solutions;
        let side = side as usize;
        let number = fundamental(side, &all.into());
        assert_eq!(number, Some(published.into()), "{side} rows");
        // A number that is wrong by one is noticed.
        assert!(side == 1 || fundamental(side, &BigUint::from(all + 1)).is_none(), "{side} rows");
        if side <= 8 {
            let mut found = Vec::new();
            solutions(&mut (0..side).collect(), 0, &mut found);
            let classes: BTreeSet<_> = found.iter().map(|columns| canonical(columns)).collect();
            assert_eq!(classes.len(), published as usize, "{side} rows");
        }
    }
}
