// SPDX-License-Identifier: MIT
#include "judge/values/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include "judge/values/elements.hpp"
#include "support/parallel.hpp"
#include "support/text.hpp"

namespace course {

namespace {

using Index = std::int64_t;

constexpr Index window_reach = 3;

double allowed_error(const Expected& want, Index i, double value) {
    const double relative = want.relative == 0 ? 0 : want.relative * std::abs(value);
    return want.absolute + relative + (want.bound ? want.bound(i) : 0);
}

// The exact value rounded to the result's type: infinity beyond its largest number.
template <class T>
double as_rounded(double value) noexcept {
    if constexpr (std::is_same_v<T, float>) {
        if (std::isinf(static_cast<float>(value))) return std::copysign(std::numeric_limits<double>::infinity(), value);
    }
    return value;
}

template <class T>
bool is_right_element(T got, double want, double allowed) noexcept {
    // A double doesn't hold every 64-bit integer, so two different ones could look equal.
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
        if (allowed == 0) return static_cast<long double>(got) == static_cast<long double>(want);
    }
    return is_right(static_cast<double>(got), want, allowed);
}

double error_share(double got, double want, double allowed) noexcept {
    constexpr double max_double = std::numeric_limits<double>::max();
    if ((std::isnan(got) && std::isnan(want)) || got == want) return 0;
    const double share = std::abs(got - want) / allowed;
    return share <= max_double ? share : max_double;   // no tolerance, an infinity, a NaN
}

struct Scan {
    double worst_error = 0;
    Index wrong = 0;
    std::vector<Index> indices;   // of the wrong elements, up to the number that is analysed
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
            if (found.wrong++ < max_analysed) found.indices.push_back(i);
        }
    });
    return found;
}

// Uses several threads for large results; what is found doesn't depend on their number.
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
        const Index room = std::min(std::ssize(one.indices), max_analysed - std::ssize(found.indices));
        found.indices.insert(found.indices.end(), one.indices.begin(), one.indices.begin() + room);
    }
    return found;
}

std::string describe_shape(const std::string& name, const std::vector<Index>& got, const std::vector<Index>& want) {
    std::string text = fmt::format("{} has shape {}, want {}", name, shape_text(got), shape_text(want));
    if (got.size() == 2 && want.size() == 2 && got[0] == want[1] && got[1] == want[0]) return text + ": transposed?";
    if (got.size() != want.size())
        return text + fmt::format(": {}, want {}", plural(got.size(), "dimension"), want.size());
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
    if (elements.size() > max_analysed) return {};
    const std::vector<double> got_values = to_doubles(got);
    std::vector<double> want_values(got_values.size());
    for (std::size_t i = 0; i < want_values.size(); ++i) want_values[i] = want.at(static_cast<Index>(i));
    std::vector<std::vector<double>> inputs;
    for (const Value& argument : arguments) {
        // A one-column matrix has as many elements as the vector of its rows' results.
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

namespace {

using Index = std::int64_t;

double at(std::span<const double> values, Index i) { return values[static_cast<std::size_t>(i)]; }

template <class Property>
bool all_wrong(const WrongResult& result, const Property& property) {
    return std::all_of(result.wrong.begin(), result.wrong.end(), property);
}

// True if all elements, right and wrong, were taken from other places; `source(i)` is the index that element i comes
// from, or -1 if it may be anything.
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
    // Column-major where row-major was meant; for a square matrix, its transpose.
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

// The same c for all wrong elements such that wrong = want + c, if c is well above the tolerance.
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

// Off by a multiple of 2^32 everywhere: the overflow of a 32-bit int.
std::string describe_overflow(const WrongResult& result) {
    constexpr double range = 4294967296.0;
    const auto off_by_range = [&](Index i) {
        const double times = std::round((at(result.got, i) - at(result.want, i)) / range);
        // Inconclusive for numbers so large that part of the range is within the tolerance.
        return std::isfinite(times) && times != 0 && result.fits(at(result.got, i) - times * range, i) &&
               !result.fits(at(result.got, i) - (times + 0.25) * range, i);
    };
    if (!all_wrong(result, off_by_range)) return {};
    return "off by 2^32 or a multiple: it looks as if an int has overflowed";
}

// Each wrong element is the running sum up to it: the previous element's result is added.
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

namespace {

using Index = std::int64_t;
using Indices = std::span<const Index>;

// In the order of trial: 256 is the block size of most exercises.
constexpr Index blocks[] = {256, 128, 512, 1024, 64, 32};

bool is_block(Index length) { return std::find(std::begin(blocks), std::end(blocks), length) != std::end(blocks); }

std::string ordinal(Index n) {
    const Index tens = n / 10 % 10, ones = n % 10;
    const char* ending = tens == 1 || ones > 3 || ones == 0 ? "th" : ones == 1 ? "st" : ones == 2 ? "nd" : "rd";
    return fmt::format("{}{}", n, ending);
}

struct Progression {
    Index first, step;
};

// The indices first, first + step, ... up to the end of the array, all of them and no others.
std::optional<Progression> progression(Indices indices, Index size) {
    if (indices.size() < 2) return std::nullopt;
    const Index first = indices[0], step = indices[1] - indices[0];
    if (step < 2 || first >= step || indices.back() + step < size) return std::nullopt;
    if (indices.size() < 3 && !is_block(step)) return std::nullopt;
    for (std::size_t k = 1; k < indices.size(); ++k)
        if (indices[k] - indices[k - 1] != step) return std::nullopt;
    return Progression{first, step};
}

std::string text(Progression found) {
    if (is_block(found.step) && found.step > 32) {
        if (found.first == 0) return fmt::format("the first element of each block of {}", found.step);
        if (found.first == found.step - 1) return fmt::format("the last element of each block of {}", found.step);
    }
    if (found.first == 0) return fmt::format("every {} element", ordinal(found.step));
    return fmt::format("every {} element, from index {} on", ordinal(found.step), found.first);
}

std::vector<Index> complement(Indices indices, Index size) {
    std::vector<Index> others;
    others.reserve(static_cast<std::size_t>(size) - indices.size());
    std::size_t k = 0;
    for (Index i = 0; i < size; ++i) {
        if (k < indices.size() && indices[k] == i) ++k;
        else others.push_back(i);
    }
    return others;
}

// One run of neighbours: [first, end).
std::string describe_run(Index first, Index end, Index size) {
    const Index count = end - first;
    if (end == size) {
        for (Index block : blocks) {
            if (size <= block || (size - 1) / block * block != first) continue;
            if (count > 1) return fmt::format("all in the last block of {}", block);
            return fmt::format("the last element alone, all there is in the last block of {}", block);
        }
        if (count == 1) return "the last element alone";
        if (first == 1) return "all but the first element";
        if (is_block(first)) return fmt::format("all but the first block of {}", first);
        return fmt::format("all from index {} on", first);
    }
    if (first == 0) {
        if (count == 1) return "the first element alone";
        if (end == size - 1) return "all but the last element";
        for (Index block : blocks)
            if (size > block && end == (size - 1) / block * block && end != block)
                return fmt::format("all but the last block of {}", block);
        if (is_block(count)) return fmt::format("all in the first block of {}", count);
        return fmt::format("the first {} elements", count);
    }
    if (is_block(count) && first % count == 0) return fmt::format("all in block {} of {}", first / count, count);
    return {};
}

std::string describe_line(Indices wrong, Index size) {
    const auto count = static_cast<Index>(wrong.size());
    if (wrong.back() - wrong.front() + 1 == count) {
        if (std::string run = describe_run(wrong.front(), wrong.back() + 1, size); !run.empty()) return run;
    }
    if (const auto found = progression(wrong, size)) {
        const std::string places = text(*found);
        return places.starts_with("the") ? "only " + places : places;
    }
    if (count > size / 2) {
        const std::vector<Index> right = complement(wrong, size);
        if (right.size() == 1 && right[0] == 0) return "all but the first element";
        if (const auto found = progression(right, size)) return "all but " + text(*found);
    }
    // Not all of a block, but nothing elsewhere: several of the last 256, with at least two blocks.
    const Index last_block = (size - 1) / 256 * 256;
    if (count > 1 && last_block > 0 && wrong.front() >= last_block) return "all in the last block of 256";
    return {};
}

std::string describe_matrix(Indices wrong, Index rows, Index columns) {
    const auto count = static_cast<Index>(wrong.size());
    if (count < 2) return {};
    Index first_row = rows, last_row = 0, first_column = columns, last_column = 0, on_border = 0, on_diagonal = 0;
    Index below = 0;
    for (Index i : wrong) {
        const Index row = i / columns, column = i % columns;
        first_row = std::min(first_row, row);
        last_row = std::max(last_row, row);
        first_column = std::min(first_column, column);
        last_column = std::max(last_column, column);
        on_border += row == 0 || column == 0 || row == rows - 1 || column == columns - 1;
        on_diagonal += row == column;
        below += row > column;
    }
    if (first_column == last_column)
        return last_column == columns - 1 ? "all in the last column" : fmt::format("all in column {}", last_column);
    if (first_row == last_row)
        return last_row == rows - 1 ? "all in the last row" : fmt::format("all in row {}", last_row);
    const Index border = 2 * (rows + columns) - 4;
    if (rows > 2 && columns > 2 && on_border == count && 2 * count > border) return "all on the border";
    if (rows == columns && on_diagonal == count && count > 2) return "all on the diagonal";
    if (rows == columns && on_diagonal == 0 && count == rows * rows - rows) return "all but the diagonal";
    if (rows == columns && count == (rows * rows - rows) / 2 && rows > 2 && on_diagonal == 0) {
        if (below == count) return "all below the diagonal";
        if (below == 0) return "all above the diagonal";
    }
    const bool full = count == (last_row - first_row + 1) * (last_column - first_column + 1);
    const bool all_rows = full && first_row == 0 && last_row == rows - 1;
    const bool all_columns = full && first_column == 0 && last_column == columns - 1;
    if (all_rows && last_column == columns - 1) return fmt::format("all columns from {} on", first_column);
    if (all_columns && last_row == rows - 1) return fmt::format("all rows from {} on", first_row);
    return {};
}

}  // namespace

std::string describe_places(std::span<const std::int64_t> wrong, const std::vector<std::int64_t>& shape) {
    Index size = 1;
    for (Index length : shape) size *= length;
    const auto count = static_cast<Index>(wrong.size());
    if (count == 0 || count == size || size < 3) return {};
    if (shape.size() == 2 && shape[0] > 1 && shape[1] > 1) {
        if (std::string places = describe_matrix(wrong, shape[0], shape[1]); !places.empty()) return places;
    }
    return describe_line(wrong, size);
}

}  // namespace course
