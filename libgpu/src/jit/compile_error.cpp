// SPDX-License-Identifier: MIT
#include "jit/compile_error.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>

#include <gpu/error.hpp>

#include "codegen/kernel_tokens.hpp"
#include "jit/advice.hpp"
#include "jit/mistakes.hpp"

namespace gpu::detail {

namespace {

std::string numbered(int line, const std::string& text, std::size_t width) {
    const std::string number = std::to_string(line);
    return "\n " + std::string(width - number.size(), ' ') + number + " | " + text;
}

// The line and its neighbours, if these are the learner's and not empty.
std::string quoted_lines(const SourceMap& map, SourceSpot spot) {
    const auto& lines = map.lines();
    const SourceLine& here = lines[spot.index];
    const auto is_neighbour = [&](std::size_t index, int line) {
        return index < lines.size() && lines[index].file == here.file && lines[index].line == line &&
               !lines[index].ours && lines[index].text.find_first_not_of(" \t\r") != std::string::npos;
    };
    const bool before = spot.index > 0 && is_neighbour(spot.index - 1, here.line - 1);
    const bool after = is_neighbour(spot.index + 1, here.line + 1);
    const std::size_t width = std::to_string(after ? here.line + 1 : here.line).size();

    std::string shown;
    if (before) shown += numbered(here.line - 1, lines[spot.index - 1].text, width);
    shown += numbered(here.line, here.text, width);
    if (spot.column > 0 && spot.column <= static_cast<int>(here.text.size()) + 1) {
        std::string lead = here.text.substr(0, static_cast<std::size_t>(spot.column) - 1);
        std::replace_if(
            lead.begin(), lead.end(), [](char c) { return c != '\t'; }, ' ');
        shown += "\n " + std::string(width, ' ') + " | " + lead + "^";
    }
    if (after) shown += numbered(here.line + 1, lines[spot.index + 1].text, width);
    return shown;
}

std::string report(const SourceMap& map, SourceSpot spot, const std::string& message, const std::string& help) {
    const SourceLine& line = map.lines()[spot.index];
    std::string place = line.file + ":" + std::to_string(line.line);
    if (spot.column > 0) place += ":" + std::to_string(spot.column);
    return place + ": error: " + message + quoted_lines(map, spot) + (help.empty() ? "" : "\nhelp: " + help);
}

// True if the error is at the end of the learner's text, for which NVRTC gives no line.
bool is_at_end(const std::optional<Diagnostic>& error, const std::string& log) {
    if (!error) return log.starts_with("At end of source: error: ");
    return error->file.starts_with("libgpu") ||
           (error->message.starts_with("expected") && error->message.find('}') != std::string::npos);
}

// Where the learner defines a function of this name.
std::optional<SourceSpot> definition_of(const std::string& name, const SourceMap& map) {
    for (std::size_t k = 0; k < map.lines().size(); ++k) {
        const std::string& code = map.code(k);
        if (map.lines()[k].ours || code.find("__global__") != std::string::npos) continue;
        const auto names = names_in(code);
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end() || found == names.begin() || *(found - 1) == "return") continue;
        const auto at = code.find(name);
        const auto next = code.find_first_not_of(" \t", at + name.size());
        if (next != std::string::npos && code[next] == '(') return SourceSpot{k, static_cast<int>(at) + 1};
    }
    return std::nullopt;
}

// `there`: the source's own kernels, "add, mul".
std::string explain_missing_kernel(const std::string& kernel, const std::string& there, const SourceMap& map) {
    const std::string name = bare_name(kernel);
    if (const auto spot = definition_of(name, map)) {
        const bool device = map.code(spot->index).find("__device__") != std::string::npos;
        return report(map, *spot, name + " is a function, not a kernel",
                      device ? "write __global__ instead of __device__" : "write __global__ before its return type");
    }
    if (there.empty())
        return "no kernel named " + name + "; the source defines none: kernels begin with __global__ void";
    std::string text = "no kernel named " + name + "; the source defines: " + there;
    for (const std::string& other : names_in(there))
        if (are_similar(name, other)) return text + "\nhelp: did you mean " + other + "?";
    return text;
}

// The kernels that the learner's text defines, templates too: "naive, tiled".
std::string kernels_in(const std::string& code) {
    constexpr std::string_view word = "__global__";
    std::string list;
    for (auto from = code.find(word); from != std::string::npos; from = code.find(word, from + 1)) {
        std::string_view rest = std::string_view(code).substr(from + word.size());
        if (const auto bounds = rest.find("__launch_bounds__"); bounds < rest.find('{'))
            rest.remove_prefix(std::min(rest.find(')', bounds), rest.size()));
        const auto names = names_in(rest.substr(0, rest.find('(')));
        if (!names.empty()) list += (list.empty() ? "" : ", ") + names.back();
    }
    return list;
}

// A kernel that a module names and its source doesn't have: "tiled33" for the template tiled.
std::string explain_named_kernel(const std::string& name, const SourceMap& map) {
    const std::string there = kernels_in(map.learners_code());
    for (const std::string& other : names_in(there)) {
        const bool number = name.size() > other.size() && name.starts_with(other) &&
                            name.find_first_not_of("0123456789", other.size()) == std::string::npos;
        if (number)
            return "no kernel named " + name + "; the source defines: " + there + "\nhelp: did you mean " + other +
                   "<" + name.substr(other.size()) + ">?";
    }
    return explain_missing_kernel(name, there, map);
}

// The place of a text that is only a file's name, "raw_add.cu": the name was passed instead of the contents.
std::optional<SourceSpot> file_name_alone(const SourceMap& map) {
    std::optional<SourceSpot> found;
    for (std::size_t k = 0; k < map.lines().size(); ++k) {
        const std::string& text = map.lines()[k].text;
        if (map.lines()[k].ours || text.find_first_not_of(" \t") == std::string::npos) continue;
        const bool is_name = (text.ends_with(".cu") || text.ends_with(".cuh")) &&
                             text.find_first_of(" (){};") == std::string::npos;
        if (!is_name || found) return std::nullopt;
        found = SourceSpot{k, 1};
    }
    return found;
}

// The name that begins at a place.
std::string name_at(const SourceMap& map, SourceSpot spot) {
    const std::string& code = map.code(spot.index);
    const auto from = static_cast<std::size_t>(spot.column) - 1;
    if (spot.column < 1 || from >= code.size()) return {};
    const auto names = names_in(std::string_view(code).substr(from));
    return names.empty() ? "" : names.front();
}

// The first error, or a later one in the same line: clang takes an unknown type for an incomplete expression.
std::optional<Diagnostic> telling_error(const std::string& log) {
    auto error = first_error(log);
    if (!error || !error->message.starts_with("expected ';'")) return error;
    std::string rest;
    for (const std::string& line : error->rest) rest += line + '\n';
    auto next = first_error(rest);
    const bool same_line =
        next && next->file == error->file && next->line == error->line && next->column < error->column;
    return same_line && next->message.starts_with("use of undeclared") ? next : error;
}

// Explains a failed comparison of a raw kernel's structures, see layout_checks().
std::string explain_structure(const std::string& message) {
    const auto has = message.find(" has ");
    const auto begin = message.find_last_of("\" ", has - 1) + 1;
    if (has != std::string::npos && message.find("bytes and an alignment of", has) != std::string::npos)
        return message.substr(begin, message.find('"', begin) - begin);
    return "a structure that the C++ code passes by value isn't declared in the source: " + message +
           "\nhelp: declare it there too; gpu::kernel_type_name says if it has another name";
}

constexpr std::string_view without_annotations = "A function without execution space annotations";

}  // namespace

std::string explain_compile_failure(const KernelSource& source, const CompileFailure& failure) {
    const std::string title = "kernel " + source.name + " does not compile\n";
    const std::string& log = failure.log;
    const SourceMap map(source);
    const auto refused = first_error(log);
    const bool counted = is_at_end(refused, log) || (refused && brackets_are_plain(map));
    if (const auto bracket = counted ? unbalanced_bracket(map) : std::nullopt)
        return title + report(map, bracket->spot, bracket->message, "");

    if (const auto spot = file_name_alone(map))
        return title + report(map, *spot, "a file's name stands where the kernel's text is wanted: write gpu::file(\"" +
                                              map.lines()[spot->index].text + "\")", "");
    if (refused && refused->file == "libgpu:struct") return title + explain_structure(refused->message);
    // An error in the entry means a wrong kernel name or signature; the source's own kernels tell which. Without a
    // signature, it can only be the name.
    using Kind = Unresolved::Kind;
    const bool entry_refused =
        refused && (refused->file == "libgpu:signature" ||
                    (refused->file == "libgpu:entry" && source.unresolved.kind == Kind::no_kernel));
    const Unresolved& unresolved =
        failure.unresolved.kind == Kind::nothing && entry_refused ? source.unresolved : failure.unresolved;
    if (unresolved.kind == Kind::no_kernel) return title + explain_missing_kernel(source.name, unresolved.there, map);
    if (unresolved.kind == Kind::signature) {
        return title + "its parameters are not those that the C++ code declares: expected " + unresolved.wanted +
               ", the source has " + unresolved.there;
    }
    const auto error = telling_error(log);
    if (!error) {
        const auto undefined = undefined_name(log, map);
        if (!undefined) return title + log;
        return title + report(map, undefined->declared, undefined->message, undefined->help);
    }
    const auto index = map.find(error->file, error->line);
    // An assertion in the library about what the learner's line asks for.
    if (const std::string text = asserted(*error); !index && !text.empty()) {
        for (const DiagnosticPlace& place : instantiated_from(*error))
            if (const auto caller = map.find(place.file, place.line))
                return title + report(map, {*caller, place.column}, text, "");
    }
    if (!index) {
        std::string place = error->file + ":" + std::to_string(error->line);
        if (error->column > 0) place += ":" + std::to_string(error->column);
        return title + place + ": error: " + error->message;
    }
    Diagnostic placed = *error;
    if (placed.column == 0) placed.column = column_from_caret(*error, map.lines()[*index].text);
    SourceSpot spot{*index, placed.column};
    if (map.lines()[*index].ours && map.learners_code().find("__global__") != std::string::npos) {
        const std::string name = undeclared_name(placed.message);
        if (!name.empty()) return "kernel " + name + " does not compile\n" + explain_named_kernel(name, map);
    }
    const Advice advice = advice_on(placed, map);
    if ((advice.after_code_before || map.lines()[spot.index].ours) && spot.column > 0) {
        if (const auto before = map.end_of_code_before(spot)) spot = *before;
    }
    if (advice.column > 0) spot.column = advice.column;
    if (error->message.starts_with(without_annotations) && name_at(map, spot) == bare_name(source.name))
        return title + explain_missing_kernel(source.name, "", map);
    return title + report(map, spot, advice.message, advice.help);
}

void fail_to_compile(const KernelSource& source, const CompileFailure& failure) {
    throw CompileError(explain_compile_failure(source, failure), source.name, failure.log, source.text,
                       failure.options_text());
}

namespace {

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// "add.cu(3): error: text" as NVRTC writes it.
std::optional<Diagnostic> nvrtc_error(const std::string& line) {
    for (const std::string_view word : {"): error: ", "): catastrophic error: "}) {
        const auto mark = line.find(word);
        if (mark == std::string::npos) continue;
        const auto open = line.rfind('(', mark);
        if (open == std::string::npos) continue;
        const auto at = number(std::string_view(line).substr(open + 1, mark - open - 1));
        if (at) return Diagnostic{line.substr(0, open), *at, 0, line.substr(mark + word.size()), {}, {}};
    }
    return std::nullopt;
}

// "add.cu:3:9: error: text" as g++ and clang write it.
std::optional<Diagnostic> gnu_error(const std::string& line) {
    for (const std::string_view word : {": error: ", ": fatal error: "}) {
        const auto mark = line.find(word);
        if (mark == std::string::npos || mark == 0) continue;
        const auto second = line.rfind(':', mark - 1);
        if (second == std::string::npos || second == 0) continue;
        const auto last = number(std::string_view(line).substr(second + 1, mark - second - 1));
        if (!last) continue;
        const std::string message = line.substr(mark + word.size());
        const auto first = line.rfind(':', second - 1);
        if (first != std::string::npos) {
            if (const auto at = number(std::string_view(line).substr(first + 1, second - first - 1))) {
                return Diagnostic{line.substr(0, first), *at, *last, message, {}, {}};
            }
        }
        return Diagnostic{line.substr(0, second), *last, 0, message, {}, {}};
    }
    return std::nullopt;
}

}  // namespace

std::optional<Diagnostic> first_error(const std::string& log) {
    const auto lines = lines_of(log);
    for (auto line = lines.begin(); line != lines.end(); ++line) {
        auto found = nvrtc_error(*line);
        if (!found) found = gnu_error(*line);
        if (!found) continue;
        found->before.assign(lines.begin(), line);
        found->rest.assign(line + 1, lines.end());
        return found;
    }
    return std::nullopt;
}

std::vector<DiagnosticPlace> instantiated_from(const Diagnostic& error) {
    std::vector<DiagnosticPlace> places;
    const auto add = [&places](const std::string& line, std::size_t mark) {
        if (const auto at = gnu_error(line.substr(0, mark) + ": error: "))
            places.push_back({at->file, at->line, at->column});
    };
    // "add.cu:3:24:   required from here", printed before the error.
    for (const std::string& line : error.before)
        if (const auto mark = line.find(":   required from"); mark != std::string::npos) add(line, mark);
    // "add.cu:3:12: note: in instantiation of ... requested here", printed after it.
    for (const std::string& line : error.rest) {
        if (gnu_error(line)) break;
        const auto mark = line.find(": note: in instantiation of");
        if (mark != std::string::npos) add(line, mark);
    }
    return places;
}

std::string asserted(const Diagnostic& error) {
    const std::string_view message = error.message;
    if (const std::string_view failed = "static assertion failed: "; message.starts_with(failed))
        return std::string(message.substr(failed.size()));
    if (!message.starts_with("static")) return {};
    // clang prints the condition first; up to version 15 it quotes the text.
    const auto mark = message.find("': ");
    if (message.starts_with("static assertion failed due to") && mark != message.npos)
        return std::string(message.substr(mark + 3));
    const auto open = message.find('"');
    const bool is_quoted = open + 1 < message.size() && message.ends_with('"');
    if (!message.starts_with("static_assert failed") || !is_quoted) return {};
    return std::string(message.substr(open + 1, message.size() - open - 2));
}

// NVRTC indents the line that it shows by an arbitrary amount.
int column_from_caret(const Diagnostic& error, const std::string& source_line) {
    for (std::size_t k = 0; k + 1 < error.rest.size() && k < 4; ++k) {
        const std::string &text = error.rest[k], &below = error.rest[k + 1];
        const auto caret = below.find('^');
        const auto shown = text.find_first_not_of(" \t"), real = source_line.find_first_not_of(" \t");
        if (caret == std::string::npos || below.find_first_not_of(" \t~^") != std::string::npos) continue;
        if (shown == std::string::npos || real == std::string::npos || caret < shown) continue;
        return static_cast<int>(caret - shown + real) + 1;
    }
    return 0;
}

namespace {

bool is_ours(const std::string& file) {
    return file.empty() || file == "libgpu" || file == "libgpu generated" || file.starts_with("libgpu:");
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

SourceMap::SourceMap(const KernelSource& source) : heads_(source.heads) {
    const std::string_view text = source.text;
    std::size_t begin = 0;
    for (const std::size_t mark : source.marks) {
        add_piece(text.substr(begin, mark - begin));
        begin = mark;
    }
    add_piece(text.substr(begin));
}

// What a piece leaves unfinished, such as a comment, doesn't reach into the next one.
void SourceMap::add_piece(std::string_view piece) {
    const std::vector<Token> tokens = tokens_of(piece);
    const std::vector<std::string> texts = lines_of(std::string(piece)), codes = lines_of(blanked(piece));
    std::size_t k = 0;
    for (std::size_t at = 0; at < texts.size(); ++at) {
        const int number = static_cast<int>(at) + 1;
        while (k < tokens.size() && tokens[k].line < number) ++k;
        const bool has_tokens = k < tokens.size() && tokens[k].line == number;
        if (const auto directive = has_tokens ? line_directive_at(tokens, k) : std::nullopt) {
            line_ = directive->line;
            if (directive->file) file_ = *directive->file;
            // The ; that follows a learner's statement, before its file's name is reset.
            if (is_ours(file_) && !lines_.empty() && lines_.back().text == ";") lines_.back().ours = true;
            continue;
        }
        lines_.push_back({file_, line_++, texts[at], is_ours(file_)});
        code_.push_back(codes[at]);
        directive_.push_back(has_tokens && tokens[k].in_directive);
    }
}

std::optional<std::size_t> SourceMap::find(std::string_view file, int line) const {
    for (std::size_t k = 0; k < lines_.size(); ++k)
        if (lines_[k].line == line && lines_[k].file == file) return k;
    return std::nullopt;
}

std::optional<SourceSpot> SourceMap::end_of_code_before(SourceSpot spot) const {
    std::size_t column = static_cast<std::size_t>(spot.column) - 1;
    for (std::size_t k = spot.index;; --k) {
        const std::string before = lines_[k].ours ? "" : code_[k].substr(0, column);
        const auto last = before.find_last_not_of(" \t\r");
        if (last != std::string::npos) return SourceSpot{k, static_cast<int>(last) + 2};
        if (k == 0) return std::nullopt;
        column = code_[k - 1].size();
    }
}

std::string SourceMap::learners_code() const {
    std::string text;
    for (std::size_t k = 0; k < lines_.size(); ++k)
        if (!lines_[k].ours) text += code_[k] + '\n';
    return text;
}

}  // namespace gpu::detail
