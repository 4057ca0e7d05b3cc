// SPDX-License-Identifier: MIT
// Eigenvalues and singular values.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "host_linalg/functions.hpp"
#include "host_linalg/lapack/fortran.hpp"
#include "host_linalg/lapack/memory.hpp"

namespace gpu::host_linalg {

namespace {

using namespace lapack;

// Divide and conquer by gesdd. `u` and `vh` are only looked at if `vectors` isn't 'N'.
template <class T>
Info divide_and_conquer(char vectors, Int m, Int n, T* a, RealOf<T>* s, T* u, T* vh) {
    const Room<Int> whole(8 * static_cast<std::int64_t>(n));
    T answer;
    Int info = 0;
    if constexpr (is_complex<T>) {
        const std::int64_t rows = m, columns = n;
        const std::int64_t of_vectors =
            std::max(5 * columns * columns + 5 * columns, 2 * rows * columns + 2 * columns * columns + columns);
        const Room<RealOf<T>> real(vectors == 'N' ? 7 * columns : of_vectors);
        Routines<T>::gesdd(&vectors, &m, &n, a, &m, s, u, &m, vh, &n, &answer, &ask, real.data(), whole.data(), &info,
                           1);
        if (info != 0) return info;
        const Room<T> work(wanted(answer), m);
        Routines<T>::gesdd(&vectors, &m, &n, a, &m, s, u, &m, vh, &n, work.data(), work.size(), real.data(),
                           whole.data(), &info, 1);
    } else {
        Routines<T>::gesdd(&vectors, &m, &n, a, &m, s, u, &m, vh, &n, &answer, &ask, whole.data(), &info, 1);
        if (info != 0) return info;
        const Room<T> work(wanted(answer), m);
        Routines<T>::gesdd(&vectors, &m, &n, a, &m, s, u, &m, vh, &n, work.data(), work.size(), whole.data(), &info, 1);
    }
    return info;
}

// gesvj takes values near the smallest number for 0: the exponent to multiply by before it, and to take away after.
template <class T>
int exponent_of_scale(std::int64_t count, const T* a) {
    RealOf<T> largest = 0;
    for (std::int64_t k = 0; k < count; ++k) {
        largest = std::max({largest, std::abs(std::real(a[k])), std::abs(std::imag(a[k]))});
    }
    const bool is_small = largest > 0 && largest < std::sqrt(std::numeric_limits<RealOf<T>>::min());
    return is_small ? -std::ilogb(largest) : 0;
}

template <class T>
T scaled(const T& value, int exponent) {
    if constexpr (is_complex<T>)
        return {std::scalbn(value.real(), exponent), std::scalbn(value.imag(), exponent)};
    else
        return std::scalbn(value, exponent);
}

// A P = Q R: R and Q's reflections replace `a`, `order` becomes P's columns, from 1. The columns' rests fall in length.
template <class T>
Info qr_by_descending_norm(Int m, Int n, T* a, Int* order, T* reflections) {
    std::fill_n(order, n, 0);
    T answer;
    Int info = 0;
    if constexpr (is_complex<T>) {
        const Room<RealOf<T>> real(2 * static_cast<std::int64_t>(n));
        Routines<T>::geqp3(&m, &n, a, &m, order, reflections, &answer, &ask, real.data(), &info);
        const Room<T> work(wanted(answer), m);
        Routines<T>::geqp3(&m, &n, a, &m, order, reflections, work.data(), work.size(), real.data(), &info);
    } else {
        Routines<T>::geqp3(&m, &n, a, &m, order, reflections, &answer, &ask, &info);
        const Room<T> work(wanted(answer), m);
        Routines<T>::geqp3(&m, &n, a, &m, order, reflections, work.data(), work.size(), &info);
    }
    return info;
}

template <class T>
T adjoint(const T& value) {
    if constexpr (is_complex<T>)
        return std::conj(value);
    else
        return value;
}

// One-sided Jacobi of an n x n lower triangle by gesvj: U replaces `a`, v becomes V. Returns in `rank` how many of U's
// columns there are; those of values that are 0 or subnormal are missing.
template <class T>
Info one_sided(bool vectors, Int n, T* a, RealOf<T>* s, T* v, std::int64_t& rank) {
    const char *const u_wanted = vectors ? "U" : "N", *const v_wanted = vectors ? "V" : "N";
    const std::int64_t size = std::max<std::int64_t>(6, 2 * static_cast<std::int64_t>(n));
    const Room<RealOf<T>> real(size);
    const Int none = 0;
    Int info = 0;
    if constexpr (is_complex<T>) {
        const Room<T> work(size, n);
        Routines<T>::gesvj("L", u_wanted, v_wanted, &n, &n, a, &n, s, &none, v, &n, work.data(), work.size(),
                           real.data(), real.size(), &info, 1, 1, 1);
    } else {
        Routines<T>::gesvj("L", u_wanted, v_wanted, &n, &n, a, &n, s, &none, v, &n, real.data(), real.size(), &info, 1,
                           1, 1);
    }
    if (info != 0) return info;
    for (Int k = 0; k < n; ++k) s[k] *= real[0];  // the values are scaled so that none overflows
    for (rank = 0; rank < n && s[rank] >= std::numeric_limits<RealOf<T>>::min();) ++rank;
    return 0;
}

// Completes the first `rank` columns of u, n x n, to an orthonormal basis: in u = Q R they are Q's but for factors of
// length 1, and the missing ones are Q's others.
template <class T>
Info complete(std::int64_t n, std::int64_t rank, T* u) {
    if (rank == n) return 0;
    const std::int64_t known = std::max<std::int64_t>(rank, 1);
    const Room<T> factored(n * known, n), q(n * n, n);
    if (rank == 0) std::fill_n(u, n, T(0));
    std::copy_n(u, n * known, factored.data());
    const Info info = qr<T>(n, known, factored.data(), n, q.data());
    std::copy_n(q.data() + n * rank, n * (n - rank), u + n * rank);
    return info;
}

}  // namespace

template <class T>
Info eigh(std::int64_t n, void* data, void* values_data, bool vectors) {
    // The work space for vectors, counted in Fortran's integers.
    if (!fits(n) || !fits(vectors ? 2 * n * n + 6 * n + 1 : n)) return -3;
    const char *const wanted_parts = vectors ? "V" : "N", *const triangle = "L";
    const Int size = static_cast<Int>(n);
    const Lent<T> lent(data, n, n, Use::change);
    T* const a = lent.data();
    RealOf<T>* const values = static_cast<RealOf<T>*>(values_data);
    T answer;
    Int whole_answer = 0, info = 0;
    if constexpr (is_complex<T>) {
        RealOf<T> real_answer;
        Routines<T>::eigh(wanted_parts, triangle, &size, a, &size, values, &answer, &ask, &real_answer, &ask,
                          &whole_answer, &ask, &info, 1, 1);
        if (info != 0) return info;
        const Room<T> work(wanted(answer), n);
        const Room<RealOf<T>> real(wanted(real_answer));
        const Room<Int> whole(whole_answer);
        Routines<T>::eigh(wanted_parts, triangle, &size, a, &size, values, work.data(), work.size(), real.data(),
                          real.size(), whole.data(), whole.size(), &info, 1, 1);
    } else {
        Routines<T>::eigh(wanted_parts, triangle, &size, a, &size, values, &answer, &ask, &whole_answer, &ask, &info, 1,
                          1);
        if (info != 0) return info;
        const Room<T> work(wanted(answer), n);
        const Room<Int> whole(whole_answer);
        Routines<T>::eigh(wanted_parts, triangle, &size, a, &size, values, work.data(), work.size(), whole.data(),
                          whole.size(), &info, 1, 1);
    }
    return info;
}

template <class T>
Info svd(std::int64_t m, std::int64_t n, void* data, std::int64_t u_columns, void* u, void* s, void* vh) {
    if (!fits(m)) return -2;
    if (!fits(4 * n * n + 130 * (m + n))) return -3;  // the work space
    const char vectors = u == nullptr ? 'N' : u_columns == n ? 'S' : 'A';
    const Room<T> copy(m * n, m);
    std::copy_n(static_cast<const T*>(data), m * n, copy.data());
    const Lent<T> lent_u(u, m, u_columns, Use::write), lent_vh(vh, n, n, Use::write);
    const Info info = divide_and_conquer<T>(vectors, static_cast<Int>(m), static_cast<Int>(n), copy.data(),
                                            static_cast<RealOf<T>*>(s), lent_u.data(), lent_vh.data());
    return info > 0 ? svd_jacobi<T>(m, n, data, u_columns, lent_u.data(), s, lent_vh.data()) : info;
}

// One-sided Jacobi converges fast, and for any rank, after a QR factorisation with pivots: A P = Q R and
// R^H = X diag(s) W^H, so A = (Q W) diag(s) (P X)^H.
template <class T>
Info svd_jacobi(std::int64_t m, std::int64_t n, void* data, std::int64_t u_columns, void* u_data, void* s_data,
                void* vh_data) {
    if (!fits(m)) return -2;
    if (!fits(2 * n)) return -3;
    const bool vectors = u_data != nullptr;
    const Int rows = static_cast<Int>(m), columns = static_cast<Int>(n), u_wide = static_cast<Int>(u_columns);
    const Lent<T> lent(data, m, n, Use::change), lent_u(u_data, m, u_columns, Use::write);
    T *const a = lent.data(), *const u = lent_u.data(), *const vh = static_cast<T*>(vh_data);
    RealOf<T>* const s = static_cast<RealOf<T>*>(s_data);
    const int exponent = exponent_of_scale(m * n, a);
    if (exponent != 0) std::transform(a, a + m * n, a, [&](const T& x) { return scaled(x, exponent); });
    const Room<Int> order(n);
    const Room<T> reflections(n), x(n * n, n), w(vectors ? n * n : 1, n);
    if (const Info info = qr_by_descending_norm(rows, columns, a, order.data(), reflections.data()); info != 0)
        return info;
    for (std::int64_t column = 0; column < n; ++column) {
        for (std::int64_t row = 0; row < n; ++row)
            x[row + column * n] = row < column ? T(0) : adjoint(a[column + row * m]);
    }
    std::int64_t rank = 0;
    if (const Info info = one_sided(vectors, columns, x.data(), s, w.data(), rank); info != 0) return info;
    if (exponent != 0) std::transform(s, s + n, s, [&](RealOf<T> value) { return scaled(value, -exponent); });
    if (!vectors) return 0;
    if (const Info info = complete(n, rank, x.data()); info != 0) return info;
    for (std::int64_t column = 0; column < n; ++column) {
        T* const to = vh + (order[column] - 1) * n;
        for (std::int64_t row = 0; row < n; ++row) to[row] = adjoint(x[column + row * n]);
    }
    std::copy_n(a, m * n, u);
    T answer;
    Int info = 0;
    Routines<T>::orgqr(&rows, &u_wide, &columns, u, &rows, reflections.data(), &answer, &ask, &info);
    const Room<T> work(wanted(answer), m);
    Routines<T>::orgqr(&rows, &u_wide, &columns, u, &rows, reflections.data(), work.data(), work.size(), &info);
    if (info != 0) return info;
    std::copy_n(u, m * n, a);
    const auto dense = [](T* values, std::int64_t height, std::int64_t width) {
        return Matrix{values, height, width, 1, height};
    };
    matmul<T>(dense(a, m, n), dense(w.data(), n, n), dense(u, m, n));
    return 0;
}

#define GPU_LINALG_SPECTRA(T)                                                                   \
    template Info eigh<T>(std::int64_t, void*, void*, bool);                                    \
    template Info svd<T>(std::int64_t, std::int64_t, void*, std::int64_t, void*, void*, void*); \
    template Info svd_jacobi<T>(std::int64_t, std::int64_t, void*, std::int64_t, void*, void*, void*);
GPU_LINALG_SPECTRA(float)
GPU_LINALG_SPECTRA(double)
GPU_LINALG_SPECTRA(std::complex<float>)
GPU_LINALG_SPECTRA(std::complex<double>)

}  // namespace gpu::host_linalg
