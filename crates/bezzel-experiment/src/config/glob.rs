//! Patterns over names: `*` stands for any text, `?` for one character. In brackets these two, and the bracket that
//! opens, stand for themselves: `[*]`, `[?]`, `[[]`.

/// A part of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Text,
    Character,
    Letter(char),
}

/// A pattern that is matched against a whole name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Glob(Vec<Token>);

impl Glob {
    /// Returns the pattern. Without wildcards it matches one name only.
    pub(super) fn new(pattern: &str) -> Self {
        let letters: Vec<char> = pattern.chars().collect();
        let (mut tokens, mut rest) = (Vec::with_capacity(letters.len()), &letters[..]);
        while let [letter, after @ ..] = rest {
            let (token, left) = match (letter, after) {
                ('[', [escaped @ ('*' | '?' | '['), ']', left @ ..]) => {
                    (Token::Letter(*escaped), left)
                }
                ('*', _) => (Token::Text, after),
                ('?', _) => (Token::Character, after),
                (letter, _) => (Token::Letter(*letter), after),
            };
            tokens.push(token);
            rest = left;
        }
        Self(tokens)
    }

    /// Returns the pattern that only this name fits.
    pub(super) fn exact(name: &str) -> Self {
        Self(name.chars().map(Token::Letter).collect())
    }

    /// Returns true if the text is a pattern rather than a name.
    pub(super) fn is_meant(text: &str) -> bool {
        Self::new(text).only_name().is_none()
    }

    /// The only name that fits a pattern without wildcards.
    pub(super) fn only_name(&self) -> Option<String> {
        let letter = |token: &Token| match token {
            Token::Letter(letter) => Some(*letter),
            Token::Text | Token::Character => None,
        };
        self.0.iter().map(letter).collect()
    }

    /// Returns true if the whole name fits.
    ///
    /// The time grows at most with the product of both lengths: after a mismatch only the last `*` is tried again.
    pub(crate) fn matches(&self, name: &str) -> bool {
        let pattern = &self.0;
        let name: Vec<char> = name.chars().collect();
        let (mut at, mut seen) = (0, 0);
        let mut last_star: Option<(usize, usize)> = None;
        while seen < name.len() {
            match pattern.get(at) {
                Some(Token::Text) => {
                    last_star = Some((at, seen));
                    at += 1;
                }
                Some(&token) if token == Token::Character || token == Token::Letter(name[seen]) => {
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
        pattern[at..].iter().all(|&token| token == Token::Text)
    }
}

/// The pattern that only this name fits, as it is written in a config.
pub fn exact_pattern(name: &str) -> String {
    let mut pattern = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter {
            '*' | '?' | '[' => pattern.extend(['[', letter, ']']),
            letter => pattern.push(letter),
        }
    }
    pattern
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
    fn a_name_with_signs_of_patterns_can_be_written() {
        let signs = ['*', '?', '[', ']', 'a'];
        let mut names = vec![String::new()];
        for _ in 0..4 {
            let longer =
                names.iter().flat_map(|name| signs.iter().map(move |sign| format!("{name}{sign}")));
            names = [String::new()].into_iter().chain(longer).collect();
        }
        for name in &names {
            let pattern = exact_pattern(name);
            assert!(!Glob::is_meant(&pattern), "{pattern}");
            assert_eq!(Glob::new(&pattern), Glob::exact(name));
            assert_eq!(Glob::new(&pattern).only_name().as_ref(), Some(name));
            let fit: Vec<_> =
                names.iter().filter(|other| Glob::new(&pattern).matches(other)).collect();
            assert_eq!(fit, [name], "{pattern}");
        }
        // A bracket with anything else in it is a bracket.
        assert_eq!(Glob::new("a[b]").only_name().unwrap(), "a[b]");
        assert!(Glob::new("a[*").matches("a[bc"));
        assert_eq!(exact_pattern("a[*].knf"), "a[[][*]].knf");
    }

    #[test]
    fn many_stars_take_no_longer_than_few() {
        let pattern = "*a".repeat(2_000);
        assert!(!Glob::new(&pattern).matches(&format!("{}b", "a".repeat(4_000))));
    }
}
