//! Files beside the config.

use std::path::{self, Component, Path, PathBuf};

use bezzel_problem::{EntryFile, harmless_line, is_obeyed};

use super::glob::Glob;
use super::node::Node;
use super::source::{ConfigError, Source};
use crate::results::input::{LARGEST_DOCUMENT, near_path};
use crate::results::packing;
use crate::results::store::Attached;

/// Returns a path that stays beside the config in which it is written, or in a folder beside it. `what` names the key.
///
/// # Errors
///
/// When the config is not of this form there; the error has the place.
pub fn path_beside<'n>(
    source: &Source,
    node: &'n Node,
    what: &str,
) -> Result<&'n str, ConfigError> {
    let path = source.text_of(node, what)?;
    refuse_obeyed(source, node, path)?;
    let components: Vec<_> = Path::new(path).components().collect();
    let stays = |component: &Component<'_>| matches!(component, Component::Normal(_));
    if components.is_empty() || !components.iter().all(stays) {
        let message = format!("`{path}` is not a file beside the config or in a folder beside it");
        return Err(source
            .error(node.place, message)
            .hint("it must be there: as in instances/hard.opb"));
    }
    Ok(path)
}

/// Refuses the name of a file that a terminal would obey instead of showing it.
pub(super) fn refuse_obeyed(source: &Source, node: &Node, name: &str) -> Result<(), ConfigError> {
    if name.chars().any(is_obeyed) {
        let message =
            format!("the name of the file `{}` has control characters", harmless_line(name));
        return Err(source.error(node.place, message).hint("rename the file"));
    }
    Ok(())
}

/// Reads a file whose path is relative to the config's folder. Returns the file as it is kept with sessions, and its content.
pub(super) fn attached(
    source: &Source,
    node: &Node,
    path: &str,
) -> Result<(Attached, EntryFile), ConfigError> {
    let (full, below) = source.locate(node.place, Path::new(path))?;
    let (bytes, content) = packing::read_both(&full, LARGEST_DOCUMENT).map_err(|error| {
        let message = format!("{}: the file cannot be read: {error}", full.display());
        let error = source.error(node.place, message);
        if full.exists() { error } else { with_near(error, source, node, path) }
    })?;
    // Worker processes may have another working directory.
    let found = path::absolute(&full).ok();
    let file = EntryFile { name: below.clone(), path: found, bytes: content };
    Ok((Attached { path: below, bytes }, file))
}

/// The error with the file that is nearest to a path. The name of the file may be a pattern; its folder is none.
pub(super) fn with_near(
    error: ConfigError,
    source: &Source,
    node: &Node,
    path: &str,
) -> ConfigError {
    let is_pattern = |part: &Path| part.to_string_lossy().contains(['*', '?']);
    if path.contains(['[', '{', '!', '~']) || Path::new(path).parent().is_some_and(is_pattern) {
        return error.hint("only `*` and `?` in the name of a file are a pattern: as in own-?.opb, or list the files");
    }
    let folder = source.folder(node.place);
    match near_path(&folder.join(path)) {
        Some(near) => {
            let near = near.strip_prefix(folder).unwrap_or(&near);
            error.hint(format!("did you mean `{}`?", near.display()))
        }
        None => error,
    }
}

/// The path that a pattern without wildcards means; the path itself if it has some. The folder is no pattern.
pub fn literal(path: &str) -> PathBuf {
    let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
    match Glob::new(&name).only_name() {
        Some(only) if only != name => Path::new(path).with_file_name(only),
        _ => path.into(),
    }
}
