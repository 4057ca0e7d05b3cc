// SPDX-License-Identifier: MIT
#include "judge/plugin.hpp"

#include <fstream>

#include <doctest/doctest.h>

#include <unistd.h>

#include "build/compile.hpp"
#include "judge/checks.hpp"

using namespace course;
using namespace course::testing;

namespace fs = std::filesystem;

namespace {

/// A folder that goes with its test.
class Scratch {
public:
    Scratch() : path_(fs::temp_directory_path() / ("course-plugin-test-" + std::to_string(::getpid()))) {
        fs::create_directories(path_);
    }
    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    [[nodiscard]] fs::path build(const std::string& name, const std::string& text) const {
        const fs::path source = path_ / (name + ".cpp"), object = path_ / (name + ".so");
        std::ofstream(source) << text;
        const Toolchain toolchain = Toolchain::configured();
        std::vector<std::string> command = check_flags(toolchain);
        command.insert(command.end(), {source.string(), "-o", object.string()});
        const ProcessResult result = compile(toolchain, command, path_, 300);
        REQUIRE_MESSAGE(result.succeeded(), result.output);
        return object;
    }
    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

constexpr const char* sample_check = R"cpp(
#include <course/check.hpp>
GRADER_TASK(sample, "add") {
    for (int n : sizes::edges) {
        auto x = draw.uniform(n), y = draw.uniform(n);
        call("add", x, y).returns(x.cast<double>() + y.cast<double>(), ulps(1));
    }
}
GRADER_TASK(sample, "broken") {
    auto x = draw.uniform(3);
    const Vector<float> y = x + draw.uniform(4);
    call("add", x, y).returns(x);
}
)cpp";

}  // namespace

TEST_CASE("a check is loaded from its plug-in and judges; its mistakes are reported, not fatal") {
    const Scratch scratch;
    const Manifest manifest = sample_manifest({"add", "broken"});
    const CheckPlugin plugin = CheckPlugin::load(scratch.build("sample", sample_check), manifest);
    CHECK(plugin.task("add").task == std::string("add"));
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        return returned({value_of(sum_of(arguments), arguments[0].shape)});
    });
    const Result result = judge(manifest, plugin, caller, {.seed = 1});
    CHECK(result.tasks.at(0).verdict == Verdict::passed);
    CHECK(result.tasks.at(1).verdict == Verdict::environment);
    CHECK(result.message.starts_with("the check of task \"broken\" can't be used: Eigen, in check.cpp: not true: "));

    // What a crash throws is unwound through the plug-in.
    ScriptedCaller crashing([](const std::string&, auto) { return failed(Outcome::crashed, "crashed"); });
    CHECK(judge(manifest, plugin, crashing, {.seed = 1}).tasks.at(0).verdict == Verdict::crashed);
    CHECK(crashing.calls == 1);   // the second task's mistake is found before its call

    // A second plug-in has its own tasks, not the first one's.
    const Manifest other = sample_manifest({"scale"});
    const CheckPlugin second = CheckPlugin::load(
        scratch.build("other", "#include <course/check.hpp>\nGRADER_TASK(sample, \"scale\") {}\n"), other);
    CHECK(second.task("scale").next == nullptr);
    CHECK_THROWS_AS((void)second.task("add"), ManifestError);
}

TEST_CASE("plug-ins loaded one after the other have their own tasks: a grader of a class judges many exercises") {
    const Scratch scratch;
    // A unique symbol keeps an object loaded: the standard library's headers bring some.
    const std::string unique =
        "#include <course/check.hpp>\n"
        "template <class T> struct [[gnu::visibility(\"default\")]] Kept { static inline T one; };\n";
    for (const std::string task : {"add", "scale", "split", "add"}) {
        const fs::path object =
            scratch.build(task, unique + "GRADER_TASK(sample, \"" + task + "\") { Kept<int>::one += 1; }\n");
        const Manifest manifest = sample_manifest({task});
        CHECK(CheckPlugin::load(object, manifest).task(task).task == std::string(task));
    }
}

TEST_CASE("a loaded plug-in stays as it is while its file is overwritten") {
    const Scratch scratch;
    const fs::path object = scratch.build("sample", sample_check);
    const CheckPlugin plugin = CheckPlugin::load(object, sample_manifest({"add", "broken"}));
    std::ofstream(object, std::ios::binary | std::ios::in) << std::string(fs::file_size(object), '\0');   // in place
    CHECK(plugin.task("add").task == std::string("add"));
    CHECK(plugin.task("broken").task == std::string("broken"));
}

TEST_CASE("a plug-in with other tasks than the manifest is refused, with both lists") {
    CheckRegistration add("sample", "add", nullptr), scale("sample", "scale", nullptr), again("sample", "add", nullptr);
    CheckRegistration stranger("first_port", "add", nullptr);
    add.next = nullptr;
    scale.next = &add;
    again.next = &add;
    stranger.next = nullptr;
    CHECK_NOTHROW(CheckPlugin(&scale, sample_manifest({"add", "scale"})));
    CHECK_THROWS_WITH_AS(CheckPlugin(&scale, sample_manifest({"add", "split"})),
                         "check.cpp of exercises/99-sample checks the tasks: add, scale; "
                         "exercise.toml lists: add, split", ManifestError);
    CHECK_THROWS_AS(CheckPlugin(&scale, sample_manifest({"add"})), ManifestError);
    CHECK_THROWS_AS(CheckPlugin(nullptr, sample_manifest({"add"})), ManifestError);
    CHECK_THROWS_WITH_AS(CheckPlugin(&again, sample_manifest({"add"})),
                         "check.cpp of exercises/99-sample checks the task \"add\" twice", ManifestError);
    CHECK_THROWS_WITH_AS(
        CheckPlugin(&stranger, sample_manifest({"add"})),
        "check.cpp of exercises/99-sample checks the exercise \"first_port\": write GRADER_TASK(sample, \"add\")",
        ManifestError);
}

TEST_CASE("what can't be loaded, or is no check, is refused") {
    const Scratch scratch;
    CHECK_THROWS_AS((void)CheckPlugin::load(scratch.path() / "missing.so", sample_manifest()), ManifestError);
    const fs::path no_check = scratch.build("no_check", "int answer() { return 42; }\n");
    CHECK_THROWS_WITH_AS((void)CheckPlugin::load(no_check, sample_manifest()),
                         doctest::Contains("is not a check: it doesn't include course/check.hpp"), ManifestError);
}
