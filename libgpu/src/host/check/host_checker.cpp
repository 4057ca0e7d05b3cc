// SPDX-License-Identifier: MIT
#include "host/check/host_checker.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

#include <sched.h>

#include <gpu/error.hpp>

#include "base.hpp"
#include "counts.hpp"
#include "facts/device_model.hpp"
#include "host/base/debugger.hpp"
#include "host/base/progress.hpp"
#include "host/check/block_watch.hpp"
#include "host/check/check_calls.hpp"
#include "host/check/clues.hpp"
#include "host/check/launch_facts.hpp"
#include "host/check/raw_finding.hpp"
#include "host/check/stream_order.hpp"
#include "host/fibers/grid_barrier.hpp"
#include "host/fibers/thread_pool.hpp"

namespace gpu::detail::host {

namespace {

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

template <class T>
bool parse(std::string_view text, T& value) {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failure == std::errc{} && end == text.data() + text.size();
}

std::uint64_t volume(uint3 lengths) { return std::uint64_t{lengths.x} * lengths.y * lengths.z; }
std::uint64_t threads_of(const LaunchFacts& facts) { return volume(facts.grid) * volume(facts.block); }

void check_size(const KernelModule& kernel, std::uint64_t blocks) {
    constexpr std::uint64_t max_blocks = std::uint64_t{1} << 23;
    if (blocks > max_blocks)
        throw LaunchError("kernel " + kernel.name() + ": a grid of " + std::to_string(blocks) +
                          " blocks; check mode runs " + std::to_string(max_blocks) +
                          " at most, and smaller grids show the same mistakes");
}

// The cost of running a launch in another order is measured in accesses and threads, so that the choice depends on no
// clock.
constexpr std::uint64_t more_orders[] = {1, 2, 3};  // seeds
constexpr std::uint64_t max_work_tried = std::uint64_t{1} << 16, max_work_tried_in_check = std::uint64_t{1} << 19;
constexpr std::size_t max_bytes_tried = std::size_t{1} << 22;

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

void count_shape(std::vector<LaunchCounts>& shapes, const LaunchShape& shape) {
    constexpr std::size_t max_shapes = 64;
    const auto dim3 = [](const auto& of) { return Dim3(of.x, of.y, of.z); };
    const Dim3 grid = dim3(shape.grid), block = dim3(shape.block);
    const auto same = [&](const LaunchCounts& one) { return one.grid == grid && one.block == block; };
    const auto known = std::find_if(shapes.begin(), shapes.end(), same);
    if (known != shapes.end())
        ++known->launches;
    else if (shapes.size() < max_shapes)
        shapes.push_back({grid, block, 1});
}

// A bad spread shows in the launch that does most of the work: a second pass has one block, and little to do.
void add_spread(KernelCounts& to, const LaunchSpread& launch, const LaunchShape& shape) {
    const auto keep = [&shape](WorkSpread& kept, const WorkSpread& next) {
        if (next.total <= kept.total) return;
        kept = next;
        kept.grid = Dim3(shape.grid.x, shape.grid.y, shape.grid.z);
        kept.block = Dim3(shape.block.x, shape.block.y, shape.block.z);
    };
    keep(to.global_spread, launch.global);
    keep(to.shared_spread, launch.shared);
    keep(to.atomic_spread, launch.atomic);
    to.accesses += launch.accesses;
    to.span += launch.span;
}

/// A barrier at which blocks wait by passing their turns on.
class TurnsGridBarrier final : public GridBarrier {
public:
    TurnsGridBarrier(std::uint64_t blocks, LaunchFacts& facts, CooperativeScheduler& turns)
        : GridBarrier(blocks), facts_(facts), turns_(turns) {}

private:
    void wait(std::unique_lock<std::mutex>& lock) override {
        lock.unlock();
        turns_.set_waiting(true);
        turns_.pass();
        const bool all_wait = turns_.all_wait();
        turns_.set_waiting(false);
        ::sched_yield();  // the missing blocks may be other workers'
        lock.lock();
        rounds_ = all_wait ? rounds_ + 1 : 0;
        if (facts_.log.has_fatal()) give_up_locked();
        else if (rounds_ > max_rounds) get_stuck();
    }
    void opens() override {
        turns_.progress();
        rounds_ = 0;
        const std::lock_guard lock(facts_.mutex);
        facts_.grid_epoch = facts_.next_serial;
    }

    static constexpr unsigned max_rounds = 4096;  // rounds in which every block waits for others

    LaunchFacts& facts_;
    CooperativeScheduler& turns_;
    unsigned rounds_ = 0;
};

/// One launch: all workers take blocks in the schedule's order.
class CheckedLaunch {
public:
    CheckedLaunch(LaunchFacts& facts, const CheckPlan& plan, std::uint64_t launch)
        : facts_(facts),
          plan_(plan),
          blocks_(volume(facts.grid)),
          seed_(mixed(plan.seed ^ mixed(launch))),
          progress_(facts.kernel.name(), blocks_),
          turns_([this] { take_turn(); }, [this] { return next_ < blocks_ && !facts_.log.has_fatal(); }) {
        if (plan.random) order_ = random_order(blocks_, seed_);
        facts.turns = &turns_;
        facts.order = &order_;
        facts.next_turn = &next_;
        if (facts.cooperative) grid_.emplace(blocks_, facts, turns_);
    }

    [[nodiscard]] std::uint64_t blocks() const noexcept { return blocks_; }

    /// One worker's share.
    void operator()() {
        turns_.begin();
        take_blocks();
    }

    /// Waits for the threads that were started beside the workers. Rethrows what one of them threw.
    void join() {
        turns_.join();
        if (failure_) std::rethrow_exception(failure_);
    }

    LaunchWork work;

private:
    void take_turn() {
        try {
            take_blocks();
        } catch (...) {
            const std::lock_guard lock(facts_.mutex);
            failure_ = std::current_exception();
        }
    }

    void take_blocks() {
        struct End {
            CooperativeScheduler& turns;
            ~End() { turns.end(); }
        } const end{turns_};
        Worker& worker = Worker::current();
        worker.prepare(facts_.kernel.text(), plan_.seconds_per_block);
        BlockScheduler& scheduler = worker.scheduler();
        const gpu_module& module = facts_.kernel.module();
        scheduler.begin(module, facts_.arguments, facts_.grid, facts_.block);
        scheduler.join_grid(grid_ ? &*grid_ : nullptr);
        // Blocks that wait for each other have a thread each; the first one records.
        AccessRecorder* const recorder = facts_.recorder.exchange(nullptr);
        BlockWatch watch(facts_, worker, module.state(), recorder);
        scheduler.observe(&watch);
        for (std::uint64_t turn; !facts_.log.has_fatal() && (turn = next_++) < blocks_;) {
            const std::uint64_t block = facts_.block_at(turn);
            scheduler.draw_order(plan_.random ? mixed(seed_ ^ mixed(block + 1)) | 1 : 0);
            watch.begin_block(block, turn);
            const bool succeeded = scheduler.run(facts_.block_index(block));
            if (!succeeded && !watch.given_up() && worker.fault().kind != Fault::Kind::given_up)
                facts_.log.add_fatal(watch.found_at(), finding_of(facts_, worker, watch));
            watch.end_block(succeeded);
            progress_.done(1);
            if (grid_ && succeeded) grid_->block_ends();
            if (recorder != nullptr) recorder->end_block(succeeded, scheduler);
            turns_.next_block();
        }
        if (recorder != nullptr) work.traced = recorder->take(facts_, watch.arrays());
        scheduler.observe(nullptr);
        scheduler.draw_order(0);
        if (!plan_.again) {
            counters().add(&Counts::barriers, scheduler.barriers());
            counters().add(&Counts::atomics, scheduler.atomics());
        }
        const bool too_many = watch.counter().approximate();
        const LaunchSpread own = watch.counter().spread();
        const std::vector<SiteCounts> counts = watch.counter().take();
        const std::lock_guard lock(facts_.mutex);
        work.approximate = work.approximate || too_many;
        work.spread.add(own);
        for (const SiteCounts& each : counts) add_work(work.sites[each.site], each.work);
    }

    LaunchFacts& facts_;
    const CheckPlan& plan_;
    const std::uint64_t blocks_, seed_;
    LaunchProgress progress_;
    std::vector<std::uint32_t> order_;
    std::atomic<std::uint64_t> next_{0};
    std::exception_ptr failure_;
    CooperativeScheduler turns_;
    std::optional<TurnsGridBarrier> grid_;
};

// True for a kernel that libgpu launches for itself, for example to fill an array.
bool is_libgpus(const KernelModule& kernel) {
    const SourceText& learners = kernel.checked()->learners();
    return learners.made_in.empty() &&
           (learners.text.empty() || learners.file == kernel.name() || learners.file.compare(0, 7, "libgpu ") == 0);
}

// "ns::scale<float>" is also asked for as "scale", "ns::scale" and "scale<float>".
bool has_name(std::string_view name, std::string_view asked) {
    if (asked.find('<') == asked.npos) name = name.substr(0, name.find('<'));
    if (!name.ends_with(asked)) return false;
    name.remove_suffix(asked.size());
    return name.empty() || name.ends_with("::");
}

}  // namespace

CheckPlan plan_of(const CheckOptions& options) {
    CheckPlan plan;
    std::string schedule = options.schedule.empty() ? variable("LIBGPU_CHECK_SCHEDULE") : options.schedule;
    constexpr std::string_view random = "random:";
    if (schedule.compare(0, random.size(), random) == 0) {
        plan.random = true;
        if (!parse(std::string_view(schedule).substr(random.size()), plan.seed))
            throw Error("the schedule \"" + schedule + "\" of a check: after random: comes a number, as in random:42");
    } else if (!schedule.empty() && schedule != "fixed") {
        throw Error("the schedule \"" + schedule + "\" of a check isn't known: it is fixed, or random:SEED");
    }
    plan.more_orders = schedule.empty();
    plan.workers = options.workers;
    if (const std::string text = variable("LIBGPU_CHECK_WORKERS"); plan.workers == 0 && !text.empty()) {
        if (!parse(text, plan.workers) || plan.workers < 1)
            throw Error("LIBGPU_CHECK_WORKERS is \"" + text + "\"; it must be a number of threads, 1 or more");
    }
    if (plan.workers < 0 || plan.workers > 1024)
        throw Error("a check with " + std::to_string(plan.workers) +
                    " workers: it must be 1 to 1024, or 0 for the default");
    plan.workers = std::max(plan.workers, 1);
    plan.strict_barriers = options.strict_barriers;
    plan.only_cuda = options.only_cuda;
    plan.spoiled_copies = options.spoiled_copies;
    plan.seconds_per_block = options.seconds_per_block;
    if (!(plan.seconds_per_block > 0))
        throw Error("a check with seconds_per_block " + std::to_string(plan.seconds_per_block) +
                    ": it must be above 0");
    return plan;
}

void HostChecker::begin(const CheckOptions& options) {
    const CheckPlan plan = plan_of(options);
    const std::lock_guard lock(mutex_);
    if (active()) throw Error("gpu::check inside of another: one check at a time in a process");
    plan_ = plan;
    if (plan.workers > 1 && (pool_ == nullptr || pool_->workers() != plan.workers))
        pool_ = std::make_unique<ThreadPool>(plan.workers);
    launches_ = tried_ = 0;
    was_left_ = false;
    end_.reset();
    findings_.clear();
    findings_before_.clear();
    kernels_.clear();
    recording_.reset();
    end_schedule();
    trace_ = {};
    is_ours_.clear();
    order_.clear();
    host_access_.begin();
    buffers_.begin();
    active_.store(true, std::memory_order_release);
}

void HostChecker::record(const TraceOptions& options) {
    const std::lock_guard lock(mutex_);
    recording_ = options;
    launches_chosen_ = 0;
    schedule_ = {};
    has_schedule_.store(true, std::memory_order_release);
}

// Of libgpu's own kernels none is counted: they are drawn if the program has no other.
bool HostChecker::is_chosen(const KernelModule& kernel) {
    const bool is_ours = is_libgpus(kernel);
    if (!recording_->kernel.empty() && (is_ours || !has_name(kernel.name(), recording_->kernel))) return false;
    return is_ours || ++launches_chosen_ >= recording_->first_launch;
}

CheckReport HostChecker::finish() {
    const std::lock_guard lock(mutex_);
    active_.store(false, std::memory_order_release);
    buffers_.end(findings_.size());
    host_access_.end();
    report_host_buffers();
    report_host_accesses();
    report_leaks();
    memory_.clear();
    heap_.clear();
    order_.clear();
    CheckReport report;
    report.findings = std::move(findings_);
    for (const auto& kernel : kernels_) {
        for (const auto& [module, sites] : kernel->sites) {
            std::vector<std::size_t> offsets;
            for (const auto& [site, work] : sites)
                if (site >> 40 == 0) offsets.push_back(site);
            module->find_places(offsets);
            std::vector<SiteCounts> counts;
            std::vector<SourcePlace> places;
            for (const auto& [site, work] : sites) {
                counts.push_back({site, work});
                places.push_back(site >> 40 == 0
                                     ? module->place(site)
                                     : SourcePlace{module->learners().file, static_cast<int>(site & 0xffffffff)});
            }
            for (const int line : module->double_lines()) {
                counts.push_back({0, {.double_operations = 1}});
                places.push_back({module->learners().file, line});
            }
            add_work(kernel->counts.work, total_work(counts));
            add_lines(kernel->counts.lines, work_by_line(counts, places));
        }
        report.kernels.push_back(std::move(kernel->counts));
    }
    findings_.clear();
    kernels_.clear();
    return report;
}

// libgpu's own launches, such as filling an array, are drawn only if the program has no kernel of its own.
Trace HostChecker::take_trace() {
    const std::lock_guard lock(mutex_);
    Trace made = std::move(trace_);
    trace_ = {};
    const bool has_own = std::find(is_ours_.begin(), is_ours_.end(), false) != is_ours_.end();
    for (std::size_t k = is_ours_.size(); has_own && k-- > 0;)
        if (is_ours_[k]) made.launches.erase(made.launches.begin() + static_cast<std::ptrdiff_t>(k));
    is_ours_.clear();
    made.operations = schedule_.take();
    made.operations_left_out = schedule_.left_out();
    return made;
}

// Arrays get the names that the learner's kernels give them.
void HostChecker::name_arguments(const LaunchContext& context, const KernelModule& kernel, void* const* arguments) {
    const bool is_ours = is_libgpus(kernel);
    const gpu_module& about = kernel.module();
    for (int k = 0; !is_ours && k < about.parameter_count; ++k) {
        NearArray near;
        if (!about.parameters[k].is_pointer) continue;
        const auto value = reinterpret_cast<std::uintptr_t>(*static_cast<void* const*>(arguments[k]));
        if (value != 0 && context.memory.find(value, near)) host_access_.name(near.start, kernel.parameter_name(k));
    }
}

// Each one is placed between the findings of the kernels that ran before and after it.
void HostChecker::report_host_accesses() {
    findings_before_.resize(host_access_.noted(), findings_.size());
    std::size_t told = 0;
    for (HostAccessWatch::NotedFinding& noted : host_access_.findings()) {
        const auto at = static_cast<std::ptrdiff_t>(findings_before_[noted.number] + told++);
        findings_.insert(findings_.begin() + at, std::move(noted.finding));
    }
}

// A kernel that was left had no chance to free anything.
void HostChecker::report_leaks() {
    if (was_left_) return;
    for (const CheckedHeap::Leak& leak : heap_.leaks()) {
        RawFinding finding;
        finding.kind = FindingKind::memory_leak;
        finding.action.site = leak.first.site;
        finding.action.block = leak.first.block;
        finding.action.thread = leak.first.thread;
        finding.times = leak.pieces;
        finding.detail = plural(leak.bytes, "byte");
        find_places(*leak.first.module, {&finding, 1});
        add(format_finding(finding, leak.first.kernel));
    }
}

HostChecker::KernelRecord& HostChecker::record_of(const KernelModule& kernel) {
    const SourceText& learners = kernel.checked()->learners();
    for (const auto& record : kernels_)
        if (record->counts.name == kernel.name() && record->counts.file == learners.file &&
            record->counts.made_in == learners.made_in && record->counts.first_line == learners.line &&
            record->counts.source == learners.text)
            return *record;
    kernels_.push_back(std::make_unique<KernelRecord>());
    KernelCounts& counts = kernels_.back()->counts;
    counts.name = kernel.name();
    counts.file = learners.file;
    counts.made_in = learners.made_in;
    counts.source = learners.text;
    counts.first_line = learners.line;
    return *kernels_.back();
}

// Work in other streams may belong to another kernel.
void HostChecker::find_other_places(std::span<RawFinding> findings) {
    for (RawFinding& finding : findings) {
        if (finding.other_module == nullptr) continue;
        finding.other_module->find_places({finding.other.site});
        finding.other.place = finding.other_module->place(finding.other.site);
    }
}

void HostChecker::find_places(CheckedModule& module, std::span<RawFinding> findings) {
    find_other_places(findings);
    std::vector<std::size_t> offsets;
    for (const RawFinding& finding : findings) {
        offsets.push_back(finding.action.site);
        offsets.push_back(finding.other.site);
    }
    module.find_places(offsets);
    for (RawFinding& finding : findings) {
        if (finding.action.place.file.empty()) finding.action.place = module.place(finding.action.site);
        if (finding.other.place.file.empty() && finding.other_work.empty())
            finding.other.place = module.place(finding.other.site);
    }
}

std::string HostChecker::rewritten(RawFinding rewrite, const KernelModule& kernel) {
    find_places(*kernel.checked(), {&rewrite, 1});
    return rewritten_text(rewrite, kernel.name());
}

void HostChecker::add_clues(const KernelModule& kernel, const std::vector<Token>& tokens,
                            std::span<RawFinding> findings, bool has_warps) {
    const SourceText& learners = kernel.checked()->learners();
    for (RawFinding& finding : findings) {
        if (finding.action.place.file != learners.file) continue;
        if (is_race(finding.kind)) add_race_clues(finding, tokens, learners.line, has_warps);
        if (!finding.far_arrays.empty()) add_far_clue(finding, tokens, learners.line);
        if (finding.kind == FindingKind::out_of_bounds) add_guard_clue(finding, tokens, learners.line, kernel.name());
        if (!finding.call.empty()) continue;
        const auto call =
            call_leading_to(tokens, finding.action.place.line - learners.line + 1, bare_name(kernel.name()));
        if (call) finding.call = call->text(learners);
    }
}

// Reports each mistake once per check, however many launches have it.
void HostChecker::report(const KernelModule& kernel, std::vector<RawFinding> findings, TracedLaunch* traced, uint3 grid,
                         uint3 block, const std::string& order) {
    if (findings.empty()) return;
    find_places(*kernel.checked(), findings);
    // Only a read and a write on one line are one update; a loop may wait for its turn, and then write.
    const SourceText& learners = kernel.checked()->learners();
    const std::vector<Token> tokens = tokens_of(learners.plain.empty() ? learners.text : learners.plain);
    std::erase_if(findings, [&](const RawFinding& finding) {
        const Action& reader = finding.action.verb == "reads" ? finding.action : finding.other;
        if (finding.volatile_address != 0 && one_reads(finding) && reader.place.file == learners.file &&
            is_waiting(tokens, reader.place.line - learners.line + 1))
            return true;
        return finding.volatile_update && (finding.action.place.line != finding.other.place.line ||
                                           finding.action.place.file != finding.other.place.file);
    });
    findings = without_consequences(std::move(findings));
    add_clues(kernel, tokens, findings, block.x * block.y * block.z > 32);
    for (const RawFinding& finding : findings) {
        Finding told = format_finding(finding, kernel.name());
        if (traced != nullptr) traced->findings.push_back(host::traced(finding, told, grid, block));
        add(std::move(told), order);
    }
}

void HostChecker::add(Finding told, const std::string& order) {
    const auto same = std::find_if(findings_.begin(), findings_.end(), [&told](const Finding& other) {
        if (other.kernel != told.kernel || other.variable != told.variable) return false;
        if (is_race(other.kind) && is_race(told.kind)) return true;
        return other.kind == told.kind && other.file == told.file && other.line == told.line;
    });
    if (same == findings_.end()) {
        if (!order.empty()) told.who += "; seen in another order of threads, LIBGPU_CHECK_SCHEDULE=" + order;
        findings_.push_back(std::move(told));
    } else if (order.empty()) {
        same->times += told.times;
    }
}

// Serials run out only after millions of blocks: then earlier accesses are forgotten.
void HostChecker::reserve_serials(std::uint64_t count) {
    if (next_serial_ + count + 4096 <= last_serial) return;
    memory_.forget_accesses();
    heap_.forget_accesses();
    order_.forget_operations();
    next_serial_ = 1;
}

std::string LaunchFacts::parameter_at(std::uintptr_t start, std::size_t bytes, std::size_t* element,
                                      std::size_t* alignment) const {
    const gpu_module& about = kernel.module();
    for (int k = 0; k < about.parameter_count; ++k) {
        if (!about.parameters[k].is_pointer) continue;
        const auto value = reinterpret_cast<std::uintptr_t>(*static_cast<void* const*>(arguments[k]));
        if (value < start || value > start + bytes) continue;
        // The end of one array may be the start of the next.
        NearArray own;
        if (guarded.find(value, own) && own.start != start) continue;
        if (element != nullptr) *element = about.parameters[k].element;
        if (alignment != nullptr) *alignment = about.parameters[k].alignment;
        return kernel.parameter_name(k);
    }
    for (int k = 0; k < about.parameter_count; ++k) {
        if (about.parameters[k].pointed == 0) continue;
        const auto addresses = guarded.addresses_in(*static_cast<void* const*>(arguments[k]));
        const auto found = std::find_if(addresses.begin(), addresses.end(), [&](std::uintptr_t address) {
            return address - start < std::max<std::size_t>(bytes, 1);
        });
        if (found == addresses.end()) continue;
        if (element != nullptr) *element = about.parameters[k].pointed;
        return kernel.parameter_name(k) + '[' + std::to_string(found - addresses.begin()) + ']';
    }
    return {};
}

LaunchFacts HostChecker::facts_of(LaunchContext& context, const KernelModule& kernel, const LaunchShape& shape,
                                  void* const* arguments, const std::shared_ptr<StreamOperation>& operation) {
    return {.kernel = kernel,
            .module = *kernel.checked(),
            .memory = memory_,
            .heap = heap_,
            .guarded = context.memory,
            .host_access = host_access_,
            .arguments = arguments,
            .grid = {shape.grid.x, shape.grid.y, shape.grid.z},
            .block = {shape.block.x, shape.block.y, shape.block.z},
            .dynamic_shared = shape.shared_bytes,
            .first_serial = next_serial_,
            .unordered = order_.add({context.device, context.stream}, operation),
            .stream = operation->stream_name,
            .several_workers = plan_.workers > 1,
            .strict_barriers = plan_.strict_barriers,
            .cooperative = shape.cooperative};
}

void HostChecker::launch(LaunchContext& context, const KernelModule& kernel, const LaunchShape& shape,
                         void* const* arguments) {
    const std::lock_guard lock(mutex_);
    findings_before_.resize(host_access_.noted(), findings_.size());
    name_arguments(context, kernel, arguments);
    const std::uint64_t blocks = volume({shape.grid.x, shape.grid.y, shape.grid.z});
    check_size(kernel, blocks);
    reserve_serials(blocks * (1 + std::size(more_orders)));
    const auto operation = std::make_shared<StreamOperation>(StreamOperation{.name = "kernel " + kernel.name(),
                                                                             .first_serial = next_serial_,
                                                                             .end_serial = next_serial_ + blocks,
                                                                             .module = kernel.shared_checked()});
    LaunchFacts facts = facts_of(context, kernel, shape, arguments, operation);
    if (facts.several_workers) facts.writes_under_way = std::vector<LaunchFacts::WriteUnderWay>(256);
    facts.next_serial = next_serial_ + blocks;
    std::optional<MemorySnapshot> before;
    if (may_try_more_orders(context, facts)) before = MemorySnapshot::of(facts, max_bytes_tried);
    facts.notes_reached = before.has_value();
    std::optional<AccessRecorder> recorder;
    if (is_recorded(context, kernel)) facts.recorder.store(&recorder.emplace(*recording_, facts));
    LaunchWork work = run(facts);
    operation->end_serial = next_serial_;
    if (facts.log.has_fatal()) forget_unfinished(context, facts);
    if (context.printing) return report(kernel, facts.findings(), nullptr, facts.grid, facts.block);
    add_to_schedule(context, facts, work);
    TracedLaunch* const traced = recorder ? &trace_.launches.emplace_back(std::move(work.traced)) : nullptr;
    if (traced != nullptr) is_ours_.push_back(is_libgpus(kernel));
    count(facts, shape, work);
    report(kernel, facts.findings(), traced, facts.grid, facts.block);
    if (traced != nullptr) recorder->number_accesses(*traced);
    if (!facts.log.has_fatal()) watch_host_memory(operation, facts);
    if (!before || facts.log.has_fatal()) return;
    try_more_orders(context, facts, *before, threads_of(facts) + work.spread.accesses);
    operation->end_serial = next_serial_;
}

bool HostChecker::may_try_more_orders(const LaunchContext& context, const LaunchFacts& facts) const {
    return plan_.more_orders && threads_of(facts) <= max_work_tried && facts.kernel.checked()->may_depend_on_order() &&
           !context.printing && !is_libgpus(facts.kernel) && !kernels_are_debugged();
}

bool HostChecker::is_recorded(const LaunchContext& context, const KernelModule& kernel) {
    if (!recording_ || context.printing || !is_chosen(kernel)) return false;
    const bool is_ours = is_libgpus(kernel);
    if (std::count(is_ours_.begin(), is_ours_.end(), is_ours) < recording_->launches) return true;
    if (!is_ours) ++trace_.launches_left_out;
    return false;
}

LaunchWork HostChecker::run(LaunchFacts& facts) {
    remember_copies(memory_, order_, facts.unordered);
    if (kernels_are_debugged()) show_to_debugger(facts);
    CheckedLaunch launch(facts, plan_, launches_++);
    if (plan_.workers > 1)
        pool_->run(static_cast<int>(std::min<std::uint64_t>(launch.blocks() - 1, 1024)), launch);
    else
        launch();
    launch.join();
    was_left_ = was_left_ || facts.log.has_fatal();
    if (const auto fatal = facts.log.fatal(); fatal && !end_) end_ = end_of(*fatal);
    next_serial_ = std::min(facts.next_serial, last_serial);
    facts.turns = nullptr;   // these are the launch's
    facts.order = nullptr;
    facts.next_turn = nullptr;
    return std::move(launch.work);
}

void HostChecker::add_to_schedule(const LaunchContext& context, const LaunchFacts& facts, const LaunchWork& work) {
    tell_schedule([&](ModelledSchedule& schedule) {
        WorkCounts all;
        for (const auto& [site, counted] : work.sites) add_work(all, counted);
        TracedOperation asked;
        asked.name = facts.kernel.name();
        asked.grid = {facts.grid.x, facts.grid.y, facts.grid.z};
        asked.block = {facts.block.x, facts.block.y, facts.block.z};
        schedule.add({context.device, context.stream}, asked,
                     modelled::time_of_kernel(static_cast<double>(all.global_sectors),
                                              static_cast<double>(all.shared_wavefronts),
                                              static_cast<double>(volume(facts.grid))));
    });
}

void HostChecker::count(LaunchFacts& facts, const LaunchShape& shape, const LaunchWork& work) {
    KernelRecord& record = record_of(facts.kernel);
    KernelCounts& counts = record.counts;
    ++counts.launches;
    counts.blocks += volume(facts.grid);
    counts.threads += threads_of(facts);
    count_shape(counts.shapes, shape);
    counts.approximate = counts.approximate || work.approximate;
    add_spread(counts, work.spread, shape);
    auto& sites = record.sites[facts.kernel.shared_checked()];
    for (const auto& [site, counted] : work.sites) add_work(sites[site], counted);
    if (const std::optional<RawFinding> twice = facts.log.rewrite(); twice && counts.rewritten.empty())
        counts.rewritten = rewritten(*twice, facts.kernel);
}

// Until the host waits for the kernel, it must leave alone what both use.
void HostChecker::watch_host_memory(const std::shared_ptr<const StreamOperation>& launch, const LaunchFacts& facts) {
    const auto watch = [&](const CheckedArray& array) {
        const CheckedArray::Reached reached = array.reached(launch->first_serial, launch->end_serial);
        if (reached.end > reached.begin)
            buffers_.add_kernel(launch, {.start = array.start + reached.begin,
                                         .bytes = reached.end - reached.begin,
                                         .is_written = reached.is_written});
    };
    for (const CheckedArray* const array : memory_.foreign_arrays()) watch(*array);
    for (const auto& variable : facts.objects) watch(*variable);  // of which managed ones are the host's, too
}

// What a launch that ended early would have written is no mistake of the next one.
void HostChecker::forget_unfinished(LaunchContext& context, const LaunchFacts& facts) {
    const gpu_module& module = facts.kernel.module();
    for (int k = 0; k < module.parameter_count; ++k) {
        std::vector<const void*> written = written_through(context.memory, module.parameters[k], facts.arguments[k]);
        if (module.parameters[k].is_pointer && !module.parameters[k].is_const)
            written.push_back(*static_cast<void* const*>(facts.arguments[k]));
        for (const void* const data : written)
            if (CheckedArray* const array = memory_.find(context.memory, reinterpret_cast<std::uintptr_t>(data)))
                array->all_initialized();
    }
}

void HostChecker::try_more_orders(LaunchContext& context, const LaunchFacts& facts, const MemorySnapshot& before,
                                  std::uint64_t work) {
    const auto is_kept = [&](std::uintptr_t start) { return before.covers(start); };
    if (work > max_work_tried || !std::all_of(facts.reached.begin(), facts.reached.end(), is_kept)) return;
    const MemorySnapshot after = before.taken_again();
    for (const std::uint64_t seed : more_orders) {
        if (tried_ + work > max_work_tried_in_check) break;
        tried_ += work;
        before.restore();
        LaunchFacts again{.kernel = facts.kernel,
                          .module = facts.module,
                          .memory = memory_,
                          .heap = heap_,
                          .guarded = context.memory,
                          .host_access = host_access_,
                          .arguments = facts.arguments,
                          .grid = facts.grid,
                          .block = facts.block,
                          .dynamic_shared = facts.dynamic_shared,
                          .first_serial = next_serial_,
                          .unordered = facts.unordered,
                          .stream = facts.stream,
                          .strict_barriers = plan_.strict_barriers,
                          .cooperative = facts.cooperative};
        CheckPlan plan{.random = true, .again = true, .seed = seed, .seconds_per_block = plan_.seconds_per_block};
        CheckedLaunch launch(again, plan, launches_ - 1);
        again.next_serial = next_serial_ + launch.blocks();
        launch();
        launch.join();
        next_serial_ = std::min(again.next_serial, last_serial);
        if (again.log.has_fatal()) forget_unfinished(context, again);
        report(facts.kernel, again.findings(), nullptr, facts.grid, facts.block, "random:" + std::to_string(seed));
        if (again.log.has_fatal()) break;
    }
    after.restore();
}

// What check mode, and a trace's schedule, record about copies, events and waits.

void HostChecker::copied(StreamPlace where, const char* name, const std::vector<CopiedPiece>& pieces,
                         const HostSide& host) {
    if (!active()) return;
    const std::lock_guard lock(mutex_);
    reserve_serials(1);
    const bool has_host = host.buffer.bytes > 0;
    const auto copy = std::make_shared<StreamOperation>(
        StreamOperation{.name = name,
                        .first_serial = next_serial_,
                        .end_serial = next_serial_ + 1,
                        .pieces = pieces,
                        .to_host = has_host && host.buffer.is_written,
                        .holds_host = has_host && host.buffer.is_pageable});
    ++next_serial_;
    const UnorderedOperations unordered = order_.add(where, copy);
    const bool early = has_host && buffers_.find_conflict(unordered, host.buffer, copy->stream_name, findings_.size());
    if (has_host && !host.host_waits) buffers_.add(copy, host.buffer);
    if (unordered.empty()) return;
    findings_before_.resize(host_access_.noted(), findings_.size());
    remember_copies(memory_, order_, unordered);
    if (early) return;
    for (const CopiedPiece& piece : pieces) {
        std::uintptr_t array = 0;
        std::optional<RawFinding> finding = conflict_of(memory_, piece, unordered, array);
        if (!finding) continue;
        finding->variable = host_access_.name_of(array);
        finding->element = finding->variable.empty() ? "an array" : finding->variable;
        finding->work = name;
        finding->stream = copy->stream_name;
        find_other_places({&*finding, 1});
        add(format_finding(*finding, ""));
        return;
    }
}

void HostChecker::freed(int device, const void* data) noexcept {
    if (!active()) return memory_.forget(data);
    const std::lock_guard lock(mutex_);
    order_.freed(device);
    tell_schedule([device](ModelledSchedule& schedule) { schedule.freed(device); });
    order_.forget_memory(reinterpret_cast<std::uintptr_t>(data), 0);
    memory_.forget(data);
}

void HostChecker::given_back(const void* data, std::size_t bytes) noexcept {
    if (active()) order_.forget_memory(reinterpret_cast<std::uintptr_t>(data), bytes);
    memory_.remove_foreign(data, bytes);
}

void HostChecker::copy_asked(StreamPlace where, CopyKind kind, std::size_t bytes, const void* host, bool host_waits) {
    tell_schedule([&](ModelledSchedule& schedule) {
        TracedOperation asked;
        asked.bytes = bytes;
        if (kind == CopyKind::device_to_device) {
            asked.kind = TracedOperation::Kind::copy_on_device;
            asked.name = "copy on device";
            return schedule.add(where, asked, modelled::time_on_device(2 * bytes));
        }
        const bool is_upload = kind == CopyKind::host_to_device;
        asked.kind = is_upload ? TracedOperation::Kind::copy_to_device : TracedOperation::Kind::copy_to_host;
        asked.name = is_upload ? "copy to device" : "copy to host";
        asked.pageable = !memory_.is_foreign(reinterpret_cast<std::uintptr_t>(host));
        asked.host_waits = host_waits || asked.pageable;
        schedule.add(where, asked, modelled::time_of_copy(bytes, asked.pageable));
    });
}

void HostChecker::note(int device, void* stream, const TracedOperation& operation) {
    tell_schedule([&](ModelledSchedule& schedule) {
        schedule.add({device, stream}, operation, modelled::time_on_device(operation.bytes));
    });
}

void HostChecker::recorded(StreamPlace where, const void* event) {
    if (!active()) return;
    order_.record(where, event);
    tell_schedule([&](ModelledSchedule& schedule) { schedule.record(where, event); });
}

void HostChecker::waits(StreamPlace where, const void* event) {
    if (!active()) return;
    order_.wait(where, event);
    tell_schedule([&](ModelledSchedule& schedule) { schedule.wait(where, event); });
}

void HostChecker::synchronized(StreamPlace where) {
    if (!active()) return;
    order_.synchronize(where);
    host_waited();
    tell_schedule([&](ModelledSchedule& schedule) { schedule.synchronize(where); });
}

void HostChecker::synchronized(const void* event) {
    if (!active()) return;
    order_.synchronize(event);
    host_waited();
    tell_schedule([&](ModelledSchedule& schedule) { schedule.synchronize(event); });
}

void HostChecker::copy_waited(StreamPlace where) {
    if (!active()) return;
    order_.synchronize(where);
    host_waited();
}

void HostChecker::host_waited() {
    const std::lock_guard lock(mutex_);
    buffers_.host_waited(order_, findings_.size());
}

void HostChecker::report_host_buffers() {
    std::size_t told = 0;
    for (HostBufferWatch::OrderedFinding& noted : buffers_.findings()) {
        const std::size_t known = findings_.size();
        add(std::move(noted.finding));
        if (findings_.size() == known) continue;
        const auto at = findings_.begin() + static_cast<std::ptrdiff_t>(noted.before + told++);
        std::rotate(at, findings_.end() - 1, findings_.end());
        for (std::size_t& before : findings_before_)
            if (before > noted.before) ++before;
    }
}

void HostChecker::destroyed_stream(const void* stream) noexcept {
    order_.destroy_stream(stream);
    tell_schedule([&](ModelledSchedule& schedule) { schedule.destroy_stream(stream); });
}

void HostChecker::destroyed_event(const void* event) noexcept {
    order_.destroy_event(event);
    tell_schedule([&](ModelledSchedule& schedule) { schedule.destroy_event(event); });
}

}  // namespace gpu::detail::host
