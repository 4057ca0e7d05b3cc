// SPDX-License-Identifier: MIT
#include "gpucc/split/lambdas.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "gpucc/split/declarations.hpp"

namespace gpucc {

using gpu::detail::closing;
using gpu::detail::is_one_of;

namespace {

using Edit = PreprocessedText::Edit;

// The name behind such a word isn't declared there.
bool is_no_type(std::string_view word) {
    return is_one_of(word, {"return", "else", "delete", "new", "goto", "case", "throw", "sizeof", "using"});
}
using Names = std::set<std::string, std::less<>>;

/// What a lambda captures.
struct Capture {
    std::string name, value;
};

/// `[=] __device__ (int i) mutable -> float { ... }`, as ranges of tokens.
struct Lambda {
    Range captures = {}, marks = {}, result = {};
    Range parameters = {}, body = {};  ///< with their brackets
    bool is_mutable = false;
    [[nodiscard]] std::size_t begin() const { return captures.begin - 1; }
};

/// Turns the lambdas of a text's functions into structs.
class LambdaNamer {
public:
    LambdaNamer(const PreprocessedText& source, const std::vector<Token>& tokens, std::string unit)
        : source_(source), tokens_(tokens), unit_(std::move(unit)), items_(items_of(tokens)) {
        for (const Item& item : items_) globals_.insert(item.names.begin(), item.names.end());
    }

    [[nodiscard]] std::vector<Edit> edits() {
        for (const Item& item : items_) {
            const bool is_in_c = std::any_of(item.spaces.begin(), item.spaces.end(),
                                             [](const std::string& space) { return space.starts_with("extern"); });
            if (item.kind == Kind::function && !item.body.empty() && !item.is_for_device() && !is_in_c) visit(item);
        }
        return std::move(edits_);
    }

private:
    [[nodiscard]] std::string_view text(std::size_t k) const {
        return k < tokens_.size() ? tokens_[k].text : std::string_view();
    }
    [[nodiscard]] std::string text(Range range) const {
        if (range.empty()) return "";
        const std::size_t begin = tokens_[range.begin].offset;
        return source_.own().substr(begin, tokens_[range.end - 1].end() - begin);
    }

    void visit(const Item& function) {
        for (std::size_t k = function.body.begin; k < function.body.end; ++k) {
            if (text(k) != "[") continue;
            const std::optional<Lambda> lambda = lambda_at(k, function.body.end);
            if (!lambda) continue;
            if (const auto captures = captures_of(*lambda, function)) name(*lambda, *captures, function);
            k = lambda->body.end - 1;
        }
    }

    [[nodiscard]] std::optional<Lambda> lambda_at(std::size_t open, std::size_t limit) const {
        const std::size_t close = closing(tokens_, open);
        if (close + 1 >= limit || !marks_lambda(tokens_, close + 1)) return std::nullopt;
        Lambda lambda{.captures = {open + 1, close}};
        std::size_t at = close + 1;
        while (is_one_of(text(at), {"__device__", "__host__"})) ++at;
        lambda.marks = {close + 1, at};
        if (text(at) == "(") {
            lambda.parameters = {at, closing(tokens_, at) + 1};
            at = lambda.parameters.end;
        }
        for (lambda.result.begin = at; at < limit && text(at) != "{"; ++at) {
            if (text(at) != "mutable") continue;
            lambda.is_mutable = true;
            lambda.result.begin = at + 1;
        }
        lambda.result.end = at;
        lambda.body = {at, closing(tokens_, at) + 1};
        if (lambda.body.end > limit) return std::nullopt;
        return lambda;
    }

    // Nothing: something isn't captured by value.
    [[nodiscard]] std::optional<std::vector<Capture>> captures_of(const Lambda& lambda, const Item& function) const {
        std::vector<Capture> captures;
        bool takes_all = false;
        for (std::size_t k = lambda.captures.begin; k < lambda.captures.end; ++k) {
            const std::size_t first = k;
            for (; k < lambda.captures.end && text(k) != ","; ++k)
                if (is_one_of(text(k), {"(", "[", "{"})) k = closing(tokens_, k);
            const Range all{first, k};
            if (text(first) == "=") {
                takes_all = true;
            } else if (!tokens_[first].is_name() || text(first) == "this") {
                return std::nullopt;
            } else if (k == first + 1) {
                captures.push_back({std::string(text(first)), std::string(text(first))});
            } else if (text(first + 1) == "=") {
                captures.push_back({std::string(text(first)), text({first + 2, all.end})});
            } else {
                return std::nullopt;
            }
        }
        if (takes_all) add_used(lambda, function, captures);
        return captures;
    }

    // What `[=]` captures: names that the function declares before it.
    void add_used(const Lambda& lambda, const Item& function, std::vector<Capture>& captures) const {
        Names known = declared({function.body.begin, lambda.begin()}), own = declared(lambda.body);
        for (const ParameterName& parameter : parameter_names(tokens_, function.parameters))
            known.insert(parameter.name);
        if (!lambda.parameters.empty())
            for (const ParameterName& parameter :
                 parameter_names(tokens_, {lambda.parameters.begin + 1, lambda.parameters.end - 1}))
                own.insert(parameter.name);
        for (const Capture& one : captures) own.insert(one.name);
        for (std::size_t k = lambda.body.begin; k < lambda.body.end; ++k) {
            const bool is_member = is_one_of(text(k - 1), {".", ":"}) || (text(k - 1) == ">" && text(k - 2) == "-");
            if (!tokens_[k].is_name() || is_member || !known.contains(text(k))) continue;
            if (!own.emplace(text(k)).second) continue;
            captures.push_back({std::string(text(k)), std::string(text(k))});
        }
    }

    [[nodiscard]] bool ends_type(std::size_t k) const {  // T*, T&, vector<T>
        return is_one_of(text(k), {"*", "&", ">"}) && (tokens_[k - 1].is_name() || is_one_of(text(k - 1), {">", "*"}));
    }
    // The names that a piece of a function declares, found without a parser: `T x`, `T* x`, `int x = 1, y`.
    [[nodiscard]] Names declared(Range range) const {
        Names names;
        bool in_declaration = false;
        for (std::size_t k = range.begin + 1; k < range.end; ++k) {
            if (is_one_of(text(k), {";", "{", "}"})) in_declaration = false;
            if (!tokens_[k].is_name() || !is_one_of(text(k + 1), {"=", ";", "{", "(", "[", ",", ":", ")"})) continue;
            const std::size_t before = is_one_of(text(k - 1), {"*", "&"}) ? k - 2 : k - 1;  // int *x, *y
            const bool behind_name = tokens_[k - 1].is_name(), is_next = in_declaration && text(before) == ",";
            const bool behind_type = behind_name ? !is_no_type(text(k - 1)) : ends_type(k - 1);
            if ((!behind_type && !is_next) || (!behind_name && globals_.contains(text(k)))) continue;
            names.emplace(text(k));
            in_declaration = true;
        }
        return names;
    }

    /// The parameters of a function's template: "class T, int n", and "T, n".
    struct TemplateParameters {
        std::string declarations, names;
        bool are_used = false;
    };
    [[nodiscard]] TemplateParameters template_parameters(const Item& function, const Lambda& lambda) const {
        TemplateParameters found;
        const std::size_t open = function.tokens.begin + 1;
        if (!function.is_template || text(open) != "<") return found;
        const std::size_t behind = behind_angle(tokens_, open, function.tokens.end);
        found.declarations = text({open + 1, behind - 1});
        for (std::size_t k = open + 1; k < behind; ++k) {
            const bool is_last = k + 1 == behind - 1 || is_one_of(text(k + 1), {",", "="});
            if (!tokens_[k].is_name() || !is_last || text(k - 1) == "=") continue;
            found.names += (found.names.empty() ? "" : ", ") + std::string(text(k)) + (text(k - 1) == "." ? "..." : "");
            for (std::size_t in = lambda.marks.end; in < lambda.body.end; ++in)
                found.are_used = found.are_used || text(in) == text(k);
        }
        return found;
    }

    void name(const Lambda& lambda, const std::vector<Capture>& captures, const Item& function) {
        const std::string type = "gpucc_lambda_" + unit_ + '_' + std::to_string(count_++);
        std::string parameters, members, arguments, values;
        const auto add = [](std::string& list, const std::string& one) { list += (list.empty() ? "" : ", ") + one; };
        for (std::size_t k = 0; k < captures.size(); ++k) {
            const std::string member = "gpucc_type" + std::to_string(k);
            add(parameters, "class " + member);
            members += member + ' ' + captures[k].name + "; ";
            add(arguments, "typename ::gpucc::Captured<decltype(" + captures[k].value + ")>::type");
            add(values, captures[k].value);
        }
        if (const auto more = template_parameters(function, lambda); more.are_used) {
            add(parameters, more.declarations);
            add(arguments, more.names);
        }
        const std::size_t begin = tokens_[function.tokens.begin].offset;
        const std::string head = (parameters.empty() ? "" : "template <" + parameters + "> ") + "struct " + type +
                                 " { " + members + text(lambda.marks) + " auto operator()";
        const std::string call = (lambda.parameters.empty() ? "()" : text(lambda.parameters)) +
                                 (lambda.is_mutable ? " " : " const ") + text(lambda.result);
        edits_.push_back({begin, 0,
                          head + source_.moved_to(tokens_[lambda.marks.end].offset) + call + ' ' + text(lambda.body) +
                              " };" + source_.moved_to(begin)});
        const std::size_t from = tokens_[lambda.begin()].offset;
        edits_.push_back({from, tokens_[lambda.body.end - 1].end() - from,
                          type + (arguments.empty() ? "" : '<' + arguments + '>') + '{' + values + '}'});
    }

    const PreprocessedText& source_;
    const std::vector<Token>& tokens_;
    const std::string unit_;
    const std::vector<Item> items_;
    Names globals_;
    std::vector<Edit> edits_;
    int count_ = 0;
};

}  // namespace

bool marks_lambda(const std::vector<gpu::detail::Token>& tokens, std::size_t k) {
    const auto is_mark = [&](std::size_t at) { return is_one_of(tokens[at].text, {"__device__", "__host__"}); };
    bool has_device = false;
    for (; k > 0 && k < tokens.size() && is_mark(k - 1);) --k;
    if (k == 0 || tokens[k - 1].text != "]") return false;
    for (; k < tokens.size() && is_mark(k); ++k) has_device = has_device || tokens[k].text == "__device__";
    return has_device && k < tokens.size() && is_one_of(tokens[k].text, {"(", "{", "mutable", "-"});
}

std::string with_named_lambdas(std::string text, const std::string& unit) {
    const PreprocessedText source(text);
    for (const std::string& header : source.headers())
        if (header.find("/thrust/") != std::string::npos) return text;
    const std::vector<Token> tokens = code_tokens(source.own());
    bool has_any = false;
    for (std::size_t k = 0; k < tokens.size() && !has_any; ++k)
        has_any = tokens[k].text == "__device__" && marks_lambda(tokens, k);
    if (!has_any) return text;
    std::vector<Edit> edits = LambdaNamer(source, tokens, unit).edits();
    return edits.empty() ? text : source.edited(std::move(edits));
}

}  // namespace gpucc
