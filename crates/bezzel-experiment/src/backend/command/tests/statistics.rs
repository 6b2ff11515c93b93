//! The effort in the printed output of solvers.

use bezzel_solve::Effort;

use super::super::answer::take_effort;

fn effort(text: &str) -> [Option<u64>; 4] {
    let mut effort = Effort::default();
    text.lines().for_each(|line| take_effort(line, &mut effort));
    [effort.conflicts, effort.decisions, effort.propagations, effort.restarts]
}

#[test]
fn the_statistics_of_each_solver_are_understood() {
    let kissat = "\
c        MB reductions conflicts size  tier2  irredundant
c         level restarts redundant glue  trail     variables
c conflicts:                               45             2118.54 per second
c decisions:                               98                2.18 per conflict
c propagations:                          6830           321548    per second
c restarts:                                 5                9    interval";
    assert_eq!(effort(kissat), [Some(45), Some(98), Some(6830), Some(5)]);

    let cadical = "\
c chronological:                 8        16.33 %  of conflicts
c conflicts:                    49    108167.77    per second
c decisions:                    58    128035.32    per second
c propagations:               1084         2.39 M  per second";
    assert_eq!(effort(cadical), [Some(49), Some(58), Some(1084), None]);

    let minisat = "\
WARNING: for repeatability, setting FPU to use double precision
| Conflicts |          ORIGINAL         |          LEARNT          | Progress |
restarts              : 1
conflicts             : 25             (8386 /sec)
decisions             : 63             (0.00 % random) (21134 /sec)
propagations          : 602            (201946 /sec)
conflict literals     : 185            (18.86 % deleted)";
    assert_eq!(effort(minisat), [Some(25), Some(63), Some(602), Some(1)]);

    let glucose = "\
c last restart ## conflicts  :  34 34
c restarts              : 1 (34 conflicts in avg)
c blocked restarts      : 0 (multiple: 0)
c conflicts             : 34             (12445 /sec)
c decisions             : 75             (0.00 % random) (27452 /sec)
c propagations          : 556            (203514 /sec)";
    assert_eq!(effort(glucose), [Some(34), Some(75), Some(556), Some(1)]);

    let syrup = "\
c last restart ## conflicts  :  71 69
c | Conflicts     |              71 |          0 |         71 |          0 |          0 |
c | Decisions     |             149 |          0 |        149 |          0 |          0 |
c | Propagations  |            1131 |          0 |       1131 |          0 |          0 |";
    assert_eq!(effort(syrup), [Some(71), Some(149), Some(1131), None]);

    let picosat = "c 0 restarts\nc 41 conflicts\nc 81 decisions\nc 6430 propagations";
    assert_eq!(effort(picosat), [Some(41), Some(81), Some(6430), Some(0)]);

    let cryptominisat = "\
c restarts                 : 10          (174.30    confls per restart)
c blocked restarts         : 0           (0.00      per normal restart)
c decisions                : 2214        (0.00      % random)
c propagations             : 189K        (9837K     props/s)
c decisions/conflicts      : 1.27
c conflicts                : 1743
c Conflicts in UIP         : 1744        (70715.68  confl/time_this_thread)";
    assert_eq!(effort(cryptominisat), [Some(1743), Some(2214), None, Some(10)]);

    let clasp = "c Choices        : 1615\nc Conflicts      : 1588     (Analyzed: 1587)\nc Restarts       : 0";
    assert_eq!(effort(clasp), [Some(1588), Some(1615), None, Some(0)]);
}

#[test]
fn malformed_statistics_are_ignored() {
    for text in [
        "",
        "c",
        "c conflicts",
        "conflicts: many",
        "conflicts: -3",
        "conflicts: 1.5",
        "conflicts: 18446744073709551616",
        "c conflicts 3",
        "confllicts: 3",
    ] {
        assert_eq!(effort(text), [None; 4], "{text}");
    }
}
