"""A board encoding in Python: one variable for each square, and a clause for each two squares that
attack each other.

    bezzel check '{command: "python3 examples/my_board_encoder.py", kind: board}'
    bezzel solve 8 --encoding '{command: "python3 examples/my_board_encoder.py", kind: board}'

docs/external-encoders.md says how a program is asked and how it answers.
"""

import sys
from itertools import combinations


def lines(piece, geometry, rows, columns):
    """The lines of the board, each a set of squares."""
    found = {}
    for row in range(rows):
        for column in range(columns):
            names = [("row", row), ("column", column)]
            if piece == "queens" and geometry == "plane":
                names += [("diagonal", row - column), ("antidiagonal", row + column)]
            elif piece == "queens":
                names += [
                    ("diagonal", (row - column) % rows),
                    ("antidiagonal", (row + column) % rows),
                ]
            for name in names:
                found.setdefault(name, []).append(row * columns + column + 1)
    return found


def rules(piece, geometry, rows, columns):
    """The clauses over the variables 1 to rows * columns."""
    found = lines(piece, geometry, rows, columns)
    for (kind, _), squares in found.items():
        # Each row holds a queen; each column too, if there are as many as rows.
        if kind == "row" or (kind == "column" and rows == columns):
            yield squares
    pairs = {pair for squares in found.values() for pair in combinations(squares, 2)}
    for first, second in sorted(pairs):
        yield [-first, -second]


def main():
    if sys.stdin.readline().split() != ["bezzel-encoder", "1"]:
        sys.exit("this encoder speaks version 1 of Bezzel's protocol")
    for request in sys.stdin:
        word, piece, geometry, rows, columns = request.split()
        if word != "board":
            sys.exit(f"this encoder knows boards alone, not {word}")
        rows, columns = int(rows), int(columns)
        clauses = list(rules(piece, geometry, rows, columns))
        print("p cnf", rows * columns, len(clauses))
        for clause in clauses:
            print(*clause, 0)


main()
