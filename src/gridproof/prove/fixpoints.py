"""Fixpoints over a graph's rows, each in time linear in the edges: the operators of CTL.

Sets of positions are bool arrays of shape (n,). A position without edges is followed by itself.
"""

from __future__ import annotations

from typing import Any

from gridproof.kernels.compile import kernel


@kernel
def reverse(offsets: Any, targets: Any, ends: Any, sources: Any) -> None:
    """Write the rows of the reversed edges: the sources of those into i stand from ends[i] to ends[i + 1].

    `ends` has the shape (n + 2,) and is all 0, `sources` that of `targets`.
    """
    for edge in range(targets.shape[0]):
        ends[targets[edge] + 2] += 1
    for number in range(2, ends.shape[0]):
        ends[number] += ends[number - 1]
    for source in range(offsets.shape[0] - 1):
        for edge in range(offsets[source], offsets[source + 1]):
            place = targets[edge] + 1
            sources[ends[place]] = source
            ends[place] += 1


@kernel
def number_reversed(targets: Any, ends: Any, edges: Any) -> None:
    """Write the number of each edge where `reverse` writes its source; `ends`, int64 (n + 1,), ends as that of the next position."""
    for edge in range(targets.shape[0]):
        edges[ends[targets[edge]]] = edge
        ends[targets[edge]] += 1


@kernel
def can_do(offsets: Any, actions: Any, chosen: Any, found: Any) -> None:
    """Find the positions where an edge has one of the chosen actions: bool by the actions' numbers."""
    for source in range(offsets.shape[0] - 1):
        for edge in range(offsets[source], offsets[source + 1]):
            if chosen[actions[edge]]:
                found[source] = True
                break


@kernel
def some_next(offsets: Any, targets: Any, inside: Any, found: Any) -> None:
    """Evaluate EX: positions with a successor inside."""
    for source in range(offsets.shape[0] - 1):
        first, last = offsets[source], offsets[source + 1]
        if first == last:
            found[source] = inside[source]
        for edge in range(first, last):
            if inside[targets[edge]]:
                found[source] = True
                break


@kernel
def some_until(ends: Any, sources: Any, through: Any, reached: Any, queue: Any) -> None:
    """Evaluate E[through U reached]: `reached` grows by the positions that lead to it through the other set.

    `ends` and `sources` are the reversed rows, `queue` int32 (n,).
    """
    count = 0
    for number in range(reached.shape[0]):
        if reached[number]:
            queue[count] = number
            count += 1
    head = 0
    while head < count:
        target = queue[head]
        head += 1
        for edge in range(ends[target], ends[target + 1]):
            source = sources[edge]
            if through[source] and not reached[source]:
                reached[source] = True
                queue[count] = source
                count += 1


@kernel
def some_always(
    offsets: Any, targets: Any, ends: Any, sources: Any, inside: Any, left: Any, queue: Any
) -> None:
    """Evaluate EG: remove positions without a successor inside from `inside`, again and again; `left` and `queue` are int32 (n,)."""
    count = 0
    for source in range(inside.shape[0]):
        first, last = offsets[source], offsets[source + 1]
        if not inside[source] or first == last:
            continue
        number = 0
        for edge in range(first, last):
            number += inside[targets[edge]]
        left[source] = number
        if number == 0:
            queue[count] = source
            count += 1
    for place in range(count):
        inside[queue[place]] = False
    head = 0
    while head < count:
        target = queue[head]
        head += 1
        for edge in range(ends[target], ends[target + 1]):
            source = sources[edge]
            if inside[source]:
                left[source] -= 1
                if left[source] == 0:
                    inside[source] = False
                    queue[count] = source
                    count += 1


@kernel
def nearest(
    offsets: Any, targets: Any, through: Any, goals: Any, start: Any, parents: Any, queue: Any
) -> Any:
    """Find the goal that the fewest edges lead to from the start, through the set; -1 when none is reached.

    Only the goal need not lie in the set. `parents`, int32 (n,) and all -1, then lead back from it.
    """
    if goals[start]:
        return start
    if not through[start]:
        return -1
    parents[start] = start
    queue[0] = start
    head, count = 0, 1
    while head < count:
        source = queue[head]
        head += 1
        for edge in range(offsets[source], offsets[source + 1]):
            target = targets[edge]
            if parents[target] >= 0:
                continue
            if goals[target]:
                parents[target] = source
                return target
            if through[target]:
                parents[target] = source
                queue[count] = target
                count += 1
    return -1


@kernel
def steps_until(ends: Any, sources: Any, steps: Any, queue: Any) -> None:
    """Count the fewest edges from each position to one where `steps` is 0; -1 stays where none of these is reached.

    `steps`, int32 (n,), is 0 or -1 at first; the others are as of `some_until`.
    """
    count = 0
    for number in range(steps.shape[0]):
        if steps[number] == 0:
            queue[count] = number
            count += 1
    head = 0
    while head < count:
        target = queue[head]
        head += 1
        for edge in range(ends[target], ends[target + 1]):
            source = sources[edge]
            if steps[source] < 0:
                steps[source] = steps[target] + 1
                queue[count] = source
                count += 1
