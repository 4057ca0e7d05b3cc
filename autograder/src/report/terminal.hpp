// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/counts_text.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// Colours for a terminal; none for a file, a pipe, TERM=dumb or NO_COLOR.
class Style {
public:
    explicit Style(bool colour = false) noexcept : colour_(colour) {}
    /// The style that suits the descriptor now.
    static Style of_descriptor(int descriptor);

    [[nodiscard]] std::string good(std::string_view text) const { return wrap("\x1b[32m", text); }
    [[nodiscard]] std::string bad(std::string_view text) const { return wrap("\x1b[31m", text); }
    [[nodiscard]] std::string warn(std::string_view text) const { return wrap("\x1b[33m", text); }
    [[nodiscard]] std::string faint(std::string_view text) const { return wrap("\x1b[2m", text); }
    [[nodiscard]] std::string bold(std::string_view text) const { return wrap("\x1b[1m", text); }
    /// Green for passed, yellow for not started, noisy and review, red for the others.
    [[nodiscard]] std::string verdict(Verdict verdict) const;

private:
    [[nodiscard]] std::string wrap(std::string_view code, std::string_view text) const;
    bool colour_;
};

/// What a verdict's screen shows besides the result.
struct Screen {
    Style style;
    std::size_t columns = 80;           ///< line width
    std::string about = {};             ///< what is judged, if it isn't an exercise or the capstone
    bool own_answer = true;             ///< the student's work: with hints, solution and what comes next
    std::vector<std::string> files;     ///< the answer's files as shown: "work/08-raw-add/raw_add.cpp"
    std::vector<std::string> notes;     ///< what the collector put right, and what it didn't take
    int hints_used = 0;
    bool has_solution = true;           ///< this edition has solutions/
    std::string readme;                 ///< "exercises/08-raw-add/README.md"
    int minutes = 0;
    std::string next;                   ///< "make exercise-12"; empty: there is none
    bool keys_follow = false;           ///< `course watch` lists its keys below
    bool draws = false;                 ///< after a pass, point to the pictures, as the exercise asks for it
    std::string picture;                ///< the first of them in characters; empty: not here
    double copy_bytes_per_second = 0;   ///< this device's, measured; 0: unknown
    bool counts = false;                ///< show every counter, and what each line of the kernels did
    bool shows_work = true;             ///< then a line on the kernels' work, once the lessons have taught its words
    std::string reward = {};            ///< what the answer gained over an earlier one; empty: unknown
    bool timings = false;               ///< show where the seconds went
    double build_seconds = 0, probe_seconds = 0;   ///< compiling and linking; then waiting for the device's facts
    std::vector<SourceFile> sources;    ///< the answer's files, for the counts
};

/// The verdict as a student reads it: what is wrong first, and what to do next at the end.
std::string verdict_screen(const Result& result, const Screen& screen);

/// "1.2 ms", "34 us", "2.5 s".
std::string duration_text(double seconds);
/// "3.0 TB/s", "12 GB/s".
std::string rate_text(double bytes_per_second);

/// Prints to stdout immediately, in lines that fit the terminal; a reader that has gone away (`| head`) is no error.
void print(std::string_view text);
/// Prints to stderr.
void print_error(std::string_view text);

}  // namespace course
