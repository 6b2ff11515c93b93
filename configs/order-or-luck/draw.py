#!/usr/bin/env python3
"""Writes the instances of this folder. It takes no arguments.

- two-per-hole-P-in-H.knf: P pigeons in H holes, at most two in each. Each hole lists the pigeons in the same order.
- gaps-P-in-H-SEED.knf: P pigeons in H holes, one in each; one hole, drawn at random, does not take the pigeon. Each hole
  lists its pigeons in the same order.
- scrambled-P-in-H.knf: P pigeons in H holes, one in each. The variables are numbered at random, and each hole and each
  pigeon lists them in a random order of its own.
- cover-ITEMS-SEED.txt: exact covers by options of three items, drawn by configs/every-kind/draw.py.
- mutilated-SIDE-SEED.knf: dominoes on a board without two cells of one colour, drawn at random.
- clique-VERTICES-SIZE-SEED.knf: a graph that has a clique of SIZE vertices and a colouring with one colour fewer (Pudlák,
  Journal of Symbolic Logic 62(3), 1997). Each place of the clique excludes one vertex, drawn at random.
- timetable-CLASSES-SEED.opb: timetables drawn by configs/every-kind/draw.py.

There are more pigeons than holes can take, a domino covers a cell of each colour, and the vertices of a clique need as many
colours. So these have no solution.
"""
import contextlib
import importlib.util
import itertools
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


def mutilated(side, seed):
    r = random.Random(f"mutilated {side} {seed}")
    removed = set(r.sample([(row, column) for row in range(side) for column in range(side) if (row + column) % 2 == 0], 2))
    cells = {(row, column): [] for row in range(side) for column in range(side) if (row, column) not in removed}
    variable = 0
    for row, column in cells:
        for other in (row, column + 1), (row + 1, column):
            if other in cells:
                variable += 1
                cells[row, column].append(variable)
                cells[other].append(variable)
    # A cell has at least one domino, and at most one.
    write(f"mutilated-{side}-{seed:02}", variable, list(cells.values()), [c for c in cells.values() if len(c) > 1], 1)


def clique(vertices, size, seed):
    r = random.Random(f"clique {vertices} {size} {seed}")
    count = 0

    def new():
        nonlocal count
        count += 1
        return count

    pairs = list(itertools.combinations(range(vertices), 2))
    edge = {pair: new() for pair in pairs}
    excluded = [r.randrange(vertices) for _ in range(size)]
    place = [{v: new() for v in range(vertices) if v != excluded[p]} for p in range(size)]
    colour = [[new() for _ in range(size - 1)] for _ in range(vertices)]
    clauses = [list(p.values()) for p in place] + colour
    for p, q in itertools.permutations(place, 2):
        clauses += [[-p[u], -q[v], edge[u, v]] for u, v in pairs if u in p and v in q]
    clauses += [[-edge[u, v], -a, -b] for u, v in pairs for a, b in zip(colour[u], colour[v])]
    most_one = [list(p.values()) for p in place] + [[p[v] for p in place if v in p] for v in range(vertices)] + colour
    write(f"clique-{vertices}-{size}-{seed:02}", count, clauses, most_one, 1)


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
    for seed in range(1, 17):
        mutilated(12, seed)
        clique(8, 5, seed)
    covers()
