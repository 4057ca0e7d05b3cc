// SPDX-License-Identifier: MIT
#include <gpu/error.hpp>

#include "host/check/launch.hpp"
#include "host/fibers/grid_barrier.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::size_t most_static_shared = std::size_t{48} * 1024;
constexpr std::size_t most_shared = std::size_t{227} * 1024;

std::string to_text(const Extent3& e) {
    return '(' + std::to_string(e.x) + ',' + std::to_string(e.y) + ',' + std::to_string(e.z) + ')';
}

}  // namespace

void check_launch_shape(const std::string& kernel, const LaunchShape& shape, std::size_t static_shared) {
    const auto refuse = [&kernel](const std::string& why) { throw LaunchError("kernel " + kernel + ": " + why); };
    const auto check = [&](const char* what, const Extent3& extents, const Extent3& most) {
        const std::string all = std::string(what) + ' ' + to_text(extents);
        if (extents.x == 0 || extents.y == 0 || extents.z == 0)
            refuse(all + ": every length must be at least 1; is the array empty?");
        const auto one = [&](const char* axis, std::uint32_t value, std::uint32_t limit) {
            if (value > limit)
                refuse(all + ": " + std::to_string(value) + " along " + axis + " is more than the limit of " +
                       std::to_string(limit));
        };
        one("x", extents.x, most.x);
        one("y", extents.y, most.y);
        one("z", extents.z, most.z);
    };
    check("grid", shape.grid, {.x = 2147483647, .y = 65535, .z = 65535});
    check("block", shape.block, {.x = 1024, .y = 1024, .z = 64});
    const std::uint64_t threads = std::uint64_t{shape.block.x} * shape.block.y * shape.block.z;
    if (threads > 1024)
        refuse("block " + to_text(shape.block) + ": " + std::to_string(threads) +
               " threads are more than the limit of 1024 a block");
    const std::uint64_t blocks = std::uint64_t{shape.grid.x} * shape.grid.y * shape.grid.z;
    if (shape.cooperative && (blocks > most_cooperative_blocks || blocks * threads > most_cooperative_threads))
        refuse("a cooperative launch of " + std::to_string(blocks) + " blocks of " + std::to_string(threads) +
               " threads: all of them run at once, and the host backend runs at most " +
               std::to_string(most_cooperative_blocks) + " blocks and " + std::to_string(most_cooperative_threads) +
               " threads so");
    if (static_shared > most_static_shared)
        refuse(std::to_string(static_shared) + " bytes of static __shared__ arrays are more than the limit of " +
               std::to_string(most_static_shared) + "; use extern __shared__ and LaunchConfig::shared");
    if (shape.shared_bytes > most_shared || static_shared + shape.shared_bytes > most_shared)
        refuse(std::to_string(static_shared + shape.shared_bytes) + " bytes of shared memory (" +
               std::to_string(static_shared) + " static, " + std::to_string(shape.shared_bytes) +
               " dynamic) are more than the limit of " + std::to_string(most_shared));
}

KernelAttributes host_attributes(const KernelModule& kernel) {
    const std::size_t own = kernel.static_shared();
    return {.static_shared = own,
            .max_threads_per_block = 1024,
            .max_dynamic_shared = own < most_shared ? most_shared - own : 0};
}

}  // namespace gpu::detail::host
