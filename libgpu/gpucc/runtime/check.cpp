// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <gpu/check.hpp>
#include <gpu/trace.hpp>

#include "gpucc/runtime/access_guard.hpp"
#include "gpucc/runtime/see/ledger.hpp"
#include "gpucc/runtime/see/own_lines.hpp"
#include "gpucc/runtime/program.hpp"
#include "gpucc/runtime/see/show.hpp"
#include "gpucc/runtime/words.hpp"
#include "gpucc/seam/seam.hpp"

// Check mode for the whole program, with pictures if they are asked for: GPUCC_CHECK=1, GPUCC_SHOW=page.html.
namespace gpucc {

namespace {

std::unique_ptr<gpu::detail::CheckScope> open_check;
std::unique_ptr<gpu::detail::TraceScope> open_trace;
pid_t checked_process = 0;
int findings_code = 0;  // the exit code that findings ask for; 0: the program's own stays

/// A number that a variable of the environment says; `standard` if it isn't set. The program doesn't begin with a wrong
/// one.
double number_of(const char* name, double standard, double least, double greatest, bool is_whole, const char* rule) {
    const char* const text = std::getenv(name);
    if (text == nullptr || *text == '\0') return standard;
    char* end = nullptr;
    const double value = std::strtod(text, &end);
    if (end != text && *end == '\0' && value >= least && value <= greatest && (!is_whole || value == std::floor(value)))
        return value;
    std::fprintf(stderr, "gpucc: %s is \"%s\": it takes %s\n", name, text, rule);
    std::_Exit(1);
}

void write_to(const char* path, const std::string& text) {
    std::FILE* const file = std::string_view(path) == "-" ? stdout : std::fopen(path, "w");
    if (file == nullptr) {
        std::fprintf(stderr, "gpucc: could not write %s\n", path);
        return;
    }
    std::fwrite(text.data(), 1, text.size(), file);
    if (file != stdout) std::fclose(file);
}

// The program's own mistakes are said when they happen, before it can crash by them.
void write_findings(const gpu::CheckReport& report, std::size_t told) {
    const std::size_t count = told + report.findings.size();
    if (count == 0) {
        std::fputs("gpucc: check mode found no mistakes\n", stderr);
        return;
    }
    const std::string above = told == 0       ? ""
                              : told == count ? ", reported above"
                                              : ", " + std::to_string(told) + " of them reported above";
    std::fprintf(stderr, "gpucc: check mode found %zu mistake%s%s\n%s", count, count == 1 ? "" : "s", above.c_str(),
                 report.to_text().c_str());
}

// What people and pictures look at is the file, not the text that was made of it for the device.
template <class Record>
void show_own_lines(Record& record) {
    const OwnLines lines(record.source, record.file, record.first_line);
    record.source = lines.text;
    record.first_line = lines.first;
}

// Ends check mode; the trace has no launches if no pictures were asked for.
gpu::Trace finish_runs() {
    gpu::Trace trace;
    if (const auto tracing = std::exchange(open_trace, nullptr)) trace = tracing->finish();
    if (const auto checking = std::exchange(open_check, nullptr)) trace.report = checking->finish();
    for (gpu::Finding& finding : trace.report.findings) {
        finding.what = in_cuda(finding.what);
        finding.advice = in_cuda(finding.advice);
    }
    for (gpu::KernelCounts& kernel : trace.report.kernels) show_own_lines(kernel);
    for (gpu::TracedLaunch& launch : trace.launches) {
        show_own_lines(launch);
        for (gpu::TracedFinding& finding : launch.findings) finding.text = in_cuda(finding.text);
    }
    return trace;
}

// Returns the exit code that the findings ask for; 0: the program's own stays.
int finish_check(int exit_code) {
    const bool is_traced = open_trace != nullptr;
    const gpu::Trace trace = finish_runs();
    const gpu::CheckReport& report = trace.report;
    std::fflush(stdout);
    Program::get().tell_unreported();
    const std::vector<FoundMisuse> misuses = Program::get().misuses();
    if (const char* const path = std::getenv("GPUCC_JSON"); is_set("GPUCC_JSON"))
        write_to(path, json_of(report, misuses, exit_code));
    else
        write_findings(report, misuses.size());
    if (is_set("GPUCC_COUNTS")) std::fputs(report.table().c_str(), stderr);
    if (is_traced) write_page(trace);
    return report.clean() && misuses.empty() ? 0 : findings_code;
}

void finish(int exit_code, void* /*unused*/) {
    if (::getpid() != checked_process) return;  // a fork's child
    int code = 0;
    finish_ledger();
    if (open_check != nullptr || open_trace != nullptr) {
        try {
            code = finish_check(exit_code);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "gpucc: %s\n", error.what());
        }
    }
    finish_program();
    if (code == 0) return;
    std::fflush(nullptr);
    ::_exit(code);
}

// After so many seconds a kernel says how far it is; 0: never.
double progress_after() {
    const char* const value = std::getenv("GPUCC_PROGRESS");
    return value != nullptr && *value != '\0' ? std::atof(value) : 5;
}

}  // namespace

void begin_program() {
    findings_code = static_cast<int>(number_of("GPUCC_CHECK_EXIT_CODE", 0, 1, 255, true, "a number from 1 to 255"));
    const double limit = number_of("GPUCC_TIMEOUT", -1, 0, 1e9, false, "a number of seconds, or 0 for no limit");
    if (limit >= 0) ::setenv("LIBGPU_HOST_TIMEOUT", std::to_string(limit).c_str(), 1);
    (void)Program::get();  // chooses the host backend
    checked_process = ::getpid();
    if (is_set("GPUCC_FAIL_CALL")) fail_call(std::atoi(std::getenv("GPUCC_FAIL_CALL")));
    begin_ledger();
    if (const double seconds = progress_after(); seconds > 0)
        gpu::detail::program::show_progress(std::chrono::duration<double>(seconds));
    if (is_set("GPUCC_SHOW") || is_set("GPUCC_CHECK") || is_set("GPUCC_COUNTS") || is_set("GPUCC_JSON")) {
        gpu::CheckOptions options;
        if (limit >= 0) options.seconds_per_block = limit > 0 ? limit : 1e9;
        try {
            if (is_set("GPUCC_SHOW"))
                open_trace = std::make_unique<gpu::detail::TraceScope>(trace_options());
            else
                open_check = std::make_unique<gpu::detail::CheckScope>(options);
            Program::get().set_checked();
        } catch (const std::exception& error) {
            std::fprintf(stderr, "gpucc: %s\n", error.what());
        }
    } else {
        AccessGuard::get().begin();
    }
    ::on_exit(finish, nullptr);
}

}  // namespace gpucc
