// SPDX-License-Identifier: MIT
// Cholesky, LU and QR, and what LU factors solve.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

#include "host_linalg/functions.hpp"
#include "host_linalg/lapack/fortran.hpp"
#include "host_linalg/lapack/memory.hpp"

namespace gpu::host_linalg {

using namespace lapack;

namespace {

// OpenBLAS multiplies by 1 / pivot, which overflows where a pivot is subnormal. Such a matrix, as good as singular, is
// factored and solved by divisions.

template <class T>
RealOf<T> size_of(const T& value) {  // LAPACK's measure of a pivot
    return std::abs(std::real(value)) + std::abs(std::imag(value));
}

template <class T>
bool divides_safely(std::int64_t n, const T* factors) {
    for (std::int64_t k = 0; k < n; ++k) {
        const RealOf<T> pivot = size_of(factors[k + k * n]);
        if (pivot != 0 && !(pivot >= std::numeric_limits<RealOf<T>>::min())) return false;
    }
    return true;
}

// a / b, where b may be subnormal: of complex numbers, the plain formula would square it.
template <class T>
T quotient(T a, T b) {
    if constexpr (is_complex<T>) {
        const int exponent = std::ilogb(size_of(b));
        const auto scaled = [&](T x) { return T(std::scalbn(x.real(), -exponent), std::scalbn(x.imag(), -exponent)); };
        b = scaled(b);
        const T top = a * std::conj(b);
        const RealOf<T> bottom = std::norm(b);
        return scaled(T(top.real() / bottom, top.imag() / bottom));
    } else {
        return a / b;
    }
}

template <class T>
Info lu_by_divisions(std::int64_t n, T* a, Int* pivots) {
    Info info = 0;
    for (std::int64_t k = 0; k < n; ++k) {
        T* const column = a + k * n;
        std::int64_t best = k;
        for (std::int64_t row = k + 1; row < n; ++row) {
            if (size_of(column[row]) > size_of(column[best])) best = row;
        }
        pivots[k] = static_cast<Int>(best + 1);
        if (column[best] == T(0)) {
            if (info == 0) info = k + 1;
            continue;
        }
        for (std::int64_t j = 0; j < n; ++j) std::swap(a[k + j * n], a[best + j * n]);
        for (std::int64_t row = k + 1; row < n; ++row) column[row] = quotient(column[row], column[k]);
        for (std::int64_t j = k + 1; j < n; ++j) {
            const T factor = a[k + j * n];
            for (std::int64_t row = k + 1; row < n; ++row) a[row + j * n] -= column[row] * factor;
        }
    }
    return info;
}

template <class T>
void solve_by_divisions(std::int64_t n, const T* lu, const Int* pivots, std::int64_t columns, T* b) {
    for (T* x = b; x != b + columns * n; x += n) {
        for (std::int64_t k = 0; k < n; ++k) std::swap(x[k], x[pivots[k] - 1]);
        for (std::int64_t k = 0; k < n; ++k) {
            for (std::int64_t row = k + 1; row < n; ++row) x[row] -= lu[row + k * n] * x[k];
        }
        for (std::int64_t k = n - 1; k >= 0; --k) {
            x[k] = quotient(x[k], lu[k + k * n]);
            for (std::int64_t row = 0; row < k; ++row) x[row] -= lu[row + k * n] * x[k];
        }
    }
}

}  // namespace

template <class T>
Info cholesky(std::int64_t n, void* data) {
    if (!fits(n)) return -2;
    const Lent<T> lent(data, n, n, Use::change);
    T* const a = lent.data();
    const Int size = static_cast<Int>(n);
    Int info = 0;
    Routines<T>::potrf("L", &size, a, &size, &info, 1);
    if (info != 0) return info;
    for (std::int64_t k = 0; k < n; ++k) {  // OpenBLAS takes a NaN, of an overflow, for a positive pivot
        if (!(std::real(a[k + k * n]) > 0)) return k + 1;
    }
    return 0;
}

template <class T>
Info lu(std::int64_t n, void* data, std::int32_t* pivots) {
    if (!fits(n)) return -1;
    const Lent<T> lent(data, n, n, Use::change);
    T* const a = lent.data();
    const Room<T> copy(n * n);
    std::copy_n(a, n * n, copy.data());
    const Int size = static_cast<Int>(n);
    Int info = 0;
    Routines<T>::getrf(&size, &size, a, &size, pivots, &info);
    if (divides_safely(n, a)) return info;
    std::copy_n(copy.data(), n * n, a);
    return lu_by_divisions(n, a, pivots);
}

template <class T>
void lu_solve(std::int64_t n, const void* lu_data, const std::int32_t* pivots, std::int64_t columns, void* b_data) {
    const Lent<T> lent(const_cast<void*>(lu_data), n, n, Use::read), lent_b(b_data, n, columns, Use::change);
    const T* const lu = lent.data();
    T* b = lent_b.data();
    if (!divides_safely(n, lu)) return solve_by_divisions(n, lu, pivots, columns, b);
    const Int size = static_cast<Int>(n);  // which fits: lu has looked
    while (columns > 0) {
        const Int now = static_cast<Int>(std::min<std::int64_t>(columns, std::numeric_limits<Int>::max()));
        Int info = 0;
        Routines<T>::getrs("N", &size, &now, lu, &size, pivots, b, &size, &info, 1);
        b += now * n;
        columns -= now;
    }
}

template <class T>
Info qr(std::int64_t m, std::int64_t n, void* data, std::int64_t q_columns, void* q_data) {
    if (!fits(m)) return -1;
    if (!fits(n)) return -2;
    const Int rows = static_cast<Int>(m), columns = static_cast<Int>(n), wide = static_cast<Int>(q_columns);
    const Int reflections = std::min(rows, columns);
    const Lent<T> lent(data, m, n, Use::change), lent_q(q_data, m, q_columns, Use::write);
    T *const a = lent.data(), *const q = lent_q.data();
    const Room<T> factors(reflections);
    T answer;
    Int info = 0;
    Routines<T>::geqrf(&rows, &columns, a, &rows, factors.data(), &answer, &ask, &info);
    const Room<T> work(wanted(answer), std::max(m, n));
    Routines<T>::geqrf(&rows, &columns, a, &rows, factors.data(), work.data(), work.size(), &info);
    if (q == nullptr || info != 0) return info;
    std::copy_n(a, m * reflections, q);
    Routines<T>::orgqr(&rows, &wide, &reflections, q, &rows, factors.data(), &answer, &ask, &info);
    const Room<T> more(wanted(answer), std::max(m, n));
    Routines<T>::orgqr(&rows, &wide, &reflections, q, &rows, factors.data(), more.data(), more.size(), &info);
    return info;
}

#define GPU_LINALG_FACTORS(T)                                                                       \
    template Info cholesky<T>(std::int64_t, void*);                                                 \
    template Info lu<T>(std::int64_t, void*, std::int32_t*);                                        \
    template void lu_solve<T>(std::int64_t, const void*, const std::int32_t*, std::int64_t, void*); \
    template Info qr<T>(std::int64_t, std::int64_t, void*, std::int64_t, void*);
GPU_LINALG_FACTORS(float)
GPU_LINALG_FACTORS(double)
GPU_LINALG_FACTORS(std::complex<float>)
GPU_LINALG_FACTORS(std::complex<double>)

}  // namespace gpu::host_linalg
