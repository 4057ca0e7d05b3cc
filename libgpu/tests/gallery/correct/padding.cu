// SPDX-License-Identifier: MIT
// Structures with padding are copied whole; nobody has ever written the bytes between their members.
//
// array: int keys[100] = ramp
// array: long long records[300] = uninitialized, scratch
// array: int out[100] = uninitialized
// launch: pack<<<2, 64>>>(keys, records, 100)
// launch: unpack<<<2, 64>>>(records, out, 100)
// check: out = reverse(keys)

struct Record {
    char tag;
    int key;
    double weight;
};

__global__ void pack(const int* keys, long long* records, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Record* r = (Record*)records + i;
    r->tag = 'x';
    r->key = keys[i];
    r->weight = i;
}

__global__ void unpack(const long long* records, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Record copy = ((const Record*)records)[n - 1 - i];
    out[i] = copy.key;
}
