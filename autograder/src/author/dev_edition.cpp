// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "author/dev_commands.hpp"
#include "author/leaked_lines.hpp"
#include "collect/collect.hpp"
#include "kit/edition.hpp"
#include "kit/probe.hpp"
#include "kit/work_folder.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/process.hpp"
#include "support/text.hpp"

// The student edition: the kit without what gives answers away, as a folder and an archive.
namespace fs = std::filesystem;

namespace course {

namespace {

/// What `course dev edition` makes.
struct EditionOptions {
    std::string out;        ///< the folder; OUT.tar.gz lies beside it; empty: build/dist/gpu-course-student-VERSION
    std::string solutions;  ///< where students find them; empty: what student_edition.toml says
};

std::string output_of(const Kit& kit, std::vector<std::string> arguments) {
    Command command;
    command.arguments = std::move(arguments);
    command.environment = own_environment();
    command.folder = kit.root;
    command.seconds = 300;
    command.output_bytes = std::size_t{1} << 24;
    command.file_bytes = 0;
    const ProcessResult result = run_process(command);
    if (result.succeeded()) return result.output;
    std::string said = result.output;
    while (said.ends_with('\n')) said.pop_back();
    throw UsageError(fmt::format("{} {} failed{}{}", command.arguments[0], command.arguments[1],
                                 said.empty() ? "" : ": ", said));
}

std::string git(const Kit& kit, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "git");
    return output_of(kit, std::move(arguments));
}

/// An edition is named by its commit, so it must contain nothing else.
void refuse_changes(const Kit& kit) {
    const std::vector<std::string> changed = split(git(kit, {"status", "--porcelain", "--", "."}), '\n');
    if (changed.empty()) return;
    std::string text = fmt::format("{} file{} not committed, and the edition is made of a commit:\n", changed.size(),
                                   changed.size() == 1 ? " is" : "s are");
    for (std::size_t k = 0; k < std::min<std::size_t>(changed.size(), 5); ++k) text += "  " + changed[k] + "\n";
    throw UsageError(text + (changed.size() > 5 ? "  ...\n" : "") + "Commit them or put them aside: git stash -u");
}

/// Removes a half-made edition.
class PartFolder {
public:
    explicit PartFolder(const fs::path& target) : path_(target.string() + ".part") {
        fs::remove_all(path_);
        make_folders(path_);
    }
    PartFolder(const PartFolder&) = delete;
    PartFolder& operator=(const PartFolder&) = delete;
    ~PartFolder() {
        std::error_code error;
        fs::remove_all(path_, error);
    }
    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

void copy_files(const fs::path& from, const fs::path& to, const std::vector<std::string>& files) {
    for (const std::string& file : files) {
        make_folders((to / file).parent_path());
        fs::copy(from / file, to / file, fs::copy_options::copy_symlinks);
    }
}

/// Replaces what each exercise's third hint is made from by the hint itself.
std::size_t prepare_hints(const Kit& kit, const fs::path& edition) {
    std::size_t count = 0;
    for (const ExerciseFolder& folder : exercise_folders(edition)) {
        const Manifest manifest = kit.manifest(folder.number);
        const fs::path file = folder.path / "exercise.toml";
        write_file(file, student_manifest(read_file(file), puzzle_lines(kit, manifest)));
        static_cast<void>(read_manifest(folder.path));   // throws if that is no longer an exercise
        ++count;
    }
    return count;
}

int dev_edition_command(const Kit& kit, const EditionOptions& options) {
    if (!fs::exists(kit.root / ".git"))
        throw UsageError(fmt::format("{} is not a git repository, so nobody knows which files are the kit's",
                                     kit.root.string()));
    const std::vector<std::string> files = split(git(kit, {"ls-files", "-z"}), '\0');
    EditionPlan plan = read_edition_plan(kit.root, files);
    if (!options.solutions.empty()) plan.solutions = options.solutions;
    if (plan.solutions.find('\n') != plan.solutions.npos)
        throw UsageError("SOLUTIONS has several lines; write a sentence");
    fs::path out = options.out.empty() ? kit.root / "build" / "dist" / ("gpu-course-student-" + kit_version())
                                       : fs::absolute(options.out);
    if (!out.has_filename()) out = out.parent_path();   // "folder/"
    const fs::path archive = out.string() + ".tar.gz";
    for (const fs::path& path : {out, archive})
        if (fs::exists(fs::symlink_status(path)))
            throw UsageError(fmt::format("{} is there already: remove it, or name another folder with OUT=",
                                         shown_path(path, kit.root)));
    refuse_changes(kit);

    std::vector<std::string> kept;
    std::copy_if(files.begin(), files.end(), std::back_inserter(kept), [&](const std::string& file) {
        return std::none_of(plan.leave_out.begin(), plan.leave_out.end(),
                            [&](const std::string& pattern) { return fits(pattern, file); });
    });
    const std::vector<std::string> commit = split(git(kit, {"log", "-1", "--format=%H%n%ct"}), '\n');
    const PartFolder part(out);
    const fs::path made = part.path() / out.filename();
    copy_files(kit.root, made, kept);
    const std::size_t hints = prepare_hints(kit, made);
    refuse_leaked_lines(kit.root, made, kept, plan);
    write_file(made / "edition.toml", fmt::format("# Made by make dist-student.\nformat = 1\nedition = \"student\"\n"
                                                  "commit = \"{}\"\nsolutions = {}\n",
                                                  commit.at(0), quoted_toml(plan.solutions)));
    const fs::path packed = part.path() / "edition.tar.gz";
    static_cast<void>(output_of(kit, {"tar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner",
                                      "--mtime=@" + commit.at(1), "-C", part.path().string(), "-czf", packed.string(),
                                      out.filename().string()}));
    fs::rename(made, out);
    fs::rename(packed, archive);
    print(fmt::format("Made {0} and {0}.tar.gz\n  commit {1}: {2} files; {3} left out; the third hints of {4} are "
                      "prepared\n  Solutions: {5}\n",
                      shown_path(out, kit.root), commit.at(0).substr(0, 10), kept.size(), files.size() - kept.size(),
                      plural(hints, "exercise"), plan.solutions));
    return 0;
}

}  // namespace

void add_dev_edition(CommandLine& line) {
    auto [command, options] = line.add("edition", "the student's edition, without solutions", dev_edition_command);
    command.option("--out", &options.out, "the folder to make (default: build/dist/gpu-course-student-VERSION)");
    command.option("--solutions", &options.solutions,
                   "a sentence: where students find them (default: as student_edition.toml says)");
}

}  // namespace course

namespace fs = std::filesystem;

namespace course {

int dev_new_command(const Kit& kit, const std::string& folder_name) {
    const ExerciseFolder exercise = name_exercise(kit.root / "exercises" / folder_name);
    for (const ExerciseFolder& other : exercise_folders(kit.root))
        if (other.number == exercise.number || other.name == exercise.name)
            throw UsageError(fmt::format("{} already exists; number and name belong to one exercise only",
                                         shown_path(other.path, kit.root)));
    const fs::path solution = kit.solution(exercise.path);
    if (fs::exists(solution)) throw UsageError(fmt::format("{} is there already", shown_path(solution, kit.root)));
    make_from_template(kit, exercise, solution);
    print(fmt::format(
        "Made {} and {}.\nThey are a whole exercise already: {} dev check {}\n"
        "Then make it yours, from exercise.toml on; docs/exercise-format.md describes each file.\n",
        shown_path(exercise.path, kit.root), shown_path(solution, kit.root), kit.command(), exercise.number));
    return 0;
}

void add_dev_new(CommandLine& line) {
    auto [command, name] = line.add("new", "a new exercise from the template", dev_new_command);
    command.option("name", &name, "two digits and a topic: 21-my-topic", {.required = true});
}

}  // namespace course
