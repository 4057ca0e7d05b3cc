// SPDX-License-Identifier: MIT
#include "answer/write_images.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "collect/collect.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// The names of the files that the last verdict wrote, one per line. The student can edit the list, so only plain names
/// of PNG files are used.
constexpr const char* list_name = ".written";

void remove_earlier(const fs::path& folder) {
    std::error_code ignored;
    if (!fs::is_regular_file(fs::symlink_status(folder / list_name, ignored))) return;
    std::istringstream names(read_file(folder / list_name, 1 << 16));
    for (std::string name; std::getline(names, name);)
        if (name.ends_with(".png") && name.find('/') == name.npos) fs::remove(folder / name, ignored);
    fs::remove(folder / list_name, ignored);
}

}  // namespace

void write_images(Result& result, const fs::path& folder, const fs::path& root) {
    remove_earlier(folder);
    const auto draws = [](const TaskResult& task) { return !task.images.empty(); };
    if (std::none_of(result.tasks.begin(), result.tasks.end(), draws)) return;
    make_folders(folder);
    std::string names;
    for (const TaskResult& task : result.tasks)
        for (const DrawnImage& image : task.images) names += image.name + ".png\n";
    write_file_atomically(folder / list_name, names);
    for (TaskResult& task : result.tasks) {
        for (DrawnImage& image : task.images) {
            const fs::path file = folder / (image.name + ".png");
            write_file_atomically(file, png_file(image.rows, image.columns, image.channels, image.pixels));
            image.file = shown_path(file, root);
        }
    }
}

void TraceRenderer::operator()(std::span<const JudgedTask> tasks, Caller& caller, const std::filesystem::path& folder) {
    const auto [chosen, one] = case_to_look_at(tasks, {.task = order_.task, .case_name = order_.case_name});
    if (chosen == nullptr || (order_.passed_only && !is_passed(chosen->result))) return;
    const JudgedTask& judged = *chosen;
    pictures.task = judged.task.id;
    if (one == nullptr) {
        pictures.problem = no_case_text(judged, order_.case_name, "no case of it is small enough to be drawn");
        return;
    }
    pictures.case_name = judged.result.cases[one->index].name;
    CheckLimits limits{.seconds_per_block = 2, .seconds = order_.seconds, .pictures = {}};
    limits.pictures = {order_.file, fmt::format("Exercise {} {}: {}", manifest_.number, manifest_.name, judged.task.id),
                       fmt::format("{}, case {}", judged.task.title, pictures.case_name)};
    const CallResult reply = caller.check_call(one->function->name, one->arguments, one->function->returns, limits);
    if (reply.outcome == Outcome::kernel_does_not_compile) {
        pictures.problem = "its kernel does not compile";
        return;
    }
    try {
        pictures.text = read_file(folder / order_.file);
    } catch (const FileError&) {
        pictures.problem = reply.message.empty() ? "the program ended before they were made" : reply.message;
    }
}

}  // namespace course
