// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <gpu/check.hpp>
#include <gpu/trace.hpp>

#include "gpucc/runtime/ledger.hpp"
#include "gpucc/runtime/own_lines.hpp"
#include "gpucc/runtime/program.hpp"
#include "gpucc/runtime/show.hpp"
#include "gpucc/seam/seam.hpp"

// Check mode for the whole program, with pictures if they are asked for: GPUCC_CHECK=1, GPUCC_SHOW=page.html.
namespace gpucc {

namespace {

std::unique_ptr<gpu::detail::CheckScope> open_check;
std::unique_ptr<gpu::detail::TraceScope> open_trace;
pid_t checked_process = 0;

// libgpu's words, and those of a plain CUDA program.
constexpr std::array words = {
    std::pair(
        std::string_view("data() is an address on the device: on a GPU the program ends here. "),
        std::string_view("what cudaMalloc() gives is an address on the device: on a GPU the program ends here. ")),
    std::pair(std::string_view("event.record(other) and stream.wait(event), or call other.synchronize() in between"),
              std::string_view("cudaEventRecord(event, other) and cudaStreamWaitEvent(stream, event), or call "
                               "cudaStreamSynchronize(other) in between")),
    std::pair(std::string_view("event.record(first) and second.wait(event)"),
              std::string_view("cudaEventRecord(event, first) and cudaStreamWaitEvent(second, event)")),
    std::pair(std::string_view("wait for the event that copy_from_async() returns, event.synchronize()"),
              std::string_view("wait for it, with cudaStreamSynchronize()")),
    std::pair(std::string_view("wait first, with the event that copy_to_async() returns, event.synchronize(), or with "
                               "gpu::synchronize()"),
              std::string_view("wait first, with cudaStreamSynchronize() or cudaDeviceSynchronize()")),
    std::pair(std::string_view("std::vector h = gpu::to_host(x), or in a kernel"),
              std::string_view("cudaMemcpy(h, x, bytes, cudaMemcpyDeviceToHost), or in a kernel")),
    std::pair(std::string_view("bring it over with gpu::to_device"),
              std::string_view("copy it to memory of cudaMalloc() with cudaMemcpy(..., cudaMemcpyHostToDevice)")),
    std::pair(std::string_view("bring it over with gpu::to_host"),
              std::string_view("copy it with cudaMemcpy(..., cudaMemcpyDeviceToHost)")),
    std::pair(std::string_view("pass a gpu::Array, such as gpu::Array<float> x = gpu::to_device(h)"),
              std::string_view("pass what cudaMalloc() or cudaMallocManaged() has given")),
    std::pair(std::string_view("give the kernel an array of the device (gpu::Array)"),
              std::string_view("give the kernel memory of cudaMalloc()")),
    std::pair(std::string_view("give the kernel arrays of the device (gpu::Array)"),
              std::string_view("give the kernel memory of cudaMalloc()")),
    std::pair(std::string_view("gpu::empty gives an array of anything: write it before it is read, or make it with "
                               "gpu::zeros"),
              std::string_view("cudaMalloc() gives memory of anything: write it before it is read, or clear it with "
                               "cudaMemset()")),
    std::pair(std::string_view("gpu::synchronize()"), std::string_view("cudaDeviceSynchronize()")),
    std::pair(std::string_view("gpu::check"), std::string_view("gpucc --check")),
};

std::string in_cuda(std::string text) {
    for (const auto& [ours, theirs] : words)
        for (std::size_t at = 0; (at = text.find(ours, at)) != std::string::npos; at += theirs.size())
            text.replace(at, ours.size(), theirs);
    return text;
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

// The report, and the exit code of the program itself.
std::string json_of(const gpu::CheckReport& report, int exit_code) {
    std::string text = report.to_json();
    text.insert(text.rfind("\n}"), ",\n  \"exit_code\": " + std::to_string(exit_code));
    return text;
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
    if (const char* const path = std::getenv("GPUCC_JSON"); is_set("GPUCC_JSON")) {
        write_to(path, json_of(report, exit_code));
    } else {
        const std::size_t count = report.findings.size();
        if (count > 0)
            std::fprintf(stderr, "gpucc: check mode found %zu mistake%s\n%s", count, count == 1 ? "" : "s",
                         report.to_text().c_str());
        else
            std::fputs("gpucc: check mode found no mistakes\n", stderr);
    }
    if (is_set("GPUCC_COUNTS")) std::fputs(report.table().c_str(), stderr);
    if (is_traced) write_page(trace);
    const char* const code = std::getenv("GPUCC_CHECK_EXIT_CODE");
    return report.clean() || code == nullptr ? 0 : std::atoi(code);
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
    (void)Program::get();  // chooses the host backend
    checked_process = ::getpid();
    if (is_set("GPUCC_FAIL_CALL")) fail_call(std::atoi(std::getenv("GPUCC_FAIL_CALL")));
    begin_ledger();
    if (const double seconds = progress_after(); seconds > 0)
        gpu::detail::program::show_progress(std::chrono::duration<double>(seconds));
    try {
        if (is_set("GPUCC_SHOW"))
            open_trace = std::make_unique<gpu::detail::TraceScope>(trace_options());
        else if (is_set("GPUCC_CHECK") || is_set("GPUCC_COUNTS") || is_set("GPUCC_JSON"))
            open_check = std::make_unique<gpu::detail::CheckScope>(gpu::CheckOptions{});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gpucc: %s\n", error.what());
    }
    ::on_exit(finish, nullptr);
}

}  // namespace gpucc
