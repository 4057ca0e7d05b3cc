// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "commands/commands.hpp"
#include "judge/judge.hpp"
#include "report/counts_text.hpp"
#include "run/caller.hpp"

namespace course {

/// The ledger of one call, ready to print.
struct NotedCall {
    const Task* task = nullptr;
    CaseResult result;
    CallResult reply;
    std::string problem;  ///< why there is none
};

/// Calls one case of one task once all have their verdicts.
class Bookkeeper {
public:
    explicit Bookkeeper(const CallOptions& options) : options_(options) {}

    void operator()(std::span<const JudgedTask> tasks, Caller& caller, const std::filesystem::path& folder);

    NotedCall call;

private:
    const CallOptions& options_;
};

/// The ledger with its totals beside what the task asks for. @param where the answer's files
std::string call_text(const NotedCall& call, std::span<const SourceFile> sources, const std::string& where);

}  // namespace course
