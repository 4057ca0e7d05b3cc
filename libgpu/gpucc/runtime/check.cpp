// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <gpu/check.hpp>

#include "gpucc/runtime/program.hpp"

// Check mode for the whole program: GPUCC_CHECK=1.
namespace gpucc {

namespace {

std::unique_ptr<gpu::detail::CheckScope> open_check;
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

// Returns the exit code that the findings ask for; 0: the program's own stays.
int finish_check() {
    gpu::CheckReport report = std::exchange(open_check, nullptr)->finish();
    for (gpu::Finding& finding : report.findings) {
        finding.what = in_cuda(finding.what);
        finding.advice = in_cuda(finding.advice);
    }
    std::fflush(stdout);
    if (const char* const path = std::getenv("GPUCC_JSON"); is_set("GPUCC_JSON")) {
        write_to(path, report.to_json() + "\n");
    } else {
        const std::size_t count = report.findings.size();
        if (count > 0)
            std::fprintf(stderr, "gpucc: check mode found %zu mistake%s\n%s", count, count == 1 ? "" : "s",
                         report.to_text().c_str());
        else
            std::fputs("gpucc: check mode found no mistakes\n", stderr);
    }
    if (is_set("GPUCC_COUNTS")) std::fputs(report.table().c_str(), stderr);
    const char* const code = std::getenv("GPUCC_CHECK_EXIT_CODE");
    return report.clean() || code == nullptr ? 0 : std::atoi(code);
}

void finish() {
    if (::getpid() != checked_process) return;  // a fork's child
    int code = 0;
    if (open_check != nullptr) {
        try {
            code = finish_check();
        } catch (const std::exception& error) {
            std::fprintf(stderr, "gpucc: %s\n", error.what());
        }
    }
    finish_program();
    if (code == 0) return;
    std::fflush(nullptr);
    ::_exit(code);
}

}  // namespace

void begin_program() {
    (void)Program::get();  // chooses the host backend
    checked_process = ::getpid();
    if (is_set("GPUCC_CHECK") || is_set("GPUCC_COUNTS") || is_set("GPUCC_JSON")) {
        try {
            open_check = std::make_unique<gpu::detail::CheckScope>(gpu::CheckOptions{});
        } catch (const std::exception& error) {
            std::fprintf(stderr, "gpucc: %s\n", error.what());
        }
    }
    std::atexit(finish);
}

}  // namespace gpucc
