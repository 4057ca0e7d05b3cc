// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "batch/results/executor.hpp"
#include "batch/workers/worker_process.hpp"

namespace course {

struct LocalOptions {
    WorkerCommand worker;
    int workers = 1;
    double job_seconds = 1200;           ///< a job that takes longer is ended: the judge's own limits didn't hold
    std::vector<std::string> gpus = {};  ///< CUDA_VISIBLE_DEVICES of the workers, in turn; empty: as it is
    /// What is wrong with this GPU after a worker was killed on it; empty: nothing.
    std::function<std::string(const std::string& gpu)> canary = {};
    std::function<void(const std::string& line)> say = {};  ///< what isn't about one job
    std::function<void()> tick = {};                        ///< a few times a second
    /// True if the job's result is there: its worker had written it before it died.
    std::function<std::optional<JobOutcome>(const GradeJob&)> written = {};
    bool looks_first = false;  ///< others may write results meanwhile: a job whose result is there isn't done
    /// Writes the result of a job that no worker could grade.
    std::function<void(const GradeJob&, const std::string& fault)> record_fault = {};
};

/// Workers on this machine. One that dies of a job, or takes too long, is ended with all that it has started; the job
/// is given to a fresh worker once more, and then recorded as the grader's fault. After a fault that a worker names
/// itself, the job is tried once more as well.
class LocalExecutor : public Executor {
public:
    explicit LocalExecutor(LocalOptions options);
    ~LocalExecutor() override;

    void run(std::span<const GradeJob> jobs, const Done& done) override;

private:
    using Clock = std::chrono::steady_clock;
    struct Slot {
        std::string gpu;
        std::optional<WorkerProcess> worker;
        bool ready = false;
        std::optional<std::size_t> job;
        Clock::time_point deadline{};
    };
    struct Waiting {
        std::size_t job;
        int attempt;
    };

    void start(Slot& slot);
    void give_job(Slot& slot);
    void take_answers(Slot& slot);
    void take_answer(Slot& slot, const std::string& line);
    void finish(Slot& slot, const JobOutcome& outcome);
    void lose(Slot& slot, const std::string& why);
    void try_again_or_record(std::size_t job, const JobOutcome& outcome);
    void check_gpu(Slot& slot, const std::string& known_fault);
    [[nodiscard]] bool is_usable(const Slot& slot) const;
    void wait();

    LocalOptions options_;
    std::vector<Slot> slots_;
    std::vector<std::string> sick_;
    std::deque<Waiting> waiting_;
    std::vector<GradeJob> jobs_;
    std::size_t left_ = 0;
    int died_at_start_ = 0;
    const Done* done_ = nullptr;
};

}  // namespace course
