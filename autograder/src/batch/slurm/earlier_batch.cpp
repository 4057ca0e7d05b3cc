// SPDX-License-Identifier: MIT
#include "batch/slurm/earlier_batch.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "batch/slurm/slurm_calls.hpp"

namespace course {

namespace {

using namespace std::chrono_literals;

constexpr auto patience_with_cancelled = 60s;

bool is_same(const GradingSetup& a, const GradingSetup& b) {
    return a.results == b.results && a.device == b.device && a.hidden == b.hidden && a.call_seconds == b.call_seconds &&
           a.job_seconds == b.job_seconds && a.allow_unsandboxed == b.allow_unsandboxed;
}

/// Whether Slurm has jobs of this name that wait or run; none, and why, if it doesn't say.
std::optional<bool> is_at_work(const std::string& name, std::string& why) {
    const auto queue = look_at_queue(name, why);
    if (!queue) return {};
    return std::any_of(queue->begin(), queue->end(), [](const QueueEntry& one) { return one.is_active(); });
}

/// Ends the Slurm jobs of this name, and waits until they are gone.
void cancel_and_wait(const std::string& name, const std::function<void(const std::string&)>& say) {
    if (const std::string fault = cancel_jobs(name); !fault.empty()) return say(fault);
    const auto end = std::chrono::steady_clock::now() + patience_with_cancelled;
    for (std::string why; std::chrono::steady_clock::now() < end; std::this_thread::sleep_for(500ms))
        if (is_at_work(name, why) == false) return;
    say(name + " still runs; what it writes from now on doesn't count");
}

}  // namespace

std::optional<EarlierBatch> find_earlier_batch(const GradingSetup& setup, std::span<const GradeJob> jobs) {
    const std::optional<WorkArea> area = WorkArea::left_over(setup.results);
    const std::optional<SlurmBatch> batch = area ? area->batch() : std::nullopt;
    if (!batch || !is_same(batch->setup, setup)) return {};
    std::map<std::pair<std::string, std::string>, std::size_t> wanted;
    for (std::size_t k = 0; k < jobs.size(); ++k) wanted[{jobs[k].submission, jobs[k].folder}] = k;
    EarlierBatch earlier{*area, std::vector<std::vector<PlacedJob>>(batch->indexes.size())};
    for (std::size_t i = 0; i < batch->indexes.size(); ++i)
        for (std::size_t ordinal = 0; ordinal < batch->indexes[i].size(); ++ordinal) {
            const GradeJob& old = batch->indexes[i][ordinal];
            const auto found = wanted.find({old.submission, old.folder});
            if (found == wanted.end()) {
                if (!written_result(setup.results, old)) return {};
                continue;
            }
            const GradeJob& now = jobs[found->second];
            if (old.key != now.key || old.graded != now.graded) return {};
            earlier.indexes[i].push_back({found->second, ordinal});
            wanted.erase(found);
        }
    if (!wanted.empty()) return {};
    return earlier;
}

bool cancel_unless_wanted(const GradingSetup& setup, std::span<const GradeJob> jobs,
                          const std::function<void(const std::string&)>& say) {
    const std::optional<WorkArea> area = WorkArea::left_over(setup.results);
    if (!area) return false;
    std::string why;
    const std::optional<bool> at_work = is_at_work(area->name(), why);
    if (at_work != false) {
        if (!jobs.empty() && find_earlier_batch(setup, jobs)) return false;
        say(area->name() + ", Slurm jobs of an earlier call, are cancelled: what is to be graded isn't the same");
        cancel_and_wait(area->name(), say);
    }
    area->remove();
    return true;
}

}  // namespace course
