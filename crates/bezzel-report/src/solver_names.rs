//! The names of solver programs in figures, by their ids.

/// The ids with the names that their authors write.
const NAMES: [(&str, &str); 3] =
    [("cadical", "CaDiCaL"), ("batsat", "BatSat"), ("kissat", "Kissat")];

/// The text with names in the place of ids that are words of their own. An id within another one, as in
/// `blocking:batsat`, stays.
pub(crate) fn with_solver_names(text: &str) -> String {
    let named = text.split_inclusive([' ', ',']).map(|part| {
        let word = part.trim_end_matches([' ', ',']);
        let name = NAMES.iter().find(|(id, _)| *id == word).map(|(_, name)| *name);
        name.map_or_else(|| part.to_owned(), |name| part.replacen(word, name, 1))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_are_words_have_their_names() {
        let text = "cadical (proofs off), batsat, blocking:batsat";
        assert_eq!(with_solver_names(text), "CaDiCaL (proofs off), BatSat, blocking:batsat");
        assert_eq!(with_solver_names("after kissat"), "after Kissat");
        assert_eq!(with_solver_names(""), "");
    }
}
