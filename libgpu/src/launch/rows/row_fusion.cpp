// SPDX-License-Identifier: MIT
#include "launch/rows/row_fusion.hpp"

#include <algorithm>
#include <utility>

#include <gpu/fuse.hpp>

#include "backend/backend.hpp"
#include "launch/evaluate.hpp"
#include "launch/operands.hpp"
#include "launch/reductions.hpp"
#include "launch/rows/row_kernel.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

// Of a thread: what waits inside its outermost RowFusion.
struct Waiting {
    int scopes = 0;
    const char* name = "";
    const RowLayout* layout = nullptr;
    std::vector<WaitingRows> rows;
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
void drop_unused(std::vector<WaitingRows>& rows) {
    for (std::size_t k = rows.size(); k > 0; --k) {
        if (rows[k - 1].result.storage.use_count() == 1) rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(k - 1));
    }
}

void compute_rows() {
    before_access = nullptr;
    std::vector<WaitingRows> rows = std::exchange(here.rows, {});
    drop_unused(rows);
    for (const WaitingRows& each : rows) {
        const std::uint64_t version = each.result.storage->version();
        reduce_rows(each.request, each.elements, each.result);
        each.result.storage->is_again(version);
    }
}

bool uses_waiting(const Node& root) {
    std::vector<const Node*> path{&root};
    while (!path.empty()) {
        const Node& node = *path.back();
        path.pop_back();
        if (node.op == Op::leaf && place_among(here.rows, node.array) != here.rows.size()) return true;
        for (const NodePointer& operand : node.operands)
            if (operand != nullptr) path.push_back(operand.get());
    }
    return false;
}

bool are_last_axis(const Shape& shape, const Axes& axes) {
    if (shape.rank() == 0 || shape[shape.rank() - 1] == 0 || shape.size() == 0) return false;
    if (axes.all()) return shape.rank() == 1;
    return axes.count() == 1 && (axes[0] == -1 || axes[0] == shape.rank() - 1);
}

// Null for an expression without arrays.
const Node* first_array(const Node& root) {
    const Flattened parts = flatten(root);
    return parts.arrays.empty() ? nullptr : parts.arrays.front();
}

}  // namespace

std::size_t place_among(std::span<const WaitingRows> rows, const ArrayCore& array) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const WaitingRows& each) {
        return each.result.storage == array.storage && each.result.shape == array.shape &&
               each.result.strides == array.strides;
    });
    return static_cast<std::size_t>(std::distance(rows.begin(), found));
}

std::optional<ArrayCore> rows_that_wait(const ReductionRequest& request, const NodePointer& elements,
                                        const ReduceOptions& options) {
    if (here.scopes == 0 || is_complex(request.element) || !are_last_axis(elements->shape, options.axis)) return {};
    if (!options.keepdims && (here.rows.empty() || !uses_waiting(*elements))) return {};
    const Node* const array = first_array(*elements);
    if (array == nullptr) return {};
    const Device device = array->array.storage->device();
    if (!fuses_rows(device)) return {};
    Shape shape = elements->shape;
    shape[shape.rank() - 1] = 1;
    {
        const AccessScope scope;
        here.rows.push_back({request, elements, make_array_on(device, request.result, shape, Layout::row_major)});
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
}

void RowFusion::finish() {
    if (here.scopes == 1 && !here.rows.empty()) compute_rows();
}

}  // namespace gpu::detail
