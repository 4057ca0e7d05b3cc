// SPDX-License-Identifier: MIT
// Local arrays of which only a part is ever written, and only that is read: stacks, short lists, tiles of registers.
//
// array: int y[64] = uninitialized
// launch: parts<<<2, 32>>>(y)
// check: y = constant(64)

__device__ int leaves(int depth) {
    int stack[16], top = 0;
    stack[top++] = depth;
    int count = 0;
    while (top > 0) {
        int node = stack[--top];
        if (node == 0) {
            ++count;
            continue;
        }
        stack[top++] = node - 1;
        stack[top++] = node - 1;
    }
    return count;
}

__device__ int largest_three(int seed) {
    int best[3];
    int found = 0;
    for (int k = 0; k < 20; ++k) {
        int value = (k * 7 + seed) % 20;
        int at = found;
        while (at > 0 && best[at - 1] < value) {
            if (at < 3) best[at] = best[at - 1];
            --at;
        }
        if (at < 3) best[at] = value;
        if (found < 3) ++found;
    }
    return best[0] + best[1] + best[2];
}

__device__ float tile(int t) {
    float sums[4][4];
    float row[4];
    float column[4];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sums[i][j] = 0.0f;
    for (int k = 0; k < 8; ++k) {
        for (int i = 0; i < 4; ++i) {
            row[i] = t + i;
            column[i] = 1.0f;
        }
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) sums[i][j] += row[i] * column[j];
    }
    return sums[3][3];
}

__device__ int guarded(int n) {
    int some[8];
    for (int k = 0; k < n; ++k) some[k] = k + 1;
    int last = n > 0 ? some[n - 1] : 0;
    int third = 0;
    if (n > 2) third = some[2];
    int sum = 0;
    for (int k = 0; k < 8; ++k) sum += k < n ? some[k] : 0;
    bool rises = n > 4 && some[4] > some[3] && (n < 8 || some[7] == 8);
    return last == n && third == (n > 2 ? 3 : 0) && sum == n * (n + 1) / 2 && rises == (n > 4);
}

__device__ int swept(int n) {
    int before[9], after[9];
    int* from = before;
    int* to = after;
    for (int k = 0; k <= n; ++k) from[k] = k == 0;
    for (int round = 0; round < n; ++round) {
        for (int k = 0; k <= n; ++k) to[k] = from[k] + (k > 0 ? from[k - 1] : 0);
        int* other = from;
        from = to;
        to = other;
    }
    int sum = 0;
    for (int k = 0; k <= n; ++k) sum += from[k];
    return sum;
}

__global__ void parts(int* y) {
    int t = threadIdx.x;
    bool fine = leaves(t % 6) == 1 << t % 6 && largest_three(t) == 54 && tile(t) == 8.0f * (t + 3);
    fine = fine && guarded(t % 9) && swept(t % 9) == 1 << t % 9;
    y[blockIdx.x * blockDim.x + t] = fine ? 64 : 0;
}
