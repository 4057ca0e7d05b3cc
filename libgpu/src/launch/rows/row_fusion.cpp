// SPDX-License-Identifier: MIT
#include "launch/rows/row_fusion.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include <gpu/fuse.hpp>

#include "backend/backend.hpp"
#include "launch/evaluate.hpp"
#include "launch/operands.hpp"
#include "launch/reductions.hpp"
#include "launch/rows/exponentials.hpp"
#include "launch/rows/moments.hpp"
#include "launch/rows/row_kernel.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

// What waits inside the thread's outermost RowFusion.
struct Waiting {
    int scopes = 0;
    const char* name = "";
    const RowLayout* layout = nullptr;
    std::vector<WaitingReduction> rows;
    std::vector<WaitingReduction> means;  // that came with a variance, and nobody has asked for yet
    std::exception_ptr error;             // of what was computed where nothing may be thrown
};
thread_local Waiting here;

// While one exists, arrays are used without computing what waits.
class AccessScope {
public:
    AccessScope() noexcept : before_(std::exchange(before_access, nullptr)) {}
    ~AccessScope() { before_access = before_; }
    AccessScope(const AccessScope&) = delete;
    AccessScope& operator=(const AccessScope&) = delete;

private:
    BeforeAccess before_;
};

// Drops what nobody can ask for any more, the latest first: it may be all that uses an earlier one.
void drop_unused(std::vector<WaitingReduction>& rows) {
    for (std::size_t k = rows.size(); k > 0; --k) {
        if (rows[k - 1].result.storage.use_count() == 1) rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(k - 1));
    }
}

// What is converted, or the node itself.
const Node& source_of(const Node& node) { return node.op == Op::cast ? *node.operands[0] : node; }

bool is_array_of_floats(const Node& source) {
    return source.op == Op::leaf && (source.dtype == DType::float32 || is_short_float(source.dtype));
}

bool are_same_axes(const Shape& shape, const Axes& a, const Axes& b) {
    return reduced_shape(shape, {.axis = a}).reduced == reduced_shape(shape, {.axis = b}).reduced;
}

// True if `elements` are exp(x - m), to be added up, and m is this maximum of x over the same axes.
bool is_sum_of(const WaitingReduction& maximum, Reduction kind, const Node& elements, const Axes& axes) {
    const Node* const shifted = shifted_by_array(kind, elements);
    return shifted != nullptr && maximum.request.kind == Reduction::max &&
           place_among({&maximum, 1}, shifted->operands[1]->array) == 0 &&
           is_same_value(*maximum.elements, *shifted->operands[0]) && maximum.elements->shape == elements.shape &&
           are_same_axes(elements.shape, maximum.axes, axes);
}

// True if one of the two is a variance of an array's floats, and the other one their mean.
bool are_moments(const WaitingReduction& a, const WaitingReduction& b) {
    const WaitingReduction &variance = a.ddof ? a : b, &mean = a.ddof ? b : a;
    return variance.ddof && !mean.ddof && mean.request.kind == Reduction::mean &&
           is_array_of_floats(source_of(*variance.elements)) && is_same_value(*mean.elements, *variance.elements) &&
           are_same_axes(mean.elements->shape, mean.axes, variance.axes);
}

// What is written to these arrays is what expressions that have seen them expect.
class ExpectedValues {
public:
    ExpectedValues(const ArrayCore& one, const ArrayCore* other)
        : one_(one), other_(other), versions_{one.storage->version(), 0} {
        if (other != nullptr) versions_[1] = other->storage->version();
    }
    void are_written() const {
        one_.storage->is_again(versions_[0]);
        if (other_ != nullptr) other_->storage->is_again(versions_[1]);
    }

private:
    const ArrayCore& one_;
    const ArrayCore* other_;
    std::uint64_t versions_[2];
};

// Into the array that waits for it; `other` is what one kernel finds besides, or null.
void compute_one(const WaitingReduction& each, const WaitingReduction* other) {
    const ExpectedValues expected(each.result, other != nullptr ? &other->result : nullptr);
    const WaitingReduction& variance = each.ddof || other == nullptr ? each : *other;
    if (variance.ddof) {
        const NodePointer& cast = variance.elements;
        const NodePointer& floats = cast->op == Op::cast ? cast->operands[0] : cast;
        const VarianceOptions options{.axis = variance.axes, .keepdims = true, .ddof = *variance.ddof};
        const ArrayCore* const means = other == nullptr ? nullptr : each.ddof ? &other->result : &each.result;
        if (is_array_of_floats(*floats))
            launch_moments(variance.request.kind, options, floats->array, means, variance.result);
        else
            variance_into(variance.request.kind, floats, options, variance.result);
    } else if (other != nullptr) {
        launch_exponentials(each.elements, each.axes, each.result, other->result);
    } else {
        reduce_into(each.request, each.elements, each.axes, each.result);
    }
    expected.are_written();
}

// By one kernel, if they are several of the same rows.
bool compute_together(const std::vector<WaitingReduction>& rows) {
    if (rows.size() < 2) return false;
    std::vector<RowTarget> targets;
    std::vector<std::uint64_t> versions;
    for (const WaitingReduction& each : rows) {
        targets.push_back({leaf(each.result), &each.result});
        versions.push_back(each.result.storage->version());
    }
    if (!launch_rows(here.name, targets, rows, here.layout)) return false;
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k].result.storage->is_again(versions[k]);
    return true;
}

// In their order, since later ones may use earlier ones. Where rows are few and long, two may still be one kernel,
// which shares out each row.
void compute_apart(const std::vector<WaitingReduction>& rows) {
    std::vector<bool> done(rows.size(), false);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (done[k]) continue;
        const WaitingReduction& each = rows[k];
        const WaitingReduction* other = nullptr;
        for (std::size_t j = k + 1; j < rows.size() && other == nullptr; ++j) {
            if (done[j]) continue;
            if (!is_sum_of(each, rows[j].request.kind, *rows[j].elements, rows[j].axes) && !are_moments(each, rows[j]))
                continue;
            other = &rows[j];
            done[j] = true;
        }
        compute_one(each, other);
    }
}

void throw_error(bool may_throw) {
    if (!may_throw) return;
    before_access = nullptr;
    std::rethrow_exception(std::exchange(here.error, nullptr));
}

void compute_rows(bool may_throw) {
    before_access = nullptr;
    std::vector<WaitingReduction> rows = std::exchange(here.rows, {});
    try {
        drop_unused(rows);
        if (!compute_together(rows)) compute_apart(rows);
    } catch (...) {
        if (may_throw) throw;
        here.error = std::current_exception();
        before_access = throw_error;
    }
}

// A window on such an array has its storage, too.
bool is_waiting(const ArrayCore& array) {
    return std::any_of(here.rows.begin(), here.rows.end(),
                       [&](const WaitingReduction& each) { return each.result.storage == array.storage; });
}

bool uses_waiting(const Node& root) {
    const Flattened parts = flatten(root);
    return std::any_of(parts.arrays.begin(), parts.arrays.end(),
                       [](const Node* leaf) { return is_waiting(leaf->array); });
}

bool are_last_axis(const Shape& shape, const Axes& axes) {
    if (shape.rank() == 0 || shape[shape.rank() - 1] == 0 || shape.size() == 0) return false;
    if (axes.all()) return shape.rank() == 1;
    return axes.count() == 1 && (axes[0] == -1 || axes[0] == shape.rank() - 1);
}

// The mean of an array over these axes.
std::vector<WaitingReduction>::iterator mean_among(std::vector<WaitingReduction>& some, const Node& array,
                                                   const Axes& wanted) {
    return std::find_if(some.begin(), some.end(), [&](const WaitingReduction& each) {
        return !each.over_rows && each.request.kind == Reduction::mean &&
               is_same_leaf(source_of(*each.elements), array) && are_same_axes(array.shape, each.axes, wanted);
    });
}

std::shared_ptr<void> mark_as_waiting(const std::shared_ptr<Storage>& storage) {
    storage->waits_in(&before_access);
    return {nullptr, [result = std::weak_ptr(storage)](void*) {
                if (const auto still = result.lock()) still->waits_in(nullptr);
            }};
}

// Notes it; where its axes aren't kept, nobody can use it in a row: what waits is computed then.
std::optional<ArrayCore> put_off(WaitingReduction waiting, Device device, bool keepdims) {
    if (here.error) throw_error(true);
    const Shape kept = reduced_shape(waiting.elements->shape, {.axis = waiting.axes, .keepdims = true}).result;
    {
        const AccessScope scope;
        waiting.result = make_array_on(device, waiting.request.result, kept, Layout::row_major);
    }
    const ArrayCore result = waiting.result;
    waiting.mark = mark_as_waiting(result.storage);
    here.rows.push_back(std::move(waiting));
    if (keepdims) {
        before_access = compute_rows;
        return result;
    }
    const std::size_t place = here.rows.size() - 1;
    struct Forgotten {
        std::size_t place;
        ~Forgotten() {
            if (here.rows.size() > place) here.rows.erase(here.rows.begin() + static_cast<std::ptrdiff_t>(place));
        }
    };
    std::optional<ArrayCore> made;
    {
        const Forgotten forgotten{place};
        made = evaluated_with_rows(leaf(result));
    }
    if (!made) return {};
    constexpr int last[] = {-1};
    return squeezed(*made, last);
}

// Null for an expression without arrays.
const Node* first_array(const Node& root) {
    const Flattened parts = flatten(root);
    return parts.arrays.empty() ? nullptr : parts.arrays.front();
}

// Over other axes than the last: what a second reduction may be found together with.
bool waits_in_columns(const ReductionRequest& request, const Node& elements) {
    if (request.kind == Reduction::mean) return is_array_of_floats(source_of(elements));
    return request.kind == Reduction::max && is_floating(request.element) && !uses_waiting(elements);
}

// A sum of exp(x - m), with m that waits, their maximum: one kernel finds both.
std::optional<ArrayCore> sum_with_maximum(const ReductionRequest& request, const Node& elements,
                                          const ReduceOptions& options) {
    const auto maximum = std::find_if(here.rows.begin(), here.rows.end(), [&](const WaitingReduction& each) {
        return !each.over_rows && is_sum_of(each, request.kind, elements, options.axis);
    });
    if (maximum == here.rows.end()) return {};
    const AccessScope scope;
    const DeviceGuard guard(maximum->result.storage->device());
    const ArrayCore sums = make_array(request.result, maximum->result.shape);
    const ExpectedValues expected(maximum->result, nullptr);
    launch_exponentials(maximum->elements, maximum->axes, maximum->result, sums);
    expected.are_written();
    here.rows.erase(maximum);
    return options.keepdims ? sums : reshaped(sums, TargetShape(reduced_shape(elements.shape, options).result));
}

// Doubles and integers, whose squares a double rounds, wait as their mean and the deviations from it.
std::optional<ArrayCore> row_variance(Reduction kind, DType result, const NodePointer& value,
                                      const VarianceOptions& options) {
    const Node* const array = first_array(*value);
    if ((value->dtype != DType::float32 && !is_short_float(value->dtype)) || array == nullptr) return {};
    const Device device = array->array.storage->device();
    if (!fuses_rows(device)) return {};
    const double divisor = static_cast<double>(value->shape[value->shape.rank() - 1] - std::int64_t{options.ddof});
    const NodePointer whole = split_large_tree(cast_node(DType::float64, value));
    return put_off({.request = {.kind = kind,
                                .element = DType::float64,
                                .result = result,
                                .number = std::max(0., divisor)},
                    .elements = whole,
                    .axes = options.axis,
                    .over_rows = true,
                    .result = {},
                    .ddof = options.ddof},
                   device, options.keepdims);
}

}  // namespace

const Node* shifted_by_array(Reduction kind, const Node& elements) noexcept {
    if (kind != Reduction::sum || elements.op != Op::exp || elements.operands[0]->op != Op::subtract) return nullptr;
    const Node& shifted = *elements.operands[0];
    const Node &x = *shifted.operands[0], &m = *shifted.operands[1];
    const bool fits = m.op == Op::leaf && is_floating(x.dtype) && m.dtype == x.dtype && elements.dtype == x.dtype;
    return fits ? &shifted : nullptr;
}

bool is_same_value(const Node& a, const Node& b) noexcept {
    const Node &x = source_of(a), &y = source_of(b);
    return &x == &y || is_same_leaf(x, y);
}

std::size_t place_among(std::span<const WaitingReduction> rows, const ArrayCore& array) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const WaitingReduction& each) {
        return each.result.storage == array.storage && each.result.shape == array.shape &&
               each.result.strides == array.strides;
    });
    return static_cast<std::size_t>(std::distance(rows.begin(), found));
}

std::optional<ArrayCore> reduction_that_waits(const ReductionRequest& request, const NodePointer& elements,
                                              const ReduceOptions& options) {
    if (here.scopes == 0 || is_complex(request.element) || elements->shape.size() == 0) return {};
    const bool over_rows = are_last_axis(elements->shape, options.axis);
    if (!over_rows)
        if (auto sum = sum_with_maximum(request, *elements, options)) return sum;
    if (over_rows && !options.keepdims && (here.rows.empty() || !uses_waiting(*elements))) return {};
    if (!over_rows && !(options.keepdims && waits_in_columns(request, *elements))) return {};
    const Node* const array = first_array(*elements);
    if (array == nullptr || !fuses_rows(array->array.storage->device())) return {};
    if (!over_rows && request.kind == Reduction::mean) {
        const auto mean = mean_among(here.means, source_of(*elements), options.axis);
        if (mean != here.means.end() && mean->request.result == request.result) {
            const ArrayCore known = mean->result;
            here.means.erase(mean);
            return known;
        }
    }
    return put_off({request, elements, options.axis, over_rows, {}}, array->array.storage->device(), options.keepdims);
}

std::optional<ArrayCore> variance_of_floats(Reduction kind, DType result, const NodePointer& value,
                                            const VarianceOptions& options) {
    if ((kind != Reduction::variance && kind != Reduction::stddev) || value->shape.size() == 0) return {};
    if (here.scopes > 0 && are_last_axis(value->shape, options.axis)) return row_variance(kind, result, value, options);
    const Node& source = *value;
    if (!is_array_of_floats(source) || result == DType::float64) return {};
    if (!fuses_rows(source.array.storage->device()) || is_waiting(source.array)) return {};
    check_version(source);
    const ReducedShape shapes = reduced_shape(value->shape, {.axis = options.axis, .keepdims = true});
    const AccessScope scope;
    const DeviceGuard guard(source.array.storage->device());
    const ArrayCore made = make_array(result, shapes.result);
    if (here.scopes == 0 || !options.keepdims) {
        launch_moments(kind, options, source.array, nullptr, made);
        if (options.keepdims) return made;
        return reshaped(made, TargetShape(reduced_shape(value->shape, {.axis = options.axis}).result));
    }
    const auto mean = mean_among(here.rows, source, options.axis);
    if (mean == here.rows.end()) {
        const DType type = source.dtype, sums = accumulator(type);
        here.means.push_back({{.kind = Reduction::mean, .element = sums, .result = type},
                              leaf(source.array),
                              options.axis,
                              false,
                              make_array(type, shapes.result)});
        launch_moments(kind, options, source.array, &here.means.back().result, made);
        return made;
    }
    const ExpectedValues expected(mean->result, nullptr);
    launch_moments(kind, options, source.array, &mean->result, made);
    expected.are_written();
    here.rows.erase(mean);
    return made;
}

std::optional<ArrayCore> evaluated_with_rows(const NodePointer& root) {
    if (here.rows.empty() || is_too_large(*root) || !uses_waiting(*root)) return {};
    const AccessScope scope;
    const RowTarget target{root};
    auto made = launch_rows(here.name, {&target, 1}, here.rows, here.layout);
    if (!made) return {};
    return std::move(made->front());
}

std::vector<ArrayCore> evaluate_together(std::span<const FusedPart> parts) {
    std::vector<ArrayCore> made(parts.size());
    std::vector<RowTarget> targets;
    std::vector<std::uint64_t> versions;  // of arrays that wait
    std::vector<std::size_t> places;
    bool any = false;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const Node& root = *parts[k].value;
        if (parts[k].is_array) made[k] = root.array;
        const std::size_t place = parts[k].is_array ? place_among(here.rows, root.array) : here.rows.size();
        const bool waits = place != here.rows.size();
        if (parts[k].is_array && !waits) continue;
        any = any || waits || (!is_too_large(root) && uses_waiting(root));
        targets.push_back({parts[k].value, waits ? &here.rows[place].result : nullptr});
        versions.push_back(waits ? root.array.storage->version() : 0);
        places.push_back(k);
    }
    if (any && targets.size() > 1) {
        const AccessScope scope;
        if (const auto values = launch_rows(here.name, targets, here.rows, here.layout)) {
            for (std::size_t k = 0; k < targets.size(); ++k) {
                made[places[k]] = (*values)[k];
                if (targets[k].to != nullptr) made[places[k]].storage->is_again(versions[k]);
            }
            std::erase_if(here.rows, [&](const WaitingReduction& each) {
                return std::any_of(values->begin(), values->end(),
                                   [&](const ArrayCore& value) { return value.storage == each.result.storage; });
            });
            return made;
        }
    }
    for (const std::size_t k : places)
        if (!parts[k].is_array) made[k] = evaluate(parts[k].value);
    return made;
}

bool fuses_rows(Device device) { return here.layout != nullptr || backend(device).traits().by_blocks; }

void fuse_rows_as(const RowLayout* layout) noexcept { here.layout = layout; }

RowFusion::RowFusion(const char* name) : name_before_(std::exchange(here.name, name)) { ++here.scopes; }

RowFusion::~RowFusion() {
    here.name = name_before_;
    if (--here.scopes > 0) return;
    before_access = nullptr;  // after an error nobody asks for what still waits
    here.rows.clear();
    here.means.clear();
    here.error = nullptr;
}

void RowFusion::finish() {
    if (here.scopes == 1) compute_what_waits();
}

}  // namespace gpu::detail
