// SPDX-License-Identifier: MIT
// course debug: runs one case of an answer in gdb, stopping at the first mistake that check mode finds.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/personality.h>
#include <unistd.h>

#include "answer/judge_answer.hpp"
#include "answer/case_to_look_at.hpp"
#include "collect/collect.hpp"
#include "commands/commands.hpp"
#include "kit/work_folder.hpp"
#include "report/terminal.hpp"
#include "run/session_pair.hpp"
#include "support/files.hpp"
#include "support/text.hpp"
#include "support/process.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// What `course debug` shows in the debugger.
struct DebugOptions : CallOptions {
    std::string at;              ///< "reduce.cu:20": stop there, too
    bool print_command = false;  ///< prepare everything, and print the command in place of running it
};

constexpr double seconds_per_block = 2;  // that it computes; a stopped kernel doesn't

/// Records the call of the case to debug in `file`, once all tasks have their verdicts.
class CallRecorder {
public:
    CallRecorder(const DebugOptions& options, fs::path file) : options_(options), file_(std::move(file)) {}

    void operator()(std::span<const JudgedTask> tasks) {
        const auto [chosen, one] =
            case_to_look_at(tasks, {.task = options_.task, .case_name = options_.case_name});
        if (chosen == nullptr) return;
        const JudgedTask& judged = *chosen;
        task = judged.task.id;
        verdict = judged.result.verdict;
        if (verdict == Verdict::does_not_compile) return;
        if (one == nullptr) {
            problem = no_case_text(judged, options_.case_name, "no case of it is small enough for check mode");
            return;
        }
        case_name = judged.result.cases[one->index].name;
        write_file_atomically(file_, recorded_call(one->function->name, one->arguments, seconds_per_block));
    }

    std::string task, case_name, problem;
    Verdict verdict = Verdict::passed;

private:
    const DebugOptions& options_;
    fs::path file_;
};

std::string gdb_program() {
    const char* const named = std::getenv("COURSE_GDB");
    return named != nullptr && *named != '\0' ? named : "gdb";
}

/// Checks that gdb exists and supports Python. @throws UsageError that says how to get it.
void look_for_gdb(int number) {
    std::vector<std::string> environment{"LC_ALL=C"};
    for (const char* name : {"PATH", "HOME"})
        if (const char* value = std::getenv(name)) environment.push_back(fmt::format("{}={}", name, value));
    Command command;
    command.arguments = {gdb_program(), "-nx", "-batch", "-ex", "python print(6 * 7)"};
    command.environment = environment;
    command.folder = "/";
    const ProcessResult result = run_process(command);
    const std::string get = fmt::format(
        "  Debian, Ubuntu:  sudo apt-get install gdb\n"
        "  Fedora:          sudo dnf install gdb\n"
        "Then: make debug-{}",
        number);
    if (result.ending == ProcessResult::Ending::not_started || (result.output.empty() && !result.succeeded()))
        throw UsageError(fmt::format("gdb, the debugger, isn't here ({}). To get it:\n{}", gdb_program(), get));
    if (result.output.find("42") == std::string::npos)
        throw UsageError(
            fmt::format("this gdb can't run the kit's commands, as it has no Python (gdb-minimal has "
                        "none). To get one that has:\n{}",
                        get));
}

/// Checks that "reduce.cu:20" names a line of the answer. @throws UsageError that lists the files.
void check_line(const std::string& at, const Answer& answer) {
    const std::size_t colon = at.rfind(':');
    const std::string name = fs::path(at.substr(0, colon)).filename().string();
    std::vector<std::string> names;
    for (const AnswerFile& file : answer.files) names.push_back(file.name);
    const long line = colon == std::string::npos ? 0 : number_from<long>(at.substr(colon + 1)).value_or(0);
    if (line < 1)
        throw UsageError(fmt::format("--at {}: a file and a line, as in {}:20", at, names.back()));
    const auto file =
        std::find_if(answer.files.begin(), answer.files.end(), [&](const AnswerFile& one) { return one.name == name; });
    if (file == answer.files.end())
        throw UsageError(fmt::format("--at {}: the exercise's files are {}", at, fmt::join(names, ", ")));
    const auto lines = std::count(file->text.begin(), file->text.end(), '\n');
    if (line > lines) throw UsageError(fmt::format("--at {}: {} has {} lines", at, name, lines));
}

/// True if gdb may disable address randomisation: containers tend to forbid it.
bool addresses_can_be_fixed() {
    constexpr unsigned long query = 0xffffffff;
    const int usual = ::personality(query);
    if (usual == -1 || ::personality(static_cast<unsigned long>(usual) | ADDR_NO_RANDOMIZE) == -1) return false;
    ::personality(static_cast<unsigned long>(usual));
    return true;
}

/// The commands that gdb reads before it runs the program, in a terminal and in an editor.
std::string setup_text(const Kit& kit, const fs::path& folder, const Answer& answer, const fs::path& answer_at) {
    const fs::path commands = kit.toolchain.source_dir / "libgpu/share/gdb";
    std::string text = fmt::format("# Written by `course debug`.\nsource {}\n", (commands / "quiet.gdb").string());
    if (!addresses_can_be_fixed()) text += "set disable-randomization off\n";  // else gdb warns of it
    for (const char* variable : {"LIBGPU_DEBUG_KERNELS=1", "LIBGPU_DEVICE=host", "LIBGPU_GUARD=1",
                                 "LIBGPU_CHECK_SCHEDULE=fixed", "LIBGPU_CHECK_WORKERS=1"})
        text += fmt::format("set environment {}\n", variable);
    text += fmt::format("set environment LIBGPU_CACHE_DIR={}\n", (folder / "debugged").string());
    text += fmt::format("set environment TMPDIR={}\n", (folder / "run").string());
    text += fmt::format("set cwd {}\n", folder.string());
    // The student's own files, not the copies that were built; a planted answer has only these copies. gdb searches the
    // last given folder first.
    const bool is_folder = fs::is_directory(answer_at);
    std::vector<std::string> sources{(is_folder ? answer_at : folder / "student").string()};
    for (const AnswerFile& file : answer.files) {
        const fs::path shown = fs::path(file.shown).is_absolute() ? fs::path(file.shown) : kit.root / file.shown;
        if (const std::string parent = shown.parent_path().string();
            is_folder && std::find(sources.begin(), sources.end(), parent) == sources.end())
            sources.push_back(parent);
    }
    for (auto source = sources.rbegin(); source != sources.rend(); ++source)
        text += fmt::format("directory \"{}\"\n", *source);
    for (const fs::path& built : {folder / "student", folder})
        text += fmt::format("set substitute-path \"{}\" \"{}\"\n", built.string(), sources.front());
    text += fmt::format("set solib-search-path {}\n", (folder / "student").string());
    return text + fmt::format("source {}\n", (commands / "gpu.py").string());
}

[[noreturn]] void become(const std::vector<std::string>& arguments) {
    std::vector<char*> pointers;
    for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGPIPE, SIGXFSZ}) ::signal(signal, SIG_DFL);  // see clean_up_on_signals()
    ::execvp(pointers.front(), pointers.data());
    throw UsageError(fmt::format("{} could not be started: {}", arguments.front(), std::strerror(errno)));
}

int debug_command(const Kit& kit, const DebugOptions& options) {
    const Manifest manifest = kit.manifest(options.number);
    const fs::path answer_at = answer_folder(kit, manifest, options.from);
    check_task(manifest, options.task);
    const Answer answer = collect(manifest, answer_at, kit.root);
    if (!options.at.empty()) check_line(options.at, answer);
    if (!options.print_command) look_for_gdb(options.number);

    const fs::path folder = kit.toolchain.build_dir / "debug" / manifest.folder.filename();
    std::error_code error;
    fs::remove_all(folder, error);
    make_folders(folder / "run");
    CallRecorder recorder(options, folder / "call");
    RunOptions run;
    run.number = manifest.number;
    run.device = "host";
    run.seed = options.seed;  // the same inputs at each look
    const JudgedAnswer judged =
        judge_answer(kit, {.manifest = manifest,
                           .folder = answer_at,
                           .options = run,
                           .build_in = folder,
                           .judge_stub = false,
                           .after_tasks = [&](std::span<const JudgedTask> tasks, Caller&, const fs::path&) {
                               recorder(tasks);
                           }});
    if (recorder.case_name.empty()) {
        if (recorder.problem.empty()) print(verdict_screen(judged.result, judged.screen));
        print_error(recorder.problem.empty()
                        ? fmt::format("course: there is nothing to debug yet.\n")
                        : fmt::format("course: nothing to debug of {}: {}\n", recorder.task, recorder.problem));
        return std::max(exit_code(judged.result.verdict), 1);
    }
    const std::string setup = (folder / "setup.gdb").string(), start = (folder / "start.gdb").string();
    write_file(setup, setup_text(kit, folder, answer, answer_at));
    std::string text =
        fmt::format("source {}\nfile \"{}\"\n", setup, (kit.toolchain.program_dir / "course-runner").string());
    text += "set args --replay call student/student.so\n";
    if (!options.at.empty()) text += fmt::format("python gdb.execute('break {}', to_string=True)\n", options.at);
    text += "run\npython\nif gdb.selected_inferior().pid == 0:\n";  // nothing stopped it
    if (!options.at.empty()) text += fmt::format("    print('{} was not reached.')\n", options.at);
    write_file(start, text + "    gdb.execute('quit')\nend\n");
    if (options.print_command) {
        print(fmt::format("{} -q -x {}\n", gdb_program(), shown_path(start, fs::current_path())));
        return 0;
    }
    print(fmt::format("Exercise {} {}, {}, case {}: {}\n{}\n", manifest.number, manifest.name, recorder.task,
                      recorder.case_name, to_string(recorder.verdict),
                      exit_code(recorder.verdict) == 0 ? "The verdict found no mistake in it."
                                                       : "gdb stops at the first mistake that check mode finds."));
    std::fflush(stdout);
    become({gdb_program(), "-q", "-x", start});
}

}  // namespace

void add_debug(CommandLine& line) {
    auto [command, options] = line.add("debug", "stop in your kernel at the first mistake, in gdb", debug_command);
    options.add_choice(command);
    command.option("--at", &options.at, "a line to stop at, as in reduce.cu:20");
    options.add_source(command, "a folder to debug instead of work/");
    command.option("--print-command", &options.print_command,
                   "make everything ready and print the command, for an editor");
}

}  // namespace course
