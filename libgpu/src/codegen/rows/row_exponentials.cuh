// SPDX-License-Identifier: MIT
// The largest element, and the sum of exp(x - largest) so far.
__device__ inline gpu_exponentials gpu_joined(gpu_exponentials a, gpu_exponentials b) {
    const bool has_most = a.most >= b.most;
    const gpu_exponentials most = has_most ? a : b, other = has_most ? b : a;
    const T scale = a.most == b.most ? (T)1 : (T)exp(other.most - most.most);
    return gpu_exponentials{gpu_maximum(a.most, b.most), most.sum + other.sum * scale};
}
// Next to a largest element that isn't finite, exp(x - x) is NaN.
__device__ inline T gpu_sum(gpu_exponentials a) {
    const T zero = a.most - a.most;
    return zero == 0 ? a.sum : zero;
}
