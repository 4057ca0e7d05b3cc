// SPDX-License-Identifier: MIT
#include "host/check/host_checker.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include <gpu/error.hpp>

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

bool is_race(FindingKind kind) {
    return kind == FindingKind::missing_barrier || kind == FindingKind::missing_syncwarp ||
           kind == FindingKind::inter_block_race;
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
    plan.workers = options.workers;
    if (const std::string text = variable("LIBGPU_CHECK_WORKERS"); plan.workers == 0 && !text.empty()) {
        if (!parse(text, plan.workers) || plan.workers < 1)
            throw Error("LIBGPU_CHECK_WORKERS is \"" + text + "\"; it must be a number of threads, 1 or more");
    }
    if (plan.workers < 0 || plan.workers > 1024)
        throw Error("a check with " + std::to_string(plan.workers) +
                    " workers: it must be 1 to 1024, or 0 for the default");
    plan.workers = std::max(plan.workers, 1);
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
    launches_ = 0;
    findings_.clear();
    kernels_.clear();
    active_.store(true, std::memory_order_release);
}

CheckReport HostChecker::finish() {
    const std::lock_guard lock(mutex_);
    active_.store(false, std::memory_order_release);
    memory_.clear();
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
            add_work(kernel->counts.work, total_work(counts));
            add_lines(kernel->counts.lines, work_by_line(counts, places));
        }
        report.kernels.push_back(std::move(kernel->counts));
    }
    findings_.clear();
    kernels_.clear();
    return report;
}

HostChecker::KernelRecord& HostChecker::record_of(const KernelModule& kernel) {
    const Snippet& learners = kernel.checked()->learners();
    for (const auto& record : kernels_)
        if (record->counts.name == kernel.name() && record->counts.file == learners.file &&
            record->counts.first_line == learners.line && record->counts.source == learners.text)
            return *record;
    kernels_.push_back(std::make_unique<KernelRecord>());
    KernelCounts& counts = kernels_.back()->counts;
    counts.name = kernel.name();
    counts.file = learners.file;
    counts.source = learners.text;
    counts.first_line = learners.line;
    return *kernels_.back();
}

// Each mistake once in a check, however many launches have it.
void HostChecker::report(const KernelModule& kernel, std::vector<RawFinding> findings) {
    CheckedModule& module = *kernel.checked();
    std::vector<std::size_t> offsets;
    for (const RawFinding& finding : findings) {
        offsets.push_back(finding.action.site);
        offsets.push_back(finding.other.site);
    }
    module.find_places(offsets);
    for (RawFinding& finding : findings) {
        if (finding.action.place.file.empty()) finding.action.place = module.place(finding.action.site);
        if (finding.other.place.file.empty()) finding.other.place = module.place(finding.other.site);
    }
    for (const RawFinding& finding : without_consequences(std::move(findings))) {
        Finding told = compose(finding, kernel.name());
        const auto same = std::find_if(findings_.begin(), findings_.end(), [&told](const Finding& other) {
            if (other.kernel != told.kernel || other.variable != told.variable) return false;
            if (is_race(other.kind) && is_race(told.kind)) return true;
            return other.kind == told.kind && other.file == told.file && other.line == told.line;
        });
        if (same == findings_.end())
            findings_.push_back(std::move(told));
        else
            same->times += told.times;
    }
}

}  // namespace gpu::detail::host
