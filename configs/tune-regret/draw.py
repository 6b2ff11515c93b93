#!/usr/bin/env python3
"""Writes the instances of this folder, which no other experiment has. It takes no arguments.

The functions and the forms of the files are those of configs/every-kind/draw.py and configs/order-or-luck/draw.py.
"""
import contextlib
import gzip
import importlib.util
import io
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
SEEDS = 101, 102


def module(name):
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), HERE.parent / name / "draw.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def printed(function, *arguments):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        function(*arguments)
    return text.getvalue()


if __name__ == "__main__":
    every_kind, order_or_luck = module("every-kind"), module("order-or-luck")
    order_or_luck.FOLDER = HERE
    for seed in SEEDS:
        for planted, cover, share in ("free", (100, 260), 0.5), ("planted", (105, 254), 0.52):
            is_planted = planted == "planted"
            text = printed(every_kind.cover, *cover, is_planted, seed)
            (HERE / f"cover-{planted}-{seed}.txt").write_text(text)
            text = printed(every_kind.timetable, 8, 3, 4, share, is_planted, seed)
            (HERE / f"timetable-{planted}-{seed}.opb.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
        order_or_luck.gaps(10, 9, seed)
    order_or_luck.two_per_hole(15, 6)
    order_or_luck.two_per_hole(27, 5)
