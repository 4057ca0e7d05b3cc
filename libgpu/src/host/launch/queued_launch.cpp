// SPDX-License-Identifier: MIT
#include "host/launch/queued_launch.hpp"

#include <cstring>
#include <utility>

#include <gpu/error.hpp>

#include "array/iteration.hpp"
#include "host/check/host_checker.hpp"
#include "host/fibers/grid_barrier.hpp"
#include "host/launch/launch_generated.hpp"

namespace gpu::detail::host {

namespace {

/// Copies of a raw kernel's arguments, each aligned as its type may require.
class ArgumentCopies {
public:
    ArgumentCopies(const gpu_module& module, void* const* arguments) {
        std::size_t bytes = 0;
        for (int k = 0; k < module.parameter_count; ++k)
            bytes = start_of(module.parameters[k], bytes) + size_of(module, k);
        bytes_.resize((bytes + sizeof(Chunk) - 1) / sizeof(Chunk));
        auto* const first = reinterpret_cast<std::byte*>(bytes_.data());
        bytes = 0;
        for (int k = 0; k < module.parameter_count; ++k) {
            bytes = start_of(module.parameters[k], bytes);
            pointers_.push_back(first + bytes);
            std::memcpy(first + bytes, arguments[k], size_of(module, k));
            bytes += size_of(module, k);
        }
    }

    [[nodiscard]] void* const* pointers() const noexcept { return pointers_.data(); }

private:
    struct alignas(64) Chunk {
        std::byte bytes[64];
    };

    static std::size_t size_of(const gpu_module& module, int k) { return module.parameters[k].size; }

    // A type's alignment divides its size.
    static std::size_t start_of(const gpu_parameter& parameter, std::size_t end) {
        std::size_t alignment = alignof(Chunk);
        while (parameter.size % alignment != 0) alignment /= 2;
        return (end + alignment - 1) / alignment * alignment;
    }

    std::vector<Chunk> bytes_;
    std::vector<void*> pointers_;
};

class RawWork final : public Work {
public:
    RawWork(LaunchContext context, std::shared_ptr<const KernelModule> kernel, const LaunchShape& shape,
            void* const* arguments)
        : context_(context), kernel_(std::move(kernel)), shape_(shape), arguments_(kernel_->module(), arguments) {}

    void run() override {
        launch_raw(context_, *kernel_, shape_, arguments_.pointers(), kernel_->module().parameter_count);
    }

private:
    LaunchContext context_;
    std::shared_ptr<const KernelModule> kernel_;
    LaunchShape shape_;
    ArgumentCopies arguments_;
};

/// A launch of a generated kernel.
template <class Space, void (*Launch)(LaunchContext&, const KernelModule&, const Space&, const std::vector<Argument>&)>
class GeneratedWork final : public Work {
public:
    GeneratedWork(LaunchContext context, std::shared_ptr<const KernelModule> kernel, const Space& space,
                  std::vector<Argument> arguments)
        : context_(context), kernel_(std::move(kernel)), space_(space), arguments_(std::move(arguments)) {
        check_count(*kernel_, arguments_.size());
    }

    void run() override { Launch(context_, *kernel_, space_, arguments_); }

private:
    LaunchContext context_;
    std::shared_ptr<const KernelModule> kernel_;
    Space space_;
    std::vector<Argument> arguments_;
};

}  // namespace

std::unique_ptr<Work> queued_launch(LaunchContext context, std::shared_ptr<const KernelModule> kernel,
                                    Launch&& launch) {
    if (const auto* const space = std::get_if<ElementwiseSpace>(&launch.over)) {
        using Elements = GeneratedWork<ElementwiseSpace, launch_elementwise>;
        return std::make_unique<Elements>(context, std::move(kernel), *space, std::move(launch.arguments));
    }
    if (const auto* const space = std::get_if<ReductionSpace>(&launch.over)) {
        using Reduction = GeneratedWork<ReductionSpace, launch_reduction>;
        return std::make_unique<Reduction>(context, std::move(kernel), *space, std::move(launch.arguments));
    }
    const auto& shape = std::get<LaunchShape>(launch.over);
    check_launch(*kernel, shape, static_cast<int>(launch.values.size()));
    return std::make_unique<RawWork>(context, std::move(kernel), shape, launch.values.data());
}

ElementwisePlan plan_loop(Iteration iteration, const ElementwiseNeeds& needs) {
    if (!needs.keeps_axes) iteration = collapsed(std::move(iteration), !(needs.uses_index || needs.names_index));
    if (iteration.shape.rank() == 0) iteration = collapsed(std::move(iteration), false);
    ElementwisePlan plan;
    for (std::size_t k = 0; k < iteration.strides.size(); ++k) plan.is_linear.push_back(iteration.is_linear(k));
    plan.iteration = std::move(iteration);
    return plan;
}

namespace {

constexpr std::size_t max_static_shared = std::size_t{48} * 1024;
constexpr std::size_t max_shared = std::size_t{227} * 1024;

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
    if (shape.cooperative && (blocks > max_cooperative_blocks || blocks * threads > max_cooperative_threads))
        refuse("a cooperative launch of " + std::to_string(blocks) + " blocks of " + std::to_string(threads) +
               " threads: all of them run at once, and the host backend runs at most " +
               std::to_string(max_cooperative_blocks) + " blocks and " + std::to_string(max_cooperative_threads) +
               " threads so");
    if (static_shared > max_static_shared)
        refuse(std::to_string(static_shared) + " bytes of static __shared__ arrays are more than the limit of " +
               std::to_string(max_static_shared) + "; use extern __shared__ and LaunchConfig::shared");
    if (shape.shared_bytes > max_shared || static_shared + shape.shared_bytes > max_shared)
        refuse(std::to_string(static_shared + shape.shared_bytes) + " bytes of shared memory (" +
               std::to_string(static_shared) + " static, " + std::to_string(shape.shared_bytes) +
               " dynamic) are more than the limit of " + std::to_string(max_shared));
}

KernelAttributes host_attributes(const KernelModule& kernel) {
    const std::size_t own = kernel.static_shared();
    return {.static_shared = own,
            .max_threads_per_block = 1024,
            .max_dynamic_shared = own < max_shared ? max_shared - own : 0};
}

}  // namespace gpu::detail::host
