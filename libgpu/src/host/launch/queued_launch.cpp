// SPDX-License-Identifier: MIT
#include "host/launch/queued_launch.hpp"

#include <cstring>
#include <utility>

#include "host/launch/launch_generated.hpp"

namespace gpu::detail::host {

namespace {

/// Copies of a raw kernel's arguments, each as aligned as its type can ask for.
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

/// Of a generated kernel.
template <class Space, void (*Launch)(LaunchContext&, const KernelModule&, const Space&, const std::vector<Argument>&)>
class GeneratedWork final : public Work {
public:
    GeneratedWork(LaunchContext context, std::shared_ptr<const KernelModule> kernel, const Space& space,
                  const std::vector<Argument>& arguments)
        : context_(context), kernel_(std::move(kernel)), space_(space), arguments_(arguments) {
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
                                    const LaunchShape& shape, void* const* arguments, int argument_count) {
    check_launch(*kernel, shape, argument_count);
    return std::make_unique<RawWork>(context, std::move(kernel), shape, arguments);
}

std::unique_ptr<Work> queued_launch(LaunchContext context, std::shared_ptr<const KernelModule> kernel,
                                    const ElementwiseSpace& space, const std::vector<Argument>& arguments) {
    using Launch = GeneratedWork<ElementwiseSpace, launch_elementwise>;
    return std::make_unique<Launch>(context, std::move(kernel), space, arguments);
}

std::unique_ptr<Work> queued_launch(LaunchContext context, std::shared_ptr<const KernelModule> kernel,
                                    const ReductionSpace& space, const std::vector<Argument>& arguments) {
    using Launch = GeneratedWork<ReductionSpace, launch_reduction>;
    return std::make_unique<Launch>(context, std::move(kernel), space, arguments);
}

}  // namespace gpu::detail::host
