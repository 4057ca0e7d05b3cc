// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gpu/device.hpp>

#include "child.hpp"
#include "judgement.hpp"
#include "support/on_host.hpp"

using namespace gallery;

namespace {

struct Failure {
    std::string file, output;
};

// Each kernel in a process of its own, as many at a time as there are processors: one that crashes spoils no other.
std::vector<Failure> judge_all(const std::vector<std::filesystem::path>& files) {
    std::vector<Failure> failures;
    std::mutex mutex;
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t k; (k = next++) < files.size();) {
            const ChildResult result = run_self({"--judge", files[k].string()});
            if (result.ended_well) continue;
            const std::lock_guard lock(mutex);
            failures.push_back({files[k].string(), result.ending + "\n" + result.output});
        }
    };
    std::vector<std::thread> threads;
    for (unsigned k = 0; k < std::max(2U, std::thread::hardware_concurrency()) && k < 16; ++k)
        threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    return failures;
}

std::vector<std::filesystem::path> files_of(const std::string& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& path : kernel_files(GALLERY_DIR))
        if (path.parent_path().filename() == folder) files.push_back(path);
    return files;
}

}  // namespace

TEST_CASE("the gallery has at least 27 buggy and 27 correct kernels, and every kind of finding") {
    std::set<gpu::FindingKind> kinds;
    int buggy = 0, correct = 0;
    for (const auto& path : kernel_files(GALLERY_DIR)) {
        const KernelFile file = read_kernel_file(path);
        ++(file.finding ? buggy : correct);
        if (file.finding) kinds.insert(file.finding->kind);
    }
    CHECK(buggy >= 27);
    CHECK(correct >= 27);
    CHECK(kinds.size() == 16);
}

TEST_CASE("each correct kernel gives the right values, and nothing is found in it") {
    const auto files = files_of("correct");
    for (const Failure& failure : judge_all(files)) FAIL_CHECK(failure.file << ": " << failure.output);
    MESSAGE(files.size() << " kernels");
}

TEST_CASE("in each buggy kernel its bug is found, once, at its line, by its variable") {
    if (!support::on_host()) return;  // tests/gallery/on_gpu asks compute-sanitizer
    const auto files = files_of("buggy");
    for (const Failure& failure : judge_all(files)) FAIL_CHECK(failure.file << ": " << failure.output);
    MESSAGE(files.size() << " kernels");
}
