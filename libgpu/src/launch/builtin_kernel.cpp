// SPDX-License-Identifier: MIT
#include "launch/builtin_kernel.hpp"

#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include <gpu/error.hpp>

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

}  // namespace gpu::detail
