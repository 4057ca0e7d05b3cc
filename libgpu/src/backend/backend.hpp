// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gpu/check.hpp>
#include <gpu/device.hpp>
#include <gpu/dtype.hpp>
#include <gpu/error.hpp>
#include <gpu/kernel_options.hpp>
#include <gpu/shape.hpp>
#include <gpu/texture.hpp>

#include "array/iteration.hpp"
#include "codegen/kernel_text.hpp"
#include "counts.hpp"

namespace gpu {
struct Trace;
struct TracedOperation;
struct TraceOptions;
}  // namespace gpu

namespace gpu::detail {

class FourierTransforms;  // see backend/fft.hpp
class LinearAlgebra;      // see backend/linalg.hpp

/// An event and a captured graph of a backend. Never defined: neither can be passed for a stream, which stays a void*,
/// as programs bring streams of CUDA's own.
struct NativeEvent;
struct NativeGraph;

/// The direction of a copy: CUDA's cudaMemcpyKind.
enum class CopyKind { host_to_device, device_to_host, device_to_device };

/// Three lengths of a grid or a block.
struct Extent3 {
    std::uint32_t x = 1, y = 1, z = 1;
};

/// The shape of a raw kernel's launch.
struct LaunchShape {
    Extent3 grid, block;
    std::size_t shared_bytes = 0;
    bool cooperative = false;  ///< all blocks run at once
};

/// An array in the form that generated kernels take. The kernel of a linear parameter uses only `data`.
struct ArrayArgument {
    void* data = nullptr;
    std::int64_t strides[max_rank] = {};
    std::int64_t lengths[max_rank] = {};  ///< of a raw parameter's axes; others ignore them
};

/// One argument of a generated kernel, in the order of its text's parameters.
struct Argument {
    bool is_array = true;
    bool is_raw = false;  ///< an array that isn't iterated over
    bool map_stage_only = false;  ///< see Parameter
    std::uint8_t item = 0;  ///< bytes of an element of a strided array; 0 for others
    ArrayArgument array;
    alignas(16) unsigned char scalar[16] = {};  ///< the value's bytes, in the parameter's type
};

/// A kernel that is ready to be launched on one device (or on all of its backend's).
class LoadedKernel {
public:
    virtual ~LoadedKernel() = default;
    [[nodiscard]] virtual const std::string& name() const noexcept = 0;
};

/// The index space of an elementwise kernel. `shape` has the text's rank; `size` is its product.
struct ElementwiseSpace {
    std::int64_t size = 0;
    Shape shape;
    std::size_t bytes = 0;  ///< of the arrays' elements, for launch logs
};

/// The index space of a reduction: the strides of array arguments run over the kept axes first, then the reduced ones
/// (outputs have strides for the kept axes only, and are the last arguments).
struct ReductionSpace {
    std::int64_t outputs = 0, reduced = 0;
    Shape kept, reduced_shape;
    std::size_t bytes = 0;  ///< of the arrays' elements, for launch logs
    int results = 1;        ///< how many outputs the kernel has
};

/// A launch of a kernel of any kind: over which threads or elements, and with what.
struct Launch {
    std::variant<LaunchShape, ElementwiseSpace, ReductionSpace> over;
    std::vector<Argument> arguments = {};     ///< a generated kernel's
    std::span<void* const> values = {};       ///< a raw kernel's: pointers to them, as for cudaLaunchKernel
    std::int64_t elements = 0;                ///< of a raw kernel of libgpu's own, where they are known; otherwise 0
    BackendPlan plan = {};                    ///< a generated kernel's, as its text has it
    std::shared_ptr<LoadedKernel> join = {};  ///< a reduction's, where its plan needs one
};

/// An array that an elementwise call walks through.
struct WalkedArray {
    std::uintptr_t address = 0;  ///< of its first element
    std::size_t item = 4;        ///< bytes of an element
    bool is_output = false;
};

/// What an elementwise kernel's body asks of the order in which elements are visited.
struct ElementwiseNeeds {
    bool keeps_axes = false;   ///< it sees the index along each axis: none are merged
    bool uses_index = false;   ///< it uses `i`, which counts in row-major order
    bool names_index = false;  ///< messages about it name the element's index, where the backend can tell it
    int block = 256;           ///< the most threads of a block, on a GPU
};

/// How a backend goes through an elementwise call.
struct ElementwisePlan {
    Iteration iteration;          ///< one strides an array; axes may be fewer, and in another order than in the call
    std::vector<bool> is_linear;  ///< arrays whose elements lie in the order of the iteration
    std::string key = {};         ///< what else the kernel's text depends on
    BackendPlan plan = {};        ///< for the text and the launch
};

/// How a backend goes through a reduction.
struct ReducingPlan {
    bool needs_join = false;  ///< partial results are left for a second kernel, see Backend::generate_join()
    std::string key = {};     ///< what else the kernel's text depends on
    BackendPlan plan = {};    ///< for the text and the launch
};

/// What the rooms above the seam choose their ways by.
struct BackendTraits {
    bool in_host_memory = false;  ///< arrays lie in this process's memory, and the host may touch them there
    bool guards_arrays = false;   ///< the backend itself notices what is written beside an array
    bool keeps_modules = false;   ///< a queued launch keeps the module that its kernel is of
    bool names_entries = true;    ///< a kernel's entry is called the same in every image that has it
    bool by_blocks = true;        ///< kernels whose threads share memory and wait for one another are worth it
    int strip = 1;                ///< neighbours that a thread without barriers computes best
};

/// The output of a compiler for a KernelSource: a cubin, or a shared object.
struct Image {
    std::vector<std::byte> bytes;
    std::vector<std::string> entries;  ///< the lowered names to look up after loading
};

/// The message of a compiler that rejected a source, untranslated.
struct CompileFailure {
    std::string log;
    std::vector<std::string> options = {};  ///< all that were passed, including the source's own
    Unresolved unresolved = {};             ///< if all that it rejected is a kernel's name or signature

    [[nodiscard]] std::string options_text() const;  ///< in one line
};

/// A variable of a kernel's source, in the device's memory.
struct ModuleSymbol {
    void* data = nullptr;  ///< null: there is no such variable
    std::size_t bytes = 0;
};

/// A loaded image: kernels that share their __device__ and __constant__ variables.
class LoadedModule {
public:
    virtual ~LoadedModule() = default;
    /// The kernel of this entry, called `name` in messages; null if the image has none.
    [[nodiscard]] virtual std::shared_ptr<LoadedKernel> kernel(const std::string& entry, const std::string& name) = 0;
    /// A variable by its name in the source ("coef", "filter::coef") or in the image.
    [[nodiscard]] virtual ModuleSymbol symbol(const std::string& name) = 0;
    /// The names of all variables, if they can be listed.
    [[nodiscard]] virtual std::vector<std::string> symbols() const = 0;
    /// The host may write this variable from now on: check mode counts it as written.
    virtual void written_by_host(const std::string& name) = 0;
};

/// A texture's texels, dense in row-major order: `channels` elements each. Never describes what a GPU can't do.
struct TextureLayout : TextureOptions {
    DType elements = DType::float32;
    int rank = 1;
    std::int64_t width = 0, height = 1;

    [[nodiscard]] std::size_t texel_bytes() const noexcept {
        return size_of(elements) * static_cast<std::size_t>(channels);
    }
    [[nodiscard]] std::size_t row_bytes() const noexcept { return static_cast<std::size_t>(width) * texel_bytes(); }
    [[nodiscard]] std::size_t bytes() const noexcept { return static_cast<std::size_t>(height) * row_bytes(); }
};

/// A backend's check mode, see gpu::check.
class Checker {
public:
    /// What a check has seen of the streams so far.
    struct StreamsSeen {
        std::uint64_t at_once = 0;      ///< the maximum whose work may run at the same time
        std::uint64_t not_awaited = 0;  ///< copies to the host for which it has not waited
    };

    /// Starts checking launches. @throws Error for bad options, or if a check is in progress.
    virtual void begin(const CheckOptions& options) = 0;
    /// Ends the check. All work must be done. The report's host counts are left empty.
    virtual CheckReport finish() = 0;
    /// After begin(): records launches, too.
    virtual void record(const TraceOptions& options) = 0;
    /// After record(): notes an operation in a stream that the backend itself can't name.
    [[nodiscard]] virtual bool records() const noexcept = 0;
    virtual void note(int device, void* stream, const TracedOperation& operation) = 0;
    /// Host waits from now on don't belong to the recorded program.
    virtual void end_schedule() = 0;
    /// After finish(): the recorded trace. Its reports and host counts are left empty.
    virtual Trace take_trace() = 0;
    /// Between begin() and finish(), before anybody waits for the remaining work.
    [[nodiscard]] virtual StreamsSeen streams_seen() const = 0;

protected:
    ~Checker() = default;
};

/// The one seam between libgpu and what executes it. Thread-safe. All functions throw the public errors. None has a
/// default: a backend that stands before another one must not forget any.
class Backend {
public:
    virtual ~Backend() = default;

    [[nodiscard]] virtual BackendKind kind() const noexcept = 0;
    [[nodiscard]] virtual int device_count() const = 0;
    [[nodiscard]] virtual DeviceProperties properties(int device) const = 0;
    [[nodiscard]] virtual BackendTraits traits() const noexcept = 0;
    /// The most shared memory of a raw kernel's block, static and dynamic together, in bytes.
    [[nodiscard]] virtual std::size_t max_block_shared(int device) const = 0;

    // Memory. An allocation has at least `bytes` bytes (0 is allowed) and is aligned for every element type. `stream`
    // is a native handle; nullptr is the default stream. Work is ordered by the stream; the default stream and the
    // device's others wait for each other, as with CUDA's legacy one. Freed memory lives until all work queued before
    // is done.
    virtual void* allocate(int device, std::size_t bytes, void* stream) = 0;
    virtual void deallocate(int device, void* data, std::size_t bytes) noexcept = 0;
    /// Zeroed memory that both the device's kernels and the host access in place. It is never freed.
    virtual void* allocate_shared(int device, std::size_t bytes) = 0;
    /// Host copies return when the host memory may be reused or read; device_to_device only enqueues.
    virtual void copy(int device, void* to, const void* from, std::size_t bytes, CopyKind kind, void* stream) = 0;
    /// Calls `read`, which reads arrays' memory in place, in the stream's order, and returns true; false: it can't.
    virtual bool read_in_place(int device, void* stream, const std::function<void()>& read) = 0;
    /// Only enqueues if the host memory is page-locked, and possibly otherwise: the memory must live until the copy is
    /// done.
    virtual void copy_async(int device, void* to, const void* from, std::size_t bytes, CopyKind kind, void* stream) = 0;
    /// Enqueues a copy between two of its devices in the target's stream. It waits for nothing on the source device.
    virtual void copy_peer(int device, void* to, int source, const void* from, std::size_t bytes, void* stream) = 0;
    /// True if the first device copies from and to the other's memory directly.
    [[nodiscard]] virtual bool can_access_peer(int device, int other) = 0;
    /// Enqueues setting all bytes to this value.
    virtual void fill(int device, void* data, unsigned char byte, std::size_t bytes, void* stream) = 0;

    /// The contents of the device's pool; it knows no limit, and `used` includes memory waiting to be freed.
    [[nodiscard]] virtual MemoryUse memory_use(int device) = 0;
    /// Returns all unused memory of the pool to the system; waits for the device.
    virtual void trim_memory(int device) = 0;
    /// Limits the memory that the pool keeps from now on; 0: the pool's own choice.
    virtual void limit_kept_memory(int device, std::size_t bytes) = 0;

    /// Page-locked host memory: copies from and to it need no staging. @throws OutOfMemory
    virtual void* allocate_pinned(int device, std::size_t bytes) = 0;
    virtual void free_pinned(int device, void* data) noexcept = 0;
    /// Page-locked memory has an owner from now on, who uses so many bytes of it; 0: nobody has. No copy uses it any
    /// more.
    virtual void pinned_given(void* data, std::size_t bytes) noexcept = 0;

    /// True for host memory that isn't from allocate_pinned() but that the program itself has page-locked.
    [[nodiscard]] virtual bool is_page_locked(const void* data, std::size_t bytes) = 0;

    /// The host may write to the array around `data` without a copy: what it holds counts as written.
    virtual void written_by_host(int device, const void* data) noexcept = 0;

    /// The elements of the array that begins at `data` are of this type: for messages.
    virtual void describe(int device, const void* data, DType elements, const Shape& shape) noexcept = 0;
    /// Others than libgpu's own kernels may keep this array's address from now on.
    virtual void hand_out(int device, const void* data) noexcept = 0;
    /// From now on the host accesses the array around `data` in place, as libraries do that were given it.
    virtual void lend_to_host(int device, const void* data) noexcept = 0;
    /// Arrays are made of memory that isn't the backend's own, until it is given back.
    virtual void borrow(int device, const void* data, std::size_t bytes) = 0;
    virtual void give_back(int device, const void* data, std::size_t bytes) noexcept = 0;
    /// While it lives, libgpu itself accesses arrays in place; null where that makes no difference. Check mode notices
    /// all other host code that does.
    [[nodiscard]] virtual std::shared_ptr<void> host_access() = 0;

    // Streams and events.
    virtual void* create_stream(int device) = 0;
    virtual void destroy_stream(int device, void* stream) noexcept = 0;
    virtual void synchronize_stream(int device, void* stream) = 0;
    virtual void synchronize_device(int device) = 0;
    /// Makes later work in the stream wait for the event, possibly another device's. If never recorded: no wait.
    virtual void wait_event(int device, void* stream, NativeEvent* event) = 0;
    virtual NativeEvent* create_event(int device) = 0;
    virtual void destroy_event(int device, NativeEvent* event) noexcept = 0;
    virtual void record_event(int device, NativeEvent* event, void* stream) = 0;
    virtual void synchronize_event(int device, NativeEvent* event) = 0;
    /// True if all work before the event is done, or if it was never recorded.
    virtual bool event_reached(int device, NativeEvent* event) = 0;
    /// The same for libgpu's own use: check mode doesn't count it as a wait of the program.
    virtual bool event_passed(int device, NativeEvent* event) = 0;
    virtual float elapsed_ms(int device, NativeEvent* start, NativeEvent* stop) = 0;

    // Graphs. The functions for captures are called by the capturing thread.
    /// A new stream of the device: what this thread queues in it is recorded, not done.
    virtual void* begin_capture(int device) = 0;
    /// Ends the capture and its stream: returns the graph to replay. @throws DeviceError if it can't be created
    virtual NativeGraph* end_capture(int device, void* stream) = 0;
    /// Ends the capture and discards it.
    virtual void cancel_capture(int device, void* stream) noexcept = 0;
    /// Enqueues the graph's work. Two replays of a graph don't overlap.
    virtual void replay(int device, NativeGraph* graph, void* stream) = 0;
    /// Waits for replays.
    virtual void destroy_graph(int device, NativeGraph* graph) noexcept = 0;

    /// A texture with a copy of texels in device memory, created in stream order: returns the handle for kernels.
    virtual std::uint64_t create_texture(int device, const TextureLayout& layout, const void* texels,
                                         void* stream) = 0;
    /// Waits for work that may still read it.
    virtual void destroy_texture(int device, std::uint64_t handle) noexcept = 0;
    /// A raw kernel is to be launched with a texture's handle.
    virtual void texture_used() noexcept = 0;

    /// Check mode, or null.
    [[nodiscard]] virtual Checker* checker() noexcept = 0;
    /// Tells modes apart in which the same text becomes different kernels.
    [[nodiscard]] virtual std::string variant() const = 0;

    // Generated kernels are planned before they have a text. Arrays are in the order of the iteration's strides, with
    // outputs first; of a reduction, the widest input has elements of so many bytes, and its accumulator so many, or 0
    // if it has hardly more.
    [[nodiscard]] virtual ElementwisePlan plan(Iteration iteration, const std::vector<WalkedArray>& arrays,
                                               const ElementwiseNeeds& needs) const = 0;
    [[nodiscard]] virtual ReducingPlan plan(const ReductionSpace& space, const std::vector<Argument>& arguments,
                                            std::size_t max_item, std::size_t accumulator) const = 0;

    // Kernels. `generate` puts the skeleton around a text: pure, no device needed.
    [[nodiscard]] virtual KernelSource generate(const ElementwiseText& text) const = 0;
    [[nodiscard]] virtual KernelSource generate(const ReductionText& text) const = 0;
    [[nodiscard]] virtual KernelSource generate(const RawText& text) const = 0;
    /// The kernel that joins partial results, which many reductions have in common. Asked for where a plan needs it.
    [[nodiscard]] virtual KernelSource generate_join(const ReductionText& text) const = 0;

    /// Everything besides the source that affects the output of compile(): compiler build, architecture, flags.
    [[nodiscard]] virtual std::string compiler_identity(int device) = 0;
    /// @throws CompileFailure if the compiler refuses the source; LibraryNotFound if there is no compiler.
    virtual Image compile(int device, const KernelSource& source) = 0;
    virtual std::shared_ptr<LoadedKernel> load(int device, const Image& image, const KernelSource& source) = 0;

    /// Linear algebra, loaded on first use. @throws LibraryNotFound
    virtual LinearAlgebra& linear_algebra(int device) = 0;
    /// Fourier transforms, likewise. @throws LibraryNotFound
    virtual FourierTransforms& fourier(int device) = 0;

    /// Loads an image with its own variables.
    virtual std::shared_ptr<LoadedModule> load_module(int device, const Image& image, const KernelSource& source) = 0;
    /// Loads machine code compiled elsewhere: a cubin, PTX or fat binary. @throws LaunchError, DeviceError
    virtual std::shared_ptr<LoadedModule> load_binary(int device, const std::vector<std::byte>& code,
                                                      const std::string& name) = 0;

    /// A raw kernel's resources on the device.
    [[nodiscard]] virtual KernelAttributes attributes(int device, LoadedKernel& kernel) = 0;
    /// How many of its blocks a multiprocessor runs at once. @throws LaunchError if such blocks can't be launched
    [[nodiscard]] virtual int active_blocks(int device, LoadedKernel& kernel, int threads, std::size_t shared) = 0;
    /// The block size with the highest occupancy, in threads.
    [[nodiscard]] virtual int suggested_block(int device, LoadedKernel& kernel, std::size_t shared) = 0;

    /// Checks a raw kernel's launch against the device's limits. Open launch logs note it.
    void launch(int device, LoadedKernel& kernel, Launch&& launch, void* stream) {
        if (open_logs.load(std::memory_order_acquire) == nullptr) [[likely]]
            do_launch(device, kernel, std::move(launch), stream);
        else
            logged_launch(device, kernel, std::move(launch), stream);
    }

    /// The same without the logs, for a backend that stands before another one. It may keep what the launch has.
    virtual void do_launch(int device, LoadedKernel& kernel, Launch&& launch, void* stream) = 0;

private:
    void logged_launch(int device, LoadedKernel& kernel, Launch&& launch, void* stream);
};

/// The host backend. It always exists.
std::unique_ptr<Backend> make_host_backend();

/// The CUDA backend, or null and the reason in one sentence: built without a toolkit, no driver, an old driver, no GPU.
std::unique_ptr<Backend> make_cuda_backend(std::string& why_not);

/// A raw kernel's text in the form for NVRTC. @throws LibraryNotFound if libgpu was built without CUDA
KernelSource source_for_ptx(const RawText& text);

/// Compiles such a text to PTX for a compute capability (90 for 9.0) with NVRTC: no GPU is needed.
/// @throws CompileFailure; LibraryNotFound if there is no NVRTC
std::string ptx_of(const KernelSource& source, int compute_capability);

// How backends open libraries that are loaded only when they are needed.

/// The address of a function in a loaded library. @throws LibraryNotFound that names it
[[nodiscard]] void* symbol_of(void* library, const std::string& name);

template <class Function>
void look_up(void* library, const std::string& name, Function& function) {
    function = reinterpret_cast<Function>(symbol_of(library, name));
}

/// Opens the first candidate for which `fill` doesn't throw LibraryNotFound. It stays loaded until the process ends.
/// @throws LibraryNotFound: `missing`, then what was tried, and why each failed
void open_library(const std::vector<std::string>& candidates, const std::string& missing,
                  const std::function<void(void* library)>& fill);

}  // namespace gpu::detail
