// SPDX-License-Identifier: MIT
#include "kit/probe.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "kit_config.hpp"
#include "support/process.hpp"
#include "support/text.hpp"

namespace course {

namespace {

/// A line of what another program prints, fit to be printed.
std::string shown(std::string_view line) { return plain_text(line, 400, 1); }

/// Parses text or a number; false if the value isn't one.
bool read(std::string_view value, std::string& into) {
    into = shown(value);
    return true;
}

template <class Number>
bool read(std::string_view value, Number& into) {
    const auto number = number_from<Number>(value);
    if (!number) return false;
    into = *number;
    if constexpr (std::is_signed_v<Number>)   // for a rate: neither infinite nor NaN
        return into >= 0 && into <= std::numeric_limits<Number>::max();
    return true;
}

/// Stores a fact; unknown ones, which a later course-probe may add, are ignored.
bool take(ProbeAnswer& answer, std::string_view fact, std::string_view value) {
    if (fact == "error") return read(value, answer.error);
    if (fact == "backend") return read(value, answer.backend);
    if (fact == "device") return read(value, answer.device);
    if (fact == "name") return read(value, answer.name);
    if (fact == "uuid") return read(value, answer.uuid);
    if (fact == "why_no_gpu") return read(value, answer.why_no_gpu);
    if (fact == "devices") return read(value, answer.devices);
    if (fact == "multiprocessors") return read(value, answer.multiprocessors);
    if (fact == "total_memory") return read(value, answer.total_memory);
    if (fact == "compute_capability") return read(value, answer.compute_capability);
    if (fact == "canary") return read(value, answer.canary);
    if (fact == "copy_bytes_per_second") return read(value, answer.copy_bytes_per_second);
    if (fact == "host_bytes_per_second") return read(value, answer.host_bytes_per_second);
    if (fact == "link_bytes_per_second") return read(value, answer.link_bytes_per_second);
    if (fact == "peer_bytes_per_second") return read(value, answer.peer_bytes_per_second);
    if (fact == "cache_folder") return read(value, answer.cache.folder);
    if (fact == "cache_limit") return read(value, answer.cache.limit);
    if (fact == "cache_files") return read(value, answer.cache.files);
    if (fact == "cache_bytes") return read(value, answer.cache.bytes);
    return true;
}

}  // namespace

ProbeAnswer parse_probe(const std::string& output) {
    constexpr std::string_view mark = "probe ";
    ProbeAnswer answer;
    answer.text = output;
    bool any = false;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {  // libgpu and drivers print lines, too
        if (!line.starts_with(mark)) continue;
        any = true;
        const std::string_view rest = std::string_view(line).substr(mark.size());
        const std::size_t space = std::min(rest.find(' '), rest.size());
        const std::string_view value = rest.substr(std::min(space + 1, rest.size()));
        if (!take(answer, rest.substr(0, space), value))
            answer.error = "course-probe's answer can't be read: " + shown(line);
    }
    if (!answer.error.empty()) {  // what came before it is worthless
        ProbeAnswer none;
        none.error = answer.error;
        return none;
    }
    if (!any) {
        answer.error =
            output.empty() ? "course-probe said nothing" : "course-probe said: " + plain_text(output, 400, 10);
    }
    return answer;
}

std::string cache_text(const KernelCacheFacts& cache) {
    if (cache.folder.empty()) return "off";
    const auto mebibytes = [](std::uint64_t bytes) {
        return fmt::format("{:.4g}", static_cast<double>(bytes) / (1 << 20));
    };
    const std::string limit = cache.limit > 0 ? " of " + mebibytes(cache.limit) : "";
    return fmt::format("{}: {}, {:.1f}{} MiB", cache.folder, plural(cache.files, "kernel"),
                       static_cast<double>(cache.bytes) / (1 << 20), limit);
}

ProbeAnswer probe(const Toolchain& toolchain, const std::string& device, const std::string& measure,
                  const std::string& gpus) {
    Command command;
    command.arguments = {(toolchain.program_dir / "course-probe").string()};
    if (!measure.empty()) command.arguments.push_back(measure);
    command.seconds = 120;   // others may be measuring
    std::vector<std::string> variables = toolchain.variables;
    variables.push_back("LIBGPU_DEVICE=" + device);
    if (!gpus.empty()) variables.push_back("CUDA_VISIBLE_DEVICES=" + gpus);
    command.environment = own_environment(variables);
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

std::string kit_version() { return kit::version; }

std::string machine_text() {
    std::ifstream cpus("/proc/cpuinfo");
    std::string model = "CPU";
    for (std::string line; std::getline(cpus, line);) {
        if (!line.starts_with("model name")) continue;
        if (const std::size_t colon = line.find(": "); colon != line.npos) model = line.substr(colon + 2);
        break;
    }
    return fmt::format("{}, {} threads", model, std::thread::hardware_concurrency());
}

}  // namespace course
