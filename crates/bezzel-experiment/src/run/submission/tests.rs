//! Submissions, and the refusal of changed ones.

use std::fs;

use super::*;
use crate::backend::catalog::Catalog;
use crate::config::Config;
use crate::model::permission::Permission;
use crate::plan::Plan;
use crate::run::shard::{Cut, cut};

const CONFIG: &str = "\
name: t
boards: [{size: [4, 5, 6, 7]}]
encodings: [pairwise, product, binary]
solvers: [batsat]
";

/// Returns a submission in a new folder, with its plan and its division.
fn submitted(parts: usize) -> (tempfile::TempDir, Submission, Plan, Cut) {
    let catalog = Catalog::standard();
    let config = Config::parse(CONFIG, "a test", &catalog).unwrap();
    let plan = Plan::new(&config, &catalog).unwrap();
    let cut = cut(&vec![1.0; plan.jobs.len()], plan.rounds(), parts);
    let folder = tempfile::tempdir().unwrap();
    let request = NewSubmission {
        name: "t",
        config: CONFIG,
        jobs: &plan.jobs,
        permission: &Permission::none(),
        cut: &cut,
    };
    let submission = freeze(folder.path(), &request).unwrap();
    (folder, submission, plan, cut)
}

#[test]
fn a_frozen_submission_is_read_back_shard_by_shard() {
    let (folder, made, plan, cut) = submitted(3);
    let all = Submission::all(folder.path()).unwrap();
    let [read] = &all[..] else { panic!("one was made") };
    assert_eq!(read.content, made.content);
    assert_eq!((read.name(), read.jobs()), ("t", 12));
    assert_eq!(read.experiment(), folder.path());
    for (part, shard) in cut.parts.iter().zip(read.shards()) {
        let jobs = read.jobs_of(shard.number).unwrap();
        let planned: Vec<_> = part.iter().map(|&place| plan.jobs[place].clone()).collect();
        assert_eq!(jobs, planned);
        assert_eq!(shard.jobs, part.len());
        let keys = read.keys_of(shard.number).unwrap();
        assert!(jobs.iter().all(|job| keys.contains(&job.key)));
        assert!(read.refuse_outdated(&jobs, &Catalog::standard()).is_ok());
    }
    let manifest = fs::read(read.folder().join(MANIFEST)).unwrap();
    assert_eq!(digest(&manifest), read.content.manifest_digest);
    assert!(matches!(read.jobs_of(4), Err(SubmissionError::NoShard { max: 3, .. })));
    assert!(matches!(read.jobs_of(0), Err(SubmissionError::NoShard { .. })));
}

#[test]
fn the_next_submission_has_the_next_folder_and_another_token() {
    let (folder, first, plan, cut) = submitted(2);
    // An incomplete submission does no harm.
    fs::create_dir(folder.path().join("shards/0002")).unwrap();
    let request = NewSubmission {
        name: "t",
        config: CONFIG,
        jobs: &plan.jobs,
        permission: &Permission::none(),
        cut: &cut,
    };
    let next = freeze(folder.path(), &request).unwrap();
    assert!(next.folder().ends_with("shards/0003"));
    assert_ne!(first.token(), next.token());
    assert_eq!(Submission::all(folder.path()).unwrap().len(), 2);
}

#[test]
fn a_manifest_that_was_changed_is_refused_where_it_was_changed() {
    let (_folder, submission, ..) = submitted(3);
    let path = submission.folder().join(MANIFEST);
    let text = fs::read_to_string(&path).unwrap();
    let last = &submission.shards()[2];
    let (before, after) = text.split_at(last.begin as usize);
    fs::write(&path, format!("{before}{}", after.replacen("batsat", "batsit", 1))).unwrap();
    assert!(submission.jobs_of(1).is_ok());
    assert!(matches!(submission.jobs_of(3), Err(SubmissionError::Changed { .. })));
    fs::write(&path, before).unwrap();
    assert!(matches!(submission.jobs_of(3), Err(SubmissionError::Changed { .. })));
}

#[test]
fn a_job_that_would_be_measured_otherwise_here_is_refused_and_named() {
    let (_folder, submission, plan, ..) = submitted(1);
    let refusal = |change: fn(&mut PlannedJob)| {
        let mut jobs = plan.jobs.clone();
        change(&mut jobs[3]);
        submission.refuse_outdated(&jobs, &Catalog::standard()).unwrap_err().to_string()
    };
    assert!(refusal(|job| job.encoding_revision += 1).contains("the encoding `"));
    assert!(refusal(|job| job.solver_version = "0.1".into()).starts_with("`batsat` is "));
    assert!(refusal(|job| job.job.encoding = "no-such".into()).contains("is not there here"));
}

#[test]
fn another_config_or_another_format_is_no_submission_of_ours() {
    let (folder, submission, ..) = submitted(1);
    let present = folder.path().join(store::CONFIG);
    fs::write(&present, CONFIG).unwrap();
    assert_eq!(submission.config().unwrap(), present);
    // An experiment that was extended later keeps the config of the submission.
    fs::write(&present, CONFIG.replace('7', "8")).unwrap();
    assert!(matches!(submission.config(), Err(SubmissionError::Changed { .. })));
    let kept = folder.path().join(store::VERSIONS).join("1").join(store::CONFIG);
    fs::create_dir_all(kept.parent().unwrap()).unwrap();
    fs::write(&kept, CONFIG).unwrap();
    assert_eq!(submission.config().unwrap(), kept);
    let path = submission.folder().join(SUBMISSION);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"format\": 1", "\"format\": 2")).unwrap();
    let error = Submission::all(folder.path()).unwrap_err();
    assert!(error.to_string().contains("its format is 2, not 1"), "{error}");
}
