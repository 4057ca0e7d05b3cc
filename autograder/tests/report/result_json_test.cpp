// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "report/result_json.hpp"
#include "report/sample_results.hpp"
#include "support/golden.hpp"

using namespace course;

TEST_CASE("result.json of a wrong answer") {
    test::check_golden("report", "result_wrong_json", result_json(test::wrong()));
}

TEST_CASE("result.json of an answer in which check mode found a mistake") {
    Result result = test::wrong();
    result.tasks[0].check = test::checked();
    result.tasks[0].check->found = {test::mistake()};
    result.tasks[0].check->more_found = 2;
    result.tasks[0].cases[1].work = result.tasks[0].check->kernels[0].work;
    const nlohmann::json json = nlohmann::json::parse(result_json(result));
    const nlohmann::json& check = json["tasks"][0]["check"];
    test::check_golden("report", "result_check_json", check.dump(2) + "\n");
    CHECK(json["tasks"][0]["cases"][1]["work"]["global_reads"] == 2018);
    CHECK(json["tasks"][0]["cases"][0]["work"].is_null());
    CHECK(json["tasks"][1]["check"].is_null());
}

TEST_CASE("result.json holds a task's predictions") {
    Result result = test::passed();
    result.tasks[0].predictions = {
        .right = 1, .total = 2, .at_least = 2, .wrong = {{2, "idle threads", "0", "24", "n = 1000"}}};
    const nlohmann::json json = nlohmann::json::parse(result_json(result));
    CHECK(json["tasks"][0]["predictions"].dump() ==
          R"({"at_least":2,"right":1,"total":2,"wrong":[{"case":"n = 1000","number":2,"predicted":"0","shown":"24",)"
          R"("what":"idle threads"}]})");
    CHECK(json["tasks"][1]["predictions"].is_null());
}

TEST_CASE("result.json counts stars, and says which tasks may earn one") {
    Result result = test::passed();
    result.tasks[1].star = true;
    result.tasks[1].max_points = result.tasks[1].points = 0;
    nlohmann::json json = nlohmann::json::parse(result_json(result));
    CHECK(json["stars"] == 1);
    CHECK(json["max_stars"] == 1);
    CHECK(json["points"] == 2);
    CHECK_FALSE(json["tasks"][0]["star"].get<bool>());
    CHECK(json["tasks"][1]["star"].get<bool>());
    result.tasks[1].verdict = Verdict::not_started;
    json = nlohmann::json::parse(result_json(result));
    CHECK(json["stars"] == 0);
    CHECK(json["status"] == "passed");
    CHECK(json["tasks"][1]["status"] == "not started");
}

TEST_CASE("result.json lists a task's pictures, written or not") {
    Result result = test::passed();
    result.tasks[0].images = {
        {.name = "output", .rows = 2, .columns = 3, .pixels = {1, 2, 3, 4, 5, 6}, .file = "work/output.png"},
        {.name = "input", .rows = 1, .columns = 1, .pixels = {0}}};
    const nlohmann::json json = nlohmann::json::parse(result_json(result));
    CHECK(json["tasks"][0]["images"].dump() ==
          R"([{"columns":3,"file":"work/output.png","name":"output","rows":2},)"
          R"({"columns":1,"file":"","name":"input","rows":1}])");
    CHECK(json["tasks"][1]["images"].empty());
}

TEST_CASE("result.json is valid whatever the student's code printed and computed") {
    Result result = test::wrong();
    result.printed = "\xFF\xFE \"quotes\" \\ \x01 </script>";
    result.tasks[0].cases[0].worst_error = std::numeric_limits<double>::infinity();
    result.tasks[0].cases[1].worst_error = std::numeric_limits<double>::quiet_NaN();
    const nlohmann::json json = nlohmann::json::parse(result_json(result));
    CHECK(json["schema"] == 5);
    CHECK(json["printed"].get<std::string>().find("\"quotes\" \\ \x01 </script>") != std::string::npos);
    CHECK(json["tasks"][0]["cases"][0]["worst_error"].is_null());
    CHECK(json["seed"] == "18446744073709551615");
}

TEST_CASE("result.json is written in one go") {
    const test::Folder folder;
    write_result_json(test::wrong(), folder / "result.json");
    write_result_json(test::passed(), folder / "result.json");
    CHECK(test::read(folder / "result.json") == result_json(test::passed()));
    int files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
    CHECK(files == 1);
}
