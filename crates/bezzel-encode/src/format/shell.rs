//! Command lines for a shell.

/// A word for a shell: in single quotes unless it is plain, so that no character in it has a special meaning.
pub fn shell_word(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./+:=,".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// A command line for a comment of a formula, to be pasted into a shell: it has no two hyphens in a row, since [CaDiCaL
/// takes options from comments](super::dimacs), and a shell reads `-\-torus` as `--torus`.
pub fn command_line<W: AsRef<str>>(words: impl IntoIterator<Item = W>) -> String {
    let words = words.into_iter().map(|word| {
        let word = shell_word(word.as_ref());
        // Within quotes a backslash has no special meaning.
        let hyphen = if word.starts_with('\'') { "'\\-'" } else { "\\-" };
        let mut line = String::with_capacity(word.len());
        for letter in word.chars() {
            match letter {
                '-' if line.ends_with('-') || line.ends_with(hyphen) => line.push_str(hyphen),
                letter => line.push(letter),
            }
        }
        line
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn words_for_a_shell_are_quoted_where_they_must_be() {
        assert_eq!(shell_word("first-look"), "first-look");
        assert_eq!(shell_word("it's; rm"), "'it'\\''s; rm'");
        assert_eq!(shell_word(""), "''");
    }

    #[test]
    fn a_shell_reads_the_words_that_were_given_and_no_two_hyphens_stand_in_a_row() {
        let words = [
            "encode",
            "8",
            "--encoding",
            "{command: \"python3 x.py --fast ---x\"}",
            "-o",
            "two words.cnf",
            "----",
            "it's -- so",
            "'--'",
            "*$HOME`",
            "",
        ];
        let line = command_line(words);
        assert!(!line.contains("--"), "{line}");
        let read = Command::new("/bin/sh").arg("-c").arg(format!("printf '%s\\n' {line}")).output();
        let read = String::from_utf8(read.unwrap().stdout).unwrap();
        assert_eq!(read.lines().collect::<Vec<_>>(), words);
        assert_eq!(command_line(["bezzel", "encode", "--torus"]), "bezzel encode -\\-torus");
    }
}
