// SPDX-License-Identifier: MIT
// The mask names all lanes of the warp; those that have ended aren't waited for.
//
// array: int x[48] = modulo 5
// array: int votes[48] = uninitialized
// launch: count_zeros<<<1, 64>>>(x, votes, 48)
// check: votes = count_equal_in_groups(x, 32, 0)

__global__ void count_zeros(const int* x, int* votes, int n) {
    int t = threadIdx.x;
    if (t >= n) return;
    unsigned zeros = __ballot_sync(0xffffffffu, x[t] == 0);
    votes[t] = __popc(zeros);
}
