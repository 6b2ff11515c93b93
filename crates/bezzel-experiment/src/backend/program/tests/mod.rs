//! Programs that encode, as real shell scripts.

mod faults;

use std::fs;
use std::sync::atomic::AtomicBool;

use bezzel_encode::amk::Limit;
use bezzel_encode::{AtMostOne, Encoding, Formula, InputOrder, Settings, Var, models, properties};
use bezzel_problem::{Instance, Kind};

use super::*;
use crate::model::permission::Permission;
use crate::tests::encoder_script::{PAIRWISE, QUICK, Script};
use crate::tests::grid_script::pairs_of_grids;
use crate::tests::seating::Seating;

/// A ladder: input i implies step i, a step implies the next one, and excludes the next input. Its clauses are few
/// enough for all lengths on which properties are checked.
const LADDER: &str = r#"
read greeting
echo started >> "$1/starts"
while read word n; do
    steps=$((n > 1 ? n - 1 : 0))
    echo "p cnf $((n + steps)) $((steps > 0 ? 3 * steps - 1 : 0))"
    i=1
    while [ $i -le $steps ]; do
        echo "-$i $((n + i)) 0"
        [ $i -eq 1 ] || echo "-$((n + i - 1)) $((n + i)) 0"
        echo "-$((n + i)) -$((i + 1)) 0"
        i=$((i + 1))
    done
done
"#;

/// Seatings, by pairs of seats of one guest or chair. More guests than chairs are refused.
fn seatings() -> Script {
    Script::new(&pairs_of_grids("word rows columns", "$rows -gt $columns", "too few chairs"))
}

impl Script {
    fn starts(&self) -> usize {
        let noted = fs::read_to_string(self.folder.path().join("starts"));
        noted.map_or(0, |text| text.lines().count())
    }
}

fn seating(size: u32) -> Seating {
    Seating::new(size, size)
}

fn formula(encoding: &dyn Encoding, seating: &Seating) -> Formula {
    let mut formula = Formula::new();
    encoding.encode(&seating.problem(), &mut formula);
    formula
}

#[test]
fn a_program_encodes_as_the_same_encoding_of_ours_does() {
    let script = Script::new(PAIRWISE);
    let registry = Registry::standard();
    let mut programs = EncoderPrograms::new(&registry, QUICK, &Permission::everything());
    let given = seating(5).with_given(&[(1, 1)]).with_excluded(&[(1, 2), (2, 4), (5, 5)]);
    for seating in [seating(1), seating(2), Seating::new(3, 5), Seating::new(5, 3), given] {
        for input_order in [InputOrder::AsStated, InputOrder::Reversed, InputOrder::Random(1)] {
            let settings = Settings { input_order, ..Settings::default() };
            let instance = seating.clone().into();
            let found = programs.find(&script.name(), settings, &instance).unwrap();
            let ours = registry.find("pairwise").unwrap().with_settings(settings);
            let (theirs, problem) = (found.with_settings(settings), seating.problem());
            assert_eq!(theirs.fits(&problem), ours.fits(&problem));
            if ours.fits(&problem).is_ok() {
                assert_eq!(formula(&*theirs, &seating), formula(&*ours, &seating), "{seating}");
            }
            assert_eq!(theirs.size(&problem), ours.size(&problem));
            assert_eq!(found.info().id, script.name());
        }
    }
}

#[test]
fn a_program_of_bounds_encodes_as_the_same_encoder_of_ours_does() {
    // At most k by all sets of k + 1 literals, from a table of bits.
    const BINOMIAL: &str = r#"
read greeting
echo started >> "$1/starts"
while read word k n; do
    clauses=
    count=0
    for set in $(seq 0 $(((1 << n) - 1))); do
        clause=
        size=0
        for i in $(seq $n); do
            if [ $((set >> (n - i) & 1)) -eq 1 ]; then clause="$clause -$i"; size=$((size + 1)); fi
        done
        if [ $size -eq $((k + 1)) ]; then clauses="$clause 0 $clauses"; count=$((count + 1)); fi
    done
    echo "p cnf $n $count"
    echo $clauses
done
"#;
    let script = Script::new(BINOMIAL);
    let registry = Registry::standard();
    let mut programs = EncoderPrograms::new(&registry, QUICK, &Permission::everything());
    let name = script.name().replace('}', ", kind: at-most-k}");
    let shapes = |numbers: &[u64]| -> Vec<Shape> {
        let of = |&n: &u64| Limit::ALL.map(|limit| Shape { n, limit, k: 2 });
        numbers.iter().flat_map(of).collect()
    };
    let found = programs.find_for_shapes(&name, &shapes(&[3, 4, 5])).unwrap().unwrap();
    // The answers are asked for again, and are the same.
    assert_eq!(script.starts(), 2);
    let encoder = found.of_bounds().unwrap();
    for (n, limit) in [3, 4, 5].into_iter().flat_map(|n| Limit::ALL.map(|limit| (n, limit))) {
        let profile = properties::constraint::ConstraintProfile::of_bound(encoder, limit, n, 2);
        let propagation = bezzel_encode::Propagation::Complete;
        assert_eq!((profile.wrong, profile.propagation), (None, propagation), "{limit} 2 of {n}");
    }
    // As an encoding of instances it is asked for k = 1.
    let theirs = programs.find(&name, Settings::default(), &seating(4).into()).unwrap();
    let (theirs, ours) =
        (theirs.with_settings(Settings::default()), registry.find("pairwise").unwrap());
    let ours = ours.with_settings(Settings::default());
    assert_eq!(theirs.size(&seating(4).problem()), ours.size(&seating(4).problem()));
    assert!(programs.find_for_shapes(&script.name(), &shapes(&[3])).unwrap().is_none());
    assert!(programs.find_for_shapes("pairwise", &shapes(&[3])).unwrap().is_none());
    // A program that counts its starts.
    let moody =
        Script::new(&BINOMIAL.replace("p cnf $n", "p cnf $(($(wc -l < \"$1/starts\") + n))"));
    let name = moody.name().replace('}', ", kind: at-most-k}");
    let Err(error) = programs.find_for_shapes(&name, &shapes(&[3])) else {
        panic!("it prints other clauses each time")
    };
    assert!(
        error.to_string().contains("printed other clauses when it was asked `at-most 1 3` a"),
        "{error}"
    );
}

#[test]
fn one_run_answers_for_all_instances_and_nothing_is_asked_twice() {
    let script = Script::new(PAIRWISE);
    let registry = Registry::standard();
    let mut programs = EncoderPrograms::new(&registry, QUICK, &Permission::everything());
    let instances = [Seating::new(4, 9), seating(7), seating(3)].map(Instance::from);
    let instances: Vec<&Instance> = instances.iter().collect();
    let found = programs.find_each(&script.name(), Settings::default(), &instances).unwrap();
    assert_eq!(found.len(), 3);
    let reversed = Settings { input_order: InputOrder::Reversed, ..Settings::default() };
    programs.find_each(&script.name(), reversed, &instances).unwrap();
    programs.find(&script.name(), Settings::default(), &Seating::new(7, 9).into()).unwrap();
    assert_eq!(script.starts(), 1);
    programs.find(&script.name(), Settings::default(), &seating(10).into()).unwrap();
    assert_eq!(script.starts(), 2);
}

#[test]
fn the_revision_is_of_the_clauses_and_of_the_instance_alone() {
    let revision = |text: &str, sizes: &[u32], size: u32| {
        let registry = Registry::standard();
        let mut programs = EncoderPrograms::new(&registry, QUICK, &Permission::everything());
        let instances: Vec<Instance> = sizes.iter().map(|&size| seating(size).into()).collect();
        let instances: Vec<&Instance> = instances.iter().collect();
        let script = Script::new(text);
        let name = script.name();
        programs.find_each(&name, Settings::default(), &instances).unwrap();
        programs.find(&name, Settings::default(), &seating(size).into()).unwrap().info().revision
    };
    let known = revision(PAIRWISE, &[5], 5);
    assert!(known > 0 && known < 1 << 31);
    // Another folder, other instances beside it, other comments: the same clauses.
    assert_eq!(revision(PAIRWISE, &[8, 5], 5), known);
    assert_eq!(revision(&PAIRWISE.replace("echo \"c", "echo \"c well:"), &[5], 5), known);
    // Another instance, other clauses, another order of literals.
    assert_ne!(revision(PAIRWISE, &[6], 6), known);
    assert_ne!(revision(&PAIRWISE.replace("-$i -$j", "-$j -$i"), &[5], 5), known);
    assert_ne!(revision(&PAIRWISE.replace("cnf $n", "cnf $((n + 1))"), &[5], 5), known);
}

#[test]
fn a_program_may_encode_instances_whole_and_refuse_some() {
    let script = seatings();
    let registry = Registry::standard();
    let mut programs = EncoderPrograms::new(&registry, QUICK, &Permission::everything());
    let name = script.of_instances();
    for seating in [seating(3), Seating::new(2, 4), seating(4).with_given(&[(2, 3)])] {
        let found = programs.find(&name, Settings::default(), &seating.clone().into()).unwrap();
        assert!(!found.has_lines());
        let encoding = found.with_settings(Settings::default());
        let formula = formula(&*encoding, &seating);
        let primary: Vec<_> = (0..formula.variables()).map(Var::new).collect();
        let (models, solutions) =
            models::count_until(&formula, &primary, &AtomicBool::new(false)).unwrap();
        let expected = seating.solutions().len() as u64;
        assert_eq!((models, solutions), (expected.into(), expected), "{seating}");
    }
    let few = Seating::new(4, 3);
    let found = programs.find(&name, Settings::default(), &few.clone().into()).unwrap();
    let refused = found.with_settings(Settings::default()).fits(&few.problem()).unwrap_err();
    let end = "does not fit the seating 4 on 3: too few chairs; the program refused it";
    assert!(refused.to_string().ends_with(end), "{refused}");
}

#[test]
fn a_map_says_what_the_variables_of_a_grid_mean() {
    let printed = "c two seats\nc square 1,1 3 -1\nc square 1,2 -3\n\
                   p cnf 4 1\n4 -4 0\n";
    let script = Script::new(&format!("cat >/dev/null; cat <<'END'\n{printed}END\n"));
    let registry = Registry::standard();
    let seating = Seating::new(1, 2);
    let mut programs = EncoderPrograms::new(&registry, QUICK, &Permission::everything());
    let found = programs
        .find(&script.of_instances(), Settings::default(), &seating.clone().into())
        .unwrap();
    let mut stats = FormulaStats::new();
    let map = found.with_settings(Settings::default()).encode(&seating.problem(), &mut stats);
    assert_eq!((stats.variables(), stats.primary()), (4, 2));
    let cube = |candidate| map.cube(candidate).iter().map(|lit| lit.to_ipasir()).collect();
    let cubes: Vec<Vec<i32>> = (0..2).map(cube).collect();
    assert_eq!(cubes, [vec![2, -1], vec![-2]]);
}

#[test]
fn properties_of_a_program_are_checked_with_two_starts() {
    let script = Script::new(LADDER);
    let registry = Registry::standard();
    let mut programs = EncoderPrograms::new(&registry, LIMITS, &Permission::everything());
    let NamedEncoding::AtMostOne(theirs) =
        programs.find_for_properties(&script.name(), &[], &[]).unwrap()
    else {
        panic!("of lines")
    };
    assert_eq!(properties::at_most_one::check(&*theirs as &dyn AtMostOne), Ok(()));
    assert_eq!(script.starts(), 2);
    // A program that forgets a sign.
    let wrong = Script::new(&LADDER.replace("-$((i + 1)) 0", "$((i + 1)) 0"));
    let NamedEncoding::AtMostOne(theirs) =
        programs.find_for_properties(&wrong.name(), &[], &[]).unwrap()
    else {
        panic!("of lines")
    };
    let violation = properties::at_most_one::check(&*theirs as &dyn AtMostOne).unwrap_err();
    assert_eq!(violation.property, properties::Property::Meaning);
    // A program that counts its starts.
    let moody = LADDER.replace("p cnf $((n", "p cnf $(($(wc -l < \"$1/starts\") + n");
    let Err(error) = programs.find_for_properties(&Script::new(&moody).name(), &[], &[]) else {
        panic!("it says something else each time")
    };
    let message = error.to_string();
    assert!(
        message.ends_with("printed other clauses when it was asked `at-most-one 0` a second time")
    );
}

#[test]
fn names_without_programs_run_nothing_and_are_found_as_ever() {
    let registry = Registry::standard();
    let mut programs = EncoderPrograms::new(&registry, QUICK, &Permission::everything());
    for name in ["pairwise", "{short: pairwise, long: product, at: 7}", "binary"] {
        let found = programs.find(name, Settings::default(), &seating(4).into()).unwrap();
        assert_eq!(found.info(), registry.find(name).unwrap().info());
        assert!(!needs_programs(name));
    }
    let error = programs.find("pairwize", Settings::default(), &seating(4).into()).err().unwrap();
    assert_eq!(error.to_string(), "unknown encoding `pairwize`; did you mean `pairwise`?");
    assert!(needs_programs("{rows: a, columns: b, diagonals: {command: c}}"));
}

#[test]
fn an_unrecorded_program_has_information_and_runs_nothing() {
    let script = Script::new(PAIRWISE);
    let name = format!("{{short: pairwise, long: {}, at: 3}}", script.name());
    let found = unrecorded(&Registry::standard(), &Name::parse(&name).unwrap()).unwrap();
    assert_eq!(found.info().id, name);
    assert_eq!(script.starts(), 0);
}
