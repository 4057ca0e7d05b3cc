// SPDX-License-Identifier: MIT
// What an answer asks of the device, line by line.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answer/judge_answer.hpp"
#include "answer/case_to_look_at.hpp"
#include "commands/bookkeeper.hpp"
#include "commands/commands.hpp"
#include "kit/work_folder.hpp"
#include "report/ledger_text.hpp"
#include "report/terminal.hpp"

namespace fs = std::filesystem;

namespace course {

void Bookkeeper::operator()(std::span<const JudgedTask> tasks, Caller& caller, const fs::path&) {
    const auto [chosen, one] = case_to_look_at(
        tasks, {.task = options_.task, .case_name = options_.case_name, .look_for = LookFor::requests});
    if (chosen == nullptr) return;
    const JudgedTask& judged = *chosen;
    call.task = &judged.task;
    if (one == nullptr) {
        call.problem = no_case_text(judged, options_.case_name, "no case of it is small enough");
        return;
    }
    call.result = judged.result.cases[one->index];
    call.reply = caller.ledger_call(one->function->name, one->arguments, one->function->returns);
    if (!call.reply.ledger) call.problem = "nothing was noted";
}

std::string call_text(const NotedCall& call, std::span<const SourceFile> sources, const std::string& where) {
    const bool returned = call.reply.outcome == Outcome::returned;
    std::string text = fmt::format("What {} asked of the device, case {}\n{}\n\n{}", call.task->id, call.result.name,
                                   where, ledger_text(*call.reply.ledger, sources));
    if (!returned) text += fmt::format("\nIt ended here: {}\n", call.reply.message);
    const std::string totals =
        ledger_totals(returned ? call.reply.counts : totals_of(*call.reply.ledger), *call.task, call.result.size());
    return totals.empty() ? text : text + "\n" + totals;
}

namespace {

int ledger_command(const Kit& kit, const CallOptions& options) {
    const Manifest manifest = kit.manifest(options.number);
    const fs::path folder = answer_folder(kit, manifest, options.from);
    check_task(manifest, options.task);
    Bookkeeper bookkeeper(options);
    RunOptions run;
    run.number = manifest.number;
    run.device = "host";  // it is there on every machine, and is asked for the same
    run.seed = options.seed;
    JudgedAnswer judged = judge_answer(kit, {.manifest = manifest,
                                             .folder = folder,
                                             .options = run,
                                             .judge_stub = true,  // also for a port as given
                                             .after_tasks = std::ref(bookkeeper)});
    const NotedCall& call = bookkeeper.call;
    if (call.task == nullptr || !call.problem.empty()) {
        judged.screen.own_answer = false;  // `course run` says what comes next
        print(verdict_screen(judged.result, judged.screen));
        print_error(fmt::format("course: no ledger{}: {}\n", call.task == nullptr ? "" : " of " + call.task->id,
                                call.task != nullptr                                 ? call.problem
                                : judged.result.verdict == Verdict::does_not_compile ? "your code doesn't compile"
                                                                                     : "there is no verdict"));
        return std::max(exit_code(judged.result.verdict), 1);
    }
    print(call_text(call, judged.screen.sources, fmt::format("{}", fmt::join(judged.screen.files, ", "))));
    return call.reply.outcome == Outcome::returned ? 0 : 1;
}

}  // namespace

void add_ledger(CommandLine& line) {
    auto [command, options] = line.add("ledger", "what your code asks of the device, line by line", ledger_command);
    options.add_choice(command);
    options.add_source(command, "a folder to look at instead of work/");
}

}  // namespace course
