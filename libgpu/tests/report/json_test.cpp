// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "facts/json.hpp"
#include "report/samples.hpp"

using gpu::facts::json_text;

TEST_CASE("JSON: bytes that are no UTF-8 have a place") {
    CHECK(json_text("line\n\ttab\x01\x1f") == "\"line\\n\\ttab\\u0001\\u001f\"");
    CHECK(json_text("größer €𝄞") == "\"größer €𝄞\"");
    CHECK(json_text("a\xC3\x28!").find("\xEF\xBF\xBD(") != std::string::npos);
    CHECK(json_text("\xED\xA0\x80").find("\xEF\xBF\xBD") != std::string::npos);   // half of a UTF-16 pair
}

TEST_CASE("JSON: another reader finds all of a report") {
    gpu::CheckReport report = samples::report();
    report.findings[0].advice = "a \\ \"quote\"\n\x02 and \xFF";
    report.kernels[0].work.global_reads = ~std::uint64_t{0};
    report.kernels[1].rewritten = "y[0] in two threads";
    const auto json = nlohmann::json::parse(report.to_json());
    CHECK(json["schema"] == "libgpu check report");
    CHECK(json["version"] == 1);
    CHECK(json["clean"] == false);
    REQUIRE(json["findings"].size() == 2);
    CHECK(json["findings"][0]["kind"] == "out of bounds");
    CHECK(json["findings"][0]["line"] == 3);
    CHECK(json["findings"][0]["advice"] == "a \\ \"quote\"\n\x02 and \xEF\xBF\xBD");
    CHECK(json["findings"][1]["times"] == 2048);
    REQUIRE(json["kernels"].size() == 2);
    const auto& kernel = json["kernels"][0];
    CHECK(kernel["source"] == report.kernels[0].source);
    CHECK(kernel["threads"] == 1048576);
    CHECK(kernel["first_line"] == 3);
    CHECK(kernel["approximate"] == false);
    REQUIRE(kernel["shapes"].size() == 1);
    CHECK(kernel["shapes"][0]["grid"] == std::vector<int>{32, 32, 1});
    CHECK(kernel["shapes"][0]["launches"] == 1);
    CHECK(kernel["made_in"] == "");
    CHECK(kernel["rewritten"] == "");
    CHECK(json["kernels"][1]["rewritten"] == "y[0] in two threads");
    CHECK(json["kernels"][1]["made_in"] == "work/elementwise.cpp");
    CHECK(kernel["work"]["global_reads"] == ~std::uint64_t{0});
    CHECK(kernel["work"].size() == 22);
    REQUIRE(kernel["lines"].size() == 3);
    CHECK(kernel["lines"][2]["line"] == 9);
    CHECK(kernel["lines"][2]["work"]["shared_wavefronts"] == 1048576);
    CHECK(json["host"]["bytes_to_host"] == 800);
    CHECK(nlohmann::json::parse(gpu::CheckReport().to_json())["clean"] == true);
}
