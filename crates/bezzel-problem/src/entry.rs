//! Entries of configs: the keys of a kind of problem, and their values.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

/// A key of the entries of a kind. In a config every key takes a value, a list of values or a range of whole
/// numbers; each combination of values is an instance.
#[derive(Clone, Copy, Debug)]
pub struct EntryKey {
    /// The key.
    pub name: &'static str,
    /// The meaning of its values, in a sentence.
    pub about: &'static str,
    /// The values that it takes.
    pub form: EntryForm,
    /// True if an entry without it is refused.
    pub required: bool,
}

impl EntryKey {
    /// A key that every entry has.
    pub const fn required(name: &'static str, about: &'static str, form: EntryForm) -> Self {
        Self { name, about, form, required: true }
    }

    /// A key that an entry may leave out.
    pub const fn optional(name: &'static str, about: &'static str, form: EntryForm) -> Self {
        Self { name, about, form, required: false }
    }
}

/// The values that a key takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EntryForm {
    /// A whole number from the first to the second.
    Whole(u64, u64),
    /// A share from 0 to 1, also written in percent, as in `42 %`.
    Share,
    /// One of these words, of which the first is the default.
    Word(&'static [&'static str]),
    /// True or false.
    Flag,
    /// A file beside the config.
    File,
}

/// The values in words, for documents and lists.
impl fmt::Display for EntryForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(least, u64::MAX) => write!(f, "whole numbers from {least}"),
            Self::Whole(least, max) => write!(f, "whole numbers from {least} to {max}"),
            Self::Share => f.write_str("shares, as in `0.42` or `42 %`"),
            Self::Word(words) => write!(f, "`{}`", words.join("`, `")),
            Self::Flag => f.write_str("`true`, `false`"),
            Self::File => f.write_str("files"),
        }
    }
}

/// A value of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum EntryValue {
    /// A whole number.
    Whole(u64),
    /// A share from 0 to 1.
    Share(f64),
    /// A word.
    Word(String),
    /// True or false.
    Flag(bool),
    /// A file.
    File(EntryFile),
}

/// A file that a key names.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryFile {
    /// The name as the config has it.
    pub name: String,
    /// The path; none if the bytes have no path.
    pub path: Option<PathBuf>,
    /// The content, decompressed.
    pub bytes: Arc<Vec<u8>>,
}

/// One value for some of the keys of an entry. Each value has the form of its key.
#[derive(Clone, Debug, Default)]
pub struct EntryValues(pub Vec<(&'static str, EntryValue)>);

impl EntryValues {
    fn get(&self, key: &str) -> Option<&EntryValue> {
        self.0.iter().find(|(other, _)| *other == key).map(|(_, value)| value)
    }

    /// The whole number of a key.
    pub fn whole(&self, key: &str) -> Option<u64> {
        match self.get(key)? {
            EntryValue::Whole(number) => Some(*number),
            _ => None,
        }
    }

    /// The share of a key, from 0 to 1.
    pub fn share(&self, key: &str) -> Option<f64> {
        match self.get(key)? {
            EntryValue::Share(share) => Some(*share),
            _ => None,
        }
    }

    /// The whole number of a key, or else the default.
    ///
    /// # Errors
    ///
    /// When it is not from `least` to `max`.
    pub(crate) fn whole_within(
        &self,
        key: &'static str,
        [least, max]: [u64; 2],
        default: u64,
    ) -> Result<u32, EntryError> {
        let number = self.whole(key).unwrap_or(default);
        if (least..=max).contains(&number) {
            Ok(number as u32)
        } else {
            Err(EntryError::new(key, format!("`{key}` is from {least} to {max}, not {number}")))
        }
    }

    /// The share of a key, or else the default.
    ///
    /// # Errors
    ///
    /// When it is not from 0 to 1.
    pub(crate) fn share_or(&self, key: &'static str, default: f64) -> Result<f64, EntryError> {
        let share = self.share(key).unwrap_or(default);
        if (0.0..=1.0).contains(&share) {
            Ok(share)
        } else {
            Err(EntryError::new(key, format!("`{key}` is a share from 0 to 1, not {share}")))
        }
    }

    /// The word of a key.
    pub fn word(&self, key: &str) -> Option<&str> {
        match self.get(key)? {
            EntryValue::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The truth of a key; false where the entry does not have it.
    pub fn flag(&self, key: &str) -> bool {
        matches!(self.get(key), Some(EntryValue::Flag(true)))
    }

    /// The file of a key.
    ///
    /// # Errors
    ///
    /// When the entry has none.
    pub fn file(&self, key: &'static str) -> Result<&EntryFile, EntryError> {
        match self.get(key) {
            Some(EntryValue::File(file)) => Ok(file),
            _ => Err(EntryError::new(key, format!("the key `{key}` names no file"))),
        }
    }

    /// Refuses keys that the instance `what` does not read.
    ///
    /// # Errors
    ///
    /// The first key that is not in `read`, with the keys in it.
    pub(crate) fn refuse_unread(&self, what: &str, read: &[&str]) -> Result<(), EntryError> {
        match self.0.iter().find(|(key, _)| !read.contains(key)) {
            None => Ok(()),
            Some((key, _)) => {
                let keys = read.join("`, `");
                let message = format!("{what} has no `{key}`; its keys are `{keys}`");
                Err(EntryError::new(key, message))
            }
        }
    }

    /// Parses the text of the file of a key with `read`.
    ///
    /// # Errors
    ///
    /// When the entry has no file, it is no UTF-8 text, or `read` refuses it; the error names the file.
    pub fn read_text<T, E: ToString>(
        &self,
        key: &'static str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, EntryError> {
        let EntryFile { name, bytes, .. } = self.file(key)?;
        let refused = |message: String| EntryError::new(key, format!("{name}: {message}"));
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let line = bytes[..error.valid_up_to()].split(|&byte| byte == b'\n').count();
            refused(format!("line {line}: the file is not UTF-8 text here"))
        })?;
        read(text).map_err(|error| refused(error.to_string()))
    }
}

/// An entry that has no instance.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct EntryError {
    /// The key whose value is at fault.
    pub key: &'static str,
    /// The fault, and how to mend it.
    pub message: String,
}

impl EntryError {
    /// An error in the value of a key.
    pub fn new(key: &'static str, message: impl Into<String>) -> Self {
        Self { key, message: message.into() }
    }
}
