// SPDX-License-Identifier: MIT
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "report/profile_text.hpp"
#include "support/files.hpp"
#include "support/golden.hpp"

using namespace course;

namespace {

// A transpose through a shared tile without padding, as an H200 ran it, and an addition launched twice.
const std::string measured =
    read_file(std::filesystem::path(COURSE_SOURCE_DIR) / "autograder/tests/report/profile.csv");

CheckResult counts() {
    CheckResult check;
    check.work_case = "31 x 33";
    KernelCounts tile{.name = "t", .launches = 1};
    WorkCounts work;
    work.global_requests = 128;
    work.global_sectors = 512;
    work.shared_requests = 128;
    work.shared_wavefronts = 2112;
    work.divergent_requests = 32;
    tile.work = work;
    check.kernels = {tile};
    return check;
}

}  // namespace

TEST_CASE("a profiler's table is read, and launches of one kernel are added up") {
    const MeasuredProfile profile = measured_profile(measured);
    CHECK(profile.device == "NVIDIA H200");
    REQUIRE(profile.kernels.size() == 2);
    const MeasuredKernel &tile = profile.kernels[0], &add = profile.kernels[1];
    CHECK(tile.name == "t");
    CHECK(tile.launches == 1);
    CHECK(tile.nanoseconds == doctest::Approx(126208));
    CHECK(tile.shared_wavefronts / tile.shared_requests == doctest::Approx(17.64).epsilon(0.001));
    CHECK(add.name == "add<float>");
    CHECK(add.launches == 2);
    CHECK(add.nanoseconds == doctest::Approx(116000));
    CHECK(add.global_requests == 2 * (1048576 + 524288));
    CHECK(add.memory_percent == doctest::Approx(65));
    CHECK(add.waits.at("long_scoreboard") == doctest::Approx(60.7));
}

TEST_CASE("a profile stands beside what was counted, with what it means") {
    Profile profile = joined_profile(counts(), measured_profile(measured));
    profile.answer = "your answer";
    profile.task = "tiled";
    profile.measured_case = "4096 x 4096";
    const std::string text = profile_text(profile);
    test::check_golden("report", "profile", text);
    CHECK(profile_text(profile, 1).ends_with("1 more kernel: add<float>\n"));
    const std::vector<Profile> again = recorded_profiles(profiles_json(std::vector{profile, profile}));
    REQUIRE(again.size() == 2);
    CHECK(profile_text(again[1]) == text);
    profile.kernels[0].divergent_percent = {};
    CHECK(profile_text(profile).find("idle lanes") == std::string::npos);
}

TEST_CASE("what isn't a profile is refused with what to do") {
    const auto refusal = [](const std::string& text) {
        try {
            static_cast<void>(measured_profile(text));
        } catch (const ProfileError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(refusal("").find("--csv --page raw") != std::string::npos);
    CHECK(refusal("\"ID\",\"Metric Name\",\"Metric Value\"\n\"0\",\"a\",\"1\"\n").find("Kernel Name") !=
          std::string::npos);
    CHECK(refusal("\"ID\",\"Kernel Name\"\n\"0\",\"add\"\n").find("--metrics gpu__time_duration.sum,") !=
          std::string::npos);
    const std::string head =
        "\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\",\"dram__throughput.avg.pct_of_peak_sustained_elapsed\","
        "\"sm__throughput.avg.pct_of_peak_sustained_elapsed\",\"sm__warps_active.avg.pct_of_peak_sustained_active\"\n";
    CHECK(refusal(head + "\"\",\"\",\"ns\",\"%\",\"%\",\"%\"\n") == "no kernel ran while the profiler looked");
    CHECK(refusal(head + "\"0\",\"add\",\"nan\",\"1\",\"2\",\"3\"\n").find("a number") != std::string::npos);
    CHECK_THROWS_AS(static_cast<void>(recorded_profiles("[{\"answer\": 3}]")), ProfileError);
    CHECK_THROWS_AS(static_cast<void>(recorded_profiles("no")), ProfileError);
}
