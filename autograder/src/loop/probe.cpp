// SPDX-License-Identifier: MIT
#include "loop/probe.hpp"

#include <cstring>
#include <sstream>

#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/process.hpp"

namespace course {

namespace {

/// This program's own environment, with one variable set.
std::vector<std::string> environment_with(const std::string& name, const std::string& value) {
    std::vector<std::string> variables;
    for (char** entry = ::environ; *entry; ++entry)
        if (std::string_view(*entry).substr(0, name.size() + 1) != name + "=") variables.emplace_back(*entry);
    if (!value.empty()) variables.push_back(name + "=" + value);
    return variables;
}

}  // namespace

ProbeAnswer parse_probe(const std::string& output) {
    ProbeAnswer answer;
    std::istringstream lines(output);
    nlohmann::json object;
    for (std::string line; !object.is_object() && std::getline(lines, line);)  // libgpu and drivers say things as well
        if (line.starts_with('{')) object = nlohmann::json::parse(line, nullptr, false);
    if (!object.is_object()) {
        answer.error = output.empty() ? "course-probe said nothing" : "course-probe said: " + output.substr(0, 400);
        return answer;
    }
    try {
        answer.error = object.value("error", "");
        answer.backend = object.value("backend", "");
        answer.device = object.value("device", "");
        answer.name = object.value("name", "");
        answer.why_no_gpu = object.value("why_no_gpu", "");
        answer.multiprocessors = object.value("multiprocessors", 0);
        answer.total_memory = object.value("total_memory", std::uint64_t{0});
        answer.compute_capability = object.value("compute_capability", 0);
        answer.canary = object.value("canary", "");
        answer.copy_bytes_per_second = object.value("copy_bytes_per_second", 0.0);
        const nlohmann::json cache = object.value("cache", nlohmann::json::object());
        answer.cache.folder = cache.value("folder", "");
        answer.cache.limit = cache.value("limit", std::uint64_t{0});
        answer.cache.files = cache.value("files", std::uint64_t{0});
        answer.cache.bytes = cache.value("bytes", std::uint64_t{0});
    } catch (const nlohmann::json::exception& error) {
        answer.error = std::string("course-probe's answer can't be read: ") + error.what();
    }
    return answer;
}

std::string cache_text(const KernelCacheFacts& cache) {
    if (cache.folder.empty()) return "off";
    const auto mebibytes = [](std::uint64_t bytes) {
        return fmt::format("{:.4g}", static_cast<double>(bytes) / (1 << 20));
    };
    const std::string limit = cache.limit > 0 ? " of " + mebibytes(cache.limit) : "";
    return fmt::format("{}: {} kernel{}, {:.1f}{} MiB", cache.folder, cache.files, cache.files == 1 ? "" : "s",
                       static_cast<double>(cache.bytes) / (1 << 20), limit);
}

ProbeAnswer probe(const Toolchain& toolchain, const std::string& device, const std::string& measure) {
    Command command;
    command.arguments = {(toolchain.program_dir / "course-probe").string()};
    if (!measure.empty()) command.arguments.push_back(measure);
    command.environment = environment_with("LIBGPU_DEVICE", device);
    const ProcessResult result = run_process(command);
    using Ending = ProcessResult::Ending;
    if (result.ending == Ending::exited) return parse_probe(result.output);
    ProbeAnswer answer;
    if (result.ending == Ending::not_started)
        answer.error = fmt::format("{} can't be started: {}", command.arguments[0], std::strerror(result.code));
    else if (result.ending == Ending::timed_out)
        answer.error = "course-probe did not finish: the device or its driver hangs";
    else
        answer.error = fmt::format("course-probe crashed ({})", ::strsignal(result.code));
    return answer;
}

}  // namespace course
