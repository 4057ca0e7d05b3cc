// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "lessons/prediction.hpp"
#include "progress/submission.hpp"
#include "report/terminal.hpp"
#include "support/process.hpp"

namespace course {

/// True if there is somebody to ask: both stdin and stdout are a terminal.
bool can_ask();

/// The lines that a question asks about, for the screen; empty if it asks about none. @throws UsageError
std::string listing_text(const Lesson& lesson, const Question& question);

/// Asks until the line is a prediction, or empty: then nothing.
std::optional<Prediction> ask_prediction(const Question& question);

/// What a prediction turned out to be, and why: the choice taken first, then the right one.
/// @param answer the program's line; used for numbers alone
std::string judged_text(const Question& question, const JudgedPrediction& judged, const std::string& answer,
                        const std::string& misconception, const Style& style);

/// Adds to work/answers.txt; a disk that refuses is reported, and no more.
void note_answer(const Answers& answers, const std::string& question, const JudgedPrediction& judged);

/// Standard input gives each key at once and shows none of them; Ctrl-C and Ctrl-Z work as ever. The terminal is as it
/// was before at the end of the scope, at a signal that ends the program, at a crash, and while the program is stopped.
/// At most one at a time.
class KeyTerminal {
public:
    KeyTerminal();
    ~KeyTerminal();
    KeyTerminal(const KeyTerminal&) = delete;
    KeyTerminal& operator=(const KeyTerminal&) = delete;

    /// True if standard input and output are a terminal.
    static bool is_there() noexcept;

private:
    AtSignal at_signal_;
};

}  // namespace course
