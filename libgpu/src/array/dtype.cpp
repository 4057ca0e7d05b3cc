// SPDX-License-Identifier: MIT
#include <gpu/dtype.hpp>

namespace gpu {

namespace {

struct Facts {
    std::string_view name, kernel_name;
    std::size_t size;
};

constexpr Facts of(DType type) {
    switch (type) {
        case DType::boolean: return {"bool", "bool", 1};
        case DType::int8: return {"int8", "signed char", 1};
        case DType::int16: return {"int16", "short", 2};
        case DType::int32: return {"int32", "int", 4};
        case DType::int64: return {"int64", "long long", 8};
        case DType::uint8: return {"uint8", "unsigned char", 1};
        case DType::uint16: return {"uint16", "unsigned short", 2};
        case DType::uint32: return {"uint32", "unsigned int", 4};
        case DType::uint64: return {"uint64", "unsigned long long", 8};
        case DType::float16: return {"float16", "half", 2};
        case DType::bfloat16: return {"bfloat16", "__nv_bfloat16", 2};
        case DType::float32: return {"float32", "float", 4};
        case DType::float64: return {"float64", "double", 8};
        case DType::complex64: return {"complex64", "complex<float>", 8};
        case DType::complex128: return {"complex128", "complex<double>", 16};
    }
    return {"", "", 0};
}

}  // namespace

std::string_view name(DType type) noexcept { return of(type).name; }
std::string_view kernel_name(DType type) noexcept { return of(type).kernel_name; }
std::size_t size_of(DType type) noexcept { return of(type).size; }

DType promote(DType a, DType b) noexcept { return detail::promote_types(a, b); }

}  // namespace gpu
