// SPDX-License-Identifier: MIT
#include "signal/fill_value.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include <gpu/error.hpp>

#include "codegen/convolve_text.hpp"

namespace gpu::detail {

namespace {

// True if an integer of this type has this value. NaN is none.
bool is_representable(DType integer, double value) {
    const int bits = 8 * static_cast<int>(size_of(integer));
    const double low = is_unsigned(integer) ? 0 : -std::ldexp(1, bits - 1);
    const double beyond = std::ldexp(1, is_unsigned(integer) ? bits : bits - 1);
    return value == std::trunc(value) && value >= low && value < beyond;
}

std::string said(complex<double> value) {
    char text[80];
    if (value.imag() == 0)
        std::snprintf(text, sizeof text, "%.17g", value.real());
    else
        std::snprintf(text, sizeof text, "%.17g%+.17gi", value.real(), value.imag());
    return text;
}

}  // namespace

FillValue::FillValue(const signal::ConvolveOptions& options, DType element, const char* operation) {
    if (options.boundary != signal::Boundary::fill) return;
    const complex<double> value = options.fillvalue;
    const bool is_whole = is_integer(element);
    if ((!is_complex(element) && !(value.imag() == 0)) || (is_whole && !is_representable(element, value.real()))) {
        throw DTypeError(std::string(operation) + ": the fill value " + said(value) + " doesn't fit " +
                         std::string(name(element)) + ", the type of the result");
    }
    const auto keep = [this](const auto& number) { std::memcpy(bytes_, &number, sizeof number); };
    const bool is_negative = value.real() < 0;  // a whole number wraps around, as the kernel's arithmetic does
    const double size = is_negative ? -value.real() : value.real();
    const auto wrapped = [&] {
        return is_negative ? 0 - static_cast<std::uint64_t>(size) : static_cast<std::uint64_t>(size);
    };
    switch (convolve_accumulator(element)) {
        case DType::float32: keep(static_cast<float>(value.real())); break;
        case DType::float64: keep(value.real()); break;
        case DType::complex64: keep(complex<float>(value)); break;
        case DType::complex128: keep(value); break;
        case DType::uint64: keep(wrapped()); break;
        default: keep(static_cast<std::uint32_t>(wrapped())); break;
    }
}

}  // namespace gpu::detail
