// SPDX-License-Identifier: MIT
#include <cmath>

#include "property/trial.hpp"

namespace property {

namespace {

std::string position_text(const gpu::Shape& shape, std::size_t number) {
    std::vector<std::int64_t> at(static_cast<std::size_t>(shape.rank()));
    std::int64_t rest = static_cast<std::int64_t>(number);
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        at[static_cast<std::size_t>(axis)] = rest % shape[axis];
        rest /= shape[axis];
    }
    std::string text;
    for (std::int64_t position : at) text += (text.empty() ? "" : ", ") + std::to_string(position);
    return "(" + text + ")";
}

std::string bound_text(Real error) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2Lg", error);
    return text;
}

}  // namespace

bool agrees(gpu::DType type, const Element& got, const Element& want) {
    if (!is_known(want)) return true;
    const bool is_nan = std::isnan(want.re) || std::isnan(want.im);
    if (is_nan || std::isnan(got.re) || std::isnan(got.im)) return is_nan && (std::isnan(got.re) || std::isnan(got.im));
    if (format_of(type).kind < Format::Kind::real) return got.re == want.re;
    if (std::isinf(want.re) || std::isinf(want.im)) return got.re == want.re && got.im == want.im;
    return !(!(std::hypot(got.re - want.re, got.im - want.im) <= want.error));
}

Verdict judge(const Trial& trial) {
    const Elements &got = trial.got, &want = trial.want;
    if (got.dtype != want.dtype) {
        return {"the result is " + cpp_name(got.dtype) + ", not " + cpp_name(want.dtype), 1, 0, 0};
    }
    if (!(got.shape == want.shape) || got.values.size() != want.values.size()) {
        return {"the result's shape is " + gpu::to_string(got.shape) + ", not " + gpu::to_string(want.shape), 1, 0, 0};
    }
    Verdict verdict;
    std::int64_t wrong = 0;
    for (std::size_t k = 0; k < want.values.size(); ++k) {
        const Element& expected = want.values[k];
        ++(is_known(expected) ? verdict.judged : verdict.open);
        if (std::isnan(expected.re)) ++verdict.not_numbers;
        if (agrees(want.dtype, got.values[k], expected) || ++wrong > 1) continue;
        verdict.problem = "element " + position_text(want.shape, k) + " is " + literal(want.dtype, got.values[k]) +
                          ", not " + literal(want.dtype, expected) + " within " + bound_text(expected.error);
    }
    if (wrong > 0) {
        verdict.problem += "; " + std::to_string(wrong) + " of " + std::to_string(want.values.size()) + " are wrong";
    }
    return verdict;
}

}  // namespace property
