//! Lists of tasks, and the numbers that `sbatch` prints.

use super::super::queue::{ArrayTask, TaskState, read};
use super::super::slurm::job_number;
use super::super::{JobNames, SlurmError};
use crate::ranges::read as list;

#[test]
fn lists_are_read_in_every_spelling_of_slurms_and_in_no_other() {
    for (text, numbers) in [
        ("7", &[7][..]),
        ("[3,7-9%4]", &[3, 7, 8, 9]),
        ("3,7-9%4", &[3, 7, 8, 9]),
        ("1,3,4294967294-4294967295", &[1, 3, u32::MAX - 1, u32::MAX]),
        ("[0-8:4]", &[0, 4, 8]),
        ("[0-9:4,20]", &[0, 4, 8, 20]),
    ] {
        assert_eq!(list(text).as_deref(), Some(numbers), "{text}");
    }
    for text in
        ["", "N/A", "[3", "3]", "9-7", "1-", "-1", "1,,2", "1-5:0", "+1", "1,...", "0-4294967295"]
    {
        assert_eq!(list(text), None, "{text}");
    }
}

#[test]
fn the_number_of_a_job_is_read_strictly_among_what_a_site_prints() {
    for (text, number) in [
        ("42\n", 42),
        ("42;north\n", 42),
        (
            "Welcome to North.\nYour project has 3 hours left.\n\n  42;north-1.example \nGood luck!",
            42,
        ),
    ] {
        assert_eq!(job_number(text), Some(number), "{text}");
    }
    for text in [
        "",
        "\n",
        "0\n",
        "-1",
        "4 2",
        "42;",
        "42;a b",
        "Submitted batch job 42",
        "42\n43\n",
        "99999999999999999999999\n",
    ] {
        assert_eq!(job_number(text), None, "{text}");
    }
}

#[test]
fn states_are_distinguished_and_none_but_the_end_lets_a_shard_be_submitted_again() {
    use TaskState::{Ended, Held, Pending, Requeued, Running};
    let text = "\
        Maintenance on Monday!\n\
        bezzel|7|1|PENDING|Resources\n\
        bezzel|7|2|PENDING|JobHeldUser\n\
        bezzel|7|3|PENDING|launch failed requeued held\n\
        bezzel|7|4|REQUEUED|None\n\
        bezzel|7|5|REQUEUE_HOLD|None\n\
        bezzel|7|6|RUNNING|None\n\
        bezzel|7|7|COMPLETING|None\n\
        bezzel|7|8|NODE_FAIL|None\n\
        bezzel|7|9|PREEMPTED|None\n\
        bezzel|7|10|COMPLETED|None\n\
        bezzel|7|11|TELEPORTED|None\n\
        bezzel|8|N/A|CANCELLED|None\n\
        bezzel|9|[12,14-15%4]|PENDING|Nodes required for job are DOWN, DRAINED or reserved\n";
    let tasks = read(text).unwrap();
    let pending = |shard| ArrayTask { job: 9, shard, state: TaskState::Pending };
    assert_eq!(tasks[11..], [pending(12), pending(14), pending(15)]);
    let states: Vec<_> = tasks[..11].iter().map(|task| task.state.clone()).collect();
    let unknown = TaskState::Unknown("TELEPORTED".into());
    assert_eq!(
        states,
        [Pending, Held, Held, Requeued, Held, Running, Running, Ended, Ended, Ended, unknown]
    );
    assert_eq!(tasks.iter().filter(|task| !task.state.is_under_way()).count(), 3);
    for text in ["bezzel|7|1|PENDING", "bezzel|seven|1|PENDING|None", "bezzel|7|N/A|PENDING|None"] {
        assert!(matches!(read(text), Err(SlurmError::Garbage { .. })), "{text}");
    }
}

#[test]
fn names_hold_the_token_and_nothing_that_slurm_reads_otherwise() {
    let names = JobNames::of("a,b c=ü", "0a1b");
    assert_eq!(names.array, "bezzel-a_b_c__-0a1b");
    assert_eq!(names.merge, "bezzel-a_b_c__-0a1b-merge");
    let long = JobNames::of(&"n".repeat(100), "0a1b");
    assert!(long.array.ends_with("-0a1b") && long.array.len() < 60);
}
