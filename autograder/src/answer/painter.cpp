// SPDX-License-Identifier: MIT
#include "answer/painter.hpp"

#include <fmt/format.h>

#include "support/files.hpp"

namespace course {

void Painter::operator()(std::span<const JudgedTask> tasks, Caller& caller, const std::filesystem::path& folder) {
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
    const CallReply reply = caller.check_call(one->function->name, one->arguments, one->function->returns, limits);
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
