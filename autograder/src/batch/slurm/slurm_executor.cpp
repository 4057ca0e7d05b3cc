// SPDX-License-Identifier: MIT
#include "batch/slurm/slurm_executor.hpp"

#include <algorithm>
#include <csignal>
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
constexpr std::string_view usual_reasons[] = {"None", "Resources", "Priority", "JobArrayTaskLimit", "BeginTime"};

std::string count_of(std::size_t count, const char* one, const char* several) {
    return fmt::format("{} {}", count, count == 1 ? one : several);
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

SlurmExecutor::SlurmExecutor(SlurmOptions options) : options_(std::move(options)) {
    options_.setup.workers = options_.settings.cpus;
}

void SlurmExecutor::run(std::span<const GradeJob> jobs, const Done& done) {
    jobs_.assign(jobs.begin(), jobs.end());
    done_ = &done;
    left_ = jobs_.size();
    if (!go_on_with_earlier()) make_batch();
    const AtSignal cancel_array([name = area_->name()] {
        if (ending_signal() == SIGHUP) return;  // a connection is lost: the array works on, to be picked up
        const std::string fault = cancel_jobs(name);
        print_error(fault.empty() ? fmt::format("the Slurm jobs {} are cancelled\n", name)
                                  : fmt::format("{}\nTo cancel what waits and runs: scancel --name={}\n", fault, name));
    });
    try {
        submit();
    } catch (const BatchStopped&) {
        area_->remove();
        throw;
    }
    while (left_ > 0) {
        look();
        const std::size_t reports = area_->done().size();
        const auto next = Clock::now() + std::chrono::seconds(options_.settings.poll_seconds);
        while (left_ > 0 && Clock::now() < next && area_->done().size() == reports) {
            std::this_thread::sleep_for(500ms);
            options_.note(shown_);
        }
    }
    if (has_lost_) cancel_jobs(area_->name());  // what Slurm holds back, or a node that is cut off still does
    area_->remove();
}

bool SlurmExecutor::go_on_with_earlier() {
    const std::optional<EarlierBatch> earlier = find_earlier_batch(options_.setup, jobs_);
    if (!earlier) return false;
    area_ = earlier->area;
    for (const std::vector<PlacedJob>& jobs : earlier->indexes) indexes_.push_back({.jobs = jobs, .array = 0});
    options_.say(area_->name() + ", Slurm jobs of an earlier call, still wait or run; this call goes on with them");
    return true;
}

void SlurmExecutor::make_batch() {
    SlurmBatch batch{.setup = options_.setup, .kit = grader_digest(), .indexes = {}};
    for (const std::vector<std::size_t>& part : jobs_of_indexes(jobs_, options_.settings.chunk, most_indexes())) {
        Index& index = indexes_.emplace_back();
        std::vector<GradeJob>& listed = batch.indexes.emplace_back();
        for (const std::size_t job : part) {
            index.jobs.push_back({job, listed.size()});
            listed.push_back(jobs_[job]);
        }
    }
    area_ = WorkArea::make(options_.setup.results, batch);
    area_->write_script(batch_script({area_->path(), options_.course_class, options_.root}));
}

/// What isn't in the queue: all of a new batch, and what was lost.
void SlurmExecutor::submit() {
    std::vector<int> numbers;
    for (std::size_t k = 0; k < indexes_.size(); ++k)
        if (!indexes_[k].array && !indexes_[k].jobs.empty()) numbers.push_back(static_cast<int>(k));
    if (numbers.empty()) return;
    const long array = submit_array(sbatch_arguments(options_.settings, area_->path(), numbers));
    for (const int number : numbers) indexes_[static_cast<std::size_t>(number)].array = array;
    options_.say(
        fmt::format("Slurm job {}, {}: {}", array, area_->name(), count_of(numbers.size(), "index", "indexes")));
}

void SlurmExecutor::look() {
    std::string why;
    const auto queue = look_at_queue(area_->name(), why);
    for (const int number : area_->done())
        if (static_cast<std::size_t>(number) < indexes_.size()) take_report(number);
    if (!queue) return wait_for_slurm(why);
    for (std::size_t k = 0; k < indexes_.size(); ++k)
        if (indexes_[k].array && !indexes_[k].jobs.empty()) look_at_index(static_cast<int>(k), *queue);
    show(*queue);
    try {
        submit();
        waiting_since_.reset();
    } catch (const BatchStopped& error) {
        wait_for_slurm(error.what());
    }
}

void SlurmExecutor::look_at_index(int number, const std::vector<QueueEntry>& queue) {
    Index& index = indexes_[static_cast<std::size_t>(number)];
    const auto entry = find_entry(queue, number, *index.array);
    if (entry != queue.end() && entry->is_active()) {
        index.gone_since.reset();
        if (!entry->is_waiting()) take_written(index);
        return;
    }
    if (!index.gone_since) index.gone_since = Clock::now();
    if (Clock::now() - *index.gone_since < std::chrono::seconds(options_.settings.settle_seconds)) return;
    take_written(index);
    if (!index.jobs.empty()) lose(number, entry != queue.end() ? *entry : QueueEntry());
}

void SlurmExecutor::take_report(int number) {
    Index& index = indexes_[static_cast<std::size_t>(number)];
    if (index.jobs.empty()) return;
    const std::optional<IndexReport> report = area_->report(number);
    if (!report || index.jobs.back().ordinal >= report->outcomes.size()) return;  // it counts as lost
    places_.devices.insert(report->device);
    places_.sandboxes.insert(report->sandbox);
    for (const auto& [job, ordinal] : std::exchange(index.jobs, {})) finish(job, report->outcomes[ordinal]);
    keep_log(number);
}

void SlurmExecutor::take_written(Index& index) {
    std::vector<PlacedJob> rest;
    for (const PlacedJob& one : index.jobs)
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
    if (const std::string said = last_words(area_->log(number)); last.state == "FAILED" && !said.empty()) why = said;
    if (!last.node.empty()) why = fmt::format("{}: {}", last.node, why);
    const bool is_cancelled = last.state == "CANCELLED";  // by somebody else: for a reason
    if (!is_cancelled && ++index.losses <= options_.settings.resubmit) {
        options_.say(fmt::format("index {} was lost ({}); it is submitted again", number, why));
        index.array.reset();
        index.gone_since.reset();
        return;
    }
    keep_log(number);
    const std::string fault = is_cancelled
                                  ? fmt::format("its Slurm job was cancelled ({})", why)
                                  : fmt::format("Slurm lost it {} ({})",
                                                count_of(static_cast<std::size_t>(index.losses), "time", "times"), why);
    for (const PlacedJob& one : std::exchange(index.jobs, {})) {
        options_.record_fault(jobs_[one.job], fault);
        JobOutcome outcome;
        outcome.fault = fault;
        finish(one.job, outcome);
    }
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

/// For a command that fails: the queue can't be seen, or what was lost can't be submitted.
void SlurmExecutor::wait_for_slurm(const std::string& why) {
    if (!waiting_since_) {
        waiting_since_ = Clock::now();
        options_.say(why + "; this call waits for it");
    }
    if (Clock::now() - *waiting_since_ > patience_with_slurm)
        throw BatchStopped(fmt::format(
            "{}\nIt has been so for 10 minutes. What Slurm has of the batch goes on by itself; to cancel it: "
            "scancel --name={}",
            why, area_->name()));
}

}  // namespace course
