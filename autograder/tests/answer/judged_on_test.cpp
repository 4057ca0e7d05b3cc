// SPDX-License-Identifier: MIT
// What an answer is judged on, with a probe's answer in place of a GPU: the runners compute on the host, and everything
// else takes a GPU's way.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "answer/judge_answer.hpp"
#include "answer/judged_on.hpp"
#include "build/exercise_build.hpp"
#include "support/folder.hpp"

using namespace course;
namespace fs = std::filesystem;

namespace {

ProbeAnswer found_gpu() {
    ProbeAnswer found;
    found.backend = "cuda";
    found.device = "host";   // for the runners
    found.name = "a GPU";
    found.uuid = "GPU-of-judged-on-test";
    found.copy_bytes_per_second = 1e12;
    return found;
}

/// The toy course's first exercise, and an answer to it.
struct ToyAnswer {
    test::Folder folder;
    Kit kit;
    Manifest manifest;

    explicit ToyAnswer(SandboxUse use) {
        fs::copy(fs::path(COURSE_SOURCE_DIR) / "autograder/tests/toy", folder / "course", fs::copy_options::recursive);
        kit.root = folder / "course";
        kit.toolchain = Toolchain::configured();
        kit.toolchain.sandbox = use;
        manifest = kit.manifest(1);
    }

    /// The solution, with this above the return of its first function.
    void answer(const std::string& statement, const std::string& above = "") const {
        const std::string solution = test::read(folder / "course/solutions/01-twice/twice.cpp");
        folder.write("answer/twice.cpp",
                     above + test::replaced(solution, "    return 2 * x;", statement + "\n    return 2 * x;"));
    }

    [[nodiscard]] JudgedAnswer judge(const fs::path& hidden = {}) const {
        const ProbeAnswer found = found_gpu();
        return judge_answer(kit, {.manifest = manifest, .folder = folder / "answer", .options = {},
                                  .hidden_check = hidden, .device = &found});
    }

    /// Further cases of the first task.
    [[nodiscard]] fs::path hidden_check() const {
        folder.write("hidden/check.cpp", "#include <course/check.hpp>\n"
                                         "GRADER_TASK(twice, \"number\") {\n"
                                         "    call(\"twice\", 12345).returns(24690.0);\n}\n");
        fs::create_directories(folder / "scratch");
        return build_hidden_check(kit.toolchain, manifest, folder / "hidden/check.cpp", folder / "objects",
                                  folder / "scratch");
    }
};

}  // namespace

TEST_CASE("hidden cases run where the answer was judged: outside the sandbox on a GPU, if COURSE_SANDBOX says host") {
    for (const SandboxUse use : {SandboxUse::but_on_gpu, SandboxUse::everywhere}) {
        const ToyAnswer toy(use);
        toy.folder.write("outside", "");
        toy.answer("    if (x > 99 && !std::ifstream(\"" + (toy.folder / "outside").string() + "\")) return 0;",
                   "#include <fstream>\n");
        const JudgedAnswer judged = toy.judge(toy.hidden_check());
        INFO(judged.result.message);
        CHECK(judged.result.verdict == Verdict::passed);
        REQUIRE(judged.hidden);
        INFO(judged.hidden->message);
        const bool is_closed = use == SandboxUse::everywhere && available_tiers().landlock > 0;
        CHECK(judged.hidden->verdict == (is_closed ? Verdict::wrong : Verdict::passed));
        CHECK(judged.result.environment.backend == "cuda");
        CHECK(judged.result.environment.device == "a GPU");
        CHECK(judged.result.environment.sandbox == tiers_around_answer(use, true).names());
        CHECK(judged.screen.copy_bytes_per_second == 1e12);
    }
}

TEST_CASE("an answer that changed its own files was still judged somewhere, and keeps its warnings") {
    const ToyAnswer toy(SandboxUse::off);
    toy.answer("    x == 1;", "#include <fstream>\n"
                                      "static const bool changed = [] {\n"
                                      "    std::ofstream(__FILE__, std::ios::app) << \"// more\";\n"
                                      "    return true;\n}();\n");
    const JudgedAnswer judged = toy.judge();
    CHECK(judged.result.verdict == Verdict::crashed);
    CHECK(judged.result.message.starts_with("the answer changed its own files while it ran: "));
    CHECK(judged.result.environment.backend == "cuda");
    CHECK(judged.result.environment.device == "a GPU");
    CHECK_FALSE(judged.result.environment.compiler.empty());
    CHECK_FALSE(judged.result.environment.kit_version.empty());
    CHECK(judged.result.warnings.size() == 1);
}

TEST_CASE("an exercise that can't use the GPUs found is judged on the host backend, and says why") {
    Manifest manifest;
    manifest.devices = 1;
    const ProbeAnswer found = found_gpu();
    JudgedOn on = judged_on(found, manifest);
    CHECK(on.on_gpu());
    CHECK(on.uuid == found.uuid);
    CHECK(on.unused_gpu.empty());
    CHECK(on.note.empty());
    manifest.devices = 2;
    on = judged_on(found, manifest);
    CHECK_FALSE(on.on_gpu());
    CHECK(on.device == "host");
    CHECK(on.unused_gpu == "the exercise takes 2 devices, this machine has 1 GPU");
    CHECK(on.note.starts_with(on.unused_gpu + ": judged on devices of the host backend"));
    manifest.devices = 1;
    manifest.is_program = true;
    on = judged_on(found, manifest);
    CHECK_FALSE(on.on_gpu());
    CHECK(on.note == on.unused_gpu);
    ProbeAnswer none;
    none.backend = none.device = "host";
    none.why_no_gpu = "no driver";
    on = judged_on(none, manifest);
    CHECK(on.unused_gpu == "no driver");
    CHECK(on.note.empty());
}
