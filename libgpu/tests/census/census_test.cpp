// SPDX-License-Identifier: MIT
// The same small texts for g++, clang and NVRTC: who takes what. Where they differ, differences.txt says why.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include <gpu/error.hpp>

#include "backend/backend.hpp"
#include "census/texts.hpp"
#include "codegen/kernel_support.hpp"
#include "host/compile/compiler.hpp"
#include "host/compile/generate.hpp"
#include "jit/file_cache.hpp"
#include "support/environment_guard.hpp"
#ifdef GPU_WITH_CUDA
#include "cuda/compile/skeletons.hpp"
#include "cuda/with_nvrtc.hpp"
#endif

using namespace gpu::detail;
using census::Text;
using census::Verdicts;

namespace {

const std::vector<Text>& texts() {
    static const std::vector<Text> all = census::read_texts();
    return all;
}

RawText raw_text(const Text& text) {
    return {.name = text.entry, .source = {text.source, text.file, text.line}, .signature = {}, .options = {}};
}

/// What compilers said in earlier runs, by a digest of compiler, text and options: only new texts cost time.
class Memory {
public:
    Memory() {
        const std::filesystem::path folder = cache_folder();
        if (folder.empty()) return;
        std::filesystem::create_directories(folder);
        file_ = folder / "census";
        std::ifstream in(file_);
        std::string digest;
        for (bool takes = false; in >> digest >> takes;) known_[digest] = takes;
    }
    std::optional<bool> find(const std::string& digest) const {
        const auto found = known_.find(digest);
        return found == known_.end() ? std::nullopt : std::optional<bool>(found->second);
    }
    void add(const std::string& digest, bool takes) {
        if (!file_.empty()) std::ofstream(file_, std::ios::app) << digest + (takes ? " 1\n" : " 0\n");
    }

private:
    std::filesystem::path file_;
    std::map<std::string, bool> known_;
};

std::string digest_of(const KernelSource& source, const std::string& compiler) {
    std::vector<std::string> parts{compiler, source.text, source.refusals};
    parts.insert(parts.end(), empty_headers.begin(), empty_headers.end());
    parts.insert(parts.end(), source.entries.begin(), source.entries.end());
    return make_cache_key("census", parts).digest;
}

// GPU_CENSUS_SHOW=1: what a compiler says of each text that it refuses, and what all take long for.
bool is_shown() { return std::getenv("GPU_CENSUS_SHOW") != nullptr; }

// `compile` throws what is wrong with a source.
Verdicts verdicts_of(const std::string& compiler, const std::string& identity,
                     const std::function<KernelSource(const RawText&)>& generate,
                     const std::function<void(const KernelSource&)>& compile) {
    Memory memory;
    Verdicts verdicts;
    std::mutex mutex;
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t k = next++; k < texts().size(); k = next++) {
            const KernelSource source = generate(raw_text(texts()[k]));
            const std::string digest = digest_of(source, identity);
            std::optional<bool> takes = is_shown() ? std::nullopt : memory.find(digest);
            std::string log;
            if (!takes) {
                try {
                    compile(source);
                    takes = true;
                } catch (const CompileFailure& failure) {
                    takes = false;
                    log = failure.log;
                }
                const std::lock_guard lock(mutex);
                memory.add(digest, *takes);
            }
            const std::lock_guard lock(mutex);
            if (is_shown() && !*takes)
                std::printf("%s refuses %s\n    %s\n", compiler.c_str(), texts()[k].name.c_str(), log.c_str());
            verdicts[texts()[k].name] = *takes;
        }
    };
    std::thread other(work);
    work();
    other.join();
    return verdicts;
}

std::optional<Verdicts> host_verdicts(const std::string& name) {
    const support::EnvironmentGuard guard("LIBGPU_HOST_CXX", name.c_str());
    try {
        const host::Compiler compiler;
        return verdicts_of(
            name, compiler.identity(), [](const RawText& text) { return host::generate_raw(text); },
            [&](const KernelSource& source) { compiler.examine(source); });
    } catch (const gpu::LibraryNotFound&) {
        std::printf("SKIP: census of %s: it is not installed\n", name.c_str());
        return std::nullopt;
    }
}

Verdicts recorded_verdicts() {
    const census::Record record = census::read_record();
    Verdicts verdicts;
    for (const Text& text : texts()) {
        const auto found = record.takes.find(text.digest());
        CHECK_MESSAGE(found != record.takes.end(), "nvrtc.txt doesn't know the text as it is now: " << text.name);
        if (found != record.takes.end()) verdicts[text.name] = found->second;
    }
    CHECK_MESSAGE(record.takes.size() == texts().size(), "nvrtc.txt has texts that are gone");
    return verdicts;
}

}  // namespace

TEST_CASE("the record of what NVRTC takes is right") {
#ifndef GPU_WITH_CUDA
    std::printf("SKIP: census of NVRTC: libgpu was built without the CUDA toolkit\n");
#else
    if (!with_nvrtc("census of NVRTC")) return;
    if (cuda::nvrtc().major != 13 || cuda::nvrtc().minor != 0) {
        std::printf("SKIP: census of NVRTC: the record is NVRTC 13.0's\n");
        return;
    }
    const Verdicts now = verdicts_of("NVRTC", cuda::compiler_identity_for(90), cuda::raw_skeleton,
                                     [](const KernelSource& it) { (void)cuda::compile_for("compute_90", it); });
    if (std::getenv("GPU_CENSUS_WRITE") != nullptr) census::write_record(texts(), now);
    const Verdicts recorded = recorded_verdicts();
    for (const auto& [name, takes] : now)
        if (const auto found = recorded.find(name); found != recorded.end())
            CHECK_MESSAGE(found->second == takes, "nvrtc.txt is wrong about " << name);
#endif
}

TEST_CASE("g++, clang and NVRTC take the same texts, but for the differences that are listed with their reason") {
    CHECK(texts().size() >= 300);
    std::map<std::string, Verdicts> all{{"NVRTC", recorded_verdicts()}};
    for (const char* const name : {"g++", "clang++"})
        if (auto verdicts = host_verdicts(name)) all[name] = *std::move(verdicts);
    const auto differences = census::read_differences();
    for (const std::string& complaint : census::compared(texts(), all, differences)) FAIL_CHECK(complaint);
    std::printf("%zu texts, %zu compilers, %zu differences\n", texts().size(), all.size(), differences.size());
}

TEST_CASE("a difference that isn't listed is found, and a listed one that is no more") {
    const std::vector<Text> some{{.name = "a", .file = "t.cu"}, {.name = "b", .file = "t.cu"}};
    std::map<std::string, Verdicts> all{{"NVRTC", {{"a", true}, {"b", false}}},
                                        {"g++", {{"a", true}, {"b", false}}},
                                        {"clang++", {{"a", true}, {"b", false}}}};
    CHECK(census::compared(some, all, {}).empty());
    all["g++"]["b"] = true;
    const auto found = census::compared(some, all, {});
    REQUIRE(found.size() == 1);
    CHECK(found[0] == "t.cu:1: taken by g++ alone, and not in differences.txt: b");
    CHECK(census::compared(some, all, {{"b", {{"g++"}, "why"}}}).empty());
    CHECK(census::compared(some, all, {{"b", {{"clang++"}, "why"}}}).size() == 1);
    CHECK(census::compared(some, all, {{"b", {{"g++"}, "why"}}, {"a", {{"NVRTC", "g++", "clang++"}, "why"}}}).size() ==
          1);
    CHECK(census::compared(some, all, {{"b", {{"g++"}, "why"}}, {"gone", {{"g++"}, "why"}}}).size() == 1);
    all.erase("clang++");  // not installed: what can be said of the others is
    CHECK(census::compared(some, all, {{"b", {{"g++", "clang++"}, "why"}}}).empty());
    CHECK(census::compared(some, all, {}).size() == 1);
}
