// SPDX-License-Identifier: MIT
#include "classroom/batch/results/results_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kit/kit.hpp"
#include "kit/probe.hpp"
#include "report/result_json.hpp"
#include "sandbox/separate_user.hpp"
#include "support/files.hpp"
#include "support/progress.hpp"
#include "verdict/verdict.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

using namespace std::chrono_literals;

constexpr const char* unfinished_folder = ".unfinished";
constexpr auto killed_batch_timeout = 10s;

bool lies_in(const fs::path& path, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

pid_t number_in(const fs::path& file) {
    char text[32]{};
    std::ifstream(file).read(text, sizeof text - 1);
    pid_t number = 0;
    std::from_chars(text, text + std::strlen(text), number);
    return number;
}

bool is_alive(pid_t process) { return process > 0 && (::kill(process, 0) == 0 || errno == EPERM); }

fs::path scratch_of(const fs::path& results, const std::string& part) {
    const char* variable = std::getenv("TMPDIR");
    const fs::path parent = fs::absolute(variable && *variable ? variable : "/tmp");
    return parent / ("course-grade-" + digest(fs::canonical(results).string()).substr(0, 16) + part);
}

/// Locks a folder; empty if another process has it. On a file system without locks other processes aren't noticed.
UniqueFd held_folder(const fs::path& folder) {
    UniqueFd opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    if (opened && ::flock(opened.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return UniqueFd();
    return opened;
}

[[noreturn]] void refuse_held(const fs::path& folder) {
    throw UsageError(fmt::format("the same part of these results is being graded on this machine already, in {}: wait "
                                 "until it has finished",
                                 folder.string()));
}

/// Creates a folder that only this user can access. @throws UsageError
fs::path made_scratch(const fs::path& results, const std::string& part) {
    const fs::path folder = scratch_of(results, part);
    struct stat info {};
    if (::lstat(folder.c_str(), &info) == 0) {
        if (!S_ISDIR(info.st_mode) || info.st_uid != ::geteuid())
            throw UsageError(fmt::format("{} isn't yours; set TMPDIR to another folder", folder.string()));
        if (!held_folder(folder)) refuse_held(folder);
        kill_processes_of_folder(folder);
        remove_tree(folder);
    }
    if (::mkdir(folder.c_str(), 0700) != 0)
        throw UsageError(
            fmt::format("could not make the folder {}: {}\nSet TMPDIR to a folder that has room and can be "
                        "written.",
                        folder.string(), std::strerror(errno)));
    return folder;
}

bool works_in(const std::string& process, const fs::path& folder) {
    std::error_code error;
    const fs::path where = fs::read_symlink("/proc/" + process + "/cwd", error);
    if (!error && lies_in(where, folder)) return true;
    std::ostringstream text;
    text << std::ifstream("/proc/" + process + "/environ", std::ios::binary).rdbuf();
    const std::string environment = '\0' + text.str(), wanted = '\0' + ("TMPDIR=" + folder.string());
    const std::size_t at = environment.find(wanted);
    if (at == environment.npos) return false;
    const std::size_t end = at + wanted.size();  // exactly this folder, or one inside it
    return end >= environment.size() || environment[end] == '\0' || environment[end] == '/';
}

}  // namespace

void check_class_folders(const fs::path& submissions, const fs::path& results) {
    std::error_code error;
    if (!fs::exists(submissions, error))
        throw UsageError(fmt::format("{}: there is no such folder or archive of submissions", submissions.string()));
    if (fs::exists(results, error) && !fs::is_directory(results, error))
        throw UsageError(fmt::format("{} is not a folder: --out names one for the results", results.string()));
    const fs::path from = fs::canonical(submissions), to = fs::weakly_canonical(fs::absolute(results));
    if (lies_in(to, from))
        throw UsageError(fmt::format(
            "the results, {}, would lie among the submissions: choose another folder for --out", results.string()));
    if (lies_in(from, to))
        throw UsageError(fmt::format("the submissions, {}, lie among the results: choose another folder for --out",
                                     submissions.string()));
}

ResultsLock::ResultsLock(const fs::path& results, Holder holder) {
    const fs::path file = results / "lock";
    try {
        std::error_code error;
        const bool is_new = !fs::exists(results, error);
        make_folders(results);
        if (is_new) fs::permissions(results, fs::perms::owner_all, error);  // grades, and the hidden cases' plug-ins
    } catch (const FileError& error) {
        throw UsageError(error.what());
    }
    file_ = UniqueFd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (!file_) throw UsageError(fmt::format("could not write {}: {}", file.string(), std::strerror(errno)));
    wait_for(results, holder);
    if (holder == Holder::shard) return;
    const std::string text = fmt::format("{}\n", ::getpid());
    if (::ftruncate(file_.get(), 0) != 0 ||
        ::pwrite(file_.get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
        throw UsageError(fmt::format("could not write {}: {}", file.string(), std::strerror(errno)));
    remove_tree(results / unfinished_folder);
}

void ResultsLock::wait_for(const fs::path& results, Holder holder) {
    const auto end = std::chrono::steady_clock::now() + killed_batch_timeout;
    const bool is_batch = holder == Holder::batch;
    while (::flock(file_.get(), (is_batch ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            if (!is_batch) return;  // a file system without locks: shards don't need one
            throw UsageError(
                fmt::format("could not lock {}: {}", (results / "lock").string(), std::strerror(errno)));
        }
        const bool beside_shards = is_batch && ::flock(file_.get(), LOCK_SH | LOCK_NB) == 0;
        const pid_t other = number_in(results / "lock");
        const bool is_over = std::chrono::steady_clock::now() >= end;
        if (is_over && beside_shards)
            throw UsageError(fmt::format("shards of course grade work on {}: wait until they have finished",
                                         results.string()));
        if (!beside_shards && (is_alive(other) || is_over))
            throw UsageError(
                fmt::format("another course grade (process {}) works on {}: wait until it has finished, or "
                            "end it with kill {}",
                            other, results.string(), other));
        std::this_thread::sleep_for(20ms);  // its workers are ending
    }
}

void put_result(const fs::path& unfinished, const fs::path& file, std::string_view text) {
    make_folders(file.parent_path());
    const fs::path half = unfinished / fmt::format("{}-{}", ::getpid(), file.filename().string());
    write_file_atomically(half, text);
    if (::rename(half.c_str(), file.c_str()) != 0) throw FileError("write", file, errno);
}

UnfinishedResults::UnfinishedResults(const fs::path& results)
    : folder_([&] {
          make_folders(results / unfinished_folder);
          std::string name = (results / unfinished_folder / "XXXXXX").string();
          if (::mkdtemp(name.data()) == nullptr) throw FileError("make the folder", name, errno);
          return fs::path(name);
      }()) {}

BatchScratch::BatchScratch(const fs::path& results, const std::string& part)
    : folder_(made_scratch(results, part)), held_(held_folder(folder_.path())) {
    if (!held_) refuse_held(folder_.path());
    if (can_separate_users()) ::chmod(path().c_str(), 0711);  // each answer's folder in it is closed to the others
}

namespace {

/// True for this user, or one under which an answer ran.
bool is_ours(uid_t user) {
    return user == ::geteuid() || (can_separate_users() && user >= first_separate_id && user <= last_separate_id);
}

}  // namespace

int kill_processes_of_folder(const fs::path& folder) {
    int killed = 0;
    for (int round = 0; round < 100; ++round) {  // until none is left: dying processes still show
        int found = 0;
        std::error_code error;
        for (const auto& entry : fs::directory_iterator("/proc", error)) {
            const std::string name = entry.path().filename().string();
            if (name.find_first_not_of("0123456789") != name.npos || name == std::to_string(::getpid())) continue;
            struct stat info {};
            if (::stat(entry.path().c_str(), &info) != 0 || !is_ours(info.st_uid) || !works_in(name, folder)) continue;
            ++found;
            ::kill(static_cast<pid_t>(std::stol(name)), SIGKILL);
        }
        if (round == 0) killed = found;
        if (found == 0) break;
        std::this_thread::sleep_for(20ms);
    }
    return killed;
}

}  // namespace course

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::size_t max_of_head = std::size_t{1} << 16;
constexpr std::size_t max_of_fault = 4096;
constexpr std::string_view whole_file_ends = "\n}\n}\n";

nlohmann::ordered_json hidden_json(const std::vector<HiddenTask>& hidden) {
    nlohmann::ordered_json tasks = nlohmann::ordered_json::array();
    Verdict all = Verdict::passed;
    for (const HiddenTask& task : hidden) {
        all = worst(all, task.verdict);
        tasks.push_back({{"id", task.id},
                         {"passed", task.passed},
                         {"total", task.total},
                         {"status", to_string(task.verdict)},
                         {"shown_status", to_string(task.shown)}});
    }
    return {{"status", to_string(all)}, {"tasks", tasks}};
}

}  // namespace

fs::path class_result_path(const fs::path& results, const std::string& submission, const std::string& folder) {
    return results / "results" / submission / (folder + ".json");
}

std::optional<ClassResultHead> read_class_result_head(const fs::path& file) {
    const UniqueFd opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat info {};
    if (!opened || ::fstat(opened.get(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
    const auto size = static_cast<std::size_t>(info.st_size);
    if (size < whole_file_ends.size()) return {};
    char ending[whole_file_ends.size()];
    if (::pread(opened.get(), ending, sizeof ending, static_cast<off_t>(size - sizeof ending)) !=
            static_cast<ssize_t>(sizeof ending) ||
        std::string_view(ending, sizeof ending) != whole_file_ends)
        return {};
    std::string text;
    while (text.find('\n') == text.npos && text.size() < std::min(size, max_of_head)) {
        char buffer[2048];
        const ssize_t got = ::pread(opened.get(), buffer, sizeof buffer, static_cast<off_t>(text.size()));
        if (got <= 0) return {};
        text.append(buffer, static_cast<std::size_t>(got));
    }
    const std::size_t comma = text.find(",\n");
    if (comma == text.npos) return {};
    const nlohmann::json json = nlohmann::json::parse(text.substr(0, comma) + "}", nullptr, false);
    const auto text_of = [&](const char* name) {
        const auto found = json.find(name);
        return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    if (!json.is_object() || json.value("schema", nlohmann::json(0)) != class_result_schema) return {};
    const auto graded = json.find("graded");
    ClassResultHead head{text_of("key"), text_of("grader_fault"), 0};
    if (graded != json.end() && graded->is_number_integer()) head.graded = graded->get<int>();
    return head;
}

std::vector<HiddenTask> fold_hidden(const Result& hidden, Result& judged) {
    std::vector<HiddenTask> folded;
    for (const TaskResult& one : hidden.tasks) {
        const auto task = std::find_if(judged.tasks.begin(), judged.tasks.end(),
                                       [&](const TaskResult& other) { return other.id == one.id; });
        if (task == judged.tasks.end()) continue;
        HiddenTask counted{.id = one.id, .verdict = one.verdict, .shown = task->verdict};
        counted.total = static_cast<int>(one.cases.size());
        counted.passed =
            static_cast<int>(std::count_if(one.cases.begin(), one.cases.end(), [](const CaseResult& one_case) {
                return exit_code(one_case.verdict) == 0;
            }));
        folded.push_back(counted);
        if (is_passed(*task) && !is_passed(one)) {
            task->points = 0;
            task->message = "it doesn't pass all hidden cases";
        }
        task->verdict = worst(task->verdict, one.verdict);
        if (!task->star) judged.verdict = worst(judged.verdict, task->verdict);
    }
    return folded;
}

std::string class_result_text(const GradeJob& job, const ClassResult& graded) {
    const std::string& fault = graded.grader_fault;
    const nlohmann::ordered_json hidden = graded.hidden ? hidden_json(*graded.hidden) : nlohmann::ordered_json();
    const nlohmann::ordered_json head = {{"schema", class_result_schema},
                                         {"key", job.key},
                                         {"submission", job.submission},
                                         {"folder", job.folder},
                                         {"attempts_to_grade", job.attempt},
                                         {"graded", job.graded + (fault.empty() ? 1 : 0)},
                                         {"grader_fault", fault.substr(0, max_of_fault)},
                                         {"not_taken", graded.not_taken.substr(0, max_of_fault)},
                                         {"private", hidden},
                                         {"finished", utc_time()},
                                         {"seconds", graded.seconds}};
    std::string text = head.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    text.pop_back();
    return text + ",\n\"result\": " + result_json(graded.result) + "}\n";
}

Result not_judged_result(const Manifest& manifest, const std::string& why) {
    Result result;
    result.number = manifest.number;
    result.exercise = manifest.name;
    result.title = manifest.title;
    result.verdict = Verdict::environment;
    result.message = why;
    result.environment.kit_version = kit_version();
    result.environment.machine = machine_text();
    for (const Task& task : manifest.tasks)
        result.tasks.push_back(not_judged(task, Verdict::environment, "not judged"));
    return result;
}

}  // namespace course
