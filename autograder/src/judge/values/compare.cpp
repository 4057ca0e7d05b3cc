// SPDX-License-Identifier: MIT
#include "judge/values/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include "judge/values/elements.hpp"
#include "judge/values/pattern.hpp"
#include "support/parallel.hpp"

namespace course {

namespace {

using Index = std::int64_t;

constexpr Index window_reach = 3;

double allowed_error(const Expected& want, Index i, double value) {
    const double relative = want.relative == 0 ? 0 : want.relative * std::abs(value);
    return want.absolute + relative + (want.bound ? want.bound(i) : 0);
}

// What the exact value becomes in the result's type: beyond its largest number, that is an infinity.
template <class T>
double as_rounded(double value) noexcept {
    if constexpr (std::is_same_v<T, float>) {
        if (std::isinf(static_cast<float>(value))) return std::copysign(std::numeric_limits<double>::infinity(), value);
    }
    return value;
}

template <class T>
bool is_right_element(T got, double want, double allowed) noexcept {
    // A double holds not every 64-bit integer, so two different ones could look equal.
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
        if (allowed == 0) return static_cast<long double>(got) == static_cast<long double>(want);
    }
    return is_right(static_cast<double>(got), want, allowed);
}

double error_share(double got, double want, double allowed) noexcept {
    constexpr double most = std::numeric_limits<double>::max();
    if ((std::isnan(got) && std::isnan(want)) || got == want) return 0;
    const double share = std::abs(got - want) / allowed;
    return share <= most ? share : most;   // no tolerance, an infinity, a NaN
}

struct Scan {
    double worst_error = 0;
    Index wrong = 0;
    std::vector<Index> indices;   // of the wrong elements, as far as they are analysed
};

template <class At>
Scan scan_piece(const Elements& got, protocol::Type type, const Expected& want, Index begin, Index end,
                const At& position) {
    Scan found;
    with_type(type, [&](auto element) {
        using T = decltype(element);
        for (Index k = begin; k < end; ++k) {
            const Index i = position(k);
            const T value = got.as<T>(i);
            const double expected = as_rounded<T>(want.at(i)), allowed = allowed_error(want, i, expected);
            const double share = error_share(static_cast<double>(value), expected, allowed);
            found.worst_error = std::max(found.worst_error, share);
            if (is_right_element(value, expected, allowed)) continue;
            if (found.wrong++ < most_analysed) found.indices.push_back(i);
        }
    });
    return found;
}

// By several threads where there is much to compare; what is found doesn't depend on them.
template <class At>
Scan scan(const Elements& got, protocol::Type type, const Expected& want, Index count, const At& position) {
    constexpr Index piece = Index{1} << 19;
    std::vector<Scan> pieces(static_cast<std::size_t>((count + piece - 1) / piece));
    in_pieces(count, piece, [&](Index begin, Index end) {
        pieces[static_cast<std::size_t>(begin / piece)] = scan_piece(got, type, want, begin, end, position);
    });
    Scan found;
    for (const Scan& one : pieces) {
        found.worst_error = std::max(found.worst_error, one.worst_error);
        found.wrong += one.wrong;
        const Index room = std::min(std::ssize(one.indices), most_analysed - std::ssize(found.indices));
        found.indices.insert(found.indices.end(), one.indices.begin(), one.indices.begin() + room);
    }
    return found;
}

std::string describe_shape(const std::string& name, const std::vector<Index>& got, const std::vector<Index>& want) {
    std::string text = fmt::format("{} has shape {}, want {}", name, shape_text(got), shape_text(want));
    if (got.size() == 2 && want.size() == 2 && got[0] == want[1] && got[1] == want[0]) return text + ": transposed?";
    if (got.size() != want.size())
        return text + fmt::format(": {} dimension{}, want {}", got.size(), got.size() == 1 ? "" : "s", want.size());
    if (got.size() == 1 && got[0] + 1 == want[0]) return text + ": one element short";
    if (got.size() == 1 && got[0] == want[0] + 1) return text + ": one element too many";
    return text;
}

std::string got_text(const Elements& got, Index i, bool exactly, FreshMemory fresh) {
    std::string text = got.text(i, exactly);
    if (got.unwritten(i))
        text += fmt::format(" ({}{})", fresh == FreshMemory::was_read ? "from an unset value" : "never written",
                            got.floating() ? "" : "?");
    return text;
}

Window make_window(const Elements& got, const Expected& want, protocol::Type type, Index first) {
    const Index size = got.size();
    Index begin = 0, end = size;
    if (want.shape.size() > 1) {   // the row
        const Index columns = want.shape.back();
        begin = first / columns * columns;
        end = begin + columns;
    }
    Window window;
    const Index from = std::max(begin, first - window_reach), to = std::min(end, first + window_reach + 1);
    for (Index i = from; i < to; ++i) {
        window.got.push_back(got.text(i));
        window.want.push_back(number_text(want.at(i), type));
    }
    window.first_wrong = static_cast<std::size_t>(first - from);
    window.more_before = from > begin;
    window.more_after = to < end;
    return window;
}

std::vector<double> to_doubles(const Value& value) {
    const Elements elements(value);
    std::vector<double> doubles(static_cast<std::size_t>(elements.size()));
    for (Index i = 0; i < elements.size(); ++i) doubles[static_cast<std::size_t>(i)] = elements[i];
    return doubles;
}

std::string find_pattern(const Value& got, const Expected& want, const Scan& found, std::span<const Value> arguments,
                         FreshMemory fresh) {
    const Elements elements(got);
    if (elements.size() > most_analysed) return {};
    const std::vector<double> got_values = to_doubles(got);
    std::vector<double> want_values(got_values.size());
    for (std::size_t i = 0; i < want_values.size(); ++i) want_values[i] = want.at(static_cast<Index>(i));
    std::vector<std::vector<double>> inputs;
    for (const Value& argument : arguments) {
        // A matrix of one column has as many elements as the vector of its rows' results.
        const bool same_shape = !argument.shape.empty() && argument.shape == got.shape;
        inputs.push_back(same_shape ? to_doubles(argument) : std::vector<double>());
    }
    WrongResult result;
    result.shape = want.shape;
    result.got = got_values;
    result.want = want_values;
    result.wrong = found.indices;
    result.fits = [&](double value, Index i) {
        const double expected = want_values[static_cast<std::size_t>(i)];
        return is_right(value, expected, allowed_error(want, i, expected));
    };
    result.unwritten = [&](Index i) { return elements.unwritten(i); };
    result.unset_was_read = fresh == FreshMemory::was_read;
    result.inputs.assign(inputs.begin(), inputs.end());
    return describe(result);
}

Difference make_difference(const std::string& name, const Value& got, const Expected& want, const Scan& found,
                           std::span<const Value> arguments, FreshMemory fresh) {
    const Elements elements(got);
    const Index first = found.indices[0];
    Difference difference;
    difference.where = name + (name.find(' ') != name.npos && !want.shape.empty() ? " " : "") +
                       index_text(want.shape, first);
    difference.got = got_text(elements, first, false, fresh);
    difference.want = number_text(want.at(first), got.type);
    if (difference.got == difference.want) {
        difference.got = got_text(elements, first, true, fresh);
        difference.want = number_text(want.at(first), protocol::Type::float64, true);
    }
    difference.wrong = found.wrong;
    difference.total = elements.size();
    difference.pattern = find_pattern(got, want, found, arguments, fresh);
    if (elements.size() > 1) difference.window = make_window(elements, want, got.type, first);
    return difference;
}

}  // namespace

bool is_right(double got, double want, double allowed) noexcept {
    if (std::isnan(want)) return std::isnan(got);
    if (std::isinf(want) || std::isinf(got)) return got == want;
    return std::abs(got - want) <= allowed;   // false for a NaN
}

Comparison compare(const std::string& name, const Value& got, const Expected& want, std::span<const Value> arguments,
                   std::span<const std::int64_t> positions, FreshMemory fresh) {
    Comparison comparison;
    if (got.shape != want.shape) {
        comparison.passed = false;
        comparison.message = describe_shape(name, got.shape, want.shape);
        return comparison;
    }
    const Elements elements(got);
    if (elements.size() != size_of(want.shape)) {   // the session validates replies; nothing is read past their end
        comparison.passed = false;
        comparison.message = fmt::format("{} has {} bytes, which is not what its shape {} needs", name,
                                         got.bytes.size(), shape_text(got.shape));
        return comparison;
    }
    const auto all = [&] { return scan(elements, got.type, want, elements.size(), [](Index k) { return k; }); };
    Scan found = positions.empty() ? all()
                                   : scan(elements, got.type, want, static_cast<Index>(positions.size()),
                                          [&](Index k) { return positions[static_cast<std::size_t>(k)]; });
    if (found.wrong > 0 && !positions.empty()) found = all();
    comparison.worst_error = found.worst_error;
    if (found.wrong == 0) return comparison;
    comparison.passed = false;
    comparison.difference = make_difference(name, got, want, found, arguments, fresh);
    return comparison;
}

std::string describe_change(std::size_t index, const Value& before, const Value& after) {
    if (before.shape != after.shape || before.type != after.type || before.bytes.size() != after.bytes.size())
        return fmt::format("the function changed its input: argument {} had shape {}, now {}", index + 1,
                           shape_text(before.shape), shape_text(after.shape));
    if (before.bytes == after.bytes) return {};
    const Elements was(before), is(after);
    Index first = -1, changed = 0;
    for (Index i = 0; i < std::min(was.size(), is.size()); ++i) {
        const auto offset = static_cast<std::size_t>(i) * was.element_bytes();
        if (std::equal(&before.bytes[offset], &before.bytes[offset] + was.element_bytes(), &after.bytes[offset]))
            continue;
        if (changed++ == 0) first = i;
    }
    return fmt::format("the function changed its input: argument {}, {} of {} elements; {} was {}, now {}", index + 1,
                       changed, was.size(), index_text(before.shape, first), was.text(first), is.text(first));
}

}  // namespace course
