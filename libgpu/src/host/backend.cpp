// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gpu/error.hpp>

#include "backend/backend.hpp"
#include "backend/host_access.hpp"
#include "backend/observers.hpp"
#include "base.hpp"
#include "base/fork_safe_mutex.hpp"
#include "counts.hpp"
#include "host/base/device_limits.hpp"
#include "host/base/machine.hpp"
#include "host/check/check_calls.hpp"
#include "host/check/host_checker.hpp"
#include "host/compile/compiler.hpp"
#include "host/compile/generate.hpp"
#include "host/device_library/device_library.hpp"
#include "host/fibers/block_scheduler.hpp"
#include "host/fibers/thread_pool.hpp"
#include "host/fourier.hpp"
#include "host/host_memory.hpp"
#include "host/launch/memory_work.hpp"
#include "host/launch/launch.hpp"
#include "host/linear_algebra.hpp"
#include "host/memory/kernel_stacks.hpp"
#include "host/modules/kernel_module.hpp"
#include "host/streams/streams.hpp"

namespace gpu::detail::host {

namespace {

HostEvent& event_of(NativeEvent* event) { return *reinterpret_cast<HostEvent*>(event); }

CallTables call_tables() noexcept { return {&BlockScheduler::calls(), &CheckCalls::table()}; }

/// The CPU as a device.
class HostBackend final : public Backend {
public:
    HostBackend()
        : pool_(worker_count()),
          streams_(configured_devices()),
          memory_(streams_, checker_),
          blocking_(launch_blocking_wanted()) {}
    ~HostBackend() override { streams_.drain(); }
    HostBackend(const HostBackend&) = delete;
    HostBackend& operator=(const HostBackend&) = delete;

    BackendKind kind() const noexcept override { return BackendKind::host; }
    int device_count() const override { return memory_.devices(); }
    std::size_t max_block_shared(int) const override { return limits::max_shared; }
    BackendTraits traits() const noexcept override {
        return {.in_host_memory = true, .guards_arrays = true, .keeps_modules = true, .names_entries = false,
                .by_blocks = false, .strip = 16};
    }

    DeviceProperties properties(int device) const override {
        check(device);
        return {.name = processor_name() + " (host backend)", .multiprocessors = pool_.workers(), .warp_size = 32,
                .max_threads_per_block = limits::block_threads, .max_shared_per_block = limits::shared,
                .total_memory = memory(device).capacity(), .l2_cache = last_level_cache(), .compute_capability = 0};
    }

    void* allocate(int device, std::size_t bytes, void*) override {
        check(device);
        return memory_.allocate(device, bytes);
    }
    void deallocate(int device, void* data, std::size_t bytes) noexcept override {
        memory_.deallocate(device, data, bytes);
    }
    void* allocate_shared(int device, std::size_t bytes) override {
        check(device);
        return memory_.allocate_zeroed(device, bytes);
    }
    void copy(int device, void* to, const void* from, std::size_t bytes, CopyKind kind, void* stream) override {
        check(device);
        if (kind == CopyKind::device_to_device) {
            if (bytes > 0) start(device, stream, std::make_unique<CopyWork>(to, from, bytes));
            note_copy(device, to, from, bytes, kind, stream, false);
            return memory_.written(device, to, bytes);
        }
        const Streams::Turn turn(streams_, device, stream);
        const HostAccessWatch::Scope scope(checker_.host_access());
        if (bytes > 0) std::memmove(to, from, bytes);
        if (spoils(kind)) SpoilWork(to, bytes).run();
        if (kind != CopyKind::device_to_host) memory_.written(device, to, bytes);
        note_copy(device, to, from, bytes, kind, stream, true);
        checker_.copy_waited({device, stream});
    }
    bool read_in_place(int device, void* stream, const std::function<void()>& read) override {
        check(device);
        if (checker_.active()) return false;
        const Streams::Turn turn(streams_, device, stream);
        read();
        return true;
    }
    void copy_async(int device, void* to, const void* from, std::size_t bytes, CopyKind kind, void* stream) override {
        check(device);
        if (bytes > 0) start(device, stream, std::make_unique<CopyWork>(to, from, bytes));
        if (spoils(kind)) start(device, stream, std::make_unique<SpoilWork>(to, bytes));
        note_copy(device, to, from, bytes, kind, stream, false);
        if (kind != CopyKind::device_to_host) memory_.written(device, to, bytes);
    }
    void copy_peer(int device, void* to, int source, const void* from, std::size_t bytes, void* stream) override {
        check(device);
        check(source);
        if (bytes == 0) return;
        start(device, stream, std::make_unique<CopyWork>(to, from, bytes));
        checker_.copied({device, stream}, "a copy",
                        {read_piece(source, from, bytes), written_piece(device, to, bytes)});
        checker_.copy_asked({device, stream}, CopyKind::device_to_device, bytes, nullptr, false);
        memory_.written(device, to, bytes);
    }
    bool can_access_peer(int device, int other) override {
        check(device);
        check(other);
        return true;
    }
    void fill(int device, void* data, unsigned char byte, std::size_t bytes, void* stream) override {
        check(device);
        if (bytes > 0) start(device, stream, std::make_unique<FillWork>(data, byte, bytes));
        if (bytes > 0) checker_.copied({device, stream}, "a fill", {written_piece(device, data, bytes)});
        memory_.written(device, data, bytes);
    }

    MemoryUse memory_use(int device) override { return memory(device).use(); }
    void trim_memory(int device) override {
        check(device);
        memory_.trim(device);
    }
    void limit_kept_memory(int device, std::size_t bytes) override { memory(device).limit_kept(bytes); }

    bool is_page_locked(const void*, std::size_t) override { return false; }
    // Whole pages, like page-locked memory; nothing here needs it locked.
    void* allocate_pinned(int device, std::size_t bytes) override {
        check(device);
        void* data = nullptr;
        const std::size_t page = page_size(), pages = (std::max<std::size_t>(bytes, 1) + page - 1) / page;
        if (bytes > physical_memory() || ::posix_memalign(&data, page, pages * page) != 0)
            throw OutOfMemory(bytes, {}, "the host (page-locked memory)");
        checker_.memory().add_foreign(data, bytes);
        return data;
    }
    void pinned_given(void* data, std::size_t bytes) noexcept override {
        checker_.buffers().pinned_given(reinterpret_cast<std::uintptr_t>(data), bytes);
    }
    void free_pinned(int, void* data) noexcept override {
        checker_.given_back(data, 0);
        std::free(data);
    }

    void written_by_host(int device, const void* data) noexcept override {
        memory_.written_by_host(device, data);
    }
    void describe(int device, const void* data, DType elements, const Shape& shape) noexcept override {
        memory_.of(device).describe(data, elements, shape);
    }
    void hand_out(int device, const void* data) noexcept override { memory_.of(device).hand_out(data); }
    void lend_to_host(int device, const void* data) noexcept override {
        memory_.of(device).lend(data);
    }
    void borrow(int, const void* data, std::size_t bytes) override { checker_.memory().add_foreign(data, bytes); }
    void give_back(int, const void* data, std::size_t bytes) noexcept override {
        checker_.given_back(data, bytes);
    }
    std::shared_ptr<void> host_access() override {
        if (!checker_.active()) return nullptr;
        return std::make_shared<HostAccessWatch::Scope>(checker_.host_access());
    }

    std::uint64_t create_texture(int device, const TextureLayout& layout, const void* texels, void* stream) override {
        check(device);
        void* const data = memory_.allocate(device, layout.bytes());
        try {
            memory_.of(device).describe(data, layout.elements, Shape{layout.height, layout.width, layout.channels});
            start(device, stream, std::make_unique<CopyWork>(data, texels, layout.bytes()));
            note_copy(device, data, texels, layout.bytes(), CopyKind::device_to_device, stream, false);
            memory_.written_as(device, data, texels, layout.bytes());
            return begin_texture(layout, data);
        } catch (...) {
            memory_.deallocate(device, data, layout.bytes());
            throw;
        }
    }
    void destroy_texture(int device, std::uint64_t handle) noexcept override {
        streams_.drain();
        const EndedTexture ended = end_texture(handle);
        memory_.deallocate(device, ended.texels, ended.bytes);
    }
    void texture_used() noexcept override {}

    Checker* checker() noexcept override { return &checker_; }
    std::string variant() const override {
        return !checker_.active() ? "" : checker_.only_cuda() ? "check of CUDA alone" : "check";
    }

    void* create_stream(int device) override {
        check(device);
        return streams_.create(device);
    }
    void destroy_stream(int, void* stream) noexcept override {
        checker_.destroyed_stream(stream);
        streams_.destroy(stream);
    }
    void synchronize_stream(int device, void* stream) override {
        check(device);
        streams_.synchronize(device, stream);
        checker_.synchronized({device, stream});
    }
    void synchronize_device(int device) override { synchronize_stream(device, nullptr); }
    void wait_event(int device, void* stream, NativeEvent* event) override {
        check(device);
        streams_.wait_event(device, stream, event_of(event));
        checker_.waits({device, stream}, event);
    }

    NativeEvent* create_event(int device) override {
        check(device);
        return reinterpret_cast<NativeEvent*>(new HostEvent);
    }
    void destroy_event(int, NativeEvent* event) noexcept override {
        checker_.destroyed_event(event);
        delete &event_of(event);
    }
    void record_event(int device, NativeEvent* event, void* stream) override {
        check(device);
        streams_.record(device, stream, event_of(event));
        checker_.recorded({device, stream}, event);
    }
    void synchronize_event(int device, NativeEvent* event) override {
        check(device);
        streams_.synchronize(event_of(event));
        checker_.synchronized(event);
    }
    bool event_reached(int device, NativeEvent* event) override {
        check(device);
        const bool is_reached = streams_.reached(event_of(event));
        if (is_reached) checker_.synchronized(event);
        return is_reached;
    }
    bool event_passed(int device, NativeEvent* event) override {
        check(device);
        return streams_.reached(event_of(event));
    }
    float elapsed_ms(int device, NativeEvent* start, NativeEvent* stop) override {
        check(device);
        synchronize_event(device, start);
        synchronize_event(device, stop);
        const auto first = streams_.time_of(event_of(start)), last = streams_.time_of(event_of(stop));
        return std::chrono::duration<float, std::milli>(last - first).count();
    }

    void* begin_capture(int device) override {
        refuse_in_check_mode("GraphCapture");
        void* const stream = create_stream(device);
        const std::lock_guard lock(captures_mutex_);
        captures_.emplace(stream, std::make_unique<CapturedGraph>());
        return stream;
    }
    NativeGraph* end_capture(int, void* stream) override {
        return reinterpret_cast<NativeGraph*>(taken_capture(stream).release());
    }
    void cancel_capture(int, void* stream) noexcept override { (void)taken_capture(stream); }
    void replay(int device, NativeGraph* graph, void* stream) override {
        check(device);
        refuse_in_check_mode("Graph::replay");
        auto& recorded = *reinterpret_cast<CapturedGraph*>(graph);
        const std::lock_guard lock(recorded.mutex);
        streams_.wait_event(device, stream, recorded.replayed);
        for (const std::shared_ptr<Work>& work : recorded.works)
            start(device, stream, std::make_unique<RepeatedWork>(work));
        streams_.record(device, stream, recorded.replayed);
    }
    void destroy_graph(int, NativeGraph* graph) noexcept override {
        const std::unique_ptr<CapturedGraph> recorded(reinterpret_cast<CapturedGraph*>(graph));
        try {
            streams_.synchronize(recorded->replayed);
        } catch (...) {  // what a replay threw is for whoever waits for it
        }
    }

    ElementwisePlan plan(Iteration iteration, const std::vector<WalkedArray>&,
                         const ElementwiseNeeds& needs) const override {
        return plan_loop(std::move(iteration), needs);
    }
    ReducingPlan plan(const ReductionSpace&, const std::vector<Argument>&, std::size_t, std::size_t) const override {
        return {};
    }
    KernelSource generate(const ElementwiseText& text) const override {
        return checker_.active() ? generate_checked(text, checker_.only_cuda()) : generate_elementwise(text);
    }
    KernelSource generate(const ReductionText& text) const override {
        return checker_.active() ? generate_checked(text, checker_.only_cuda()) : generate_reduction(text);
    }
    KernelSource generate_join(const ReductionText&) const override { return {}; }   // no plan of the host's needs it
    KernelSource generate(const RawText& text) const override {
        return generate_raw(text, checker_.active(), checker_.only_cuda());
    }

    std::string compiler_identity(int device) override {
        check(device);
        return compiler().identity();
    }
    Image compile(int device, const KernelSource& source) override {
        check(device);
        return {.bytes = sealed_image(compiler().compile(source)), .entries = source.entries};
    }
    std::shared_ptr<LoadedKernel> load(int device, const Image& image, const KernelSource& source) override {
        check(device);
        return std::make_shared<KernelModule>(image, call_tables(), source.name, source.learners);
    }
    std::shared_ptr<LoadedModule> load_module(int device, const Image& image, const KernelSource& source) override {
        check(device);
        return std::make_shared<HostModule>(image, call_tables(), source.name, source.learners);
    }
    std::shared_ptr<LoadedModule> load_binary(int, const std::vector<std::byte>&, const std::string& name) override {
        throw DeviceError(name + " is a GPU's machine code: the host backend builds kernels from their source, so give "
                                 "gpu::RawModule that, as in gpu::file(\"kernels.cu\")");
    }

    // A worker thread runs one block at a time, of any size.
    [[nodiscard]] KernelAttributes attributes(int device, LoadedKernel& kernel) override {
        check(device);
        return host_attributes(*ours(kernel));
    }
    [[nodiscard]] int active_blocks(int device, LoadedKernel& kernel, int threads, std::size_t shared) override {
        check(device);
        check_launch_shape(kernel.name(), {.grid = {}, .block = {.x = static_cast<std::uint32_t>(threads)},
                                           .shared_bytes = shared}, ours(kernel)->static_shared());
        return 1;
    }
    [[nodiscard]] int suggested_block(int device, LoadedKernel& kernel, std::size_t shared) override {
        (void)active_blocks(device, kernel, 256, shared);
        return 256;
    }

    LinearAlgebra& linear_algebra(int device) override {
        check(device);
        const std::lock_guard lock(linear_algebra_mutex_);  // looked for again after a failure, as compilers are
        if (!linear_algebra_) {
            linear_algebra_ = make_linear_algebra(
                open_linalg_module(linalg_module_candidates()), streams_,
                [this](int where, void* stream, std::unique_ptr<Work> work) { start(where, stream, std::move(work)); },
                [this] { return host_access(); });
        }
        return *linear_algebra_;
    }
    FourierTransforms& fourier(int device) override {
        check(device);
        const std::lock_guard lock(linear_algebra_mutex_);
        if (!fourier_) {
            fourier_ = make_fourier_transforms(
                open_fourier_module(linalg_module_candidates()), pool_,
                [this](int where, void* stream, std::unique_ptr<Work> work) { start(where, stream, std::move(work)); });
        }
        return *fourier_;
    }

    void do_launch(int device, LoadedKernel& kernel, Launch&& launch, void* stream) override {
        if (!blocking_ && is_brief(static_cast<KernelModule&>(kernel), launch) && !checker_.active() &&
            !is_capturing()) {
            // Handing it to another thread would take longer than doing it.
            if (const auto queue = streams_.begin_at_once(device, stream); queue != nullptr) {
                std::exception_ptr error;
                try {
                    run_launch(context(device, stream), static_cast<KernelModule&>(kernel), launch);
                } catch (...) {
                    error = std::current_exception();
                }
                return streams_.finished(queue, std::move(error));
            }
        }
        start(device, stream, queued_launch(context(device, stream), ours(kernel), std::move(launch)));
    }

private:
    void check(int device) const {
        if (device < 0 || device >= device_count())
            throw DeviceError("host:" + std::to_string(device) + " does not exist; the host backend has " +
                              plural(device_count(), "device") + " (LIBGPU_HOST_DEVICES sets how many)");
    }
    GuardedMemory& memory(int device) const {
        check(device);
        return memory_.of(device);
    }
    LaunchContext context(int device, void* stream) {
        return {pool_, memory(device), checker_, is_printing(), device, stream};
    }
    // For check mode.
    CopiedPiece read_piece(int device, const void* data, std::size_t bytes) const {
        return {&memory_.of(device), reinterpret_cast<std::uintptr_t>(data), bytes, false};
    }
    CopiedPiece written_piece(int device, const void* data, std::size_t bytes) const {
        return {&memory_.of(device), reinterpret_cast<std::uintptr_t>(data), bytes, true};
    }
    [[nodiscard]] bool spoils(CopyKind kind) const noexcept {
        return kind == CopyKind::device_to_host && checker_.spoils_copies();
    }
    HostSide host_side(int device, const void* to, const void* from, std::size_t bytes, CopyKind kind,
                       bool host_waits) {
        if (kind == CopyKind::device_to_device) return {};
        const bool is_written = kind == CopyKind::device_to_host;
        const auto host = reinterpret_cast<std::uintptr_t>(is_written ? to : from);
        NearArray array;
        memory_.of(device).find(reinterpret_cast<std::uintptr_t>(is_written ? from : to), array);
        return {.buffer = {.start = host,
                           .bytes = bytes,
                           .is_written = is_written,
                           .is_pageable = !checker_.memory().is_foreign(host),
                           .elements = array.dtype},
                .host_waits = host_waits};
    }
    void note_copy(int device, void* to, const void* from, std::size_t bytes, CopyKind kind, void* stream,
                   bool host_waits) {
        if (!checker_.active() || bytes == 0) return;
        std::vector<CopiedPiece> pieces;
        if (kind != CopyKind::host_to_device) pieces.push_back(read_piece(device, from, bytes));
        if (kind != CopyKind::device_to_host) pieces.push_back(written_piece(device, to, bytes));
        const void* const host = kind == CopyKind::host_to_device ? from : to;
        checker_.copied({device, stream}, "a copy", pieces, host_side(device, to, from, bytes, kind, host_waits));
        if (!is_printing()) checker_.copy_asked({device, stream}, kind, bytes, host, host_waits);
    }
    static std::shared_ptr<const KernelModule> ours(LoadedKernel& kernel) {
        return static_cast<KernelModule&>(kernel).shared_from_this();
    }
    // Blocking mode runs work as a plain call that throws what the kernel does, still in the stream's order. So do
    // checks, since their findings must be the same on each run.
    void start(int device, void* stream, std::unique_ptr<Work> work) {
        if (is_capturing()) [[unlikely]] {
            const std::lock_guard lock(captures_mutex_);
            const auto found = captures_.find(stream);
            if (found != captures_.end()) return found->second->works.push_back(std::move(work));
        }
        if (!blocking_ && !checker_.active()) return streams_.submit(device, stream, std::move(work));
        const Streams::Turn turn(streams_, device, stream);
        const HostAccessWatch::Scope scope(checker_.host_access());
        work->run();
    }
    std::unique_ptr<CapturedGraph> taken_capture(void* stream) noexcept {
        std::unique_ptr<CapturedGraph> taken;
        {
            const std::lock_guard lock(captures_mutex_);
            const auto found = captures_.find(stream);
            taken = std::move(found->second);
            captures_.erase(found);
        }
        streams_.destroy(stream);
        return taken;
    }
    void refuse_in_check_mode(const char* operation) {
        if (!checker_.active()) return;
        throw Error(std::string(operation) +
                    ": not in check mode, which looks at each launch: check the launches themselves");
    }
    // Retried after a failure: somebody may install one.
    const Compiler& compiler() {
        const std::lock_guard lock(compiler_mutex_);
        if (!compiler_) compiler_ = std::make_unique<Compiler>();
        return *compiler_;
    }

    HostChecker checker_;
    ThreadPool pool_;
    // Before the memories, because its lock is taken before theirs.
    Streams streams_;
    HostMemory memory_;
    const bool blocking_;
    ForkSafeMutex captures_mutex_;
    std::map<void*, std::unique_ptr<CapturedGraph>> captures_;  // by stream
    ForkSafeMutex compiler_mutex_;
    std::unique_ptr<Compiler> compiler_;
    ForkSafeMutex linear_algebra_mutex_;  // for both
    std::unique_ptr<LinearAlgebra> linear_algebra_;
    std::unique_ptr<FourierTransforms> fourier_;
};

}  // namespace

}  // namespace gpu::detail::host

namespace gpu::detail {

std::unique_ptr<Backend> make_host_backend() {
    auto made = std::make_unique<host::HostBackend>();
    const HostWrapper wrap = host_wrapper.load(std::memory_order_acquire);
    if (wrap == nullptr) return made;
    return wrap(std::move(made));
}

}  // namespace gpu::detail
