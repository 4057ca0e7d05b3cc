// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

// BLAS and LAPACK under Fortran's names. All are in libopenblas: neither LAPACKE nor a header of theirs is needed.
namespace gpu::host_linalg::lapack {

using Int = std::int32_t;    // Fortran's integers in Debian's libraries
using Length = std::size_t;  // of an argument of characters; gfortran expects these behind all others

template <class T>
struct RealOfType {
    using Type = T;
};
template <class T>
struct RealOfType<std::complex<T>> {
    using Type = T;
};
template <class T>
using RealOf = typename RealOfType<T>::Type;
template <class T>
inline constexpr bool is_complex = !std::is_same_v<T, RealOf<T>>;

/// OpenBLAS's gemv, which LAPACK calls everywhere, may read one number beyond the end of x; if x is a row of a matrix,
/// that lies a column further. Arrays of libgpu end at a page that nobody may read. That of complex numbers does it on
/// every x86-64; that of real ones where OpenBLAS doesn't know the processor and takes it for a Prescott (0.3.21).
template <class T>
inline constexpr bool reads_beyond = true;

/// True if Fortran's integers can hold it.
constexpr bool fits(std::int64_t value) { return value <= std::numeric_limits<Int>::max(); }

/// The routines of one element type.
template <class T>
struct Routines;

// P is the type's letter; OR, SY name what is orthogonal and symmetric, in complex numbers unitary and Hermitian.
#define GPU_LAPACK_SHARED(P, T, ORGQR)                                                                                 \
    extern "C" {                                                                                                       \
    void P##gemm_(const char* turn_a, const char* turn_b, const Int* m, const Int* n, const Int* k, const T* alpha,    \
                  const T* a, const Int* lda, const T* b, const Int* ldb, const T* beta, T* c, const Int* ldc, Length, \
                  Length);                                                                                             \
    void P##gemv_(const char* turn_a, const Int* m, const Int* n, const T* alpha, const T* a, const Int* lda,          \
                  const T* x, const Int* step_x, const T* beta, T* y, const Int* step_y, Length);                      \
    void P##potrf_(const char* triangle, const Int* n, T* a, const Int* lda, Int* info, Length);                       \
    void P##getrf_(const Int* m, const Int* n, T* a, const Int* lda, Int* pivots, Int* info);                          \
    void P##getrs_(const char* turn, const Int* n, const Int* columns, const T* a, const Int* lda, const Int* pivots,  \
                   T* b, const Int* ldb, Int* info, Length);                                                           \
    void P##geqrf_(const Int* m, const Int* n, T* a, const Int* lda, T* factors, T* work, const Int* size, Int* info); \
    void ORGQR(const Int* m, const Int* n, const Int* k, T* a, const Int* lda, const T* factors, T* work,              \
               const Int* size, Int* info);                                                                            \
    }
#define GPU_LAPACK_ROUTINES(P, T, of_q, of_eigenvalues)                                                                \
    template <>                                                                                                        \
    struct Routines<T> {                                                                                               \
        static constexpr auto gemm = P##gemm_;                                                                         \
        static constexpr auto gemv = P##gemv_;                                                                         \
        static constexpr auto potrf = P##potrf_;                                                                       \
        static constexpr auto getrf = P##getrf_;                                                                       \
        static constexpr auto getrs = P##getrs_;                                                                       \
        static constexpr auto geqrf = P##geqrf_;                                                                       \
        static constexpr auto geqp3 = P##geqp3_;                                                                       \
        static constexpr auto orgqr = of_q;                                                                            \
        static constexpr auto eigh = of_eigenvalues;                                                                   \
        static constexpr auto gesdd = P##gesdd_;                                                                       \
        static constexpr auto gesvj = P##gesvj_;                                                                       \
    };
#define GPU_LAPACK_REAL(P, T)                                                                                          \
    GPU_LAPACK_SHARED(P, T, P##orgqr_)                                                                                 \
    extern "C" {                                                                                                       \
    void P##geqp3_(const Int* m, const Int* n, T* a, const Int* lda, Int* order, T* factors, T* work, const Int* size, \
                   Int* info);                                                                                         \
    void P##syevd_(const char* vectors, const char* triangle, const Int* n, T* a, const Int* lda, T* values, T* work,  \
                   const Int* size, Int* whole_work, const Int* whole_size, Int* info, Length, Length);                \
    void P##gesdd_(const char* vectors, const Int* m, const Int* n, T* a, const Int* lda, T* s, T* u, const Int* ldu,  \
                   T* vh, const Int* ldvh, T* work, const Int* size, Int* whole_work, Int* info, Length);              \
    void P##gesvj_(const char* kind, const char* u, const char* v, const Int* m, const Int* n, T* a, const Int* lda,   \
                   T* s, const Int* rows, T* v_data, const Int* ldv, T* work, const Int* size, Int* info, Length,      \
                   Length, Length);                                                                                    \
    }                                                                                                                  \
    GPU_LAPACK_ROUTINES(P, T, P##orgqr_, P##syevd_)
#define GPU_LAPACK_COMPLEX(P, T)                                                                                       \
    GPU_LAPACK_SHARED(P, T, P##ungqr_)                                                                                 \
    extern "C" {                                                                                                       \
    void P##geqp3_(const Int* m, const Int* n, T* a, const Int* lda, Int* order, T* factors, T* work, const Int* size, \
                   RealOf<T>* real_work, Int* info);                                                                   \
    void P##heevd_(const char* vectors, const char* triangle, const Int* n, T* a, const Int* lda, RealOf<T>* values,   \
                   T* work, const Int* size, RealOf<T>* real_work, const Int* real_size, Int* whole_work,              \
                   const Int* whole_size, Int* info, Length, Length);                                                  \
    void P##gesdd_(const char* vectors, const Int* m, const Int* n, T* a, const Int* lda, RealOf<T>* s, T* u,          \
                   const Int* ldu, T* vh, const Int* ldvh, T* work, const Int* size, RealOf<T>* real_work,             \
                   Int* whole_work, Int* info, Length);                                                                \
    void P##gesvj_(const char* kind, const char* u, const char* v, const Int* m, const Int* n, T* a, const Int* lda,   \
                   RealOf<T>* s, const Int* rows, T* v_data, const Int* ldv, T* work, const Int* size,                 \
                   RealOf<T>* real_work, const Int* real_size, Int* info, Length, Length, Length);                     \
    }                                                                                                                  \
    GPU_LAPACK_ROUTINES(P, T, P##ungqr_, P##heevd_)

GPU_LAPACK_REAL(s, float)
GPU_LAPACK_REAL(d, double)
GPU_LAPACK_COMPLEX(c, std::complex<float>)
GPU_LAPACK_COMPLEX(z, std::complex<double>)

#undef GPU_LAPACK_SHARED
#undef GPU_LAPACK_ROUTINES
#undef GPU_LAPACK_REAL
#undef GPU_LAPACK_COMPLEX

}  // namespace gpu::host_linalg::lapack
