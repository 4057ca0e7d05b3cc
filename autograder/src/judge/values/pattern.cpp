// SPDX-License-Identifier: MIT
#include "judge/values/pattern.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace course {

namespace {

using Index = std::int64_t;

double at(std::span<const double> values, Index i) { return values[static_cast<std::size_t>(i)]; }

template <class Property>
bool all_wrong(const WrongResult& result, const Property& property) {
    return std::all_of(result.wrong.begin(), result.wrong.end(), property);
}

// All elements, right and wrong, where they were taken from elsewhere; `source(i)` is where element i comes from, or -1
// if it may be anything.
template <class Source>
bool moved(const WrongResult& result, const Source& source) {
    for (Index i = 0; i < static_cast<Index>(result.got.size()); ++i) {
        const Index from = source(i);
        if (from >= 0 && !result.fits(at(result.got, i), from)) return false;
    }
    return true;
}

bool is_transposed(const WrongResult& result) {
    if (result.shape.size() != 2 || result.shape[0] < 2 || result.shape[1] < 2) return false;
    const Index rows = result.shape[0], columns = result.shape[1];
    // Column-major where row-major was meant; of a square matrix, its transpose.
    return moved(result, [=](Index i) { return i % rows * columns + i / rows; });
}

std::string describe_move(const WrongResult& result) {
    const auto size = static_cast<Index>(result.got.size());
    if (is_transposed(result)) return "transposed";
    if (size < 4) return {};
    if (moved(result, [=](Index i) { return i + 1 < size ? i + 1 : -1; }))
        return "shifted by one: element i has the value of element i + 1";
    if (moved(result, [](Index i) { return i - 1; }))
        return "shifted by one: element i has the value of element i - 1";
    if (moved(result, [=](Index i) { return size - 1 - i; })) return "in reverse order";
    return {};
}

// The same c for all wrong elements such that wrong = want + c, if c is far above the tolerance.
std::string describe_offset(const WrongResult& result) {
    const Index first = result.wrong[0];
    double offset = at(result.got, first) - at(result.want, first);
    if (!std::isfinite(offset)) return {};
    const double whole = std::round(offset);
    if (whole != 0 && std::abs(offset - whole) < 1e-3 * std::abs(whole)) offset = whole;
    if (result.wrong.size() < 3 && offset != whole) return {};
    if (result.shape.empty() && std::abs(offset) != 1) return {};
    if (!all_wrong(result, [&](Index i) { return result.fits(at(result.got, i) - offset, i); })) return {};
    return fmt::format("constant offset {:+.6g}", offset);
}

std::string describe_factor(const WrongResult& result) {
    const Index first = result.wrong[0];
    if (at(result.want, first) == 0) return {};
    double factor = at(result.got, first) / at(result.want, first);
    if (!std::isfinite(factor) || factor == 0) return {};
    const double whole = std::round(factor), inverse = std::round(1 / factor);
    const bool is_whole = whole != 0 && std::abs(factor - whole) < 1e-3 * std::abs(whole);
    const bool is_inverse = inverse != 0 && std::abs(1 / factor - inverse) < 1e-3 * std::abs(inverse);
    if (is_whole) factor = whole;
    else if (is_inverse) factor = 1 / inverse;
    if (result.wrong.size() < 3 && !is_whole && !is_inverse) return {};
    if (!all_wrong(result, [&](Index i) { return result.fits(at(result.got, i) / factor, i); })) return {};
    if (factor == -1) return "right except for the sign";
    if (!is_whole && is_inverse) return fmt::format("off by a constant factor 1/{:.0f}", inverse);
    return fmt::format("off by a constant factor {:.6g}", factor);
}

// Off by a multiple of 2^32 everywhere: what an int of 32 bits has lost.
std::string describe_overflow(const WrongResult& result) {
    constexpr double range = 4294967296.0;
    const auto off_by_range = [&](Index i) {
        const double times = std::round((at(result.got, i) - at(result.want, i)) / range);
        // Of numbers so large that a part of the range is within the tolerance, it tells nothing.
        return std::isfinite(times) && times != 0 && result.fits(at(result.got, i) - times * range, i) &&
               !result.fits(at(result.got, i) - (times + 0.25) * range, i);
    };
    if (!all_wrong(result, off_by_range)) return {};
    return "off by 2^32 or a multiple: it looks as if an int has overflowed";
}

// Each wrong element has the result of the element before it added.
std::string describe_running_sum(const WrongResult& result) {
    if (result.wrong.size() < 3 || result.shape.size() != 1) return {};
    const auto adds_up = [&](Index i) {
        const double before = i > 0 ? at(result.got, i - 1) : 0;
        return before != 0 && result.fits(at(result.got, i) - before, i);
    };
    if (!all_wrong(result, adds_up)) return {};
    return "each has the result of the element before added: it looks as if a thread adds to a variable that nothing "
           "has set";
}

std::string describe_input(const WrongResult& result) {
    for (std::size_t k = 0; k < result.inputs.size(); ++k) {
        const auto input = result.inputs[k];
        if (input.size() != result.got.size() || input.size() < 2) continue;
        if (std::equal(input.begin(), input.end(), result.got.begin()))
            return fmt::format("argument {} returned unchanged", k + 1);
    }
    return {};
}

}  // namespace

ValuePattern describe_values(const WrongResult& result) {
    const auto got = [&](Index i) { return at(result.got, i); };
    if (result.wrong.empty()) return {};
    if (all_wrong(result, result.unwritten))
        return {result.unset_was_read ? "from a value that was read before anything was written there"
                                      : "never written"};
    if (all_wrong(result, [&](Index i) { return std::isnan(got(i)); })) return {"not a number (NaN)"};
    if (all_wrong(result, [&](Index i) { return std::isinf(got(i)); })) return {"infinite"};
    if (all_wrong(result, [&](Index i) { return got(i) == 0; }))
        return {result.wrong.size() == 1 ? "zero" : "all zero"};
    if (std::string input = describe_input(result); !input.empty()) return {input, true};
    if (std::string move = describe_move(result); !move.empty()) return {move, true};
    const bool scalar = result.shape.empty();
    if (std::string overflow = describe_overflow(result); !overflow.empty()) return {overflow};
    if (std::string sum = describe_running_sum(result); !sum.empty()) return {sum, true};
    if (result.wrong.size() < 2 && !scalar) return {};
    if (std::string factor = describe_factor(result); !factor.empty()) return {factor};
    if (std::string offset = describe_offset(result); !offset.empty()) return {offset};
    const double same = got(result.wrong[0]);
    if (result.wrong.size() > 2 && all_wrong(result, [&](Index i) { return got(i) == same; }))
        return {fmt::format("all equal to {:.6g}", same)};
    return {};
}

std::string describe(const WrongResult& result) {
    const ValuePattern values = describe_values(result);
    if (values.complete) return values.text;
    const std::string places = describe_places(result.wrong, result.shape);
    if (values.text.empty() || places.empty()) return values.text + places;
    return values.text + ", " + places;
}

}  // namespace course
