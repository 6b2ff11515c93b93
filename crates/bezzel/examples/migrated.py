"""Compares records of format 3 and older with the sessions that were made of them, row by row: `migrated.py OLD NEW`.

Every field of every row, reading and environment must be equal, up to the renamed fields. The keys of jobs are computed
from the text of the lines. It shares no code with the program that migrates.
"""

import hashlib
import json
import lzma
import pathlib
import re
import sys

import blake3

ROW = {"answer": "status", "evidence": "checked_by", "stop": "termination", "effort": "solver_stats", "queens": "places"}
GONE = {"format", "session", "checksum", "seal", "key"}
KINDS = {
    "board": "queens", **{kind: kind for kind in [
        "latin-square", "pigeonhole", "graph-colouring", "langford", "exact-cover", "max-square", "car-sequencing",
        "multidimensional-knapsack", "bin-packing", "generalised-assignment", "file",
    ]},
}


def digest(text):
    return blake3.blake3(text.encode()).hexdigest()


def renamed(row):
    row = {ROW.get(key, key): value for key, value in row.items() if key not in GONE}
    job = dict(row["job"])
    [kind] = [key for key in job if key in KINDS]
    job["problem"] = {KINDS[kind]: job.pop(kind)}
    if "most" in job:
        job["max_solutions"] = job.pop("most")
    if job["task"] == "first":
        job["task"] = "solve"
    return {**row, "job": job}


def stated(value):
    """A value without the keys of maps that are null: earlier rows lack some keys that are null now, and the reverse."""
    if isinstance(value, dict):
        return {key: stated(inner) for key, inner in value.items() if inner is not None}
    return [stated(inner) for inner in value] if isinstance(value, list) else value


def entries(path):
    opened = lzma.open if path.suffix == ".xz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            body, checksum = re.fullmatch(r'(.*),"checksum":"([0-9a-f]{16})"\}\n', line, re.DOTALL).groups()
            body += "}"
            assert digest(body)[:16] == checksum, path
            [(kind, entry)] = json.loads(body).items()
            yield kind, entry, body


def check_key(row, body):
    if "file" in row["job"]["problem"]:
        # The name of a file is no part of the key.
        job = body[body.index('"job":') + 6:body.index(',"encoding_revision":')]
        job = re.sub(r'\{"file":\{"name":"(?:[^"\\]|\\.)*"', '{"file":{"name":""', job)
    else:
        job = body[body.index('"job":') + 6:body.index(',"encoding_revision":')]
    text = f'[{job},{row["encoding_revision"]},{json.dumps(row["solver_version"], ensure_ascii=False)}]'
    assert digest(text)[:32] == row["key"], (row["key"], text)


def lines(path):
    return [json.loads(line) for line in path.open(encoding="utf-8")] if path.exists() else []


def compare(old, new):
    rows, readings = lines(old / "rows.jsonl"), lines(old / "calibration.jsonl")
    environments = json.loads((old / "environment.json").read_text(encoding="utf-8"))
    paths = sorted(path for path in new.iterdir() if ".jsonl" in path.name)
    # A config that was changed after the last row was measured is that of a session without rows.
    versions = len(list((old / "configs").glob("*/config.yaml"))) + 1
    assert len(paths) == max(len(environments), versions), new
    while len(environments) < len(paths):
        last = environments[-1]
        environments.append({**last, "started_unix_s": last["started_unix_s"] + 1})
    keys, counts = {}, [0, 0]
    for number, (path, environment) in enumerate(zip(paths, environments)):
        own = {
            "row": [row for row in rows if row["session"] == number],
            "reading": [row for row in readings if row["session"] == number],
        }
        (first, start, _), *rest = entries(path)
        assert first == "session" and start["format"] == 4, path
        assert start["environment"] == environment, path
        assert path.name.startswith(start["name"] + ".jsonl"), path
        for name, expected in start["migrated"]["files"].items():
            data = (old.parent.parent / name).read_bytes()
            assert hashlib.sha256(data).hexdigest() == expected, name
        for name, expected in start.get("files", {}).items():
            data = (new / "files" / expected).read_bytes()
            assert digest_of(data) == expected and data == (old / name).read_bytes(), name
        found = {"row": [], "reading": []}
        for kind, entry, body in rest:
            check_key(entry, body)
            found[kind].append(entry)
        for place, kind in enumerate(own):
            assert len(own[kind]) == len(found[kind]), (path, kind)
            for before, after in zip(own[kind], found[kind]):
                expected = renamed(before)
                actual = {key: value for key, value in after.items() if key != "key"}
                assert stated(expected) == stated(actual), (path, before["key"], expected, actual)
                if kind == "row":
                    assert keys.setdefault(before["key"], after["key"]) == after["key"], path
            counts[place] += len(own[kind])
    assert sum(counts) == len(rows) + len(readings), new
    assert len(set(keys.values())) == len(keys), new
    return counts


def digest_of(data):
    return blake3.blake3(data).hexdigest()[:32]


old, new = map(pathlib.Path, sys.argv[1:])
total = [0, 0]
folders = sorted(path.parent for path in old.glob("*/rows.jsonl"))
for folder in folders:
    total = [a + b for a, b in zip(total, compare(folder, new / folder.name))]
print(f"{len(folders)} records: {total[0]} rows and {total[1]} readings are equal up to renamed fields")
