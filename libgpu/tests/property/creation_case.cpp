// SPDX-License-Identifier: MIT
#include <cmath>

#include "property/trial.hpp"
#include "property/typed.hpp"

namespace property {

namespace {

using gpu::DType;

bool is_complex_type(DType type) { return format_of(type).kind == Format::Kind::complex; }

}  // namespace

void creation_case(Trial& trial, Random& plan, Random& draw, int size) {
    const int way = plan.below(3);
    DType type = static_cast<DType>(plan.below(dtype_count));
    if (way != 0 && (type == DType::boolean || is_complex_type(type))) type = DType::float32;
    const std::string name = cpp_name(type);
    trial.want.dtype = type;
    if (way == 0) {
        const gpu::Shape shape = draw_shape(plan.below(5), draw, size);
        const Element value = draw_value(type, {false, draw.chance(20), false, false}, draw);
        trial.program = "  auto z = gpu::full<" + name + ">(" + braces(shape) + ", " + literal(type, value) + ");";
        trial.want = {type, shape, std::vector<Element>(static_cast<std::size_t>(shape.size()), value)};
        with_type(type, [&]<class T>(Type<T>) {
            trial.got = to_elements(gpu::full<T>(shape, Stored<T>::from(value)).core());
        });
        return;
    }
    if (way == 1) {
        const double start = static_cast<double>(draw.between(0, 5)),
                     step = static_cast<double>(draw.between(1, 4)) * 0.5;
        const bool whole = is_integral(type);
        const double by = whole ? std::ceil(step) : step, stop = start + static_cast<double>(draw.between(-2, 40));
        trial.program = "  auto z = gpu::arange<" + name + ">(" + std::to_string(start) + ", " + std::to_string(stop) +
                        ", " + std::to_string(by) + ");";
        for (std::int64_t k = 0; start + static_cast<double>(k) * by < stop; ++k) {
            trial.want.values.push_back({static_cast<Real>(start + static_cast<double>(k) * by), 0, 0});
        }
        trial.want.shape = gpu::Shape{trial.want.values.size()};
        with_type(type, [&]<class T>(Type<T>) {
            if constexpr (requires { gpu::arange<T>(start, stop, by); })
                trial.got = to_elements(gpu::arange<T>(start, stop, by).core());
        });
        return;
    }
    if (is_integral(type)) trial.want.dtype = type = DType::float64;
    const double start = draw.unit() * 4 - 2, stop = start + draw.unit() * 10;
    const std::int64_t count = draw.between(0, 50);
    trial.program = "  auto z = gpu::linspace<" + cpp_name(type) + ">(" + std::to_string(start) + ", " +
                    std::to_string(stop) + ", " + std::to_string(count) + ");";
    trial.want.shape = gpu::Shape{count};
    for (std::int64_t k = 0; k < count; ++k) {
        const Real part = count > 1 ? static_cast<Real>(k) / static_cast<Real>(count - 1) : 0;
        const Real value = static_cast<Real>(start) + (static_cast<Real>(stop) - static_cast<Real>(start)) * part;
        // In double, then rounded once: three roundings of numbers up to the larger end.
        const Real largest = std::fmax(std::fabs(static_cast<Real>(start)), std::fabs(static_cast<Real>(stop)));
        trial.want.values.push_back(rounded(type, {value, 0, 4 * 0x1p-53L * largest}, 0.5L));
    }
    with_type(type, [&]<class T>(Type<T>) {
        if constexpr (requires { gpu::linspace<T>(start, stop, count); })
            trial.got = to_elements(gpu::linspace<T>(start, stop, count).core());
    });
}

}  // namespace property
