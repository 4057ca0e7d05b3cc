// SPDX-License-Identifier: MIT
// The capstone's work log: each step's counted work, time and picture, as a table or a page with a chart.
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "answer/judge_answer.hpp"
#include "collect/collect.hpp"
#include "commands/commands.hpp"
#include "kit/probe.hpp"
#include "kit/work_folder.hpp"
#include "manifest/lesson.hpp"
#include "report/terminal.hpp"
#include "report/work_log.hpp"
#include "support/files.hpp"
#include "support/progress.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// What `course log` does: with a note it logs a step of the capstone, else it shows the log.
struct LogOptions {
    std::optional<std::string> note;  ///< what was changed; may be empty
    bool page = false;                ///< write the page with the chart
    std::string out;                  ///< the page's file; empty: log.html beside the log
    std::string device;               ///< "host", "cuda:0"; empty: libgpu's own choice
};

constexpr std::size_t max_log_bytes = std::size_t{1} << 20;

/// The capstone of this edition: the only folder of capstone/. @throws UsageError, ManifestError
Capstone find_capstone(const Kit& kit) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(kit.root / "capstone", error))
        if (fs::is_regular_file(entry.path() / "capstone.toml", error)) return read_capstone(entry.path());
    throw UsageError("this edition has no capstone");
}

LogUnit unit_of(const Capstone& capstone) { return {capstone.element, capstone.min_bytes}; }

/// The log next to the student's files.
class LogFile {
public:
    explicit LogFile(fs::path folder) : folder_(std::move(folder)) {}

    [[nodiscard]] fs::path path() const { return folder_ / "log.jsonl"; }
    [[nodiscard]] const fs::path& folder() const { return folder_; }

    /// The log's text; empty if the file is missing. @throws FileError
    [[nodiscard]] std::string text() const {
        try {
            std::string text = read_file(path(), max_log_bytes);
            if (text.size() > max_log_bytes)
                throw UsageError(fmt::format("{} is larger than 1 MiB: no log is. Move it away to begin a new one",
                                             path().string()));
            return text;
        } catch (const FileError& error) {
            if (error.error_number() == ENOENT) return "";
            throw;
        }
    }
    [[nodiscard]] WorkLog read() const { return parse_log(text()); }

    /// Appends a line; existing ones stay unchanged, even unreadable ones. @throws FileError
    void add(const LogEntry& entry) const {
        const FileLock lock(folder_ / ".log.lock");
        std::string all = text();
        if (!all.empty() && all.back() != '\n') all += '\n';
        write_file_atomically(path(), all + log_line(entry));
    }

private:
    fs::path folder_;
};

/// Judges, counts and times versions of the program one after the other, on one device.
class Bench {
public:
    Bench(const Kit& kit, Capstone capstone, const std::string& wanted) : kit_(kit), capstone_(std::move(capstone)) {
        const char* const variable = std::getenv("LIBGPU_DEVICE");
        run_.device = wanted.empty() && variable ? variable : wanted;
        run_.timings = true;  // on the host backend as well
        probed_ = probe(kit.toolchain, run_.device, "--measure");
        if (!probed_.error.empty()) throw UsageError(probed_.error + "\nmake doctor says more");
        const bool on_gpu = probed_.backend == "cuda";
        capstone_.manifest.tasks[0].speed->elements = on_gpu ? capstone_.gpu_elements : capstone_.host_elements;
    }

    [[nodiscard]] const std::string& device() const { return probed_.name; }

    /// @param judge_stub the version is the given one, on purpose
    JudgedAnswer judge(const fs::path& folder, bool judge_stub) const {
        return judge_answer(
            kit_, {.manifest = capstone_.manifest, .folder = folder, .options = run_, .judge_stub = judge_stub});
    }

    /// @throws std::runtime_error if it wasn't counted or timed
    [[nodiscard]] LogEntry entry(const JudgedAnswer& judged, int step, const std::string& note) const {
        LogEntry entry = measured_entry(judged.result.tasks.at(0));
        entry.step = step;
        entry.date = utc_time();
        entry.note = note;
        entry.answer = judged.answer;
        entry.backend = probed_.backend;
        entry.device = probed_.name;
        entry.timed_elements = capstone_.manifest.tasks[0].speed->elements;
        entry.copy_bytes_per_second =
            probed_.copy_bytes_per_second > 0 ? probed_.copy_bytes_per_second : probed_.host_bytes_per_second;
        return entry;
    }

private:
    const Kit& kit_;
    Capstone capstone_;
    RunOptions run_;
    ProbeAnswer probed_;
};

/// The check's last picture is that of the answer's result.
void keep_picture(const LogFile& log, const TaskResult& task, LogEntry& entry) {
    if (task.images.empty()) return;
    const DrawnImage& image = task.images.back();
    entry.picture = fmt::format("pictures/step-{:02}.png", entry.step);
    make_folders(log.folder() / "pictures");
    write_file_atomically(log.folder() / entry.picture,
                          png_file(image.rows, image.columns, image.channels, image.pixels));
}

std::string screen_of(JudgedAnswer& judged) {
    judged.screen.own_answer = false;  // there are no hints, and no solution to look at
    judged.screen.style = Style::of_descriptor(STDOUT_FILENO);
    return verdict_screen(judged.result, judged.screen);
}

int write_page(const Kit& kit, const Capstone& capstone, const LogFile& log, const std::string& out) {
    const WorkLog read = log.read();
    if (read.entries.empty()) {
        print_error("course: nothing is logged yet; make log NOTE=\"what you changed\" begins\n");
        return 3;
    }
    const fs::path path = out.empty() ? log.folder() / "log.html" : fs::path(out);
    const auto picture = [&](const std::string& name) -> std::string {
        constexpr std::size_t largest = std::size_t{1} << 20;
        try {
            std::string bytes = read_file(log.folder() / name, largest);
            return bytes.size() > largest ? "" : bytes;
        } catch (const FileError&) {
            return "";
        }
    };
    write_file_atomically(path, log_page(read, {capstone.manifest.title, unit_of(capstone), picture}));
    print(fmt::format("{}: {} as a chart. Open it in a browser.\n", shown_path(path, kit.root),
                      plural(read.entries.size(), "line")));
    for (const int line : read.broken)
        print(fmt::format("line {} of {} can't be read, and is left out\n", line, shown_path(log.path(), kit.root)));
    return 0;
}

int show_log(const Kit& kit, const Capstone& capstone, const LogFile& log) {
    const Manifest& manifest = capstone.manifest;
    std::string text = fmt::format("Capstone: {}\n  Read:  {}\n  Edit:  {}\n", manifest.title,
                                   shown_path(manifest.folder / "README.md", kit.root),
                                   shown_path(kit.work(manifest.folder), kit.root));
    text += "  Log:   make log NOTE=\"what you changed\"     chart: make log SHOW=1\n\n";
    const WorkLog read = log.read();
    print(text + (read.entries.empty() && read.broken.empty() ? "Nothing is logged yet.\n"
                                                              : log_table(read, unit_of(capstone))));
    return 0;
}

int log_step(const Kit& kit, const Capstone& capstone, const LogFile& log, const LogOptions& options) {
    if (const std::string why = why_not_a_note(*options.note); !why.empty()) throw UsageError("--note: " + why);
    const Bench bench(kit, capstone, options.device);
    JudgedAnswer judged = bench.judge(kit.work(capstone.manifest.folder), false);
    if (exit_code(judged.result.verdict) != 0) {
        print(screen_of(judged));
        if (judged.result.verdict == Verdict::not_started)
            print("It is the given version still: nothing to log.\n");
        else
            print_error("course: not logged: a step is logged once its result is right\n");
        return exit_code(judged.result.verdict);
    }
    const WorkLog before = log.read();
    if (const LogEntry* last = before.last_on(bench.device()); last != nullptr && last->answer == judged.answer) {
        print_error(fmt::format("course: nothing has changed since step {}, \"{}\"\n", last->step, last->note));
        return 3;
    }
    if (before.given_on(bench.device()) == nullptr) {
        print_error("measuring the given version first, once on this device ...\n");
        JudgedAnswer given = bench.judge(capstone.manifest.folder, true);
        if (exit_code(given.result.verdict) != 0) {
            print(screen_of(given));
            throw UsageError("the given version should pass here, and doesn't");
        }
        LogEntry entry = bench.entry(given, 0, "the given version");
        keep_picture(log, given.result.tasks[0], entry);
        log.add(entry);
    }
    const WorkLog with_given = log.read();
    LogEntry entry = bench.entry(judged, with_given.next_step(), *options.note);
    keep_picture(log, judged.result.tasks[0], entry);
    log.add(entry);
    print(
        step_text(entry, *with_given.given_on(bench.device()), *with_given.last_on(bench.device()), unit_of(capstone)));
    if (!entry.picture.empty())
        print(fmt::format("  picture   {}\n", shown_path(log.folder() / entry.picture, kit.root)));
    print("The chart: make log SHOW=1\n");
    return 0;
}

int dev_capstone_command(const Kit& kit) {
    const Capstone capstone = find_capstone(kit);
    const Bench bench(kit, capstone, "");
    std::vector<LogEntry> entries;
    std::vector<fs::path> folders = {capstone.manifest.folder};
    if (kit.has_solutions()) folders.push_back(kit.solution(capstone.manifest.folder));
    for (const fs::path& folder : folders) {
        JudgedAnswer judged = bench.judge(folder, true);
        if (exit_code(judged.result.verdict) != 0) {
            print(screen_of(judged));
            print_error(fmt::format("course: {} should pass\n", shown_path(folder, kit.root)));
            return 1;
        }
        const int step = static_cast<int>(entries.size());
        entries.push_back(bench.entry(judged, step, step == 0 ? "as it is given" : "the solution"));
        print(step_text(entries.back(), entries.front(), entries.front(), unit_of(capstone)));
    }
    if (entries.size() < 2 || entries[1].moved_bytes_per_element() < entries[0].moved_bytes_per_element()) return 0;
    print_error("course: the solution should move fewer bytes than the given version\n");
    return 1;
}

}  // namespace

void add_dev_capstone(CommandLine& line) {
    line.add("capstone", "the capstone's given version and its solution, judged, counted and timed",
             dev_capstone_command);
}

int log_command(const Kit& kit, const LogOptions& options) {
    const Capstone capstone = find_capstone(kit);
    if (options.page && options.note && !options.note->empty())
        throw UsageError("--note and --page at once; say one of the two");
    const bool is_new = make_work_folder(kit, capstone.manifest);
    const LogFile log(kit.work(capstone.manifest.folder));
    if (is_new) print_error(fmt::format("Made {} with the files to edit.\n", shown_path(log.folder(), kit.root)));
    if (options.page) return write_page(kit, capstone, log, options.out);
    if (!options.note) return show_log(kit, capstone, log);
    try {
        return log_step(kit, capstone, log, options);
    } catch (const FileError& error) {
        throw UsageError(fmt::format("the step could not be logged: {}", error.what()));
    }
}

void add_log(CommandLine& line) {
    auto [command, options] = line.add("log", "the capstone's work log", log_command);
    command.option("--note", &options.note, "log a step: what you changed, in a few words");
    command.option("--page", &options.page, "write the log as a page with a chart");
    command.option("--out", &options.out, "the page's file (default: log.html beside the log)");
    command.option("--device", &options.device, "host or cuda:0 (default: a usable GPU, else the host)");
}

}  // namespace course
