// SPDX-License-Identifier: MIT
#include "cuda/launch/launcher.hpp"

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <gpu/error.hpp>

#include "backend/observers.hpp"
#include "cuda/base/launch_limits.hpp"
#include "cuda/compile/skeletons.hpp"
#include "cuda/launch/kernel_space.hpp"

namespace gpu::detail::cuda {

namespace {

constexpr std::int64_t max_blocks = 0x7fffffff, max_lines = 0xffff;

dim3 dim_of(const Extent3& extent) { return dim3(extent.x, extent.y, extent.z); }

LaunchShape grid_of(std::int64_t blocks, std::int64_t lines, int threads, const std::string& kernel) {
    if (blocks > max_blocks || lines > max_lines) {
        throw LaunchError("kernel " + kernel + ": " + std::to_string(blocks) +
                          (lines > 1 ? " x " + std::to_string(lines) : "") + " blocks are more than a grid can have");
    }
    LaunchShape shape;
    shape.grid.x = static_cast<std::uint32_t>(blocks);
    shape.grid.y = static_cast<std::uint32_t>(lines);
    shape.block.x = static_cast<std::uint32_t>(threads);
    return shape;
}

/// A vector with inline room for a few values, nearly always enough: then nothing is allocated.
template <class T, std::size_t few>
class SmallVector {
public:
    void push_back(const T& value) {
        if (count_ == few) more_.assign(few_.begin(), few_.end());
        if (count_ < few)
            few_[count_] = value;
        else more_.push_back(value);
        ++count_;
    }
    [[nodiscard]] T* data() noexcept { return count_ > few ? more_.data() : few_.data(); }
    [[nodiscard]] std::size_t size() const noexcept { return count_; }

private:
    std::array<T, few> few_;  // NOLINT: the first count_ are set
    std::vector<T> more_;
    std::size_t count_ = 0;
};

using Pointers = SmallVector<void*, 24>;

/// Appends pointers to the values, as cudaLaunchKernel needs them. An array's struct starts with its pointer, so it
/// serves both linear parameters (which take only the pointer) and strided ones.
void append(Pointers& pointers, const Argument& argument) {
    const void* value = argument.is_array ? static_cast<const void*>(&argument.array) : argument.scalar;
    pointers.push_back(const_cast<void*>(value));
}
void append(Pointers& pointers, const std::vector<Argument>& arguments) {
    for (const Argument& argument : arguments) append(pointers, argument);
}

/// Appends the arguments of the kernel that joins partial results.
void append_for_join(Pointers& pointers, const std::vector<Argument>& arguments) {
    for (const Argument& argument : arguments)
        if (!argument.map_stage_only) append(pointers, argument);
}

cudaError_t launch_with(cudaLaunchAttribute attribute, const void* function, const LaunchShape& shape,
                        void* const* arguments, cudaStream_t stream) {
    cudaLaunchConfig_t config{};
    config.gridDim = dim_of(shape.grid);
    config.blockDim = dim_of(shape.block);
    config.dynamicSmemBytes = shape.shared_bytes;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelExC(&config, function, const_cast<void**>(arguments));
}

// For a kernel that waits by itself for the previous launch's results where it needs them.
cudaError_t launch_early(const void* function, const LaunchShape& shape, void* const* arguments, cudaStream_t stream) {
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    return launch_with(early, function, shape, arguments, stream);
}

// All blocks must be resident at once: the runtime refuses more than fit.
cudaError_t launch_cooperative(const void* function, const LaunchShape& shape, void* const* arguments,
                               cudaStream_t stream) {
    cudaLaunchAttribute together{};
    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    return launch_with(together, function, shape, arguments, stream);
}

}  // namespace

void Launcher::start(const CudaKernel& kernel, std::size_t index, const LaunchShape& shape, void* const* arguments,
                     cudaStream_t stream, Overlap overlap) const {
    SmallVector<WideArgument, 16> wide;
    for (const int k : kernel.needs().wide) {
        WideArgument argument{.position = k + 1, .value = 0};
        std::memcpy(&argument.value, arguments[k], sizeof argument.value);
        wide.push_back(argument);
    }
    launch_history().add(kernel.name(), {wide.data(), wide.size()});
    const cudaError_t error =
        overlap == Overlap::programmatic
            ? launch_early(kernel.function(index), shape, arguments, stream)
        : shape.cooperative
            ? launch_cooperative(kernel.function(index), shape, arguments, stream)
            : cudaLaunchKernel(kernel.function(index), dim_of(shape.grid), dim_of(shape.block),
                               const_cast<void**>(arguments), shape.shared_bytes, stream);
    if (error != cudaSuccess) {
        if (is_kernel_fault(error)) fail(error, "launch of " + kernel.name());
        (void)cudaGetLastError();
        const bool is_plain = overlap != Overlap::programmatic && !shape.cooperative;
        throw LaunchError("kernel " + kernel.name() + (is_plain ? ": cudaLaunchKernel: " : ": cudaLaunchKernelExC: ") +
                          describe(error));
    }
    if (!blocking_ || is_capturing()) return;
    const cudaError_t outcome = cudaStreamSynchronize(stream);
    if (outcome == cudaSuccess) return;
    (void)cudaGetLastError();
    const std::string pointer = outcome == cudaErrorIllegalAddress ? host_pointer_of_recent_launches() : "";
    throw LaunchError("kernel " + kernel.name() + " failed: " + describe(outcome) +
                      " (LIBGPU_LAUNCH_BLOCKING=1: it is this kernel that did it)" +
                      (pointer.empty() ? "" : ". " + pointer));
}

void Launcher::launch(int device, const DeviceLimits& limits, const CudaKernel& kernel, const Launch& launch,
                      cudaStream_t stream) const {
    if (const auto* const space = std::get_if<ElementwiseSpace>(&launch.over))
        elementwise(kernel, *space, launch, stream);
    else if (const auto* const reduced = std::get_if<ReductionSpace>(&launch.over))
        reduction(device, limits, kernel, *reduced, launch, stream);
    else
        raw(device, limits, kernel, std::get<LaunchShape>(launch.over), launch.values, stream);
}

void Launcher::elementwise(const CudaKernel& kernel, const ElementwiseSpace& space, const Launch& launch,
                           cudaStream_t stream) const {
    for (ElementwiseParts parts(space, kernel.work(), index_steps_of(launch.plan)); parts.next();) {
        Pointers pointers;
        pointers.push_back(const_cast<SpaceArgument*>(&parts.argument()));
        std::vector<Argument> moved;
        if (!parts.is_whole()) moved = parts.arguments(launch.arguments);
        append(pointers, parts.is_whole() ? launch.arguments : moved);
        start(kernel, 0, grid_of(parts.blocks(), 1, kernel.work().block, kernel.name()), pointers.data(), stream);
    }
}

void Launcher::reduction(int device, const DeviceLimits& limits, const CudaKernel& kernel, const ReductionSpace& space,
                         const Launch& launch, cudaStream_t stream) const {
    const ReductionSchedule plan = plan_launch(space, threads_of(launch.plan));
    if (plan.steps > 1 && launch.join == nullptr)
        throw LaunchError("kernel " + kernel.name() + ": its partial results have no kernel that joins them");
    const Scratch scratch(memory_, device, static_cast<std::size_t>(plan.partials) * max_accumulator_bytes, stream);
    void* scratch_data = scratch.data();
    for (int k = 0; k < plan.steps; ++k) {
        const ReductionStep& step = plan.step[k];
        Pointers pointers;
        pointers.push_back(const_cast<ReductionArgument*>(&step.argument));
        pointers.push_back(&scratch_data);
        if (k == 0)
            append(pointers, launch.arguments);
        else
            append_for_join(pointers, launch.arguments);
        start(k == 0 ? kernel : static_cast<const CudaKernel&>(*launch.join), 0,
              grid_of(step.tiles, step.splits, reduction_block, kernel.name()), pointers.data(), stream,
              k > 0 && limits.begins_early ? Overlap::programmatic : Overlap::none);
    }
}

void Launcher::raw(int device, const DeviceLimits& limits, const CudaKernel& kernel, const LaunchShape& shape,
                   std::span<void* const> values, cudaStream_t stream) const {
    check_launch(limits, kernel.needs(), shape, static_cast<int>(values.size()));
    allow_shared(device, limits, kernel, shape.shared_bytes);
    start(kernel, 0, shape, values.data(), stream);
}

int Launcher::active_blocks(int device, const DeviceLimits& limits, const CudaKernel& kernel, int threads,
                            std::size_t shared) const {
    check_launch(limits, kernel.needs(),
                 {.grid = {}, .block = {static_cast<std::uint32_t>(threads), 1, 1}, .shared_bytes = shared},
                 kernel.needs().parameters);
    allow_shared(device, limits, kernel, shared);
    return active_blocks_of(kernel, threads, shared);
}

int Launcher::suggested_block(int device, const DeviceLimits& limits, const CudaKernel& kernel,
                              std::size_t shared) const {
    constexpr int warp = 32;
    int best = warp, max_threads = 0;
    for (int threads = kernel.needs().threads / warp * warp; threads > 0; threads -= warp) {
        const int all = threads * active_blocks(device, limits, kernel, threads, shared);
        if (all > max_threads) best = threads, max_threads = all;
    }
    return best;
}

void Launcher::allow_shared(int device, const DeviceLimits& limits, const CudaKernel& kernel, std::size_t shared) {
    if (kernel.needs().static_shared + shared <= limits.shared) return;
    // Requests all there is, so that two threads' launches don't undo each other's setting.
    const auto max_shared = static_cast<int>(limits.shared_opt_in - kernel.needs().static_shared);
    check(cudaKernelSetAttributeForDevice(kernel.handle(), cudaFuncAttributeMaxDynamicSharedMemorySize, max_shared,
                                          device),
          "cudaKernelSetAttributeForDevice");
}

DeviceLimits device_limits(int device) {
    const auto extent = [&](cudaDeviceAttr x, cudaDeviceAttr y, cudaDeviceAttr z) {
        const auto max_along = [&](cudaDeviceAttr axis) { return static_cast<std::uint32_t>(attribute(device, axis)); };
        return Extent3{max_along(x), max_along(y), max_along(z)};
    };
    DeviceLimits limits;
    limits.grid = extent(cudaDevAttrMaxGridDimX, cudaDevAttrMaxGridDimY, cudaDevAttrMaxGridDimZ);
    limits.block = extent(cudaDevAttrMaxBlockDimX, cudaDevAttrMaxBlockDimY, cudaDevAttrMaxBlockDimZ);
    limits.threads = attribute(device, cudaDevAttrMaxThreadsPerBlock);
    limits.begins_early = attribute(device, cudaDevAttrComputeCapabilityMajor) >= 9;
    limits.shared = static_cast<std::size_t>(attribute(device, cudaDevAttrMaxSharedMemoryPerBlock));
    limits.shared_opt_in = static_cast<std::size_t>(attribute(device, cudaDevAttrMaxSharedMemoryPerBlockOptin));
    return limits;
}

cudaStream_t begin_capture() {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    const cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    if (error != cudaSuccess) {
        (void)cudaStreamDestroy(stream);
        fail(error, "cudaStreamBeginCapture");
    }
    return stream;
}

void cancel_capture(cudaStream_t stream) noexcept {
    cudaGraph_t graph = nullptr;
    (void)cudaStreamEndCapture(stream, &graph);
    if (graph != nullptr) (void)cudaGraphDestroy(graph);
    (void)cudaStreamDestroy(stream);
    (void)cudaGetLastError();
}

InstantiatedGraph::InstantiatedGraph(cudaStream_t stream) {
    cudaError_t error = cudaStreamEndCapture(stream, &graph_);
    (void)cudaStreamDestroy(stream);
    if (error == cudaSuccess) error = cudaGraphInstantiate(&instance_, graph_, 0);
    if (error == cudaSuccess) return;
    if (graph_ != nullptr) (void)cudaGraphDestroy(graph_);
    fail(error, "GraphCapture::end: what was captured can't become a graph");
}

InstantiatedGraph::~InstantiatedGraph() {
    if (launched_) (void)cudaDeviceSynchronize();
    (void)cudaGraphExecDestroy(instance_);
    (void)cudaGraphDestroy(graph_);
}

void InstantiatedGraph::launch(cudaStream_t stream) {
    launched_ = true;
    check(cudaGraphLaunch(instance_, stream), "cudaGraphLaunch");
}

}  // namespace gpu::detail::cuda
