"""An encoder of weighted sums in Python: a decision diagram.

Node (i, rest) means that the inputs from i on weigh at most `rest`. Without input i it implies node (i + 1, rest), and
with input i node (i + 1, rest - weight).

    bezzel check '{command: "python3 examples/my_sum_encoder.py", kind: sum}' --sums
    bezzel show '{command: "python3 examples/my_sum_encoder.py", kind: sum}' --weights 3,5,7 --bound 9

docs/external-encoders.md describes the requests and the answers.
"""

import sys


def at_most(bound, weights):
    """The number of variables, of which 1 to n are the inputs, and the clauses."""
    n = len(weights)
    left = [sum(weights[i:]) for i in range(n + 1)]  # the weight of the inputs from i on
    clauses = []
    nodes = {(0, bound): n + 1}  # the variable of each node
    clauses.append([n + 1])
    open_nodes = [(0, bound)]
    while open_nodes:
        i, rest = open_nodes.pop()
        for weight, literals in [(0, []), (weights[i], [-(i + 1)])]:
            node = (i + 1, rest - weight)
            clause = [-nodes[i, rest], *literals]
            if node[1] < 0:
                clauses.append(clause)
            elif left[i + 1] > node[1]:
                if node not in nodes:
                    nodes[node] = n + 1 + len(nodes)
                    open_nodes.append(node)
                clauses.append([*clause, nodes[node]])
    return n + len(nodes), clauses


def main():
    if sys.stdin.readline().split() != ["bezzel-encoder", "1"]:
        sys.exit("this encoder speaks version 1 of Bezzel's protocol")
    for request in sys.stdin:
        words = request.split()
        if words[:2] == ["sum", "at-most"]:
            bound, _, *weights = map(int, words[2:])
        elif words[0] == "at-most":
            bound, n = map(int, words[1:])
            weights = [1] * n
        else:
            sys.exit(f"this encoder knows at-most and sum at-most, not {request.strip()}")
        variables, clauses = at_most(bound, weights)
        print("p cnf", variables, len(clauses))
        for clause in clauses:
            print(*clause, 0)


main()
