// SPDX-License-Identifier: MIT
// A verdict is two runs: values from the chosen device, findings and counts from check mode on the host. Here the
// chosen device is the host backend's second one; a GPU takes the same way.
#include <unistd.h>

#include <doctest/doctest.h>

#include <filesystem>

#include <nlohmann/json.hpp>

#include "loop/toy_course.hpp"
#include "support/folder.hpp"

using test::Ran, test::ToyCourse;
namespace fs = std::filesystem;

namespace {

/// The verdict of exercise 2 with values from the second device.
nlohmann::json judged_on_the_second(const ToyCourse& toy, const std::string& from) {
    course::Command command = toy.command({"run", "2", "--json", "--from", (toy / from).string()});
    ToyCourse::set(command, "LIBGPU_DEVICE", "host:1");
    ToyCourse::set(command, "LIBGPU_HOST_DEVICES", "2");
    const Ran ran = toy.run(command);
    return nlohmann::json::parse(ran.text.substr(ran.text.find('{')));  // perhaps behind progress lines
}

/// The answer to exercise 2 with this in front of its launch.
void answer(const ToyCourse& toy, const std::string& statement) {
    toy.solve("02-shift");
    toy.change("work/02-shift/shift.cpp", "    kernel(", "    " + statement + "\n    kernel(");
}

}  // namespace

TEST_CASE("a mistake without consequence on the chosen device is found in check mode on the host") {
    const ToyCourse toy;
    const nlohmann::json json = judged_on_the_second(toy, "exercises/02-shift/wrong/race");
    CHECK(json["status"] == "wrong");
    CHECK(json["tasks"][0]["check"]["found"][0]["kind"] == "missing barrier");
    for (const auto& one : json["tasks"][0]["cases"]) CHECK(one["difference"].is_null());  // the values are right
    CHECK(judged_on_the_second(toy, "solutions/02-shift")["status"] == "passed");
}

TEST_CASE("values that are right on the chosen device and wrong on the host are wrong") {
    const ToyCourse toy;
    answer(toy, "if (gpu::Device::current().index() == 0) return y;");
    const nlohmann::json json = judged_on_the_second(toy, "work/02-shift");
    CHECK(json["status"] == "wrong");
    const std::string message = json["tasks"][0]["cases"][0]["message"];
    CHECK(message.starts_with("right in the usual run, and wrong in check mode"));
}

TEST_CASE("budgets are judged by the counts of check mode, not by those of the chosen device") {
    const ToyCourse toy;
    const std::string once_more = " kernel({.grid = (n + 255) / 256, .block = 256}, x, y, n);";
    answer(toy, "if (gpu::Device::current().index() == 0)" + once_more);
    const nlohmann::json twice_there = judged_on_the_second(toy, "work/02-shift");
    CHECK(twice_there["status"] == "over budget");
    const std::string message = twice_there["tasks"][0]["message"];
    CHECK(message.starts_with("launches: 2 counted, exactly 1 (n = 257)\n"));
    CHECK(twice_there["tasks"][0]["cases"][0]["counts"]["launches"] == 1);
    CHECK(twice_there["tasks"][0]["cases"][0]["checked_counts"]["launches"] == 2);
    answer(toy, "if (gpu::Device::current().index() == 1)" + once_more);
    CHECK(judged_on_the_second(toy, "work/02-shift")["status"] == "passed");
}

TEST_CASE("a speed line is measured with a real runner, and its baseline is kept for the next run") {
    const ToyCourse toy;
    toy.change("exercises/02-shift/exercise.toml", "budgets = { launches = { exactly = 1 } }",
               "budgets = { launches = { exactly = 1 } }\nspeed = { at_least = 0.0001, elements = 5000000 }");
    toy.change(
        "exercises/02-shift/check.cpp", "ulps(1));\n    }\n",
        "ulps(1));\n    }\n"
        "    speed([&] {\n"
        "        auto x = draw.uniform(speed_elements(), -1, 1);\n"
        "        timed(8.0 * x.size(), [&] { return x + 1; }, \"shift\", x).returns(x.cast<double>() + 1, ulps(1));\n"
        "    });\n");
    // A check of this run's own: an earlier one's baseline isn't its.
    toy.change("exercises/02-shift/check.cpp", "#include", "// " + std::to_string(::getpid()) + "\n#include");
    const auto run = [&](const std::string& from) {
        const Ran ran = toy.run({"run", "2", "--json", "--timings", "--from", (toy / from).string()});
        return nlohmann::json::parse(ran.text.substr(ran.text.find('{')));
    };
    nlohmann::json json = run("solutions/02-shift");
    CHECK(json["status"] == "passed");
    nlohmann::json speed = json["tasks"][0]["measurements"]["speed"];
    CHECK(speed["pairs"] == 3);
    CHECK(speed["kept_baseline"] == false);
    CHECK(speed["graded"] == false);  // no GPU
    CHECK(json["tasks"][0]["cases"].back()["elements"] == 5000000);
    json = run("solutions/02-shift");
    CHECK(json["tasks"][0]["measurements"]["speed"]["kept_baseline"] == true);
    json = run("exercises/02-shift/wrong/two-launches");  // the values are right, and so is the timed call's
    CHECK(json["status"] == "over budget");
    CHECK(json["tasks"][0]["measurements"]["speed"]["pairs"] == 3);
    const Ran shown = toy.run({"run", "2", "--timings", "--from", (toy / "solutions/02-shift").string()});
    CHECK(test::unwrapped(shown.text).find("on the host backend: shown, not graded") != std::string::npos);
    CHECK(shown.text.find("\n  Seconds: ") != std::string::npos);
    CHECK(shown.text.find("; drawing ") != std::string::npos);
}
