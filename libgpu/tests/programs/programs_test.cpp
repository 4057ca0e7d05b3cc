// SPDX-License-Identifier: MIT
// Each program gives what its serial reference gives: plainly, on the host or a GPU, and in check mode, where nothing
// may be found.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include <gpu/check.hpp>

#include "program.hpp"
#include "support/on_host.hpp"

using namespace programs;

namespace {

// The reason why a program isn't run on the host backend, if there is one.
std::optional<std::string> reason_to_wait(const Program& program) {
    for (const Row& row : table("not_on_host.txt"))
        if (row.at(0) == program.file && support::on_host()) return row.at(1);
    return std::nullopt;
}

gpu::RawModule kernels_of(const Program& program) {
    return gpu::RawModule(gpu::Source(kernel_text(program.file), program.file));
}

std::string wrong_results(const Program& program, const gpu::RawModule& kernels) {
    Run run(kernels);
    try {
        program.run(run);
        gpu::synchronize();
    } catch (const gpu::Error& error) {
        return error.what();
    }
    return run.wrong();
}

}  // namespace

TEST_CASE("every file of kernels belongs to one program") {
    std::vector<std::string> files, named;
    const std::filesystem::path root = std::filesystem::path(PROGRAMS_DIR) / "kernels";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
        if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(root).string());
    for (const Program& program : all_programs()) named.push_back(program.file);
    std::sort(files.begin(), files.end());
    std::sort(named.begin(), named.end());
    CHECK(files == named);
    CHECK(named.size() >= 40);
    for (const Row& row : table("not_on_host.txt")) {
        REQUIRE(row.size() == 2);
        CHECK(std::count(named.begin(), named.end(), row[0]) == 1);
    }
}

TEST_CASE("every program gives what its serial reference gives") {
    for (const Program& program : all_programs()) {
        CAPTURE(program.file);
        if (const auto reason = reason_to_wait(program)) {
            std::printf("SKIP: %s: %s\n", program.file.c_str(), reason->c_str());
            continue;
        }
        CHECK(wrong_results(program, kernels_of(program)) == "");
    }
}

TEST_CASE("check mode finds nothing in a program, in any order of threads and blocks") {
    if (!support::on_host()) return;
    for (const Program& program : all_programs()) {
        CAPTURE(program.file);
        if (reason_to_wait(program)) continue;
        const gpu::RawModule kernels = kernels_of(program);
        for (const char* const schedule : {"fixed", "random:1", "random:2"}) {
            CAPTURE(std::string(schedule));
            std::string wrong;
            const gpu::CheckReport report =
                gpu::check([&] { wrong = wrong_results(program, kernels); }, {.schedule = schedule});
            CHECK(wrong == "");
            CHECK(report.to_text() == "");
        }
    }
}
