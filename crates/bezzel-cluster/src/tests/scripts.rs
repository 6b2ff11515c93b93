//! The scripts, compared word by word.

use super::super::ScriptError;
use super::array;

#[test]
fn the_scripts_are_these() {
    assert_eq!(array().script().unwrap(), include_str!("array.sh"));
    assert_eq!(array().merge_script().unwrap(), include_str!("merge.sh"));
}

#[test]
fn options_without_a_value_are_not_in_the_script() {
    let mut plain = array();
    (plain.max_running, plain.partition, plain.account) = (None, None, None);
    plain.whole_nodes = false;
    let text = plain.script().unwrap() + &plain.merge_script().unwrap();
    for word in ["%2", "--partition", "--account", "--exclusive"] {
        assert!(!text.contains(word), "{word}");
    }
    assert!(text.contains("#SBATCH --array=1-9\n"));
}

/// The expected texts follow the observed behaviour of `sbatch` and slurmd 22.05.
#[test]
fn strange_paths_are_quoted_for_slurm_and_for_the_shell() {
    let mut strange = array();
    strange.submission = "/home/o'hara \"x\"/100%j #é/0001".into();
    strange.directory = r"/back\slash".into();
    let text = strange.script().unwrap();
    let output = "#SBATCH --output=\"/home/o'hara \\\"x\\\"/100%%j #é/0001/log/%A_%a.log\"\n";
    assert!(text.contains(output), "{text}");
    assert!(text.contains("#SBATCH --chdir=\"/back\\\\slash\"\n"), "{text}");
    assert!(text.contains(r#" run '/home/o'\''hara "x"/100%j #é/0001' --shard "#), "{text}");
}

#[test]
fn paths_that_slurm_cannot_receive_are_refused() {
    let refused = |submission: &str, expected: &str| {
        let mut array = array();
        array.submission = submission.into();
        let error = array.script().unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    };
    refused("experiments/x", "is not absolute");
    refused("/a\nexec rm", "control character");
    refused("/a\\b", "backslash");
    let mut nobody = array();
    nobody.account = Some("a\n#SBATCH --uid=0".into());
    assert!(matches!(nobody.script(), Err(ScriptError::Name { what: "account", .. })));
}
