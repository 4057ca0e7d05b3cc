// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "report/counts_text.hpp"
#include "report/sample_results.hpp"
#include "support/golden.hpp"

using namespace course;

namespace {

void check_screen(const std::string& name, const Result& result, const Screen& screen = test::screen()) {
    test::check_golden("report", name, verdict_screen(result, screen));
}

}  // namespace

TEST_CASE("the screen of a passed answer") { check_screen("passed", test::passed()); }

TEST_CASE("the screen of the last exercise, passed") {
    Screen screen = test::screen();
    screen.next.clear();
    screen.has_solution = false;
    check_screen("passed_last", test::passed(), screen);
}

TEST_CASE("the screen of a passed answer with a picture, and with the keys of course watch below") {
    Screen screen = test::screen();
    screen.draws = screen.keys_follow = true;
    screen.picture = "what it does in add, case n = 33:\n33 of 33 elements written\n";
    check_screen("passed_with_picture", test::passed(), screen);
    check_screen("wrong_watched", test::wrong(), screen);
}

TEST_CASE("the screen of a wrong answer") {
    Screen screen = test::screen();
    screen.hints_used = 1;
    check_screen("wrong", test::wrong(), screen);
}

TEST_CASE("the screen of an answer that isn't the student's own says nothing of what is next") {
    Screen screen = test::screen();
    screen.own_answer = false;
    check_screen("wrong_planted", test::wrong(), screen);
}

TEST_CASE("the screen of an answer that crashed after it had printed something") {
    Result result = test::wrong();
    result.verdict = result.tasks[0].verdict = result.tasks[0].cases[1].verdict = Verdict::crashed;
    result.tasks[0].cases[1].difference.reset();
    result.tasks[0].cases[1].message = "the program ended itself with exit(0) during the call\nIt must return instead.";
    for (int k = 0; k < 30; ++k) result.printed += "PASS\n";
    check_screen("crashed", result);
}

TEST_CASE("what stopped a kernel in both runs is said once, by check mode") {
    Result result = test::wrong();
    TaskResult& task = result.tasks[0];
    CaseResult& shown = task.cases[1];
    result.verdict = task.verdict = shown.verdict = Verdict::crashed;
    shown.difference.reset();
    shown.message = "kernel add: block (0,0,0) thread (1,0,0) reads just past the end of x (1 element)";
    task.check.emplace();
    task.check->found.push_back({.case_name = shown.name, .finding = {}});
    Finding& finding = task.check->found.back().finding;
    finding.kind = FindingKind::out_of_bounds;
    finding.kernel = "add";
    finding.what = "out of bounds: add.cu:5 reads x[1]";
    const auto is_said = [&] {
        return verdict_screen(result, test::screen()).find("thread (1,0,0)") != std::string::npos;
    };
    CHECK_FALSE(is_said());
    finding.kernel = "mul";
    CHECK(is_said());
    finding.kernel = "add";
    finding.kind = FindingKind::missing_barrier;
    CHECK(is_said());
    finding.kind = FindingKind::out_of_bounds;
    task.check->found.back().case_name = "another case";
    CHECK(is_said());
}

TEST_CASE("the screen of an answer over a budget") {
    Result result = test::passed();
    TaskResult& task = result.tasks[1];
    result.verdict = task.verdict = Verdict::over_budget;
    task.points = 0;
    task.message = "copies_to_device: 3 counted, at most 0 (n = 257)";
    task.budgets = {{.counter = "copies_to_device", .case_name = "n = 257", .counted = 3, .at_most = 0}};
    task.check = test::checked();   // so that there are pictures, too
    check_screen("over_budget", result);
}

TEST_CASE("the screen of an answer of which two tasks failed: of the second one its cause in a line, and what helps") {
    Result result = test::wrong();
    TaskResult& second = result.tasks[1];
    const auto said = [&] {
        Screen wide = test::screen();
        wide.columns = 1000;
        const std::string screen = verdict_screen(result, wide);
        const std::size_t at = screen.find("  mul: ");
        return screen.substr(at, screen.find('\n', at) - at);
    };
    const std::string task = "  mul: z = x * y   ";
    second.verdict = Verdict::over_budget;
    second.points = 0;
    second.message = "launches: 2 counted, at most 1 (n = 257)\none expression is one launch";
    second.check = test::checked();
    CHECK(said() == task + "over budget, 0 of 2 points; launches: 2 counted, at most 1 (n = 257)");
    check_screen("two_failed", result);
    second.check->found = {test::mistake()};
    CHECK(said() == task + "over budget, 0 of 2 points; " + second.check->found[0].case_name + ": " +
                        finding_text(second.check->found[0].finding).substr(
                            0, finding_text(second.check->found[0].finding).find('\n')));
    second.check.reset();
    second.verdict = second.cases[1].verdict = Verdict::wrong;
    second.cases[1].difference = result.tasks[0].cases[1].difference;
    CHECK(said() ==
          task + "wrong, 0 of 2 points; n = 257: result[256] got NaN (never written), want 3.5; wrong: 1 of 257, never "
                 "written, all in the last block of 256");
    second.cases[1].difference.reset();
    second.cases[1].message = "the function threw\nan exception";
    CHECK(said() == task + "wrong, 0 of 2 points; n = 257: the function threw");
    second.cases[1].verdict = Verdict::passed;
    second.message.clear();
    second.predictions = {.right = 1, .total = 5, .at_least = 3, .wrong = {}};
    CHECK(said() == task + "wrong, 0 of 2 points; predictions right: 1 of 5, at least 3 must be");
}

TEST_CASE("a part that isn't begun is neither wrong nor told of; what is passed is shown in full") {
    Result result = test::passed();
    result.verdict = Verdict::wrong;  // the exercise's verdict counts it in
    TaskResult untouched;
    untouched.id = "mul";
    untouched.title = "z = x * y";
    untouched.max_points = 2;
    untouched.verdict = Verdict::not_started;
    untouched.message = "mul is as given";
    result.tasks[1] = untouched;
    check_screen("unfinished", result);
    result.tasks[0] = test::wrong().tasks[0];
    check_screen("wrong_and_not_begun", result);
}

TEST_CASE("of a passed part the first line of its counts is shown while another one is wrong") {
    Result result = test::wrong();
    for (int k = 0; k < 4; ++k) result.tasks[1].budgets.push_back({"launches", "n = 257", 1, 1});
    check_screen("wrong_and_passed", result);
}

TEST_CASE("work of kernels is left out where its words aren't taught yet") {
    Result result = test::passed();
    result.tasks[0].check = test::checked();
    Screen screen = test::screen();
    CHECK(verdict_screen(result, screen).find("    work      ") == std::string::npos);   // every counter: make counts-8
    screen.counts = true;
    CHECK(verdict_screen(result, screen).find("    work      ") != std::string::npos);
    screen.shows_work = false;
    CHECK(verdict_screen(result, screen).find("    work      ") == std::string::npos);
    result.verdict = result.tasks[0].verdict = Verdict::over_budget;
    CHECK(verdict_screen(result, screen).find("    work      ") == std::string::npos);
    screen.shows_work = true;
    CHECK(verdict_screen(result, screen).find("    work      ") != std::string::npos);
}

TEST_CASE("the screen of an answer without the work that was asked for") {
    Result result = test::passed();
    TaskResult& task = result.tasks[0];
    result.verdict = task.verdict = Verdict::not_as_asked;
    task.points = 0;
    task.message =
        "the kernel add of raw_add.cu must run with a thread for each element; no kernel of yours ran (n = 1009)";
    check_screen("not_as_asked", result);
}

TEST_CASE("the screen of predictions: those that a run refutes, with its answer; those not made yet, without") {
    Result result = test::passed();
    TaskResult& task = result.tasks[0];
    task.predictions = {.right = 3, .total = 5, .at_least = 3, .wrong = {}};
    task.predictions->wrong = {{2, "idle threads", "0", "24", "n = 1000, block = 256"},
                               {5, "value of total", "the host", "the device", "value of total"}};
    check_screen("predictions_passed", result);
    task.predictions->wrong.push_back({3, "lane of element i", "", "7", "n = 1000, block = 256"});
    task.predictions->wrong.push_back({4, "elements of x", "", "the host", "elements of x"});
    task.predictions->right = 1;
    result.verdict = task.verdict = Verdict::wrong;
    task.points = 0;
    check_screen("predictions_wrong", result);
}

TEST_CASE("the screen of a star: not begun, begun, and earned; it never hides how the rest was passed") {
    Result result = test::passed();
    TaskResult star;
    star.id = "shuffle";
    star.title = "without shared memory";
    star.star = true;
    star.verdict = Verdict::not_started;
    result.tasks.push_back(star);
    check_screen("star_not_begun", result);
    result.tasks[2] = test::wrong().tasks[0];
    result.tasks[2].id = "shuffle";
    result.tasks[2].star = true;
    result.tasks[2].max_points = 0;
    result.tasks[2].check = test::checked();
    check_screen("star_wrong", result);
    const TaskResult failed = result.tasks[2];
    result.tasks[2] = result.tasks[0];
    result.tasks[2].star = true;
    result.tasks[2].points = result.tasks[2].max_points = 0;
    check_screen("star_passed", result);
    // What gives points comes first.
    Result wrong = test::wrong();
    wrong.tasks.push_back(failed);
    Screen wide = test::screen();
    wide.columns = 200;
    CHECK(verdict_screen(wrong, wide)
              .ends_with("  shuffle: z = x + y   wrong: no star yet, and no point lost; n = 257: result[256] got NaN "
                         "(never written), want 3.5; wrong: 1 of 257, never written, all in the last block of 256\n"
                         "See what each thread did: make show-8\n"
                         "Hint: make hint-8 (0/3 used)\n"));
}

TEST_CASE("the screen of an answer that doesn't compile") {
    Result result = test::passed();
    result.verdict = Verdict::does_not_compile;
    result.environment.backend.clear();
    result.message =
        "work/08-raw-add/raw_add.cpp:31:13: error: 'threadidx' was not declared in this scope\n"
        "  31 |     int i = threadidx.x;\n     |             ^";
    for (TaskResult& task : result.tasks) task.verdict = Verdict::does_not_compile, task.points = 0, task.cases.clear();
    check_screen("does_not_compile", result);
}

TEST_CASE("the screen of an answer that is not started") {
    Result result = test::passed();
    result.verdict = Verdict::not_started;
    result.environment.backend.clear();
    result.tasks.clear();
    check_screen("not_started", result);
}

TEST_CASE("the screen of a machine that can't judge") {
    Result result = test::passed();
    result.verdict = Verdict::environment;
    result.environment.backend.clear();
    result.message =
        "the C++ compiler g++ can't be started: No such file or directory\nTo install what the kit needs: "
        "./setup";
    check_screen("environment", result);
}

TEST_CASE("the screen of a speed that was measured, clear and noisy") {
    Result result = test::passed();
    result.environment.backend = "cuda";
    result.environment.device = "NVIDIA H200";
    SpeedResult& speed = *result.tasks[0].speed;
    speed = {.speedup = 41.2,
             .low = 39,
             .high = 44,
             .at_least = 5,
             .seconds = 89e-6,
             .baseline_seconds = 3.7e-3,
             .bytes = 2.67e8,
             .pairs = 3,
             .noisy = false,
             .implausible = false,
             .graded = true,
             .note = ""};
    Screen screen = test::screen();
    screen.copy_bytes_per_second = 4.17e12;
    check_screen("speed", result, screen);
    result.verdict = result.tasks[0].verdict = Verdict::noisy;
    speed.noisy = true;
    speed.low = 4.2;
    check_screen("speed_noisy", result, screen);
    result.verdict = result.tasks[0].verdict = Verdict::too_slow;
    speed.noisy = false;
    speed.speedup = 3.1;
    check_screen("speed_too_slow", result, screen);
    result.tasks[0].points = 0;
    speed.late_seconds = 1.234e-3;
    check_screen("speed_late", result, screen);
    speed.late_seconds = 0;
    result.verdict = result.tasks[0].verdict = Verdict::review;
    speed.speedup = 412;
    speed.seconds = 9e-6;
    speed.implausible = true;
    result.tasks[0].message = "one call took 9 us: ...\nThis isn't an accusation: ...";
    check_screen("speed_review", result, screen);
}

TEST_CASE("the screen of an answer that was checked and counted") {
    Result result = test::passed();
    result.tasks[0].check = test::checked();
    result.tasks[0].budgets.push_back({"sectors_per_request", "n = 1009", 381. / 96, 4.5, ""});
    result.tasks[0].budgets.push_back({"global_reads", "n = 1009", 2018, 3027, "", 2018});
    result.tasks[0].budgets.push_back({"global_writes", "n = 1009", 1009, 1009, "", 1009});
    result.tasks[0].budgets.push_back({"launches", "n = 1009", 1, 1, "", 1, "add"});
    result.tasks[0].budgets.push_back({"threads", "n = 1009", 1024, {}, "", 1009, "add"});
    result.tasks[0].budgets.push_back({"block", "n = 1009", 256, 256, "", 256, "add"});
    result.tasks[0].budgets.push_back({"barriers_per_block", "n = 1009", 9, 10, "", {}, "add"});
    result.tasks[0].budgets.push_back({"bytes_used_percent", "n = 257", 97.35, {}, "", 80, "add"});
    result.tasks[0].budgets.push_back({"launches", "n = 1009", 1, 1, "", {}, "raw_add.cpp"});
    result.tasks[1].check = test::checked();
    CheckResult& check = *result.tasks[1].check;
    check.note = "n = 1009 and larger cases take too much time or memory for check mode";
    check.largest = "n = 257";
    WorkCounts& work = check.kernels[0].work;
    work.shared_reads = 512;
    work.shared_writes = 256;
    work.shared_requests = 24;
    work.shared_wavefronts = 60;
    work.atomics = 40;
    work.global_atomics = 8;
    work.atomic_requests = 2;
    work.atomic_turns = 33;
    check.kernels[0].lines = {{"add.cu", 7, work}};
    work.barriers = 36;
    work.warp_operations = 5;
    work.divergent_requests = 3;
    check_screen("passed_checked", result);
}

TEST_CASE("a task that has passed says what a later one will ask for, with its own count") {
    Result result = test::passed();
    TaskResult& task = result.tasks[0];
    task.ahead = "{global_reads} reads and {global_writes} writes per element; mul asks for fewer";
    const auto says = [&] {
        const std::string line = "\n    ahead     2.00 reads and 1.00 writes per element; mul";
        return verdict_screen(result, test::screen()).find(line) != std::string::npos;
    };
    CHECK(!says());   // nothing was counted
    task.check = test::checked();
    CHECK(says());
    result.verdict = result.tasks[1].verdict = Verdict::wrong;
    CHECK(!says());   // first the one that is wrong
    result.tasks[1].verdict = Verdict::passed;
    result.verdict = task.verdict = Verdict::over_budget;
    CHECK(!says());
}

TEST_CASE("the screen names the pictures that were written") {
    Result result = test::passed();
    const std::vector<DrawnImage> images = {
        {.name = "input", .rows = 1, .columns = 1, .pixels = {0}, .file = "work/08-raw-add/pictures/input.png"},
        {.name = "output", .rows = 1, .columns = 1, .pixels = {0}, .file = "work/08-raw-add/pictures/output.png"}};
    result.tasks[0].images = images;
    const std::string line = "\n    pictures  work/08-raw-add/pictures/input.png, output.png\n";
    CHECK(verdict_screen(result, test::screen()).find(line) != std::string::npos);
    result.verdict = result.tasks[0].verdict = result.tasks[0].cases[1].verdict = Verdict::wrong;
    CHECK(verdict_screen(result, test::screen()).find(line) != std::string::npos);
    for (DrawnImage& image : result.tasks[0].images) image.file.clear();
    CHECK(verdict_screen(result, test::screen()).find("pictures  ") == std::string::npos);
}

TEST_CASE("the screen of right values with a mistake in the kernel") {
    Result result = test::passed();
    TaskResult& task = result.tasks[0];
    result.verdict = task.verdict = task.cases[1].verdict = Verdict::wrong;
    task.points = 0;
    task.check.emplace();
    task.check->found = {test::mistake()};
    task.check->found[0].finding.times = 256;
    check_screen("wrong_though_right", result);
}

TEST_CASE("with values from a GPU the screen says what comes from check mode on the host") {
    Result result = test::passed();
    result.environment.backend = "cuda";
    result.environment.device = "NVIDIA H200";
    for (TaskResult& task : result.tasks) task.check = test::checked();
    check_screen("gpu_checked", result);
    TaskResult& task = result.tasks[0];
    result.verdict = task.verdict = Verdict::over_budget;
    task.message = "launches: 2 counted, at most 1 (n = 257)";
    task.budgets = {{.counter = "launches", .case_name = "n = 257", .counted = 2, .at_most = 1}};
    check_screen("gpu_over_budget", result);
    result.verdict = task.verdict = task.cases[1].verdict = Verdict::crashed;
    task.message.clear();
    task.check->found = {test::mistake(FindingKind::out_of_bounds)};
    task.check->found[0].finding.what = "out of bounds: raw_add.cu:12 reads x[257], one past the end of x";
    check_screen("gpu_crashed_though_right", result);
}

TEST_CASE("the screen with timings says where the seconds went") {
    Result result = test::passed();
    result.tasks[0].spent = {
        .drawing = 0.5, .copying = 0.25, .calls = 1.125, .baselines = 0, .comparing = 0.062, .check_mode = 0.2};
    Screen screen = test::screen();
    screen.timings = true;
    screen.build_seconds = 0.35;
    screen.probe_seconds = 0.04;
    check_screen("timings", result, screen);
}

TEST_CASE("the screen of right values that host code got from device memory") {
    Result result = test::passed();
    TaskResult& task = result.tasks[0];
    result.verdict = task.verdict = task.cases[1].verdict = Verdict::crashed;
    task.points = 0;
    task.check.emplace();
    task.check->found = {test::mistake(FindingKind::host_access)};
    Finding& finding = task.check->found[0].finding;
    finding.kernel = "";
    finding.file = "shrink.cpp";
    finding.line = 17;
    finding.what = "shrink.cpp:17: host code reads device memory (array x, element 0); bring it over with gpu::to_host";
    finding.who = "in shrink";
    finding.advice = "data() is an address on the device: on a GPU the program ends here";
    check_screen("crashed_host_access", result);
}

TEST_CASE("the screen of a wrong answer with its cause, found in another case") {
    Result result = test::wrong();
    TaskResult& task = result.tasks[0];
    task.check.emplace();
    for (const char* name : {"n = 31", "n = 31", "n = 31", "n = 31"}) {
        task.check->found.push_back(test::mistake(FindingKind::out_of_bounds));
        task.check->found.back().case_name = name;
        task.check->found.back().finding.what = "out of bounds: raw_add.cu:12 reads x[31], just past the end of x[31]";
    }
    task.check->found[1].finding.what = "";
    task.check->found[1].finding.who = "";
    task.check->found[2].finding.what = "something at no place";
    task.check->more_found = 7;
    check_screen("wrong_with_cause", result);
}

TEST_CASE("the screen of a wrong answer shows the case that tells most") {
    Result result = test::wrong();
    TaskResult& task = result.tasks[0];
    task.cases[0].verdict = task.cases[2].verdict = Verdict::wrong;  // n = 0: one element of one
    task.cases[0].difference = task.cases[1].difference;
    task.cases[0].difference->total = 1;
    CHECK(verdict_screen(result, test::screen()).find("case n = 257 ") != std::string::npos);
    result.verdict = task.verdict = task.cases[2].verdict = Verdict::crashed;
    task.cases[2].message = "your code crashed";
    CHECK(verdict_screen(result, test::screen()).find("case n = 1009 ") != std::string::npos);
}

TEST_CASE("the screen of an answer over a budget of kernels' work") {
    Result result = test::passed();
    TaskResult& task = result.tasks[0];
    result.verdict = task.verdict = Verdict::over_budget;
    task.points = 0;
    task.message =
        "bytes_used_percent: 12 counted, at least 80 (n = 1009)\n"
        "raw_add.cu:5 uses 12% of the bytes that it moves (32.0 sectors of 32 bytes per request where 4.0 would "
        "do): let neighbouring threads read and write neighbouring elements";
    task.check = test::checked();
    task.budgets = {{.counter = "bytes_used_percent", .case_name = "n = 1009", .counted = 12, .at_least = 80}};
    check_screen("over_budget_work", result);
}

TEST_CASE("the screen with counts draws them beside the student's lines") {
    Result result = test::passed();
    result.tasks[0].check = test::checked();
    Screen screen = test::screen();
    screen.counts = true;
    screen.sources = {{"raw_add.cpp", "#include \"exercise.hpp\"\n"},
                      {"raw_add.cu",
                       "// two kernels\n\n__global__ void add(const float* x, float* z, int n) {\n"
                       "\tconst int i = threadIdx.x;\n    const float sum = x[i] + x[i + 1];\n"
                       "    z[i] = sum;\n}\n\n__global__ void mul() {\n}\n"}};
    check_screen("counts", result, screen);
    for (KernelCounts& kernel : result.tasks[0].check->kernels)  // lines that the runner made up
        kernel.lines = {{"raw_add.cu", 1'000'000, kernel.work}, {"other.cu", 3, kernel.work}, {"", 0, kernel.work}};
    CHECK(verdict_screen(result, screen).find("| raw_add.cu:1000000") != std::string::npos);
    screen.sources.clear();
    CHECK(verdict_screen(result, screen).find("work of the kernels") != std::string::npos);
    result.tasks[0].check->kernels.clear();
    CHECK(verdict_screen(result, screen).find("work of the kernels") == std::string::npos);
}

TEST_CASE("notes of the collector stand below the head") {
    Screen screen = test::screen();
    screen.notes = {"work/08-raw-add/raw_add.cu begins with a byte-order mark; it was left out"};
    check_screen("notes", test::passed(), screen);
}

TEST_CASE("colour adds nothing but colour") {
    Screen screen = test::screen();
    screen.style = Style(true);
    std::string coloured = verdict_screen(test::wrong(), screen);
    CHECK(coloured.find("\x1b[31mwrong\x1b[0m") != std::string::npos);
    for (std::size_t at = 0; (at = coloured.find('\x1b', at)) != coloured.npos;)
        coloured.erase(at, coloured.find('m', at) - at + 1);
    screen.style = Style(false);
    CHECK(coloured == verdict_screen(test::wrong(), screen));
}

TEST_CASE("durations and rates are written in the unit that suits them") {
    CHECK(duration_text(0) == "0 us");
    CHECK(duration_text(89.4e-6) == "89 us");
    CHECK(duration_text(1.234e-3) == "1.23 ms");
    CHECK(duration_text(2.5) == "2.5 s");
    CHECK(rate_text(3.04e12) == "3.0 TB/s");
    CHECK(rate_text(12.3e9) == "12 GB/s");
    CHECK(rate_text(1.5e9) == "1.5 GB/s");
}
