// SPDX-License-Identifier: MIT
// `course watch`: judges an answer when one of its files is saved. Judging is a separate `course run`, so that it can
// be abandoned at the next save, and so that its failures don't end the watch.
#include <algorithm>
#include <ctime>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include "collect/collect.hpp"
#include "commands/ask.hpp"
#include "commands/commands.hpp"
#include "commands/move_progress.hpp"
#include "kit/work_folder.hpp"
#include "manifest/names.hpp"
#include "progress/course_path.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/process.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

using Clock = std::chrono::steady_clock;

/// An exercise and the student's files for it.
struct Watched {
    Manifest manifest;
    SavedFiles files;
};

std::string time_of_day() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::localtime_r(&now, &parts);
    return fmt::format("{:02}:{:02}:{:02}", parts.tm_hour, parts.tm_min, parts.tm_sec);
}

class Watch {
public:
    /// @param number the exercise to begin with
    /// @param alone watch only this one: files of others are ignored
    Watch(const Kit& kit, int number, bool alone)
        : kit_(kit), alone_(alone), has_keys_(KeyTerminal::is_there()), style_(Style::of_descriptor(STDOUT_FILENO)) {
        begin(number);
    }

    int run() {
        std::optional<KeyTerminal> terminal;
        if (has_keys_) terminal.emplace();
        judge("");
        while (wait()) {
            for (const char key : pressed_) handle(key);
            if (is_over_) break;
            if (run_) {
                if (const auto code = run_->ended()) after_verdict(*code);
            }
            look_at_files();
        }
        give_up_run();
        return 0;
    }

private:
    Watched& current() {
        return *std::find_if(watched_.begin(), watched_.end(),
                             [&](const Watched& one) { return one.manifest.number == number_; });
    }

    std::vector<std::string> shown_files(const Watched& one) const {
        std::vector<std::string> names;
        for (const fs::path& file : one.files.files()) names.push_back(shown_path(file, kit_.root));
        return names;
    }

    void add(const Manifest& manifest) {
        const bool has = std::any_of(watched_.begin(), watched_.end(),
                                     [&](const Watched& one) { return one.manifest.number == manifest.number; });
        if (has) return;
        std::vector<fs::path> files;
        for (const std::string& name : manifest.edit) files.push_back(kit_.work(manifest.folder) / name);
        watched_.push_back({manifest, SavedFiles(std::move(files))});
    }

    /// Makes the exercise the current one, and creates its folder if necessary.
    void begin(int number) {
        const Manifest manifest = kit_.manifest(number);
        make_work_folder(kit_, manifest);
        refresh_editor_files(kit_);
        number_ = number;
        if (alone_) watched_.clear();
        add(manifest);
        add_begun();
    }

    /// Adds everything that the student has begun: it may be saved next.
    void add_begun() {
        next_search_ = Clock::now() + std::chrono::seconds(5);
        if (alone_) return;
        for (const ExerciseFolder& folder : exercise_folders(kit_.root)) {
            std::error_code error;
            if (!fs::is_directory(kit_.work(folder.path), error)) continue;
            try {
                add(read_manifest(folder.path));
            } catch (const ManifestError&) {}  // `make list` reports it
        }
    }

    /// Sleeps until a key is pressed or it is time to look again. False: nobody is left to print for.
    bool wait() {
        pollfd ends[2] = {{STDOUT_FILENO, 0, 0}, {has_keys_ ? STDIN_FILENO : -1, POLLIN, 0}};
        const int milliseconds = is_changing_ ? 50 : run_ ? 100 : 250;
        pressed_.clear();
        ::poll(ends, 2, milliseconds);
        for (const pollfd& end : ends)
            if (end.fd >= 0 && (end.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) return false;
        if ((ends[1].revents & POLLIN) != 0) {
            char keys[16];
            const ssize_t got = ::read(STDIN_FILENO, keys, sizeof keys);
            if (got > 0) pressed_.assign(keys, static_cast<std::size_t>(got));
        }
        return true;
    }

    void handle(char key) {
        constexpr char control_d = 4;
        switch (key) {
            case 'h': (void)hint_command(kit_, number_); break;
            case 'l': (void)list_command(kit_); break;
            case 'r': judge(""); break;
            case 'n': go_on(); break;
            case 'q':
            case control_d: is_over_ = true; break;
            default: break;
        }
    }

    void go_on() {
        const Progress::Records records = Progress(kit_.root / "work").read();
        const auto record = records.find(current().manifest.name);
        const auto next = next_exercise(kit_, records, number_);
        if (record == records.end() || !record->second.passed) {
            print(next ? fmt::format("Exercise {} isn't passed yet. To begin with {} all the same: make watch N={}\n",
                                     number_, next->name, next->number)
                       : fmt::format("Exercise {} isn't passed yet, and it is the last.\n", number_));
        } else if (!next) {
            print("All exercises of this edition are passed.\n");
        } else {
            begin(next->number);
            judge("");
        }
    }

    /// @param why the reason, for the line above the verdict
    void judge(const std::string& why) {
        give_up_run();
        print(why.empty()
                  ? fmt::format("\nWatching {}: judged when you save.\n\n", fmt::join(shown_files(current()), " and "))
                  : fmt::format("\n{}\n\n", style_.faint(fmt::format("--- {}  {}", time_of_day(), why))));
        run_ = std::make_unique<BackgroundProcess>(
            std::vector<std::string>{(kit_.toolchain.program_dir / "course").string(), "--root", kit_.root.string(),
                                     "run", std::to_string(number_), "--watched"});
    }

    void give_up_run() {
        if (!run_) return;
        run_.reset();
        if (::isatty(STDERR_FILENO) == 1) print_error("\r\x1b[K");  // its progress line
    }

    /// Prints how much of the course is passed.
    void show_progress() const {
        try {
            print(progress_bar(course_path(kit_)) + "\n");
        } catch (const ManifestError&) {}  // `make list` reports it
    }

    void after_verdict(int code) {
        run_.reset();
        show_progress();
        const Progress::Records records = Progress(kit_.root / "work").read();
        const auto next = next_exercise(kit_, records, number_);
        if (!has_keys_) {
            if (code == 0 && next && !alone_) {
                make_work_folder(kit_, kit_.manifest(next->number));
                add_begun();  // before printing: whoever reads it may save immediately
                print(fmt::format("Next: exercise {}, {}: edit and save\n", next->number,
                                  shown_path(kit_.work(next->path), kit_.root)));
            }
            add_begun();
            return;
        }
        const auto record = records.find(current().manifest.name);
        const int hints = record == records.end() ? 0 : record->second.hints_used;
        const std::string first = code != 0 ? fmt::format("h: hint ({}/3 used)   ", hints)
                                  : next    ? fmt::format("n: next, exercise {} {}   ", next->number, next->name)
                                            : "";
        print(style_.bold(first + "r: run again   l: list   q: quit") + "\n");
        add_begun();
    }

    void look_at_files() {
        const Clock::time_point now = Clock::now();
        if (now >= next_search_) add_begun();
        is_changing_ = false;
        for (Watched& one : watched_) {
            const SavedFiles::Seen seen = one.files.look(now);
            const std::string name = shown_path(one.files.changed(), kit_.root);
            if (seen == SavedFiles::Seen::change) is_changing_ = true;
            if (seen == SavedFiles::Seen::the_same && has_keys_)
                print(fmt::format("{} was saved, and nothing in it has changed. r: run again\n", name));
            if (seen != SavedFiles::Seen::saved) continue;
            number_ = one.manifest.number;
            judge(name);
            return;
        }
    }

    const Kit& kit_;
    const bool alone_, has_keys_;
    const Style style_;
    int number_ = 0;
    std::vector<Watched> watched_;
    std::unique_ptr<BackgroundProcess> run_;
    std::string pressed_;
    Clock::time_point next_search_{};
    bool is_changing_ = false, is_over_ = false;
};

/// The exercise given as "8", "08" or a file of an answer.
int number_of(const Kit& kit, const std::string& what) {
    if (what.size() <= 4 && what.find_first_not_of("0123456789") == what.npos) return kit.find(std::stoi(what)).number;
    const fs::path file = fs::weakly_canonical(what);
    for (const ExerciseFolder& folder : exercise_folders(kit.root)) {
        if (file.parent_path().filename() != folder.path.filename()) continue;
        const Manifest manifest = read_manifest(folder.path);
        if (is_one_of(file.filename().string(), manifest.edit)) return folder.number;
        throw UsageError(
            fmt::format("{}: the files of exercise {} are {}", what, folder.number, fmt::join(manifest.edit, ", ")));
    }
    throw UsageError(
        fmt::format("{} is neither an exercise's number nor a file of an answer, such as "
                    "work/08-raw-add/raw_add.cu",
                    what));
}

/// @param what an exercise's number, or a file of an answer; empty: the first exercise that isn't passed, and then on
int watch_command(const Kit& kit, const std::string& what) {
    if (!what.empty()) return Watch(kit, number_of(kit, what), true).run();
    const auto next = next_exercise(kit, Progress(kit.root / "work").read(), 0);
    if (next) return Watch(kit, next->number, false).run();
    const std::vector<ExerciseFolder> all = exercise_folders(kit.root);
    if (all.empty()) throw UsageError("this edition has no exercises");
    print("All exercises of this edition are passed. Well done!\nTo watch one all the same: make watch N=1\n");
    return 0;
}

}  // namespace

void add_watch(CommandLine& line) {
    auto [command, what] = line.add("watch", "judge when a file is saved", watch_command);
    command.option("what", &what, "an exercise's number or a file (default: the next exercise)");
}

}  // namespace course
