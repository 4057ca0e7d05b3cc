// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "batch/machine_grading.hpp"
#include "batch/slurm/earlier_batch.hpp"
#include "batch/slurm/slurm_settings.hpp"
#include "batch/slurm/slurm_text.hpp"
#include "batch/slurm/work_area.hpp"

namespace course {

struct SlurmOptions {
    SlurmSettings settings;
    GradingSetup setup;                                      ///< `workers` is set by the settings
    std::filesystem::path root;                              ///< the course's folder, on the nodes as well
    std::filesystem::path course_class;                      ///< the program, on the nodes as well
    int messages = -1;                                       ///< a descriptor for what the nodes have printed
    std::function<void(const std::string& line)> say = {};   ///< what isn't about one job
    std::function<void(const std::string& text)> note = {};  ///< how many indexes run and wait
    /// Writes the result of a job that no node could grade.
    std::function<void(const GradeJob&, const std::string& fault)> record_fault = {};
};

/// The nodes of a cluster that see the results' folder: one job array, some submissions an index. An index that ends
/// without its report is submitted again, with those of its jobs that have no result; if it is lost several times
/// without a new result, its jobs are recorded as the grader's fault. An array that an earlier call has left in the
/// queue is gone on with if it has just these jobs. Ctrl-C cancels the array; after a hang-up, or any other end of this
/// program, it goes on.
class SlurmExecutor : public Executor {
public:
    explicit SlurmExecutor(SlurmOptions options);

    void run(std::span<const GradeJob> jobs, const Done& done) override;
    [[nodiscard]] GradedPlaces places() const override { return places_; }

private:
    using Clock = std::chrono::steady_clock;
    struct Index {
        std::vector<PlacedJob> jobs = {};  ///< those that are still to be graded
        std::optional<long> array = {};    ///< where it was submitted last; none: it is to be submitted
        int losses = 0;                    ///< since its last new result
        std::optional<Clock::time_point> gone_since = {};
    };

    bool go_on_with_earlier();
    void make_batch();
    void submit();
    void look();
    void look_at_index(int number, const std::vector<QueueEntry>& queue);
    void take_report(int number);
    void take_written(Index& index);
    void finish(std::size_t job, const JobOutcome& outcome);
    void lose(int number, const QueueEntry& last);
    void show(const std::vector<QueueEntry>& queue);
    void keep_log(int number) const;
    void wait_for_slurm(const std::string& why);

    SlurmOptions options_;
    std::optional<WorkArea> area_;
    std::vector<Index> indexes_;
    std::vector<GradeJob> jobs_;
    std::size_t left_ = 0;
    const Done* done_ = nullptr;
    std::optional<Clock::time_point> waiting_since_;
    std::string shown_, said_reason_;
    bool has_lost_ = false;
    GradedPlaces places_;
};

}  // namespace course
