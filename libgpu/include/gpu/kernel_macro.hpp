// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

#include <gpu/raw_kernel.hpp>

/// @cond internal
namespace gpu::detail {

GPU_API Source kernel_in_macro(std::string_view name, std::string_view parameters, std::string_view body,
                               const char* file, int line);

template <std::size_t N>
Source kernel_in_macro(const char* name, const char* parameters, const char* file, int line, const char (&body)[N]) {
    return kernel_in_macro(name, parameters, std::string_view(body, N - 1), file, line);
}

}  // namespace gpu::detail
/// @endcond

/// A raw kernel whose body stands in the C++ file: parameters are written once, errors name the file and the line.
///
/// `GPU_KERNEL(copy, (const float* x, float* y, int n), R"( ... )");` declares `copy`, a gpu::RawKernel of that
/// signature, in a namespace or in a function. The parameters' types must exist in C++ and in kernels alike. `R"(`
/// stands on the macro's first line at best: g++ knows no other, so for others libgpu looks into the file.
/// @snippet public/raw_kernel_test.cpp macro
#define GPU_KERNEL(name, parameters, body)                                \
    [[maybe_unused]] static const ::gpu::RawKernel<void parameters> name( \
        ::gpu::detail::kernel_in_macro(#name, #parameters, __FILE__, __LINE__, body), #name)
