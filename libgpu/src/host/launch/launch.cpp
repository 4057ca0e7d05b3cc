// SPDX-License-Identifier: MIT
#include "host/launch/launch.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <gpu/error.hpp>

#include "array/iteration.hpp"
#include "counts.hpp"
#include "host/base/device_limits.hpp"
#include "host/base/own_thread.hpp"
#include "host/base/progress.hpp"
#include "host/fibers/block_scheduler.hpp"
#include "host/fibers/grid_barrier.hpp"
#include "host/fibers/thread_pool.hpp"
#include "host/launch/launch_generated.hpp"
#include "host/memory/fault.hpp"

namespace gpu::detail::host {

namespace {

uint3 to_uint3(const Extent3& extents) { return {extents.x, extents.y, extents.z}; }

/// One launch: all workers take blocks in increasing order.
class RawLaunch {
public:
    RawLaunch(const KernelModule& kernel, const LaunchShape& shape, void* const* arguments, int workers)
        : kernel_(kernel), extent_(to_uint3(shape.grid)), block_(to_uint3(shape.block)), arguments_(arguments),
          blocks_(std::uint64_t{extent_.x} * extent_.y * extent_.z),
          threads_(block_.x * block_.y * block_.z),
          has_shared_(kernel.static_shared() + shape.shared_bytes > 0),
          // Blocks without barriers are short: several at a time.
          chunk_(fibers() ? 1 : std::clamp<std::uint64_t>(blocks_ / (static_cast<unsigned>(workers) * 16U), 1, 64)),
          progress_(kernel.name(), blocks_) {}

    [[nodiscard]] bool fibers() const { return kernel_.module().kind == gpu_module_fiber; }
    [[nodiscard]] int helpers() const {
        if (!fibers() && blocks_ * threads_ <= 8192) return 0;  // done before a helper wakes up
        return static_cast<int>(std::min<std::uint64_t>((blocks_ + chunk_ - 1) / chunk_ - 1, 4096));
    }

    /// One worker's share.
    void operator()() {
        Worker& worker = Worker::current();
        worker.prepare(kernel_.text(), limit_, !kernel_.is_libgpus());
        if (fibers()) run_fibers(worker);
        else run_loops(worker);
    }

    /// A cooperative launch: one thread per block, since they wait for each other.
    void run_together() {
        ThreadsGridBarrier grid(blocks_);
        grid_ = &grid;
        std::vector<std::thread> threads;
        std::exception_ptr failure;
        try {
            for (std::uint64_t k = 1; k < blocks_; ++k)
                threads.push_back(start_thread([this] { (*this)(); }));
            (*this)();
        } catch (const std::system_error&) {
            failure = std::make_exception_ptr(LaunchError(
                "kernel " + kernel_.name() + ": its cooperative launch of " + std::to_string(blocks_) +
                " blocks needs a thread of the system for each, and it grants only " + std::to_string(threads.size())));
        } catch (...) {
            failure = std::current_exception();
        }
        if (failure) {
            next_ = blocks_;
            grid.give_up();
        }
        for (std::thread& thread : threads) thread.join();
        if (failure) std::rethrow_exception(failure);
    }

    FirstFault faults;

private:
    uint3 index(std::uint64_t block) const {
        return {static_cast<unsigned>(block % extent_.x), static_cast<unsigned>(block / extent_.x % extent_.y),
                static_cast<unsigned>(block / extent_.x / extent_.y)};
    }

    FaultReport report(const Fault& fault, std::uint64_t block) const {
        FaultReport report;
        report.fault = fault;
        report.kernel = kernel_.name();
        report.seconds = limit_;
        report.has_block = true;
        report.block = index(block);
        return report;
    }

    void run_fibers(Worker& worker) {
        BlockScheduler& scheduler = worker.scheduler();
        const gpu_module& module = kernel_.module();
        scheduler.begin(module, arguments_, extent_, block_);
        scheduler.join_grid(grid_);
        char* const pad = has_shared_ && module.shared_pad != nullptr ? module.shared_pad() : nullptr;
        for (std::uint64_t block; !faults.any() && (block = next_++) < blocks_;) {
            Fault overrun;
            const bool succeeded = scheduler.run(index(block));
            progress_.done(1);
            if (succeeded && grid_ != nullptr) grid_->block_ends();
            if (succeeded && (pad == nullptr || is_zero(pad))) continue;
            if (!succeeded && grid_ != nullptr) grid_->give_up();
            if (!succeeded && worker.fault().kind == Fault::Kind::given_up) continue;
            if (succeeded) {
                overrun.kind = Fault::Kind::shared_overrun;
                std::memset(pad, 0, gpu_pad_bytes);
            }
            FaultReport failed = report(succeeded ? overrun : worker.fault(), block);
            failed.has_thread = !succeeded && failed.fault.kind != Fault::Kind::stuck;
            if (failed.fault.kind == Fault::Kind::stuck) {
                failed.waiting = scheduler.waiting();
                failed.ended = scheduler.ended();
            }
            faults.add(block, std::move(failed));
        }
        counters().add(&Counts::barriers, scheduler.barriers());
        counters().add(&Counts::atomics, scheduler.atomics());
    }

    static bool is_zero(const char* pad) { return *pad == 0 && std::memcmp(pad, pad + 1, gpu_pad_bytes / 2) == 0; }

    // Data on the kernel's stack in loop mode. Plain: it may be abandoned at any point.
    struct LoopCall {
        gpu_block_call call;
        void (*function)(gpu_block_call*);
        std::uint64_t block, end;
        std::uint64_t thread, thread_end;  // of run_threads
    };

    GPU_ON_KERNEL_STACK static void run_blocks(void* data) {
        auto& loop = *static_cast<LoopCall*>(data);
        uint3& at = loop.call.block;
        while (loop.block < loop.end) {
            const std::uint64_t in_row = loop.call.grid_size.x - at.x, left = loop.end - loop.block;
            const std::uint64_t count = in_row < left ? in_row : left;
            loop.call.block_end = at.x + static_cast<unsigned>(count);
            loop.function(&loop.call);
            loop.block += count;
            at.x = 0;  // of the next row, if any
            if (++at.y == loop.call.grid_size.y) at.y = 0, ++at.z;
        }
    }

    GPU_ON_KERNEL_STACK static void run_threads(void* data) {
        auto& loop = *static_cast<LoopCall*>(data);
        const uint3 size = loop.call.block_size;
        for (; loop.thread < loop.thread_end; ++loop.thread) {
            const auto t = static_cast<unsigned>(loop.thread);
            loop.call.begin = {t % size.x, t / size.x % size.y, t / size.x / size.y};
            loop.call.end = {loop.call.begin.x + 1, loop.call.begin.y + 1, loop.call.begin.z + 1};
            loop.function(&loop.call);
        }
    }

    void run_loops(Worker& worker) {
        const gpu_module& module = kernel_.module();
        LoopCall loop{};
        loop.call.grid_size = extent_;
        loop.call.block_size = block_;
        loop.call.end = block_;
        loop.call.arguments = arguments_;
        loop.call.calls = &BlockScheduler::calls();
        loop.function = std::uint64_t{extent_.x} * block_.x <= 0x7ffff000U ? module.block : module.block_large;
        for (std::uint64_t first; !faults.any() && (first = next_.fetch_add(chunk_)) < blocks_;) {
            loop.block = first;
            loop.end = std::min(first + chunk_, blocks_);
            loop.call.block = index(first);
            if (!worker.run(run_blocks, &loop)) {
                const Fault fault = worker.fault();
                const uint3 at = loop.call.block;
                const std::uint64_t block = (std::uint64_t{at.z} * extent_.y + at.y) * extent_.x + at.x;
                faults.add(block, find_thread(worker, loop, fault, block));
                break;
            }
            progress_.done(loop.end - first);
        }
        counters().add(&Counts::atomics, loop.call.atomics);
    }

    // A vectorised loop doesn't show which thread faulted: the block's threads run again, one by one. If that succeeds
    // (its data have changed), the first fault is reported without a thread.
    FaultReport find_thread(Worker& worker, LoopCall loop, const Fault& first, std::uint64_t block) const {
        FaultReport failed = report(first, block);
        failed.has_thread = first.kind == Fault::Kind::failed;
        if (failed.has_thread || first.kind == Fault::Kind::endless) return failed;
        loop.call.block_end = loop.call.block.x + 1;
        loop.thread = 0;
        loop.thread_end = threads_;
        if (worker.run(run_threads, &loop)) return failed;
        failed.fault = worker.fault();
        const uint3 size = block_;
        const auto t = static_cast<unsigned>(loop.thread);
        failed.fault.thread = {t % size.x, t / size.x % size.y, t / size.x / size.y};
        failed.has_thread = true;
        return failed;
    }

    const KernelModule& kernel_;
    const uint3 extent_, block_;
    void* const* arguments_;
    const std::uint64_t blocks_;
    const unsigned threads_;
    const bool has_shared_;
    const std::uint64_t chunk_;
    const double limit_ = time_limit_of(kernel_);
    LaunchProgress progress_;
    GridBarrier* grid_ = nullptr;  // for a cooperative launch
    std::atomic<std::uint64_t> next_{0};
};

// The values of the arguments that are pointers; null for the others.
std::vector<const void*> pointers(const gpu_module& module, void* const* arguments) {
    std::vector<const void*> values;
    for (int k = 0; k < module.parameter_count; ++k)
        values.push_back(module.parameters[k].is_pointer ? *static_cast<void* const*>(arguments[k]) : nullptr);
    return values;
}

void check_edges(GuardedMemory& memory, const KernelModule& kernel, void* const* arguments) {
    const gpu_module& module = kernel.module();
    for (int k = 0; k < module.parameter_count; ++k) {
        const gpu_parameter& parameter = module.parameters[k];
        if (parameter.is_pointer && !parameter.is_const)
            check_edges(memory, kernel, kernel.parameter_name(k), *static_cast<void* const*>(arguments[k]),
                        parameter.element);
        const std::vector<const void*> pointed = written_through(memory, parameter, arguments[k]);
        for (std::size_t j = 0; j < pointed.size(); ++j)
            check_edges(memory, kernel, kernel.parameter_name(k) + '[' + std::to_string(j) + ']', pointed[j],
                        parameter.pointed);
    }
}

}  // namespace

void mark_written(const LaunchContext& context, const void* data) {
    if (data == nullptr) return;
    context.memory.mark_written(data);
    if (CheckedArray* const array = context.checker.active() ? context.checker.memory().known(data) : nullptr)
        array->all_initialized();
}

void check_edges(GuardedMemory& memory, const KernelModule& kernel, const std::string& name, const void* data,
                 long element) {
    const std::size_t before = data != nullptr ? memory.changed_before(data) : 0;
    const std::size_t after = data != nullptr ? memory.changed_after(data) : 0;
    NearArray array;
    if (before + after == 0 || !memory.find(reinterpret_cast<std::uintptr_t>(data), array)) return;
    array.name = name;
    array.element = element;
    throw KernelFault(KernelEnd::illegal_address, before > 0 ? underrun_message(kernel.name(), array, before)
                                                             : overrun_message(kernel.name(), array, after));
}

void forget_edges(GuardedMemory& memory, const std::vector<const void*>& arrays) {
    for (const void* const data : arrays) {
        if (data == nullptr) continue;
        (void)memory.changed_before(data);
        (void)memory.changed_after(data);
    }
}

void locate(FaultReport& report, const GuardedMemory& memory, const KernelModule& kernel,
            const std::vector<const void*>& addresses) {
    const Fault& fault = report.fault;
    if (fault.kind != Fault::Kind::bad_address) return;
    if (!fault.has_address) {
        report.where = describe_impossible_address();
        return;
    }
    NearArray array;
    const bool found = memory.find(fault.address, array);
    for (std::size_t k = 0; found && k < addresses.size(); ++k) {
        NearArray own;
        const auto value = reinterpret_cast<std::uintptr_t>(addresses[k]);
        if (value == 0 || value < array.start || value > array.start + array.bytes) continue;
        if (memory.find(value, own) && own.start != array.start) continue;
        const bool reads_only = kernel.module().parameters[k].is_const;
        if (array.name.empty() || (fault.access == Fault::Access::write && !reads_only)) {
            const gpu_parameter& parameter = kernel.module().parameters[k];
            const bool is_raw = kernel.module().kind == gpu_module_loop || kernel.module().kind == gpu_module_fiber;
            array.name = kernel.parameter_name(static_cast<int>(k));
            array.element = is_raw ? parameter.element : parameter.size;
        }
        if (fault.access != Fault::Access::write || !reads_only) break;
    }
    for (std::size_t k = 0; found && array.name.empty() && k < addresses.size(); ++k) {
        if (kernel.module().parameters[k].pointed == 0) continue;
        const auto pointed = memory.addresses_in(addresses[k]);
        const auto own = std::find_if(pointed.begin(), pointed.end(), [&](std::uintptr_t value) {
            return value - array.start <= array.bytes;
        });
        if (own == pointed.end()) continue;
        array.name = kernel.parameter_name(static_cast<int>(k)) + '[' + std::to_string(own - pointed.begin()) + ']';
        array.element = kernel.module().parameters[k].pointed;
    }
    report.where = describe_address(fault.address, fault.access, found ? &array : nullptr);
}

KernelEnd end_of(const Fault& fault) noexcept {
    switch (fault.kind) {
        case Fault::Kind::bad_address:
            return fault.has_address ? KernelEnd::illegal_address : KernelEnd::misaligned_address;
        case Fault::Kind::shared_overrun: return KernelEnd::illegal_address;
        case Fault::Kind::stack_overflow: return KernelEnd::stack_overflow;
        case Fault::Kind::illegal_instruction: return KernelEnd::illegal_instruction;
        case Fault::Kind::null_call: return KernelEnd::invalid_call;
        case Fault::Kind::failed:
            return fault.what != nullptr && std::string_view(fault.what).starts_with("assertion") ? KernelEnd::assertion
                                                                                                  : KernelEnd::other;
        case Fault::Kind::stuck:
        case Fault::Kind::divergent:
        case Fault::Kind::endless:
        case Fault::Kind::stuck_grid: return KernelEnd::timeout;
        default: return KernelEnd::other;
    }
}

void check_launch(const KernelModule& kernel, const LaunchShape& shape, int argument_count) {
    const gpu_module& module = kernel.module();
    if (argument_count != module.parameter_count)
        throw LaunchError("kernel " + kernel.name() + ": it has " + std::to_string(module.parameter_count) +
                          " parameters, and " + std::to_string(argument_count) + " arguments were given");
    check_launch_shape(kernel.name(), shape, kernel.static_shared());
}

void launch_raw(LaunchContext& context, const KernelModule& kernel, const LaunchShape& shape, void* const* arguments,
                int argument_count) {
    check_launch(kernel, shape, argument_count);
    const gpu_module& module = kernel.module();
    if (kernel.checked() != nullptr) {
        if (!context.checker.active())
            throw LaunchError("kernel " + kernel.name() + " was compiled for a check that has ended");
        context.checker.launch(context, kernel, shape, arguments);
        return check_edges(context.memory, kernel, arguments);
    }
    RawLaunch launch(kernel, shape, arguments, context.pool.workers());
    if (shape.cooperative && launch.fibers())
        launch.run_together();
    else
        context.pool.run(launch.helpers(), launch);
    for (int k = 0; k < module.parameter_count; ++k) {
        if (module.parameters[k].is_pointer && !module.parameters[k].is_const)
            mark_written(context, *static_cast<void* const*>(arguments[k]));
        for (const void* const data : written_through(context.memory, module.parameters[k], arguments[k]))
            mark_written(context, data);
    }
    if (launch.faults.any()) {
        forget_edges(context.memory, pointers(module, arguments));
        for (int k = 0; k < module.parameter_count; ++k)
            forget_edges(context.memory, written_through(context.memory, module.parameters[k], arguments[k]));
        FaultReport& report = launch.faults.report();
        locate(report, context.memory, kernel, pointers(module, arguments));
        throw KernelFault(end_of(report.fault), message(report));
    }
    check_edges(context.memory, kernel, arguments);
}

// Launches as work for a stream.

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
            const Launch& launch)
        : context_(context), kernel_(std::move(kernel)), shape_(shape),
          arguments_(kernel_->module(), launch.values.data()) {}

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

double time_limit_of(const KernelModule& kernel) { return kernel.is_libgpus() ? 0 : kernel_time_limit(); }

namespace {

std::int64_t elements_of(const Launch& launch) {
    if (const auto* const space = std::get_if<ElementwiseSpace>(&launch.over)) return space->size;
    if (const auto* const space = std::get_if<ReductionSpace>(&launch.over))
        return space->outputs * std::max<std::int64_t>(space->reduced, 1);
    return launch.elements;
}

}  // namespace

// What a learner's kernel does with an element may take any time.
bool is_brief(const KernelModule& kernel, const Launch& launch) {
    constexpr std::int64_t few = 1024;  // the calling thread goes through so many before another would have woken up
    const std::int64_t elements = elements_of(launch);
    return kernel.is_libgpus() && elements > 0 && elements <= few;
}

void run_launch(LaunchContext context, const KernelModule& kernel, const Launch& launch) {
    if (const auto* const space = std::get_if<ElementwiseSpace>(&launch.over))
        return launch_elementwise(context, kernel, *space, launch.arguments);
    if (const auto* const space = std::get_if<ReductionSpace>(&launch.over))
        return launch_reduction(context, kernel, *space, launch.arguments);
    launch_raw(context, kernel, std::get<LaunchShape>(launch.over), launch.values.data(),
               static_cast<int>(launch.values.size()));
}

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
    return std::make_unique<RawWork>(context, std::move(kernel), shape, launch);
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

std::string to_text(const Extent3& e) {
    return '(' + std::to_string(e.x) + ',' + std::to_string(e.y) + ',' + std::to_string(e.z) + ')';
}

}  // namespace

void check_launch_shape(const std::string& kernel, const LaunchShape& shape, std::size_t static_shared) {
    const auto refuse = [&kernel](const std::string& why) { throw LaunchError("kernel " + kernel + ": " + why); };
    const auto check = [&](const char* what, const Extent3& extents, const Extent3& max) {
        const auto all = [&] { return std::string(what) + ' ' + to_text(extents); };
        if (extents.x == 0 || extents.y == 0 || extents.z == 0)
            refuse(all() + ": every length must be at least 1; is the array empty?");
        const auto one = [&](const char* axis, std::uint32_t value, std::uint32_t limit) {
            if (value > limit)
                refuse(all() + ": " + std::to_string(value) + " along " + axis + " is more than the limit of " +
                       std::to_string(limit));
        };
        one("x", extents.x, max.x);
        one("y", extents.y, max.y);
        one("z", extents.z, max.z);
    };
    check("grid", shape.grid, {.x = limits::grid_x, .y = limits::grid_yz, .z = limits::grid_yz});
    check("block", shape.block, {.x = limits::block_xy, .y = limits::block_xy, .z = limits::block_z});
    const std::uint64_t threads = std::uint64_t{shape.block.x} * shape.block.y * shape.block.z;
    if (threads > limits::block_threads)
        refuse("block " + to_text(shape.block) + ": " + std::to_string(threads) +
               " threads are more than the limit of " + std::to_string(limits::block_threads) + " a block");
    const std::uint64_t blocks = std::uint64_t{shape.grid.x} * shape.grid.y * shape.grid.z;
    if (shape.cooperative && (blocks > max_cooperative_blocks || blocks * threads > max_cooperative_threads))
        refuse("a cooperative launch of " + std::to_string(blocks) + " blocks of " + std::to_string(threads) +
               " threads: all of them run at once, and the host backend runs at most " +
               std::to_string(max_cooperative_blocks) + " blocks and " + std::to_string(max_cooperative_threads) +
               " threads so");
    if (static_shared > limits::shared)
        refuse(std::to_string(static_shared) + " bytes of static __shared__ arrays are more than the limit of " +
               std::to_string(limits::shared) + "; use extern __shared__ and LaunchConfig::shared");
    if (shape.shared_bytes > limits::max_shared || static_shared + shape.shared_bytes > limits::max_shared)
        refuse(std::to_string(static_shared + shape.shared_bytes) + " bytes of shared memory (" +
               std::to_string(static_shared) + " static, " + std::to_string(shape.shared_bytes) +
               " dynamic) are more than the limit of " + std::to_string(limits::max_shared));
}

KernelAttributes host_attributes(const KernelModule& kernel) {
    const std::size_t own = kernel.static_shared();
    return {.static_shared = own,
            .max_threads_per_block = static_cast<int>(limits::block_threads),
            .max_dynamic_shared = own < limits::max_shared ? limits::max_shared - own : 0};
}

}  // namespace gpu::detail::host
