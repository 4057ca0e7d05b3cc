// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codegen/kernel_text.hpp"
#include "cuda/plan/thread_mapping.hpp"

// Kernel texts that together take every branch of the skeletons.
namespace texts {

using gpu::detail::ElementwiseText;
using gpu::detail::Parameter;
using gpu::detail::RawText;
using gpu::detail::ReductionText;
using gpu::detail::SourceText;
using gpu::detail::cuda::AccessPattern;
using gpu::detail::cuda::Traversal;
using gpu::detail::cuda::ReductionThreads;
using gpu::detail::cuda::ReductionWalk;
using gpu::detail::cuda::ThreadMapping;

inline Parameter input(std::string type, std::string name, bool strided = false) {
    return {Parameter::Role::input, std::move(type), std::move(name), strided};
}
inline Parameter output(std::string type, std::string name, bool strided = false) {
    return {Parameter::Role::output, std::move(type), std::move(name), strided};
}
inline Parameter scalar(std::string type, std::string name) {
    return {Parameter::Role::scalar, std::move(type), std::move(name), false};
}

/// A raw array, of rank 0 to 8.
inline Parameter raw(Parameter parameter, int rank, bool is_dense) {
    parameter.is_raw = true;
    parameter.rank = rank;
    parameter.is_dense = is_dense;
    return parameter;
}

inline ElementwiseText elementwise(std::string name, std::vector<Parameter> parameters, std::string body,
                                   int rank = 1) {
    ElementwiseText text;
    text.body = {std::move(body), name, 1};
    text.name = std::move(name);
    text.parameters = std::move(parameters);
    text.rank = rank;
    return text;
}

/// The text for threads that go through it so; `along` has a place for each array that isn't raw.
inline ElementwiseText planned(ElementwiseText text, ThreadMapping plan) {
    text.plan = std::make_shared<const ThreadMapping>(std::move(plan));
    return text;
}

/// "T x, T y" -> "T z" for floats, all linear: the kernel that packs four elements.
inline ElementwiseText squared_diff() {
    auto text = elementwise("squared_diff", {input("T", "x"), input("T", "y"), output("T", "z")},
                            "z = (x - y) * (x - y)");
    text.typedefs = "typedef float T;\n";
    return text;
}

/// A strided input, a broadcast one, a scalar and a linear output, over three axes.
inline ElementwiseText strided_scale() {
    return elementwise("strided_scale", {input("double", "x", true), input("int", "y", true), scalar("float", "factor"),
                                         output("double", "z")}, "z = x * factor + y;  // no semicolon is missing", 3);
}

inline ReductionText reduction(std::string name, std::vector<Parameter> parameters, std::string accumulator,
                               std::string map, std::string reduce, std::string post, std::string identity) {
    ReductionText text;
    text.parameters = std::move(parameters);
    text.accumulator = std::move(accumulator);
    text.map = {std::move(map), name + " (map)", 1};
    text.reduce = {std::move(reduce), name + " (reduce)", 1};
    text.post = {std::move(post), name + " (post)", 1};
    text.identity = std::move(identity);
    text.name = std::move(name);
    return text;
}

/// A whole-array reduction of a linear input.
inline ReductionText l2norm() {
    auto text = reduction("l2norm", {input("T", "x"), output("T", "y")}, "double", "x * x", "a + b", "y = sqrt(a)",
                          "0");
    text.typedefs = "typedef float T;\n";
    return text;
}

/// No identity, two strided inputs and a strided output, two kept and two reduced axes, a scalar in map and post.
inline ReductionText strided_max() {
    auto text = reduction("strided_max", {input("float", "x", true), input("float", "w", true), scalar("float", "s"),
                                          output("float", "y", true)},
                          "float", "x * w * s", "a > b ? a : b", "y = a + s;", "");
    text.kept_rank = 2;
    text.reduced_rank = 2;
    return text;
}

/// An accumulator from the preamble that has no default constructor.
inline ReductionText argmax() {
    auto text = reduction("argmax", {input("float", "x", true), output("long long", "index")}, "Best", "Best(x, 0)",
                          "b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a",
                          "index = a.index", "");
    text.preamble = {"struct Best {\n    float value; long long index;\n"
                     "    __device__ Best(float v, long long i) : value(v), index(i) {}\n};\n", "argmax (preamble)", 1};
    text.kept_rank = 1;
    return text;
}

/// A raw input by linear index and by axes, a raw output, and the index along each of three axes.
inline ElementwiseText raw_turn() {
    auto text = elementwise("raw_turn", {raw(output("float", "z"), 1, true), raw(input("float", "x"), 3, false),
                                         input("float", "y", true)},
                            "const long long j = _ind.get()[2];\n"
                            "z[_ind.size() - 1 - i] = x[i] + 1000 * x[{_ind.get()[0], _ind.get()[1], j}] + y;", 3);
    text.has_axes = true;
    return text;
}

/// A raw input beside packed ones, in blocks of 512.
inline ElementwiseText raw_packed() {
    auto text =
        elementwise("raw_packed", {output("float", "z"), input("float", "x"), raw(input("float", "y"), 2, true)},
                    "z = x + y[_ind.size() - 1 - i] * y.size()");
    text.block = 512;
    text.options = {"-DUNUSED=1"};
    return text;
}

/// A row and a column that are broadcast, in packs.
inline ElementwiseText rows_in_packs() {
    auto text = elementwise("rows_in_packs", {output("half", "z", true), input("half", "x", true),
                                              input("half", "y", true), input("float", "w", true)}, "z = x - y + w", 2);
    return planned(
        text, {.width = 8, .access = {AccessPattern::contiguous, AccessPattern::contiguous, AccessPattern::broadcast}});
}

/// Two inputs that lie across the output's rows, one that doesn't, and the index, in tiles of 32 x 32.
inline ElementwiseText through_tiles() {
    auto text = elementwise("through_tiles", {output("float", "z", true), input("half", "x", true),
                                              input("complex<double>", "y", true), input("float", "w", true)},
                            "z = x + y.real() + w + i", 3);
    return planned(text, {.walk = Traversal::tiles,
                          .width = 1024,
                          .across_log2 = 5,
                          .access = {AccessPattern::any, AccessPattern::tile, AccessPattern::tile},
                          .index_steps = {1, 1, 1}});
}

/// Inputs along each of three axes, one that is the same along the first of these, and an axis before them.
inline ElementwiseText through_deep_tiles() {
    auto text = elementwise("through_deep_tiles", {output("float", "z", true), input("float", "x", true),
                                                   input("half", "y", true), input("float", "w", true)},
                            "if (x > 0) z = x + y + w + i", 4);
    return planned(text,
                   {.walk = Traversal::tiles,
                    .width = 4096,
                    .across_log2 = 4,
                    .deep_log2 = 4,
                    .near_axes = 1,
                    .access = {AccessPattern::any, AccessPattern::tile, AccessPattern::deep, AccessPattern::broadcast},
                    .index_steps = {1, 1, 1, 1}});
}

inline std::vector<ElementwiseText> elementwise_table() {
    std::vector<ElementwiseText> table{squared_diff(), strided_scale()};
    table.push_back(elementwise("fill", {scalar("float", "value"), output("float", "y")}, "y = value"));
    table.push_back(elementwise("iota", {output("long long", "y")}, "y = _ind.size() - 1 - i"));
    table.push_back(elementwise("mixed", {input("bool", "mask"), input("double", "x"), output("signed char", "y")},
                                "if (mask) y = (signed char)x;"));
    table.push_back(elementwise("speak", {input("float", "x"), output("float", "y")},
                                "y = abs(x); if (x < 0) printf(\"x[%lld] = %g\\n\", i, x);"));
    table.push_back(elementwise("numpy_types", {input("float", "x"), output("double", "y")},
                                "float16 h = x; complex64 z(h, 1); int64 n = int8(x); bool_ b = uint16(n) > 3;\n"
                                "y = complex128(z).real() + n + b + float64(h) + sizeof(uint64)"));
    table.push_back(elementwise("bytes", {input("unsigned char", "x"), output("unsigned char", "y")}, "y = ~x"));
    table.push_back(elementwise("two_outputs",
                                {input("int", "x"), output("int", "q", true), output("int", "r", true)},
                                "q = x / 7; r = x % 7", 1));
    for (int rank = 1; rank <= 8; ++rank) {
        table.push_back(elementwise("rank" + std::to_string(rank),
                                    {input("float", "x", true), output("float", "y", true)}, "y = x", rank));
    }
    table.push_back(elementwise("long_body", {input("float", "x"), output("float", "y")},
                                "float c = 0;\nfor (int k = 0; k < 100; ++k) {\n    c = c * c + x;\n"
                                "    if (c > 4) break;\n}\ny = c + exp(x) + log(x) + sin(x) + cos(x) + pow(x, 2.5f) +"
                                " sqrt(x) + int64_t(3) + (x > 0 ? INFINITY : NAN);\nreturn"));
    table.push_back(elementwise("sum(x * y) / 2", {input("float", "x"), output("float", "y")}, "y = helper(x)"));
    table.back().preamble = {"__device__ float helper(float x) { return x / 2; }", "helpers.cpp", 40};
    // Names that a skeleton could use for its own variables.
    table.push_back(elementwise("names",
                                {input("float", "space", true), input("float", "width"), scalar("float", "step"),
                                 scalar("float", "first"), output("float", "packs")},
                                "packs = space * width + step - first"));
    table.push_back(raw_turn());
    table.push_back(raw_packed());
    table.push_back(rows_in_packs());
    table.push_back(through_deep_tiles());
    table.push_back(through_tiles());
    for (int rank = 0; rank <= 8; ++rank) {
        table.push_back(elementwise("raw_rank" + std::to_string(rank),
                                    {output("double", "z"), raw(input("double", "x"), rank, rank == 0)}, "z = x[i]"));
    }
    table.push_back(elementwise("raw_atomic", {input("int", "x"), raw(output("int", "bins"), 1, true)},
                                "atomicAdd(&bins[x], 1)"));
    // CUDA has a function of that name too.
    table.push_back(elementwise("sqrt", {input("float", "x"), output("float", "y")}, "y = sqrt(x)"));
    return table;
}

/// Two outputs, a raw array in map and post, the place and the sizes.
inline ReductionText two_results() {
    auto text = reduction("two_results", {input("int", "k", true), raw(input("double", "table"), 1, false),
                                          output("double", "sum", true), output("long long", "places", true)},
                          "Both", "Both{table[k], _J}", "Both{a.x + b.x, a.j + b.j}",
                          "sum = a.x + table[0]; places = a.j * 100 + _in_ind.size() / _out_ind.size()", "Both{0, 0}");
    text.preamble = {"struct Both { double x; long long j; };\n", "two_results (preamble)", 1};
    text.kept_rank = 1;
    text.reduced_rank = 1;
    return text;
}

inline ReductionText walking(ReductionText text, ReductionWalk walk) {
    text.plan = std::make_shared<const ReductionThreads>(ReductionThreads{.walk = walk});
    return text;
}

inline std::vector<ReductionText> reduction_table() {
    std::vector<ReductionText> table{l2norm(), strided_max(), argmax(), two_results()};
    for (const char* type : {"bool", "int", "unsigned long long", "float", "double"}) {
        const std::string T = type;
        auto text = reduction(T == "bool" ? "any" : "sum", {input(T, "x"), output(T, "y")}, T, "x",
                              T == "bool" ? "a || b" : "a + b", "y = a", T == "bool" ? "false" : "0");
        text.kept_rank = 1;
        table.push_back(text);
        text.parameters[0].strided = true;
        table.push_back(text);
    }
    table.push_back(reduction("names", {input("float", "at"), scalar("float", "width"), scalar("float", "o"),
                                        output("float", "partials")},
                              "float", "at * width + o", "a + b", "partials = a", "0"));
    table.push_back(reduction("speak", {input("float", "x"), output("float", "y")}, "float",
                              "(printf(\"%g\\n\", x), x > 0 ? x : -x)", "a + b", "y = a; printf(\"%g\\n\", a)", "0"));
    auto eight = reduction("eight_axes", {input("float", "x", true), output("float", "y", true)}, "float", "x", "a + b",
                           "y = a", "0");
    eight.kept_rank = 5;
    eight.reduced_rank = 3;
    table.push_back(eight);
    table.push_back(walking(eight, {.is_wide = true}));
    auto scalars_only = reduction("count", {scalar("int", "n"), output("int", "y")}, "int", "n", "a + b", "y = a", "0");
    table.push_back(scalars_only);
    // The ways in which threads walk: each text of the table once by row and once by column, with packs.
    const std::size_t texts = table.size();
    for (std::size_t k = 0; k < texts; ++k) {
        for (const bool by_column : {false, true}) {
            ReductionText text = table[k];
            ReductionWalk walk{.by_column = by_column, .pack = k % 3 == 0 ? 8 : k % 3 == 1 ? 4 : 2, .is_packed = true};
            if (k % 2 == 1) {
                for (Parameter& parameter : text.parameters) {
                    if (parameter.name != "x")
                        parameter.broadcast_inner = parameter.broadcast_outer = parameter.strided;
                }
            }
            table.push_back(walking(text, walk));
            (by_column ? walk.is_packed : walk.deep_unroll) = !by_column;
            table.push_back(walking(text, walk));
            if (by_column || text.kept_rank == 0) continue;
            walk.deep_unroll = false;
            walk.is_short = true;
            table.push_back(walking(text, walk));
        }
    }
    return table;
}

}  // namespace texts
