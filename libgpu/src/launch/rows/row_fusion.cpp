// SPDX-License-Identifier: MIT
#include "launch/rows/row_fusion.hpp"

#include <algorithm>
#include <utility>

#include <gpu/fuse.hpp>

#include "backend/backend.hpp"
#include "launch/evaluate.hpp"
#include "launch/operands.hpp"
#include "launch/reductions.hpp"
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

void compute_rows() {
    before_access = nullptr;
    std::vector<WaitingReduction> rows = std::exchange(here.rows, {});
    drop_unused(rows);
    for (const WaitingReduction& each : rows) {
        const std::uint64_t version = each.result.storage->version();
        reduce_into(each.request, each.elements, each.axes, each.result);
        each.result.storage->is_again(version);
    }
}

bool uses_waiting(const Node& root) {
    const Flattened parts = flatten(root);
    return std::any_of(parts.arrays.begin(), parts.arrays.end(), [](const Node* leaf) {
        return place_among(here.rows, leaf->array) != here.rows.size();
    });
}

bool are_last_axis(const Shape& shape, const Axes& axes) {
    if (shape.rank() == 0 || shape[shape.rank() - 1] == 0 || shape.size() == 0) return false;
    if (axes.all()) return shape.rank() == 1;
    return axes.count() == 1 && (axes[0] == -1 || axes[0] == shape.rank() - 1);
}

// What is converted, or the node itself.
const Node& source_of(const Node& node) { return node.op == Op::cast ? *node.operands[0] : node; }

bool is_array_of_floats(const Node& source) {
    return source.op == Op::leaf && (source.dtype == DType::float32 || is_short_float(source.dtype));
}

// The mean of an array over these axes.
std::vector<WaitingReduction>::iterator mean_among(std::vector<WaitingReduction>& some, const Node& array,
                                                   const Axes& wanted) {
    const auto axes = [&](const Axes& named) { return reduced_shape(array.shape, {.axis = named}).reduced; };
    return std::find_if(some.begin(), some.end(), [&](const WaitingReduction& each) {
        return !each.over_rows && is_same_leaf(source_of(*each.elements), array) && axes(each.axes) == axes(wanted);
    });
}

// Null for an expression without arrays.
const Node* first_array(const Node& root) {
    const Flattened parts = flatten(root);
    return parts.arrays.empty() ? nullptr : parts.arrays.front();
}

}  // namespace

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
    if (over_rows && !options.keepdims && (here.rows.empty() || !uses_waiting(*elements))) return {};
    if (!over_rows &&
        !(options.keepdims && request.kind == Reduction::mean && is_array_of_floats(source_of(*elements))))
        return {};
    const Node* const array = first_array(*elements);
    if (array == nullptr || !fuses_rows(array->array.storage->device())) return {};
    if (!over_rows) {
        const auto mean = mean_among(here.means, source_of(*elements), options.axis);
        if (mean != here.means.end() && mean->request.result == request.result) {
            const ArrayCore known = mean->result;
            here.means.erase(mean);
            return known;
        }
    }
    {
        const Shape kept = reduced_shape(elements->shape, {.axis = options.axis, .keepdims = true}).result;
        const AccessScope scope;
        here.rows.push_back({request, elements, options.axis, over_rows,
                             make_array_on(array->array.storage->device(), request.result, kept, Layout::row_major)});
    }
    const ArrayCore result = here.rows.back().result;
    if (options.keepdims) {
        before_access = compute_rows;
        return result;
    }
    auto made = evaluated_with_rows(leaf(result));
    here.rows.pop_back();
    if (!made) return {};
    constexpr int last[] = {-1};
    return squeezed(*made, last);
}

std::optional<ArrayCore> variance_with_mean(Reduction kind, DType result, const NodePointer& value,
                                            const VarianceOptions& options) {
    const Node& source = source_of(*value);
    if (here.scopes == 0 || !options.keepdims || (kind != Reduction::variance && kind != Reduction::stddev)) return {};
    if (!is_array_of_floats(source) || value->shape.size() == 0 || are_last_axis(value->shape, options.axis)) return {};
    if (!fuses_rows(source.array.storage->device())) return {};
    check_version(source);
    const auto mean = mean_among(here.rows, source, options.axis);
    const MomentsRequest request{.kind = kind, .result = result, .axes = options.axis, .ddof = options.ddof};
    const AccessScope scope;
    const DeviceGuard guard(source.array.storage->device());
    if (mean == here.rows.end()) {
        const Shape kept = reduced_shape(value->shape, {.axis = options.axis, .keepdims = true}).result;
        const DType type = source.dtype, sums = accumulator(type);
        here.means.push_back({{.kind = Reduction::mean, .element = sums, .result = type},
                              leaf(source.array),
                              options.axis,
                              false,
                              make_array(type, kept)});
        return launch_moments(request, source.array, here.means.back().result);
    }
    const std::uint64_t version = mean->result.storage->version();
    const ArrayCore made = launch_moments(request, source.array, mean->result);
    mean->result.storage->is_again(version);
    here.rows.erase(mean);
    return made;
}

std::optional<ArrayCore> evaluated_with_rows(const NodePointer& root) {
    if (here.rows.empty() || is_too_large(*root) || !uses_waiting(*root)) return {};
    const AccessScope scope;
    return launch_rows(here.name, root, here.rows, here.layout);
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
}

void RowFusion::finish() {
    if (here.scopes == 1 && !here.rows.empty()) compute_rows();
}

}  // namespace gpu::detail
