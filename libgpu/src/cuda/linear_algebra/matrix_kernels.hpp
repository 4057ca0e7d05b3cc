// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <gpu/dtype.hpp>

#include "backend/backend.hpp"
#include "codegen/kernel_text.hpp"

namespace gpu::detail::cuda {

// libgpu's own kernels beside cuBLAS and cuSOLVER. All use one-dimensional blocks of 256 threads and one-dimensional
// grids of any size; elements that are only moved are identified by their size.

inline constexpr std::int64_t matrix_block = 256;
/// Rows and columns of a product that a block computes at a time.
inline constexpr std::int64_t product_tile = 64;

/// The strides of an array of matrices, in elements, as the text declares them.
struct MatrixSteps {
    std::int64_t row = 0, column = 0, batch = 0;
};

/// The last argument of the product's text.
struct ProductShape {
    std::int64_t rows = 0, columns = 0, inner = 0, batch = 0;
};

/// (const E* left, Steps, const E* right, Steps, E* result, Steps, Shape): products of integers of this size, which
/// wrap around; signed and unsigned ones have the same bits.
[[nodiscard]] RawText integer_product_text(std::size_t bytes);

/// (const E* from, E* to, long long n, long long count): conjugate transposes of n x n matrices, `count` elements.
[[nodiscard]] RawText adjoint_text(DType dtype);

/// (char* first, char** table, long long step, long long count): addresses `step` bytes apart.
[[nodiscard]] RawText addresses_text();

/// (const long long* from, int* to, long long count): pivots of 64 bits as those of 32.
[[nodiscard]] RawText pivots_text();

/// (const int* pivots, int* order, long long n, long long count): the order of n rows after pivoting, for each item.
[[nodiscard]] RawText row_order_text();

/// (const E* from, E* to, const int* order, long long n, long long columns, long long count): columns of n elements,
/// their rows in this order.
[[nodiscard]] RawText rows_in_order_text(std::size_t bytes);

/// (const From* from, To* to, long long count): float to double or, without `widen`, double rounded to float.
[[nodiscard]] RawText reals_text(bool widen);

/// (const E* from, E* to, long long kept, long long whole, long long count): the first `kept` of every `whole`
/// elements.
[[nodiscard]] RawText first_columns_text(std::size_t bytes);

/// Compiles these kernels when a device first needs them, and launches them. Thread-safe.
class MatrixKernels {
public:
    explicit MatrixKernels(Backend& backend) : backend_(backend) {}

    struct Place {
        int device = 0;
        void* stream = nullptr;
    };

    /// Launches one thread for each of `count` items. `key` identifies the text.
    template <class... A>
    void launch(const Place& place, const std::string& key, const std::function<RawText()>& text, std::int64_t count,
                const A&... arguments) {
        launch_blocks(place, key, text, (count + matrix_block - 1) / matrix_block, arguments...);
    }

    /// Launches this many blocks, or as many as a grid can have.
    template <class... A>
    void launch_blocks(const Place& place, const std::string& key, const std::function<RawText()>& text,
                       std::int64_t blocks, const A&... arguments) {
        void* const pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
        start(place, key, text, blocks, pointers, static_cast<int>(sizeof...(A)));
    }

private:
    void start(const Place& place, const std::string& key, const std::function<RawText()>& text, std::int64_t blocks,
               void* const* arguments, int count);

    Backend& backend_;
    std::mutex mutex_;
    std::map<std::pair<int, std::string>, std::shared_ptr<LoadedKernel>> loaded_;
};

}  // namespace gpu::detail::cuda
