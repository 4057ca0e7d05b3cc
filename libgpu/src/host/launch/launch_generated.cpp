// SPDX-License-Identifier: MIT
#include "host/launch/launch_generated.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

#include <gpu/error.hpp>

#include "host/fibers/thread_pool.hpp"

namespace gpu::detail::host {

void check_count(const KernelModule& kernel, std::size_t arguments) {
    if (static_cast<int>(arguments) != kernel.module().parameter_count)
        throw LaunchError("kernel " + kernel.name() + ": it has " + std::to_string(kernel.module().parameter_count) +
                          " parameters, and " + std::to_string(arguments) + " arguments were given");
}

void mark_outputs(const LaunchContext& context, const KernelModule& kernel, const std::vector<Argument>& arguments) {
    for (std::size_t k = 0; k < arguments.size(); ++k)
        if (arguments[k].is_array && !kernel.module().parameters[k].is_const)
            mark_written(context, arguments[k].array.data);
}

void check_raw_outputs(const LaunchContext& context, const KernelModule& kernel,
                       const std::vector<Argument>& arguments) {
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const gpu_parameter& parameter = kernel.module().parameters[k];
        if (arguments[k].is_array && arguments[k].is_raw && !parameter.is_const)
            check_edges(context.memory, kernel, kernel.parameter_name(static_cast<int>(k)), arguments[k].array.data,
                        parameter.size);
    }
}

void fail(FaultReport& report, const LaunchContext& context, const KernelModule& kernel,
          const std::vector<Argument>& arguments) {
    std::vector<const void*> addresses;
    for (const Argument& argument : arguments) addresses.push_back(argument.is_array ? argument.array.data : nullptr);
    forget_edges(context.memory, addresses);
    locate(report, context.memory, kernel, addresses);
    throw KernelFault(end_of(report.fault), message(report));
}

namespace {

/// Elements [0, size) in chunks.
class ElementwiseLaunch {
public:
    ElementwiseLaunch(const KernelModule& kernel, const gpu_elementwise_call& call) : kernel_(kernel), call_(call) {}

    void operator()() {
        Worker& worker = Worker::current();
        worker.prepare(kernel_.text(), limit_, !kernel_.is_libgpus());
        for (std::int64_t begin; !faults.any() && (begin = next_.fetch_add(chunk)) < call_.size;) {
            Range range{&kernel_.module(), &call_, begin, std::min(begin + chunk, call_.size), chunk};
            if (!worker.run(run_range, &range))
                faults.add(static_cast<std::uint64_t>(begin), find_element(worker, range));
        }
    }

    FirstFault faults;

private:
    struct Range {
        const gpu_module* module;
        const gpu_elementwise_call* call;
        std::int64_t begin, end, step;
    };

    GPU_ON_KERNEL_STACK static void run_range(void* data) {
        auto& range = *static_cast<Range*>(data);
        for (; range.begin < range.end; range.begin += range.step) {
            const std::int64_t left = range.end - range.begin;
            range.module->elements(range.call, range.begin, range.begin + (left < range.step ? left : range.step));
        }
    }

    // As for raw kernels: runs again, element by element, to find the one that faulted.
    FaultReport find_element(Worker& worker, Range range) const {
        FaultReport report;
        report.fault = worker.fault();
        report.kernel = kernel_.name();
        report.seconds = limit_;
        if (report.fault.kind == Fault::Kind::endless) return report;
        range.step = 1;
        report.has_element = !worker.run(run_range, &range);
        if (report.has_element) report.fault = worker.fault();
        report.element = range.begin;
        return report;
    }

    const KernelModule& kernel_;
    const gpu_elementwise_call& call_;
    const double limit_ = time_limit_of(kernel_);
    std::atomic<std::int64_t> next_{0};
};

}  // namespace

void launch_elementwise(LaunchContext& context, const KernelModule& kernel, const ElementwiseSpace& space,
                        const std::vector<Argument>& arguments) {
    check_count(kernel, arguments.size());
    if (space.size == 0) return;
    const gpu_elementwise_call call{native(arguments), space.size, native(space.shape)};
    if (kernel.checked() != nullptr) return launch_checked(context, kernel, call, arguments);
    ElementwiseLaunch launch(kernel, call);
    const std::int64_t helpers = space.size <= 2 * chunk ? 0 : (space.size - 1) / chunk;
    context.pool.run(static_cast<int>(std::min<std::int64_t>(helpers, 4096)), launch);
    mark_outputs(context, kernel, arguments);
    if (launch.faults.any()) fail(launch.faults.report(), context, kernel, arguments);
    check_raw_outputs(context, kernel, arguments);
}

namespace {

ReductionPlan plan_of(const gpu_module& module, const ReductionSpace& space, const std::vector<Argument>& arguments) {
    ReductionPlan plan{.columns = false, .group = 16384, .groups = 0, .row = 1};
    const int kept = space.kept.rank(), last = kept + std::max(1, space.reduced_shape.rank()) - 1;
    if (kept > 0 && space.kept[kept - 1] >= 8) {
        bool contiguous = false, jumps_along = false, jumps_across = false;
        for (std::size_t k = 0; k < arguments.size(); ++k) {
            if (!arguments[k].is_array || arguments[k].is_raw || !module.parameters[k].is_const) continue;
            const std::int64_t across = module.parameters[k].is_strided ? arguments[k].array.strides[kept - 1] : 0;
            const std::int64_t along = module.parameters[k].is_strided ? arguments[k].array.strides[last] : 1;
            contiguous = contiguous || across == 1;
            jumps_across = jumps_across || (across != 0 && across != 1);
            jumps_along = jumps_along || (along != 0 && along != 1);
        }
        if (contiguous && jumps_along && !jumps_across)
            plan = {.columns = true, .group = 128, .groups = 0, .row = space.kept[kept - 1]};
    }
    plan.groups = (space.reduced + plan.group - 1) / plan.group;
    return plan;
}

/// Partial results first (by outputs or, if these are few, by groups), then each output from its own.
class HostReduction {
public:
    HostReduction(const KernelModule& kernel, const ReductionPlan& plan, const gpu_reduction_call& call,
                    std::int64_t outputs)
        : kernel_(kernel),
          plan_(plan),
          call_(call),
          outputs_(outputs),
          batch_(std::clamp<std::int64_t>(chunk / std::max<std::int64_t>(1, call.reduced), 1, 256)) {
        if (plan_.columns) batch_ = std::min<std::int64_t>(1024, plan_.row);
        // Tasks: a batch of outputs each, or some groups of a batch each.
        rows_ = plan_.columns ? outputs_ / plan_.row : 1;
        batches_in_row_ = ((plan_.columns ? plan_.row : outputs_) + batch_ - 1) / batch_;
        const std::int64_t batches = rows_ * batches_in_row_;
        by_group_ = plan_.groups > 1 && batches < 64;
        groups_at_a_time_ = plan_.columns ? 1 : chunk / plan_.group;
        parts_ = by_group_ ? (plan_.groups + groups_at_a_time_ - 1) / groups_at_a_time_ : 1;
        tasks_ = batches * parts_;
        partials_.resize(static_cast<std::size_t>(by_group_ ? outputs_ * plan_.groups : 0) * size());
    }

    [[nodiscard]] int helpers() const {
        const bool small = outputs_ * std::max<std::int64_t>(1, call_.reduced) <= 2 * chunk;
        return small ? 0 : static_cast<int>(std::min<std::int64_t>(tasks_ - 1, 4096));
    }

    void operator()() {
        Worker& worker = Worker::current();
        worker.prepare(kernel_.text(), limit_, !kernel_.is_libgpus());
        std::vector<std::byte> own(static_cast<std::size_t>(by_group_ ? 0 : batch_ * plan_.groups) * size());
        for (std::int64_t task; !faults.any() && (task = next_++) < tasks_;) run_task(worker, task, own);
    }

    /// After all partial results: computes the outputs that operator() has not written.
    void finish() {
        if (!by_group_ || faults.any()) return;
        Worker& worker = Worker::current();
        worker.prepare(kernel_.text(), limit_, !kernel_.is_libgpus());
        Task task = task_of(0, partials_.data());
        task.call.base = 0;
        task.output = 0;
        task.outputs = outputs_;
        task.reduces = false;
        task.finishes = true;
        run(worker, task, 0);
    }

    FirstFault faults;

private:
    struct Task {
        const gpu_module* module;
        gpu_reduction_call call;
        bool columns, reduces, finishes;
        std::int64_t output, outputs, group, groups, group_size, begin;  // groups [group, groups)
        std::int64_t step;                                              // for finding an element; 0: whole groups
    };

    [[nodiscard]] std::size_t size() const { return kernel_.module().accumulator_size; }

    Task task_of(std::int64_t number, std::byte* partials) const {
        const std::int64_t batch = number / parts_;
        const std::int64_t in_row = batch % batches_in_row_, row = batch / batches_in_row_;
        const std::int64_t length = plan_.columns ? plan_.row : outputs_;
        Task task{};
        task.module = &kernel_.module();
        task.call = call_;
        task.call.partials = partials;
        task.columns = plan_.columns;
        task.output = row * length + in_row * batch_;
        task.outputs = std::min(batch_, length - in_row * batch_);
        task.call.base = by_group_ ? 0 : task.output;
        task.group = number % parts_ * groups_at_a_time_;
        task.groups = by_group_ ? std::min(task.group + groups_at_a_time_, plan_.groups) : plan_.groups;
        task.group_size = plan_.group;
        task.reduces = true;
        task.finishes = !by_group_;
        return task;
    }

    void run_task(Worker& worker, std::int64_t number, std::vector<std::byte>& own) {
        Task task = task_of(number, by_group_ ? partials_.data() : own.data());
        run(worker, task, number);
    }

    void run(Worker& worker, Task& task, std::int64_t number) {
        if (worker.run(run_fiber, &task)) return;
        FaultReport report;
        report.fault = worker.fault();
        report.kernel = kernel_.name();
        report.seconds = limit_;
        faults.add(static_cast<std::uint64_t>(number), std::move(report));
    }

    GPU_ON_KERNEL_STACK static void run_fiber(void* data) {
        auto& task = *static_cast<Task*>(data);
        auto* const reduce = task.columns ? task.module->columns : task.module->rows;
        for (; task.reduces && task.group < task.groups; ++task.group) {
            const std::int64_t begin = task.group * task.group_size, end = begin + task.group_size;
            reduce(&task.call, task.output, task.outputs, task.group, begin,
                   end < task.call.reduced ? end : task.call.reduced);
        }
        if (task.finishes) task.module->finish(&task.call, task.output, task.output + task.outputs);
    }

    const KernelModule& kernel_;
    const ReductionPlan plan_;
    const gpu_reduction_call call_;
    const std::int64_t outputs_;
    std::int64_t batch_, rows_ = 1, batches_in_row_ = 1, groups_at_a_time_ = 1, parts_ = 1, tasks_ = 0;
    bool by_group_ = false;
    std::vector<std::byte> partials_;
    const double limit_ = time_limit_of(kernel_);
    std::atomic<std::int64_t> next_{0};
};

}  // namespace

void launch_reduction(LaunchContext& context, const KernelModule& kernel, const ReductionSpace& space,
                      const std::vector<Argument>& arguments) {
    check_count(kernel, arguments.size());
    if (space.outputs == 0) return;
    const ReductionPlan plan = plan_of(kernel.module(), space, arguments);
    gpu_reduction_call call{};
    call.arguments = native(arguments);
    call.kept = native(space.kept);
    call.reduced_shape = native(space.reduced_shape);
    call.reduced = space.reduced;
    call.outputs = space.outputs;
    call.groups = plan.groups;
    if (kernel.checked() != nullptr)
        return launch_checked(context, kernel, call, plan, space.outputs, arguments);
    HostReduction launch(kernel, plan, call, space.outputs);
    context.pool.run(launch.helpers(), launch);
    launch.finish();
    mark_outputs(context, kernel, arguments);
    if (launch.faults.any()) fail(launch.faults.report(), context, kernel, arguments);
}

// Check mode: elementwise and reduction kernels are launched as raw kernels with blocks of 256 threads.

namespace {

constexpr std::int64_t block_threads = 256;

LaunchShape line_of(std::int64_t blocks) {
    LaunchShape shape;
    // A launch with more blocks than a grid can have is refused, as too many for a check.
    shape.grid.x = static_cast<std::uint32_t>(std::min<std::int64_t>(blocks, 0x7fffffff));
    shape.block.x = block_threads;
    return shape;
}

void launch(LaunchContext& context, const KernelModule& kernel, std::int64_t blocks,
            const std::vector<Argument>& arguments, const void* call) {
    std::vector<void*> values;
    for (const Argument& argument : arguments) {
        const void* const value = argument.is_array ? static_cast<const void*>(&argument.array.data) : argument.scalar;
        values.push_back(const_cast<void*>(value));
    }
    values.push_back(const_cast<void*>(call));
    launch_raw(context, kernel, line_of(blocks), values.data(), static_cast<int>(arguments.size()));
}

}  // namespace

void launch_checked(LaunchContext& context, const KernelModule& kernel, const gpu_elementwise_call& call,
                    const std::vector<Argument>& arguments) {
    launch(context, kernel, (call.size + block_threads - 1) / block_threads, arguments, &call);
}

void launch_checked(LaunchContext& context, const KernelModule& kernel, const gpu_reduction_call& call,
                    const ReductionPlan& plan, std::int64_t outputs, const std::vector<Argument>& arguments) {
    gpu_checked_reduction checked{};
    checked.call = call;
    checked.outputs = outputs;
    checked.group_size = plan.group;
    // Outputs side by side get one thread each, the others as many as there are lanes to add in. See gpu_lanes.
    const unsigned size = kernel.module().accumulator_size;
    checked.lanes = plan.columns ? 1 : size <= 4 ? 64 : size <= 8 ? 32 : 16;
    if (plan.columns)
        checked.width = 1;
    else if (call.reduced <= checked.lanes)
        checked.width = static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(1l, call.reduced))));
    else
        checked.width = static_cast<int>(std::min<std::int64_t>(
            block_threads,
            checked.lanes * static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(plan.groups)))));
    std::vector<std::byte> partials(static_cast<std::size_t>(outputs * plan.groups) * size);
    checked.call.partials = partials.data();
    const std::int64_t outputs_of_block = block_threads / checked.width;
    launch(context, kernel, (outputs + outputs_of_block - 1) / outputs_of_block, arguments, &checked);
}

}  // namespace gpu::detail::host
