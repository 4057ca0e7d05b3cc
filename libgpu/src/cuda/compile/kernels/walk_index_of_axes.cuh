// SPDX-License-Identifier: MIT
struct _Place {
    long long at[_axes];
    __device__ long long operator[](int k) const { return at[k]; }
};
struct _Index {
    long long n;
    _Place place;
    __device__ long long size() const { return n; }
    __device__ const _Place& get() const { return place; }
};

