// SPDX-License-Identifier: MIT
#include "commands/ask.hpp"

#include <termios.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <iostream>

#include <fmt/format.h>

#include "kit/kit.hpp"
#include "lessons/blocks.hpp"
#include "report/task_text.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace course {

bool can_ask() { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1; }

std::string listing_text(const Lesson& lesson, const Question& question) {
    try {
        const std::string listing = listing_of(lesson, question);
        return listing.empty() ? "" : indented(listing, 2) + "\n";
    } catch (const BlockError& error) {
        throw UsageError(fmt::format("question {}: {}", lesson.full_id(question), error.what()));
    }
}

std::optional<Prediction> ask_prediction(const Question& question) {
    const std::string expected = expected_prediction(question);
    for (;;) {
        print(fmt::format("  Your prediction ({}; Enter skips): ", expected));
        std::string line;
        if (!std::getline(std::cin, line)) {
            print("\n");
            return std::nullopt;
        }
        if (line.find_first_not_of(" \t\r") == line.npos) return std::nullopt;
        if (const auto prediction = parse_prediction(question, line)) return prediction;
        print(fmt::format("  \"{}\" is not a valid prediction; write {}.\n", line, expected));
    }
}

std::string judged_text(const Question& question, const JudgedPrediction& judged, const std::string& answer,
                        const std::string& misconception, const Style& style) {
    std::string text;
    if (judged.right) {
        text = "  " + style.good("Right.") + "\n";
    } else {
        const std::string& why = judged.why.empty() ? misconception : judged.why;
        text = "  " + style.warn("Not so.") + "\n" + (why.empty() ? "" : wrapped(why, 2));
    }
    return text + answer_text(question, answer);
}

void note_answer(const Answers& answers, const std::string& question, const JudgedPrediction& judged) {
    try {
        answers.add({date_of(today()), question, judged.right, judged.right ? 0 : judged.tag});
    } catch (const FileError& error) {
        print_error(fmt::format("course: your answer could not be noted: {}\n", error.what()));
    }
}

namespace {

// For signal handlers, so plain data: written before the handlers are installed.
termios usual_mode, key_mode;
std::atomic<bool> keys_are_on{false};

constexpr int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/// tcsetattr is async-signal-safe.
void back_to_usual() noexcept {
    if (keys_are_on.exchange(false)) ::tcsetattr(STDIN_FILENO, TCSANOW, &usual_mode);
}

void on_crash(int signal) {
    back_to_usual();
    std::signal(signal, SIG_DFL);
    ::raise(signal);
}

void install(int signal, void (*handler)(int)) noexcept {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
}

/// Ctrl-Z: restores the shell's terminal mode; `fg` restores the keys' mode.
void on_stop(int signal) {
    const int kept = errno;
    back_to_usual();
    install(signal, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    ::raise(signal);  // sleeps here
    install(signal, on_stop);
    ::tcsetattr(STDIN_FILENO, TCSANOW, &key_mode);
    keys_are_on = true;
    errno = kept;
}

}  // namespace

bool KeyTerminal::is_there() noexcept { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1; }

KeyTerminal::KeyTerminal() : signal_cleanup_(back_to_usual) {
    if (::tcgetattr(STDIN_FILENO, &usual_mode) != 0) return;
    key_mode = usual_mode;
    key_mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | TOSTOP);  // verdicts come from a background process
    key_mode.c_cc[VMIN] = 0;
    key_mode.c_cc[VTIME] = 0;
    for (const int signal : crashes) install(signal, on_crash);
    install(SIGTSTP, on_stop);
    keys_are_on = ::tcsetattr(STDIN_FILENO, TCSANOW, &key_mode) == 0;
}

KeyTerminal::~KeyTerminal() {
    install(SIGTSTP, SIG_DFL);
    for (const int signal : crashes) install(signal, SIG_DFL);
    back_to_usual();
}

}  // namespace course
