// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gpu/device.hpp>

#include "child.hpp"
#include "judgement.hpp"
#include "support/on_host.hpp"
#include "support/wanted_compiler.hpp"
#include "variant.hpp"

using namespace gallery;

namespace {

struct Failure {
    std::string file, output;
};

// Each kernel in a process of its own, as many at a time as there are processors: one that crashes spoils no other.
std::vector<Failure> judge_all(const std::vector<std::filesystem::path>& files, const std::string& variant = {}) {
    std::vector<Failure> failures;
    std::mutex mutex;
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t k; (k = next++) < files.size();) {
            const ChildResult result = variant.empty() ? run_self({"--judge", files[k].string()})
                                                       : run_self({"--judge-variant", files[k].string(), variant});
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
    CHECK(kinds.size() == 17);
}

// The kernels that a cell of a Markdown table links to, by their names: "no_guard".
std::vector<std::string> linked_kernels(const std::string& cell) {
    std::vector<std::string> names;
    const std::regex link(R"(\[(\w+)\]\(\.\./libgpu/tests/gallery/buggy/(\w+)\.cu\))");
    for (std::sregex_iterator at(cell.begin(), cell.end(), link), end; at != end; ++at) {
        CHECK((*at)[1] == (*at)[2]);
        names.push_back((*at)[1]);
    }
    return names;
}

// The heading of the column of docs/check-mode.md that a finding's variable belongs to.
std::string memory_of(const KernelFile& file) {
    const std::string& variable = file.finding->variable;
    if (variable.empty()) return "a thread's own arrays and variables";
    for (const ArraySpec& array : file.arrays)
        if (array.name == variable) return "arrays of the device";
    const std::regex word("\\b" + variable + "\\b");
    std::istringstream lines(file.text);
    for (std::string line; std::getline(lines, line);)
        for (const char* const space : {"__shared__", "__constant__", "__device__"})
            if (!line.starts_with("//") && line.find(space) != line.npos && std::regex_search(line, word))
                return space == std::string("__device__") ? "`__device__` variables" : '`' + std::string(space) + '`';
    return "a thread's own arrays and variables";
}

TEST_CASE("docs/check-mode.md has a kernel of the gallery for each mistake in each kind of memory") {
    std::ifstream page(GALLERY_DIR "/../../../docs/check-mode.md");
    REQUIRE(page.good());
    std::map<std::string, std::string> cells;  // by mistake and memory
    std::vector<std::string> columns;
    for (std::string line; std::getline(page, line);) {
        if (!line.starts_with("| ")) continue;
        std::vector<std::string> row;
        std::istringstream parts(line.substr(1));
        for (std::string cell; std::getline(parts, cell, '|');) {
            cell.erase(0, std::min(cell.find_first_not_of(' '), cell.size()));
            while (cell.ends_with(' ')) cell.pop_back();
            row.push_back(cell);
        }
        if (row[0] == "mistake") columns = row;
        if (row[0] == "mistake") continue;
        REQUIRE(row.size() == columns.size());
        for (std::size_t k = 1; k < row.size(); ++k)
            if (!row[k].empty()) cells[row[0] + ", " + columns[k]] = row[k];
    }
    const auto place_of = [&](const KernelFile& file) {
        const std::string kind(to_string(file.finding->kind));
        const std::string memory = kind + ", " + memory_of(file);
        return file.finding->variable.empty() && !cells.contains(memory) ? kind + ", such as" : memory;
    };
    for (const auto& [place, cell] : cells) {
        CAPTURE(place);
        const std::vector<std::string> names = linked_kernels(cell);
        CHECK_FALSE(names.empty());
        for (const std::string& name : names) {
            CAPTURE(name);
            const KernelFile file = read_kernel_file(std::filesystem::path(GALLERY_DIR) / "buggy" / (name + ".cu"));
            CHECK(place_of(file) == place);
            CHECK((cell.find("g++") != cell.npos) == file.is_for_gcc);
        }
    }
    for (const auto& path : files_of("buggy")) {
        CAPTURE(path);
        CHECK(cells.contains(place_of(read_kernel_file(path))));
    }
}

TEST_CASE("each correct kernel gives the right values, and nothing is found in it") {
    const auto files = files_of("correct");
    for (const Failure& failure : judge_all(files)) FAIL_CHECK(failure.file << ": " << failure.output);
    MESSAGE(files.size() << " kernels");
}

// All of them at once, with g++; GALLERY_VARIANTS=each tries them one by one, and with any compiler.
TEST_CASE("each correct kernel stays correct where it does other right things as well") {
    const auto files = files_of("correct");
    const char* const wanted = std::getenv("GALLERY_VARIANTS");
    if (!support::on_host() || (wanted == nullptr && with_clang())) return;
    std::vector<std::string> variants = {"all"};
    if (wanted != nullptr && wanted == std::string("each"))
        variants.assign(variant_names().begin(), variant_names().end());
    for (const std::string& variant : variants)
        for (const Failure& failure : judge_all(files, variant))
            FAIL_CHECK(variant << ": " << failure.file << ": " << failure.output);
    const std::size_t count = files.size() * variants.size();
    CHECK(count >= 58);
    MESSAGE(count << " kernels, each in four orders");
}

TEST_CASE("in each buggy kernel its bug is found, once, at its line, by its variable") {
    if (!support::on_host()) return;  // tests/gallery/on_gpu asks compute-sanitizer
    const auto files = files_of("buggy");
    for (const Failure& failure : judge_all(files)) FAIL_CHECK(failure.file << ": " << failure.output);
    MESSAGE(files.size() << " kernels");
}
