// SPDX-License-Identifier: MIT
#include <gpu/dtype.hpp>

#include <algorithm>
#include <array>

namespace gpu {

using detail::dtype_count;

namespace {

struct Facts {
    std::string_view name, kernel_name;
    std::size_t size;
};

constexpr std::array<Facts, dtype_count> facts{{{"bool", "bool", 1},
                                       {"int8", "signed char", 1},
                                       {"int16", "short", 2},
                                       {"int32", "int", 4},
                                       {"int64", "long long", 8},
                                       {"uint8", "unsigned char", 1},
                                       {"uint16", "unsigned short", 2},
                                       {"uint32", "unsigned int", 4},
                                       {"uint64", "unsigned long long", 8},
                                       {"float16", "half", 2},
                                       {"float32", "float", 4},
                                       {"float64", "double", 8},
                                       {"complex64", "complex<float>", 8},
                                       {"complex128", "complex<double>", 16}}};

const Facts& of(DType type) { return facts[static_cast<std::size_t>(type)]; }

}  // namespace

std::string_view name(DType type) noexcept { return of(type).name; }
std::string_view kernel_name(DType type) noexcept { return of(type).kernel_name; }
std::size_t size_of(DType type) noexcept { return of(type).size; }

DType promote(DType a, DType b) noexcept { return detail::promote_types(a, b); }

}  // namespace gpu
