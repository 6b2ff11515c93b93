"""An at-most-one encoding in Python: a ladder.

Step i says that one of the first i inputs holds. Input i implies step i, a step implies the next
one, and a step excludes the next input.

    bezzel check '{command: "python3 examples/my_encoder.py"}'
    bezzel solve 8 --encoding '{command: "python3 examples/my_encoder.py"}'

docs/external-encoders.md says how a program is asked and how it answers.
"""

import sys


def at_most_one(n):
    """The number of variables, of which 1 to n are the inputs, and the clauses."""
    steps = range(1, n)  # step i is the variable n + i
    clauses = []
    for i in steps:
        clauses.append([-i, n + i])  # input i -> step i
        if i > 1:
            clauses.append([-(n + i - 1), n + i])  # step i - 1 -> step i
        clauses.append([-(n + i), -(i + 1)])  # step i -> not input i + 1
    return n + len(steps), clauses


def main():
    if sys.stdin.readline().split() != ["bezzel-encoder", "1"]:
        sys.exit("this encoder speaks version 1 of Bezzel's protocol")
    for request in sys.stdin:
        word, n = request.split()
        if word != "at-most-one":
            sys.exit(f"this encoder knows at-most-one alone, not {word}")
        variables, clauses = at_most_one(int(n))
        print("p cnf", variables, len(clauses))
        for clause in clauses:
            print(*clause, 0)


main()
