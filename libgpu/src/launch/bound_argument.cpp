// SPDX-License-Identifier: MIT
#include "launch/bound_argument.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include <gpu/error.hpp>

namespace gpu::detail {

namespace {

template <class T>
void store_as(const Node& number, unsigned char* to) {
    T value;
    if constexpr (is_complex(dtype_of<T>)) {
        using Part = typename T::value_type;
        value = T(static_cast<Part>(number.number), static_cast<Part>(number.imag));
    } else if constexpr (is_floating(dtype_of<T>)) {
        value = static_cast<T>(number.number);
    } else if (is_floating(number.dtype)) {
        value = static_cast<T>(saturated(dtype_of<T>, number.number));
    } else {
        value = static_cast<T>(number.integer);
    }
    std::memcpy(to, &value, sizeof value);
}

// The number in the parameter's type: what the kernel's by-value parameter expects.
void store_number(const Node& number, DType as, unsigned char* to) {
    if (is_complex(number.dtype) && !is_complex(as)) {
        throw DTypeError("a complex number is passed where a kernel takes " + std::string(name(as)));
    }
    switch (as) {
        case DType::boolean: return store_as<bool>(number, to);
        case DType::int8: return store_as<std::int8_t>(number, to);
        case DType::int16: return store_as<std::int16_t>(number, to);
        case DType::int32: return store_as<std::int32_t>(number, to);
        case DType::int64: return store_as<std::int64_t>(number, to);
        case DType::uint8: return store_as<std::uint8_t>(number, to);
        case DType::uint16: return store_as<std::uint16_t>(number, to);
        case DType::uint32: return store_as<std::uint32_t>(number, to);
        case DType::uint64: return store_as<std::uint64_t>(number, to);
        case DType::float16: return store_as<half>(number, to);
        case DType::float32: return store_as<float>(number, to);
        case DType::float64: return store_as<double>(number, to);
        case DType::complex64: return store_as<complex<float>>(number, to);
        case DType::complex128: return store_as<complex<double>>(number, to);
    }
}

}  // namespace

Argument argument_of(const Binding& binding, const Strides* strides) {
    Argument argument;
    argument.is_array = binding.array != nullptr;
    if (binding.array == nullptr) {
        store_number(*binding.number, binding.dtype, argument.scalar);
        return argument;
    }
    argument.array.data = data_of(*binding.array);
    argument.is_raw = binding.parameter.is_raw;
    if (argument.is_raw) strides = &binding.array->strides;
    std::copy(strides->begin(), strides->end(), argument.array.strides);
    if (argument.is_raw) {
        std::copy(binding.array->shape.begin(), binding.array->shape.end(), argument.array.lengths);
    }
    return argument;
}

}  // namespace gpu::detail
