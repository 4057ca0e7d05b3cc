// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "launch/rows/row_fusion.hpp"
#include "random_cases/cases.hpp"
#include "support/on_host.hpp"

// Random rows: several reductions of each in one kernel, beside long double. A layout that is given makes the host
// backend run a GPU's text.

namespace {

using namespace random_cases;
using gpu::detail::RowLayout;

const gpu::ReduceOptions kept{.axis = -1, .keepdims = true};

/// While one exists, this thread's rows are fused in this layout; or as the device would.
class FusedAs {
public:
    FusedAs(const RowLayout& layout, bool is_fixed) : layout_(layout) {
        gpu::detail::fuse_rows_as(is_fixed ? &layout_ : nullptr);
    }
    ~FusedAs() { gpu::detail::fuse_rows_as(nullptr); }
    FusedAs(const FusedAs&) = delete;
    FusedAs& operator=(const FusedAs&) = delete;

private:
    RowLayout layout_;
};

/// A layout and the length of the rows that it is for: the same number of loads for each thread in all cases of a plan.
struct Planned {
    explicit Planned(Case& one);
    RowLayout layout;
    std::int64_t n = 1;
    bool is_fixed;
};

Planned::Planned(Case& one) : is_fixed(support::on_host() || one.plan.chance(50)) {
    Random& plan = one.plan;
    layout.lanes = 1 << plan.below(8);
    layout.threads = layout.lanes > 32 ? layout.lanes : 32 << plan.below(3);
    layout.pack = 1 << plan.below(4);
    const int loads = 1 + plan.below(std::max(1, 32 / layout.pack));
    const bool reads_again = plan.chance(35);
    const std::int64_t stretch = std::int64_t{layout.lanes} * layout.pack;
    if (!is_fixed) {
        n = std::max<std::int64_t>(drawn_length(one.draw, one.max_elements), 1);
    } else if (reads_again) {
        layout.packs = 0;
        layout.in_shared = plan.chance(50) && layout.lanes > 32;  // a block keeps one row
        n = std::max<std::int64_t>(drawn_length(one.draw, 5000) / layout.pack, 1) * layout.pack;
    } else {
        layout.packs = loads;
        n = (loads - 1) * stretch + one.draw.between(1, layout.lanes) * layout.pack;
    }
}

std::string text_of(const Planned& planned) {
    if (!planned.is_fixed) return "as the device would";
    const RowLayout& layout = planned.layout;
    return std::to_string(layout.lanes) + " lanes of " + std::to_string(layout.threads) + " threads, " +
           std::to_string(layout.packs) + " loads of " + std::to_string(layout.pack) +
           (layout.in_shared ? ", in shared memory" : "");
}

gpu::Shape rows_of(const Planned& planned, int rank, Case& one) {
    gpu::Shape shape;
    const std::int64_t most = std::max<std::int64_t>(one.max_elements / planned.n, 1);
    for (int axis = 0; axis + 1 < rank; ++axis) {
        const std::int64_t rows = one.draw.chance(3) ? 0 : one.draw.between(1, rank == 3 ? 8 : 40);
        shape.append(std::min(rows, most));
    }
    shape.append(planned.n);
    return shape;
}

/// Numbers around an offset; a few are infinite or NaN.
template <class T>
Input<T> drawn_rows(const gpu::Shape& shape, Case& one, bool has_specials) {
    const double offset = one.draw.chance(30) ? 8 * one.draw.unit() : 0, scale = one.draw.chance(50) ? 1 : 6;
    has_specials = has_specials && one.draw.chance(30);
    std::vector<Held<T>> values;
    for (std::int64_t k = 0; k < shape.size(); ++k) {
        double value = offset + scale * (2 * one.draw.unit() - 1);
        if (has_specials && one.draw.below(50) == 0) {
            constexpr double list[] = {-std::numeric_limits<double>::infinity(), 0, -0.0,
                                       std::numeric_limits<double>::infinity(),
                                       std::numeric_limits<double>::quiet_NaN()};
            value = list[one.draw.below(5)];
        }
        if constexpr (std::is_integral_v<T>) values.push_back(static_cast<T>(100 * std::fabs(value)));
        else values.push_back(static_cast<T>(value));
    }
    Input<T> made = input_of<T>(shape, std::move(values), one);
    made.text = std::string(gpu::name(gpu::dtype_of<T>)) + ' ' + gpu::to_string(shape) + ", " + made.text;
    return made;
}

using Numbers = std::vector<Real>;

/// The sum, the largest and the smallest number of a row; NaN if one is.
struct Measured {
    explicit Measured(const Numbers& row) {
        for (const Real value : row) {
            sum += value;
            sizes += std::fabs(value);
            largest = value > largest || value != value ? value : largest;
            smallest = value < smallest || value != value ? value : smallest;
        }
        const auto n = static_cast<Real>(row.size());
        mean = sum / n;
        for (const Real value : row) variance += (value - mean) * (value - mean) / n;
        size = std::fmax(std::fabs(largest), std::fabs(smallest));
    }
    Real sum = 0, sizes = 0, largest = -property::infinity, smallest = property::infinity, mean = 0, variance = 0;
    Real size = 0;
};

template <class T>
Numbers row_at(const std::vector<Held<T>>& values, std::int64_t number, std::int64_t n) {
    Numbers row;
    for (std::int64_t k = 0; k < n; ++k)
        row.push_back(static_cast<Real>(static_cast<double>(values[static_cast<std::size_t>(number * n + k)])));
    return row;
}

bool is_near(Real got, Real want, Real error) {
    if (std::isnan(want)) return std::isnan(got);
    if (std::isinf(want)) return got == want;
    return std::fabs(got - want) <= error;
}

/// Compares each row of a result, of which there is an element for each place or one for all.
template <class R, class T, class F>
std::string problem_of_rows(const gpu::Array<R>& got, const gpu::Shape& shape, const std::vector<Held<T>>& values,
                            std::int64_t n, const F& is_right) {
    std::string problem = problem_of_form<R>(got.core(), shape);
    if (!problem.empty()) return problem;
    const std::vector<Held<R>> results = on_host<R>(got.core());
    const std::int64_t count = static_cast<std::int64_t>(values.size()) / n;
    const std::int64_t made = count == 0 ? 0 : static_cast<std::int64_t>(results.size()) / count;
    for (std::int64_t number = 0; number < count; ++number) {
        const Numbers row = row_at<T>(values, number, n);
        const Measured measured(row);
        for (std::int64_t k = 0; k < made; ++k) {
            const auto at = static_cast<std::size_t>(number * made + k);
            const auto value = static_cast<Real>(static_cast<double>(results[at]));
            if (!is_right(number, static_cast<std::size_t>(k), value, row, measured))
                return "element " + std::to_string(k) + " of row " + std::to_string(number) + " is wrong: " +
                       std::to_string(static_cast<double>(value));
        }
    }
    return {};
}

template <class T>
constexpr Real unit_of() {
    return std::is_same_v<T, gpu::half> ? 0x1p-11L : std::is_same_v<T, float> ? 0x1p-24L : 0x1p-53L;
}

Real exponentials(const Numbers& row, const Measured& measured) {
    Real sum = 0;
    for (const Real value : row) sum += std::exp(value - measured.largest);
    return sum;
}

/// softmax() and logsumexp(), with reductions that libgpu combines, and a softmax of the program's.
template <class T>
std::string softmax_of(Case& one) {
    const int way = std::is_same_v<T, gpu::half> ? 2 * one.plan.below(2) : one.plan.below(3);
    const Planned planned(one);
    const gpu::Shape shape = rows_of(planned, 1 + one.plan.below(3), one);
    const Input<T> x = drawn_rows<T>(shape, one, true);
    const char* const names[] = {"softmax", "a fused softmax", "logsumexp"};
    one.text = std::string(names[way]) + ", " + text_of(planned) + ": " + x.text;
    const gpu::View<const T> view(x.view);
    const FusedAs as(planned.layout, planned.is_fixed);
    if (way == 2) {
        gpu::Shape ones = shape;
        ones[shape.rank() - 1] = 1;
        const gpu::Array<T> got = gpu::logsumexp(view, {.axis = -1, .keepdims = true});
        return problem_of_rows<T, T>(got, ones, x.values, planned.n, [&](auto, auto, Real value, const Numbers& row,
                                                                        const Measured& measured) {
            if (std::isinf(measured.largest)) return is_near(value, measured.largest, 0) || std::isnan(value);
            const Real want = measured.largest + std::log(exponentials(row, measured));
            return is_near(value, want, 40 * unit_of<T>() * (1 + std::fabs(want) + measured.size));
        });
    }
    const gpu::Array<T> got = [&]() -> gpu::Array<T> {
        if (way == 0) return gpu::softmax(view, {.axis = -1});
        return gpu::fuse([](const auto& a) {
            const auto e = exp(a - gpu::max(a, kept));
            return e / gpu::sum(e, kept);
        })(view);
    }();
    Real sum = 0;
    return problem_of_rows<T, T>(got, shape, x.values, planned.n, [&](auto, std::size_t k, Real value,
                                                                     const Numbers& row, const Measured& measured) {
        if (k == 0) sum = exponentials(row, measured);
        const Real want = std::exp(row[k] - measured.largest) / sum, apart = std::fabs(row[k] - measured.largest);
        const Real within = want == 0 ? 0 : (40 + apart) * want;
        return is_near(value, want,
                       unit_of<T>() * within + (std::is_same_v<T, gpu::half> ? 0x1p-24L : 0x1p-125L));
    });
}

/// Rows less their mean over their deviation; with a scale and a shift for each place; with a range of 1.
template <class T>
std::string standardised_of(Case& one) {
    const int way = one.plan.below(3);
    const Planned planned(one);
    const gpu::Shape shape = rows_of(planned, 1 + one.plan.below(3), one), places{planned.n};
    const Input<T> x = drawn_rows<T>(shape, one, false), scale = drawn_rows<T>(places, one, false),
                   shift = drawn_rows<T>(places, one, false);
    const char* const names[] = {"standardised rows", "layer norm", "rows between 0 and 1"};
    one.text = std::string(names[way]) + ", " + text_of(planned) + ": " + x.text;
    const gpu::View<const T> view(x.view), scales(scale.view), shifts(shift.view);
    const FusedAs as(planned.layout, planned.is_fixed);
    const gpu::Array<T> got = [&]() -> gpu::Array<T> {
        if (way == 0) {
            return gpu::fuse([](const auto& a) {
                return (a - gpu::mean(a, kept)) / gpu::stddev(a, {.axis = -1, .keepdims = true});
            })(view);
        }
        if (way == 1) {
            return gpu::fuse([](const auto& a, const auto& by, const auto& to) {
                const auto apart = a - gpu::mean(a, kept);
                return apart * gpu::rsqrt(gpu::mean(apart * apart, kept) + T(1e-5)) * by + to;
            })(view, scales, shifts);
        }
        return gpu::fuse([](const auto& a) {
            const auto least = gpu::min(a, kept);
            return (a - least) / (gpu::max(a, kept) - least + T(1));
        })(view);
    }();
    const auto number = [](const Held<T>& value) { return static_cast<Real>(value); };
    return problem_of_rows<T, T>(got, shape, x.values, planned.n, [&](auto, std::size_t k, Real value,
                                                                     const Numbers& row, const Measured& measured) {
        const Real unit = unit_of<T>();
        if (way == 2) {
            const Real want = (row[k] - measured.smallest) / (measured.largest - measured.smallest + 1);
            return is_near(value, want, 8 * unit * std::fabs(want));
        }
        const Real deviation = std::sqrt(measured.variance + (way == 1 ? 1e-5L : 0)),
                   want = (row[k] - measured.mean) / deviation;
        if (deviation == 0) return std::isnan(value) || row.size() > 1;
        const Real error = 40 * unit * (1 + measured.size / deviation) * (1 + std::fabs(want));
        if (way == 0) return is_near(value, want, error);
        const Real by = number(scale.values[k]), to = number(shift.values[k]);
        return is_near(value, want * by + to,
                       error * std::fabs(by) + 4 * unit * (std::fabs(want * by) + std::fabs(to)));
    });
}

/// One number for each row: a cosine of two rows, a sum of parts of the largest element.
template <class T>
std::string numbers_of(Case& one) {
    const bool is_cosine = one.plan.chance(50);
    const Planned planned(one);
    const gpu::Shape shape = rows_of(planned, 2 + one.plan.below(2), one);
    gpu::Shape made = shape;
    made[shape.rank() - 1] = 1;
    const Input<T> x = drawn_rows<T>(shape, one, false), y = drawn_rows<T>(shape, one, false);
    one.text = std::string(is_cosine ? "cosines" : "sums of parts") + ", " + text_of(planned) + ": " + x.text +
               " and " + y.text;
    const gpu::View<const T> a(x.view), b(y.view);
    const FusedAs as(planned.layout, planned.is_fixed);
    if (is_cosine) {
        const gpu::Array<T> got = gpu::fuse([](const auto& u, const auto& v) {
            return gpu::sum(u * v, kept) / gpu::linalg::norm(u, {.axis = -1, .keepdims = true}) /
                   gpu::linalg::norm(v, {.axis = -1, .keepdims = true});
        })(a, b);
        return problem_of_rows<T, T>(got, made, x.values, planned.n, [&](std::int64_t number, auto, Real value,
                                                                        const Numbers& row, const Measured&) {
            const Numbers other = row_at<T>(y.values, number, planned.n);
            Real product = 0, first = 0, second = 0;
            for (std::size_t k = 0; k < row.size(); ++k) {
                product += row[k] * other[k];
                first += row[k] * row[k];
                second += other[k] * other[k];
            }
            return is_near(value, product / std::sqrt(first) / std::sqrt(second), 60 * unit_of<T>());
        });
    }
    const gpu::Array<T> got =
        gpu::fuse([](const auto& u) { return gpu::sum(u / gpu::max(abs(u), kept), kept); })(a);
    return problem_of_rows<T, T>(got, made, x.values, planned.n,
                                 [&](auto, auto, Real value, const Numbers&, const Measured& measured) {
                                     const Real want = measured.sum / measured.size;
                                     return is_near(value, want, 60 * unit_of<T>() * measured.sizes / measured.size);
                                 });
}

/// Whole numbers, exactly.
template <class T>
std::string whole_of(Case& one) {
    const bool finds = one.plan.chance(50);
    const Planned planned(one);
    const gpu::Shape shape = rows_of(planned, 1 + one.plan.below(3), one);
    const Input<T> x = drawn_rows<T>(shape, one, false);
    one.text = std::string(finds ? "places of the largest" : "sums with the smallest") + ", " + text_of(planned) +
               ": " + x.text;
    const gpu::View<const T> view(x.view);
    const FusedAs as(planned.layout, planned.is_fixed);
    if (finds) {
        gpu::Shape made = shape;
        made[shape.rank() - 1] = 1;
        const gpu::Array<std::int64_t> got =
            gpu::fuse([](const auto& a) { return gpu::argmax(a, kept) * 1000 + gpu::max(a, kept); })(view);
        return problem_of_rows<std::int64_t, T>(
            got, made, x.values, planned.n, [&](auto, auto, Real value, const Numbers& row, const Measured& measured) {
                const auto place = std::find(row.begin(), row.end(), measured.largest) - row.begin();
                return value == static_cast<Real>(place * 1000) + measured.largest;
            });
    }
    const gpu::Array<std::int64_t> got = gpu::fuse(
        [](const auto& a) { return a.template astype<std::int64_t>() - gpu::min(a, kept) + gpu::sum(a, kept); })(
        view.template astype<T>()).template astype<std::int64_t>();
    return problem_of_rows<std::int64_t, T>(
        got, shape, x.values, planned.n, [&](auto, std::size_t k, Real value, const Numbers& row,
                                             const Measured& measured) {
            return value == row[k] - measured.smallest + measured.sum;
        });
}

std::string rows_call(Case& one) {
    const int kind = one.plan.below(10);
    if (kind < 2) return one.plan.chance(50) ? softmax_of<float>(one) : softmax_of<double>(one);
    if (kind < 4) return softmax_of<gpu::half>(one);
    if (kind < 7) return one.plan.chance(70) ? standardised_of<float>(one) : standardised_of<double>(one);
    if (kind < 8) return one.plan.chance(70) ? numbers_of<float>(one) : numbers_of<double>(one);
    return one.plan.chance(50) ? whole_of<std::int32_t>(one) : whole_of<std::uint16_t>(one);
}

}  // namespace

TEST_CASE("random rows of which several reductions are one kernel") { check_cases("rows", rows_call, 2); }
