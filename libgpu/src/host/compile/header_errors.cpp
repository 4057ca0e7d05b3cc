// SPDX-License-Identifier: MIT
#include "host/compile/header_errors.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <vector>

#include "codegen/kernel_support.hpp"
#include "codegen/kernel_tokens.hpp"
#include "host/prelude/prelude.hpp"

namespace gpu::detail::host {

namespace {

struct TextLocation {
    std::string file;
    int line = 0, column = 0;  // column 0: not given
};

/// An #include line of the text, with the place that #line directives give it.
struct IncludeLine {
    TextLocation place;
    std::string spelled;  // "<cmath>"
};

// Removes ":12" from the end of a text; 0 if there is none.
int take_number(std::string_view& text) {
    const std::size_t colon = text.rfind(':');
    int number = 0;
    if (colon == std::string_view::npos || colon + 1 == text.size()) return 0;
    const char* const end = text.data() + text.size();
    if (std::from_chars(text.data() + colon + 1, end, number).ptr != end) return 0;
    text = text.substr(0, colon);
    return number;
}

// "f.cu:3:10" or "f.cu:3".
std::optional<TextLocation> place_in(std::string_view text) {
    int column = take_number(text), line = column > 0 ? take_number(text) : 0;
    if (line == 0) std::swap(line, column);
    if (line == 0 || text.empty()) return std::nullopt;
    return TextLocation{std::string(text), line, column};
}

/// A text's #include lines, and the files that its lines belong to.
struct Includes {
    std::vector<IncludeLine> lines;
    std::set<std::string> files{"kernel.cpp"};

    explicit Includes(std::string_view text) {
        std::string file = "kernel.cpp";
        int first = 1;  // the number of the text's first line, in the numbering of the last directive
        const std::vector<Token> tokens = tokens_of(text);
        for (std::size_t k = 0; k < tokens.size(); ++k) {
            if (const auto directive = line_directive_at(tokens, k)) {
                if (directive->file) file = *directive->file;
                files.insert(file);
                first = directive->line - tokens[k].line;
            } else if (const Token* const name = included(tokens, k)) {
                lines.push_back({{file, name->line + first - 1, name->column()}, std::string(name->text)});
            }
        }
        for (const PreludeFile& one : prelude_files()) files.insert(std::string(one.name));
    }

    [[nodiscard]] const IncludeLine* at(const TextLocation& place) const {
        const auto found = std::find_if(lines.begin(), lines.end(), [&](const IncludeLine& line) {
            return line.place.line == place.line && line.place.file == place.file;
        });
        return found == lines.end() ? nullptr : &*found;
    }
};

// The place in "In file included from a.h:3," and the "                 from b.cu:1:" that follow.
std::optional<TextLocation> included_from(std::string_view line) {
    constexpr std::string_view first = "In file included from ", next = "from ";
    const std::size_t text = line.find_first_not_of(' ');
    if (text == std::string_view::npos) return std::nullopt;
    if (line.starts_with(first)) {
        line.remove_prefix(first.size());
    } else if (text > 0 && line.substr(text).starts_with(next)) {
        line.remove_prefix(text + next.size());
    } else {
        return std::nullopt;
    }
    while (!line.empty() && (line.back() == ',' || line.back() == ':')) line.remove_suffix(1);
    return place_in(line);
}

// The name in g++'s "cmath: No such file or directory" or clang's "'cmath' file not found"; otherwise empty.
std::string missing_header(std::string_view message) {
    for (const auto& [before, behind] :
         {std::pair<std::string_view, std::string_view>{"", ": No such file or directory"},
          {"'", "' file not found"}}) {
        const std::size_t end = message.find(behind);
        if (message.starts_with(before) && end != std::string_view::npos)
            return std::string(message.substr(before.size(), end - before.size()));
    }
    return {};
}

std::string refusal(const TextLocation& place, const std::string& spelled) {
    return place.file + ':' + std::to_string(place.line) + ':' + std::to_string(std::max(place.column, 1)) +
           ": error: #include " + spelled +
           ": kernels have no headers but " + std::string(header_list) + "; math functions are already there\n";
}

struct Complaint {
    TextLocation place;
    std::string message;
};

std::optional<Complaint> complaint_in(std::string_view line) {
    for (const std::string_view word : {": fatal error: ", ": error: "}) {
        const std::size_t at = line.find(word);
        if (at == std::string_view::npos) continue;
        if (const auto place = place_in(line.substr(0, at)))
            return Complaint{*place, std::string(line.substr(at + word.size()))};
    }
    return std::nullopt;
}

}  // namespace

std::string explain_headers(const std::string& log, std::string_view source) {
    const Includes includes(source);
    std::string result, pending;  // pending: the lines that say through which files one was included
    std::vector<TextLocation> chain;
    std::set<const IncludeLine*> refused;
    bool in_chain = false, in_foreign = false;
    for (std::size_t begin = 0; begin < log.size();) {
        const std::size_t end = std::min(log.find('\n', begin), log.size());
        const std::string line = log.substr(begin, end - begin);
        begin = end + 1;
        if (const auto from = included_from(line)) {
            if (!in_chain) chain.clear(), pending.clear();
            in_chain = true;
            chain.push_back(*from);
            pending += line + '\n';
            continue;
        }
        in_chain = false;
        const auto complaint = complaint_in(line);
        if (complaint) {
            const IncludeLine* include = nullptr;
            const std::string header = missing_header(complaint->message);
            if (includes.files.count(complaint->place.file) == 0)
                for (const TextLocation& place : chain) include = include != nullptr ? include : includes.at(place);
            else if (!header.empty())
                include = includes.at(complaint->place);
            in_foreign = include != nullptr;
            if (include != nullptr) {
                if (refused.insert(include).second) result += refusal(include->place, include->spelled);
            } else if (!header.empty()) {  // the #include comes from a macro
                in_foreign = true;
                result += refusal(complaint->place, '"' + header + '"');
            }
        }
        if (in_foreign || line == "compilation terminated.") {
            pending.clear();
            continue;
        }
        result += pending + line + '\n';
        pending.clear();
    }
    return result;
}

}  // namespace gpu::detail::host
