//! Compact letters: arms that were not distinguished share a letter.
//!
//! If A and B were not distinguished, nor B and C, then A and C may still be: groups of ties overlap. Disjoint groups
//! would distinguish arms without evidence. So each arm has the letters of all its groups, and two arms share a letter
//! exactly if they were not distinguished (Piepho, *An algorithm for a letter-based representation of all-pairwise
//! comparisons*, Journal of Computational and Graphical Statistics 13(2), 2004: insert and absorb).

/// The groups of `arms` arms, each the places of its members: every largest set of which no two are distinguished.
/// Groups are in the order of their first members, and arms in the order given.
pub(crate) fn groups(arms: usize, told_apart: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = vec![(0..arms).collect()];
    for one in 0..arms {
        for two in one + 1..arms {
            if !told_apart(one, two) {
                continue;
            }
            // A group with both becomes two groups, each without one of them.
            let (both, mut others): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|group| group.contains(&one) && group.contains(&two));
            for group in both {
                for gone in [two, one] {
                    others.push(group.iter().copied().filter(|arm| *arm != gone).collect());
                }
            }
            groups = absorbed(others);
        }
    }
    groups.retain(|group| !group.is_empty());
    groups.sort();
    groups
}

/// The groups that are in no other.
fn absorbed(mut groups: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    groups.sort();
    groups.dedup();
    let within = |one: &[usize], two: &[usize]| one.iter().all(|arm| two.contains(arm));
    let kept = groups
        .iter()
        .filter(|group| !groups.iter().any(|other| other != *group && within(group, other)));
    kept.cloned().collect()
}

/// The letters of each arm: `a`, `ab`; beyond `z` come `a2`, `b2`.
pub(crate) fn letters(arms: usize, groups: &[Vec<usize>]) -> Vec<String> {
    let letter = |place: usize| {
        let letter = char::from(b'a' + (place % 26) as u8);
        if place < 26 { letter.to_string() } else { format!("{letter}{}", place / 26 + 1) }
    };
    (0..arms)
        .map(|arm| {
            let of_arm = groups.iter().enumerate().filter(|(_, group)| group.contains(&arm));
            of_arm.map(|(place, _)| letter(place)).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_ties_share_letters_and_no_other_arms_do() {
        // Four in a row, each distinguished from all but its neighbours.
        let apart = |one: usize, two: usize| one.abs_diff(two) > 1;
        let found = groups(4, apart);
        assert_eq!(found, [vec![0, 1], vec![1, 2], vec![2, 3]]);
        assert_eq!(letters(4, &found), ["a", "ab", "bc", "c"]);
    }

    #[test]
    fn all_ties_are_one_group_and_all_apart_are_as_many_as_arms() {
        assert_eq!(letters(3, &groups(3, |_, _| false)), ["a", "a", "a"]);
        assert_eq!(letters(3, &groups(3, |_, _| true)), ["a", "b", "c"]);
        assert!(groups(0, |_, _| true).is_empty());
    }

    #[test]
    fn arms_share_a_letter_exactly_if_they_were_not_distinguished() {
        // All relations of five arms. Each group must be as large as possible.
        let pairs: Vec<(usize, usize)> =
            (0..5).flat_map(|one| (one + 1..5).map(move |two| (one, two))).collect();
        for relation in 0..1 << pairs.len() {
            let apart = |one: usize, two: usize| {
                let place = pairs.iter().position(|pair| *pair == (one.min(two), one.max(two)));
                place.is_some_and(|place| relation >> place & 1 == 1)
            };
            let found = groups(5, apart);
            for &(one, two) in &pairs {
                let share = found.iter().any(|group| group.contains(&one) && group.contains(&two));
                assert_eq!(share, !apart(one, two), "{relation:b}");
            }
            for group in &found {
                let fits = |arm: &usize| {
                    !group.contains(arm) && group.iter().all(|other| !apart(*arm, *other))
                };
                assert!(!(0..5).any(|arm| fits(&arm)), "{relation:b}");
            }
        }
    }

    #[test]
    fn there_are_letters_beyond_z() {
        let found = groups(28, |_, _| true);
        assert_eq!(letters(28, &found)[25..], ["z", "a2", "b2"]);
    }
}
