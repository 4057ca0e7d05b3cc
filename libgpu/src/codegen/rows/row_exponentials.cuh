// SPDX-License-Identifier: MIT
// The largest element, and the sum of exp(x - largest) so far.
__device__ inline gpu_exponentials gpu_joined(gpu_exponentials a, gpu_exponentials b) {
    const bool is_a = a.max_x >= b.max_x;
    const gpu_exponentials larger = is_a ? a : b, other = is_a ? b : a;
    const T scale = a.max_x == b.max_x ? (T)1 : (T)exp(other.max_x - larger.max_x);
    return gpu_exponentials{gpu_maximum(a.max_x, b.max_x), larger.sum + other.sum * scale};
}
// Next to a largest element that isn't finite, exp(x - x) is NaN.
__device__ inline T gpu_sum(gpu_exponentials a) {
    const T zero = a.max_x - a.max_x;
    return zero == 0 ? a.sum : zero;
}
