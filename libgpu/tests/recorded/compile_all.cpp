// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include "recorded/compile_all.hpp"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <functional>
#include <mutex>
#include <thread>
#include <unordered_set>

#include "cuda/compile/compiler.hpp"
#include "jit/file_cache.hpp"

namespace recorded {

namespace {

using namespace gpu::detail;

struct Job {
    const Kernel* kernel;
    std::string arch, digest;
};

// For the oldest one up to machine code: what is wrong with that is rarely the architecture's, and the other two would
// cost half as much again.
std::vector<std::string> architectures() {
    std::vector<std::string> names;
    for (const int arch : cuda::nvrtc().archs) {
        if (arch == 75) names.emplace_back("sm_75");
        if (arch == 90 || arch == 120) names.push_back("compute_" + std::to_string(arch));
    }
    return names;
}

std::string digest_of(const KernelSource& source, const std::string& arch, const std::string& compiler) {
    std::vector<std::string> parts{compiler, arch, source.text, std::to_string(source.entries.size())};
    parts.insert(parts.end(), source.entries.begin(), source.entries.end());
    parts.insert(parts.end(), source.options.begin(), source.options.end());
    return make_cache_key(source.name, parts).digest;
}

std::unordered_set<std::string> remembered(const std::filesystem::path& memory) {
    std::unordered_set<std::string> digests;
    std::ifstream in(memory);
    for (std::string line; std::getline(in, line);) digests.insert(line);
    return digests;
}

// Which of the newer ones is the kernel's own doing, not its place in the list: what is known from earlier runs stays
// so.
std::vector<std::string> architectures_of(const Kernel& kernel, Architectures wanted) {
    std::vector<std::string> names = architectures();
    if (wanted == Architectures::all || names.size() < 3) return names;
    constexpr std::size_t drawn[] = {0, 0, 1, 2};  // machine code says more than PTX
    return {names[drawn[std::hash<std::string>()(kernel.source.text) % 4]]};
}

// NVRTC's log, or "" if it compiles.
std::string complaint_of(const Job& job) {
    try {
        const Image image = cuda::compile_for(job.arch, job.kernel->source);
        return image.entries.empty() || image.bytes.size() < 300 ? "the image has no kernel" : "";
    } catch (const CompileFailure& failure) {
        return failure.log.empty() ? "no log" : failure.log;
    }
}

}  // namespace

const std::vector<Excuse>& excuses() {
    static const std::vector<Excuse> all{
        {"gpu_host_test", "\"gpu_half_from_float\" is undefined", "a test of the host's prelude names what is in it"},
        {"gpu_check_test", "identifier \"__builtin_mem", "a test of check mode calls the host compiler's own copies"},
        {"gpu_host_test", "uses too much shared data", "a test of kernels with more shared memory than a block has"}};
    return all;
}

Summary compile_all(const std::vector<Kernel>& kernels, int threads, const std::filesystem::path& memory,
                    Architectures wanted) {
    Summary summary;
    const std::unordered_set<std::string> known = remembered(memory);
    const std::string compiler = cuda::compiler_identity_for(75);
    std::vector<Job> jobs;
    for (const Kernel& kernel : kernels) {
        if (kernel.refused) {
            ++summary.refused_by_host;
            continue;
        }
        for (const std::string& arch : architectures_of(kernel, wanted)) {
            Job job{&kernel, arch, digest_of(kernel.source, arch, compiler)};
            if (known.count(job.digest) != 0)
                ++summary.known;
            else
                jobs.push_back(std::move(job));
        }
    }
    std::mutex mutex;
    std::ofstream notes(memory, std::ios::app);
    std::atomic<std::size_t> next{0};
    const auto judge = [&](const Job& job, const std::string& log) {
        const std::lock_guard lock(mutex);
        ++summary.compiled;
        if (log.empty()) {
            if (!memory.empty()) notes << job.digest + '\n' << std::flush;
            return;
        }
        for (const Excuse& excuse : excuses()) {
            if (job.kernel->program != excuse.program || log.find(excuse.log) == std::string::npos) continue;
            summary.excused.push_back(job.kernel->source.name + " for " + job.arch + ": " + excuse.reason);
            return;
        }
        summary.failures.push_back(job.kernel->file.string() + " of " + job.kernel->program + " for " + job.arch +
                                   ":\n" + log);
    };
    const auto work = [&] {
        for (std::size_t k = next++; k < jobs.size(); k = next++) judge(jobs[k], complaint_of(jobs[k]));
    };
    std::vector<std::thread> workers;
    for (int k = 0; k < threads; ++k) workers.emplace_back(work);
    for (std::thread& worker : workers) worker.join();
    std::sort(summary.failures.begin(), summary.failures.end());
    return summary;
}

}  // namespace recorded
#endif
