// SPDX-License-Identifier: MIT
#include "cuda/linear_algebra/matrix_kernels.hpp"

#include <algorithm>
#include <string>

#include <embedded/matrix_kernels.hpp>
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
    backend_.launch(place.device, *kernel, {.over = shape, .values = {arguments, static_cast<std::size_t>(count)}},
                    place.stream);
}

namespace {

RawText text_of(const std::string& name, const std::string& head, const char* body) {
    return {.name = name, .source = {head + body, "libgpu " + name, 1}, .signature = {}, .options = {}};
}

// An unsigned type of this size; 16 bytes are only moved, never computed with.
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
    return text_of("integer_product", element_type(bytes) + sum, text::integer_product);
}

RawText adjoint_text(DType dtype) {
    const std::string real = real_dtype(dtype) == DType::float64 ? "double" : "float";
    const std::string head =
        is_complex(dtype)
            ? "struct Element { " + real + " re, im; }; " +
                  "__device__ inline Element conjugate(Element z) { z.im = -z.im; return z; }"
            : "typedef " + real + " Element; __device__ inline Element conjugate(Element x) { return x; }";
    return text_of("adjoint", head, text::adjoint);
}

RawText addresses_text() { return text_of("addresses", "", text::addresses); }

RawText pivots_text() { return text_of("converted", "typedef long long From; typedef int To;", text::converted); }

RawText row_order_text() { return text_of("row_order", "", text::row_order); }

RawText rows_in_order_text(std::size_t bytes) {
    return text_of("rows_in_order", element_type(bytes), text::rows_in_order);
}

RawText reals_text(bool widen) {
    return text_of("converted",
                   widen ? "typedef float From; typedef double To;" : "typedef double From; typedef float To;",
                   text::converted);
}

RawText first_columns_text(std::size_t bytes) {
    return text_of("first_columns", element_type(bytes), text::first_columns);
}

}  // namespace gpu::detail::cuda
