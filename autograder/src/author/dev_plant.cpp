// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "author/dev_commands.hpp"
#include "collect/collect.hpp"
#include "kit/work_folder.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/process.hpp"
#include "support/text.hpp"

// Planted answers are patches of the solution; here they become files, and files become patches.
namespace fs = std::filesystem;

namespace course {

namespace {

/// What `course dev plant` does with a planted answer. Neither a folder to write nor one to read: it is shown.
struct DevPlantOptions {
    int number = 0;    ///< of the exercise
    std::string name;  ///< "no-guard", "wrong/no-guard"
    std::string out;   ///< the folder to make with its files
    std::string from;  ///< the folder whose files become its patch
};

/// "wrong/no-guard" for "no-guard", if there is one of that name alone. @throws UsageError
std::string whole_name(const Kit& kit, const Manifest& manifest, const std::string& name) {
    std::vector<std::string> found;
    for (const auto& [kind, answers] : {std::pair("wrong", &manifest.wrong), std::pair("lazy", &manifest.lazy)})
        for (const PlantedAnswer& answer : *answers)
            if (answer.name == name || fmt::format("{}/{}", kind, answer.name) == name)
                found.push_back(fmt::format("{}/{}", kind, answer.name));
    if (found.size() == 1) return found.front();
    const std::string bare = name.starts_with("right/") ? name.substr(6) : name;
    if (const fs::path right = manifest.folder / "right" / bare; !bare.empty() && fs::is_directory(right))
        throw UsageError(fmt::format("right/{} has files, and no patch: read and change them in {}", bare,
                                     shown_path(right, kit.root)));
    throw UsageError(fmt::format("exercise {} has {} planted answer {}; expected wrong/NAME or lazy/NAME",
                                 manifest.number, found.empty() ? "no" : "more than one", name));
}

/// The second file's differences from the first, as a patch with one line of context; empty: none.
std::string patch_of_file(const std::string& name, const fs::path& before, const fs::path& after) {
    Command command;
    command.arguments = {"diff",      "-U1",           "--label",      "a/" + name, "--label",
                         "b/" + name, before.string(), after.string()};
    const char* const path = std::getenv("PATH");
    command.environment = {fmt::format("PATH={}", path ? path : "/usr/bin:/bin"), "LC_ALL=C"};
    command.folder = "/";
    const ProcessResult result = run_process(command);
    if (result.ending != ProcessResult::Ending::exited || result.code > 1)
        throw UsageError(fmt::format("diff failed: {}", result.output));
    return result.output;
}

void show_changed(const Answer& answer, const fs::path& solution, const fs::path& root) {
    for (const AnswerFile& file : answer.files)
        if (file.shown != shown_path(solution / file.name, root)) print(fmt::format("{}:\n{}", file.shown, file.text));
}

int dev_plant_command(const Kit& kit, const DevPlantOptions& options) {
    const Manifest manifest = kit.manifest(options.number);
    const fs::path solution = kit.solution(manifest.folder);
    const bool is_new = !options.from.empty() && !is_patch(manifest.folder / options.name) &&
                        (options.name.starts_with("wrong/") || options.name.starts_with("lazy/"));
    const std::string name = is_new ? options.name : whole_name(kit, manifest, options.name);
    const fs::path patch = manifest.folder / (name + ".patch");
    if (options.from.empty()) {
        const Answer answer = collect(manifest, manifest.folder / name, kit.root);
        if (options.out.empty()) {
            show_changed(answer, solution, kit.root);
            return 0;
        }
        const fs::path out = fs::absolute(options.out);
        if (fs::exists(fs::symlink_status(out)))
            throw UsageError(fmt::format("--out {}: it is there already", options.out));
        make_folders(out);
        for (const AnswerFile& file : answer.files) write_file(out / file.name, file.text);
        print(fmt::format("Made {0} with the files of {1}. After a change: {2} dev plant {3} {1} --from {0}\n",
                          options.out, name, kit.command(), manifest.number));
        return 0;
    }
    std::string text = is_new ? "verdict = \"wrong\"\nsays = \"\"\n\n" : read_patch(read_file(patch), name).head;
    const std::size_t head = text.size();
    for (const std::string& file : manifest.edit)
        if (const fs::path changed = fs::absolute(options.from) / file; fs::is_regular_file(changed))
            text += patch_of_file(file, solution / file, changed);
    if (text.size() == head)
        throw UsageError(fmt::format("--from {}: its files are those of the solution", options.from));
    make_folders(patch.parent_path());
    write_file_atomically(patch, text);
    print(fmt::format("Wrote {}.{}\n", shown_path(patch, kit.root),
                      is_new ? " Its first lines are yours to fill in: what the verdict must be and say" : ""));
    return 0;
}

}  // namespace

void add_dev_plant(CommandLine& line) {
    auto [command, options] =
        line.add("plant", "show a planted answer, write its files, or make its patch of files", dev_plant_command);
    command.option("number", &options.number, "the exercise", {.required = true, .is_number = true});
    command.option("name", &options.name, "no-guard, or wrong/no-guard", {.required = true});
    command.option("--out", &options.out, "the folder to make with its files");
    command.option("--from", &options.from, "the folder whose files become its patch", {.excludes = {"--out"}});
}

}  // namespace course
