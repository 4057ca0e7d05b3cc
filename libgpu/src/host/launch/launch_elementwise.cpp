// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>

#include <gpu/error.hpp>

#include "host/launch/launch_generated.hpp"
#include "host/fibers/worker.hpp"

namespace gpu::detail::host {

void check_count(const KernelModule& kernel, std::size_t arguments) {
    if (static_cast<int>(arguments) != kernel.module().parameter_count)
        throw LaunchError("kernel " + kernel.name() + ": it has " + std::to_string(kernel.module().parameter_count) +
                          " parameters, and " + std::to_string(arguments) + " arguments were given");
}

void mark_outputs(const LaunchContext& context, const KernelModule& kernel, const std::vector<Argument>& arguments) {
    for (std::size_t k = 0; k < arguments.size(); ++k)
        if (arguments[k].is_array && !kernel.module().parameters[k].is_const)
            context.mark_written(arguments[k].array.data);
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
    throw LaunchError(message(report));
}

namespace {

/// Elements [0, size) in chunks.
class ElementwiseLaunch {
public:
    ElementwiseLaunch(const KernelModule& kernel, const gpu_elementwise_call& call) : kernel_(kernel), call_(call) {}

    void operator()() {
        Worker& worker = Worker::current();
        worker.prepare(kernel_.text(), limit_);
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

    // As for raw kernels: again, one by one, to find the element.
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
    const double limit_ = kernel_time_limit();
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

}  // namespace gpu::detail::host
