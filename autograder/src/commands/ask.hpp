// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "lessons/prediction.hpp"
#include "progress/submission.hpp"
#include "report/terminal.hpp"
#include "support/process.hpp"

namespace course {

/// True if there is somebody to ask: both stdin and stdout are terminals.
bool can_ask();

/// The lines that a question asks about, for the screen; empty if it asks about none. @throws UsageError
std::string listing_text(const Lesson& lesson, const Question& question);

/// Asks until the line is a prediction, or is empty: then nothing.
std::optional<Prediction> ask_prediction(const Question& question);

/// Whether a prediction was right, and why: first the chosen answer, then the right one.
/// @param answer the program's line; used only for numbers
std::string judged_text(const Question& question, const JudgedPrediction& judged, const std::string& answer,
                        const std::string& misconception, const Style& style);

/// Adds to work/answers.txt; a write error is only reported.
void note_answer(const Answers& answers, const std::string& question, const JudgedPrediction& judged);

/// Makes standard input deliver each key at once without echo; Ctrl-C and Ctrl-Z work as usual. The terminal is
/// restored at the end of the scope, at a signal that ends the program, at a crash, and while the program is stopped.
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
    SignalCleanup signal_cleanup_;
};

}  // namespace course
