/* Whether a placement is won (S9, S10, S13): count the borders where colours meet, and unite blocks
   only where they are enough. The same test in the plain C search and in SPIN's model. */

static inline int root(uint8_t *parents, int block)
{
    while (parents[block] != block)
        block = parents[block] = parents[parents[block]];
    return block;
}

static inline int won(uint64_t word)
{
    int meeting = 0, unions = 0;
    uint8_t parents[BLOCKS];
    for (int i = 0; i < BORDERS; i++)
        meeting += meets[below[i]][(word >> first_place[i]) & 15][(word >> second_place[i]) & 15];
    if (meeting < NEEDED)
        return 0;
    for (int i = 0; i < BLOCKS; i++)
        parents[i] = (uint8_t)i;
    for (int i = 0; i < BORDERS; i++) {
        int one = (word >> first_place[i]) & 15, other = (word >> second_place[i]) & 15;
        if (meets[below[i]][one][other]) {
            int first = root(parents, blocks[below[i]][one][other][0]);
            int second = root(parents, blocks[below[i]][one][other][1]);
            if (first != second)
                parents[first] = (uint8_t)second, unions++;
        }
    }
    return unions == NEEDED;
}
