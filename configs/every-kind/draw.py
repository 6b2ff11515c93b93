#!/usr/bin/env python3
"""Draws the exact covers (*.txt) and timetables (*.opb) of this folder from seeds.

    python3 draw.py cover ITEMS OPTIONS planted|free SEED > FILE.txt
    python3 draw.py timetable CLASSES DAYS PERIODS SHARE planted|free SEED > FILE.opb

An option of a cover has three items. A timetable gives each lesson one slot (a period of a day): a class, a
teacher and a room have at most one lesson in a slot, and two lessons of a class with the same teacher lie on
different days. SHARE is the share of slots in which a lesson cannot be held. A planted instance is drawn around
a solution.
"""
import random
import sys


def cover(items, options, planted, seed):
    r = random.Random(f"cover {items} {options} {planted} {seed}")
    chosen = set()
    if planted:
        order = r.sample(range(1, items + 1), items)
        chosen = {tuple(sorted(order[i:i + 3])) for i in range(0, items, 3)}
    while len(chosen) < options:
        chosen.add(tuple(sorted(r.sample(range(1, items + 1), 3))))
    listed = sorted(chosen)
    r.shuffle(listed)
    print(*range(1, items + 1))
    for option in listed:
        print(*option)


def timetable(classes, days, periods, share, planted, seed):
    r = random.Random(f"timetable {classes} {days} {periods} {share} {planted} {seed}")
    slots, lessons = days * periods, []
    # A lesson for each class and slot of a solution: teachers and rooms are permutations of the classes.
    for day in range(days):
        taught = set()
        for period in range(periods):
            while True:
                teachers = r.sample(range(classes), classes)
                if not any((c, t) in taught for c, t in enumerate(teachers)):
                    break
            taught |= set(enumerate(teachers))
            rooms = r.sample(range(classes), classes)
            lessons += [(c, teachers[c], rooms[c], day * periods + period) for c in range(classes)]
    r.shuffle(lessons)
    kept = [[s for s in range(slots) if (planted and s == home) or r.random() >= share] for *_, home in lessons]
    variable, exactly, at_most = {}, [], []
    for l, allowed in enumerate(kept):
        for s in allowed:
            variable[l, s] = len(variable) + 1
    for l, allowed in enumerate(kept):
        exactly.append([variable[l, s] for s in allowed])
    for part in range(3):
        for who in range(classes):
            for s in range(slots):
                at_most.append([variable[l, s] for l, x in enumerate(lessons) if x[part] == who and (l, s) in variable])
    for c in range(classes):
        for t in range(classes):
            same = [l for l, x in enumerate(lessons) if x[:2] == (c, t)]
            for day in range(days if len(same) > 1 else 0):
                at_most.append([v for (l, s), v in variable.items() if l in same and s // periods == day])
    at_most = [group for group in at_most if len(group) > 1]
    print(f"* #variable= {len(variable)} #constraint= {len(exactly) + len(at_most)}")
    for group in exactly:
        print(*(f"+1 x{v}" for v in group), "= 1 ;")
    for group in at_most:
        print(*(f"-1 x{v}" for v in group), ">= -1 ;")


if __name__ == "__main__":
    kind, *numbers, planted, seed = sys.argv[1:]
    parse = [float(n) if "." in n else int(n) for n in numbers]
    {"cover": cover, "timetable": timetable}[kind](*parse, planted == "planted", int(seed))
