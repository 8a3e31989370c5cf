/* Breadth-first search over all placements of a Shift It board, in plain C: packed words, open addressing.

   board.h gives the board: PLACES, MOVES, LINE, BORDERS, BLOCKS, NEEDED, START, ROOM (a power of two),
   keep[], from[][], to[][], first_place[], second_place[], below[], meets[][][], blocks[][][][].
   Prints positions, transitions, layers and the seconds of each run.

   With FIRST_WIN it ends with the first win that it finds: the layers are the fewest moves then, and 0 where
   there was no more room. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "board.h"
#include "shiftit_won.h"

#ifndef FIRST_WIN
#define FIRST_WIN 0
#endif

static uint64_t *table, *queue;

static inline int add(uint64_t word)
{
    uint64_t slot = (word * 0x9E3779B97F4A7C15u) >> (64 - ROOM_BITS);
    for (;; slot = (slot + 1) & (ROOM - 1)) {
        if (table[slot] == word)
            return 0;
        if (table[slot] == 0) {
            table[slot] = word; /* no placement is 0: it has two tiles or more */
            return 1;
        }
    }
}

static void search(long *positions, long *transitions, int *layers)
{
    long head = 0, tail = 0, end;
    *transitions = 0, *layers = 0;
    table = calloc(ROOM, sizeof *table);
    queue = malloc(ROOM / 2 * sizeof *queue);
    add(START), queue[tail++] = START;
    while (head < tail) {
        for (end = tail, ++*layers; head < end; head++) {
            uint64_t word = queue[head];
            if (won(word))
                continue;
            if (FIRST_WIN && tail + MOVES > ROOM / 2) {
                *layers = 0;
                goto ended;
            }
            for (int move = 0; move < MOVES; move++) {
                uint64_t after = word & keep[move];
                for (int i = 0; i < LINE; i++)
                    after |= ((word >> from[move][i]) & 15) << to[move][i];
                if (add(after)) {
                    queue[tail++] = after;
                    if (FIRST_WIN && won(after))
                        goto ended;
                }
            }
            *transitions += MOVES;
        }
    }
ended:
    *positions = tail;
    free(table), free(queue);
}

int main(int count, char **arguments)
{
    int runs = count > 1 ? atoi(arguments[1]) : 1;
    for (int run = 0; run < runs; run++) {
        long positions, transitions;
        int layers;
        struct timespec begin, end;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
        search(&positions, &transitions, &layers);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
        printf("%ld %ld %d %.6f\n", positions, transitions, layers, seconds);
    }
    return 0;
}
