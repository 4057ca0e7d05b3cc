// SPDX-License-Identifier: MIT
// The mask names all lanes, but those without an element have ended: older GPUs would wait for them.
//
// array: int x[48] = modulo 5
// array: int votes[48] = uninitialized
// launch: count_zeros<<<1, 64>>>(x, votes, 48)
// strict barriers: yes
// finding: skipped barrier, line 13, variable -

__global__ void count_zeros(const int* x, int* votes, int n) {
    int t = threadIdx.x;
    if (t >= n) return;
    unsigned zeros = __ballot_sync(0xffffffffu, x[t] == 0);
    votes[t] = __popc(zeros);
}
