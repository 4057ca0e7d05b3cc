// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "property/trial.hpp"
#include "property/typed.hpp"

namespace property {

namespace {

using gpu::DType;

Real draw_real(const Format& f, const Values& values, Random& draw) {
    const auto sign = [&] { return !values.positive && draw.chance(50) ? -1.0L : 1.0L; };
    if (values.exact) return sign() * static_cast<Real>(draw.between(values.positive ? 1 : 0, 32)) * 0.25L;
    if (values.special && draw.chance(25)) {
        const Real list[] = {0, -0.0L, 1, f.largest, f.smallest, f.largest * f.eps, infinity, not_a_number, f.eps};
        return sign() * list[draw.below(9)];
    }
    const int way = draw.below(10);
    if (way < 3) return sign() * static_cast<Real>(draw.between(values.positive ? 1 : 0, 32)) * 0.25L;
    const Real scale = way < 8 ? 2.0L : std::ldexp(1.0L, static_cast<int>(draw.between(-12, 12)));
    return sign() * (static_cast<Real>(draw.unit()) * scale + (values.positive ? f.eps : 0));
}

Real draw_integer(const Format& f, const Values& values, Random& draw) {
    if (values.divisor) return static_cast<Real>(draw.between(1, 9));
    const Real lowest = f.is_signed && !values.positive ? -f.largest - 1 : 0;
    if (values.special && draw.chance(10)) return draw.chance(50) ? lowest : f.largest;
    const Real bound = draw.chance(70) ? 9 : std::fmin(f.largest, 1000);
    const Real low = std::fmax(lowest, f.is_signed && !values.positive ? -bound : values.positive ? 1 : 0);
    return static_cast<Real>(draw.between(static_cast<std::int64_t>(low), static_cast<std::int64_t>(bound)));
}

// Rounded to the type's precision: values are exact.
Real held(const Format& f, Real value) {
    if (f.bits == 64) return static_cast<Real>(static_cast<double>(value));
    if (f.bits == 32) return static_cast<Real>(static_cast<float>(value));
    if (!std::isfinite(value) || value == 0) return value;
    const Real unit = std::fmax(std::ldexp(f.eps, std::ilogb(value)), f.smallest);
    return std::fmin(std::fmax(std::nearbyint(value / unit) * unit, -f.largest), f.largest);
}

}  // namespace

Element draw_value(DType type, const Values& values, Random& draw) {
    const Format& f = format_of(type);
    switch (f.kind) {
        case Format::Kind::boolean: return {values.divisor || draw.chance(50) ? 1.0L : 0.0L, 0, 0};
        case Format::Kind::integer: return {draw_integer(f, values, draw), 0, 0};
        case Format::Kind::real: return {held(f, draw_real(f, values, draw)), 0, 0};
        case Format::Kind::complex: {
            Values either = values;
            either.positive = either.special = false;  // infinite parts mean too many things
            const Real re = held(f, draw_real(f, either, draw));
            return {re, held(f, draw_real(f, either, draw)), 0};
        }
    }
    return {};
}

Bytes stored(const Elements& elements) {
    return with_type(elements.dtype, [&]<class T>(Type<T>) {
        Bytes bytes(elements.values.size() * sizeof(T));
        unsigned char* to = bytes.data();
        for (const Element& element : elements.values) {
            const T value = Stored<T>::from(element);
            std::memcpy(to, &value, sizeof value);
            to += sizeof value;
        }
        return bytes;
    });
}

Elements loaded(DType dtype, const gpu::Shape& shape, const Bytes& bytes) {
    return with_type(dtype, [&]<class T>(Type<T>) {
        Elements elements{dtype, shape, {}};
        if (bytes.size() != static_cast<std::size_t>(shape.size()) * sizeof(T)) throw std::logic_error("sizes differ");
        for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
            T value;
            if constexpr (std::is_same_v<T, bool>)
                value = bytes[at] != 0;
            else
                std::memcpy(&value, bytes.data() + at, sizeof value);
            elements.values.push_back(Stored<T>::to(value));
        }
        return elements;
    });
}

std::string cpp_name(DType type) {
    const std::string name(gpu::name(type));
    if (name == "bool") return name;
    if (name == "float16") return "gpu::half";
    if (name == "bfloat16") return "gpu::bfloat16";
    if (name == "float32") return "float";
    if (name == "float64") return "double";
    if (name == "complex64") return "gpu::complex<float>";
    if (name == "complex128") return "gpu::complex<double>";
    return "std::" + name + "_t";
}

std::string literal(DType type, const Element& value) {
    const Format& f = format_of(type);
    if (f.kind == Format::Kind::boolean) return value.re != 0 ? "true" : "false";
    const auto part = [&](Real x) -> std::string {
        if (std::isnan(x)) return "NAN";
        if (std::isinf(x)) return x < 0 ? "-INFINITY" : "INFINITY";
        char text[64];
        std::snprintf(text, sizeof text,
                      f.kind == Format::Kind::integer ? "%.0Lf"
                      : f.bits == 64                  ? "%.17Lg"
                                                      : "%.9Lg",
                      x);
        std::string result = text;
        if (f.kind >= Format::Kind::real && result.find_first_of(".e") == std::string::npos) result += ".";
        return f.kind >= Format::Kind::real && f.bits < 64 ? result + "f" : result;
    };
    if (f.kind == Format::Kind::complex) return "{" + part(value.re) + ", " + part(value.im) + "}";
    return part(value.re);
}

std::string braces(const gpu::Extents& shape) {
    std::string text;
    for (std::int64_t length : shape) text += (text.empty() ? "" : ", ") + std::to_string(length);
    return "{" + text + "}";
}

gpu::detail::ArrayCore to_array(const Elements& elements, gpu::Layout layout) {
    const gpu::detail::ArrayCore core = gpu::detail::make_array(elements.dtype, elements.shape, layout);
    const Bytes bytes = stored(elements);
    gpu::detail::copy_from_host(core, bytes.data(), elements.shape.size());
    return core;
}

Elements to_elements(const gpu::detail::ArrayCore& core) {
    Bytes bytes(static_cast<std::size_t>(core.shape.size()) * gpu::size_of(core.dtype));
    gpu::detail::copy_to_host(core, bytes.data(), core.shape.size());
    return loaded(core.dtype, core.shape, bytes);
}

}  // namespace property
