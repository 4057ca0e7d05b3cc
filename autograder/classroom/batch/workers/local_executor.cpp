// SPDX-License-Identifier: MIT
#include "classroom/batch/workers/local_executor.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

#include <fmt/format.h>

#include "classroom/batch/workers/worker.hpp"
#include "run/process.hpp"
#include "support/process.hpp"

namespace course {

namespace {

constexpr int max_deaths_at_start = 3;
constexpr std::chrono::milliseconds max_nap{200};
constexpr double seconds_to_start = 120;  // creating a GPU's first context can take long

}  // namespace

LocalExecutor::LocalExecutor(LocalOptions options) : options_(std::move(options)) {
    if (options_.gpus.empty()) options_.gpus.emplace_back();
    for (int k = 0; k < std::max(1, options_.workers); ++k) {
        slots_.emplace_back();
        slots_.back().gpu = options_.gpus[static_cast<std::size_t>(k) % options_.gpus.size()];
    }
}

LocalExecutor::~LocalExecutor() = default;

bool LocalExecutor::is_usable(const Slot& slot) const {
    return std::find(sick_.begin(), sick_.end(), slot.gpu) == sick_.end();
}

void LocalExecutor::run(std::span<const GradeJob> jobs, const Done& done) {
    jobs_.assign(jobs.begin(), jobs.end());
    done_ = &done;
    left_ = jobs_.size();
    for (std::size_t k = 0; k < jobs_.size(); ++k) waiting_.push_back({k, 1});
    while (left_ > 0) {
        for (Slot& slot : slots_) {
            if (waiting_.empty()) break;
            if (!is_usable(slot)) continue;
            if (!slot.worker) start(slot);
            while (slot.ready && !slot.job && !waiting_.empty()) give_job(slot);
        }
        if (std::none_of(slots_.begin(), slots_.end(), [&](const Slot& slot) { return is_usable(slot); }))
            throw BatchStopped("no GPU is left that works; the answers that are graded so far are kept");
        wait();
    }
    slots_.clear();
}

void LocalExecutor::start(Slot& slot) {
    WorkerCommand command = options_.worker;
    if (!slot.gpu.empty()) command.environment.push_back("CUDA_VISIBLE_DEVICES=" + slot.gpu);
    slot.worker.emplace(command);
    slot.ready = false;
    slot.deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_to_start));
}

void LocalExecutor::give_job(Slot& slot) {
    const Waiting next = waiting_.front();
    waiting_.pop_front();
    if (options_.looks_first)
        if (const std::optional<JobOutcome> outcome = options_.written(jobs_[next.job])) {
            --left_;
            (*done_)(next.job, *outcome);
            return;
        }
    jobs_[next.job].attempt = next.attempt;
    slot.job = next.job;
    slot.deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.job_seconds));
    if (!slot.worker->send(job_line(jobs_[next.job]))) lose(slot, "the grader's worker is gone");
}

void LocalExecutor::wait() {
    std::vector<pollfd> watched;
    std::vector<Slot*> owners;
    Clock::time_point next = Clock::now() + max_nap;
    for (Slot& slot : slots_) {
        if (!slot.worker) continue;
        watched.push_back({slot.worker->socket(), POLLIN, 0});
        owners.push_back(&slot);
        if (slot.job || !slot.ready) next = std::min(next, slot.deadline);
    }
    const auto nap = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now()).count();
    ::poll(watched.data(), watched.size(), static_cast<int>(std::max<std::int64_t>(0, nap)));
    for (std::size_t k = 0; k < owners.size(); ++k)
        if (watched[k].revents != 0 && owners[k]->worker) take_answers(*owners[k]);
    for (Slot& slot : slots_) {
        if (!slot.worker || Clock::now() < slot.deadline) continue;
        if (slot.job)
            lose(slot, fmt::format("it took longer than {:g} s", options_.job_seconds));
        else if (!slot.ready)
            lose(slot, "it didn't start");
    }
    if (options_.tick) options_.tick();
}

void LocalExecutor::take_answers(Slot& slot) {
    std::vector<std::string> lines;
    const bool is_there = slot.worker->receive(lines);
    for (const std::string& line : lines)
        if (slot.worker) take_answer(slot, line);
    if (!is_there && slot.worker) lose(slot, "the grader's worker died");
}

void LocalExecutor::take_answer(Slot& slot, const std::string& line) {
    const std::optional<WorkerAnswer> answer = parse_answer(line);
    if (answer && !answer->stop.empty()) throw BatchStopped(answer->stop);
    if (answer && answer->ready) {
        slot.ready = true;
        died_at_start_ = 0;
    } else if (answer && answer->outcome && slot.job) {
        finish(slot, *answer->outcome);
    } else {
        lose(slot, "the grader's worker answered what makes no sense");
    }
}

void LocalExecutor::finish(Slot& slot, const JobOutcome& outcome) {
    const std::size_t job = *slot.job;
    slot.job.reset();
    if (!outcome.sick_gpu.empty()) {
        slot.worker.reset();
        slot.ready = false;
        check_gpu(slot, outcome.sick_gpu);
        waiting_.push_front({job, 1});  // a faulty GPU's verdict is worthless
        return;
    }
    if (!outcome.fault.empty() && jobs_[job].attempt == 1) {  // a fresh worker tries again
        slot.worker.reset();
        slot.ready = false;
    }
    try_again_or_record(job, outcome);
}

// The worker itself writes a result that names the fault; the second attempt writes it again, or replaces it.
void LocalExecutor::try_again_or_record(std::size_t job, const JobOutcome& outcome) {
    if (!outcome.fault.empty() && jobs_[job].attempt == 1) {
        waiting_.push_front({job, 2});
        return;
    }
    --left_;
    (*done_)(job, outcome);
}

void LocalExecutor::lose(Slot& slot, const std::string& why) {
    slot.worker.reset();  // with everything that it started
    const std::optional<std::size_t> job = std::exchange(slot.job, std::nullopt);
    const bool had_started = std::exchange(slot.ready, false);
    if (!had_started && ++died_at_start_ >= max_deaths_at_start)
        throw BatchStopped("the grader's workers can't be started: " + why);
    if (!slot.gpu.empty() && had_started) check_gpu(slot, "");
    if (!job) return;
    const GradeJob& lost = jobs_[*job];
    if (options_.written)
        if (const std::optional<JobOutcome> outcome = options_.written(lost)) {
            --left_;
            (*done_)(*job, *outcome);
            return;
        }
    JobOutcome outcome;
    outcome.fault = why;
    if (lost.attempt > 1 && options_.record_fault) options_.record_fault(lost, why);
    try_again_or_record(*job, outcome);
}

void LocalExecutor::check_gpu(Slot& slot, const std::string& known_fault) {
    const std::string fault = !known_fault.empty() || !options_.canary ? known_fault : options_.canary(slot.gpu);
    if (fault.empty() || !is_usable(slot)) return;
    sick_.push_back(slot.gpu);
    if (options_.say)
        options_.say(fmt::format("GPU {} is taken out of the batch: {}", slot.gpu.empty() ? "0" : slot.gpu, fault));
    for (Slot& other : slots_) {  // its other workers use that GPU, too
        if (other.gpu != slot.gpu || !other.worker) continue;
        other.worker.reset();
        other.ready = false;
        if (const std::optional<std::size_t> job = std::exchange(other.job, std::nullopt))
            waiting_.push_front({*job, jobs_[*job].attempt});
    }
}

namespace {

constexpr std::size_t max_answer_bytes = std::size_t{1} << 20;
constexpr double seconds_to_kill = 10;

}  // namespace

WorkerProcess::WorkerProcess(const WorkerCommand& command) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // a worker's orphans become this program's children
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) throw_errno("socketpair");
    socket_ = UniqueFd(pair[0]);
    const UniqueFd its_end(pair[1]);
    std::vector<int> descriptors = {its_end.get(), its_end.get(), command.messages};
    if (command.lock >= 0) descriptors.push_back(command.lock);
    process_ = start_process({.arguments = command.arguments,
                              .environment = own_environment(command.environment),
                              .descriptors = descriptors});
}

WorkerProcess::~WorkerProcess() {
    if (process_ <= 0) return;
    socket_ = UniqueFd();
    ::kill(process_, SIGKILL);
    siginfo_t ended{};
    while (::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
    forget_process(process_);  // before the number can be reused
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {}
    kill_processes({.adopted = true}, seconds_to_kill);  // its children are ours now
}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : socket_(std::move(other.socket_)),
      process_(std::exchange(other.process_, -1)),
      received_(std::move(other.received_)) {}

WorkerProcess& WorkerProcess::operator=(WorkerProcess&& other) noexcept {
    std::swap(socket_, other.socket_);
    std::swap(process_, other.process_);
    std::swap(received_, other.received_);
    return *this;
}

bool WorkerProcess::send(const std::string& line) {
    std::size_t sent = 0;  // a job is shorter than a socket's buffer, and only one at a time is in flight
    while (sent < line.size()) {
        const ssize_t size = ::send(socket_.get(), line.data() + sent, line.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return false;
        sent += static_cast<std::size_t>(size);
    }
    return true;
}

bool WorkerProcess::receive(std::vector<std::string>& lines) {
    bool is_there = true;
    for (;;) {
        char buffer[4096];
        const ssize_t size = ::recv(socket_.get(), buffer, sizeof buffer, MSG_DONTWAIT);
        if (size < 0 && errno == EINTR) continue;
        if (size > 0) received_.append(buffer, static_cast<std::size_t>(size));
        if (size > 0 && received_.size() <= max_answer_bytes) continue;
        is_there = size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
        break;
    }
    for (std::size_t end; (end = received_.find('\n')) != received_.npos; received_.erase(0, end + 1))
        lines.push_back(received_.substr(0, end));
    return is_there;
}

}  // namespace course
