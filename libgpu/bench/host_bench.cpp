// SPDX-License-Identifier: MIT
// usage: gpu_host_bench [PART...]     parts: loops functions reductions fibers check compile (all, unless named)
//
// The host backend's speed as one table: what was measured, what it must be, ok or MISSED. Ratios are medians of ratios
// of two calls that follow each other. Each part runs in processes of its own, with LIBGPU_HOST_WORKERS=1 or 2 and an
// empty cache. Exit code 1 if a target was missed.
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>

#include <gpu/error.hpp>

#include "measure.hpp"

namespace {

using bench::Row;

struct Part {
    std::string name;
    int workers;
};

std::vector<Row> rows_of(const Part& part) {
    if (part.name == "loops") return bench::loop_rows(part.workers);
    if (part.name == "functions") return bench::function_rows(part.workers);
    if (part.name == "reductions") return bench::reduction_rows(part.workers);
    if (part.name == "fibers") return bench::fiber_rows();
    if (part.name == "check") return bench::check_rows();
    if (part.name == "compile") return bench::compile_rows();
    std::fprintf(stderr, "unknown part: %s\n", part.name.c_str());
    std::exit(2);
}

void print(const Row& row) {
    const bool has_target = std::isfinite(row.target);
    const std::string target = std::string(row.at_least ? "≥ " : "≤ ") + bench::digits(row.target) + " " + row.unit;
    std::printf("| %-52s | %6s %-2s | %s | %-6s | %s |\n", row.what.c_str(), bench::digits(row.measured).c_str(),
                row.unit.c_str(), has_target ? target.c_str() : "-",
                !has_target     ? ""
                : row.reached() ? "ok"
                                : "MISSED",
                row.note.c_str());
    std::fflush(stdout);
}

// A process with its own workers. Its exit code: 0, or 1 if a target was missed or something went wrong.
bool run_part(const Part& part) {
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child == 0) {
        ::setenv("LIBGPU_HOST_WORKERS", std::to_string(part.workers).c_str(), 1);
        bool all = true;
        try {
            for (const Row& row : rows_of(part)) {
                print(row);
                all = row.reached() && all;
            }
        } catch (const gpu::Error& error) {
            std::fprintf(stderr, "%s: %s\n", part.name.c_str(), error.what());
            all = false;
        }
        std::fflush(stdout);
        std::_Exit(all ? 0 : 1);
    }
    int status = 1;
    ::waitpid(child, &status, 0);
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string processor() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    return "unknown processor";
}

}  // namespace

int main(int argc, char** argv) {
    ::setenv("LIBGPU_DEVICE", "host", 1);
    if (argc == 3 && std::string(argv[1]) == "--from-cache") {
        bench::print_time_from_cache(std::atoi(argv[2]));
        return 0;
    }
    char folder[] = "/tmp/gpu_host_bench.XXXXXX";
    if (::mkdtemp(folder) == nullptr) return 2;
    ::setenv("LIBGPU_CACHE_DIR", folder, 1);
    std::vector<Part> parts;
    for (const Part& part : {Part{"loops", 1}, Part{"loops", 2}, Part{"functions", 1}, Part{"functions", 2},
                             Part{"reductions", 1}, Part{"reductions", 2}, Part{"fibers", 2}, Part{"check", 1},
                             Part{"compile", 2}}) {
        bool wanted = argc == 1;
        for (int k = 1; k < argc; ++k) wanted = wanted || part.name == argv[k];
        if (wanted) parts.push_back(part);
    }
    std::printf("%s, %u processors; compiler of the kernels: %s\n\n", processor().c_str(),
                std::thread::hardware_concurrency(),
                std::getenv("LIBGPU_HOST_CXX") != nullptr ? std::getenv("LIBGPU_HOST_CXX") : "the kit's");
    std::printf("| what | median | target | | ours, theirs |\n|---|---|---|---|---|\n");
    bool all = !parts.empty();
    for (const Part& part : parts) all = run_part(part) && all;
    std::filesystem::remove_all(folder);
    return all ? 0 : 1;
}
