#!/usr/bin/env python3
"""Writes the instances `two-per-hole-*.knf` of this folder: pigeons in holes, at most two in each.

    python3 draw.py

With 2h + 1 or more pigeons in h holes there is no solution. Each hole lists the pigeons in the same order.
"""
import pathlib

FOLDER = pathlib.Path(__file__).parent / "instances"


def write(pigeons, holes):
    place = lambda pigeon, hole: pigeon * holes + hole + 1
    lines = [f"p knf {pigeons * holes} {pigeons + holes}"]
    lines += [" ".join(str(place(p, h)) for h in range(holes)) + " 0" for p in range(pigeons)]
    # At least all but two of the pigeons are not in the hole.
    lines += [f"k {pigeons - 2} " + " ".join(str(-place(p, h)) for p in range(pigeons)) + " 0" for h in range(holes)]
    (FOLDER / f"two-per-hole-{pigeons}-in-{holes}.knf").write_text("\n".join(lines) + "\n")


for holes, least, most in (5, 11, 20), (6, 15, 20):
    for pigeons in range(least, most + 1):
        write(pigeons, holes)
