// SPDX-License-Identifier: MIT
// A judge that can be wrong judges nothing: what reads and compares is tested with texts that are wrong on purpose.
#include <doctest/doctest.h>

#include <cstring>
#include <limits>

#include "execution.hpp"
#include "header_text.hpp"
#include "judgement.hpp"
#include "kernel_file.hpp"

using namespace gallery;

namespace {

const std::string head = "// SPDX-License-Identifier: MIT\n// What it is.\n//\n";
const std::string arrays = "// array: float x[4] = ramp\n// array: int y[3] = zeros\n";
const std::string launch = "// launch: f<int, 2><<<dim3(2, 3), 32, 64>>>(x, y, 7, 2.5f)\n";

KernelFile parse(const std::string& folder, const std::string& keys) {
    return parse_kernel_file("/a/" + folder + "/f.cu", head + keys);
}

std::string refusal(const std::string& keys, const std::string& folder = "correct") {
    try {
        (void)parse(folder, keys);
        return "accepted";
    } catch (const FormatError& error) {
        return error.what();
    }
}

gpu::Finding finding(gpu::FindingKind kind, int line, const std::string& variable, const std::string& who) {
    gpu::Finding result;
    result.kind = kind;
    result.line = line;
    result.variable = variable;
    result.what = "what";
    result.who = who;
    result.advice = "advice";
    return result;
}

}  // namespace

TEST_CASE("the first lines of a kernel file are read") {
    const KernelFile file = parse("buggy", arrays + launch + "// finding: missing barrier, lines 14 17, variable x\n");
    CHECK(file.name == "buggy/f.cu");
    CHECK(file.sentence == "What it is.");
    REQUIRE(file.arrays.size() == 2);
    CHECK(file.array("y").type == "int");
    CHECK(file.array("y").length == 3);
    REQUIRE(file.launches.size() == 1);
    CHECK(file.launches[0].kernel == "f<int, 2>");
    CHECK(file.launches[0].grid == gpu::Dim3(2, 3));
    CHECK(file.launches[0].block == gpu::Dim3(32));
    CHECK(file.launches[0].shared == 64);
    CHECK(file.launches[0].arguments.size() == 4);
    REQUIRE(file.finding);
    CHECK(file.finding->kind == gpu::FindingKind::missing_barrier);
    CHECK(file.finding->lines == std::vector<int>{14, 17});
    CHECK(file.finding->variable == "x");
}

TEST_CASE("what can't be read is refused, with its line") {
    const std::string check = "// check: x = sum(x)\n";
    CHECK(refusal(arrays + launch + check) == "accepted");
    CHECK(refusal(arrays + launch) == "correct/f.cu: either a `finding:` or some `check:`");
    CHECK(refusal(arrays + launch + check, "buggy") ==
          "buggy/f.cu: files with a `finding:` stand in buggy/, others in correct/");
    CHECK(refusal("// array: floot x[4] = ramp\n") == "correct/f.cu:4: unknown type `floot'");
    CHECK(refusal("// array: int x[4] = random 7\n") ==
          "correct/f.cu:4: random integers are `random SEED below N`, floats `random SEED`");
    CHECK(refusal("// array: int x[4]\n") == "correct/f.cu:4: an array is written `float x[1000] = ramp`");
    CHECK(refusal(arrays + "// launch: f<<<1>>>(x)\n") ==
          "correct/f.cu:6: between <<< and >>> stand grid, block[, shared bytes]");
    CHECK(refusal(arrays + "// launch: f<<<1, 2>>>(z)\n") ==
          "correct/f.cu:6: `z' is no array of this file and no number such as 7, 7u, 7ll, 2.5f, 2.5, {1, 2.5f}");
    CHECK(refusal(arrays + launch + "// finding: bad luck, line 3, variable x\n", "buggy") ==
          "buggy/f.cu:7: `bad luck' is no kind of finding");
    CHECK(refusal(arrays + launch + check + "// counts: secters = 3\n") ==
          "correct/f.cu:8: gpu::WorkCounts has no `secters'");
    CHECK(refusal("// colour: red\n") == "correct/f.cu:4: unknown key `colour'");
}

TEST_CASE("numbers and structs become the bytes that a kernel expects") {
    std::vector<std::byte> bytes;
    REQUIRE(append_literal(bytes, "{100, 2.5, 0.5f}"));
    CHECK(bytes.size() == 24);
    double middle = 0;
    std::memcpy(&middle, bytes.data() + 8, sizeof middle);
    CHECK(middle == 2.5);
    for (const auto& [text, size] : {std::pair{"7", 4U}, {"7u", 4U}, {"7ll", 8U}, {"2.5f", 4U}, {"2.5", 8U}}) {
        bytes.clear();
        CHECK(append_literal(bytes, text));
        CHECK(bytes.size() == size);
    }
    CHECK(!append_literal(bytes, "x"));
    CHECK(!append_literal(bytes, "7q"));
    CHECK(!append_literal(bytes, "{1, x}"));
}

TEST_CASE("wrong values are reported: a wrong one, NaN, and arrays that nobody should have changed") {
    const KernelFile file = parse("correct", arrays + launch + "// check: x = reverse(x) within 1 eps\n");
    Contents after{{"x", {3, 2, 1, 0}}, {"y", {0, 0, 0}}};
    CHECK(wrong_values(file, after).empty());
    after["x"][1] = 2.0000001;
    CHECK(wrong_values(file, after).empty());
    after["x"][1] = 2.000001;
    CHECK(wrong_values(file, after) == "x[1] is 2.0000010000000001, should be 2\n");
    after["x"][1] = std::numeric_limits<double>::quiet_NaN();
    CHECK(wrong_values(file, after) == "x[1] is nan, should be 2\n");
    after["x"][1] = 2;
    after["y"][2] = 1;
    CHECK(wrong_values(file, after) == "y[2] is 1, should be 0\n");
}

TEST_CASE("findings are compared in number, kind, lines and variable") {
    using Kind = gpu::FindingKind;
    const FindingSpec want{.kind = Kind::missing_barrier, .lines = {14, 17}, .any_line = false, .variable = "x"};
    const gpu::Finding right = finding(Kind::missing_barrier, 17, "x", "thread 3 wrote it on line 14");
    CHECK(difference(want, {right}).empty());
    CHECK(difference(want, {}) == "expected one finding, there are 0\n");
    CHECK(difference(want, {right, right}) == "expected one finding, there are 2\n");
    CHECK(difference(want, {finding(Kind::out_of_bounds, 17, "x", "14")}) ==
          "expected missing barrier, found out of bounds\n");
    CHECK(difference(want, {finding(Kind::missing_barrier, 15, "x", "14")}) ==
          "expected it on line 14 17, it is on 15\n");
    CHECK(difference(want, {finding(Kind::missing_barrier, 17, "x", "thread 3 wrote it on line 141")}) ==
          "expected that it names the lines 14 17, it doesn't name 14\n");
    CHECK(difference(want, {finding(Kind::missing_barrier, 17, "y", "14")}) ==
          "expected the variable `x', it says `y'\n");
}

TEST_CASE("counts are compared exactly") {
    KernelFile file;
    file.counts = {{"global_sectors", "global_requests", 4}, {"barriers", "", 2}};
    gpu::CheckReport report;
    report.kernels.resize(2);
    report.kernels[0].work.global_requests = 3;
    report.kernels[0].work.global_sectors = 10;
    report.kernels[1].work.global_sectors = 2;
    report.kernels[1].work.barriers = 2;
    CHECK(wrong_counts(file, report).empty());
    report.kernels[0].work.barriers = 1;
    CHECK(wrong_counts(file, report) == "barriers is 3; expected 2\n");
    report.kernels[0].work.global_requests = 0;
    CHECK(wrong_counts(file, report).find("global_sectors is 12, global_requests is 0; expected 4 each\n") == 0);
}
