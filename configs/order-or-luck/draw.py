#!/usr/bin/env python3
"""Writes the instances of this folder. It takes no arguments.

- two-per-hole-P-in-H.knf: P pigeons in H holes, at most two in each. Each hole lists the pigeons in the same order.
- gaps-P-in-H-SEED.knf: P pigeons in H holes, one in each; one hole, drawn at random, does not take the pigeon. Each hole
  lists its pigeons in the same order.
- scrambled-P-in-H.knf: P pigeons in H holes, one in each. The variables are numbered at random, and each hole and each
  pigeon lists them in a random order of its own.
- cover-ITEMS-SEED.txt: exact covers by options of three items, drawn by configs/every-kind/draw.py.

There are more pigeons than holes can take, so there is no solution.
"""
import contextlib
import importlib.util
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE / "instances"
# Of the draws 1 to 30, those without a solution that take CaDiCaL with pairwise 1,000 conflicts or more (one shuffle).
COVERS = {(90, 234): (3, 7, 8, 11, 18, 21, 24), (99, 257): (1, 5, 8, 9, 16, 20, 23, 25, 26)}


def write(name, variables, pigeons, holes, capacity):
    """A list of variables for each pigeon, which has one of these holes, and for each hole."""
    lines = [f"p knf {variables} {len(pigeons) + len(holes)}"]
    lines += [" ".join(map(str, places)) + " 0" for places in pigeons]
    # At most `capacity` of n literals: at least n - capacity of their negations.
    lines += [f"k {len(places) - capacity} " + " ".join(str(-v) for v in places) + " 0" for places in holes]
    (FOLDER / f"{name}.knf").write_text("\n".join(lines) + "\n")


def complete(pigeons, holes):
    place = lambda pigeon, hole: pigeon * holes + hole + 1
    return (
        [[place(p, h) for h in range(holes)] for p in range(pigeons)],
        [[place(p, h) for p in range(pigeons)] for h in range(holes)],
    )


def two_per_hole(pigeons, holes):
    write(f"two-per-hole-{pigeons}-in-{holes}", pigeons * holes, *complete(pigeons, holes), 2)


def gaps(pigeons, holes, seed):
    r = random.Random(f"gaps {pigeons} {holes} {seed}")
    takes, variable = [[] for _ in range(holes)], 0
    own = []
    for _ in range(pigeons):
        gap, places = r.randrange(holes), []
        for hole in range(holes):
            if hole != gap:
                variable += 1
                places.append(variable)
                takes[hole].append(variable)
        own.append(places)
    write(f"gaps-{pigeons}-in-{holes}-{seed:02}", variable, own, takes, 1)


def scrambled(pigeons, holes):
    r = random.Random(f"scrambled {pigeons} {holes}")
    variables = pigeons * holes
    number = r.sample(range(1, variables + 1), variables)
    lists = [[r.sample([number[v - 1] for v in places], len(places)) for places in side]
             for side in complete(pigeons, holes)]
    write(f"scrambled-{pigeons}-in-{holes}", variables, *lists, 1)


def covers():
    spec = importlib.util.spec_from_file_location("every_kind", HERE.parent / "every-kind" / "draw.py")
    every_kind = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(every_kind)
    for (items, options), seeds in COVERS.items():
        for seed in seeds:
            with open(FOLDER / f"cover-{items}-{seed:02}.txt", "w") as file, contextlib.redirect_stdout(file):
                every_kind.cover(items, options, False, seed)


if __name__ == "__main__":
    for pigeons in range(11, 27):
        two_per_hole(pigeons, 5)
    for holes in 6, 7, 8, 9:
        for seed in range(1, 17):
            gaps(holes + 1, holes, seed)
    for holes, most in (7, 11), (8, 14), (9, 15):
        for pigeons in range(holes + 1, most + 1):
            scrambled(pigeons, holes)
    covers()
