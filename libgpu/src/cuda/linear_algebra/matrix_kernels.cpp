// SPDX-License-Identifier: MIT
#include "cuda/linear_algebra/matrix_kernels.hpp"

#include <algorithm>
#include <string>

#include <gpu/error.hpp>

namespace gpu::detail::cuda {

void MatrixKernels::start(const Place& place, const std::string& key, const std::function<RawText()>& text,
                          std::int64_t blocks, void* const* arguments, int count) {
    if (blocks == 0) return;
    std::shared_ptr<LoadedKernel> kernel;
    {
        const std::lock_guard lock(mutex_);  // others wait for a compile: it happens once
        std::shared_ptr<LoadedKernel>& slot = loaded_[{place.device, key}];
        if (!slot) {
            const KernelSource source = backend_.generate(text());
            try {
                slot = backend_.load(place.device, backend_.compile(place.device, source), source);
            } catch (const CompileFailure& failure) {
                throw CompileError("a kernel of libgpu's own doesn't compile: " + failure.log, source.name, failure.log,
                                   source.text, failure.options_text());
            }
        }
        kernel = slot;
    }
    constexpr std::int64_t max_blocks = 0x7fffffff;
    const LaunchShape shape{.grid = {.x = static_cast<std::uint32_t>(std::min(blocks, max_blocks))},
                            .block = {.x = static_cast<std::uint32_t>(matrix_block)}};
    backend_.launch(place.device, *kernel, shape, arguments, count, place.stream);
}

namespace {

// A thread computes 4 x 4 elements that lie 16 apart, so that neighbours read and write neighbours. The two loads go
// along the axis whose stride is 1.
constexpr const char* product_body = R"(
struct Steps { long long row, column, batch; };
struct Shape { long long rows, columns, inner, batch; };
__global__ void __launch_bounds__(256) integer_product(const Element* left, Steps l, const Element* right, Steps r,
                                                       Element* result, Steps o, Shape shape) {
    const int tile = 64, depth = 16;
    __shared__ Sum a[16][65];
    __shared__ Sum b[16][65];
    const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
    const long long across = (shape.columns + tile - 1) / tile, down = (shape.rows + tile - 1) / tile;
    for (long long t = blockIdx.x; t < across * down * shape.batch; t += gridDim.x) {
        const long long item = t / (across * down);
        const long long row0 = t / across % down * tile, column0 = t % across * tile;
        const Element* const from_left = left + item * l.batch;
        const Element* const from_right = right + item * r.batch;
        Sum sum[4][4];
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) sum[i][j] = 0;
        for (long long k0 = 0; k0 < shape.inner; k0 += depth) {
            for (int e = thread; e < tile * depth; e += 256) {
                const bool down_left = l.row == 1, along_right = r.column == 1;
                const int i = down_left ? e % tile : e / depth, ki = down_left ? e / tile : e % depth;
                const int j = along_right ? e % tile : e / depth, kj = along_right ? e / tile : e % depth;
                const long long row = row0 + i, column = column0 + j;
                a[ki][i] = row < shape.rows && k0 + ki < shape.inner
                    ? (Sum)from_left[row * l.row + (k0 + ki) * l.column] : (Sum)0;
                b[kj][j] = column < shape.columns && k0 + kj < shape.inner
                    ? (Sum)from_right[(k0 + kj) * r.row + column * r.column] : (Sum)0;
            }
            __syncthreads();
            for (int k = 0; k < depth; ++k)
                for (int i = 0; i < 4; ++i)
                    for (int j = 0; j < 4; ++j) sum[i][j] += a[k][y + 16 * i] * b[k][x + 16 * j];
            __syncthreads();
        }
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                const long long row = row0 + y + 16 * i, column = column0 + x + 16 * j;
                if (row < shape.rows && column < shape.columns)
                    result[item * o.batch + row * o.row + column * o.column] = (Element)sum[i][j];
            }
    }
}
)";

constexpr const char* adjoint_body = R"(
__global__ void adjoint(const Element* from, Element* to, long long n, long long count) {
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        const long long item = i / (n * n), at = i - item * n * n;
        const Element value = from[item * n * n + at % n * n + at / n];
        to[i] = conjugate(value);
    }
}
)";

constexpr const char* addresses_body = R"(
__global__ void addresses(char* first, char** table, long long step, long long count) {
    const long long width = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += width)
        table[i] = first + i * step;
}
)";

constexpr const char* converted_body = R"(
__global__ void converted(const From* from, To* to, long long count) {
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) to[i] = (To)from[i];
}
)";

constexpr const char* first_columns_body = R"(
__global__ void first_columns(const Element* from, Element* to, long long kept, long long whole, long long count) {
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        to[i] = from[i / kept * whole + i % kept];
}
)";

RawText text_of(const std::string& name, const std::string& head, const char* body) {
    return {.name = name, .source = {head + body, "libgpu " + name, 1}, .signature = {}, .options = {}};
}

// An unsigned type of so many bytes; 16 bytes are moved, not computed with.
std::string element_type(std::size_t bytes) {
    switch (bytes) {
        case 1: return "typedef unsigned char Element;";
        case 2: return "typedef unsigned short Element;";
        case 4: return "typedef unsigned int Element;";
        case 8: return "typedef unsigned long long Element;";
        default: return "struct Element { unsigned long long low, high; };";
    }
}

}  // namespace

RawText integer_product_text(std::size_t bytes) {
    const std::string sum = bytes == 8 ? " typedef unsigned long long Sum;" : " typedef unsigned int Sum;";
    return text_of("integer_product", element_type(bytes) + sum, product_body);
}

RawText adjoint_text(DType dtype) {
    const std::string real = real_dtype(dtype) == DType::float64 ? "double" : "float";
    const std::string head =
        is_complex(dtype)
            ? "struct Element { " + real + " re, im; }; " +
                  "__device__ inline Element conjugate(Element z) { z.im = -z.im; return z; }"
            : "typedef " + real + " Element; __device__ inline Element conjugate(Element x) { return x; }";
    return text_of("adjoint", head, adjoint_body);
}

RawText addresses_text() { return text_of("addresses", "", addresses_body); }

RawText pivots_text(bool widen) {
    return text_of("converted",
                   widen ? "typedef int From; typedef long long To;" : "typedef long long From; typedef int To;",
                   converted_body);
}

RawText reals_text(bool widen) {
    return text_of("converted",
                   widen ? "typedef float From; typedef double To;" : "typedef double From; typedef float To;",
                   converted_body);
}

RawText first_columns_text(std::size_t bytes) {
    return text_of("first_columns", element_type(bytes), first_columns_body);
}

}  // namespace gpu::detail::cuda
