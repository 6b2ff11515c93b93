#!/usr/bin/env python3
"""Checks the sources without building them.

- Modules beside each other do not import each other in a circle. In the two large crates each layer imports only earlier
  ones. Imports of tests, and those between a module and the module around it, are not examined.
- Queens are a plug-in: the general crates neither depend on it, nor has an identifier of theirs its words.
- Few files print, and few name the folder of temporary files. The command line shows paths through one function.
- Comments, texts in the sources and documents are free of words that readers stumble over.
- Documents are listed and short, and their links lead to files and headings.
"""
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

# The layers of the two large crates, each a line of modules; the root of a crate may import all.
LAYERS = {
    "bezzel-experiment": "model file_proof | check | results | backend | config | plan | worker | run | record",
    "bezzel-report": """number error escape files | instance_words | family | row_statistics
        | label look machines chart | counter_runs | dataset
        | machine_groups run_ends run_conditions rows | comparison treatment | effects caveats | analysis
        | claims | render table row_columns | figure record_comparison answer csv | trust_line | computed_sentences
        | computed_effects computed_tasks | computed_answer | parts toolkit | report
        | command summary latex markdown page encodings_page index""",
}
GENERAL = ["bezzel-problem", "bezzel-encode", "bezzel-experiment", "bezzel-report"]
SUBJECT = re.compile("queen|board|rook", re.I)
# The protocol of encoders is clauses alone, and help has colours.
PRINTING = ["command/encoder_program.rs", "lib.rs", "terminal.rs", "usage_error.rs"]
SCRATCH = ["bezzel-experiment/src/results/scratch.rs", "bezzel-experiment/src/run/runner/mod.rs"]
# The largest number of words of a document in `docs/`.
MAX_WORDS = 2_000
# Words that name no value and no check: a value is printed or stored, a check compares, a user is a user.
WORDS = re.compile(
    r"(?<![\w])(told|said|whoever|nobody|somebody|anybody|held against|as it comes|takes least|so many|so much)(?![\w])", re.I
)
# First words of a sentence without a noun.
STARTS = re.compile(r"(What|Who|Whose|Whether|Of which|Of what|So many|By which) ")
TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?<!\w)b?r(?P<hashes>\#*)"(?P<raw>.*?)"(?P=hashes)"""
    r"""|(?P<quote>b?"(?P<text>(?:\\.|[^"\\])*)")|b?'(?:\\[^']+|\\'|[^'\\])'""",
    re.S,
)


def code_of(source):
    """The source without comments and without the content of literals."""
    return TOKEN.sub(" ", source)


def without_tests(source):
    return source.split("#[cfg(test)]\nmod tests {")[0]


def paths(tree):
    """The paths of a tree of imports, as in `crate::a::{b, c::D}`."""
    before, brace, inner = tree.strip().partition("{")
    if not brace:
        return [[part.strip() for part in tree.split(" as ")[0].split("::")]]
    inner, parts, depth = inner.rpartition("}")[0], [""], 0
    for letter in inner:
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [path for part in parts if part.strip() for path in paths(before.strip() + part.strip())]


def imports(module, code, known):
    """The modules that a module imports."""
    use = re.compile(r"(?:^|(?<=[;}{)\]])|\bpub)\s*use\s+([^;]+);")
    found = [path for tree in use.findall(code) for path in paths(tree)]
    found += [path.split("::") for path in re.findall(r"(?<![\w:])crate(?:::\w+)+", use.sub("", code))]
    for path in found:
        up = len([part for part in path if part == "super"])
        if path[0] == "crate":
            base = path[1:]
        elif path[0] == "self":
            base = [*module, *path[1:]]
        elif path[0] == "super":
            base = [*module[: len(module) - up], *path[up:]] if up <= len(module) else []
        else:
            base = [*module, *path]
        target = next((tuple(base[:n]) for n in range(len(base), 0, -1) if tuple(base[:n]) in known), None)
        if target:
            yield target


def modules(folder):
    """The code of a crate by its modules, without tests."""
    found = {}
    for path in sorted(folder.rglob("*.rs")):
        parts = path.relative_to(folder).with_suffix("").parts
        if "tests" not in parts:
            module = parts[:-1] if parts[-1] in ("lib", "main", "mod") else parts
            found[module] = code_of(without_tests(path.read_text()))
    return found


def circles(known):
    """The modules that import each other in a circle, beside each other in one module."""
    beside = defaultdict(set)
    for module, code in known.items():
        for target in imports(module, code, known):
            shared = len(os.path.commonprefix([module, target]))
            if shared < min(len(module), len(target)):
                beside[module[: shared + 1]].add(target[: shared + 1])

    def reached(start):
        seen, rest = set(), [start]
        while rest:
            new = beside[rest.pop()] - seen
            seen |= new
            rest += new
        return seen

    return ["::".join(module) for module in sorted(beside) if module in reached(module)]


def against(layers, known):
    """The imports of a crate that violate its layers, and the modules that are in no layer."""
    place = {name: number for number, names in enumerate(layers.split("|")) for name in names.split()}
    for module, code in known.items():
        if module and module[0] not in place:
            yield f"{'::'.join(module)} is in no layer"
        for target in imports(module, code, known) if module and module[0] in place else []:
            if place.get(target[0], len(place)) > place[module[0]]:
                yield f"{'::'.join(module)} imports {'::'.join(target)}"


def fault(text, is_start):
    """The first forbidden word of a text."""
    found = WORDS.search(text) or (is_start and STARTS.match(text))
    return found[0].strip() if found else None


def literal_fault(text):
    """The first forbidden word of a text in a source. A question may begin with any word."""
    sentences = re.findall(r"[^.:!?\n]*[.:!?]?", text.replace("\\n", "\n"))
    return next(filter(None, (fault(it.lstrip(), not it.endswith("?")) for it in sentences)), None)


def script_fault(line, is_continued):
    """The first forbidden word of a line of a script. Comments and texts in quotes begin sentences, unless the comment
    continues the one of the line before."""
    begun = re.split("[\"'`#/*]", line)[1:]
    return fault(line, False) or (None if is_continued else next(filter(None, map(literal_fault, begun)), None))


def wording(name, content):
    """The forbidden words of a file, with their lines."""
    ending, was_comment = name.rpartition(".")[2], False
    for number, line in enumerate(content.splitlines(), 1):
        text = line.lstrip()
        is_comment = text.startswith(("#", "//"))
        if ending == "rs":
            word = text.startswith("//") and fault(text.lstrip("/! "), text.startswith(("///", "//!")))
        elif ending == "yaml":
            word = fault(text.partition("#")[2].lstrip(), not was_comment)
        elif ending in ("js", "css", "py", "toml"):
            word = script_fault(text, is_comment and was_comment)
        else:
            word = fault(text, False)
        was_comment = is_comment
        if word:
            yield f"{name}:{number}: `{word}`"
    for token in TOKEN.finditer(content) if ending == "rs" else []:
        text = token["text"] if token["raw"] is None else token["raw"]
        word = text and literal_fault(re.sub(r"\\\n\s*", "", text))
        if word:
            yield f"{name}:{content.count(chr(10), 0, token.start()) + 1}: `{word}`"


def twice():
    """The public types that share their name with another one of their crate."""
    seen = {}
    for path in sorted(Path("crates").glob("*/src/**/*.rs")):
        for name in re.findall(r"^pub (?:struct|enum|trait|type) (\w+)", without_tests(path.read_text()), re.MULTILINE):
            first = seen.setdefault((path.parts[1], name), path)
            if first != path:
                yield f"{path}: `{name}` is a public type of {first}, too"


def documents():
    """The faults of the documents in `docs/` and at the root."""
    listed = re.findall(r"\]\(([^)]*)\)", Path("docs/README.md").read_text())
    for path in sorted([*Path("docs").glob("*.md"), *Path().glob("*.md")]):
        text = path.read_text()
        if path.parent.name == "docs":
            if (words := len(text.split())) > MAX_WORDS:
                yield f"{path} has {words} words, and may have {MAX_WORDS}"
            if path.name not in [*listed, "README.md"]:
                yield f"docs/README.md does not list {path.name}"
        for link in re.findall(r"\]\(([^)]*)\)", text):
            file, _, anchor = link.partition("#")
            target = path.parent / file if file else path
            if "://" not in link and not (target.exists() and (not anchor or anchor in anchors(target.read_text()))):
                yield f"{path} links to {link}"


def anchors(text):
    headings = re.findall(r"^#+ *(.*)", text, re.MULTILINE)
    return [re.sub(r"[^\w-]", "", heading.strip().lower().replace(" ", "-")) for heading in headings]


def self_test():
    def of(files):
        return circles({tuple(name.split("::")): code_of(text) for name, text in files.items()})

    assert of({"a": "use crate::{b::{C, D}, x};", "b": "fn f() { crate::a::g() }"}) == ["a", "b"]
    inner = {"a::b": "use super::c::C;", "a::c": "pub use super::d;", "a::d": "use super::b::B;"}
    assert of(inner) == ["a::b", "a::c", "a::d"]
    assert of({"a": "use crate::b::B; // use crate::c;", "b": "use crate::c::C;", "c": "use std::fmt;"}) == []
    files = {("a",): "use crate::b::C;", ("b",): "use crate::a::D;", ("e",): "use std::fmt;"}
    assert list(against("a | b", files)) == ["a imports b", "e is in no layer"]
    text = 'let a = "board \\" rook"; // queen\n/* rook */ let b = \'q\'; let c: &\'static str = r#"board"#; let d = \'\\\'\';'
    assert code_of(text).split() == "let a = ; let b = ; let c: &'static str = ; let d = ;".split()
    assert (fault("that is told.", False), fault("A stold `as_told`.", False)) == ("told", None)
    assert (fault("What it is.", True), fault("What it is.", False)) == ("What", None)
    assert (literal_fault("`a`: What it is"), literal_fault("the size. What is it?")) == ("What", None)
    assert (script_fault("f(x); // What it is", False), script_fault("# What it is", True)) == ("What", None)
    assert list(wording("a.rs", 'f("d \\\n    was told")')) == ["a.rs:1: `told`"]


def main():
    self_test()
    faults = [*documents(), *twice()]
    for crate in sorted(Path("crates").iterdir()):
        known = modules(crate / "src")
        assert len(known) > 1, crate
        faults += [f"{crate.name}: {module} is in a circle of imports" for module in circles(known)]
        layers = LAYERS.get(crate.name)
        faults += [f"{crate.name}: {import_}" for import_ in against(layers, known)] if layers else []
    for name in GENERAL:
        if "queens" in Path("crates", name, "Cargo.toml").read_text():
            faults.append(f"{name} depends on the plug-in")
        for path in Path("crates", name).rglob("*.rs"):
            words = set(re.findall(r"\w+", code_of(path.read_text())))
            faults += [f"{path}: `{word}`" for word in sorted(words) if SUBJECT.search(word)]
    printing, scratch = [], []
    for path in sorted(Path("crates").glob("*/src/**/*.rs")):
        text, name = path.read_text().split("#[cfg(test)]")[0], str(path).removeprefix("crates/")
        is_outside = "tests" in path.parts
        stderr = text.count("io::stderr()") - text.count("io::stderr().is_terminal")
        if not is_outside and name.startswith("bezzel/") and ("io::stdout()" in text or stderr > 0):
            printing.append(name.removeprefix("bezzel/src/"))
        if not is_outside and "temp_dir()" in text:
            scratch.append(name)
        if name.startswith("bezzel/") and ".display()" in text:
            faults.append(f"{path}: `failure::shown` shows a path, on one line")
    if (printing, scratch) != (PRINTING, SCRATCH):
        faults.append(f"these files print or name the folder of temporary files: {printing}, {scratch}")
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.splitlines()
    read = re.compile(
        r"(crates|configs|examples|python)/.*\.(rs|js|css|py|toml)|(docs|crates)/.*\.md|configs/.*\.yaml|[A-Z]+\.md|Cargo\.toml"
    )
    for name in filter(read.fullmatch, listed):
        if os.path.isfile(name):
            faults += wording(name, Path(name).read_text())
    if faults:
        sys.exit("\n".join(faults))


main()
