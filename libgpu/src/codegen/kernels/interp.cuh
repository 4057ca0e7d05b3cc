// SPDX-License-Identifier: MIT
// NumPy's formula, operation by operation. Where infinities make it NaN, it is tried from the other point, as there.

extern "C" __global__ void interp(const T* x, const T* places, const T* values, T* out, long long count, long long n,
                                  double left, double right, int has_left, int has_right) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const T at = x[i];
    if (at != at) {
        out[i] = at;
    } else if (at < places[0]) {
        out[i] = has_left ? (T)left : values[0];
    } else if (at > places[count - 1]) {
        out[i] = has_right ? (T)right : values[count - 1];
    } else {
        const long long k = count_up_to(places, count, at) - 1;
        if (k < 0 || k == count - 1 || places[k] == at) {
            out[i] = values[k < 0 ? 0 : k];
            return;
        }
        const T slope = (values[k + 1] - values[k]) / (places[k + 1] - places[k]);
        T value = slope * (at - places[k]) + values[k];
        if (value != value) {
            value = slope * (at - places[k + 1]) + values[k + 1];
            if (value != value && values[k] == values[k + 1]) value = values[k];
        }
        out[i] = value;
    }
}
