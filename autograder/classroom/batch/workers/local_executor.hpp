// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "classroom/batch/results/results_folder.hpp"
#include "support/files.hpp"

namespace course {

/// How to start a worker.
struct WorkerCommand {
    std::vector<std::string> arguments;    ///< the program's path first
    std::vector<std::string> environment;  ///< "TMPDIR=...": added to this program's own variables, or replacing them
    int messages = -1;                     ///< a descriptor for its stderr; -1: discarded
    int lock = -1;                         ///< a descriptor that it holds as number 3; -1: none
};

/// A worker: a program in its own session that reads jobs from its standard input and answers on its standard output.
/// It dies with this program, and the destructor kills it and everything that it has started.
class WorkerProcess {
public:
    /// Call it on a thread that lives as long as the worker should. @throws std::system_error
    explicit WorkerProcess(const WorkerCommand& command);
    ~WorkerProcess();
    WorkerProcess(WorkerProcess&& other) noexcept;
    WorkerProcess& operator=(WorkerProcess&& other) noexcept;

    /// Poll it for input. Never blocks.
    [[nodiscard]] int socket() const noexcept { return socket_.get(); }
    [[nodiscard]] pid_t process() const noexcept { return process_; }

    /// False if the worker is gone.
    bool send(const std::string& line);
    /// Appends the complete lines received since. False if the worker has closed its end, or sends too much.
    bool receive(std::vector<std::string>& lines);

private:
    UniqueFd socket_;
    pid_t process_ = -1;
    std::string received_;
};

struct LocalOptions {
    WorkerCommand worker;
    int workers = 1;
    double job_seconds = 1200;           ///< a job that takes longer is ended: the judge's own limits have failed
    std::vector<std::string> gpus = {};  ///< CUDA_VISIBLE_DEVICES of the workers, round robin; empty: unchanged
    /// What is wrong with this GPU after a worker was killed on it; empty: nothing.
    std::function<std::string(const std::string& gpu)> canary = {};
    std::function<void(const std::string& line)> say = {};  ///< messages that aren't about one job
    std::function<void()> tick = {};                        ///< called a few times a second
    /// The job's outcome if its result exists: its worker had written it before dying.
    std::function<std::optional<JobOutcome>(const GradeJob&)> written = {};
    bool looks_first = false;  ///< others may write results meanwhile: skip a job whose result exists
    /// Writes the result of a job that no worker could grade.
    std::function<void(const GradeJob&, const std::string& fault)> record_fault = {};
};

/// Workers on this machine. One that dies while grading a job, or takes too long, is ended with everything that it has
/// started; a fresh worker tries the job once more, then it is recorded as the grader's fault. A job whose worker
/// itself names a fault is also tried once more.
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
