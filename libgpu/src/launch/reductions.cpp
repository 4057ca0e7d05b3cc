// SPDX-License-Identifier: MIT
#include "launch/reductions.hpp"

#include <gpu/reductions.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <gpu/error.hpp>
#include <gpu/statistics.hpp>

#include "codegen/node.hpp"
#include "launch/evaluate.hpp"
#include "launch/operands.hpp"
#include "launch/rows/row_fusion.hpp"
#include "runtime/storage.hpp"

// libgpu's predefined reductions: the same machinery as a learner's ReductionKernel.
namespace gpu::detail {

namespace {

bool names_a_place(Reduction kind) {
    return kind == Reduction::argmin || kind == Reduction::argmax || kind == Reduction::nanargmin ||
           kind == Reduction::nanargmax;
}

// The additional numbers of a recipe; null if it doesn't use them.
struct RecipeNumbers {
    NodePointer n, p;

    RecipeNumbers(const ReductionRequest& request, std::int64_t count) {
        const ReductionRecipe& recipe = recipe_of(request.kind);
        if (recipe.takes_n) n = scalar_node(DType::float64, static_cast<double>(count));
        if (recipe.takes_p) p = scalar_node(DType::float64, request.number);
    }
    void add_to(std::vector<CallOperand>& operands) const {
        operands.push_back({.number = n.get()});
        operands.push_back({.number = p.get()});
    }
};

// Reduces into `kept`, the result without its reduced axes.
void launch(const ReductionRequest& request, const Node& input, const Flattened& parts, const ReducedShape& shapes,
            const ArrayCore& kept, const CallSignature& signature, bool is_kept) {
    const ReductionRecipe& recipe = recipe_of(request.kind);
    const RecipeNumbers numbers(request, shapes.kept.size() == 0 ? 0 : shapes.count);
    ReductionCall call{.device = kept.storage->device(),
                       .shape = input.shape,
                       .reduced = shapes.reduced,
                       .bindings = bind_expression(parts),
                       .key = signature.text(),
                       .text = [&] { return recipe_text(request, expression_text(input, parts)); },
                       .in_order = names_a_place(request.kind)};
    for (Binding& binding : call.bindings) binding.parameter.map_stage_only = true;  // its numbers, too
    if (recipe.takes_n) call.bindings.push_back(number_binding("n", *numbers.n));
    if (recipe.takes_p) call.bindings.push_back(number_binding("p", *numbers.p));
    call.bindings.push_back(output_binding("out", kept));
    if (is_kept) {
        call.keep = {&signature, operands_of(parts), shapes.kept, shapes.result, request.result};
        numbers.add_to(call.keep.operands);
        call.keep.operands.push_back({.array = &kept});
    }
    launch_reduction(call);
}

// What decides the text of such a call's kernel, ...
CallSignature text_signature(const ReductionRequest& request, const Flattened& parts) {
    CallSignature signature(recipe_of(request.kind).name);
    signature.add(request.kind).add(request.element).add(request.result).add(parts.key).end_text();
    return signature;
}

// ... and what else decides what it gets.
void add_layout(CallSignature& signature, const Flattened& parts, const Shape& shape, const ReduceOptions& options) {
    signature.add(shape);
    for (const Node* input : parts.arrays) signature.add(input->array);
    signature.add(bool{options.keepdims}).add(options.axis.count());
    for (int k = 0; k < options.axis.count(); ++k) signature.add(options.axis[k]);
}

// Repeats an earlier call, into a new array.
ArrayCore reduce_again(const CachedLaunch& known, const ReductionRequest& request, const Flattened& parts,
                       const Shape& shape) {
    const ArrayCore made = make_array_on(known.device, known.dtype, known.kept, Layout::row_major);
    const RecipeNumbers numbers(request, shape.size() / known.kept.size());
    std::vector<CallOperand> operands = operands_of(parts);
    numbers.add_to(operands);
    operands.push_back({.array = &made});
    launch_cached(known, operands);
    ArrayCore result = made;
    result.shape = known.result;
    result.strides = dense_strides(known.result);
    return result;
}

NodePointer elements(DType wanted, const NodePointer& value) {
    if (wanted != DType::boolean || !is_complex(value->dtype)) return cast_node(wanted, value);
    return node(Op::not_equal, wanted, value->dtype, value, scalar_node(value->dtype, 0.));
}

// True if results would be written while other elements are yet to be read.
bool is_read(const ArrayCore& target, const Flattened& parts) {
    return std::any_of(parts.arrays.begin(), parts.arrays.end(),
                       [&](const Node* input) { return share_memory(input->array, target); });
}

void check_output(const ReductionRequest& request, const ArrayCore& out, const Shape& result) {
    const std::string operation = recipe_of(request.kind).name;
    if (out.storage == nullptr) throw_moved_from((operation + ": gpu::out").c_str());
    if (out.dtype != request.result) {
        throw DTypeError(operation + ": the result has " + std::string(name(request.result)) +
                         " elements, the array of gpu::out() has " + std::string(name(out.dtype)));
    }
    if (!(out.shape == result)) {
        throw ShapeError(operation + ": the result has shape " + to_string(result) + ", the array of gpu::out() has " +
                         to_string(out.shape));
    }
}

ArrayCore reduce(const ReductionRequest& request, const NodePointer& value, const ReduceOptions& options,
                 const ArrayCore* out) {
    const ReductionRecipe& recipe = recipe_of(request.kind);
    const NodePointer input = split_large_tree(elements(request.element, value));
    if (out == nullptr)
        if (auto later = reduction_that_waits(request, input, options)) return *std::move(later);
    const Flattened parts = flatten(*input);
    check_versions(parts);
    CallSignature signature = text_signature(request, parts);
    const bool is_kept = out == nullptr && !parts.arrays.empty();
    if (is_kept) {
        signature.add(common_device(arrays_in(parts), recipe.name));
        add_layout(signature, parts, input->shape, options);
        if (const auto known = find_cached(signature)) return reduce_again(*known, request, parts, input->shape);
    }
    const ReducedShape shapes = reduced_shape(input->shape, options);
    if (recipe.identity[0] == '\0' && shapes.count == 0 && shapes.kept.size() != 0) {
        throw ShapeError("zero-size array to reduction operation " + std::string(recipe.name) +
                         " which has no identity (its shape is " + to_string(input->shape) + ")");
    }
    if (out != nullptr) check_output(request, *out, shapes.result);
    std::vector<const ArrayCore*> arrays = arrays_in(parts);
    if (out != nullptr) arrays.push_back(out);
    const DeviceGuard guard(common_device(arrays, recipe.name));

    const bool directly = out != nullptr && !is_read(*out, parts);
    const ArrayCore kept =
        directly ? kept_axes(*out, shapes, options.keepdims) : make_array(request.result, shapes.kept);
    launch(request, *input, parts, shapes, kept, signature, is_kept);
    if (directly) return *out;
    const ArrayCore result = with_result_shape(kept, shapes);
    if (out == nullptr) return result;
    ArrayCore target = *out;
    assign(target, leaf(result), false);
    return target;
}

// The deviations from the mean; reducing them gives the variance.
ArrayCore variance(Reduction kind, DType result, const NodePointer& value, const VarianceOptions& options,
                   const ArrayCore* out) {
    const ReduceOptions over{.axis = options.axis, .keepdims = options.keepdims};
    const ReducedShape shapes = reduced_shape(shape_of(*value), over);
    if (out == nullptr)
        if (auto made = variance_of_floats(kind, result, value, options)) return *std::move(made);
    // The mean of double or 64-bit elements is rounded as much as they are, which needs correcting; other means aren't.
    const DType own = value->dtype, element = is_complex(own) ? DType::complex128 : DType::float64;
    const bool without_nan = kind == Reduction::nanvar || kind == Reduction::nanstd;
    if (!without_nan && (own == element || own == DType::int64 || own == DType::uint64)) {
        kind = kind == Reduction::variance ? Reduction::corrected_variance : Reduction::corrected_stddev;
    }
    const ReductionRequest request{
        .kind = kind,
        .element = element,
        .result = result,
        .number = without_nan ? static_cast<double>(options.ddof)
                              : std::max(0., static_cast<double>(shapes.count) - static_cast<double>(options.ddof))};
    const Reduction centre = without_nan ? Reduction::nanmean : Reduction::mean;
    const ArrayCore mean = reduce({.kind = centre, .element = element, .result = element}, value,
                                  {.axis = options.axis, .keepdims = true}, nullptr);
    NodePointer deviation = node(Op::subtract, element, element, value, leaf(mean));
    if (without_nan) {  // infinity minus infinity isn't a skipped element
        const NodePointer infinite = scalar_node(element, std::numeric_limits<double>::infinity());
        const NodePointer x = cast_node(element, value), lost = node(Op::isnan, DType::boolean, deviation);
        deviation = where_node(element, node(Op::isnan, DType::boolean, x), x,
                               where_node(element, lost, infinite, deviation));
    }
    return reduce(request, deviation, over, out);
}

Reduction kind_of_norm(double ord) {
    if (ord == 2) return Reduction::norm_2;
    if (ord == 1) return Reduction::norm_1;
    if (ord == 0) return Reduction::norm_0;
    if (std::isinf(ord)) return ord > 0 ? Reduction::norm_largest : Reduction::norm_smallest;
    return Reduction::norm_p;
}

ArrayCore norm(DType result, const NodePointer& value, const linalg::NormOptions& options, const ArrayCore* out) {
    const ReduceOptions over{.axis = options.axis, .keepdims = options.keepdims};
    const int axes = options.axis.all() ? shape_of(*value).rank() : options.axis.count();
    if (std::isnan(options.ord)) throw Error("linalg::norm: the order of a norm can't be NaN");
    if (options.ord != 2 && axes > 1) {
        throw ShapeError("linalg::norm: an order other than 2 is for vectors, over one axis, not over " +
                         std::to_string(axes) + " of shape " + to_string(shape_of(*value)) +
                         ": name an axis, or reshape");
    }
    const DType element = is_complex(value->dtype) ? value->dtype : accumulator(result);
    return reduce({.kind = kind_of_norm(options.ord), .element = element, .result = result, .number = options.ord},
                  value, over, out);
}

}  // namespace

ArrayCore reduce(const ReductionRequest& request, const NodePointer& value, const ReduceOptions& options) {
    return reduce(request, value, options, nullptr);
}
void reduce_into(const ReductionRequest& request, const NodePointer& value, const Axes& axes, const ArrayCore& out) {
    (void)reduce(request, value, {.axis = axes, .keepdims = true}, &out);
}
void reduce(const ReductionRequest& request, const NodePointer& value, const ReduceInto& into) {
    reduce(request, value, {.axis = into.axis, .keepdims = into.keepdims}, &into.out.core());
}

ArrayCore variance(Reduction kind, DType result, const NodePointer& value, const VarianceOptions& options) {
    return variance(kind, result, value, options, nullptr);
}
void variance(Reduction kind, DType result, const NodePointer& value, const VarianceInto& into) {
    variance(kind, result, value, {.axis = into.axis, .keepdims = into.keepdims, .ddof = into.ddof}, &into.out.core());
}

void variance_into(Reduction kind, const NodePointer& value, const VarianceOptions& options, const ArrayCore& out) {
    (void)variance(kind, out.dtype, value, options, &out);
}

ArrayCore norm(DType result, const NodePointer& value, const linalg::NormOptions& options) {
    return norm(result, value, options, nullptr);
}
void norm(DType result, const NodePointer& value, const linalg::NormInto& into) {
    norm(result, value, {.axis = into.axis, .keepdims = into.keepdims, .ord = into.ord}, &into.out.core());
}

namespace {

// An element with its position. The better of two is a NaN, then the better value, then the first position: so the
// order of combination doesn't matter. Branchless, since a GPU unrolls many copies of it. By settles() the host skips
// stretches in which nothing is better.
constexpr const char* places = R"(template <class V> struct gpu_argmin {
    V value; long long index;
    __device__ bool settles(const gpu_argmin& later) const { return (value <= later.value) | (value != value); }
};
template <class V> struct gpu_argmax {
    V value; long long index;
    __device__ bool settles(const gpu_argmax& later) const { return (value >= later.value) | (value != value); }
};
template <class P> __device__ inline P gpu_better(P a, P b, bool b_wins) {
    const bool a_is_nan = a.value != a.value, b_is_nan = b.value != b.value;
    const bool b_is_first = b.index < a.index, b_is_chosen = b_wins | ((b.value == a.value) & b_is_first);
    return (b_is_nan & (!a_is_nan | b_is_first)) | (!a_is_nan & b_is_chosen) ? b : a;
}
// An element that comes later is nearly always no better: then one comparison suffices.
template <class V> __device__ inline gpu_argmin<V> gpu_smaller(gpu_argmin<V> a, gpu_argmin<V> b) {
    if (a.value <= b.value && a.index < b.index) return a;
    return gpu_better(a, b, b.value < a.value);
}
template <class V> __device__ inline gpu_argmax<V> gpu_larger(gpu_argmax<V> a, gpu_argmax<V> b) {
    if (a.value >= b.value && a.index < b.index) return a;
    return gpu_better(a, b, b.value > a.value);
}
)";

// Sums of deviations from a rounded mean, and of their squares. The first corrects the second.
constexpr const char* deviations = R"(struct gpu_deviations { T sum; double squares; };
__device__ inline gpu_deviations gpu_joined(gpu_deviations a, gpu_deviations b) {
    return gpu_deviations{a.sum + b.sum, a.squares + b.squares};
}
__device__ inline double gpu_variance(gpu_deviations a, double n, double divisor) {
    const double squares = a.squares - gpu_squared(a.sum) / n;
    return (squares < 0 ? 0 : squares) / divisor;
}
)";

// Like `places`, but a NaN is worse than anything else; if there is nothing else, there is no position.
constexpr const char* places_without_nan = R"(template <class V> struct gpu_place { V value; long long index; };
template <class V> __device__ inline gpu_place<V> gpu_chosen(gpu_place<V> a, gpu_place<V> b, bool b_wins) {
    const bool a_is_nan = a.value != a.value, b_is_nan = b.value != b.value;
    const bool b_is_first = b.index < a.index, b_is_chosen = b_wins | ((b.value == a.value) & b_is_first);
    return (a_is_nan & (!b_is_nan | b_is_first)) | (!a_is_nan & b_is_chosen) ? b : a;
}
)";

// The sum without NaNs, and the number of its elements.
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
            return {"argmin", "gpu_argmin<T>", "gpu_argmin<T>{x, j}", "gpu_smaller(a, b)", "out = a.index", "", places};
        case Reduction::argmax:
            return {"argmax", "gpu_argmax<T>", "gpu_argmax<T>{x, j}", "gpu_larger(a, b)", "out = a.index", "", places};
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
