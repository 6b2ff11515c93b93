/* The plain recursion of search.rs in C: for each side on the command line the number of solutions
   and the CPU seconds that it took. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint32_t all;

static uint64_t below(uint32_t columns, uint32_t diagonals, uint32_t antidiagonals)
{
    if (columns == all)
        return 1;
    uint32_t open = all & ~(columns | diagonals | antidiagonals);
    uint64_t solutions = 0;
    while (open) {
        uint32_t piece = open & -open;
        open ^= piece;
        solutions += below(columns | piece, (diagonals | piece) << 1, (antidiagonals | piece) >> 1);
    }
    return solutions;
}

static uint64_t count(int side)
{
    uint64_t solutions = 0;
    all = (1u << side) - 1;
    if (side == 1)
        return 1;
    for (int column = 0; column < side / 2; column++) {
        uint32_t piece = 1u << column;
        solutions += below(piece, piece << 1, piece >> 1);
    }
    if (side % 2) {
        uint32_t middle = 1u << (side / 2), open = (middle - 1) & ~(middle >> 1);
        while (open) {
            uint32_t piece = open & -open;
            open ^= piece;
            solutions += below(middle | piece, (middle << 1 | piece) << 1, (middle >> 1 | piece) >> 1);
        }
    }
    return 2 * solutions;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        clock_t begin = clock();
        uint64_t solutions = count(atoi(argv[i]));
        double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
        printf("%s: %llu in %.4f s\n", argv[i], (unsigned long long)solutions, seconds);
    }
}
