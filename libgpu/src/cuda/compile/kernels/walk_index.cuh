// SPDX-License-Identifier: MIT
struct _Index {
    long long n;
    __device__ long long size() const { return n; }
};

