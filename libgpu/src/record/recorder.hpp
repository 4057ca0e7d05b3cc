// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <gpu/recording.hpp>

#include "backend/backend.hpp"
#include "record/recording.hpp"

namespace gpu::detail::record {

/// Behind CallRecorder: stands before the host backend, which does the work, and writes down what it is asked for. What
/// can't be done again elsewhere is `unrecorded` by name. Between calls it learns what kernels are made of, and where
/// memory is. Until it is woken it only hands on. Thread-safe.
class Recorder : public Backend {
public:
    explicit Recorder(Backend& host) noexcept : host_(host) {}
    /// Before the process's host backend from now on.
    static Recorder& of_this_process();

    void prepare() noexcept { is_awake_ = true; }
    void begin(std::vector<HostBytes> arguments);
    void begin_check();
    void end_check();
    std::optional<std::uint64_t> copy_that_gave(HostBytes bytes);
    std::string end(std::string& why_not);
    void keep_texts() noexcept { keeps_texts_ = true; }
    std::string new_kernels();

    // What is recorded.
    void* allocate(int device, std::size_t bytes, void* stream) override;
    void deallocate(int device, void* data, std::size_t bytes) noexcept override;
    void* allocate_shared(int device, std::size_t bytes) override;
    void describe(int device, const void* data, DType elements, const Shape& shape) noexcept override;
    void copy(int device, void* to, const void* from, std::size_t bytes, CopyKind kind, void* stream) override;
    void fill(int device, void* data, unsigned char byte, std::size_t bytes, void* stream) override;
    void synchronize_stream(int device, void* stream) override;
    void synchronize_device(int device) override;
    KernelSource generate(const ElementwiseText& text) const override;
    KernelSource generate(const ReductionText& text) const override;
    KernelSource generate(const RawText& text) const override;
    std::shared_ptr<LoadedKernel> load(int device, const Image& image, const KernelSource& source) override;
    std::shared_ptr<LoadedModule> load_module(int device, const Image& image, const KernelSource& source) override;
    void do_launch(int device, LoadedKernel& kernel, Launch&& launch, void* stream) override;

    // What can't be.
    void* allocate_pinned(int device, std::size_t bytes) override {
        return unrecorded("page-locked memory").allocate_pinned(device, bytes);
    }
    void written_by_host(int device, const void* data) noexcept override {
        unrecorded("arrays that the host writes in place").written_by_host(device, data);
    }
    void lend_to_host(int device, const void* data) noexcept override {
        unrecorded("arrays that the host uses in place").lend_to_host(device, data);
    }
    void copy_async(int device, void* to, const void* from, std::size_t bytes, CopyKind kind, void* stream) override {
        unrecorded("asynchronous copies").copy_async(device, to, from, bytes, kind, stream);
    }
    void copy_peer(int device, void* to, int source, const void* from, std::size_t bytes, void* stream) override {
        unrecorded("copies between devices").copy_peer(device, to, source, from, bytes, stream);
    }
    void* create_stream(int device) override { return unrecorded("streams").create_stream(device); }
    void wait_event(int device, void* stream, NativeEvent* event) override {
        unrecorded("events").wait_event(device, stream, event);
    }
    NativeEvent* create_event(int device) override { return unrecorded("events").create_event(device); }
    void record_event(int device, NativeEvent* event, void* stream) override {
        unrecorded("events").record_event(device, event, stream);
    }
    void synchronize_event(int device, NativeEvent* event) override {
        unrecorded("events").synchronize_event(device, event);
    }
    bool event_reached(int device, NativeEvent* event) override {
        return unrecorded("events").event_reached(device, event);
    }
    float elapsed_ms(int device, NativeEvent* start, NativeEvent* stop) override {
        return unrecorded("events").elapsed_ms(device, start, stop);
    }
    void* begin_capture(int device) override {
        void* const stream = host_.begin_capture(device);  // which check mode refuses
        unrecorded("graphs");
        return stream;
    }
    void replay(int device, NativeGraph* graph, void* stream) override {
        unrecorded("graphs").replay(device, graph, stream);
    }
    void texture_used() noexcept override { unrecorded("textures").texture_used(); }
    LinearAlgebra& linear_algebra(int device) override { return unrecorded("linear algebra").linear_algebra(device); }
    FourierTransforms& fourier(int device) override { return unrecorded("Fourier transforms").fourier(device); }

    // What a replay does by itself, or does without.
    BackendKind kind() const noexcept override { return host_.kind(); }
    int device_count() const override { return host_.device_count(); }
    DeviceProperties properties(int device) const override { return host_.properties(device); }
    BackendTraits traits() const noexcept override { return host_.traits(); }
    std::size_t max_block_shared(int device) const override { return host_.max_block_shared(device); }
    ElementwisePlan plan(Iteration iteration, const std::vector<WalkedArray>& arrays,
                         const ElementwiseNeeds& needs) const override {
        return host_.plan(std::move(iteration), arrays, needs);
    }
    ReducingPlan plan(const ReductionSpace& space, const std::vector<Argument>& arguments, std::size_t max_item,
                      std::size_t accumulator) const override {
        return host_.plan(space, arguments, max_item, accumulator);
    }
    /// While it records, there is a copy, which a replay does again.
    bool read_in_place(int device, void* stream, const std::function<void()>& read) override {
        return !is_awake_ && host_.read_in_place(device, stream, read);
    }
    bool is_page_locked(const void* data, std::size_t bytes) override { return host_.is_page_locked(data, bytes); }
    KernelSource generate_join(const ReductionText& text) const override { return host_.generate_join(text); }
    bool can_access_peer(int device, int other) override { return host_.can_access_peer(device, other); }
    MemoryUse memory_use(int device) override { return host_.memory_use(device); }
    void trim_memory(int device) override { host_.trim_memory(device); }
    void limit_kept_memory(int device, std::size_t bytes) override { host_.limit_kept_memory(device, bytes); }
    void free_pinned(int device, void* data) noexcept override { host_.free_pinned(device, data); }
    void pinned_given(void* data, std::size_t bytes) noexcept override { host_.pinned_given(data, bytes); }
    void borrow(int device, const void* data, std::size_t bytes) override { host_.borrow(device, data, bytes); }
    void give_back(int device, const void* data, std::size_t n) noexcept override { host_.give_back(device, data, n); }
    void hand_out(int device, const void* data) noexcept override { host_.hand_out(device, data); }
    std::shared_ptr<void> host_access() override { return host_.host_access(); }
    void destroy_stream(int device, void* stream) noexcept override { host_.destroy_stream(device, stream); }
    void destroy_event(int device, NativeEvent* event) noexcept override { host_.destroy_event(device, event); }
    bool event_passed(int device, NativeEvent* event) override { return host_.event_passed(device, event); }
    NativeGraph* end_capture(int device, void* stream) override { return host_.end_capture(device, stream); }
    void cancel_capture(int device, void* stream) noexcept override { host_.cancel_capture(device, stream); }
    void destroy_graph(int device, NativeGraph* graph) noexcept override { host_.destroy_graph(device, graph); }
    std::uint64_t create_texture(int device, const TextureLayout& layout, const void* texels, void* stream) override {
        return host_.create_texture(device, layout, texels, stream);
    }
    void destroy_texture(int device, std::uint64_t handle) noexcept override { host_.destroy_texture(device, handle); }
    Checker* checker() noexcept override { return host_.checker(); }
    std::string variant() const override { return host_.variant(); }
    std::string compiler_identity(int device) override { return host_.compiler_identity(device); }
    Image compile(int device, const KernelSource& source) override { return host_.compile(device, source); }
    std::shared_ptr<LoadedModule> load_binary(int device, const std::vector<std::byte>& code,
                                              const std::string& name) override {
        return host_.load_binary(device, code, name);
    }
    KernelAttributes attributes(int device, LoadedKernel& kernel) override { return host_.attributes(device, kernel); }
    int active_blocks(int device, LoadedKernel& kernel, int threads, std::size_t shared) override {
        return host_.active_blocks(device, kernel, threads, shared);
    }
    int suggested_block(int device, LoadedKernel& kernel, std::size_t shared) override {
        return host_.suggested_block(device, kernel, shared);
    }

    // Of modules.
    void found(const LoadedModule& module, const std::string& entry, const std::string& name,
               const LoadedKernel& kernel) noexcept;
    void found(const LoadedModule& module, const std::string& name, const ModuleSymbol& symbol) noexcept;

private:
    static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

    struct Memory {
        std::size_t bytes = 0;
        std::uint64_t number = none;             ///< in this recording
        bool is_shared = false;
        const LoadedModule* module = nullptr;    ///< the variable's owner
        std::string name = {};
    };
    /// An array that existed before the call: its contents are part of the recording if the call uses it.
    struct KeptMemory {
        std::string content;
        bool is_used = false;
    };
    struct KernelNote {
        std::shared_ptr<const KernelText> text;  ///< null: a module's
        const LoadedModule* module = nullptr;
        std::string entry = {}, name = {};
    };

    template <class F>
    void learn(F&& note) const noexcept;
    template <class F>
    void guarded(F&& tell) noexcept;
    Backend& unrecorded(const char* what) noexcept;
    void give_up(const char* what) noexcept;
    void add(Step step, std::size_t bytes = 0);
    void add_launch(const LoadedKernel& kernel, const ElementwiseSpace& space, const Launch& launch);
    void add_launch(const LoadedKernel& kernel, const ReductionSpace& space, const Launch& launch);
    void add_launch(const LoadedKernel& kernel, const LaunchShape& shape, const Launch& launch);
    bool is_plain(int device, void* stream);
    template <class Text>
    KernelSource kept(const Text& text) const;
    void keep(KernelText text, const KernelSource& source) const;
    std::shared_ptr<const KernelText> text_of(const KernelSource& source) const;
    void allocated(int device, const void* data, std::size_t bytes, bool is_shared) noexcept;
    void waited(int device, void* stream) noexcept;
    void keep_memory();
    void use(std::uint64_t memory);
    std::vector<Step> steps_with_kept_memory();
    bool looks_like_addresses(HostBytes bytes) const;
    std::optional<MemoryOffset> place_of(std::uintptr_t address);
    MemoryOffset known_place_of(const void* data);
    std::vector<Address> addresses_in(HostBytes bytes);
    CopiedUp upload(const void* from, std::size_t bytes) const;
    std::uint64_t number_of(const LoadedKernel& kernel);
    std::uint64_t number_of(const LoadedModule& module);
    std::vector<GeneratedArgument> arguments_of(const std::vector<Argument>& arguments);

    Backend& host_;
    std::atomic<bool> is_awake_{false};
    std::atomic<bool> keeps_texts_{false};
    mutable std::mutex mutex_;
    std::map<std::uintptr_t, Memory> live_;      // by address
    mutable std::unordered_map<std::string, std::shared_ptr<const KernelText>> texts_;   // by the source made of them
    mutable std::vector<Step> new_kernels_;      // while they are kept
    mutable std::size_t new_bytes_ = 0;
    std::unordered_map<const LoadedKernel*, KernelNote> kernels_;
    std::unordered_map<const LoadedModule*, std::shared_ptr<const KernelText>> modules_;

    // State of the call being recorded.
    bool recording_ = false, in_check_ = false;
    std::string why_not_;
    std::vector<HostBytes> arguments_;
    std::vector<Step> steps_;
    std::vector<std::string> copies_;            // the result of each copy to the host
    std::size_t bytes_ = 0;
    std::vector<KeptMemory> kept_;               // by number: they have the first ones
    std::uint64_t next_memory_ = 0;
    std::unordered_map<const LoadedKernel*, std::uint64_t> kernel_numbers_;
    std::unordered_map<const LoadedModule*, std::uint64_t> module_numbers_;
};

}  // namespace gpu::detail::record
