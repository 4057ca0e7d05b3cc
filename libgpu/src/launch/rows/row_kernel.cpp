// SPDX-License-Identifier: MIT
#include "launch/rows/row_kernel.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "array/iteration.hpp"
#include "backend/backend.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/evaluate.hpp"
#include "launch/generated_call.hpp"
#include "launch/reductions.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

constexpr int max_steps = 16;

/// An array as the kernel takes it.
struct RowArray {
    const void* data = nullptr;
    std::int64_t step = 0;  ///< from row to row
};

// The step from row to row if there is a single one for all axes before the last.
std::optional<std::int64_t> row_step(const Shape& shape, const Strides& strides) {
    std::int64_t step = 0, next = 0;
    bool has_step = false;
    for (int axis = shape.rank() - 2; axis >= 0; --axis) {
        if (shape[axis] == 1) continue;
        if (!has_step) step = strides[axis];
        if (has_step && strides[axis] != next) return {};
        has_step = true;
        next = strides[axis] * shape[axis];
    }
    return step;
}

// Reductions of an expression's rows, in the order in which they are computed, and how each array is read.
class Rows {
public:
    Rows(std::span<const RowTarget> targets, std::span<const WaitingReduction> waiting)
        : targets_(targets), waiting_(waiting) {}

    /// False if one kernel can't do it.
    bool plan() {
        for (const RowTarget& target : targets_)
            if (is_too_large(*target.value) || !add_steps(*target.value)) return false;
        if (order_.empty()) return false;
        space_ = waiting_[order_.front()].elements->shape;
        n_ = space_[space_.rank() - 1];
        rows_ = space_.size() / n_;
        for (const std::size_t k : order_)
            if (!waiting_[k].over_rows || !(waiting_[k].elements->shape == space_)) return false;
        join_moments();
        std::vector<const Node*> roots;
        for (const Step& step : steps_) roots.push_back(waiting_[step.reduction].elements.get());
        for (const RowTarget& target : targets_) {
            const Node& root = *target.value;
            const bool has_elements = root.shape == space_;
            if (!has_elements && !(root.shape == waiting_[order_.front()].result.shape)) return false;
            program_.outputs.push_back({&root, has_elements});
            roots.push_back(&root);
        }
        parts_ = flatten(roots);
        if (parts_.operations.size() > max_operations ||
            parts_.arrays.size() + parts_.numbers.size() + targets_.size() > max_parameters)
            return false;
        add_program_steps();
        return add_inputs();
    }

    [[nodiscard]] std::int64_t rows() const { return rows_; }
    [[nodiscard]] std::int64_t n() const { return n_; }
    [[nodiscard]] Device device() const { return device_; }

    /// The bytes of a row that are kept, for each of its places.
    [[nodiscard]] int kept_bytes() const {
        int bytes = 0;
        for (const RowInput& input : program_.inputs)
            if (input.kind == RowInput::Kind::elements) bytes += static_cast<int>(size_of(input.dtype));
        return bytes;
    }

    [[nodiscard]] std::int64_t shared_bytes() const { return shared_row_bytes(program_, parts_, n_); }

    /// How many neighbours can be loaded at once: up to 16 bytes of the widest elements.
    [[nodiscard]] int pack_for(const std::vector<ArrayCore>& outs) const {
        int pack = 8;
        const auto take = [&](DType dtype, const void* data, std::int64_t step) {
            const auto item = static_cast<std::int64_t>(size_of(dtype));
            pack = std::min(pack, static_cast<int>(std::max<std::int64_t>(1, 16 / item)));
            const auto fits = [&](int wanted) {
                return reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(wanted * item) == 0 &&
                       step % wanted == 0;
            };
            while (pack > 1 && !fits(pack)) pack /= 2;
        };
        while (pack > 1 && n_ % pack != 0) pack /= 2;
        for (std::size_t k = 0; k < arrays_.size(); ++k)
            if (program_.inputs[k].kind == RowInput::Kind::elements)
                take(program_.inputs[k].dtype, arrays_[k].data, arrays_[k].step);
        for (std::size_t k = 0; k < outs.size(); ++k)
            if (program_.outputs[k].has_elements) take(outs[k].dtype, address_of(outs[k]), n_);
        return pack;
    }

    void launch(const char* name, const std::vector<ArrayCore>& outs, const RowLayout& layout) {
        program_.name = name;
        std::string key = std::string("rows ") + name + '|' + std::to_string(layout.lanes) + ' ' +
                          std::to_string(layout.threads) + ' ' + std::to_string(layout.packs) + ' ' +
                          std::to_string(layout.pack) + (layout.in_shared ? "s|" : "|");
        for (const RowOutput& output : program_.outputs) key += output.has_elements ? 'e' : 'r';
        for (const RowInput& input : program_.inputs) key += static_cast<char>('0' + static_cast<int>(input.kind));
        for (std::size_t k = 0; k < steps_.size(); ++k) {
            const ReductionRequest& request = waiting_[steps_[k].reduction].request;
            const RowStep& step = program_.steps[k];
            for (const int part : {static_cast<int>(request.kind), static_cast<int>(request.element),
                                   static_cast<int>(request.result), static_cast<int>(step.pair),
                                   number_of(step.result), number_of(step.other)})
                key += ' ' + std::to_string(part);
            key += '|';
        }
        key += parts_.key;

        std::vector<void*> to, arguments;
        for (const ArrayCore& out : outs) to.push_back(address_of(out));
        for (void*& each : to) arguments.push_back(&each);
        for (std::size_t k = 0; k < arrays_.size(); ++k) {
            if (program_.inputs[k].kind == RowInput::Kind::result) continue;
            arguments.push_back(&arrays_[k].data);
            arguments.push_back(&arrays_[k].step);
        }
        struct alignas(16) Number {
            unsigned char bytes[16];
        };
        std::vector<Number> numbers(parts_.numbers.size());
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            store_number(*parts_.numbers[k], parts_.numbers[k]->dtype, numbers[k].bytes);
            arguments.push_back(numbers[k].bytes);
        }
        std::vector<double> p(steps_.size());
        for (std::size_t k = 0; k < steps_.size(); ++k) {
            const double number = waiting_[steps_[k].reduction].request.number;
            p[k] = program_.steps[k].pair == RowPair::moments ? 1 / number : number;
            if (program_.steps[k].takes_p) arguments.push_back(&p[k]);
        }
        double share = 1 / static_cast<double>(n_);
        arguments.push_back(&rows_);
        arguments.push_back(&n_);
        if (program_.has_moments()) arguments.push_back(&share);
        const std::int64_t together = layout.threads / layout.lanes;
        launch_builtin_blocks(
            device_, key, [&] { return text(layout); },
            {.blocks = divided_up(rows_, together),
             .threads = static_cast<std::uint32_t>(layout.threads),
             .shared = layout.in_shared ? shared_bytes() : 0},
            arguments.data(), static_cast<int>(arguments.size()));
        for (const ArrayCore& out : outs) out.storage->mark_written();
    }

    void check() const { check_versions(parts_); }

    /// Rows are to be read as few times as possible: a sum of exp(x - m) is found together with m, their maximum.
    void read_once() {
        for (std::size_t k = 0; k < steps_.size(); ++k) {
            const WaitingReduction& sum = waiting_[steps_[k].reduction];
            const Node* const elements = shifted_by_array(sum.request.kind, *sum.elements);
            for (std::size_t j = 0; elements != nullptr && j < k; ++j) {
                const WaitingReduction& maximum = waiting_[steps_[j].reduction];
                if (program_.steps[j].pair != RowPair::none || maximum.request.kind != Reduction::max) continue;
                if (place_among(waiting_, elements->operands[1]->array) != steps_[j].reduction) continue;
                if (!is_same_value(*maximum.elements, *elements->operands[0])) continue;
                program_.steps[j].pair = RowPair::exponentials;
                program_.steps[j].other = program_.steps[j].result;
                program_.steps[j].result = program_.steps[k].result;
                steps_[j] = {steps_[k].reduction, steps_[j].reduction};
                steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(k));
                program_.steps.erase(program_.steps.begin() + static_cast<std::ptrdiff_t>(k));
                --k;
                break;
            }
        }
    }

private:
    // A reduction that waits, and the mean or maximum of the same elements where one step finds both.
    struct Step {
        std::size_t reduction;
        std::optional<std::size_t> other = {};
    };

    static int number_of(const std::optional<std::size_t>& result) { return result ? static_cast<int>(*result) : -1; }

    // The steps that an expression needs, those that they need first.
    bool add_steps(const Node& root) {
        const Flattened parts = flatten(root);
        for (const Node* leaf : parts.arrays) {
            const std::size_t place = place_among(waiting_, leaf->array);
            if (place == waiting_.size() || std::count(order_.begin(), order_.end(), place) != 0) continue;
            if (is_too_large(*waiting_[place].elements) || !add_steps(*waiting_[place].elements)) return false;
            order_.push_back(place);
        }
        return order_.size() <= max_steps;
    }

    // A mean and a variance of the same elements need the same steps before them: the first one's place will do.
    void join_moments() {
        const std::size_t none = order_.size();
        std::vector<std::size_t> partners(none, none);
        for (std::size_t k = 0; k < none; ++k) {
            if (!waiting_[order_[k]].ddof) continue;
            for (std::size_t j = 0; j < none && partners[k] == none; ++j) {
                const WaitingReduction& other = waiting_[order_[j]];
                if (partners[j] != none || other.ddof || other.request.kind != Reduction::mean) continue;
                if (!is_same_value(*other.elements, *waiting_[order_[k]].elements)) continue;
                partners[k] = j;
                partners[j] = k;
            }
        }
        for (std::size_t k = 0; k < order_.size(); ++k) {
            const std::size_t other = partners[k];
            if (other == none) {
                steps_.push_back({order_[k]});
            } else if (k < other) {
                const bool is_mean = !waiting_[order_[k]].ddof;
                steps_.push_back({order_[is_mean ? other : k], order_[is_mean ? k : other]});
            }
        }
    }

    [[nodiscard]] bool is_window_on_waiting(const ArrayCore& array) const {
        return std::any_of(waiting_.begin(), waiting_.end(),
                           [&](const WaitingReduction& each) { return each.result.storage == array.storage; });
    }

    bool add_inputs() {
        bool has_device = false;
        for (const Node* leaf : parts_.arrays) {
            const ArrayCore& array = leaf->array;
            RowInput input{.dtype = array.dtype};
            if (is_complex(array.dtype)) return false;
            if (place_among(waiting_, array) != waiting_.size()) {
                input.kind = RowInput::Kind::result;
                arrays_.emplace_back();
            } else {
                if (is_window_on_waiting(array)) return false;
                if (!has_device) device_ = array.storage->device();
                if (!(device_ == array.storage->device())) return false;  // the error is that of separate kernels
                has_device = true;
                const Strides strides = broadcast_strides(array, space_);
                const std::int64_t along = strides[space_.rank() - 1];
                const auto step = row_step(space_, strides);
                if (!step || (n_ > 1 && along != 0 && along != 1)) return false;
                if (n_ > 1 && along == 0) input.kind = RowInput::Kind::number;
                arrays_.push_back({address_of(array), *step});
            }
            program_.inputs.push_back(input);
        }
        return has_device;
    }

    // The array that a reduction makes: 2 for a2.
    [[nodiscard]] std::size_t array_of(std::size_t reduction) const {
        const auto leaf = std::find_if(parts_.arrays.begin(), parts_.arrays.end(), [&](const Node* one) {
            return place_among(waiting_, one->array) == reduction;
        });
        return static_cast<std::size_t>(std::distance(parts_.arrays.begin(), leaf));
    }

    void add_program_steps() {
        for (const Step& step : steps_) {
            const WaitingReduction& waiting = waiting_[step.reduction];
            const bool has_moments = waiting.ddof.has_value();
            program_.steps.push_back({.text = {},
                                      .elements = waiting.elements.get(),
                                      .result = array_of(step.reduction),
                                      .takes_p = has_moments || recipe_of(waiting.request.kind).takes_p,
                                      .pair = has_moments ? RowPair::moments : RowPair::none});
            if (step.other) program_.steps.back().other = array_of(*step.other);
        }
    }

    RawText text(const RowLayout& layout) {
        for (std::size_t k = 0; k < steps_.size(); ++k) {
            RowStep& step = program_.steps[k];
            const ReductionRequest& request = waiting_[steps_[k].reduction].request;
            const std::string element = row_expression_text(*step.elements, parts_);
            step.text = step.pair == RowPair::none ? recipe_text(request, element)
                                                   : row_pair_text(step.pair, step.elements->dtype, request.result,
                                                                   request.kind == Reduction::stddev, element);
        }
        return rows_text(program_, parts_, layout);
    }

    std::span<const RowTarget> targets_;
    std::span<const WaitingReduction> waiting_;
    std::vector<std::size_t> order_;
    std::vector<Step> steps_;
    Shape space_;
    std::int64_t n_ = 1, rows_ = 0;
    Flattened parts_;
    RowProgram program_;
    std::vector<RowArray> arrays_;  // for a0, a1, ...; empty for results
    Device device_ = current_device();
};

// A row stays in registers, a longer one in shared memory; a still longer one is read again in each step, from the
// cache. Few such rows leave most of a GPU idle: then separate kernels are faster, which share out each row.
std::optional<RowLayout> layout_of(const Rows& rows, int pack) {
    constexpr std::int64_t max_lanes = 1024, wanted = 16;  // elements of a thread
    constexpr std::int64_t usual_lanes = 512;               // two blocks at once: one loads while the other computes
    const std::int64_t n = rows.n(), max_kept = std::max<std::int64_t>(pack, 128 / std::max(1, rows.kept_bytes()));
    const auto lanes_for = [&](std::int64_t elements) {
        return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(divided_up(n, elements))));
    };
    const std::int64_t neighbours = std::min<std::int64_t>(lanes_for(pack), 8);
    std::int64_t lanes = std::min(std::max(lanes_for(std::min(wanted, max_kept)), neighbours), max_lanes);
    if (lanes > usual_lanes && n <= usual_lanes * max_kept) lanes = usual_lanes;
    RowLayout layout{.lanes = static_cast<int>(lanes),
                     .threads = lanes > 32 ? static_cast<int>(lanes) : 128,
                     .packs = static_cast<int>(divided_up(n, lanes * pack)),
                     .pack = pack};
    if (layout.packs * pack <= max_kept) return layout;
    layout.packs = 0;
    const DeviceProperties& device = known_properties(rows.device());
    constexpr std::int64_t exchanged = 1024;  // bytes, at most, through which warps join what they have found
    const Backend& where = backend(rows.device());
    const auto limit = static_cast<std::int64_t>(where.max_block_shared(rows.device().index()));
    layout.in_shared = rows.shared_bytes() <= limit - exchanged;
    if (rows.rows() < 2 * device.multiprocessors && !layout.in_shared) return {};
    return layout;
}

}  // namespace

std::optional<std::vector<ArrayCore>> launch_rows(const char* name, std::span<const RowTarget> targets,
                                                  std::span<const WaitingReduction> waiting, const RowLayout* fixed) {
    Rows rows(targets, waiting);
    if (!rows.plan()) return {};
    rows.check();
    const DeviceGuard guard(rows.device());
    std::vector<ArrayCore> outs;
    for (const RowTarget& target : targets)
        outs.push_back(target.to != nullptr ? *target.to : make_array(target.value->dtype, target.value->shape));
    const int pack = rows.pack_for(outs);
    std::optional<RowLayout> layout;
    if (fixed != nullptr) {
        layout = *fixed;
        layout->pack = std::min(layout->pack, pack);
        const int each = layout->lanes * layout->pack;
        if (layout->packs != 0) layout->packs = static_cast<int>(divided_up(rows.n(), each));
    } else {
        layout = layout_of(rows, pack);
    }
    if (!layout) return {};
    if (layout->packs == 0 && !layout->in_shared) rows.read_once();
    rows.launch(name, outs, *layout);
    return outs;
}

}  // namespace gpu::detail
