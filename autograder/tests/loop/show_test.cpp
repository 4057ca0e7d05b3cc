// SPDX-License-Identifier: MIT
#include <future>
#include <iterator>
#include <set>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "answer/case_to_look_at.hpp"
#include "commands/commands.hpp"
#include "loop/toy_course.hpp"

using test::Ran, test::ToyCourse;
namespace fs = std::filesystem;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
    return times;
}

}  // namespace

TEST_CASE("show draws the case that the verdict shows, and the page lies in work/show") {
    const ToyCourse toy;
    toy.solve("02-shift");
    toy.write("work/02-shift/shift.cu", toy.planted("02-shift", "wrong/race", "shift.cu"));
    const Ran verdict = toy.run({"run", "2"});
    CHECK(verdict.text.find("See what each thread did: make show-2") != std::string::npos);
    const Ran shown = toy.run({"show", "2"});
    CHECK(shown.code == 0);
    CHECK(shown.text.find("Pictures of shift, case n = ") != std::string::npos);
    CHECK(shown.text.find("work/show/02-shift-shift.html") != std::string::npos);
    const std::string page = toy.read("work/show/02-shift-shift.html");
    CHECK(page.find("<h1>Exercise 2 shift: shift</h1>") != std::string::npos);
    CHECK(page.find("missing barrier") != std::string::npos);
    CHECK(page.find("shift.cu:5") != std::string::npos);
    CHECK(page.find(toy.scratch().string()) == std::string::npos);
    CHECK(fs::is_empty(toy.scratch()));

    const Ran text = toy.run({"show", "2", "--text", "--case", "n=1"});
    CHECK(text.code == 0);
    CHECK(text.text.find("1 of 1 elements written") != std::string::npos);
    const Ran svg = toy.run({"show", "2", "--svg", "races"});
    CHECK(svg.text.find("<svg xmlns") != std::string::npos);
    const Ran json = toy.run({"show", "2", "--json", "--out", (toy / "trace.json").string()});
    CHECK(json.code == 0);
    CHECK(nlohmann::json::parse(toy.read("trace.json")).at("launches").size() == 1);

    CHECK(toy.run({"show", "2", "--compare", "exercises/02-shift/wrong/by-two"}).code == 0);
    toy.write("other/shift.cu", toy.planted("02-shift", "wrong/by-two", "shift.cu"));
    const Ran other = toy.run({"show", "2", "--compare", "other/shift.cu"});
    CHECK(other.code == 0);
    const std::string both = toy.read("work/show/02-shift-shift.html");
    CHECK(count(both, "<article>") == 2);
    CHECK(count(both, "<main class=\"two\">") == 1);
    CHECK(both.find("<h2>shift.cu</h2>") != std::string::npos);
    const Ran early = toy.run({"show", "2", "--compare", "solution"});
    CHECK(early.code == 3);
    CHECK(early.text.find("is shown once yours has passed") != std::string::npos);
    toy.solve("02-shift");
    CHECK(toy.run({"run", "2"}).code == 0);
    CHECK(toy.run({"show", "2", "--compare", "solution"}).code == 0);
}

TEST_CASE("show says what it can't draw, and what to type instead") {
    const ToyCourse toy;
    const Ran untouched = toy.run({"show", "2"});
    CHECK(untouched.code == 3);
    CHECK(untouched.text.find("no pictures") != std::string::npos);
    toy.solve("02-shift");
    CHECK(toy.run({"show", "2", "--task", "lift"}).text.find("exercise 2 has shift") != std::string::npos);
    const Ran no_case = toy.run({"show", "2", "--case", "n=7"});
    CHECK(no_case.code == 1);
    CHECK(no_case.text.find("it has no case \"n=7\"; there are n=1") != std::string::npos);
    CHECK(toy.run({"show", "2", "--svg", "painting"}).code == 4);
    CHECK(toy.run({"show", "2", "--compare", "nowhere.cu"}).text.find("there is no such file or folder") !=
          std::string::npos);
    CHECK(toy.run({"show", "2", "--out", "/nowhere/page.html"}).code == 4);
    toy.write("work/02-shift/shift.cu", "__global__ void shift(const float* x, float* y, int n) { y[0] = }\n");
    const Ran broken = toy.run({"show", "2"});
    CHECK(broken.code != 0);
    CHECK(broken.text.find("shift.cu:1") != std::string::npos);
    toy.write("work/02-shift/shift.cu",
              "__global__ void shift(const float* x, float* y, int n) { while (true) { y[0] = 1; } }\n");
    const Ran endless = toy.run({"show", "2", "--case", "n=1", "--text"});
    CHECK(endless.text.find("endless loop") != std::string::npos);
    toy.answer("return 2 * x;");  // no kernel in it: no device code at all
    CHECK(toy.run({"show", "1", "--text"}).text.find("No kernel was launched.") != std::string::npos);
}

TEST_CASE("a full disk is said, and the page that was there stays whole") {
    const ToyCourse toy;
    toy.solve("02-shift");
    const Ran full = toy.run({"show", "2", "--out", "/dev/full"});
    CHECK(full.code == 4);
    CHECK(full.text.find("/dev/full: No space left on device") != std::string::npos);
    CHECK(fs::is_character_file("/dev/full"));
    const Ran printed = toy.run({"show", "2", "--svg", "map", "--out", "/dev/stdout"});
    CHECK(printed.code == 0);
    CHECK(printed.text.find("</svg>") != std::string::npos);

    // A disk of 8 KiB, in a namespace of its own.
    course::Command command = toy.command({"show", "2", "--out"});
    const std::string disk = (toy / "disk").string();
    fs::create_directories(disk);
    const std::string script =
        "disk=$1; shift; mount -t tmpfs -o size=8k,nr_inodes=8 tmpfs $disk || exit 77; echo before > $disk/page.html; "
        "\"$@\" $disk/page.html; code=$?; cat $disk/page.html; echo files: $(ls -A $disk); exit $code";
    std::vector<std::string> wrapped{"unshare", "--mount", "--map-root-user", "sh", "-c", script, "sh", disk};
    wrapped.insert(wrapped.end(), command.arguments.begin(), command.arguments.end());
    command.arguments = wrapped;
    const Ran small = toy.run(command);
    if (small.code == 77 || small.text.find("unshare: ") != std::string::npos)
        return test::skip("show on a full disk", "this machine has no namespaces for mounts: " + small.text);
    CHECK(small.code == 4);
    CHECK(small.text.find("page.html: No space left on device") != std::string::npos);
    CHECK(small.text.find("before\nfiles: page.html\n") != std::string::npos);
}

TEST_CASE("two shows at once both end with a whole page") {
    const ToyCourse toy;
    toy.solve("02-shift");
    const auto start = [&](const std::string& which) {
        return std::async(std::launch::async, [&toy, which] { return toy.run({"show", "2", "--case", which}); });
    };
    const std::string path = "work/show/02-shift-shift.html";
    std::set<std::string> pages;
    for (const char* const which : {"n=1", "n=257"}) {
        CHECK(toy.run({"show", "2", "--case", which}).code == 0);
        pages.insert(toy.read(path));
    }
    CHECK(pages.size() == 2);
    for (int round = 0; round < 3; ++round) {
        fs::remove(toy / path);
        auto one = start("n=1"), other = start("n=257");
        for (const Ran& ran : {one.get(), other.get()}) {
            CHECK(ran.code == 0);
            CHECK(ran.text.find("Pictures of shift") != std::string::npos);
        }
        CHECK(pages.count(toy.read(path)) == 1);
        CHECK(std::distance(fs::directory_iterator(toy / "work/show"), fs::directory_iterator()) == 1);
    }
}

TEST_CASE("where a budget isn't kept, the case to look at shows it") {
    using namespace course;
    const Task task;
    TaskResult result;
    result.verdict = Verdict::over_budget;
    std::vector<ReplayableCase> kept;
    for (const std::int64_t n : {0, 1, 31, 33, 257, 1000}) {
        CaseResult one;
        one.name = "n = " + std::to_string(n);
        one.elements = n;
        one.empty = n == 0;
        one.verdict = Verdict::passed;
        kept.push_back({.index = result.cases.size(), .elements = n, .arguments = {}, .expected = {}});
        result.cases.push_back(one);
    }
    const auto chosen = [&](const std::string& wanted) {
        const ReplayableCase* const one = case_to_look_at({task, result, kept}, wanted);
        return one == nullptr ? "none" : result.cases[one->index].name;
    };
    CHECK(chosen("") == "n = 257");  // nothing is wrong: neither trivial nor large
    BudgetResult budget{.counter = "atomics", .case_name = "n = 1", .counted = 1};
    budget.at_most = 0.5;
    budget.broken = {{"n = 0", 9}, {"n = 1", 2}, {"n = 31", 1.1}, {"n = 33", 33}, {"n = 257", 128}};
    result.budgets = {BudgetResult{.counter = "launches", .case_name = "n = 1", .counted = 1}, budget};
    CHECK(chosen("") == "n = 33");
    CHECK(chosen("n=1") == "n = 1");
    result.budgets[1].broken = {{"n = 1", 1.2}, {"n = 31", 1.4}, {"n = 257", 1.1}};
    CHECK(chosen("") == "n = 31");  // nowhere plainly: where it is broken most
    result.budgets[1].broken = {{"n = 1", 1.4}, {"n = 31", 1.4}, {"n = 257", 1.4}};
    CHECK(chosen("") == "n = 31");  // everywhere alike: not one element, where rows and copies look the same
    result.budgets[1].broken = {{"n = 5000", 50}};
    CHECK(chosen("") == "n = 257");  // that one isn't at hand
}

TEST_CASE("the task to look at failed with something to see; one that isn't begun comes last") {
    using namespace course;
    const std::vector<ReplayableCase> kept{{.index = 0, .elements = 100, .arguments = {}, .expected = {}}};
    std::vector<Task> tasks(3);
    std::vector<TaskResult> results(3);
    std::vector<bool> begun(3, true), has_case(3, true);
    for (std::size_t k = 0; k < 3; ++k) {
        tasks[k].id = std::string(1, static_cast<char>('a' + k));
        results[k].cases.emplace_back().name = "n = 100";
    }
    const auto set = [&](std::size_t k, Verdict verdict, int launches) {
        results[k].verdict = results[k].cases[0].verdict = verdict;
        results[k].cases[0].counts.launches = static_cast<std::uint64_t>(launches);
    };
    const auto chosen = [&](const WantedCase& wanted = {}) {
        std::vector<JudgedTask> judged;
        for (std::size_t k = 0; k < 3; ++k)
            judged.push_back({tasks[k], results[k], has_case[k] ? kept : std::span<const ReplayableCase>(), begun[k]});
        const ChosenCase found = case_to_look_at(judged, wanted);
        CHECK((found.one != nullptr) == (found.task != nullptr && found.task->kept.size() == 1));
        return found.task == nullptr ? "none" : found.task->task.id;
    };
    for (std::size_t k = 0; k < 3; ++k) set(k, Verdict::passed, 1);
    CHECK(chosen() == "a");  // all passed
    CHECK(chosen({.task = "b", .case_name = ""}) == "b");
    results[0].cases[0].counts.launches = 0;
    CHECK(chosen() == "b");
    set(0, Verdict::passed, 1);
    set(2, Verdict::wrong, 1);
    CHECK(chosen() == "c");
    begun[2] = false;
    CHECK(chosen() == "b");  // the last one that was worked on
    CHECK(chosen({.task = "c", .case_name = ""}) == "c");
    begun[2] = true;
    set(2, Verdict::wrong, 0);  // a prediction, or done on the CPU
    CHECK(chosen() == "b");
    set(2, Verdict::crashed, 0);  // nobody knows
    CHECK(chosen() == "c");
    set(2, Verdict::wrong, 0);
    results[2].cases[0].counts.copies_to_device = 1;
    CHECK(chosen() == "b");
    CHECK(chosen({.task = "", .case_name = "", .look_for = LookFor::requests}) == "c");
    set(1, Verdict::wrong, 0);
    set(2, Verdict::wrong, 1);
    CHECK(chosen() == "c");
    has_case[2] = false;
    CHECK(chosen() == "a");
    has_case[0] = has_case[1] = false;
    CHECK(chosen() == "c");  // to say that it has none
}

TEST_CASE("two pages become one") {
    CHECK(course::without_blanks("n = 33, blocks = 1") == "n=33,blocks=1");
    const std::string a = "<main class=\"one\">\n<article>\nA</article>\n</main>",
                      b = "<main class=\"one\">\n<article>\nB</article>\n</main>";
    CHECK(course::side_by_side(a, "yours", b, "theirs") ==
          "<main "
          "class=\"two\">\n<article>\n<h2>yours</h2>\nA</article>\n<article>\n<h2>theirs</h2>\n\nB</article>\n</main>");
    CHECK(course::side_by_side(a, "yours", "nothing", "theirs") == a);
}
