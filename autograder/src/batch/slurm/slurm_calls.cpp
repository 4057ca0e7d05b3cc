// SPDX-License-Identifier: MIT
#include "batch/slurm/slurm_calls.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "support/process.hpp"

namespace course {

namespace {

constexpr double seconds_for_an_answer = 60;

ProcessResult run_command(std::vector<std::string> arguments) {
    Command command{.arguments = std::move(arguments), .environment = own_environment(), .folder = {}};
    std::erase_if(command.environment, [](const std::string& variable) {
        for (const char* own : {"TMPDIR=", "CUDA_VISIBLE_DEVICES=", "SQUEUE_", "SCANCEL_"})
            if (variable.starts_with(own)) return true;
        return false;
    });
    command.seconds = seconds_for_an_answer;
    command.output_bytes = std::size_t{1} << 26;  // a line for each index
    return run_process(command);
}

/// Empty if the command succeeded.
std::string fault_of(const char* name, const ProcessResult& result) {
    using Ending = ProcessResult::Ending;
    if (result.succeeded()) return {};
    if (result.ending == Ending::not_started)
        return fmt::format("{} can't be started: {}\nCall this where Slurm's commands are: on the cluster's head node.",
                           name, std::strerror(result.code));
    if (result.ending == Ending::timed_out)
        return fmt::format("{} hasn't answered for {:g} s", name, seconds_for_an_answer);
    std::string said = result.output;
    while (!said.empty() && said.back() == '\n') said.pop_back();
    return fmt::format("{} failed: {}", name, said.empty() ? "it doesn't say why" : said);
}

}  // namespace

int most_indexes() {
    const ProcessResult result = run_command({"scontrol", "show", "config"});
    if (const std::string fault = fault_of("scontrol", result); !fault.empty())
        throw BatchStopped("--executor slurm: " + fault);
    const std::optional<int> most = parse_most_indexes(result.output);
    if (!most || *most < 2) throw BatchStopped("--executor slurm: this Slurm allows no job arrays (MaxArraySize)");
    return *most;
}

long submit_array(const std::vector<std::string>& arguments) {
    const ProcessResult result = run_command(arguments);
    if (const std::string fault = fault_of("sbatch", result); !fault.empty())
        throw BatchStopped("--executor slurm: " + fault);
    const std::optional<long> number = parse_submitted(result.output);
    if (!number) throw BatchStopped(fmt::format("--executor slurm: sbatch says \"{}\", and no number", result.output));
    return *number;
}

std::optional<std::vector<QueueEntry>> look_at_queue(const std::string& name, std::string& why) {
    const ProcessResult result = run_command(squeue_arguments(name));
    why = fault_of("squeue", result);
    if (!why.empty()) return {};
    std::optional<std::vector<QueueEntry>> queue = parse_queue(result.output);
    if (!queue) why = "squeue answers what makes no sense: " + result.output.substr(0, 200);
    return queue;
}

std::string cancel_jobs(const std::string& name) {
    return fault_of("scancel", run_command({"scancel", "--name=" + name}));
}

}  // namespace course
