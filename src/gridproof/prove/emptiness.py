"""Fair cycles of a graph beside an automaton, without making their product: one depth-first search.

A node of the product is `position * states + state`. An arc brings a word of marks: the automaton's, and
those of fairness. Strongly connected components are found with a stack of their roots, each with the marks seen
inside, and the search ends as soon as a component has all marks (J.-M. Couvreur, FM 1999).

Graph and automaton are one value for kernels, a `Product`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.kernels.compile import inlined, kernel

U = np.uint64
_NONE = U(0)
CYCLE = U(1 << 63)
"""The mark of a component that has an arc inside."""

GOING, EMPTY, FOUND = 0, 1, 2

UNSEEN, REFUSED, AGAIN, ACCEPTED = 0, -1, -2, -3
"""The orders of nodes that are not on the stack; on it, they are places from 1 on.

AGAIN: its component breaks strong fairness, but a part of it may not."""

# The state of a search: the numbers of nodes and roots on the stacks, its depth, and the numbers of starts done
# and of nodes seen.
NODES, ROOTS, DEPTH, STARTS, SEEN = range(5)


class Product(NamedTuple):
    """A graph, an automaton, and marks of fairness."""

    places: tuple[Any, ...]
    """The graph: offsets, targets, actions, a word of each position (which atoms hold there; which acts of fairness
    are possible) and one of each action (which atoms it is; which acts it is)."""
    machine: tuple[Any, ...]
    """The automaton: offsets, must, not_any, targets, marks."""
    fair: tuple[Any, Any]
    """Marks of weak fairness, and of strong."""


class Search(NamedTuple):
    """The stacks of a search, each with room for all nodes, and its state."""

    order: Any
    """int32: of each node, as `UNSEEN` and the like say"""
    stack: Any
    """int32: nodes"""
    path: Any
    """int32: nodes"""
    following: Any
    """int32: the next arc of each node of the path"""
    roots: Any
    """int32"""
    marks: Any
    """uint64: inside each root's component"""
    brought: Any
    """uint64: by the arc into it"""
    possible: Any
    """uint64: the acts of strong fairness that are"""
    at: Any
    """int64 (5,)"""


class Walk(NamedTuple):
    """A breadth-first walk through the nodes of a search."""

    order: Any
    """The order of nodes, as in `Search`."""
    parents: Any
    """int32, all 0 at first: 1 + the predecessor of each node seen."""
    queue: Any
    """int32: the nodes seen."""


@inlined
def width(places: Any, machine: Any, node: Any) -> Any:
    """Return the number of arcs that a node may have: pairs of an edge and a transition."""
    states = machine[0].shape[0] - 1
    position = node // states
    state = node - position * states
    edges = places[0][position + 1] - places[0][position]
    return max(edges, 1) * np.int64(machine[0][state + 1] - machine[0][state])


@inlined
def arc(places: Any, machine: Any, fair: Any, node: Any, number: Any) -> Any:
    """Return the target of an arc, -1 where its letter does not fit, and the marks it brings."""
    states = machine[0].shape[0] - 1
    position = node // states
    state = node - position * states
    first = np.int64(machine[0][state])
    count = np.int64(machine[0][state + 1]) - first
    place = number // count
    transition = first + number - place * count
    word, target, done = places[3][position], position, _NONE
    edge = places[0][position] + place
    if edge < places[0][position + 1]:
        target = np.int64(places[1][edge])
        done = places[4][places[2][edge]]
    letter = word | done
    if machine[1][transition] & ~letter | machine[2][transition] & letter:
        return np.int64(-1), _NONE
    marks = machine[4][transition] | (done & (fair[0] | fair[1])) | (~word & fair[0])
    return target * states + np.int64(machine[3][transition]), marks


@kernel
def search(product: Product, every: Any, starts: Any, stop: Any, found: Search, steps: Any) -> Any:
    """Search from the starts for a component with every mark, for at most `steps` steps.

    With `stop` it ends at the first, whose nodes are those with a number from that of the last root on; without,
    all nodes of such components are ACCEPTED at the end.
    """
    places, machine, fair = product
    order, stack, path, following, roots, marks, brought, possible, at = found
    states = machine[0].shape[0] - 1
    for _ in range(steps):
        if at[DEPTH] == 0:
            if at[STARTS] == starts.shape[0]:
                return EMPTY
            node = np.int64(starts[at[STARTS]])
            at[STARTS] += 1
            if order[node] != UNSEEN:
                continue
            arrival = _NONE
        else:
            source = np.int64(path[at[DEPTH] - 1])
            number = following[at[DEPTH] - 1]
            if number == width(places, machine, source):
                at[DEPTH] -= 1
                top = at[ROOTS] - 1
                if roots[top] == order[source]:
                    missing = possible[top] & ~marks[top]
                    verdict = REFUSED
                    if marks[top] & every == every:
                        verdict = ACCEPTED if missing == _NONE else AGAIN
                    for place in range(order[source] - 1, at[NODES]):
                        one = stack[place]
                        hopeless = verdict == AGAIN and places[3][one // states] & missing != _NONE
                        order[one] = REFUSED if hopeless else verdict
                    at[NODES] = roots[top] - 1
                    at[ROOTS] = top
                continue
            following[at[DEPTH] - 1] = number + 1
            node, arrival = arc(places, machine, fair, source, number)
            if node < 0 or order[node] < 0:
                continue
            if order[node] > 0:
                gathered, acts = arrival | CYCLE, _NONE
                top = at[ROOTS] - 1
                while roots[top] > order[node]:
                    gathered |= marks[top] | brought[top]
                    acts |= possible[top]
                    top -= 1
                marks[top] |= gathered
                possible[top] |= acts
                at[ROOTS] = top + 1
                if stop and marks[top] & every == every and possible[top] & ~marks[top] == _NONE:
                    return FOUND
                continue
        at[SEEN] += 1
        stack[at[NODES]] = node
        at[NODES] += 1
        order[node] = at[NODES]
        path[at[DEPTH]], following[at[DEPTH]] = node, 0
        at[DEPTH] += 1
        roots[at[ROOTS]], marks[at[ROOTS]], brought[at[ROOTS]] = at[NODES], _NONE, arrival
        possible[at[ROOTS]] = places[3][node // states] & fair[1]
        at[ROOTS] += 1
    return GOING


BY_MARK, TO_NODE, TO_MEMBER = range(3)


@kernel
def shortest(product: Product, walk: Walk, least: Any, starts: Any, kind: Any, wanted: Any) -> Any:
    """Find the nearest wanted arc from some nodes: its two nodes and marks, and the number of nodes seen.

    Only nodes whose number in the order is at least `least` are walked through. Wanted is an arc that brings one of
    the marks (BY_MARK), to a node, or to any with at least that number in the order (TO_MEMBER). The first node is -1
    when there is none.
    """
    (places, machine, fair), (order, parents, queue) = product, walk
    head = count = 0
    for node in starts:
        parents[node] = node + 1
        queue[count] = node
        count += 1
    while head < count:
        source = np.int64(queue[head])
        head += 1
        for number in range(width(places, machine, source)):
            node, marks = arc(places, machine, fair, source, number)
            if node < 0 or order[node] < least:
                continue
            if (
                (kind == BY_MARK and marks & U(wanted) != _NONE)
                or (kind == TO_NODE and node == wanted)
                or (kind == TO_MEMBER and order[node] >= wanted)
            ):
                return source, node, marks, count
            if parents[node] == 0:
                parents[node] = source + 1
                queue[count] = node
                count += 1
    return np.int64(-1), np.int64(-1), _NONE, count


class Backward(NamedTuple):
    """The arcs of a product backwards."""

    ends: Any
    """int64 (n + 1,): the edges into position i stand from ends[i] to ends[i + 1]"""
    sources: Any
    """int32 (m,)"""
    edges: Any
    """int32 (m,): their numbers"""
    offsets: Any
    """int64: the transitions into each state of the automaton, as `ends`"""
    transitions: Any
    """Their numbers."""
    states: Any
    """The state that each transition comes from, by the transition's number."""


@kernel
def extend_backwards(product: Product, backward: Backward, reached: Any, queue: Any) -> None:
    """Add to the nodes reached, bool, all from which arcs lead to them; `queue` is int32, with room for all nodes."""
    places, machine, _ = product
    states = machine[0].shape[0] - 1
    count = 0
    for number in range(reached.shape[0]):
        if reached[number]:
            queue[count] = number
            count += 1
    head = 0
    while head < count:
        position = np.int64(queue[head]) // states
        state = queue[head] - position * states
        head += 1
        stays = places[0][position] == places[0][position + 1]
        first, last = backward.ends[position], backward.ends[position + 1]
        for place in range(first, last + stays):
            source, done = position, _NONE
            if place < last:
                source = np.int64(backward.sources[place])
                done = places[4][places[2][backward.edges[place]]]
            letter = places[3][source] | done
            for number in range(backward.offsets[state], backward.offsets[state + 1]):
                transition = backward.transitions[number]
                if machine[1][transition] & ~letter | machine[2][transition] & letter:
                    continue
                node = source * states + backward.states[transition]
                if not reached[node]:
                    reached[node] = True
                    queue[count] = node
                    count += 1


@kernel
def edge_between(product: Product, source: Any, target: Any, wanted: Any) -> Any:
    """Return the number of an edge that an arc between two nodes takes, with one of the wanted marks if there are any.

    -1 where the position is followed by itself.
    """
    places, machine, fair = product
    state = source % (machine[0].shape[0] - 1)
    position = source // (machine[0].shape[0] - 1)
    count = np.int64(machine[0][state + 1] - machine[0][state])
    for number in range(width(places, machine, source)):
        node, marks = arc(places, machine, fair, source, number)
        if node == target and (wanted == _NONE or marks & wanted != _NONE):
            edge = places[0][position] + number // count
            return edge if edge < places[0][position + 1] else np.int64(-1)
    return np.int64(-2)
