//! Patterns over names: `*` stands for any text, `?` for one character.

/// A pattern that is matched against a whole name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Glob(String);

impl Glob {
    /// Returns the pattern. Without wildcards it matches one name only.
    pub(super) fn new(pattern: &str) -> Self {
        Self(pattern.to_owned())
    }

    /// Returns true if the text is a pattern rather than a name.
    pub(super) fn is_meant(text: &str) -> bool {
        text.contains(['*', '?'])
    }

    /// Returns true if the whole name fits.
    ///
    /// The time grows at most with the product of both lengths: after a mismatch only the last `*` is tried again.
    pub(crate) fn matches(&self, name: &str) -> bool {
        let pattern: Vec<char> = self.0.chars().collect();
        let name: Vec<char> = name.chars().collect();
        let (mut at, mut seen) = (0, 0);
        let mut last_star: Option<(usize, usize)> = None;
        while seen < name.len() {
            match pattern.get(at) {
                Some('*') => {
                    last_star = Some((at, seen));
                    at += 1;
                }
                Some(&c) if c == '?' || c == name[seen] => {
                    at += 1;
                    seen += 1;
                }
                _ => {
                    let Some((star, taken)) = last_star else { return false };
                    last_star = Some((star, taken + 1));
                    at = star + 1;
                    seen = taken + 1;
                }
            }
        }
        pattern[at..].iter().all(|&c| c == '*')
    }
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    #[test]
    fn a_pattern_matches_what_the_same_regular_expression_does() {
        let letters = ['a', 'b', '*', '?'];
        let words = |length: u32, letters: &[char]| -> Vec<String> {
            let count = letters.len().pow(length);
            let word = |mut index: usize| {
                let mut word = String::new();
                for _ in 0..length {
                    word.push(letters[index % letters.len()]);
                    index /= letters.len();
                }
                word
            };
            (0..count).map(word).collect()
        };
        let names: Vec<_> = (0..=5).flat_map(|length| words(length, &letters[..2])).collect();
        for pattern in (0..=4).flat_map(|length| words(length, &letters)) {
            let expression = pattern.replace('*', ".*").replace('?', ".");
            let expression = Regex::new(&format!("^{expression}$")).unwrap();
            for name in &names {
                let fits = Glob::new(&pattern).matches(name);
                assert_eq!(fits, expression.is_match(name), "{pattern} {name}");
            }
        }
    }

    #[test]
    fn many_stars_take_no_longer_than_few() {
        let pattern = "*a".repeat(2_000);
        assert!(!Glob::new(&pattern).matches(&format!("{}b", "a".repeat(4_000))));
    }
}
