// SPDX-License-Identifier: MIT
#include "launch/reduction_recipes.hpp"

#include <utility>

#include <gpu/error.hpp>

#include "codegen/node.hpp"

namespace gpu::detail {

namespace {

// An element and where it was. The better of two is a NaN, then what compares better, then what came first: so it
// doesn't matter in which order they meet. Without branches, as a GPU has many copies of it.
constexpr const char* places = R"(template <class V> struct gpu_place { V value; long long index; };
template <class V> __device__ inline gpu_place<V> gpu_better(gpu_place<V> a, gpu_place<V> b, bool b_wins) {
    const bool a_is_nan = a.value != a.value, b_is_nan = b.value != b.value;
    const bool b_is_first = b.index < a.index, b_is_chosen = b_wins | ((b.value == a.value) & b_is_first);
    return (b_is_nan & (!a_is_nan | b_is_first)) | (!a_is_nan & b_is_chosen) ? b : a;
}
// Nearly always an element that comes later is no better: one comparison then.
template <class V> __device__ inline gpu_place<V> gpu_smaller(gpu_place<V> a, gpu_place<V> b) {
    if (a.value <= b.value && a.index < b.index) return a;
    return gpu_better(a, b, b.value < a.value);
}
template <class V> __device__ inline gpu_place<V> gpu_larger(gpu_place<V> a, gpu_place<V> b) {
    if (a.value >= b.value && a.index < b.index) return a;
    return gpu_better(a, b, b.value > a.value);
}
)";

// Sums of deviations from a mean that was rounded, and of their squares. The first corrects the second.
constexpr const char* deviations = R"(struct gpu_deviations { T sum; double squares; };
__device__ inline gpu_deviations gpu_joined(gpu_deviations a, gpu_deviations b) {
    return gpu_deviations{a.sum + b.sum, a.squares + b.squares};
}
__device__ inline double gpu_variance(gpu_deviations a, double n, double divisor) {
    const double squares = a.squares - gpu_squared(a.sum) / n;
    return (squares < 0 ? 0 : squares) / divisor;
}
)";

// As `places`, but a NaN is worse than anything else; if there is nothing else, there is no place.
constexpr const char* places_without_nan = R"(template <class V> struct gpu_place { V value; long long index; };
template <class V> __device__ inline gpu_place<V> gpu_chosen(gpu_place<V> a, gpu_place<V> b, bool b_wins) {
    const bool a_is_nan = a.value != a.value, b_is_nan = b.value != b.value;
    const bool b_is_first = b.index < a.index, b_is_chosen = b_wins | ((b.value == a.value) & b_is_first);
    return (a_is_nan & (!b_is_nan | b_is_first)) | (!a_is_nan & b_is_chosen) ? b : a;
}
)";

// What is left without NaNs, and how many there are of it.
constexpr const char* present = R"(struct gpu_present { T sum; double count; };
__device__ inline gpu_present gpu_element(T x) { return x != x ? gpu_present{0, 0} : gpu_present{x, 1}; }
__device__ inline gpu_present gpu_joined(gpu_present a, gpu_present b) {
    return gpu_present{a.sum + b.sum, a.count + b.count};
}
)";
constexpr const char* present_deviations = R"(struct gpu_deviations { T sum; double squares, count; };
__device__ inline gpu_deviations gpu_element(T x) {
    return x != x ? gpu_deviations{0, 0, 0} : gpu_deviations{x, gpu_squared(x), 1};
}
__device__ inline gpu_deviations gpu_joined(gpu_deviations a, gpu_deviations b) {
    return gpu_deviations{a.sum + b.sum, a.squares + b.squares, a.count + b.count};
}
__device__ inline double gpu_variance(gpu_deviations a, double ddof) {
    const double squares = a.squares - gpu_squared(a.sum) / a.count, left = a.count - ddof;
    return left > 0 ? (squares < 0 ? 0 : squares) / left : 0. / 0.;
}
)";

}  // namespace

ReductionRecipe recipe_of(Reduction kind) {
    switch (kind) {
        case Reduction::sum: return {"sum", "T", "x", "a + b", "out = (R)a", "0"};
        case Reduction::prod: return {"prod", "T", "x", "a * b", "out = (R)a", "1"};
        case Reduction::min: return {"min", "T", "x", "gpu_minimum(a, b)", "out = (R)a", ""};
        case Reduction::max: return {"max", "T", "x", "gpu_maximum(a, b)", "out = (R)a", ""};
        case Reduction::argmin:
            return {"argmin", "gpu_place<T>", "gpu_place<T>{x, j}", "gpu_smaller(a, b)", "out = a.index", "", places};
        case Reduction::argmax:
            return {"argmax", "gpu_place<T>", "gpu_place<T>{x, j}", "gpu_larger(a, b)", "out = a.index", "", places};
        case Reduction::any: return {"any", "T", "x", "a | b", "out = a", "false"};
        case Reduction::all: return {"all", "T", "x", "a & b", "out = a", "true"};
        case Reduction::count_nonzero: return {"count_nonzero", "R", "x", "a + b", "out = a", "0"};
        case Reduction::mean: return {"mean", "T", "x", "a + b", "out = (R)(a / (S)n)", "0", "", true};
        case Reduction::variance:
            return {"var", "S", "gpu_squared(x)", "a + b", "out = (R)(a / p)", "0", "", false, true};
        case Reduction::stddev:
            return {"stddev", "S", "gpu_squared(x)", "a + b", "out = (R)sqrt(a / p)", "0", "", false, true};
        case Reduction::corrected_variance:
            return {"var",
                    "gpu_deviations",
                    "gpu_deviations{x, gpu_squared(x)}",
                    "gpu_joined(a, b)",
                    "out = (R)gpu_variance(a, n, p)",
                    "gpu_deviations{0, 0}",
                    deviations,
                    true,
                    true};
        case Reduction::corrected_stddev:
            return {"stddev",
                    "gpu_deviations",
                    "gpu_deviations{x, gpu_squared(x)}",
                    "gpu_joined(a, b)",
                    "out = (R)sqrt(gpu_variance(a, n, p))",
                    "gpu_deviations{0, 0}",
                    deviations,
                    true,
                    true};
        case Reduction::nanmin: return {"nanmin", "T", "x", "gpu_fmin(a, b)", "out = (R)a", ""};
        case Reduction::nanmax: return {"nanmax", "T", "x", "gpu_fmax(a, b)", "out = (R)a", ""};
        case Reduction::nanargmin:
            return {"nanargmin",
                    "gpu_place<T>",
                    "gpu_place<T>{x, j}",
                    "gpu_chosen(a, b, b.value < a.value)",
                    "out = a.value != a.value ? -1 : a.index",
                    "",
                    places_without_nan};
        case Reduction::nanargmax:
            return {"nanargmax",
                    "gpu_place<T>",
                    "gpu_place<T>{x, j}",
                    "gpu_chosen(a, b, b.value > a.value)",
                    "out = a.value != a.value ? -1 : a.index",
                    "",
                    places_without_nan};
        case Reduction::nanmean:
            return {"nanmean",
                    "gpu_present",
                    "gpu_element(x)",
                    "gpu_joined(a, b)",
                    "out = (R)(a.sum / (S)a.count)",
                    "gpu_present{0, 0}",
                    present};
        case Reduction::nanvar:
            return {"nanvar",
                    "gpu_deviations",
                    "gpu_element(x)",
                    "gpu_joined(a, b)",
                    "out = (R)gpu_variance(a, p)",
                    "gpu_deviations{0, 0, 0}",
                    present_deviations,
                    false,
                    true};
        case Reduction::nanstd:
            return {"nanstd",
                    "gpu_deviations",
                    "gpu_element(x)",
                    "gpu_joined(a, b)",
                    "out = (R)sqrt(gpu_variance(a, p))",
                    "gpu_deviations{0, 0, 0}",
                    present_deviations,
                    false,
                    true};
        case Reduction::norm_0: return {"norm", "S", "(S)(x != (T)0)", "a + b", "out = (R)a", "0"};
        case Reduction::norm_1: return {"norm", "S", "gpu_size(x)", "a + b", "out = (R)a", "0"};
        case Reduction::norm_2: return {"norm", "S", "gpu_squared(x)", "a + b", "out = (R)sqrt(a)", "0"};
        case Reduction::norm_p:
            return {"norm", "S", "pow(gpu_size(x), (S)p)", "a + b", "out = (R)pow(a, (S)1 / (S)p)", "0", "",
                    false,  true};
        case Reduction::norm_largest: return {"norm", "S", "gpu_size(x)", "gpu_maximum(a, b)", "out = (R)a", "0"};
        case Reduction::norm_smallest: return {"norm", "S", "gpu_size(x)", "gpu_minimum(a, b)", "out = (R)a", ""};
    }
    throw Error("there is no reduction " + std::to_string(static_cast<int>(kind)));
}

ReductionText recipe_text(const ReductionRequest& request, const std::string& element) {
    const ReductionRecipe recipe = recipe_of(request.kind);
    std::string typedefs;
    for (const auto& [letter, type] : {std::pair{"T", request.element}, std::pair{"S", real_dtype(request.element)},
                                       std::pair{"R", request.result}}) {
        typedefs += "typedef " + std::string(kernel_name(type)) + ' ' + letter + ";\n";
    }
    std::string preamble;
    if (is_complex(request.element)) {
        preamble +=
            "__device__ inline S gpu_size(T x) { return abs(x); }\n"
            "__device__ inline S gpu_squared(T x) { return norm(x); }\n";
    } else if (is_floating(request.element)) {
        preamble +=
            "__device__ inline S gpu_size(T x) { return gpu_abs(x); }\n"
            "__device__ inline S gpu_squared(T x) { return x * x; }\n";
    }
    preamble += recipe.preamble;
    preamble += "__device__ inline " + std::string(recipe.accumulator) +
                " map_element(T x, long long j, double p) { return " + recipe.map + "; }\n";
    return {.name = recipe.name,
            .parameters = {},
            .kept_rank = 0,
            .reduced_rank = 1,
            .accumulator = recipe.accumulator,
            .typedefs = typedefs,
            .preamble = {preamble, "libgpu", 1},
            .map = {"map_element(" + element + ", _J, " + (recipe.takes_p ? "p)" : "0)"), recipe.name, 1},
            .reduce = {recipe.reduce, recipe.name, 1},
            .post = {recipe.post, recipe.name, 1},
            .identity = recipe.identity,
            .options = rounds_each_operation()};
}

}  // namespace gpu::detail
