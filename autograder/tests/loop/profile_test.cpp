// SPDX-License-Identifier: MIT
#include <string>

#include <doctest/doctest.h>

#include "loop/toy_course.hpp"

// `course profile` where there is no GPU: with another machine's table, and with what comes with the exercise.
using test::Ran, test::ToyCourse;

namespace {

bool has(const Ran& ran, const std::string& part) { return ran.text.find(part) != std::string::npos; }

constexpr const char* table =
    "\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\",\"dram__throughput.avg.pct_of_peak_sustained_elapsed\","
    "\"sm__throughput.avg.pct_of_peak_sustained_elapsed\",\"sm__warps_active.avg.pct_of_peak_sustained_active\","
    "\"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\"\n"
    "\"\",\"\",\"ns\",\"%\",\"%\",\"%\",\"\",\"sector\"\n"
    "\"0\",\"shift(const float *, float *, int)\",\"2,000\",\"10\",\"20\",\"30\",\"100\",\"500\"\n";

}  // namespace

TEST_CASE("profile shows another machine's measurement beside the counts") {
    const ToyCourse toy;
    toy.solve("02-shift");
    toy.write("measured.csv", table);
    const Ran ran = toy.run({"profile", "2", "--import", (toy / "measured.csv").string()});
    CHECK_MESSAGE(ran.code == 0, ran.text);
    CHECK(has(ran, "your answer, task shift; counted: "));
    CHECK(has(ran, "5.0\n"));
    CHECK(has(ran, " 2.0 us\n"));
    toy.write("measured.csv", "nothing of the kind");
    const Ran refused = toy.run({"profile", "2", "--import", (toy / "measured.csv").string()});
    CHECK(refused.code == 4);
    CHECK(has(refused, "there is no table of kernels in it"));
    CHECK(toy.run({"profile", "2", "--import", (toy / "nowhere.csv").string()}).code == 4);
}

TEST_CASE("without a GPU, profile shows the counts and what was recorded with the exercise") {
    const ToyCourse toy;
    toy.solve("02-shift");
    const Ran none = toy.run({"profile", "2"});
    CHECK_MESSAGE(none.code == 0, none.text);
    CHECK(has(none, "This exercise has no recorded profiles."));
    toy.write("measured.csv", table);
    const Ran json = toy.run({"profile", "2", "--json", "--import", (toy / "measured.csv").string()});
    toy.write("exercises/02-shift/profile.json", json.text);
    const Ran recorded = toy.run({"profile", "2"});
    CHECK(recorded.code == 0);
    CHECK(has(recorded, "there is no GPU here"));
    CHECK(has(recorded, " 2.0 us\n"));
}
