// SPDX-License-Identifier: MIT
#include "launch/builtin_kernel.hpp"

#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include <gpu/create.hpp>
#include <gpu/error.hpp>
#include <gpu/reductions.hpp>
#include <gpu/rounding.hpp>

#include "codegen/node.hpp"
#include "counts.hpp"
#include "jit/kernel_store.hpp"
#include "launch/evaluate.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

const DeviceProperties& known_properties(Device device) {
    static std::mutex mutex;
    static std::map<std::pair<BackendKind, int>, DeviceProperties> known;
    const std::lock_guard lock(mutex);
    const std::pair key(device.kind(), device.index());
    const auto found = known.find(key);
    return found != known.end() ? found->second : known.emplace(key, device.properties()).first->second;
}

void launch_builtin(Device device, const std::string& key, const std::function<RawText()>& text, std::int64_t threads,
                    void* const* arguments, int count, std::int64_t elements) {
    if (threads == 0) return;
    constexpr std::int64_t block = 256;
    launch_builtin_blocks(device, key, text,
                          {.blocks = (threads - 1) / block + 1, .threads = block, .elements = elements}, arguments,
                          count);
}

void launch_builtin_blocks(Device device, const std::string& key, const std::function<RawText()>& text,
                           const BuiltinBlocks& blocks, void* const* arguments, int count) {
    constexpr std::int64_t max_blocks = std::numeric_limits<std::int32_t>::max();
    if (blocks.blocks > max_blocks) {
        throw LaunchError("an operation of " + std::to_string(blocks.blocks) + " blocks of " +
                          std::to_string(blocks.threads) + " threads: a launch has at most " +
                          std::to_string(max_blocks));
    }
    Backend& where = backend(device);
    const auto kernel = find_kernel(device, where, "o" + key, [&] { return where.generate(text()); });
    const LaunchShape shape{.grid = {.x = static_cast<std::uint32_t>(blocks.blocks)},
                            .block = {.x = blocks.threads},
                            .shared_bytes = static_cast<std::size_t>(blocks.shared)};
    where.launch(device.index(), *kernel,
                 {.over = shape, .values = {arguments, static_cast<std::size_t>(count)}, .elements = blocks.elements},
                 native_stream({}, device));
    if (!blocks.counts) return;
    count_work({.kind = LedgerEntry::Kind::launch,
           .device = device,
           .kernel = &kernel->name(),
           .grid = blocks.blocks,
           .block = blocks.threads});
}

void check_owned(const ArrayCore& core) {
    if (core.storage == nullptr) throw_moved_from("x[...]");
}

ArrayCore array_value(const NodePointer& value) {
    if (value->op != Op::leaf) return evaluate(value);
    check_version(*value);
    return value->array;
}

NodePointer without_leading_ones(const NodePointer& value, int rank) {
    if (value->shape.rank() <= rank || value->shape[0] != 1) return value;
    ArrayCore array = array_value(value);
    constexpr int first[] = {0};
    while (array.shape.rank() > rank && array.shape[0] == 1) array = squeezed(array, first);
    return leaf(array);
}

ArrayCore dense_value(const NodePointer& value, DType dtype) {
    const ArrayCore made = array_value(cast_node(dtype, value));
    if (is_dense(made, Layout::row_major)) return made;
    const DeviceGuard guard(made.storage->device());
    ArrayCore dense = make_array(dtype, made.shape);
    assign(dense, leaf(made), false);
    return dense;
}

namespace {

NodePointer both(const NodePointer& a, const NodePointer& b) {
    return node(Op::logical_and, DType::boolean, DType::boolean, a, b);
}
NodePointer either(const NodePointer& a, const NodePointer& b) {
    return node(Op::logical_or, DType::boolean, DType::boolean, a, b);
}
NodePointer both_nan(const NodePointer& a, const NodePointer& b) {
    return both(node(Op::isnan, DType::boolean, a), node(Op::isnan, DType::boolean, b));
}

}  // namespace

NodePointer close_node(DType type, const NodePointer& a, const NodePointer& b, const Closeness& options) {
    const DType real = real_dtype(type);
    const NodePointer x = cast_node(type, a), y = cast_node(type, b);
    const auto size = [&](const NodePointer& value) {
        return node(is_complex(type) ? Op::magnitude : Op::abs, real, value);
    };
    const NodePointer relative = node(Op::multiply, real, real, scalar_node(real, options.rtol), size(y));
    const NodePointer limit = node(Op::add, real, real, scalar_node(real, options.atol), relative);
    const NodePointer within =
        node(Op::less_equal, DType::boolean, real, size(node(Op::subtract, type, type, x, y)), limit);
    // The tolerance for an infinity would be infinite too.
    const NodePointer close =
        either(both(within, node(Op::isfinite, DType::boolean, y)), node(Op::equal, DType::boolean, type, x, y));
    return options.equal_nan ? either(close, both_nan(x, y)) : close;
}

ArrayCore array_equal(DType type, const NodePointer& a, const NodePointer& b, const EqualOptions& options) {
    if (!(a->shape == b->shape)) {
        const NodePointer whole = split_large_tree(a);
        const DeviceGuard guard(common_device(arrays_in(flatten(*whole)), "array_equal"));
        return full(DType::boolean, Shape{}, scalar_node(DType::boolean, std::int64_t{0}));
    }
    NodePointer equal = node(Op::equal, DType::boolean, type, a, b);
    if (options.equal_nan && (is_floating(type) || is_complex(type)))
        equal = either(equal, both_nan(cast_node(type, a), cast_node(type, b)));
    return reduce({.kind = Reduction::all, .element = DType::boolean, .result = DType::boolean}, equal, {});
}

namespace {

double largest(DType type) {
    if (type == DType::float16) return 65504;
    if (type == DType::bfloat16) return 0x1.fep127;
    return type == DType::float32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
}

NodePointer finite_part(const NodePointer& a, const NanToNumOptions& options) {
    const DType type = a->dtype;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto number = [type](double value) { return scalar_node(type, value); };
    const auto replaced = [&](double what, double by, const NodePointer& rest) {
        return where_node(type, node(Op::equal, DType::boolean, type, a, number(what)), number(by), rest);
    };
    return where_node(type, node(Op::isnan, DType::boolean, a), number(options.nan),
                      replaced(infinity, options.posinf.value_or(largest(type)),
                               replaced(-infinity, options.neginf.value_or(-largest(type)), a)));
}

}  // namespace

NodePointer finite_node(const NodePointer& a, const NanToNumOptions& options) {
    const DType type = a->dtype, real = real_dtype(type);
    if (is_floating(type)) return finite_part(a, options);
    if (!is_complex(type)) return a;
    const NodePointer i = scalar_node(type, 0., 1.);
    const NodePointer imaginary =
        node(Op::multiply, type, type, finite_part(node(Op::imag, real, a), options), i);
    const NodePointer whole = node(Op::add, type, type, finite_part(node(Op::real, real, a), options), imaginary);
    return where_node(type, node(Op::isfinite, DType::boolean, a), a, whole);
}

}  // namespace gpu::detail
