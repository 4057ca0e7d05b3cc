// SPDX-License-Identifier: MIT
// Local arrays that begin without values, and get them in all kinds of ways before they are read.
//
// array: int y[64] = uninitialized
// launch: arrays<<<2, 32>>>(y)
// check: y = constant(64)

struct Pair {
    int key;
    double weight;
    char tag;
};

template <class T, int n>
__device__ void fill(T* to, T value) {
    for (int k = 0; k < n; ++k) to[k] = value;
}

__device__ void swap(int& a, int& b) {
    int c = a;
    a = b;
    b = c;
}

__device__ int sorted_middle(int seed) {
    int a[5];
    for (int k = 0; k < 5; ++k) a[k] = (k * 3 + seed) % 5;
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 4 - i; ++j)
            if (a[j] > a[j + 1]) swap(a[j], a[j + 1]);
    return a[2];
}

__device__ int depth(int n) {
    int own[3];
    own[n % 3] = n;
    if (n == 0) return own[0];
    return depth(n - 1) + own[n % 3] - n;
}

template <int n>
__device__ int by_loop(int start) {
    for (int round = 0; round < 3; ++round) {
        int part[n];
        if (round == 1) continue;
        for (int k = n; k-- > 0;) part[k] = start;
        if (round == 2) return part[0] + part[n - 1];
    }
    return 0;
}

__global__ void arrays(int* y) {
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float window[4], sums[2][3];
    fill<float, 4>(window, 1.0f);
    for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 3; ++c) sums[r][c] = window[r + c > 3 ? 3 : r + c];
    Pair pairs[2];
    pairs[0].key = 7;
    pairs[1] = pairs[0];
    unsigned bytes[8];
    memset(bytes, 0, sizeof(bytes));
    int some[32];
    some[t] = 2;
    auto add = [&](int k) { some[t] += k; };
    add(5);
    __syncthreads();
    int copy[4];
    int from[4] = {1, 2, 3, 4};
    memcpy(copy, from, sizeof(from));
    complex<float> values[2];
    values[0] = complex<float>(1.0f, 0.0f);
    int kind = t % 3, result[2];
    switch (kind) {
        case 0: result[0] = 1; break;
        case 1: result[0] = 2; break;
        default: result[0] = 3;
    }
    result[1] = -result[0];
    bool fine = sums[1][2] == 1.0f && pairs[1].key == 7 && bytes[t % 8] == 0 && some[t] == 7 && copy[t % 4] == t % 4 + 1;
    fine = fine && values[0].real() == 1.0f && result[0] + result[1] == 0 && by_loop<4>(3) == 6 && depth(9) == 0;
    fine = fine && sorted_middle(t) == 2;
    y[i] = fine ? 64 : 0;
}
