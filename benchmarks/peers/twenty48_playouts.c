/* Random games of 2048 (rule classic), plainly and quickly: two tables of rows, xorshift64, no scores.

   Prints [moves by processor second, moves by second of the clock]. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef uint64_t word;

static uint16_t rows[2][65536]; /* what a row becomes to the left, to the right */
static word state = 88172645463325252ull;

static inline word draw(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static inline word below(word bound) { return ((draw() >> 32) * bound) >> 32; }

static inline word transposed(word board) {
    word pairs = (board & 0xF0F00F0FF0F00F0Full) | (board & 0x0000F0F00000F0F0ull) << 12 |
                 (board & 0x0F0F00000F0F0000ull) >> 12;
    return (pairs & 0xFF00FF0000FF00FFull) | (pairs & 0x00FF00FF00000000ull) >> 24 |
           (pairs & 0x00000000FF00FF00ull) << 24;
}

static inline word moved(word board, int direction) {
    const uint16_t *table = rows[direction & 1];
    word lying = direction & 2 ? transposed(board) : board;
    word after = (word)table[lying & 65535] | (word)table[lying >> 16 & 65535] << 16 |
                 (word)table[lying >> 32 & 65535] << 32 | (word)table[lying >> 48] << 48;
    return direction & 2 ? transposed(after) : after;
}

static word with_tile(word board) {
    word filled = board | board >> 2;
    word empty = ~(filled | filled >> 1) & 0x1111111111111111ull;
    word number = below(__builtin_popcountll(empty));
    while (number--) empty &= empty - 1;
    word cell = empty & -empty;
    return board | (below(10) == 0 ? cell << 1 : cell);
}

static void fill_tables(void) {
    for (int row = 0; row < 65536; row++)
        for (int direction = 0; direction < 2; direction++) {
            int after[4] = {0}, count = 0, waiting = 0, result = 0;
            for (int i = 0; i < 4; i++) {
                int tile = row >> 4 * (direction ? 3 - i : i) & 15;
                if (!tile) continue;
                if (tile == waiting) {
                    after[count++] = tile + 1;
                    waiting = 0;
                } else {
                    if (waiting) after[count++] = waiting;
                    waiting = tile;
                }
            }
            if (waiting) after[count++] = waiting;
            for (int i = 0; i < 4; i++) result |= (after[i] & 15) << 4 * (direction ? 3 - i : i);
            rows[direction][row] = (uint16_t)result;
        }
}

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int count, char **arguments) {
    long games = count > 1 ? atol(arguments[1]) : 30000, moves = 0;
    volatile word kept = 0; /* so that no game is optimised away */
    fill_tables();
    double processor = seconds(CLOCK_PROCESS_CPUTIME_ID), clock = seconds(CLOCK_MONOTONIC);
    for (long game = 0; game < games; game++) {
        word board = with_tile(with_tile(0));
        for (int tried = 0; tried != 15;) {
            int direction = (int)(draw() >> 62);
            word after = moved(board, direction);
            if (after == board) {
                tried |= 1 << direction;
                continue;
            }
            board = with_tile(after);
            tried = 0;
            moves++;
        }
        kept += board;
    }
    processor = seconds(CLOCK_PROCESS_CPUTIME_ID) - processor;
    clock = seconds(CLOCK_MONOTONIC) - clock;
    printf("[%.0f, %.0f]\n", (double)moves / processor, (double)moves / clock);
    return 0;
}
