// SPDX-License-Identifier: MIT
#include "linalg/small_matrices.hpp"

#include <algorithm>
#include <string>

#include "array/shape.hpp"
#include "codegen/small_matrix_text.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/evaluate.hpp"
#include "linalg/logged_linear_algebra.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

std::size_t memory_of_block(Device device) { return linear_algebra_of(device).block_memory(device.index()); }

// The matrices one after another in rows: the array itself, or a copy of it.
ArrayCore consecutive(DType type, const Shape& batch, const NodePointer& value) {
    const Shape shape = with_matrix(batch, from_end(value->shape, 2), from_end(value->shape, 1));
    const bool is_there = value->op == Op::leaf && value->dtype == type && value->shape == shape &&
                          is_dense(value->array, Layout::row_major);
    if (is_there) return value->array;
    ArrayCore made = make_array(type, shape);
    assign(made, cast_node(type, value), false);
    return made;
}

MatrixProblem problem_of(const ArrayCore& matrices, std::int64_t count) {
    const Device device = device_of(matrices);
    return {.device = device.index(), .stream = native_stream({}, device), .dtype = matrices.dtype, .batch = count};
}

/// A word on the device for what failed first, in the smallest number that a kernel writes.
class FirstFailure {
public:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    FirstFailure() : word_(make_array(DType::uint64, Shape{1})), device_(device_of(word_)) {
        backend(device_).fill(device_.index(), address_of(word_), 0xff, sizeof(std::uint64_t),
                              native_stream({}, device_));
    }
    [[nodiscard]] void* data() const { return address_of(word_); }
    /// Waits.
    [[nodiscard]] std::uint64_t value() const {
        std::uint64_t value = none;
        backend(device_).copy(device_.index(), &value, data(), sizeof value, CopyKind::device_to_host,
                              native_stream({}, device_));
        return value;
    }

private:
    ArrayCore word_;
    Device device_;
};

std::string key_of(const char* kernel, DType type, int team) {
    return std::string(kernel) + static_cast<char>('a' + static_cast<int>(type)) + ' ' + std::to_string(team);
}

template <class... A>
void launch_small(Device device, const std::string& key, const std::function<RawText()>& text,
                  const BuiltinBlocks& blocks, const A&... arguments) {
    void* const pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
    launch_builtin_blocks(device, key, text, blocks, pointers, static_cast<int>(sizeof...(A)));
}

BuiltinBlocks teams_of(std::int64_t count, int team) {
    return {.blocks = divided_up(count * team, small_threads), .threads = small_threads, .counts = false};
}

// Determinants, or signs and logarithms; the others are null.
void launch_det(DType type, const ArrayCore& a, void* det, void* sign, void* logarithm) {
    const std::int64_t n = from_end(a.shape, 1), count = a.shape.size() / (n * n);
    const int team = small_team(n);
    const Device device = device_of(a);
    LoggedLinearAlgebra(device).run(problem_of(a, count), det != nullptr ? "det" : "slogdet", n, n, [&] {
        launch_small(
            device, key_of("det", type, team), [&] { return small_det_text(type, team); }, teams_of(count, team),
            address_of(a), det, sign, logarithm, static_cast<std::int32_t>(n), count);
    });
}

}  // namespace

bool is_small_system(Device device, DType type, std::int64_t n) {
    return n <= elimination_rows(type) && memory_of_block(device) > 0;
}

namespace {

bool is_for_warps(DType type, std::int64_t n) { return n <= warp_eigh_rows(type); }

}  // namespace

bool is_small_eigh(Device device, DType type, const Shape& batch, std::int64_t n, bool vectors) {
    const std::size_t memory = memory_of_block(device);
    if (is_for_warps(type, n)) return memory > 0;
    // Libraries take complex matrices one by one; batches of real ones they solve faster than this.
    constexpr std::size_t static_memory = 4096;  // the kernel's own variables, and what a GPU reserves
    return is_complex(type) && batch.size() > 1 && n <= block_eigh_rows &&
           static_cast<std::size_t>(block_eigh_bytes(type, n, vectors)) + static_memory <= memory;
}

SmallSolution small_solution(DType type, const Shape& batch, const NodePointer& a, const NodePointer& b) {
    const ArrayCore given = consecutive(type, batch, a);
    const std::int64_t n = from_end(given.shape, 1), count = batch.size();
    const ArrayCore sides_given = b != nullptr ? consecutive(type, batch, b) : ArrayCore();
    const std::int64_t columns = b != nullptr ? from_end(b->shape, 1) : n;
    SmallSolution solution{.x = make_array(type, with_matrix(batch, n, columns))};
    const FirstFailure failure;
    const int team = small_team(n), sides = columns > 1 ? elimination_sides(team) : 1;
    // Few matrices don't keep a GPU busy: then more teams factor the same one, and solve for a part of the columns
    // each.
    constexpr std::int64_t resident_threads = 1 << 16;
    const std::int64_t parts =
        std::clamp<std::int64_t>(resident_threads / (count * team), 1, divided_up(columns, sides));
    const Device device = device_of(given);
    void* const right = b != nullptr ? address_of(sides_given) : nullptr;
    LoggedLinearAlgebra(device).run(problem_of(given, count), b != nullptr ? "solve" : "inv", n, n, [&] {
        launch_small(
            device, key_of(sides > 1 ? "solve" : "solve 1 ", type, team),
            [&] { return small_solve_text(type, team, sides); }, teams_of(count * parts, team), address_of(given),
            right, address_of(solution.x), failure.data(), static_cast<std::int32_t>(n),
            static_cast<std::int32_t>(columns), count, static_cast<std::int32_t>(parts));
        const std::uint64_t first = failure.value();
        if (first == FirstFailure::none) return;
        solution.failed = static_cast<std::int64_t>(first / 64);
        solution.pivot = static_cast<std::int64_t>(first % 64);
    });
    mark_written(solution.x);
    return solution;
}

ArrayCore small_det(DType type, const Shape& batch, const NodePointer& a) {
    const ArrayCore det = make_array(type, batch);
    launch_det(type, consecutive(type, batch, a), address_of(det), nullptr, nullptr);
    mark_written(det);
    return det;
}

CorePair small_slogdet(DType type, const Shape& batch, const NodePointer& a) {
    const ArrayCore sign = make_array(type, batch), logarithm = make_array(real_dtype(type), batch);
    launch_det(type, consecutive(type, batch, a), nullptr, address_of(sign), address_of(logarithm));
    mark_written(sign);
    mark_written(logarithm);
    return {sign, logarithm};
}

SmallEigh small_eigh(DType type, const Shape& batch, const NodePointer& a, bool upper, bool vectors) {
    const ArrayCore given = consecutive(type, batch, a);
    const std::int64_t n = from_end(given.shape, 1);
    SmallEigh made{.values = make_array(real_dtype(type), with_vector(batch, n)),
                   .vectors = vectors ? make_array(type, given.shape) : no_elements(type)};
    const FirstFailure failure;
    const Device device = device_of(given);
    LoggedLinearAlgebra(device).run(problem_of(given, batch.size()), "eigh", n, n, [&] {
        const std::int64_t count = batch.size();
        const auto rows = static_cast<std::int32_t>(n), from_above = std::int32_t{upper};
        void *const values = address_of(made.values), *const to = vectors ? address_of(made.vectors) : nullptr;
        if (is_for_warps(type, n)) {
            launch_small(
                device, key_of("warp_eigh", type, rows + rows % 2), [&] { return warp_eigh_text(type, n); },
                teams_of(count, small_team(n)), address_of(given), values, to, failure.data(), rows, from_above, count);
        } else {
            launch_small(
                device, key_of("block_eigh", type, 0), [&] { return block_eigh_text(type); },
                {.blocks = count,
                 .threads = block_eigh_threads(n),
                 .shared = block_eigh_bytes(type, n, vectors),
                 .counts = false},
                address_of(given), values, to, failure.data(), rows, from_above);
        }
        const std::uint64_t first = failure.value();
        if (first == FirstFailure::none) return;
        made.converged = false;
        constexpr std::uint64_t not_converged = std::uint64_t{1} << 62;
        if (first < not_converged) made.not_finite = static_cast<std::int64_t>(first);
    });
    mark_written(made.values);
    if (vectors) mark_written(made.vectors);
    return made;
}

}  // namespace gpu::detail
