// SPDX-License-Identifier: MIT
#include "commands/commands.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answer/judge_answer.hpp"
#include "answer/write_images.hpp"
#include "build/scratch.hpp"
#include "collect/collect.hpp"
#include "kit/edition.hpp"
#include "kit/work_folder.hpp"
#include "progress/progress.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/process.hpp"

namespace fs = std::filesystem;

namespace course {

void CallOptions::add_choice(const CommandOptions& command) {
    command.exercise_number(number);
    command.option("--task", &task, "which task (default: the first that isn't right)");
    command.option("--case", &case_name, "which case, as in n=33 (default: the one that the verdict shows)");
}

void CallOptions::add_source(const CommandOptions& command, const std::string& from_about) {
    command.option("--from", &from, from_about);
    command.option("--seed", &seed, "of the inputs (default: 1)");
}

namespace {

/// What `course show` draws.
struct ShowOptions : CallOptions {
    std::string out;      ///< empty: work/show/, or stdout for what isn't a page
    std::string picture;  ///< one of gpu::Picture's names: an SVG of it in place of the page
    bool text = false, json = false;
    std::string compare;  ///< "solution", a file or a folder; empty: nothing
};

// A whole page or none; /dev/stdout and the like are written to, not replaced.
void write_out(const fs::path& out, const std::string& text) {
    const fs::file_type type = fs::symlink_status(out).type();
    if (type == fs::file_type::regular || type == fs::file_type::not_found)
        write_file_atomically(out, text);
    else
        write_file(out, text);
}

std::string file_name(const ShowOptions& options) {
    if (!options.picture.empty()) return options.picture + ".svg";
    return options.text ? "pictures.txt" : options.json ? "trace.json" : "page.html";
}

/// Opens the page with the desktop's default program, if there is a desktop.
void open_in_browser(const fs::path& page) {
    if (::isatty(STDOUT_FILENO) == 0 ||
        (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr))
        return;
    try {
        forget_process(start_process({.arguments = {"xdg-open", page.string()},
                                      .environment = own_environment(),
                                      .descriptors = {-1, -1, -1},
                                      .death_signal = 0}));
    } catch (const std::system_error&) {}  // no such program: the page is there all the same
}

/// The answer with one file replaced by another: the meaning of --compare FILE.
void copy_with(const Manifest& manifest, const Answer& answer, const fs::path& other, const fs::path& to) {
    std::string replaced;
    for (const std::string& name : manifest.edit)
        if (name == other.filename() || (replaced.empty() && fs::path(name).extension() == other.extension()))
            replaced = name;
    if (replaced.empty())
        throw UsageError(
            fmt::format("--compare {}: the exercise's files are {}", other.string(), fmt::join(manifest.edit, ", ")));
    fs::create_directories(to);
    for (const AnswerFile& file : answer.files)
        write_file(to / file.name, file.name == replaced ? read_file(other) : file.text);
}

Pictures draw(const Kit& kit, const Manifest& manifest, const fs::path& folder, const ShowOptions& options,
              JudgedAnswer& judged) {
    TraceRenderer renderer({.task = options.task, .case_name = options.case_name, .file = file_name(options)},
                           manifest);
    RunOptions run;
    run.number = manifest.number;
    run.device = "host";
    run.seed = options.seed;
    judged = judge_answer(
        kit,
        {.manifest = manifest,
         .folder = folder,
         .options = run,
         .judge_stub = false,
         .after_tasks = std::ref(renderer)});
    if (!renderer.pictures.task.empty()) return std::move(renderer.pictures);
    const Verdict verdict = judged.result.verdict;
    renderer.pictures.problem = verdict == Verdict::not_started ? "nothing is written yet; begin, then look again"
                               : verdict == Verdict::does_not_compile ? "the answer does not compile"
                                                                      : "there is no verdict";
    return std::move(renderer.pictures);
}

}  // namespace

std::string side_by_side(const std::string& first, std::string_view first_name, const std::string& second,
                         std::string_view second_name) {
    constexpr std::string_view begin = "<article>", end = "</article>\n";
    const std::size_t from = second.find(begin), to = second.rfind(end), after = first.rfind(end);
    if (from == std::string::npos || to == std::string::npos || after == std::string::npos) return first;
    const auto heading = [](std::string_view name) { return fmt::format("<h2>{}</h2>\n", name); };
    std::string page = first;
    page.insert(after + end.size(),
                fmt::format("{}\n{}{}", begin, heading(second_name),
                            second.substr(from + begin.size(), to + end.size() - from - begin.size())));
    page.insert(page.find(begin) + begin.size() + 1, heading(first_name));
    if (const std::size_t at = page.find("<main class=\"one\">"); at != std::string::npos)
        page.replace(at, 18, "<main class=\"two\">");
    return page;
}

int show_command(const Kit& kit, const ShowOptions& options) {
    const Manifest manifest = kit.manifest(options.number);
    const fs::path folder = answer_folder(kit, manifest, options.from);
    check_task(manifest, options.task);
    const bool is_page = options.picture.empty() && !options.text && !options.json;
    if (!options.compare.empty() && !is_page) throw UsageError("--compare is for the page alone");
    if (options.compare == "solution" && !kit.has_solutions()) {
        print_error(fmt::format("course: {}\n", no_solutions_text(kit)));
        return 3;
    }
    if (options.compare == "solution" && !Progress(kit.root / "work").of(manifest.name).passed) {
        print_error(
            fmt::format("course: the solution to exercise {0} is shown once yours has passed (make "
                        "exercise-{0}). Compare with a file of your own until then: --compare FILE\n",
                        manifest.number));
        return 3;
    }

    JudgedAnswer judged;
    Pictures mine = draw(kit, manifest, folder, options, judged);
    if (mine.text.empty()) {
        judged.screen.own_answer = false;  // `course run` says what comes next
        print(verdict_screen(judged.result, judged.screen));
        print_error(
            fmt::format("course: no pictures{}: {}\n", mine.task.empty() ? "" : " of " + mine.task, mine.problem));
        return std::max(exit_code(judged.result.verdict), 1);
    }
    if (!options.compare.empty()) {
        std::optional<Scratch> scratch;
        fs::path other = options.compare == "solution" ? kit.solution(manifest.folder) : fs::path(options.compare);
        if (!fs::exists(other) && !is_patch(other)) other = kit.root / other;
        const std::string name = options.compare == "solution" ? "the solution" : other.filename().string();
        if (fs::is_regular_file(other) && !is_patch(other)) {
            scratch.emplace(Scratch::make(kit.toolchain.build_dir / "scratch"));
            copy_with(manifest, collect(manifest, folder, kit.root), other, scratch->path() / "compared");
            other = scratch->path() / "compared";
        }
        if (!fs::is_directory(other) && !is_patch(other))
            throw UsageError(fmt::format("--compare {}: there is no such file or folder", options.compare));
        ShowOptions same = options;
        same.task = mine.task;
        same.case_name = mine.case_name;
        JudgedAnswer unused;
        const Pictures theirs = draw(kit, manifest, other, same, unused);
        if (theirs.text.empty()) {
            print_error(fmt::format("course: no pictures of {}: {}\n", name,
                                    unused.result.message.empty() ? theirs.problem : unused.result.message));
            return 4;
        }
        mine.text = side_by_side(mine.text, "yours", theirs.text, name);
    }
    if (!is_page && options.out.empty()) {
        print(mine.text);
        return 0;
    }
    fs::path out = options.out;
    if (out.empty()) {
        make_folders(kit.root / "work" / "show");
        out = kit.root / "work" / "show" / fmt::format("{}-{}.html", manifest.folder.filename().string(), mine.task);
    }
    write_out(out, mine.text);
    print(fmt::format("Pictures of {}, case {}: {}\n", mine.task, mine.case_name,
                      shown_path(fs::absolute(out), kit.root)));
    if (is_page) open_in_browser(fs::absolute(out));
    return 0;
}

void add_show(CommandLine& line) {
    auto [command, options] = line.add("show", "pictures of what your kernel does", show_command);
    options.add_choice(command);
    command.option("--out", &options.out, "the file to write (default: work/show/NN-topic-task.html)");
    command.option("--svg", &options.picture, "one picture as SVG instead of the page",
                   {.one_of = {"map", "requests", "banks", "lanes", "races", "schedule", "source"}});
    command.option("--text", &options.text, "the pictures in characters, for a terminal");
    command.option("--json", &options.json, "what was recorded, as JSON");
    command.option("--compare", &options.compare, "solution, a file or a folder: both side by side");
    options.add_source(command, "a folder to draw instead of work/");
}

}  // namespace course
