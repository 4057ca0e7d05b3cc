// SPDX-License-Identifier: MIT
#include "backend/backend.hpp"

#include <cstring>
#include <exception>

#include <gpu/error.hpp>

#include "backend/host_access.hpp"
#include "backend/observers.hpp"
#include "cuda/base/cudart.hpp"
#include "cuda/base/library.hpp"
#include "cuda/base/profiler_range.hpp"
#include "cuda/compile/compiler.hpp"
#include "cuda/compile/skeletons.hpp"
#include "cuda/fft/cuda_fft.hpp"
#include "cuda/launch/kernel_space.hpp"
#include "cuda/launch/launcher.hpp"
#include "cuda/linear_algebra/linear_algebra.hpp"
#include "cuda/memory/device_memory.hpp"
#include "cuda/memory/staging.hpp"
#include "cuda/memory/textures.hpp"
#include "cuda/plan/thread_mapping.hpp"

namespace gpu::detail {

namespace cuda {

namespace {

/// Constant facts about a device, queried once. Nothing here needs or creates a context.
struct DeviceFacts {
    int capability = 0;
    int multiprocessors = 0;
    DeviceLimits limits;
};

DeviceFacts facts_of(int device) {
    return {.capability = 10 * attribute(device, cudaDevAttrComputeCapabilityMajor) +
                          attribute(device, cudaDevAttrComputeCapabilityMinor),
            .multiprocessors = attribute(device, cudaDevAttrMultiProcessorCount), .limits = device_limits(device)};
}

cudaMemcpyKind memcpy_kind(CopyKind kind) noexcept {
    switch (kind) {
        case CopyKind::host_to_device: return cudaMemcpyHostToDevice;
        case CopyKind::device_to_host: return cudaMemcpyDeviceToHost;
        case CopyKind::device_to_device: return cudaMemcpyDeviceToDevice;
    }
    return cudaMemcpyDefault;
}

const char* name_of(CopyKind kind) noexcept {
    switch (kind) {
        case CopyKind::host_to_device: return "libgpu: copy to device";
        case CopyKind::device_to_host: return "libgpu: copy to host";
        case CopyKind::device_to_device: break;
    }
    return "libgpu: copy on device";
}

class CudaBackend final : public Backend {
public:
    explicit CudaBackend(int device_count)
        : memory_(device_count),
          staging_(device_count),
          launcher_(memory_, launch_blocking_wanted()),
          linear_algebra_(make_linear_algebra(make_math_libraries(*this, memory_, launch_blocking_wanted()))),
          fourier_(*this, memory_, launch_blocking_wanted()) {
        for (int device = 0; device < device_count; ++device) facts_.push_back(facts_of(device));
    }

    [[nodiscard]] BackendKind kind() const noexcept override { return BackendKind::cuda; }
    [[nodiscard]] int device_count() const override { return static_cast<int>(facts_.size()); }
    [[nodiscard]] BackendTraits traits() const noexcept override { return {}; }
    [[nodiscard]] std::size_t max_block_shared(int device) const override {
        return facts_of_device(device).limits.shared_opt_in;
    }

    [[nodiscard]] DeviceProperties properties(int device) const override {
        cudaDeviceProp all{};  // for the two facts that have no attribute; its other fields vary between versions
        check(cudaGetDeviceProperties(&all, device), "cudaGetDeviceProperties");
        const DeviceFacts& facts = facts_of_device(device);
        return {.name = all.name, .multiprocessors = facts.multiprocessors,
                .warp_size = attribute(device, cudaDevAttrWarpSize), .max_threads_per_block = facts.limits.threads,
                .max_shared_per_block = facts.limits.shared, .total_memory = all.totalGlobalMem,
                .l2_cache = static_cast<std::size_t>(attribute(device, cudaDevAttrL2CacheSize)),
                .compute_capability = facts.capability};
    }

    void* allocate(int device, std::size_t bytes, void* stream) override {
        return memory_.allocate(device, bytes, used(device, stream));
    }
    void deallocate(int device, void* data, std::size_t bytes) noexcept override {
        memory_.deallocate(device, data, bytes);
    }

    void describe(int, const void* data, DType elements, const Shape&) noexcept override {
        memory_.describe(data, elements);
    }

    // What check mode wants to know, which is the host backend's.
    void pinned_given(void*, std::size_t) noexcept override {}
    void written_by_host(int, const void*) noexcept override {}
    void hand_out(int, const void*) noexcept override {}
    void lend_to_host(int, const void*) noexcept override {}
    void borrow(int, const void*, std::size_t) override {}
    void give_back(int, const void*, std::size_t) noexcept override {}
    std::shared_ptr<void> host_access() override { return nullptr; }
    bool read_in_place(int, void*, const std::function<void()>&) override { return false; }
    void texture_used() noexcept override {}
    bool event_passed(int device, NativeEvent* event) override { return event_reached(device, event); }
    Checker* checker() noexcept override { return nullptr; }
    std::string variant() const override { return {}; }

    void* allocate_shared(int device, std::size_t bytes) override {
        use_device(device);
        void* data = nullptr;
        check(cudaHostAlloc(&data, bytes, cudaHostAllocPortable | cudaHostAllocMapped), "cudaHostAlloc");
        std::memset(data, 0, bytes);
        return known(device, data, bytes);  // with unified addressing, as on all 64-bit platforms, kernels use it, too
    }

    void copy(int device, void* to, const void* from, std::size_t bytes, CopyKind kind, void* stream) override {
        const ProfilerRange range(name_of(kind));
        if (bytes == 0 || copied_through_ring(device, to, from, bytes, kind, stream)) return;
        use_device(device);
        if (kind == CopyKind::device_to_host && bytes <= SmallCopies::max_bytes)
            return small_copies_.to_host(device, to, from, bytes, used(device, stream));
        check(cudaMemcpyAsync(to, from, bytes, memcpy_kind(kind), used(device, stream)), "cudaMemcpyAsync");
        // Page-locked host memory would be read or written after this call has returned.
        if (kind != CopyKind::device_to_device) synchronize_stream(device, stream);
    }
    // From pageable memory, the runtime copies immediately what fits its buffers, and otherwise waits.
    void copy_async(int device, void* to, const void* from, std::size_t bytes, CopyKind kind, void* stream) override {
        const ProfilerRange range(name_of(kind));
        if (bytes == 0 || copied_through_ring(device, to, from, bytes, kind, stream)) return;
        use_device(device);
        check(cudaMemcpyAsync(to, from, bytes, memcpy_kind(kind), used(device, stream)), "cudaMemcpyAsync");
    }
    void copy_peer(int device, void* to, int source, const void* from, std::size_t bytes, void* stream) override {
        if (bytes == 0) return;
        (void)memory_.connect(device, source);  // otherwise the driver stages the copy through the host
        use_device(device);
        check(cudaMemcpyPeerAsync(to, device, from, source, bytes, used(device, stream)), "cudaMemcpyPeerAsync");
    }
    bool can_access_peer(int device, int other) override {
        (void)facts_of_device(device);
        (void)facts_of_device(other);
        return memory_.connect(device, other);
    }
    void fill(int device, void* data, unsigned char byte, std::size_t bytes, void* stream) override {
        if (bytes == 0) return;
        use_device(device);
        check(cudaMemsetAsync(data, byte, bytes, used(device, stream)), "cudaMemsetAsync");
    }

    MemoryUse memory_use(int device) override { return memory_.use(device); }
    void trim_memory(int device) override { memory_.trim(device); }
    void limit_kept_memory(int device, std::size_t bytes) override { memory_.limit_kept(device, bytes); }

    void* allocate_pinned(int device, std::size_t bytes) override {
        use_device(device);
        void* data = nullptr;
        const cudaError_t error = cudaHostAlloc(&data, bytes > 0 ? bytes : 1, cudaHostAllocPortable);
        if (error == cudaErrorMemoryAllocation) {
            (void)cudaGetLastError();
            throw OutOfMemory(bytes, {}, "the host (page-locked memory)");
        }
        check(error, "cudaHostAlloc");
        return known(device, data, bytes);
    }
    void free_pinned(int, void* data) noexcept override {
        memory_.forgets(data);
        (void)cudaFreeHost(data);
    }

    bool is_page_locked(const void* data, std::size_t bytes) override { return cuda::is_page_locked(data, bytes); }

    // Streams and events. Streams are blocking: the legacy default stream, where memory is freed, waits for them.
    void* create_stream(int device) override {
        use_device(device);
        memory_.use_streams(device);
        cudaStream_t stream = nullptr;
        check(cudaStreamCreateWithFlags(&stream, cudaStreamDefault), "cudaStreamCreateWithFlags");
        return stream;
    }
    void destroy_stream(int, void* stream) noexcept override { (void)cudaStreamDestroy(stream_of(stream)); }
    void synchronize_stream(int device, void* stream) override {
        const ProfilerRange range("libgpu: wait for a stream");
        use_device(device);
        check(cudaStreamSynchronize(stream_of(stream)), "cudaStreamSynchronize");
    }
    void synchronize_device(int device) override {
        const ProfilerRange range("libgpu: wait for the device");
        use_device(device);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }
    void wait_event(int device, void* stream, NativeEvent* event) override {
        use_device(device);
        check(cudaStreamWaitEvent(used(device, stream), event_of(event), 0), "cudaStreamWaitEvent");
    }
    NativeEvent* create_event(int device) override {
        use_device(device);
        cudaEvent_t event = nullptr;
        check(cudaEventCreateWithFlags(&event, cudaEventDefault), "cudaEventCreateWithFlags");
        return reinterpret_cast<NativeEvent*>(event);
    }
    void destroy_event(int, NativeEvent* event) noexcept override { (void)cudaEventDestroy(event_of(event)); }
    void record_event(int device, NativeEvent* event, void* stream) override {
        use_device(device);
        check(cudaEventRecord(event_of(event), stream_of(stream)), "cudaEventRecord");
    }
    void synchronize_event(int device, NativeEvent* event) override {
        use_device(device);
        check(cudaEventSynchronize(event_of(event)), "cudaEventSynchronize");
    }
    bool event_reached(int device, NativeEvent* event) override {
        use_device(device);
        const cudaError_t state = cudaEventQuery(event_of(event));
        if (state == cudaErrorNotReady) (void)cudaGetLastError();
        else check(state, "cudaEventQuery");
        return state == cudaSuccess;
    }
    float elapsed_ms(int device, NativeEvent* start, NativeEvent* stop) override {
        synchronize_event(device, start);
        synchronize_event(device, stop);
        float milliseconds = 0;
        const cudaError_t error = cudaEventElapsedTime(&milliseconds, event_of(start), event_of(stop));
        if (error == cudaErrorInvalidResourceHandle) {
            (void)cudaGetLastError();
            throw Error("elapsed_ms: both events must have been recorded");
        }
        check(error, "cudaEventElapsedTime");
        return milliseconds;
    }

    void* begin_capture(int device) override {
        use_device(device);
        return cuda::begin_capture();
    }
    NativeGraph* end_capture(int device, void* stream) override {
        use_device(device);
        return reinterpret_cast<NativeGraph*>(new InstantiatedGraph(stream_of(stream)));
    }
    void cancel_capture(int, void* stream) noexcept override { cuda::cancel_capture(stream_of(stream)); }
    void replay(int device, NativeGraph* graph, void* stream) override {
        use_device(device);
        reinterpret_cast<InstantiatedGraph*>(graph)->launch(used(device, stream));
        if (launch_blocking_wanted()) synchronize_stream(device, stream);
    }
    void destroy_graph(int device, NativeGraph* graph) noexcept override {
        if (try_use_device(device) == cudaSuccess) delete reinterpret_cast<InstantiatedGraph*>(graph);
    }

    std::uint64_t create_texture(int device, const TextureLayout& layout, const void* texels, void* stream) override {
        return textures_.create(device, layout, texels, used(device, stream));
    }
    void destroy_texture(int device, std::uint64_t handle) noexcept override { textures_.destroy(device, handle); }

    [[nodiscard]] ElementwisePlan plan(Iteration iteration, const std::vector<WalkedArray>& arrays,
                                       const ElementwiseNeeds& needs) const override {
        if (needs.uses_index) iteration.strides.push_back(dense_strides(iteration.shape));
        PlannedWalk walk = plan_walk(std::move(iteration), arrays, needs);
        return {.iteration = std::move(walk.iteration), .is_linear = std::move(walk.is_linear), .key = walk.key(),
                .plan = std::make_shared<const ThreadMapping>(std::move(walk))};
    }
    [[nodiscard]] ReducingPlan plan(const ReductionSpace& space, const std::vector<Argument>& arguments,
                                    std::size_t max_item, std::size_t accumulator) const override {
        const ReductionThreads threads{.walk = walk_of(space, arguments, max_item, accumulator),
                                       .row = row_of(space, arguments)};
        return {.needs_join = is_split(space, threads), .key = threads.walk.key(),
                .plan = std::make_shared<const ReductionThreads>(threads)};
    }
    [[nodiscard]] KernelSource generate(const ElementwiseText& text) const override {
        return elementwise_skeleton(text);
    }
    [[nodiscard]] KernelSource generate(const ReductionText& text) const override { return reduction_skeleton(text); }
    [[nodiscard]] KernelSource generate(const RawText& text) const override { return raw_skeleton(text); }
    [[nodiscard]] KernelSource generate_join(const ReductionText& text) const override { return join_skeleton(text); }

    [[nodiscard]] std::string compiler_identity(int device) override {
        return compiler_identity_for(facts_of_device(device).capability);
    }
    Image compile(int device, const KernelSource& source) override {
        const ProfilerRange range("libgpu: compile " + source.name);
        return compile_for(choose_target(facts_of_device(device).capability, nvrtc().archs), source);
    }
    std::shared_ptr<LoadedKernel> load(int device, const Image& image, const KernelSource& source) override {
        use_device(device);
        return std::make_shared<CudaKernel>(image, source.name, work_of(source.plan));
    }
    std::shared_ptr<LoadedModule> load_module(int device, const Image& image, const KernelSource& source) override {
        use_device(device);
        return std::make_shared<CudaModule>(device, image, source.name);
    }
    std::shared_ptr<LoadedModule> load_binary(int device, const std::vector<std::byte>& code,
                                              const std::string& name) override {
        use_device(device);
        return std::make_shared<CudaModule>(device, Image{code, {}}, name);
    }

    [[nodiscard]] KernelAttributes attributes(int device, LoadedKernel& kernel) override {
        use_device(device);
        return attributes_of(ours(kernel), facts_of_device(device).limits.shared_opt_in);
    }
    [[nodiscard]] int active_blocks(int device, LoadedKernel& kernel, int threads, std::size_t shared) override {
        use_device(device);
        return launcher_.active_blocks(device, facts_of_device(device).limits, ours(kernel), threads, shared);
    }
    [[nodiscard]] int suggested_block(int device, LoadedKernel& kernel, std::size_t shared) override {
        use_device(device);
        return launcher_.suggested_block(device, facts_of_device(device).limits, ours(kernel), shared);
    }

    void do_launch(int device, LoadedKernel& kernel, Launch&& launch, void* stream) override {
        const ProfilerRange range(ours(kernel).name());
        use_device(device);
        launcher_.launch(device, facts_of_device(device).limits, ours(kernel), launch, used(device, stream));
    }

    LinearAlgebra& linear_algebra(int device) override {
        (void)facts_of_device(device);
        return *linear_algebra_;  // it opens its libraries when it first needs them
    }
    FourierTransforms& fourier(int device) override {
        (void)facts_of_device(device);
        return fourier_;
    }

private:
    [[nodiscard]] const DeviceFacts& facts_of_device(int device) const {
        if (device < 0 || device >= device_count()) {
            throw DeviceError("there is no device cuda:" + std::to_string(device) + "; this machine has " +
                              std::to_string(device_count()));
        }
        return facts_[static_cast<std::size_t>(device)];
    }
    // Page-locked memory, noted for messages: freed again if there is no memory for the note.
    void* known(int device, void* data, std::size_t bytes) {
        try {
            memory_.knows(device, data, bytes);
        } catch (...) {
            (void)cudaFreeHost(data);
            throw;
        }
        return data;
    }
    // Copies large data from or to pageable memory; true if it did.
    bool copied_through_ring(int device, void* to, const void* from, std::size_t bytes, CopyKind kind, void* stream) {
        if (bytes < Staging::worth || kind == CopyKind::device_to_device) return false;
        const bool to_host = kind == CopyKind::device_to_host;
        use_device(device);
        if (is_page_locked(to_host ? to : from, bytes)) return false;
        return to_host ? staging_.to_host(device, to, from, bytes, stream_of(stream))
                       : staging_.to_device(device, to, from, bytes, stream_of(stream));
    }
    // The stream for work on memory. Records the use of a stream that is neither the default one nor only capturing.
    cudaStream_t used(int device, void* stream) {
        if (stream != nullptr && !is_capturing()) memory_.use_streams(device);
        return stream_of(stream);
    }
    static const CudaKernel& ours(const LoadedKernel& kernel) { return static_cast<const CudaKernel&>(kernel); }

    std::vector<DeviceFacts> facts_;
    DeviceMemory memory_;
    Staging staging_;
    SmallCopies small_copies_;
    Textures textures_;
    Launcher launcher_;
    std::unique_ptr<LinearAlgebra> linear_algebra_;
    CudaFourierTransforms fourier_;
};

}  // namespace

}  // namespace cuda

KernelSource source_for_ptx(const RawText& text) { return cuda::raw_skeleton(text); }

std::string ptx_of(const KernelSource& source, int compute_capability) {
    const cuda::Target target = cuda::choose_target(compute_capability, cuda::nvrtc().archs);
    const std::string arch = "compute_" + target.arch.substr(target.arch.find('_') + 1);
    const Image image = cuda::compile_for(cuda::Target{arch, true}, source);
    std::string ptx(reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size());
    while (!ptx.empty() && ptx.back() == '\0') ptx.pop_back();
    return ptx;
}

std::unique_ptr<Backend> make_cuda_backend(std::string& why_not) {
    try {
        const cuda::Probe probe = cuda::probe_machine();
        why_not = cuda::why_unusable(probe);
        if (!why_not.empty()) return nullptr;
        return std::make_unique<cuda::CudaBackend>(probe.device_count);
    } catch (const std::exception& error) {
        why_not = std::string("CUDA can't start: ") + error.what();
        return nullptr;
    }
}

}  // namespace gpu::detail
