// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <gpu/eigen.hpp>

#include "property/operations.hpp"
#include "property/reductions.hpp"
#include "property/term.hpp"
#include "property/trial.hpp"
#include "property/typed.hpp"
#include "support/temporary_folder.hpp"

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

// Arrays of several types and layouts, one behind the other and on a new axis; files.

namespace {

using gpu::DType;

DType draw_type(DType favourite, Random& plan) {
    return plan.chance(60) ? favourite : static_cast<DType>(plan.below(dtype_count));
}

}  // namespace

void join_case(Trial& trial, Random& plan, Random& draw, int size) {
    const bool stacks = plan.chance(40);
    const int rank = stacks ? plan.below(4) : 1 + plan.below(3), places = stacks ? rank + 1 : rank;
    const int axis = plan.below(places), written = plan.chance(30) ? axis - places : axis;
    const gpu::Shape shape = draw_shape(rank, draw, std::min(size, 2));
    const DType favourite = static_cast<DType>(plan.below(dtype_count));
    const int count = 1 + plan.below(4);
    std::vector<Input> parts;
    std::vector<gpu::detail::NodePointer> nodes;
    DType type = DType::boolean;
    std::int64_t length = stacks ? count : 0;
    std::string list;
    for (int k = 0; k < count; ++k) {
        gpu::Shape own = shape;
        if (!stacks) length += own[axis] = draw.between(0, 6);
        const DType of = draw_type(favourite, plan);
        parts.push_back(
            draw_input("x" + std::to_string(k), of, own, {false, draw.chance(15), false, false}, plan, draw));
        nodes.push_back(gpu::detail::leaf(parts.back().window));
        type = k == 0 ? of : promoted(type, of);
        trial.program += "  " + parts.back().definition + "\n";
        list += (k == 0 ? "" : ", ") + parts.back().spelling;
    }
    trial.program += std::string("  auto z = gpu::") + (stacks ? "stack" : "concatenate") + "({" + list +
                     "}, {.axis = " + std::to_string(written) + "});";
    trial.want.dtype = type;
    for (int k = 0, from = 0; k < (stacks ? rank + 1 : rank); ++k) {
        trial.want.shape.append(k == axis ? length : shape[from]);
        if (!stacks || k != axis) ++from;
    }
    for_each_position(trial.want.shape, [&](const std::vector<std::int64_t>& at) {
        std::vector<std::int64_t> there = at;
        std::int64_t& along = there[static_cast<std::size_t>(axis)];
        std::size_t part = 0;
        if (stacks) {
            part = static_cast<std::size_t>(along);
            there.erase(there.begin() + axis);
        } else {
            while (along >= parts[part].elements.shape[axis]) along -= parts[part++].elements.shape[axis];
        }
        const Elements& from = parts[part].elements;
        trial.want.values.push_back(converted(from.dtype, type, from.values[number_of(from.shape, there)]));
    });
    trial.got = to_elements(stacks ? gpu::detail::stack(nodes, written) : gpu::detail::concatenate(nodes, written));
}

void file_case(Trial& trial, Random& plan, Random& draw, int size) {
    const DType type = static_cast<DType>(plan.below(dtype_count));
    const gpu::Shape shape = draw_shape(plan.below(5), draw, size);
    const Input x = draw_input("x", type, shape, {false, draw.chance(30), false, false}, plan, draw);
    trial.program =
        "  " + x.definition + "\n  gpu::save_npy(file, " + x.spelling + ");\n  auto z = gpu::load_npy(file);";
    trial.want = x.elements;
    const support::TemporaryFolder folder;
    const std::string file = folder / "x.npy";
    with_type(type, [&]<class T>(Type<T>) {
        gpu::save_npy(file, gpu::View<const T>(x.window));
        const gpu::Array<T> typed = gpu::load_npy<T>(file);
        trial.got = to_elements(gpu::load_npy(file).core());
        if (!judge({"", trial.got, to_elements(typed.core())}).problem.empty())
            throw std::logic_error("load_npy<T> and load_npy give different elements");
        // A whole array comes back in its own order; one without elements has both, and is written in C order.
        if (x.spelling == "x" && shape.size() > 0 &&
            typed.core().strides != gpu::detail::make_array(type, shape, x.layout).strides)
            throw std::logic_error("the file has turned the array's order round");
    });
}

// There and back: Eigen, and random numbers drawn whole and in pieces.

namespace {

using gpu::DType;

template <class T>
constexpr bool eigen_holds = std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int32_t>;

void through_eigen(Trial& trial, Random& plan, Random& draw, int size) {
    const DType types[] = {DType::float32, DType::float64, DType::int32};
    const DType type = types[plan.below(3)];
    const gpu::Shape shape = draw_shape(2, draw, size);
    const Input x = draw_input("x", type, shape, {false, draw.chance(20), false, false}, plan, draw);
    const bool row_major = plan.chance(50);
    trial.program = "  " + x.definition + "\n  auto matrix = gpu::to_eigen" + (row_major ? "<row-major matrix>" : "") +
                    "(gpu::Array(" + x.spelling + "));\n  auto z = gpu::to_device(matrix);";
    trial.want = x.elements;
    with_type(type, [&]<class T>(Type<T>) {
        if constexpr (eigen_holds<T>) {
            using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
            const gpu::Array<T> array{gpu::View<const T>(x.window)};
            const gpu::Array<T> z =
                row_major ? gpu::to_device(gpu::to_eigen<Rows>(array)) : gpu::to_device(gpu::to_eigen(array));
            trial.got = to_elements(z.core());
        }
    });
}

void random_pieces(Trial& trial, Random& plan, Random& draw, int size) {
    const DType type = plan.chance(50) ? DType::float32 : DType::float64;
    const bool integers = plan.chance(50);
    const std::uint64_t seed = draw.next() % 1000;
    const std::int64_t count = draw.between(0, size == 3 ? 3000 : 20), cut = draw.between(0, count);
    trial.program = "  gpu::random::Generator rng(" + std::to_string(seed) + ");  // " + std::to_string(count) +
                    (integers ? " integers<std::int32_t> in [-7, 100)" : " uniform<" + cpp_name(type) + ">") +
                    ", whole, and in two pieces of which the first has " + std::to_string(cut);
    const auto draw_piece = [&](gpu::random::Generator& rng, std::int64_t length) {
        const gpu::Shape shape{length};
        if (integers) return to_elements(rng.integers<std::int32_t>(shape, -7, 100).core());
        if (type == DType::float32) return to_elements(rng.uniform<float>(shape, -1, 3).core());
        return to_elements(rng.uniform<double>(shape, -1, 3).core());
    };
    gpu::random::Generator whole(seed), pieces(seed);
    trial.want = draw_piece(pieces, cut);
    const Elements rest = draw_piece(pieces, count - cut);
    trial.want.values.insert(trial.want.values.end(), rest.values.begin(), rest.values.end());
    trial.want.shape = gpu::Shape{count};
    trial.got = draw_piece(whole, count);
}

}  // namespace

void round_trip_case(Trial& trial, Random& plan, Random& draw, int size) {
    if (plan.chance(50))
        through_eigen(trial, plan, draw, size);
    else
        random_pieces(trial, plan, draw, size);
}

// Elements that change their places along an axis of any window: sort(), argsort() and roll().

namespace {

using gpu::DType;
using List = std::vector<Element>;

// NaN is larger than anything.
bool goes_before(const Element& a, const Element& b) { return a.re < b.re || (b.re != b.re && a.re == a.re); }

// For each element of a line where it comes from.
std::vector<std::int64_t> sources(const List& line, bool sorts, std::int64_t shift) {
    std::vector<std::int64_t> from(line.size());
    std::iota(from.begin(), from.end(), 0);
    if (sorts) {
        std::stable_sort(from.begin(), from.end(), [&](std::int64_t a, std::int64_t b) {
            return goes_before(line[static_cast<std::size_t>(a)], line[static_cast<std::size_t>(b)]);
        });
    } else if (!line.empty()) {
        const auto n = static_cast<std::int64_t>(line.size());
        std::rotate(from.begin(), from.begin() + ((-shift % n) + n) % n, from.end());
    }
    return from;
}

}  // namespace

void sorting_case(Trial& trial, Random& plan, Random& draw, int size) {
    const int way = plan.below(3);  // sort, argsort, roll
    const int rank = 1 + plan.below(4), axis = plan.below(rank), written = plan.chance(40) ? axis - rank : axis;
    // Complex types come last, and have no order.
    const auto type = static_cast<DType>(plan.below(way == 2 ? dtype_count : dtype_count - 2));
    const gpu::Shape shape = draw_shape(rank, draw, size);
    const Input x = draw_input("x", type, shape, {false, draw.chance(50), false, false}, plan, draw);
    const std::int64_t shift = draw.between(-70, 70);
    const char* const names[] = {"sort", "argsort", "roll"};
    trial.program = "  " + x.definition + "\n  auto z = gpu::" + names[way] + "(" + x.spelling + ", " +
                    (way == 2 ? std::to_string(shift) + ", " : "") + "{.axis = " + std::to_string(written) + "});";

    trial.want = x.elements;
    if (way == 1) trial.want.dtype = DType::int64;
    gpu::Shape lines = shape;
    lines[axis] = std::min<std::int64_t>(shape[axis], 1);
    for_each_position(lines, [&](const std::vector<std::int64_t>& at) {
        std::vector<std::size_t> places;
        List line;
        std::vector<std::int64_t> there = at;
        for (std::int64_t k = 0; k < shape[axis]; ++k) {
            there[static_cast<std::size_t>(axis)] = k;
            places.push_back(number_of(shape, there));
            line.push_back(x.elements.values[places.back()]);
        }
        const std::vector<std::int64_t> from = sources(line, way < 2, shift);
        for (std::size_t k = 0; k < line.size(); ++k) {
            const Element position{static_cast<Real>(from[k]), 0, 0};
            trial.want.values[places[k]] = way == 1 ? position : line[static_cast<std::size_t>(from[k])];
        }
    });
    const gpu::detail::NodePointer node = gpu::detail::leaf(x.window);
    trial.got = to_elements(way == 0   ? gpu::detail::sort(node, written)
                            : way == 1 ? gpu::detail::argsort(node, written)
                                       : gpu::detail::roll(node, shift, written));
}

// Masks, cumulative sums and products.

namespace {

using gpu::DType;
using Position = std::vector<std::int64_t>;

DType any_dtype(Random& plan) { return static_cast<DType>(plan.below(dtype_count)); }

// compress(mask, x): the elements under the mask, in row-major order.
void compressed(Trial& trial, Random& plan, Random& draw, int size) {
    const gpu::Shape shape = draw_shape(plan.below(4), draw, size);
    const Input mask = draw_input("mask", DType::boolean, shape, {}, plan, draw);
    const Input x = draw_input("x", any_dtype(plan), shape, {false, draw.chance(20), false, false}, plan, draw);
    trial.program = "  " + mask.definition + "\n  " + x.definition + "\n  auto z = gpu::compress(" + mask.spelling +
                    ", " + x.spelling + ");";
    trial.want.dtype = x.dtype;
    for (std::size_t k = 0; k < x.elements.values.size(); ++k) {
        if (mask.elements.values[k].re != 0) trial.want.values.push_back(x.elements.values[k]);
    }
    trial.want.shape = gpu::Shape{trial.want.values.size()};
    with_type(x.dtype, [&]<class T>(Type<T>) {
        trial.got = to_elements(gpu::compress(gpu::View<const bool>(mask.window), gpu::View<const T>(x.window)).core());
    });
}

// x[mask] = y[mask] and x[mask] = number, into windows.
void assigned_under_mask(Trial& trial, Random& plan, Random& draw, int size) {
    const gpu::Shape shape = draw_shape(plan.below(4), draw, size);
    const DType type = any_dtype(plan);
    const Input mask = draw_input("mask", DType::boolean, shape, {}, plan, draw);
    const Input x = draw_input("x", type, shape, {}, plan, draw);
    const Input y = draw_input("y", type, shape, {}, plan, draw);
    const Element number = draw_value(type, {false, false, false, true}, draw);
    const bool by_number = plan.chance(40);
    trial.program = "  " + mask.definition + "\n  " + x.definition + "\n  " + y.definition + "\n  " + x.spelling + "[" +
                    mask.spelling +
                    "] = " + (by_number ? literal(type, number) : y.spelling + "[" + mask.spelling + "]") + ";";
    trial.want = x.base;
    for (std::size_t k = 0; k < x.place.size(); ++k) {
        if (mask.elements.values[k].re != 0) trial.want.values[x.place[k]] = by_number ? number : y.elements.values[k];
    }
    with_type(type, [&]<class T>(Type<T>) {
        const gpu::View<T> target(x.window), source(y.window);
        const gpu::View<const bool> under(mask.window);
        if (by_number)
            target[under] = Stored<T>::from(number);
        else
            target[under] = source[under];
    });
    trial.got = to_elements(x.array);
}

void accumulated(Trial& trial, Random& plan, Random& draw, int size) {
    const Expression expression(plan, draw, size, 1);
    const Elements input = expression.reference();
    const int rank = input.shape.rank();
    const bool flat = rank == 0 || plan.chance(30), multiplies = plan.chance(35);
    const int axis = flat ? 0 : plan.below(rank);
    trial.program = expression.definitions() + "  auto z = gpu::" + (multiplies ? "cumprod(" : "cumsum(") +
                    expression.spelling() + (flat ? ");" : ", {.axis = " + std::to_string(axis) + "});");
    trial.want = {wide(input.dtype), flat ? gpu::Shape{input.shape.size()} : input.shape, {}};
    gpu::Shape lines = input.shape;  // one a running sum
    if (!flat) lines[axis] = 1;
    std::vector<List> seen(flat ? 1 : static_cast<std::size_t>(lines.size()));
    std::size_t number = 0;
    for_each_position(input.shape, [&](const Position& at) {
        Position line = at;
        if (!flat) line[static_cast<std::size_t>(axis)] = 0;
        List& list = seen[flat ? 0 : number_of(lines, line)];
        list.push_back(input.values[number++]);
        trial.want.values.push_back(multiplies ? product_of(input.dtype, list) : sum_of(input.dtype, list));
    });
    with_type(input.dtype, [&]<class T>(Type<T>) {
        const gpu::Expr<T> value(expression.node());
        const gpu::ScanOptions options = flat ? gpu::ScanOptions{} : gpu::ScanOptions{.axis = axis};
        trial.got = to_elements(multiplies ? gpu::cumprod(value, options).core() : gpu::cumsum(value, options).core());
    });
}

void positions(Trial& trial, Random& plan, Random& draw, int size) {
    const gpu::Shape shape = draw_shape(plan.below(4), draw, size);
    const Input x = draw_input("x", any_dtype(plan), shape, {}, plan, draw);
    trial.program = "  " + x.definition + "\n  auto z = gpu::flatnonzero(" + x.spelling + ");";
    trial.want.dtype = DType::int64;
    for (std::size_t k = 0; k < x.elements.values.size(); ++k) {
        const Element& value = x.elements.values[k];
        if (value.re != 0 || value.im != 0) trial.want.values.push_back({static_cast<Real>(k), 0, 0});
    }
    trial.want.shape = gpu::Shape{trial.want.values.size()};
    with_type(x.dtype, [&]<class T>(Type<T>) {
        trial.got = to_elements(gpu::flatnonzero(gpu::View<const T>(x.window)).core());
    });
}

}  // namespace

void indexing_case(Trial& trial, Random& plan, Random& draw, int size) {
    using Way = void (*)(Trial&, Random&, Random&, int);
    constexpr Way ways[] = {compressed, assigned_under_mask, accumulated, positions};
    ways[plan.below(4)](trial, plan, draw, size);
}

}  // namespace property
