// SPDX-License-Identifier: MIT
#include "batch/slurm/slurm_executor.hpp"

#include <algorithm>
#include <csignal>
#include <map>
#include <thread>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "batch/grade_key.hpp"
#include "batch/slurm/slurm_calls.hpp"
#include "report/output.hpp"
#include "support/cleanup.hpp"

namespace course {

namespace {

using namespace std::chrono_literals;

constexpr auto patience_with_slurm = 10min;
constexpr auto patience_with_cancelled = 60s;
constexpr std::string_view usual_reasons[] = {"None", "Resources", "Priority", "JobArrayTaskLimit", "BeginTime"};

bool is_same(const GradingSetup& a, const GradingSetup& b) {
    return a.results == b.results && a.device == b.device && a.hidden == b.hidden && a.call_seconds == b.call_seconds &&
           a.job_seconds == b.job_seconds && a.allow_unsandboxed == b.allow_unsandboxed;
}

/// Where the jobs are in an earlier batch: by index, the job's number and its place there. None if it hasn't all of
/// them as they are now, or would grade others.
std::optional<std::vector<std::vector<std::pair<std::size_t, std::size_t>>>> find_jobs(const SlurmBatch& batch,
                                                                                       const GradingSetup& setup,
                                                                                       std::span<const GradeJob> jobs) {
    if (!is_same(batch.setup, setup)) return {};
    std::map<std::pair<std::string, std::string>, std::size_t> wanted;
    for (std::size_t k = 0; k < jobs.size(); ++k) wanted[{jobs[k].submission, jobs[k].folder}] = k;
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> places(batch.indexes.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        for (std::size_t k = 0; k < batch.indexes[i].size(); ++k) {
            const GradeJob& old = batch.indexes[i][k];
            const auto found = wanted.find({old.submission, old.folder});
            if (found == wanted.end()) {
                if (!written_result(setup.results, old)) return {};
                continue;
            }
            const GradeJob& now = jobs[found->second];
            if (old.key != now.key || old.graded != now.graded) return {};
            places[i].emplace_back(found->second, k);
            wanted.erase(found);
        }
    if (!wanted.empty()) return {};
    return places;
}

std::string count_of(std::size_t count, const char* one, const char* several) {
    return fmt::format("{} {}", count, count == 1 ? one : several);
}

std::string last_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

std::size_t count_active(const std::vector<QueueEntry>& queue) {
    return static_cast<std::size_t>(
        std::count_if(queue.begin(), queue.end(), [](const QueueEntry& one) { return one.is_active(); }));
}

/// Ends the Slurm jobs of a work area, and waits until they are gone.
void cancel_batch(const WorkArea& area, const std::function<void(const std::string&)>& say) {
    if (const std::string fault = cancel_jobs(area.name()); !fault.empty()) return say(fault);
    const auto end = std::chrono::steady_clock::now() + patience_with_cancelled;
    for (std::string why; std::chrono::steady_clock::now() < end; std::this_thread::sleep_for(500ms)) {
        const auto queue = look_at_queue(area.name(), why);
        if (queue && count_active(*queue) == 0) return;
    }
    say(area.name() + " still runs; what it writes from now on doesn't count");
}

/// Of the index itself; else of those that were cancelled before they had begun.
std::vector<QueueEntry>::const_iterator find_entry(const std::vector<QueueEntry>& queue, int index, long array) {
    for (const int wanted : {index, QueueEntry::never_begun}) {
        const auto found = std::find_if(queue.begin(), queue.end(), [&](const QueueEntry& one) {
            return one.index == wanted && one.array >= array;
        });
        if (found != queue.end()) return found;
    }
    return queue.end();
}

}  // namespace

bool cancel_unless_wanted(const GradingSetup& setup, std::span<const GradeJob> jobs,
                          const std::function<void(const std::string&)>& say) {
    const std::optional<WorkArea> earlier = WorkArea::left_over(setup.results);
    if (!earlier) return false;
    const std::optional<SlurmBatch> batch = earlier->batch();
    if (batch && !jobs.empty() && find_jobs(*batch, setup, jobs)) return false;
    std::string why;
    if (const auto queue = look_at_queue(earlier->name(), why); !queue || count_active(*queue) > 0) {
        say(earlier->name() + ", Slurm jobs of an earlier call, are cancelled: what is to be graded isn't the same");
        cancel_batch(*earlier, say);
    }
    earlier->remove();
    return true;
}

SlurmExecutor::SlurmExecutor(SlurmOptions options) : options_(std::move(options)) {
    options_.setup.workers = options_.settings.cpus;
}

void SlurmExecutor::run(std::span<const GradeJob> jobs, const Done& done) {
    jobs_.assign(jobs.begin(), jobs.end());
    done_ = &done;
    left_ = jobs_.size();
    start();
    if (left_ == 0) return;
    const AtSignal cancel_array([name = area_->name()] {
        if (ending_signal() == SIGHUP) return;  // a connection is lost: the array works on, to be picked up
        const std::string fault = cancel_jobs(name);
        print_error(fault.empty() ? fmt::format("the Slurm jobs {} are cancelled\n", name)
                                  : fmt::format("{}\nTo cancel what waits and runs: scancel --name={}\n", fault, name));
    });
    while (left_ > 0) {
        look();
        const std::size_t reports = area_->done().size();
        const auto next = Clock::now() + std::chrono::seconds(options_.settings.poll_seconds);
        while (left_ > 0 && Clock::now() < next) {
            std::this_thread::sleep_for(500ms);
            options_.note(shown_);
            if (area_->done().size() != reports) break;
        }
    }
    if (has_lost_) cancel_jobs(area_->name());  // what Slurm holds back, or a node that is cut off still does
    area_->remove();
}

/// Goes on with what an earlier call has left, or submits all jobs.
void SlurmExecutor::start() {
    const int most = most_indexes();
    if (const std::optional<WorkArea> earlier = WorkArea::left_over(options_.setup.results)) {
        std::string why;
        const auto queue = look_at_queue(earlier->name(), why);
        if (!queue) throw BatchStopped("--executor slurm: " + why);
        const std::size_t active = count_active(*queue);
        const std::optional<SlurmBatch> batch = active > 0 ? earlier->batch() : std::nullopt;
        if (const auto places = batch ? find_jobs(*batch, options_.setup, jobs_) : std::nullopt) {
            for (const auto& jobs : *places) {
                Index& index = indexes_.emplace_back();
                for (const auto& [job, ordinal] : jobs) index.jobs.push_back({job, ordinal});
            }
            area_ = *earlier;
            options_.say(fmt::format("{} of an earlier call: {} still wait or run; this call goes on with them",
                                     earlier->name(), count_of(active, "index", "indexes")));
            return;
        }
        earlier->remove();
    }
    std::vector<std::size_t> rest;
    for (std::size_t k = 0; k < jobs_.size(); ++k)
        if (const auto outcome = written_result(options_.setup.results, jobs_[k])) {  // since they were planned
            --left_;
            (*done_)(k, *outcome);
        } else {
            rest.push_back(k);
        }
    if (rest.empty()) return;
    std::vector<GradeJob> todo;
    for (const std::size_t k : rest) todo.push_back(jobs_[k]);
    SlurmBatch batch{.setup = options_.setup, .kit = grader_digest(), .indexes = {}};
    std::vector<int> all;
    for (const std::vector<std::size_t>& part : jobs_of_indexes(todo, options_.settings.chunk, most)) {
        Index& index = indexes_.emplace_back();
        std::vector<GradeJob>& listed = batch.indexes.emplace_back();
        for (std::size_t k = 0; k < part.size(); ++k) {
            index.jobs.push_back({rest[part[k]], k});
            listed.push_back(todo[part[k]]);
        }
        all.push_back(static_cast<int>(all.size()));
    }
    area_ = WorkArea::make(options_.setup.results, batch);
    area_->write_script(batch_script({area_->path(), options_.course_class, options_.root}));
    try {
        submit(all);
    } catch (const BatchStopped&) {
        area_->remove();
        throw;
    }
    options_.say(fmt::format("Slurm job {}, {}: {}", indexes_[0].array, area_->name(),
                             count_of(all.size(), "index", "indexes")));
}

void SlurmExecutor::submit(const std::vector<int>& indexes) {
    const long array = submit_array(sbatch_arguments(options_.settings, area_->path(), indexes));
    for (const int one : indexes) {
        Index& index = indexes_[static_cast<std::size_t>(one)];
        index.array = array;
        index.gone_since.reset();
    }
}

void SlurmExecutor::look() {
    std::string why;
    const auto queue = look_at_queue(area_->name(), why);
    if (queue)
        silent_since_.reset();
    else
        wait_for_slurm(why);
    const std::set<int> done = area_->done();
    for (std::size_t k = 0; k < indexes_.size(); ++k) {
        Index& index = indexes_[k];
        const int number = static_cast<int>(k);
        if (index.jobs.empty()) continue;
        if (done.contains(number)) take_report(number);
        if (index.jobs.empty() || !queue || index.is_to_submit) continue;
        const auto entry = find_entry(*queue, number, index.array);
        if (entry != queue->end() && entry->is_active()) {
            index.gone_since.reset();
            if (!entry->is_waiting()) take_written(index);
            continue;
        }
        if (!index.gone_since) index.gone_since = Clock::now();
        if (Clock::now() - *index.gone_since < std::chrono::seconds(options_.settings.settle_seconds)) continue;
        take_written(index);
        if (!index.jobs.empty()) lose(number, entry != queue->end() ? *entry : QueueEntry());
    }
    submit_again();
    if (queue) show(*queue);
}

void SlurmExecutor::take_report(int number) {
    Index& index = indexes_[static_cast<std::size_t>(number)];
    const std::optional<IndexReport> report = area_->report(number);
    if (!report) return;
    places_.devices.insert(report->device);
    places_.sandboxes.insert(report->sandbox);
    for (const auto& [job, ordinal] : std::exchange(index.jobs, {}))
        if (ordinal < report->outcomes.size()) finish(job, report->outcomes[ordinal]);
    keep_log(number);
}

void SlurmExecutor::take_written(Index& index) {
    std::vector<Index::Job> rest;
    for (const Index::Job& one : index.jobs)
        if (const auto outcome = written_result(options_.setup.results, jobs_[one.job])) {
            index.losses = 0;
            finish(one.job, *outcome);
        } else {
            rest.push_back(one);
        }
    index.jobs = std::move(rest);
}

void SlurmExecutor::finish(std::size_t job, const JobOutcome& outcome) {
    --left_;
    (*done_)(job, outcome);
}

/// An index has ended without a report.
void SlurmExecutor::lose(int number, const QueueEntry& last) {
    Index& index = indexes_[static_cast<std::size_t>(number)];
    has_lost_ = true;
    std::string why = last.state.empty() ? "Slurm doesn't list it any more" : last.state;
    if (last.state == "COMPLETING" && last.reason != "None") why = last.reason;
    if (const std::string said = last_line(area_->log(number)); last.state == "FAILED" && !said.empty()) why = said;
    if (!last.node.empty()) why = fmt::format("{}: {}", last.node, why);
    const bool is_cancelled = last.state == "CANCELLED";  // by somebody else: for a reason
    if (!is_cancelled && ++index.losses <= options_.settings.resubmit) {
        options_.say(fmt::format("index {} was lost ({}); it is submitted again", number, why));
        index.is_to_submit = true;
        return;
    }
    keep_log(number);
    const std::string fault = is_cancelled
                                  ? fmt::format("its Slurm job was cancelled ({})", why)
                                  : fmt::format("Slurm lost it {} ({})",
                                                count_of(static_cast<std::size_t>(index.losses), "time", "times"), why);
    for (const Index::Job& one : std::exchange(index.jobs, {})) {
        options_.record_fault(jobs_[one.job], fault);
        JobOutcome outcome;
        outcome.fault = fault;
        finish(one.job, outcome);
    }
}

void SlurmExecutor::submit_again() {
    std::vector<int> again;
    for (std::size_t k = 0; k < indexes_.size(); ++k)
        if (indexes_[k].is_to_submit) again.push_back(static_cast<int>(k));
    if (again.empty()) return;
    try {
        submit(again);
    } catch (const BatchStopped& error) {
        wait_for_slurm(error.what());
        return;
    }
    for (const int one : again) indexes_[static_cast<std::size_t>(one)].is_to_submit = false;
}

/// On a terminal always; elsewhere if nothing runs for a reason that isn't usual.
void SlurmExecutor::show(const std::vector<QueueEntry>& queue) {
    std::size_t running = 0, waiting = 0;
    std::string reason;
    for (const QueueEntry& one : queue) {
        if (!one.is_active()) continue;
        ++(one.is_waiting() ? waiting : running);
        if (one.is_waiting()) reason = one.reason;
    }
    shown_ = fmt::format("{} running, {} waiting{}", running, waiting,
                         reason.empty() || reason == "None" ? "" : fmt::format(" ({})", reason));
    const bool is_usual =
        std::find(std::begin(usual_reasons), std::end(usual_reasons), reason) != std::end(usual_reasons);
    if (running > 0 || waiting == 0 || is_usual || reason == said_reason_) return;
    said_reason_ = reason;
    options_.say(fmt::format("{} wait, none runs: {}", count_of(waiting, "index", "indexes"), reason));
}

void SlurmExecutor::keep_log(int number) const {
    const std::string log = area_->log(number);
    if (log.empty() || options_.messages < 0) return;
    const std::string text = fmt::format("index {}:\n{}{}", number, log, log.back() == '\n' ? "" : "\n");
    [[maybe_unused]] const ssize_t written = ::write(options_.messages, text.data(), text.size());
}

void SlurmExecutor::wait_for_slurm(const std::string& why) {
    if (!silent_since_) {
        silent_since_ = Clock::now();
        options_.say(why + "; this call waits for it");
    }
    if (Clock::now() - *silent_since_ > patience_with_slurm)
        throw BatchStopped(
            fmt::format("{}\nSlurm hasn't answered for 10 minutes. Its jobs go on by themselves; to "
                        "cancel them: scancel --name={}",
                        why, area_->name()));
}

}  // namespace course
