// SPDX-License-Identifier: MIT
#include "gpucc/runtime/see/show.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <gpu/error.hpp>

#include "base.hpp"

// Pictures of launches: GPUCC_SHOW=page.html.
namespace gpucc {

namespace {

std::string text_of(const char* variable) {
    const char* const value = std::getenv(variable);
    return value != nullptr ? value : "";
}

std::string chosen() {
    const std::string kernel = text_of("GPUCC_SHOW_KERNEL"), launch = text_of("GPUCC_SHOW_LAUNCH");
    if (launch.empty()) return kernel.empty() ? "" : "kernel " + kernel;
    return (kernel.empty() ? "" : "kernel " + kernel + ", ") + "launch " + launch;
}

// What was launched, for who asked for something else.
std::string launched(const gpu::Trace& trace) {
    std::string text;
    for (const gpu::KernelCounts& kernel : trace.report.kernels)
        text += (text.empty() ? "" : ", ") + kernel.name + " (" +
                gpu::detail::plural(kernel.launches, "launch", "launches") + ")";
    return text.empty() ? "no kernel was launched" : "launched were " + text;
}

}  // namespace

gpu::TraceOptions trace_options() {
    gpu::TraceOptions options;
    options.kernel = text_of("GPUCC_SHOW_KERNEL");
    const std::string launch = text_of("GPUCC_SHOW_LAUNCH");
    if (launch.empty()) return options;
    if (launch.size() > 9 || launch.find_first_not_of("0123456789") != launch.npos || std::stoi(launch) < 1)
        throw gpu::Error("GPUCC_SHOW_LAUNCH is \"" + launch + "\"; it must be the number of a launch, 1 or more");
    options.first_launch = std::stoi(launch);
    options.launches = 1;
    return options;
}

void write_page(const gpu::Trace& trace) {
    const std::string path = text_of("GPUCC_SHOW");
    trace.write_html(path, {.title = program_invocation_short_name, .subtitle = chosen()});
    if (trace.launches.empty() && !chosen().empty())
        std::fprintf(stderr, "gpucc: %s shows no kernel: there was no %s; %s\n", path.c_str(), chosen().c_str(),
                     launched(trace).c_str());
    else
        std::fprintf(stderr, "gpucc: pictures of %s are in %s\n",
                     gpu::detail::plural(trace.launches.size(), "launch", "launches").c_str(), path.c_str());
}

}  // namespace gpucc
