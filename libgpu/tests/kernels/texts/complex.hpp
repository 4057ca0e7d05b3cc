// SPDX-License-Identifier: MIT
#pragma once

namespace texts {

/// The kit's complex numbers: no header, on both backends.
inline constexpr const char* complex = R"(
template <class T> __device__ void all_of(const T* in, T* out, int i) {
    complex<T> a(in[i * 4], in[i * 4 + 1]), b(in[i * 4 + 2], in[i * 4 + 3]);
    complex<T>* mine = reinterpret_cast<complex<T>*>(out) + i * 40;
    int k = 0;
    mine[k++] = a + b; mine[k++] = a - b; mine[k++] = a * b; mine[k++] = a / b;
    mine[k++] = a + T(2); mine[k++] = a - T(2); mine[k++] = a * T(2); mine[k++] = a / T(2);
    mine[k++] = T(2) + a; mine[k++] = T(2) - a; mine[k++] = 2 * a; mine[k++] = 2 / a;
    mine[k++] = -a; mine[k++] = +a; mine[k++] = conj(a); mine[k++] = polar(abs(a), arg(a));
    mine[k++] = complex<T>(abs(a), arg(a)); mine[k++] = complex<T>(norm(a), real(a) + imag(b));
    mine[k++] = exp(a); mine[k++] = log(a); mine[k++] = sqrt(a); mine[k++] = pow(a, b);
    mine[k++] = pow(a, T(1.5)); mine[k++] = pow(T(2), a); mine[k++] = pow(a, 3); mine[k++] = pow(a, -2);
    mine[k++] = sin(a); mine[k++] = cos(a); mine[k++] = tan(a); mine[k++] = sinh(a);
    mine[k++] = cosh(a); mine[k++] = tanh(a); mine[k++] = log10(a);
    complex<T> c = a;
    c += b; c *= 2; c -= T(1); c /= b; c = c * c; c += 1;
    mine[k++] = c;
    mine[k++] = complex<T>((a == a) + 2 * (a != b), (b == T(0)) + 2 * (complex<T>(3) == 3) + 4 * (T(3) != complex<T>(3, 1)));
    c = T(5);
    c.imag(T(2));
    mine[k++] = c;
    mine[k++] = complex<double>(a) * complex<float>(1, 1);
    mine[k++] = a.real() * b.imag();
}
__global__ void of_float(const float* in, float* out, int n) { if (threadIdx.x < n) all_of(in, out, threadIdx.x); }
__global__ void of_double(const double* in, double* out, int n) { if (threadIdx.x < n) all_of(in, out, threadIdx.x); }
// A Mandelbrot set: how such numbers are used.
__global__ void mandelbrot(int* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    complex<float> c(-2.0f + 3.0f * x / width, -1.5f + 3.0f * y / height), z = 0.0f;
    int k = 0;
    while (k < 50 && norm(z) < 4.0f) { z = z * z + c; ++k; }
    out[y * width + x] = k;
}
__global__ void in_shared(float* out) {
    __shared__ complex<float> s[32];
    s[threadIdx.x] = complex<float>(threadIdx.x, 1);
    __syncthreads();
    complex<double> sum = s[31 - threadIdx.x];
    sum = sum * 0.5 + s[0];
    out[threadIdx.x] = (float)(sum.real() + sum.imag()) + sizeof(complex<float>) + alignof(complex<double>);
}
)";

}  // namespace texts
