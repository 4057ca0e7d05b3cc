// SPDX-License-Identifier: MIT
// Each folder beside this file is an attack on the grader: an answer to an exercise of the toy course, the first unless
// it says another, and the verdict that it must end in (attack.toml). None gets a point that it didn't earn, none reads
// or changes what isn't its own, and nothing of it is left. COURSE_ATTACKS_ON names the device that the answers run on;
// not set: the host backend.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <functional>
#include <future>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <nlohmann/json.hpp>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <toml++/toml.h>
#include <unistd.h>

#include "build/compile.hpp"
#include "run/process.hpp"
#include "sandbox/cgroup.hpp"
#include "sandbox/sandbox.hpp"
#include "support/files.hpp"
#include "support/process.hpp"

namespace fs = std::filesystem;
using course::read_file;

namespace {

std::string device() {
    const char* name = std::getenv("COURSE_ATTACKS_ON");
    return name != nullptr ? name : "host";
}

struct Attack {
    std::string name, what, verdict;
    std::string says;                        ///< `says_on_gpu`, where NVRTC says something else first
    std::string link, folder, header_link;   ///< the answer, its folder, or a header beside it is a link to that
    std::string file;                        ///< the answer's name, if another than twice.cpp
    std::string allowed_on_gpu;              ///< what CUDA's driver needs, and an attack may do there
    std::string allowed_with_scripts;        ///< the same where the compiler is a shell script
    std::int64_t points = 0, bytes = 0;      ///< bytes: the answer is filled up to so many
    std::int64_t exercise = 1;
    double seconds = 0;                      ///< for each call; 0: as the exercise says
    bool pipe = false, directory = false;    ///< in place of the answer
    bool in_class = false;                   ///< it is judged as in class grading: counts come from a replay
};

Attack read_attack(const fs::path& folder) {
    const fs::path description = folder / "attack.toml";
    if (!fs::is_regular_file(description)) throw std::runtime_error(description.string() + ": there is no such file");
    const toml::table table = toml::parse_file(description.string());
    const auto text = [&](const char* key) { return table[key].value_or(std::string()); };
    const std::string file = text("file");
    return {.name = folder.filename(),
            .what = text("what"),
            .verdict = text("verdict"),
            .says = device() == "host" || !table.contains("says_on_gpu") ? text("says") : text("says_on_gpu"),
            .link = text("link"),
            .folder = text("folder"),
            .header_link = text("header_link"),
            .file = file.empty() ? "twice.cpp" : file,
            .allowed_on_gpu = text("allowed_on_gpu"),
            .allowed_with_scripts = text("allowed_with_scripts"),
            .points = table["points"].value_or(std::int64_t{0}),
            .bytes = table["bytes"].value_or(std::int64_t{0}),
            .exercise = table["exercise"].value_or(std::int64_t{1}),
            .seconds = table["seconds"].value_or(0.0),
            .pipe = table["pipe"].value_or(false),
            .directory = table["directory"].value_or(false),
            .in_class = table["in_class"].value_or(false)};
}

std::vector<Attack> all_attacks() {
    std::vector<Attack> attacks;
    for (const auto& entry : fs::directory_iterator(fs::path(COURSE_SOURCE_DIR) / "autograder/tests/attacks"))
        if (entry.is_directory()) attacks.push_back(read_attack(entry.path()));
    std::sort(attacks.begin(), attacks.end(), [](const Attack& a, const Attack& b) { return a.name < b.name; });
    return attacks;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

/// True of characters that do something to a terminal, in place of being shown there.
bool has_controls(const std::string& text) {
    const auto is_control = [](unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f; };
    return std::any_of(text.begin(), text.end(), is_control) || text.find("\xe2\x80\xae") != text.npos;
}

/// The digest of every file below a folder, with its rights and its times; for `work/` there is no such file.
std::map<std::string, std::string> state_of(const fs::path& folder) {
    std::map<std::string, std::string> state;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        struct stat info {};
        ::lstat(entry.path().c_str(), &info);
        const std::string text = entry.is_regular_file() ? course::digest(read_file(entry.path())) : "";
        const bool file = S_ISREG(info.st_mode);
        state[entry.path()] =
            fmt::format("{:o} {} {} {}", info.st_mode, info.st_uid, file ? info.st_mtim.tv_sec : 0, text);
    }
    return state;
}

/// What isn't an escape here; empty: everything is.
std::string allowed_for(const Attack& attack) {
    if (device() != "host" && !attack.allowed_on_gpu.empty()) return attack.allowed_on_gpu;
    return course::Toolchain::configured().surroundings().compiler_is_script ? attack.allowed_with_scripts : "";
}

/// A copy of the toy course, and around it what an attack could want: solutions, another submission, a home.
class Scene {
public:
    /// @param user who judges; none: this test's
    explicit Scene(const std::optional<course::SeparateUser>& user = {})
        : folder_(fs::path(COURSE_BINARY_DIR) / (user                 ? "attacks-user"
                                                 : device() == "host" ? "attacks"
                                                                      : "attacks-gpu")),
          root_(folder_ / "course"),
          user_(user) {
        fs::remove_all(folder_);
        for (const char* name : {"home", "other", "answers", "tmp"}) fs::create_directories(folder_ / name);
        fs::copy(fs::path(COURSE_SOURCE_DIR) / "autograder/tests/toy", root_, fs::copy_options::recursive);
        for (const char* file : {"home/token.txt", "other/twice.cpp"})
            course::write_file(folder_ / file, secret_text());
        const fs::path solution = root_ / "solutions/01-twice/twice.cpp";
        course::write_file(solution, read_file(solution) + secret_text());
        objects_ = fs::path(COURSE_BINARY_DIR) / "other-exercises" /
                   course::digest(fs::weakly_canonical(root_).string()).substr(16) / "01-twice";
        if (!user_) return;
        fs::remove_all(objects_);
        fs::create_directories(objects_);
        for (const fs::path& own : {folder_, objects_}) give_to_user(own);
    }

    [[nodiscard]] std::string filled_in(std::string text) const {
        static const std::string common =
            read_file(fs::path(COURSE_SOURCE_DIR) / "autograder/tests/attacks/common.inc");
        const fs::path kit = COURSE_SOURCE_DIR;
        const std::pair<const char*, std::string> places[] = {
            {"@COMMON@", common},
            {"@ROOT@", root_},
            {"@HOME@", folder_ / "home"},
            {"@OTHER@", folder_ / "other"},
            {"@TMP@", folder_ / "tmp"},
            {"@OBJECTS@", objects_},
            {"@PROGRAMS@", fs::path(COURSE_PROGRAM).parent_path()},
            {"@LIBRARIES@", fs::path(COURSE_BINARY_DIR) / "lib"},
            {"@ESC@", "\x1b"},
            {"@BELL@", "\a"},
            {"@BIDI@", "\xe2\x80\xae"},
            {"@SOLUTION_FROM_KIT@", fs::proximate(root_ / "solutions/01-twice/twice.cpp", kit)}};
        for (const auto& [place, by] : places) text = replaced(text, place, by);
        return text;
    }

    /// The folder of the attack's answer.
    [[nodiscard]] fs::path set_up(const Attack& attack) const {
        const fs::path answer = folder_ / "answers" / attack.name, file = answer / attack.file;
        if (!attack.folder.empty()) return fs::create_symlink(filled_in(attack.folder), answer), answer;
        fs::create_directories(answer);
        if (!attack.header_link.empty()) fs::create_symlink(filled_in(attack.header_link), answer / "helper.hpp");
        if (!attack.link.empty()) fs::create_symlink(filled_in(attack.link), file);
        else if (attack.directory) fs::create_directory(file);
        else if (attack.bytes > 0) course::write_file(file, std::string(static_cast<std::size_t>(attack.bytes), '/'));
        else if (attack.pipe) REQUIRE(::mkfifo(file.c_str(), 0644) == 0);
        else course::write_file(file, filled_in(read_file(fs::path(COURSE_SOURCE_DIR) / "autograder/tests/attacks" /
                                                          attack.name /
                                                          (attack.exercise == 1 ? "twice.cpp" : attack.file))));
        if (attack.exercise == 2) fs::copy_file(root_ / "solutions/02-shift/shift.cu", answer / "shift.cu");
        return answer;
    }

    struct Judged {
        std::string status, text;
        std::int64_t points = -1;
        std::vector<std::string> faults = {};   ///< what the attack got or left
        std::vector<std::string> sandbox = {};
    };

    [[nodiscard]] Judged judge(const fs::path& answer, const std::function<bool()>& before_start = {},
                               const Attack& attack = {}) const {
        const fs::path tmp = folder_ / "tmp" / answer.filename();
        fs::create_directories(tmp);
        give_to_user(tmp);
        course::Command command;
        command.arguments = {COURSE_PROGRAM, "--root", root_, "run", std::to_string(attack.exercise), "--from", answer,
                             "--json", "--seed", "1"};
        if (attack.seconds > 0)
            command.arguments.insert(command.arguments.end(), {"--time-limit", std::to_string(attack.seconds)});
        if (attack.in_class) command.arguments.push_back("--replay");
        const char* path = std::getenv("PATH");
        command.environment = {
            fmt::format("PATH={}", path ? path : "/usr/bin:/bin"), fmt::format("TMPDIR={}", tmp.string()),
            fmt::format("HOME={}", (folder_ / "home").string()), "LIBGPU_DEVICE=" + device(), "COURSE_TOKEN=" + token_};
        for (const char* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"})
            if (const char* value = std::getenv(name)) command.environment.push_back(fmt::format("{}={}", name, value));
        command.folder = "/";
        command.output_bytes = 4 << 20;
        command.seconds = 300;
        command.file_bytes = 0;
        command.before_start = before_start;
        if (user_) command.before_start = [user = *user_] { return become(user); };
        course::ProcessResult result = run_process(command);
        if (const std::string allowed = allowed_for(attack); !allowed.empty())
            result.output = replaced(result.output, "ESCAPED: " + allowed, "");
        Judged judged{.status = "", .text = result.output};
        const std::size_t begin = result.output.find('{');
        const nlohmann::json json = nlohmann::json::parse(
            begin == result.output.npos ? "" : result.output.substr(begin), nullptr, false);
        if (json.is_object()) {
            judged.status = json.at("status");
            judged.points = json.at("points");
            judged.sandbox = json.at("environment").at("sandbox");
            judged.text = std::string(json.at("message")) + "\n" + std::string(json.at("printed"));
            for (const auto& task : json.at("tasks")) {
                judged.text += "\n" + std::string(task.at("message"));
                for (const auto& one : task.at("cases")) judged.text += "\n" + std::string(one.at("message"));
            }
        }
        if (result.ending == course::ProcessResult::Ending::not_started)
            judged.faults.push_back(fmt::format("the grader could not be started (error {})", result.code));
        else if (result.ending != course::ProcessResult::Ending::exited)
            judged.faults.push_back(fmt::format("the grader did not end by itself (signal {})", result.code));
        for (const std::string& secret :
             {token_, std::string("ESCAPED"), std::string("GRADER_TASK("), std::string("root:")})
            if (result.output.find(secret) != result.output.npos) judged.faults.push_back("the output has " + secret);
        if (has_controls(result.output) || has_controls(judged.text)) judged.faults.push_back("control characters");
        if (result.output.size() > 256 << 10) judged.faults.push_back("the output is long");
        if (!fs::is_empty(tmp)) judged.faults.push_back("files are left in " + tmp.string());
        fs::remove_all(tmp);
        return judged;
    }

    /// All that no attack may change.
    [[nodiscard]] std::map<std::string, std::string> state() const {
        std::map<std::string, std::string> all = state_of(root_);
        for (const fs::path& other : {folder_ / "home", folder_ / "other"}) all.merge(state_of(other));
        for (const char* name : {"check.so", "check.so.key", "bind.o", "bind.o.key"})
            all[objects_ / name] = course::digest(read_file(objects_ / name));
        return all;
    }
    [[nodiscard]] const fs::path& root() const { return root_; }

private:
    [[nodiscard]] std::string secret_text() const { return "// " + token_ + "\n"; }

    void give_to_user(const fs::path& folder) const {
        if (!user_) return;
        REQUIRE(::lchown(folder.c_str(), user_->user, user_->group) == 0);
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            REQUIRE(::lchown(entry.path().c_str(), user_->user, user_->group) == 0);
    }

    static bool become(const course::SeparateUser& user) {
        return ::syscall(SYS_setgroups, 0, nullptr) == 0 &&
               ::syscall(SYS_setresgid, user.group, user.group, user.group) == 0 &&
               ::syscall(SYS_setresuid, user.user, user.user, user.user) == 0;
    }

    fs::path folder_, root_, objects_;
    std::optional<course::SeparateUser> user_;
    std::string token_ = fmt::format("token-{:x}-{:x}", std::random_device()(), std::random_device()());
};

std::size_t processes_left() {
    std::array<pid_t, 64> found;
    return course::find_processes({.children = true}, found);
}

/// From now on the kernel doesn't know these system calls for this process. Async-signal-safe.
bool take_away(std::uint32_t first, std::uint32_t last) {
    sock_filter program[] = {{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
                             {BPF_JMP | BPF_JGE | BPF_K, 0, 2, first},
                             {BPF_JMP | BPF_JGT | BPF_K, 1, 0, last},
                             {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS},
                             {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
    const sock_fprog filter{std::size(program), program};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

bool take_landlock_away() { return take_away(444, 446); }
bool take_seccomp_away() { return take_away(SYS_seccomp, SYS_seccomp); }

/// Whether other users can read the kit and start its programs: not in a home that is root's own.
bool is_open_to(const course::SeparateUser& user) {
    return course::is_open_to(user, COURSE_PROGRAM) && course::is_open_to(user, COURSE_SOURCE_DIR);
}

/// With what else is in force: a user of its own where this test can give one to each answer on the host backend, and
/// a cgroup where it can make one.
std::vector<std::string> with_user_and_cgroup(std::vector<std::string> tiers) {
    const bool has_users = device() == "host" && course::can_separate_users();
    if (has_users && is_open_to(course::draw_separate_users(1).front())) tiers.insert(tiers.end() - 1, "user");
    if (course::usable_cgroups().version > 0) tiers.insert(tiers.end() - 1, "cgroup");
    return tiers;
}

/// What lies in /dev/shm, where shared memory outlives its process.
std::size_t shared_memory() {
    std::error_code error;
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator("/dev/shm", error)) ++count;
    return count;
}

/// Judges the attacks, some at a time, and looks at what they did.
void check_attacks(const Scene& scene, const std::vector<Attack>& attacks) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    REQUIRE(scene.judge(scene.root() / "solutions/01-twice").points == 3);   // and the check is built
    const auto before = scene.state();
    const std::size_t memory_before = shared_memory();

    std::vector<fs::path> answers;
    for (const Attack& attack : attacks) answers.push_back(scene.set_up(attack));
    std::vector<Scene::Judged> judged(attacks.size());
    std::atomic<std::size_t> next = 0;
    std::vector<std::future<void>> workers;
    for (unsigned k = 0; k < std::clamp(std::thread::hardware_concurrency() / 4, 2u, 4u); ++k)
        workers.push_back(std::async(std::launch::async, [&] {
            for (std::size_t one; (one = next++) < attacks.size();)
                judged[one] = scene.judge(answers[one], {}, attacks[one]);
        }));
    for (auto& worker : workers) worker.get();

    for (std::size_t k = 0; k < attacks.size(); ++k) {
        const Attack& attack = attacks[k];
        INFO(attack.name, ": ", attack.what, "\n", judged[k].text);
        CHECK(judged[k].status == attack.verdict);
        CHECK(judged[k].points == attack.points);
        CHECK(judged[k].text.find(attack.says) != std::string::npos);
        CHECK(fmt::format("{}", fmt::join(judged[k].faults, "; ")) == "");
    }
    CHECK(processes_left() == 0);
    CHECK(shared_memory() == memory_before);
    CHECK(scene.state() == before);
    CHECK(scene.judge(scene.root() / "solutions/01-twice").points == 3);
    CHECK(scene.judge(scene.root() / "exercises/01-twice").points == 0);
}

bool is_attackable() {
    if (course::available_tiers().landlock > 0 && course::available_tiers().seccomp) return true;
    MESSAGE("SKIP: without Landlock and seccomp these attacks would do what they try");
    return false;
}

}  // namespace

TEST_CASE("every attack ends in its stated verdict, with the points it earned, and leaves nothing") {
    if (!is_attackable()) return;
    const std::vector<Attack> attacks = all_attacks();
    REQUIRE(attacks.size() >= 60);
    check_attacks(Scene(), attacks);
}

// Those that go for the grader and for files, which are then the same user's as the answer. Where an ordinary user runs
// the tests, all do.
TEST_CASE("where root runs the tests, an ordinary user's grader is attacked, too") {
    if (!is_attackable()) return;
    if (!course::can_separate_users() || device() != "host") {
        MESSAGE("SKIP: only root can judge as another user, on the host backend");
        return;
    }
    const course::SeparateUser user = course::draw_separate_users(1).front();
    if (!is_open_to(user)) {
        MESSAGE("SKIP: the kit lies in a folder that is closed to others");
        return;
    }
    static constexpr std::string_view chosen[] = {
        "become_parent", "kill_grader",  "limit_grader",     "memory_of_grader", "overwrite_check",
        "overwrite_kit", "read_environment", "read_files", "signals_by_files", "trace_grader", "undeletable_folder"};
    std::vector<Attack> attacks = all_attacks();
    std::erase_if(attacks, [](const Attack& one) {
        return std::find(std::begin(chosen), std::end(chosen), one.name) == std::end(chosen);
    });
    REQUIRE(attacks.size() == std::size(chosen));
    const Scene scene(user);
    const std::vector<std::string> tiers = scene.judge(scene.root() / "solutions/01-twice").sandbox;
    CHECK(std::find(tiers.begin(), tiers.end(), "seccomp") != tiers.end());
    CHECK(std::find(tiers.begin(), tiers.end(), "user") == tiers.end());   // which is root's to give
    check_attacks(scene, attacks);
}

TEST_CASE("a kernel without Landlock: the result says what is left, and this test sees what gets out") {
    if (!course::available_tiers().seccomp) {
        MESSAGE("SKIP: this kernel has no seccomp");
        return;
    }
    const Scene scene;
    const Scene::Judged right = scene.judge(scene.root() / "solutions/01-twice", take_landlock_away);
    CHECK(right.points == 3);
    CHECK(right.sandbox == with_user_and_cgroup({"seccomp", "limits"}));
    const fs::path folder = fs::path(COURSE_SOURCE_DIR) / "autograder/tests/attacks";
    const Scene::Judged reads = scene.judge(scene.set_up(read_attack(folder / "read_files")), take_landlock_away);
    CHECK(reads.points == 0);
    CHECK(reads.faults.size() >= 2);   // the token, and the check's words
    const Scene::Judged kills = scene.judge(scene.set_up(read_attack(folder / "kill_grader")), take_landlock_away);
    CHECK(kills.status == "wrong");    // the filter keeps signals in
    CHECK(kills.faults.empty());
    const Scene::Judged owns = scene.judge(scene.set_up(read_attack(folder / "signals_by_files")), take_landlock_away);
    CHECK(owns.status == "wrong");
    CHECK(owns.faults.empty());
}

TEST_CASE("a kernel without seccomp, or without both: right answers pass, and the result says what is left") {
    const Scene scene;
    const Scene::Judged with_landlock = scene.judge(scene.root() / "solutions/01-twice", take_seccomp_away);
    CHECK(with_landlock.points == 3);
    if (course::available_tiers().landlock > 0) {
        CHECK(with_landlock.sandbox.size() == with_user_and_cgroup({"landlock", "limits"}).size());
        CHECK(with_landlock.sandbox.front().starts_with("landlock "));
        const fs::path folder = fs::path(COURSE_SOURCE_DIR) / "autograder/tests/attacks/read_files";
        const Scene::Judged reads = scene.judge(scene.set_up(read_attack(folder)), take_seccomp_away);
        CHECK(reads.status == "wrong");
        CHECK(reads.faults.empty());
    }
    const Scene::Judged with_limits = scene.judge(scene.root() / "solutions/01-twice",
                                                  [] { return take_landlock_away() && take_seccomp_away(); });
    CHECK(with_limits.points == 3);
    CHECK(with_limits.sandbox == with_user_and_cgroup({"limits"}));
}
