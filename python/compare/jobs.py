"""The cost of a job that does almost nothing: start, limits, measurement and record, beside BenchExec."""

import json
import os
import shutil
import subprocess
import sysconfig
import time
from pathlib import Path

from measure import run_program, time_table

# The measured programs set limits themselves.
MEMORY = None
CONFIG = Path(__file__).resolve().parents[2] / "configs" / "overhead.yaml"
# In bytes: BenchExec reads MB as 1,000,000 bytes.
MEMORY_LIMIT = f"{256 << 20}B"
SCRIPTS = sysconfig.get_path("scripts")
BENCHMARK = """<?xml version="1.0"?>
<!DOCTYPE benchmark PUBLIC "+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN"
    "https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd">
<benchmark tool="dummy"><option name="unknown"/><rundefinition/><tasks>TASKS</tasks></benchmark>
"""


def new_folder(path):
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return Path(path)


def result(seconds, jobs, ended):
    """The time of a job, if all jobs have ended well."""
    return {"seconds": seconds / jobs} if jobs == ended else {"refused": f"{ended} of {jobs} jobs ended well"}


def bezzel(solver):
    """`bezzel run` for one solver: all jobs, their rows and the report."""

    def measured(case, _):
        import yaml

        folder = new_folder(f"{case['folder']}/bezzel")
        config = yaml.safe_load(CONFIG.read_text()) | {"solvers": [solver], "repeats": case["jobs"]}
        (folder / "overhead.yaml").write_text(json.dumps(config))
        command = [os.environ["BEZZEL_PROGRAM"], "run", "overhead.yaml", "--quiet"]
        seconds, _ = run_program(command, folder)
        (session,) = (folder / "experiments" / config["name"]).glob("*.jsonl")
        lines = [json.loads(line) for line in session.read_text().splitlines()]
        ended = sum(line["row"]["termination"] == "finished" for line in lines if "row" in line)
        return result(seconds, case["jobs"], ended)

    return measured


def benchexec(*mode):
    """All jobs as one benchmark. BenchExec's tool `dummy` calls `shuf`, which prints one line."""

    def measured(case, _):
        folder = new_folder(f"{case['folder']}/benchexec")
        tasks = "".join(f"<withoutfile>{job}</withoutfile>" for job in range(case["jobs"]))
        (folder / "overhead.xml").write_text(BENCHMARK.replace("TASKS", tasks))
        limits = ["-T", "1", "-W", "5", "-M", case["memory"][1] if case["memory"] else "-1"]
        options = [*(mode or case["mode"]), *limits, "--no-compress-results", "-o", "results/"]
        seconds, _ = run_program([f"{SCRIPTS}/benchexec", *options, "overhead.xml"], folder)
        reports = "".join(path.read_text() for path in (folder / "results").glob("*.xml"))
        return result(seconds, case["jobs"], reports.count('title="status" value="unknown"'))

    return measured


def is_run(folder, mode, memory):
    """One call of `runexec`: true if the command ended well within its limits."""
    limits = ["--timelimit", "1", "--walltimelimit", "5", *memory]
    command = [f"{SCRIPTS}/runexec", "--quiet", *mode, *limits, "--output", "output.log", "true"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    return "returnvalue=0" in done.stdout and "terminationreason" not in done.stdout


def runexec(*mode):
    def measured(case, _):
        folder = new_folder(f"{case['folder']}/runexec")
        start = time.perf_counter()
        ended = sum(is_run(folder, mode or case["mode"], case["memory"]) for _ in range(case["jobs"]))
        return result(time.perf_counter() - start, case["jobs"], ended)

    return measured


NONE = "--no-container"
OURS = {
    "`bezzel run configs/overhead.yaml`, solver `true`": bezzel({"command": "true"}),
    "`bezzel run configs/overhead.yaml`, solver `cadical`, linked": bezzel("cadical"),
}
OPEN = {
    "`benchexec --no-container`, tool `dummy`, one call": benchexec(NONE),
    "`runexec --no-container true`, a call for each job": runexec(NONE),
}
CONTAINED = {
    "`benchexec` in a container, tool `dummy`, one call": benchexec(),
    "`runexec true` in a container, a call for each job": runexec(),
}
PROGRAMS = OURS | OPEN | CONTAINED


def options(folder):
    """The first options of BenchExec for the container and the limit of memory that work on this machine, or none."""
    for memory in (["--memlimit", MEMORY_LIMIT], []):
        for mode in ([], ["--read-only-dir", "/", "--full-access-dir", str(folder)], [NONE]):
            try:
                if is_run(folder, mode, memory):
                    return {"mode": mode, "memory": memory}
            except subprocess.TimeoutExpired:
                pass
    return None


def tables(setup):
    jobs = 10 if setup.is_quick else 100
    found = options(setup.folder)
    programs = OURS | (OPEN if found else {}) | (CONTAINED if found and found["mode"] != [NONE] else {})
    case = {"folder": str(setup.folder), "jobs": jobs, **(found or {})}
    yield f"## The cost of a job: {jobs} jobs that do almost nothing"
    yield time_table("jobs", {name: name for name in programs}, [case], ["one job"], setup)
    if found:
        words = " ".join([*found["mode"], *found["memory"]]).replace(str(setup.folder), "FOLDER")
        yield f"Options of BenchExec for its container and memory: `{words or 'none'}`."
    else:
        yield "BenchExec runs no program on this machine."
