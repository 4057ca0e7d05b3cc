// SPDX-License-Identifier: MIT
// An exercise without a fixed answer: the student's own Eigen function, ported, and judged by its CPU version.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "answer/judge_answer.hpp"
#include "build/exercise_build.hpp"
#include "build/scratch.hpp"
#include "collect/collect.hpp"
#include "commands/bookkeeper.hpp"
#include "commands/commands.hpp"
#include "kit/work_folder.hpp"
#include "manifest/names.hpp"
#include "own/own_folder.hpp"
#include "own/signature.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// What `course own` does: make a folder of a function, or judge its port.
struct OwnOptions {
    std::string function;   ///< a file, a given function or one that was begun; empty: list them
    bool renew = false;     ///< make a new check; the port stays
    std::string device;     ///< "host", "cuda:0"; empty: libgpu's own choice
    std::optional<std::uint64_t> seed;
};

constexpr std::size_t max_function_bytes = std::size_t{1} << 18;
constexpr std::size_t max_name = 32;

fs::path templates_of(const Kit& kit) { return kit.toolchain.source_dir / "autograder/template/own"; }

std::vector<std::string> names_in(const fs::path& folder, bool folders) {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.is_directory(error) == folders) names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// A function, and where its port is or will be.
struct OwnPlace {
    std::string name;
    fs::path source;   ///< the file that holds it; empty: its folder is there, and no file was named
    fs::path folder;   ///< work/own/NAME
    [[nodiscard]] fs::path check() const { return folder / "check"; }
};

OwnPlace find_place(const Kit& kit, const std::string& named) {
    OwnPlace place;
    const fs::path path = named;
    place.name = path.stem().string();
    place.folder = kit.root / "work" / "own" / place.name;
    if (path.extension() == ".cpp") {
        place.source = path;
        if (!fs::is_regular_file(path)) throw UsageError(fmt::format("{}: there is no such file", named));
        if (!is_identifier(place.name) || place.name.size() > max_name)
            throw UsageError(fmt::format("{}: name the file like the function in it, as my_function.cpp", named));
        return place;
    }
    const fs::path given = templates_of(kit) / "functions" / (named + ".cpp");
    if (!path.has_parent_path() && fs::is_regular_file(given)) place.source = given;
    if (path.has_parent_path() || (place.source.empty() && !fs::is_directory(place.check())))
        throw UsageError(fmt::format("own {}: that is neither a .cpp file, nor one of {}, nor begun in work/own", named,
                                     fmt::join(names_in(templates_of(kit) / "functions", false), ", ")));
    return place;
}

void write_files(const fs::path& folder, const std::map<std::string, std::string>& files) {
    make_folders(folder);
    for (const auto& [name, text] : files) write_file(folder / name, text);
}

/// The files of the function; a fault in it is the user's.
OwnFiles files_of(const Kit& kit, const OwnPlace& place) {
    const std::string text = read_file(place.source, max_function_bytes);
    if (text.size() > max_function_bytes)
        throw UsageError(fmt::format("{} is larger than 256 KiB", place.source.string()));
    try {
        return own_files(templates_of(kit), own_function(text, place.name), text, place.source.filename().string());
    } catch (const OwnFunctionError& error) {
        throw UsageError(fmt::format("{}: {}", place.source.string(), error.what()));
    }
}

/// Puts the check into its place and builds it. If it doesn't compile, all is as it was before.
void make_check(const Kit& kit, const OwnPlace& place, const OwnFiles& files) {
    const bool is_new = !fs::exists(place.folder);
    const fs::path kept = place.folder / "check.old";
    fs::remove_all(kept);
    if (fs::exists(place.check())) fs::rename(place.check(), kept);
    write_files(place.check(), files.check);
    if (!fs::exists(place.folder / (place.name + ".cpp"))) write_files(place.folder, files.port);
    try {
        const Scratch scratch = Scratch::make(kit.toolchain.build_dir / "scratch");
        build_exercise(kit.toolchain, read_own_manifest(place.check()), scratch.path());
    } catch (const BuildFault& error) {
        fs::remove_all(is_new ? place.folder : place.check());
        if (fs::exists(kept)) fs::rename(kept, place.check());
        throw UsageError(fmt::format("{}: no check could be made of it. {}", place.source.string(), error.what()));
    }
    fs::remove_all(kept);
}

std::string list_text(const Kit& kit) {
    std::string text = "Port a function of your own: course own my_function.cpp (make own FILE=my_function.cpp)\n"
                       "Given to port, if you have none at hand:\n";
    for (const std::string& name : names_in(templates_of(kit) / "functions", false)) text += "  " + name + "\n";
    const std::vector<std::string> begun = names_in(kit.root / "work" / "own", true);
    if (!begun.empty()) text += fmt::format("Begun in work/own: {}\n", fmt::join(begun, ", "));
    return text + "More about it: docs/student.md, \"Your own code\"\n";
}

std::string made_text(const Kit& kit, const OwnPlace& place) {
    return fmt::format("Made {0} of {1}.\n  Edit:  {0}/{2}.cpp, and {2}.cu for kernels\n"
                       "  Check: {0}/check, yours to change: cpu_version.hpp, what is drawn in check.cpp, own.toml\n"
                       "Next: port it, then make own FILE={2}\n",
                       shown_path(place.folder, kit.root), shown_path(fs::absolute(place.source), kit.root),
                       place.name);
}

int judge_own(const Kit& kit, const OwnPlace& place, const OwnOptions& options) {
    const Manifest manifest = read_own_manifest(place.check());
    RunOptions run;
    run.device = options.device;
    run.seed = options.seed;
    const CallOptions choice;
    Bookkeeper bookkeeper(choice);
    JudgedAnswer judged = judge_answer(
        kit, {.manifest = manifest, .folder = place.folder, .options = run, .after_tasks = std::ref(bookkeeper)});
    Screen& screen = judged.screen;
    screen.own_answer = false;   // there are no hints, and no solution
    screen.readme.clear();
    screen.about = "Your " + place.name;
    screen.counts = true;
    screen.style = Style::of_descriptor(STDOUT_FILENO);
    screen.columns = text_columns(screen.columns);
    std::string text = verdict_screen(judged.result, screen);
    if (judged.result.verdict == Verdict::not_started)
        text += fmt::format("Next: port it, then make own FILE={}\n", place.name);
    const NotedCall& call = bookkeeper.call;
    if (call.task != nullptr && call.problem.empty())
        text += "\n" + call_text(call, screen.sources, fmt::format("{}", fmt::join(screen.files, ", ")));
    print(text);
    return exit_code(judged.result.verdict);
}

/// True if the check was made of another text than the file has now.
bool has_changed(const OwnPlace& place, const OwnFiles& files) {
    const fs::path file = place.check() / "cpu_version.hpp";
    return !fs::is_regular_file(file) || read_file(file) != files.check.at("cpu_version.hpp");
}

int own_command(const Kit& kit, const OwnOptions& options) {
    if (options.function.empty()) {
        print(list_text(kit));
        return 0;
    }
    const OwnPlace place = find_place(kit, options.function);
    const bool is_begun = fs::is_directory(place.check());
    if (!place.source.empty() && (!is_begun || options.renew)) {
        make_check(kit, place, files_of(kit, place));
        refresh_editor_files(kit);
        if (!is_begun) {
            print(made_text(kit, place));
            return 0;
        }
    } else if (options.renew) {
        throw UsageError("--renew: name the file to make the check of");
    } else if (!place.source.empty() && has_changed(place, files_of(kit, place))) {
        print_error(fmt::format("note: {} isn't what the check was made of; --renew (RENEW=1) makes a new one, and "
                                "your port stays\n", place.source.string()));
    }
    return judge_own(kit, place, options);
}

}  // namespace

void add_own(CommandLine& line) {
    auto [command, options] =
        line.add("own", "port a function of your own, and have it judged by its CPU version", own_command);
    command.option("function", &options.function, "my_function.cpp, or the name of a given or a begun one");
    command.option("--renew", &options.renew, "make a new check of the file; the port stays");
    command.option("--device", &options.device, "host or cuda:0 (default: a usable GPU, else the host)");
    command.option("--seed", &options.seed, "of the inputs, to repeat a run");
}

}  // namespace course
