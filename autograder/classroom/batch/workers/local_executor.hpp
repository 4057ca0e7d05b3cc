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

/// How a worker is started.
struct WorkerCommand {
    std::vector<std::string> arguments;    ///< the program's path first
    std::vector<std::string> environment;  ///< "TMPDIR=...", besides this program's own variables, or in their place
    int messages = -1;                     ///< a descriptor for what it says on stderr; -1: nowhere
    int lock = -1;                         ///< a descriptor that it holds as number 3; -1: none
};

/// A worker: a program that leads a session of its own, reads jobs from its standard input and answers on its standard
/// output. It dies with this program, and the destructor kills it and all that it has started.
class WorkerProcess {
public:
    /// To be called by the thread that lives as long as the worker should. @throws std::system_error
    explicit WorkerProcess(const WorkerCommand& command);
    ~WorkerProcess();
    WorkerProcess(WorkerProcess&& other) noexcept;
    WorkerProcess& operator=(WorkerProcess&& other) noexcept;

    /// To be polled for input. Never blocks.
    [[nodiscard]] int socket() const noexcept { return socket_.get(); }
    [[nodiscard]] pid_t process() const noexcept { return process_; }

    /// False if the worker is gone.
    bool send(const std::string& line);
    /// Takes whole lines that have come since. False if the worker has closed its end, or floods this one.
    bool receive(std::vector<std::string>& lines);

private:
    OpenFile socket_;
    pid_t process_ = -1;
    std::string received_;
};

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
