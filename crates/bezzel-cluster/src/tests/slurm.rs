//! A `sbatch` that is missing, refuses, is slow, or prints unknown output.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

use super::super::{ArrayTask, Slurm, SlurmError, SubmittedJobs, TaskState};
use super::array;

/// Programs that replace Slurm's.
struct FakeSlurm {
    folder: TempDir,
}

impl FakeSlurm {
    /// Makes programs that run these shell commands; other programs are missing.
    fn new(programs: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let fake = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/fake");
        for (name, does) in programs {
            symlink(&fake, folder.path().join(name)).unwrap();
            fs::write(folder.path().join(format!("{name}.does")), does).unwrap();
        }
        Self { folder }
    }

    /// Returns Slurm with these programs, and with additional variables of the environment.
    fn slurm_in(&self, beside: &[(&str, &str)], wall: Duration) -> Slurm {
        let mut path = OsString::from(self.folder.path());
        // The folders of the shell's own programs.
        path.push(":/usr/bin:/bin");
        let mut environment = vec![("PATH".into(), path)];
        environment.extend(beside.iter().map(|&(name, value)| (name.into(), value.into())));
        Slurm::new(environment, wall)
    }

    fn slurm(&self) -> Slurm {
        self.slurm_in(&[], Duration::from_mins(10))
    }

    fn submit(&self) -> Result<SubmittedJobs, SlurmError> {
        self.slurm().submit(&array(), Path::new("/s/array.sh"), Path::new("/s/merge.sh"))
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    fn calls(&self) -> Vec<String> {
        self.read("calls").lines().map(str::to_owned).collect()
    }
}

const ARRAY: &str = "sbatch --parsable /s/array.sh";
const MERGE: &str = "sbatch --parsable --dependency=afterany:41 /s/merge.sh";
const CANCELLED: [&str; 2] = [
    "scancel --name=bezzel-first-look-1f00ba5e-merge",
    "scancel --name=bezzel-first-look-1f00ba5e",
];

/// Returns commands that accept the array, and run `merge` for the job that merges.
fn then(merge: &str) -> String {
    format!("case $* in *--dependency*) {merge} ;; *) echo 41 ;; esac")
}

#[test]
fn an_array_is_submitted_and_then_the_job_that_waits_for_it() {
    let fake =
        FakeSlurm::new(&[("sbatch", then("echo 'Good morning!'; echo '42;north'").as_str())]);
    assert_eq!(fake.submit().unwrap(), SubmittedJobs { array: 41, merge: 42 });
    assert_eq!(fake.calls(), [ARRAY, MERGE]);
}

#[test]
fn no_variable_overrules_what_the_scripts_say_and_no_job_bears_our_mark() {
    let fake = FakeSlurm::new(&[("sbatch", then("echo 42").as_str())]);
    let beside =
        [("SBATCH_ACCOUNT", "other"), ("SBATCH_PARTITION", "other"), ("SBATCH_QOS", "low")];
    let slurm = fake.slurm_in(&beside, Duration::from_mins(10));
    let mut array = array();
    array.partition = None;
    slurm.submit(&array, Path::new("/s/array.sh"), Path::new("/s/merge.sh")).unwrap();
    let environment = fake.read("environment-sbatch");
    let names: Vec<_> = environment.lines().filter_map(|line| line.split_once('=')).collect();
    let value =
        |name: &str| names.iter().find(|(found, _)| *found == name).map(|(_, value)| *value);
    assert_eq!(value("SBATCH_ACCOUNT"), None);
    assert_eq!(value("SBATCH_PARTITION"), Some("other"));
    assert_eq!(value("SBATCH_QOS"), Some("low"));
}

#[test]
fn where_there_is_no_slurm_nothing_is_done() {
    let fake = FakeSlurm::new(&[("scancel", "exit 0")]);
    // If Slurm is installed here, this test must not call it.
    let slurm =
        Slurm::new(vec![("PATH".into(), fake.folder.path().into())], Duration::from_mins(10));
    let error = slurm.submit(&array(), Path::new("/s/array.sh"), Path::new("/s/merge.sh"));
    assert!(matches!(error, Err(SlurmError::Missing { program: "sbatch" })), "{error:?}");
    assert!(fake.calls().is_empty());
}

#[test]
fn a_refusal_is_reported_in_slurms_words_and_leaves_nothing() {
    let refusal = "echo 'sbatch: error: invalid partition specified: long' >&2; exit 1";
    let fake = FakeSlurm::new(&[("sbatch", refusal), ("scancel", "exit 0")]);
    let error = fake.submit().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the array was not submitted: `sbatch` refused: sbatch: error: invalid partition specified: \
         long; nothing of this submission is left in the queue"
    );
    // Slurm also refuses after a timeout of a socket, when it has already accepted the job.
    assert_eq!(fake.calls(), [ARRAY, CANCELLED[0], CANCELLED[1]]);
}

#[test]
fn an_array_whose_merge_is_refused_is_cancelled_again() {
    let fake =
        FakeSlurm::new(&[("sbatch", then("echo no >&2; exit 1").as_str()), ("scancel", "exit 0")]);
    let error = fake.submit().unwrap_err();
    let is_merge = matches!(error, SlurmError::NotSubmitted { what: "the job that merges", .. });
    assert!(is_merge, "{error}");
    assert_eq!(fake.calls(), [ARRAY, MERGE, CANCELLED[0], CANCELLED[1]]);
}

#[test]
fn an_array_that_cannot_be_cancelled_is_reported_with_the_command_that_does() {
    let (merge, cancel) = (then("exit 1"), "echo 'no controller' >&2; exit 1");
    let error =
        FakeSlurm::new(&[("sbatch", merge.as_str()), ("scancel", cancel)]).submit().unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "the job that merges was not submitted: `sbatch` refused: it printed nothing; what \
             may be in the queue all the same could not be cancelled (`scancel` refused: no \
             controller): when Slurm answers again, say `{}; {}`",
            CANCELLED[0], CANCELLED[1]
        )
    );
}

#[test]
fn an_answer_in_no_known_form_is_no_number() {
    for output in ["echo Submitted batch job 41", "echo 41; echo 42", ":"] {
        let fake = FakeSlurm::new(&[("sbatch", output), ("scancel", "exit 0")]);
        let error = fake.submit().unwrap_err();
        let SlurmError::NotSubmitted { what: "the array", reason } = error else {
            panic!("{output}: {error}")
        };
        assert!(matches!(*reason, SlurmError::Garbage { program: "sbatch", .. }), "{reason}");
        assert_eq!(fake.calls().len(), 3);
    }
}

#[test]
fn a_silent_slurm_is_not_waited_for() {
    let fake = FakeSlurm::new(&[("sbatch", "exec sleep 1000"), ("scancel", "exit 0")]);
    let slurm = fake.slurm_in(&[], Duration::from_secs(2));
    let error = slurm.submit(&array(), Path::new("/s/array.sh"), Path::new("/s/merge.sh"));
    let Err(SlurmError::NotSubmitted { reason, .. }) = error else { panic!("{error:?}") };
    assert_eq!(reason.to_string(), "`sbatch` did not answer within 2 s");
    assert_eq!(fake.calls()[1..], CANCELLED);
}

#[test]
fn the_queue_is_asked_by_name_since_numbers_come_back() {
    let lines = "echo 'bezzel|7|1|RUNNING|None'; echo 'bezzel|7|2|COMPLETED|None'; echo 'bezzel|7|3|PENDING|JobHeldAdmin'";
    let fake = FakeSlurm::new(&[("squeue", lines)]);
    let tasks = fake.slurm().under_way(&array().names()).unwrap();
    let task = |shard, state| ArrayTask { job: 7, shard, state };
    assert_eq!(tasks, [task(1, TaskState::Running), task(3, TaskState::Held)]);
    assert_eq!(
        fake.calls(),
        ["squeue --noheader --array --states=all --name=bezzel-first-look-1f00ba5e \
          --format=bezzel|%F|%K|%T|%r"]
    );
    let down = "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1";
    let error = FakeSlurm::new(&[("squeue", down)]).slurm().tasks(&array().names()).unwrap_err();
    assert!(error.to_string().contains("Unable to contact"), "{error}");
}

#[test]
fn the_largest_array_is_what_the_configuration_says() {
    let config = "echo 'MaxArrayJobs = 7'; echo 'MaxArraySize            = 1001'";
    assert_eq!(FakeSlurm::new(&[("scontrol", config)]).slurm().max_array_size().unwrap(), 1001);
    for config in ["echo nothing", "echo 'MaxArraySize = many'"] {
        let error = FakeSlurm::new(&[("scontrol", config)]).slurm().max_array_size().unwrap_err();
        assert!(matches!(error, SlurmError::Garbage { .. }), "{error}");
    }
}
