// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/linalg.hpp"
#include "host/streams/streams.hpp"

// The interface of libgpu_host_linalg.so to the host backend: numerical code only, without libgpu's streams, arrays or
// errors. Plain functions on one matrix, so that the two need agree on nothing else.
namespace gpu::detail::host {

/// One matrix of a product. One stride is 1, the other at least the extent of the first.
struct LinalgMatrix {
    void* data;
    std::int64_t rows, columns, row_stride, column_stride;
};

/// The functions for one element type. Matrices are column-major without gaps; info codes are LAPACK's. No work is
/// queued: the calling thread does it. Integers, float16 and bfloat16 have only matmul.
struct LinalgFunctions {
    using Info = std::int64_t;

    void (*matmul)(const LinalgMatrix& left, const LinalgMatrix& right, const LinalgMatrix& result);
    Info (*cholesky)(std::int64_t n, void* a);
    Info (*lu)(std::int64_t n, void* a, std::int32_t* pivots);
    void (*lu_solve)(std::int64_t n, const void* lu, const std::int32_t* pivots, std::int64_t columns, void* b);
    Info (*qr)(std::int64_t m, std::int64_t n, void* a, std::int64_t q_columns, void* q);
    Info (*eigh)(std::int64_t n, void* a, void* values, bool vectors);
    /// u is m x u_columns and vh n x n, or both are null.
    Info (*svd)(std::int64_t m, std::int64_t n, void* a, std::int64_t u_columns, void* u, void* s, void* vh);
    Info (*svd_jacobi)(std::int64_t m, std::int64_t n, void* a, std::int64_t u_columns, void* u, void* s, void* vh);
};

/// What implements it, and all types, indexed by DType; those without matmul have no functions at all: they are
/// unsupported, or CMake's GPU_LINALG_TYPES omitted them.
struct LinalgModule {
    int version;
    /// Calls use so many threads at most, from now on; null: they never start one.
    void (*use_threads)(int count);
    /// Jacobi's method is the fastest up to so many columns.
    std::int64_t jacobi_columns;
    /// A matrix of four times as many rows as columns is decomposed faster after a QR factorisation.
    bool tall_qr;
    LinalgFunctions types[15];
};

inline constexpr int linalg_module_version = 3;
inline constexpr const char* linalg_module_entry = "gpu_host_linalg_module";
using LinalgModuleEntry = const LinalgModule* (*)();

/// Where libgpu_host_linalg.so may be: next to the file that contains libgpu, or in the folders of programs' libraries.
std::vector<std::string> linalg_module_candidates();

/// Opens the first one of this libgpu's version; it stays open, and uses as many threads as kernels do (worker_count).
/// @throws LibraryNotFound
const LinalgModule& open_linalg_module(const std::vector<std::string>& candidates);

/// Queues work in a stream.
using Submit = std::function<void(int device, void* stream, std::unique_ptr<Work> work)>;

/// While the returned object lives, this process may access arrays; null if that makes no difference.
using Open = std::function<std::shared_ptr<void>()>;

/// Linear algebra in the order of the host's streams: products are queued; the calling thread does everything else, in
/// its turn.
std::unique_ptr<LinearAlgebra> make_linear_algebra(const LinalgModule& module, Streams& streams, Submit submit,
                                                   Open open);

}  // namespace gpu::detail::host
