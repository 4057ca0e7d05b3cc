// SPDX-License-Identifier: MIT
// The expected results of the gallery's correct kernels: plain loops in double.
#include "references.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <stdexcept>

namespace gallery {

namespace {

using Arrays = std::vector<Values>;
using Length = std::size_t;

Length length(double number) { return static_cast<Length>(number); }

// A sum and the size of what was added.
void add_sum(Expected& result, const Values& terms) {
    double sum = 0, size = 0;
    for (const double term : terms) {
        sum += term;
        size += std::fabs(term);
    }
    result.values.push_back(sum);
    result.sizes.push_back(size);
}

Values part(const Values& x, Length begin, Length count) {
    const Length end = std::min(begin + count, x.size());
    return {x.begin() + static_cast<std::ptrdiff_t>(begin), x.begin() + static_cast<std::ptrdiff_t>(end)};
}

template <class F>
Values by_index(Length count, F f) {
    Values values(count);
    for (Length k = 0; k < count; ++k) values[k] = f(k);
    return values;
}

Expected sum(const Arrays& a, const Values&) {
    Expected result;
    add_sum(result, a[0]);
    return result;
}
Expected sum_of(const Arrays& a, const Values&) {
    return {by_index(a[0].size(), [&](Length k) { return a[0][k] + a[1][k]; }), {}};
}
Expected axpy(const Arrays& a, const Values& n) {
    Expected result;
    for (Length k = 0; k < a[0].size(); ++k) add_sum(result, {n[0] * a[0][k], a[1][k]});
    return result;
}
Expected affine(const Arrays& a, const Values& n) {
    Expected result;
    for (const double x : a[0]) add_sum(result, {n[0] * x, n[1]});
    return result;
}
Expected polynomial(const Arrays& a, const Values& n) {
    Expected result;
    for (const double x : a[0]) add_sum(result, {n[0], n[1] * x, n[2] * x * x, n[3] * x * x * x});
    return result;
}
Expected constant(const Arrays&, const Values& n) { return {{n[0]}, {}}; }

Expected reverse(const Arrays& a, const Values&) { return {Values(a[0].rbegin(), a[0].rend()), {}}; }
Expected reverse_groups(const Arrays& a, const Values& n) {
    const Length g = length(n[0]);
    return {by_index(a[0].size(), [&](Length k) { return a[0][k / g * g + g - 1 - k % g]; }), {}};
}
Expected reversed_lower_half(const Arrays& a, const Values&) {
    return {by_index(a[0].size(), [&](Length k) { return a[0][k < 16 ? 15 - k : k]; }), {}};
}
Expected fold_signs(const Arrays& a, const Values&) {
    return {by_index(a[0].size(), [&](Length k) { return k % 2 == 0 ? -a[0][k + 1] : a[0][k - 1]; }), {}};
}
Expected parity_reversed(const Arrays& a, const Values&) {
    return {by_index(a[0].size(), [&](Length k) { return std::fmod(a[0][a[0].size() - 1 - k], 2); }), {}};
}
Expected rotate_and_add(const Arrays& a, const Values& n) {
    return {by_index(a[0].size(), [&](Length k) { return a[0][k] + a[0][(k + length(n[0])) % a[0].size()]; }), {}};
}
Expected sorted(const Arrays& a, const Values&) {
    Values x = a[0];
    std::sort(x.begin(), x.end());
    return {x, {}};
}
Expected largest(const Arrays& a, const Values&) { return {{*std::max_element(a[0].begin(), a[0].end())}, {}}; }

Expected scan(const Arrays& a, const Values&) {
    Values sums(a[0].size());
    std::partial_sum(a[0].begin(), a[0].end(), sums.begin());
    return {sums, {}};
}
Expected exclusive_scan(const Arrays& a, const Values&) {
    Values sums(a[0].size());
    std::exclusive_scan(a[0].begin(), a[0].end(), sums.begin(), 0.0);
    return {sums, {}};
}

Expected block_sums(const Arrays& a, const Values& n) {
    Expected result;
    for (Length k = 0; k < a[0].size(); k += length(n[0])) add_sum(result, part(a[0], k, length(n[0])));
    return result;
}
Expected running_block_sums(const Arrays& a, const Values& n) {
    Expected result = block_sums(a, n);
    std::partial_sum(result.values.begin(), result.values.end(), result.values.begin());
    return result;
}
// Each element becomes its group's sum.
Expected sum_of_groups(const Arrays& a, const Values& n) {
    Expected result;
    for (Length k = 0; k < a[0].size(); ++k) add_sum(result, part(a[0], k / length(n[0]) * length(n[0]), length(n[0])));
    return result;
}
Expected sum_of_columns(const Arrays& a, const Values& n) {
    Expected result;
    const Length columns = length(n[0]);
    for (Length c = 0; c < columns; ++c)
        add_sum(result, by_index(a[0].size() / columns, [&](Length r) { return a[0][r * columns + c]; }));
    return result;
}
Expected sum_of_rotated_rows(const Arrays& a, const Values& n) {
    Expected result = sum_of_columns(a, n);
    std::rotate(result.values.begin(), result.values.begin() + 1, result.values.end());
    std::rotate(result.sizes.begin(), result.sizes.begin() + 1, result.sizes.end());
    return result;
}
Expected sums_of_squares(const Arrays& a, const Values&) {
    Expected result;
    for (const Values& x : a) add_sum(result, by_index(x.size(), [&](Length k) { return x[k] * x[k]; }));
    return result;
}
Expected moving_sum(const Arrays& a, const Values& n) {
    Expected result;
    const auto radius = static_cast<std::ptrdiff_t>(n[0]), count = static_cast<std::ptrdiff_t>(a[0].size());
    for (std::ptrdiff_t k = 0; k < count; ++k) {
        Values terms;
        for (std::ptrdiff_t j = std::max<std::ptrdiff_t>(k - radius, 0); j <= std::min(k + radius, count - 1); ++j)
            terms.push_back(a[0][static_cast<Length>(j)]);
        add_sum(result, terms);
    }
    return result;
}
Expected red_black(const Arrays& a, const Values&) {
    Values x = a[0];
    for (const Length first : {1, 2})
        for (Length k = first; k + 1 < x.size(); k += 2) x[k] = (x[k - 1] + x[k + 1]) / 2;
    return {x, Values(x.size(), 1.0)};
}

Expected histogram(const Arrays& a, const Values& n) {
    Values bins(length(n[0]));
    for (const double x : a[0]) bins[length(x)] += 1;
    return {bins, {}};
}
Expected count_equal_in_groups(const Arrays& a, const Values& n) {
    return {by_index(a[0].size(),
                     [&](Length k) {
                         const Values group = part(a[0], k / length(n[0]) * length(n[0]), length(n[0]));
                         return static_cast<double>(std::count(group.begin(), group.end(), n[1]));
                     }),
            {}};
}
Expected count_positive(const Arrays& a, const Values&) {
    return {{static_cast<double>(std::count_if(a[0].begin(), a[0].end(), [](double x) { return x > 0; }))}, {}};
}
Expected positives_first(const Arrays& a, const Values&) {
    Values kept;
    std::copy_if(a[0].begin(), a[0].end(), std::back_inserter(kept), [](double x) { return x > 0; });
    kept.resize(a[0].size());
    return {kept, {}};
}
Expected atomic_results(const Arrays& a, const Values&) {
    double total = 0, most = 0;
    int any = 0, odd = 0;
    for (const double x : a[0]) {
        total += x;
        most = std::max(most, x);
        any |= static_cast<int>(x);
        odd ^= static_cast<int>(x);
    }
    return {{total, most, -most, static_cast<double>(any), static_cast<double>(odd), -total, 1}, {}};
}

Expected transpose(const Arrays& a, const Values& n) {
    const Length rows = length(n[0]), columns = length(n[1]);
    return {by_index(rows * columns, [&](Length k) { return a[0][k % rows * columns + k / rows]; }), {}};
}
Expected matmul(const Arrays& a, const Values& n) {
    const Length rows = length(n[0]), inner = length(n[1]), columns = length(n[2]);
    Expected result;
    for (Length r = 0; r < rows; ++r)
        for (Length c = 0; c < columns; ++c)
            add_sum(result, by_index(inner, [&](Length k) { return a[0][r * inner + k] * a[1][k * columns + c]; }));
    return result;
}
Expected convolve_3x3(const Arrays& a, const Values& n) {
    const auto width = static_cast<int>(n[0]), height = static_cast<int>(n[1]);
    const double weight[3] = {1, 2, 1};
    Expected result;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            Values terms;
            for (int v = std::max(y - 1, 0); v <= std::min(y + 1, height - 1); ++v)
                for (int u = std::max(x - 1, 0); u <= std::min(x + 1, width - 1); ++u)
                    terms.push_back(weight[v - y + 1] * weight[u - x + 1] * a[0][static_cast<Length>(v * width + u)]);
            add_sum(result, terms);
        }
    return result;
}

Expected mandelbrot(const Arrays&, const Values& n) {
    const auto width = static_cast<std::int64_t>(n[0]), height = static_cast<std::int64_t>(n[1]);
    const std::int64_t one = std::int64_t{1} << 24;
    Expected result;
    for (std::int64_t row = 0; row < height; ++row)
        for (std::int64_t column = 0; column < width; ++column) {
            const std::int64_t cx = 3 * one * column / width - 2 * one, cy = 2 * one * row / height - one;
            std::int64_t x = 0, y = 0;
            int steps = 0;
            for (; steps < n[2] && ((x * x) >> 24) + ((y * y) >> 24) <= 4 * one; ++steps) {
                const std::int64_t next = ((x * x) >> 24) - ((y * y) >> 24) + cx;
                y = ((2 * x * y) >> 24) + cy;
                x = next;
            }
            result.values.push_back(steps);
        }
    return result;
}

// "Parallel random numbers: as easy as 1, 2, 3" (Salmon and others, 2011), 4 x 32 bits, ten rounds.
Expected philox(const Arrays&, const Values& n) {
    Expected result;
    for (std::uint32_t element = 0; element < 128; ++element) {
        std::uint32_t c[4] = {element, 0, 0, 0};
        auto key0 = static_cast<std::uint32_t>(n[0]), key1 = static_cast<std::uint32_t>(n[1]);
        for (int round = 0; round < 10; ++round, key0 += 0x9E3779B9U, key1 += 0xBB67AE85U) {
            const std::uint64_t p = std::uint64_t{0xD2511F53U} * c[0], q = std::uint64_t{0xCD9E8D57U} * c[2];
            const std::uint32_t next[4] = {
                static_cast<std::uint32_t>(q >> 32) ^ c[1] ^ key0, static_cast<std::uint32_t>(q),
                static_cast<std::uint32_t>(p >> 32) ^ c[3] ^ key1, static_cast<std::uint32_t>(p)};
            std::copy(next, next + 4, c);
        }
        result.values.insert(result.values.end(), c, c + 4);
    }
    return result;
}

struct Entry {
    Length arrays, numbers;
    Expected (*function)(const Arrays&, const Values&);
};

const std::map<std::string, Entry> table{{"sum", {1, 0, sum}},
                                         {"sum_of", {2, 0, sum_of}},
                                         {"axpy", {2, 1, axpy}},
                                         {"affine", {1, 2, affine}},
                                         {"polynomial", {1, 4, polynomial}},
                                         {"constant", {0, 1, constant}},
                                         {"reverse", {1, 0, reverse}},
                                         {"reverse_groups", {1, 1, reverse_groups}},
                                         {"reversed_lower_half", {1, 0, reversed_lower_half}},
                                         {"fold_signs", {1, 0, fold_signs}},
                                         {"parity_reversed", {1, 0, parity_reversed}},
                                         {"rotate_and_add", {1, 1, rotate_and_add}},
                                         {"sorted", {1, 0, sorted}},
                                         {"largest", {1, 0, largest}},
                                         {"scan", {1, 0, scan}},
                                         {"exclusive_scan", {1, 0, exclusive_scan}},
                                         {"block_sums", {1, 1, block_sums}},
                                         {"running_block_sums", {1, 1, running_block_sums}},
                                         {"sum_of_rows", {1, 1, block_sums}},
                                         {"sum_of_groups", {1, 1, sum_of_groups}},
                                         {"sum_of_columns", {1, 1, sum_of_columns}},
                                         {"sum_of_rotated_rows", {1, 1, sum_of_rotated_rows}},
                                         {"sums_of_squares", {2, 0, sums_of_squares}},
                                         {"moving_sum", {1, 1, moving_sum}},
                                         {"red_black", {1, 0, red_black}},
                                         {"histogram", {1, 1, histogram}},
                                         {"count_equal_in_groups", {1, 2, count_equal_in_groups}},
                                         {"count_positive", {1, 0, count_positive}},
                                         {"positives_first", {1, 0, positives_first}},
                                         {"atomic_results", {1, 0, atomic_results}},
                                         {"transpose", {1, 2, transpose}},
                                         {"matmul", {2, 3, matmul}},
                                         {"convolve_3x3", {1, 2, convolve_3x3}},
                                         {"mandelbrot", {0, 3, mandelbrot}},
                                         {"philox", {0, 2, philox}}};

}  // namespace

Expected reference(const std::string& name, const std::vector<Values>& arrays, const Values& numbers) {
    const auto found = table.find(name);
    if (found == table.end()) throw std::runtime_error("there is no reference `" + name + "'");
    const Entry& entry = found->second;
    if (arrays.size() != entry.arrays || numbers.size() != entry.numbers)
        throw std::runtime_error("the reference `" + name + "' takes " + std::to_string(entry.arrays) + " arrays and " +
                                 std::to_string(entry.numbers) + " numbers");
    Expected result = entry.function(arrays, numbers);
    if (result.sizes.empty())
        for (const double value : result.values) result.sizes.push_back(std::fabs(value));
    return result;
}

}  // namespace gallery
