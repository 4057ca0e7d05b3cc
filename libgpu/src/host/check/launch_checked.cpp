// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <numeric>

#include <gpu/error.hpp>

#include "counts.hpp"
#include "host/check/block_watch.hpp"
#include "host/check/fault_findings.hpp"
#include "host/check/host_checker.hpp"
#include "host/fibers/worker.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::uint64_t most_blocks = std::uint64_t{1} << 23;

// Steele, Lea and Flood's SplitMix64: independent numbers from consecutive ones.
std::uint64_t mixed(std::uint64_t number) {
    number += 0x9E3779B97F4A7C15ULL;
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9ULL;
    number = (number ^ number >> 27) * 0x94D049BB133111EBULL;
    return number ^ number >> 31;
}

std::vector<std::uint32_t> random_order(std::uint64_t count, std::uint64_t seed) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    for (std::uint64_t k = count; k > 1; --k) std::swap(order[k - 1], order[mixed(seed + k) % k]);
    return order;
}

/// One launch: blocks are taken in the schedule's order by all workers.
class CheckedLaunch {
public:
    CheckedLaunch(LaunchFacts& facts, const CheckPlan& plan, std::uint64_t launch, void* const* arguments)
        : facts_(facts),
          plan_(plan),
          arguments_(arguments),
          blocks_(std::uint64_t{facts.grid.x} * facts.grid.y * facts.grid.z),
          seed_(mixed(plan.seed ^ mixed(launch))) {
        if (plan.random) order_ = random_order(blocks_, seed_);
    }

    [[nodiscard]] std::uint64_t blocks() const noexcept { return blocks_; }

    /// One worker's share.
    void operator()() {
        Worker& worker = Worker::current();
        worker.prepare(facts_.kernel.text(), plan_.seconds_per_block);
        BlockScheduler& scheduler = worker.scheduler();
        const gpu_module& module = facts_.kernel.module();
        scheduler.begin(module, arguments_, facts_.grid, facts_.block);
        BlockWatch watch(facts_, worker, module.state());
        scheduler.observe(&watch);
        for (std::uint64_t turn; !facts_.log.has_fatal() && (turn = next_++) < blocks_;) {
            const std::uint64_t block = plan_.random ? order_[turn] : turn;
            scheduler.draw_order(plan_.random ? mixed(seed_ ^ mixed(block + 1)) | 1 : 0);
            watch.begin_block(block, turn);
            const bool succeeded = scheduler.run(facts_.block_index(block));
            if (!succeeded) facts_.log.add_fatal(watch.found_at(), finding_of(facts_, worker, watch));
            watch.end_block(succeeded);
        }
        scheduler.observe(nullptr);
        scheduler.draw_order(0);
        counters().barriers += scheduler.barriers();
        counters().atomics += scheduler.atomics();
        const bool too_many = watch.counter().approximate();
        const std::vector<SiteCounts> counts = watch.counter().take();
        const std::lock_guard lock(facts_.mutex);
        approximate = approximate || too_many;
        for (const SiteCounts& each : counts) add_work(sites[each.site], each.work);
    }

    std::map<WorkCounter::Site, WorkCounts> sites;
    bool approximate = false;

private:
    LaunchFacts& facts_;
    const CheckPlan& plan_;
    void* const* arguments_;
    const std::uint64_t blocks_, seed_;
    std::vector<std::uint32_t> order_;
    std::atomic<std::uint64_t> next_{0};
};

}  // namespace

std::string LaunchFacts::parameter_at(std::uintptr_t start, std::size_t bytes, std::size_t* element) const {
    const gpu_module& about = kernel.module();
    for (int k = 0; k < about.parameter_count; ++k) {
        if (!about.parameters[k].is_pointer) continue;
        const auto value = reinterpret_cast<std::uintptr_t>(*static_cast<void* const*>(arguments[k]));
        if (value < start || value > start + bytes) continue;
        // The end of one array may be the start of the next.
        NearArray own;
        if (guarded.find(value, own) && own.start != start) continue;
        if (element != nullptr) *element = about.parameters[k].element;
        return kernel.parameter_name(k);
    }
    return {};
}

void HostChecker::launch(LaunchContext& context, const KernelModule& kernel, const LaunchShape& shape,
                         void* const* arguments) {
    const std::lock_guard lock(mutex_);
    const uint3 grid{shape.grid.x, shape.grid.y, shape.grid.z}, block{shape.block.x, shape.block.y, shape.block.z};
    const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
    if (blocks > most_blocks)
        throw LaunchError("kernel " + kernel.name() + ": a grid of " + std::to_string(blocks) +
                          " blocks; check mode runs " + std::to_string(most_blocks) +
                          " at most, and smaller grids show the same mistakes");
    // Serials of blocks run out only after millions of them: then no access before this launch is remembered.
    if (next_serial_ + blocks + 4096 > last_serial) {
        memory_.forget_accesses();
        next_serial_ = 1;
    }
    LaunchFacts facts{.kernel = kernel,
                      .module = *kernel.checked(),
                      .memory = memory_,
                      .guarded = context.memory,
                      .arguments = arguments,
                      .grid = grid,
                      .block = block,
                      .dynamic_shared = shape.shared_bytes,
                      .first_serial = next_serial_,
                      .several_workers = plan_.workers > 1};
    facts.next_serial = next_serial_ + blocks;
    CheckedLaunch launch(facts, plan_, launches_++, arguments);
    if (plan_.workers > 1)
        pool_->run(static_cast<int>(std::min<std::uint64_t>(blocks - 1, 1024)), launch);
    else
        launch();
    next_serial_ = std::min(facts.next_serial, last_serial);

    const gpu_module& module = kernel.module();
    // What a launch that ended early would have written isn't another mistake of the next one.
    for (int k = 0; facts.log.has_fatal() && k < module.parameter_count; ++k) {
        if (!module.parameters[k].is_pointer || module.parameters[k].is_const) continue;
        const auto address = reinterpret_cast<std::uintptr_t>(*static_cast<void* const*>(arguments[k]));
        if (CheckedArray* const array = memory_.find(context.memory, address)) array->all_initialized();
    }
    KernelRecord& record = record_of(kernel);
    ++record.counts.launches;
    record.counts.blocks += blocks;
    record.counts.threads += blocks * block.x * block.y * block.z;
    record.counts.approximate = record.counts.approximate || launch.approximate;
    auto& sites = record.sites[kernel.shared_checked()];
    for (const auto& [site, work] : launch.sites) add_work(sites[site], work);
    report(kernel, facts.log.all());
}

}  // namespace gpu::detail::host
