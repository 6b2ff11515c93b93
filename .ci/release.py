"""Writes a binary release for this system to target/dist: the program in an archive, the wheel, and their digests.

It needs `pip install maturin` for the wheel. The archive has the program with PDF, the man pages, the licences of all
linked libraries, README, CHANGELOG, the documents and the configs. The wheel has the same licences in its metadata.
Both files are tried in a new folder before the script ends. The version is that of Cargo.toml; CHANGELOG.md must begin
with its section, and CITATION.cff state it.
"""

import base64
import hashlib
import json
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "target/dist"
BUILD = ["--release", "--locked"]
LICENCES = ("licen", "copying", "notice", "copyright")
# The files of the archive beside the program.
SHIPPED = ["README.md", "CHANGELOG.md", "METHODOLOGY.md", "LICENSE-MIT", "LICENSE-APACHE", "docs", "configs"]


def run(*command, **options):
    """Runs a command; a failure ends the script."""
    return subprocess.run([str(word) for word in command], check=True, text=True, **options)


def output(*command, **options):
    """The output of a command."""
    return run(*command, stdout=subprocess.PIPE, **options).stdout


def require(holds, message):
    """Ends the script with a message if something does not hold."""
    if not holds:
        sys.exit(message)


def linked(metadata):
    """The packages that the program links, without those of Bezzel."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting = [package["id"] for package in metadata["packages"] if package["name"] == "bezzel"]
    seen = set()
    while waiting:
        package = waiting.pop()
        if package in seen:
            continue
        seen.add(package)
        for dependency in nodes[package]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    own = set(metadata["workspace_members"])
    return sorted(
        (package for package in metadata["packages"] if package["id"] in seen - own),
        key=lambda package: (package["name"], package["version"]),
    )


def write_licences(packages, folder):
    """Copies the licences of packages, with those of sources within them, and lists them."""
    columns = "| library | version | licence | files | sources |"
    lines = ["# Libraries in the program", "", columns, "| --- | --- | --- | --- | --- |"]
    for package in packages:
        name, version = package["name"], package["version"]
        copied = 0
        source = Path(package["manifest_path"]).parent
        for file in [*source.glob("*"), *source.glob("*/*")]:
            if file.is_file() and file.name.lower().startswith(LICENCES):
                copy = folder / f"{name}-{version}" / file.relative_to(source)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, copy)
                copied += 1
        text = package["license"] or "see the file"
        sources = package["repository"] or "not stated"
        lines.append(f"| {name} | {version} | {text} | {copied or 'none in its sources'} | {sources} |")
    (folder / "README.md").write_text("\n".join(lines) + "\n")


def add_licences(wheel, folder):
    """Adds the licences to the metadata of a wheel and to its list of files, from which pip installs."""
    with zipfile.ZipFile(wheel) as old:
        files = [(entry, old.read(entry)) for entry in old.infolist()]
    listed = next(entry.filename for entry, _ in files if entry.filename.endswith(".dist-info/RECORD"))
    record = next(content.decode() for entry, content in files if entry.filename == listed)
    place = listed.removesuffix("RECORD") + "licenses"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as new:
        for entry, content in files:
            if entry.filename != listed:
                new.writestr(entry, content)
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            content, name = file.read_bytes(), f"{place}/{file.relative_to(folder).as_posix()}"
            require("," not in name, f"{name} has a comma, which RECORD would need in quotes")
            new.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            record += f"{name},sha256={digest},{len(content)}\n"
        new.writestr(listed, record)


def pack(folder, archive):
    """Packs a folder; the same files give the same bytes."""

    def plain(entry):
        entry.uid = entry.gid = entry.mtime = 0
        entry.uname = entry.gname = ""
        return entry

    with lzma.open(archive, "w", preset=6) as compressed, tarfile.open(fileobj=compressed, mode="w") as packed:
        packed.add(folder, folder.name, filter=plain)


def try_archive(archive, name):
    """Solves a board, checks an encoder and renders a report with the program of the archive, in a new folder."""
    with tempfile.TemporaryDirectory() as place:
        with tarfile.open(archive) as packed:
            packed.extractall(place, filter="data")
        program = Path(place, name, "bezzel")
        print(output(program, "--version", cwd=place).strip())
        # Exit code 10 states a solution, as in SAT competitions.
        solved = subprocess.run([program, "solve", "8"], cwd=place, stdout=subprocess.PIPE, text=True)
        require(solved.returncode == 10 and "verified" in solved.stdout, solved.stdout)
        checked = output(program, "check", "product", cwd=place)
        require("correct" in checked, checked)
        Path(place, "own.yaml").write_text(
            "name: own\nquestion: Which is smaller?\nproblems: [{pigeonhole: {pigeons: 6}}]\n"
            "encodings: [pairwise, product]\nsolvers: [cadical]\n"
        )
        run(program, "run", "own.yaml", cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        require(Path(place, "reports/own/index.html").is_file(), "the run wrote no page")


def try_wheel(wheel):
    """Installs the wheel in a new environment, and makes clauses and a profile there."""
    script = (
        "import bezzel; print('wheel:', len(bezzel.at_most([1, 2, 3], 1).clauses), 'clauses,', "
        "len(str(bezzel.show('product'))), 'characters of a profile'); "
        "from importlib.metadata import files; found = [it for it in files('bezzel') if 'licenses/' in str(it)]; "
        "assert len(found) > 100 and all(it.locate().is_file() for it in found), found"
    )
    with tempfile.TemporaryDirectory() as place:
        venv.create(place, with_pip=True)
        python = Path(place, "bin/python")
        run(python, "-m", "pip", "install", "--quiet", "--no-index", wheel)
        own = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "BEZZEL_PROGRAM")}
        run(python, "-c", script, cwd=place, env=own)


def main():
    host = next(line for line in output("rustc", "-vV").splitlines() if line.startswith("host: "))
    host = host.removeprefix("host: ")
    of_host = ["--filter-platform", host, "--features", "bezzel/pdf"]
    metadata = json.loads(output("cargo", "metadata", "--format-version", "1", "--locked", *of_host, cwd=ROOT))
    version = next(package["version"] for package in metadata["packages"] if package["name"] == "bezzel")
    sections = [line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if line.startswith("## ")]
    require(sections[0] == f"## {version}", f"CHANGELOG.md begins with `{sections[0]}` and not with `## {version}`")
    cited = f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    require(cited, f"CITATION.cff does not have `version: {version}`")
    shutil.rmtree(DIST, ignore_errors=True)
    name = f"bezzel-{version}-{host}"
    folder = DIST / name
    (folder / "licenses").mkdir(parents=True)
    run("cargo", "build", *BUILD, "-p", "bezzel", "--features", "pdf", cwd=ROOT)
    shutil.copy(Path(metadata["target_directory"], "release/bezzel"), folder)
    run("strip", folder / "bezzel")
    run(folder / "bezzel", "list", "--man", folder / "man", stdout=subprocess.DEVNULL)
    for shipped in SHIPPED:
        copy = shutil.copytree if (ROOT / shipped).is_dir() else shutil.copyfile
        copy(ROOT / shipped, folder / shipped)
    write_licences(linked(metadata), folder / "licenses")
    archive = DIST / f"{name}.tar.xz"
    pack(folder, archive)
    try_archive(archive, name)
    run(sys.executable, "-m", "maturin", "build", *BUILD, "--out", DIST, cwd=ROOT / "python")
    (wheel,) = DIST.glob("*.whl")
    for licence in ("LICENSE-MIT", "LICENSE-APACHE"):
        shutil.copy(ROOT / licence, folder / "licenses")
    add_licences(wheel, folder / "licenses")
    shutil.rmtree(folder)
    try_wheel(wheel)
    files = sorted([archive, wheel])
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (DIST / "SHA256SUMS").write_text("".join(sums))
    for file in files:
        print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
