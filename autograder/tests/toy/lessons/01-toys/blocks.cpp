// SPDX-License-Identifier: MIT
// How many blocks does a grid need? The count is rounded up.
#include <cstdio>

int main() {
    // [blocks]
    const int n = 257, block = 256;
    const int blocks = (n + block - 1) / block;
    // [/blocks]
    std::printf("%d elements, %d threads per block\n", n, block);
    std::printf("Answer: %d\n", blocks);
    std::printf("element %d is in block %d\n", n - 1, (n - 1) / block);
    std::printf("Answer: thread %d\n", (n - 1) % block);
}
