// SPDX-License-Identifier: MIT
#include "author/mutate/mutants.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "support/files.hpp"

namespace course {

namespace {

/// The text without comments, with one space for all white space.
std::string squeezed(std::string_view text) {
    std::string out;
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (text.substr(k, 2) == "//") {
            k = std::min(text.find('\n', k), text.size());
            if (k == text.size()) break;
        }
        if (std::isspace(static_cast<unsigned char>(text[k])) == 0) out += text[k];
        else if (!out.empty() && out.back() != ' ') out += ' ';
    }
    while (out.ends_with(' ')) out.pop_back();
    return out;
}

std::vector<std::string> squeezed_lines(std::string_view text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(squeezed(text.substr(at, end - at)));
        at = end + 1;
    }
    return lines;
}

/// Sets the first line in which the two texts differ; for an empty one, the next non-empty line.
void name_lines(const std::string& before, const std::string& after, Mutant& mutant) {
    const std::vector<std::string> old_lines = squeezed_lines(before), new_lines = squeezed_lines(after);
    std::size_t k = 0;
    while (k + 1 < std::min(old_lines.size(), new_lines.size()) && old_lines[k] == new_lines[k]) ++k;
    mutant.line = 1 + static_cast<int>(k);
    mutant.before = old_lines[k];
    for (; k < new_lines.size() && mutant.after.empty(); ++k) mutant.after = new_lines[k];
}

}  // namespace

std::string Mutant::text(const std::string& original) const {
    return original.substr(0, edit.begin) + edit.by + original.substr(edit.end);
}

std::vector<Mutant> mutants_of(const std::string& answer, const std::string& file, const std::string& text) {
    const CodeTokens tokens(text);
    std::set<std::string> seen{squeezed(text)};
    std::map<std::tuple<std::string_view, std::string, std::string>, int> occurrences;
    std::vector<Mutant> mutants;
    for (const MutationOperator& one : mutation_operators()) {
        std::vector<Edit> edits = one.edits(tokens);
        std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
        for (Edit& edit : edits) {
            Mutant mutant{.answer = answer, .file = file, .made_by = one.name, .before = "", .after = "",
                          .edit = std::move(edit)};
            const std::string changed = mutant.text(text);
            if (!seen.insert(squeezed(changed)).second) continue;
            name_lines(text, changed, mutant);
            if (!mutant.edit.says.empty()) mutant.after = mutant.edit.says;
            for (std::size_t k = 0; k < tokens.size(); ++k)
                if (tokens[k].end() > mutant.edit.begin || k + 1 == tokens.size()) {
                    mutant.star = tokens.star(tokens[k].part);
                    break;
                }
            mutant.occurrence = ++occurrences[{one.name, mutant.before, mutant.after}];
            mutant.key = digest(fmt::format("{}\n{}\n{}\n{}\n{}\n{}", answer, file, one.name, mutant.before,
                                            mutant.after, mutant.occurrence))
                             .substr(0, 12);
            mutants.push_back(std::move(mutant));
        }
    }
    return mutants;
}

// The operators of `course dev mutate`: each searches the tokens of the student's parts.

namespace {

using Kind = CodeToken::Kind;
using Edits = std::vector<Edit>;
using Pair = std::pair<std::string_view, std::string_view>;

bool is_open(std::string_view text) { return text == "(" || text == "[" || text == "{"; }
bool is_close(std::string_view text) { return text == ")" || text == "]" || text == "}"; }
bool is_comparison(const CodeToken& token) {
    return token.spaced && (token.text == "<" || token.text == "<=" || token.text == ">" || token.text == ">=");
}

std::string between(const CodeTokens& code, std::size_t first, std::size_t last) {
    return code.text().substr(code[first].begin, code[last].end() - code[first].begin);
}

/// Replaces the tokens [first, last] if all of them are the student's.
void replace(Edits& edits, const CodeTokens& code, std::size_t first, std::size_t last, std::string by,
             std::string says = {}) {
    if (code.in_one_part(first, last))
        edits.push_back({code[first].begin, code[last].end(), std::move(by), std::move(says)});
}

/// Calls visit(k) for each of the student's tokens.
template <class Visit>
void each_own(const CodeTokens& code, const Visit& visit) {
    for (std::size_t k = 0; k < code.size(); ++k)
        if (code[k].part != 0) visit(k);
}

/// The last token of the operand that begins at k: up to a comma, a semicolon, a closing bracket, or one of `ends`.
std::size_t operand_end(const CodeTokens& code, std::size_t k, std::initializer_list<std::string_view> ends) {
    std::size_t last = k;
    for (std::size_t i = k; i < code.size(); ++i) {
        const std::string_view text = code[i].text;
        if (code[i].kind == Kind::quote || text == "," || text == ";" || is_close(text) ||
            std::find(ends.begin(), ends.end(), text) != ends.end())
            break;
        if (is_open(text)) i = code.closing(i);
        last = i;
    }
    return last;
}

/// The first token of the operand that ends at k: the same, to the left.
std::size_t operand_begin(const CodeTokens& code, std::size_t k, std::initializer_list<std::string_view> ends) {
    int depth = 0;
    for (std::size_t i = k;; --i) {
        const std::string_view text = code[i].text;
        if (is_close(text)) ++depth;
        if (is_open(text) && --depth < 0) return i + 1;
        if (depth == 0 && (code[i].kind == Kind::quote || text == "," || text == ";" || text == "return" ||
                           std::find(ends.begin(), ends.end(), text) != ends.end()))
            return i + 1;
        if (i == 0) return 0;
    }
}

Edits relations(const CodeTokens& code) {
    Edits edits;
    each_own(code, [&](std::size_t k) {
        if (is_comparison(code[k]))
            replace(edits, code, k, k, std::string(code[k].text.substr(0, 1)) + (code[k].text.size() == 1 ? "=" : ""));
        if (code.is(k, "==")) replace(edits, code, k, k, "!=");
        if (code.is(k, "!=")) replace(edits, code, k, k, "==");
    });
    return edits;
}

/// Off-by-one changes that `relations` doesn't make.
Edits bounds(const CodeTokens& code) {
    Edits edits;
    each_own(code, [&](std::size_t k) {
        if (!is_comparison(code[k])) return;
        const std::size_t end = operand_end(code, k + 1, {"&&", "||", "?", ":"});
        const bool down = code.is(k, "<") || code.is(k, ">=");
        replace(edits, code, k + 1, end, between(code, k + 1, end) + (down ? " - 1" : " + 1"));
    });
    return edits;
}

Edits guards(const CodeTokens& code) {
    Edits edits;
    each_own(code, [&](std::size_t k) {
        if (code.is(k, "if") && code.is(k + 1, "(") && !code.is(k - 1, "else")) {
            const std::size_t bracket = code.closing(k + 1), end = code.statement_end(bracket + 1);
            if (end >= code.size()) return;
            const std::size_t all = code.statement_end(k);
            const bool leaves = code.is(bracket + 1, "return") || code.is(bracket + 1, "continue") ||
                                code.is(bracket + 1, "break");
            replace(edits, code, k, all, leaves ? ";" : between(code, bracket + 1, end));
        }
        if (code.is(k, "&&") || code.is(k, "||")) {
            const std::size_t begin = operand_begin(code, k - 1, {"&&", "||", "=", "?", ":"});
            const std::size_t end = operand_end(code, k + 1, {"&&", "||", "?", ":"});
            replace(edits, code, begin, end, between(code, begin, k - 1));
            replace(edits, code, begin, end, between(code, k + 1, end));
        }
        if (code.is(k, "?")) {
            const std::size_t begin = operand_begin(code, k - 1, {"=", "?", ":", "+=", "return"});
            const std::size_t colon = operand_end(code, k + 1, {":"}) + 1;
            if (!code.is(colon, ":")) return;
            replace(edits, code, begin, operand_end(code, colon + 1, {}), between(code, k + 1, colon - 1));
        }
    });
    return edits;
}

/// The semicolon after a barrier's name, or size().
std::size_t barrier_end(const CodeTokens& code, std::size_t k) {
    if ((!code.is(k, "__syncthreads") && !code.is(k, "__syncwarp")) || !code.is(k + 1, "(")) return code.size();
    const std::size_t end = code.closing(k + 1) + 1;
    return code.is(end, ";") ? end : code.size();
}

Edits dropped_barriers(const CodeTokens& code) {
    Edits edits;
    each_own(code, [&](std::size_t k) {
        if (const std::size_t end = barrier_end(code, k); end < code.size()) replace(edits, code, k, end, ";");
    });
    return edits;
}

Edits barriers_in_branches(const CodeTokens& code) {
    Edits edits;
    each_own(code, [&](std::size_t k) {
        if (const std::size_t end = barrier_end(code, k); end < code.size())
            replace(edits, code, k, end, "if (threadIdx.x < 16) " + between(code, k, end));
        if (!code.is(k, "if")) return;
        const std::size_t end = code.statement_end(k), after = barrier_end(code, end + 1);
        if (end >= code.size() || after >= code.size()) return;
        const std::size_t bracket = code.closing(k + 1);
        replace(edits, code, k, after,
                fmt::format("{} {{ {} {} }}", between(code, k, bracket), between(code, bracket + 1, end),
                            between(code, end + 1, after)));
    });
    return edits;
}

/// The text of the function that contains token k, in the kit's layout: functions end with a } at the margin.
std::string_view function_around(const CodeTokens& code, std::size_t k) {
    const std::string_view text = code.text();
    const std::size_t before = text.rfind("\n}", code[k].begin), end = text.find("\n}", code[k].begin);
    const std::size_t begin = before == text.npos ? 0 : before;
    return text.substr(begin, end == text.npos ? end : end - begin);
}

/// Exchanges the names of each pair if their function has both, except in declarations.
void swap_names(Edits& edits, const CodeTokens& code, std::initializer_list<Pair> pairs) {
    each_own(code, [&](std::size_t k) {
        if (code[k].kind != Kind::name || code.is(k - 1, ".") || code.is(k + 1, "=")) return;
        for (const auto& [one, other] : pairs) {
            const std::string_view by = code.is(k, one) ? other : code.is(k, other) ? one : "";
            if (by.empty()) continue;
            const std::string text(function_around(code, k));
            const CodeTokens around(text);
            for (std::size_t i = 0; i < around.size(); ++i)
                if (around.is(i, by)) {
                    replace(edits, code, k, k, std::string(by));
                    break;
                }
        }
    });
}

Edits axes(const CodeTokens& code) {
    Edits edits;
    each_own(code, [&](std::size_t k) {
        const bool of_position = code.is(k - 2, "threadIdx") || code.is(k - 2, "blockIdx") ||
                                 code.is(k - 2, "blockDim") || code.is(k - 2, "gridDim");
        if (of_position && code.is(k - 1, ".")) replace(edits, code, k, k, code.is(k, "x") ? "y" : "x");
        const std::size_t end = code.closing(k);
        const bool subscript = code.is(k, "[") && (code[k - 1].kind == Kind::name || code.is(k - 1, "]"));
        if (subscript && code.is(end + 1, "[")) {
            const std::size_t last = code.closing(end + 1);
            replace(edits, code, k, last, between(code, end + 1, last) + between(code, k, end));
        }
    });
    swap_names(edits, code, {{"row", "column"}, {"b_row", "b_column"}, {"blocks_x", "blocks_y"}});
    return edits;
}

Edits extents(const CodeTokens& code) {
    Edits edits;
    swap_names(edits, code, {{"rows", "columns"}, {"width", "height"}});
    return edits;
}

/// True if the subscript [ at k is the first length of an array declaration: `__shared__ int part[512]`. A longer one
/// does no harm.
bool is_first_length(const CodeTokens& code, std::size_t k) {
    if (!code.is(k, "[") || code[k - 1].kind != Kind::name) return false;
    const CodeToken& type = code[k - 2];
    const bool statement = type.text == "return" || type.text == "else" || type.text == "do";
    return (type.kind == Kind::name && !statement) || (type.text == ">" && !type.spaced);
}

Edits shifted_indices(const CodeTokens& code) {
    Edits edits;
    each_own(code, [&](std::size_t k) {
        const bool subscript = code.is(k, "[") && (code[k - 1].kind == Kind::name || code.is(k - 1, "]"));
        const std::size_t end = code.closing(k);
        if (!subscript || end == k + 1 || end >= code.size() || code.is(k - 2, "float")) return;
        if (!is_first_length(code, k)) replace(edits, code, k + 1, end - 1, between(code, k + 1, end - 1) + " + 1");
        replace(edits, code, k + 1, end - 1, between(code, k + 1, end - 1) + " - 1");
    });
    return edits;
}

Edits constants(const CodeTokens& code) {
    Edits edits;
    std::size_t length_end = 0;   // the end of the last declared length
    each_own(code, [&](std::size_t k) {
        if (is_first_length(code, k)) length_end = code.closing(k);
        const bool shrinks_only = k < length_end, divides = code.is(k - 1, "/");
        const std::string text(code[k].text);
        if (text == "true") replace(edits, code, k, k, "false");
        if (text == "false") replace(edits, code, k, k, "true");
        if (text == "INFINITY" || text == "FLT_MAX") replace(edits, code, k, k, "0");
        if (code[k].kind != Kind::number) return;
        if (text.find_first_not_of("0123456789'") == text.npos) {
            long value = 0;
            std::string digits = text;
            std::erase(digits, '\'');
            if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc{}) return;
            if (!shrinks_only || divides) replace(edits, code, k, k, std::to_string(value + 1));
            if (value > 0 && !(shrinks_only && divides))
                replace(edits, code, k, k, std::to_string(value == 1 ? 0 : value / 2));
        } else if (text.find('.') != text.npos) {
            replace(edits, code, k, k, "(1 + " + text + ")");
        }
    });
    return edits;
}

Edits assignments(const CodeTokens& code) {
    Edits edits;
    each_own(code, [&](std::size_t k) {
        if (code.is(k, "+=") || code.is(k, "-=") || code.is(k, "*=") || code.is(k, "|="))
            replace(edits, code, k, k, "=");
        if (!code[k].text.starts_with("atomic") || !code.is(k + 1, "(")) return;
        const std::size_t comma = operand_end(code, k + 2, {}) + 1, end = code.closing(k + 1);
        if (code.is(comma, ",") && comma + 1 < end)
            replace(edits, code, k, end,
                    fmt::format("(*({}) = {})", between(code, k + 2, comma - 1), between(code, comma + 1, end - 1)));
    });
    return edits;
}

/// (n + 255) / 256 becomes n / 256.
Edits roundings(const CodeTokens& code) {
    Edits edits;
    each_own(code, [&](std::size_t k) {
        if (!code.is(k, "/") || !code.is(k - 1, ")")) return;
        for (std::size_t open = k - 1; open-- > 0;) {
            if (!code.is(open, "(") || code.closing(open) != k - 1) continue;
            const std::size_t plus = operand_end(code, open + 1, {"+"}) + 1;
            // A mean isn't a number of pieces.
            if (code.is(plus, "+") && !code.is(plus - 1, "]"))
                replace(edits, code, open, k - 1, "(" + between(code, open + 1, plus - 1) + ")");
            return;
        }
    });
    return edits;
}

Edits doubles(const CodeTokens& code) {
    Edits edits;
    each_own(code, [&](std::size_t k) {
        const std::string text(code[k].text);
        if (code[k].kind == Kind::number && text.ends_with('f') && text.find('.') != text.npos)
            replace(edits, code, k, k, text.substr(0, text.size() - 1));
    });
    return edits;
}

/// A student's part of a kernel that consists of whole statements.
struct KernelPart {
    std::size_t first, last;
    bool waits = false, shuffles = false;             ///< has barriers; exchanges values between lanes
    bool block_before = false, thread_before = false; ///< what precedes it in the kernel depends on them
};

/// True if [first, last] is a sequence of statements.
bool are_statements(const CodeTokens& code, std::size_t first, std::size_t last) {
    while (first <= last) {
        const std::size_t end = code.statement_end(first);
        if (end > last) return false;
        first = end + 1;
    }
    return true;
}

std::vector<KernelPart> kernel_parts(const CodeTokens& code) {
    std::vector<KernelPart> parts;
    for (std::size_t k = 0; k < code.size(); ++k) {
        if (!code.is(k, "__global__")) continue;
        while (k < code.size() && !code.is(k, "(")) ++k;
        const std::size_t open = code.closing(k) + 1;
        const std::size_t close = code.is(open, "{") ? code.closing(open) : code.size();
        if (close >= code.size()) continue;
        for (std::size_t first = open + 1; first < close;) {
            std::size_t last = first;
            while (last + 1 < close && code[last + 1].part == code[first].part) ++last;
            const bool whole = code.is(first - 1, ";") || code.is(first - 1, "{") || code.is(first - 1, "}");
            if (code[first].part != 0 && whole && are_statements(code, first, last)) {
                KernelPart part{first, last};
                for (std::size_t i = open; i <= last; ++i) {
                    part.block_before |= i < first && code.is(i, "blockIdx");
                    part.thread_before |= i < first && code.is(i, "threadIdx");
                    if (i < first) continue;
                    part.waits |= code.is(i, "__syncthreads");
                    part.shuffles |= code[i].text.starts_with("__shfl") || code.is(i, "__syncwarp") ||
                                     code[i].text.starts_with("__ballot");
                }
                parts.push_back(part);
            }
            first = last + 1;
        }
        k = close;
    }
    return parts;
}

/// The part as a function that can be called repeatedly, with another name in place of threadIdx or blockIdx.
std::string repeated(const CodeTokens& code, const KernelPart& part, std::string_view position, std::string_view by) {
    std::string text = "[&] { ";
    std::size_t at = code[part.first].begin;
    for (std::size_t k = part.first; k <= part.last; ++k) {
        if (!code.is(k, position)) continue;
        text += code.text().substr(at, code[k].begin - at);
        text += by;
        at = code[k].end();
    }
    return text + code.text().substr(at, code[part.last].end() - at) + " }();";
}

/// All of the work is still done, by fewer threads.
Edits alone(const CodeTokens& code) {
    Edits edits;
    for (const KernelPart& part : kernel_parts(code)) {
        if (!part.block_before)
            replace(edits, code, part.first, part.last,
                    "if (blockIdx.x + blockIdx.y + blockIdx.z == 0) for (unsigned other_block = 0; other_block < "
                    "gridDim.x * gridDim.y * gridDim.z; ++other_block) { const uint3 own_block = {other_block % "
                    "gridDim.x, other_block / gridDim.x % gridDim.y, other_block / gridDim.x / gridDim.y}; " +
                        repeated(code, part, "blockIdx", "own_block") + (part.waits ? " __syncthreads();" : "") + " }",
                    "(block 0 does the work of all)");
        if (part.thread_before || part.waits || part.shuffles) continue;
        const std::string body = repeated(code, part, "threadIdx", "own_thread");
        for (const int threads : {1, 32})
            replace(edits, code, part.first, part.last,
                    fmt::format("const unsigned own_rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + "
                                "threadIdx.x; if (own_rank < {0}) for (unsigned other = own_rank; other < blockDim.x * "
                                "blockDim.y * blockDim.z; other += {0}) {{ const uint3 own_thread = {{other % "
                                "blockDim.x, other / blockDim.x % blockDim.y, other / blockDim.x / blockDim.y}}; "
                                "{1} }}",
                                threads, body),
                    threads == 1 ? "(thread 0 does the work of its block)" : "(warp 0 does the work of its block)");
    }
    return edits;
}

Edits launch_shapes(const CodeTokens& code) {
    Edits edits;
    each_own(code, [&](std::size_t k) {
        const bool shape = code.is(k - 1, "=") && (code.is(k - 2, "grid") || code.is(k - 2, "block"));
        const bool dim3 = code.is(k - 1, "Dim3") || code.is(k - 2, "Dim3");
        if (!(shape && code.is(k, "{")) && !(dim3 && is_open(code[k].text))) return;
        const std::size_t comma = operand_end(code, k + 1, {}) + 1;
        if (!code.is(comma, ",")) return;
        const std::size_t end = operand_end(code, comma + 1, {});
        replace(edits, code, k + 1, end, between(code, comma + 1, end) + ", " + between(code, k + 1, comma - 1));
    });
    return edits;
}

constexpr std::array<std::string_view, 12> copies_and_waits = {
    "synchronize", "wait",         "record",     "copy_from_async", "copy_to_async", "copy_from",
    "copy_to",     "memcpy_async", "wait_prior", "commit_group",    "wait_group",    "__threadfence"};

Edits dropped_copies_and_waits(const CodeTokens& code) {
    Edits edits;
    each_own(code, [&](std::size_t k) {
        const bool begins = code.is(k - 1, ";") || code.is(k - 1, "{") || code.is(k - 1, "}") || code.is(k - 1, ")") ||
                            code[k - 1].part != code[k].part;
        if (!begins || code[k].kind != Kind::name) return;
        const std::size_t end = code.statement_end(k);
        for (std::size_t i = k; i < end && !is_open(code[i].text) && !code.is(i, "="); ++i) {
            const bool named = std::find(copies_and_waits.begin(), copies_and_waits.end(), code[i].text) !=
                               copies_and_waits.end();
            if (named && code.is(i + 1, "(")) replace(edits, code, k, end, ";");
        }
    });
    return edits;
}

const std::array<MutationOperator, 15> operators = {{
    {"relation", "`<` and `<=`, `>` and `>=`, `==` and `!=` become each other.", relations},
    {"bound", "A bound is off by one, the other way than `<` for `<=`.", bounds},
    {"guard dropped", "An `if`, one side of `&&` or `||`, or the condition of `?:` is dropped.", guards},
    {"barrier dropped", "A barrier is dropped.", dropped_barriers},
    {"barrier in a branch", "A barrier is moved into a branch.", barriers_in_branches},
    {"axes swapped", "x stands for y, row for column, or two subscripts change places.", axes},
    {"extent", "The rows' length stands for their number, or the other way round.", extents},
    {"index shifted", "An index is one more or one less.", shifted_indices},
    {"constant", "A number is one more, halved or another identity; true becomes false.", constants},
    {"assignment", "An accumulation becomes an assignment.", assignments},
    {"rounded down", "A number of blocks or of pieces is rounded down.", roundings},
    {"double literal", "A float literal becomes a double.", doubles},
    {"done by few", "One thread, one warp or one block does the work of all.", alone},
    {"shape transposed", "The two extents of a launch shape change places.", launch_shapes},
    {"copy or wait dropped", "A copy or a wait is dropped.", dropped_copies_and_waits},
}};

}  // namespace

std::span<const MutationOperator> mutation_operators() { return operators; }

}  // namespace course
