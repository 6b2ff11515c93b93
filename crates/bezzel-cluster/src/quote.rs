//! Quoted text in scripts: words of `#SBATCH` lines, and words of the shell.

use std::path::Path;

use super::error::ScriptError;

/// Returns a path as text, absolute and on one line.
pub(super) fn path<'a>(what: &'static str, path: &'a Path) -> Result<&'a str, ScriptError> {
    let refused = |reason| ScriptError::Path { what, path: path.to_owned(), reason };
    let text = path.to_str().ok_or_else(|| refused("is not UTF-8 text"))?;
    if !path.is_absolute() {
        return Err(refused("is not absolute"));
    }
    if text.chars().any(char::is_control) {
        return Err(refused("holds a control character, which ends a line of the script"));
    }
    Ok(text)
}

/// Returns the pattern of file names in a folder, for `--output`. Slurm also replaces parts of folders that begin
/// with `%`, and removes every backslash.
pub(super) fn pattern(
    what: &'static str,
    folder: &Path,
    name: &str,
) -> Result<String, ScriptError> {
    let text = path(what, folder)?;
    if text.contains('\\') {
        let reason = "holds a backslash, which Slurm takes out of the names of logs";
        return Err(ScriptError::Path { what, path: folder.to_owned(), reason });
    }
    Ok(format!("{}/{name}", text.replace('%', "%%")))
}

/// Returns a word of a `#SBATCH` line, between double quotes: `sbatch` accepts no other quoting for words with
/// blanks, quotes, `#` or backslashes.
pub(super) fn directive(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns a word of the shell, between single quotes.
pub(super) fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
