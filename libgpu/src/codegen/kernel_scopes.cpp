// SPDX-License-Identifier: MIT
#include "codegen/kernel_scopes.hpp"

#include <algorithm>

namespace gpu::detail {

namespace {

/// Walks through a text's braces, and keeps the statement that stands before each.
class Walk {
public:
    explicit Walk(const std::vector<Token>& tokens) : tokens_(tokens), within_(tokens.size()) {}

    void run() {
        for (std::size_t k = 0; k < tokens_.size(); ++k) {
            within_[k] = in_function();
            if (tokens_[k].in_directive) continue;
            const std::string_view text = tokens_[k].text;
            if (text == "{") {
                open(k);
            } else if (text == "}") {
                close();
            } else if (text == ";" && round_ == 0) {
                finish(false);
            } else if (text == ":" && is_label()) {
                statement_.clear();
            } else {
                if (text == "(") ++round_;
                if (text == ")") round_ = std::max(round_ - 1, 0);
                statement_.push_back(k);
            }
        }
    }

    std::vector<Declaration> declarations_;
    std::vector<bool> take_within() { return std::move(within_); }

private:
    struct Open {
        Scope scope;
        std::vector<std::size_t> statement;  // to be gone on with behind the brace
        int round;
    };

    [[nodiscard]] bool in_function() const {
        return std::any_of(open_.begin(), open_.end(), [](const Open& one) { return one.scope == Scope::function; });
    }
    [[nodiscard]] Scope here() const { return open_.empty() ? Scope::space : open_.back().scope; }

    // "public:", not "struct A : B" or "A::b".
    [[nodiscard]] bool is_label() const {
        if (statement_.size() != 1) return false;
        const std::string_view word = tokens_[statement_.front()].text;
        return word == "public" || word == "private" || word == "protected";
    }

    [[nodiscard]] Scope opened() const {
        const Scope outer = here();
        if (outer == Scope::value || round_ > 0) return in_function() ? Scope::function : Scope::value;
        bool is_type = false, has_list = false, has_initialiser = false;
        for (std::size_t k = 0; k < statement_.size(); ++k) {
            const std::string_view word = tokens_[statement_[k]].text;
            const std::string_view before = k > 0 ? tokens_[statement_[k - 1]].text : "";
            if (word == "namespace") return Scope::space;
            if (word == "extern" && k + 2 == statement_.size() && tokens_[statement_[k + 1]].is_literal())
                return Scope::space;
            if (word == "enum") return Scope::value;
            if ((word == "struct" || word == "class" || word == "union") && before != "<" && before != ",")
                is_type = true;
            if (word == "=" && !has_list && !is_operator(k)) return outer == Scope::function ? outer : Scope::value;
            if (word == "(" && is_named(k)) has_list = true;
            if (word == ":" && has_list) has_initialiser = true;
        }
        if (has_list) {
            // "S(int b) : a{b} {}": the first brace is a member's.
            const bool is_members = has_initialiser && !statement_.empty() && tokens_[statement_.back()].is_name();
            return is_members ? Scope::value : Scope::function;
        }
        if (outer == Scope::function && !is_type) return Scope::function;
        return is_type ? Scope::type : Scope::value;
    }

    // Whether the sign at k belongs to the name of an operator.
    [[nodiscard]] bool is_operator(std::size_t k) const {
        for (std::size_t at = k; at-- > 0 && at + 4 > k;)
            if (tokens_[statement_[at]].text == "operator") return true;
        return false;
    }

    // Whether the bracket at k is a function's: behind a name that isn't an attribute's, or an operator's sign.
    [[nodiscard]] bool is_named(std::size_t k) const {
        if (k == 0) return false;
        if (is_operator(k)) return true;
        const Token& before = tokens_[statement_[k - 1]];
        return before.is_name() && !before.text.starts_with("__") && before.text != "alignas" &&
               before.text != "decltype" && before.text != "noexcept" && before.text != "explicit" &&
               before.text != "sizeof";
    }

    void open(std::size_t) {
        const Scope scope = opened();
        const bool is_body = scope == Scope::function && (here() == Scope::space || here() == Scope::type);
        if (is_body) finish(true);
        const bool goes_on = scope == Scope::value || scope == Scope::type;
        open_.push_back({scope, goes_on ? std::move(statement_) : std::vector<std::size_t>(), round_});
        statement_.clear();
        round_ = 0;
    }
    void close() {
        statement_.clear();
        round_ = 0;
        if (open_.empty()) return;
        statement_ = std::move(open_.back().statement);
        round_ = open_.back().round;
        open_.pop_back();
    }
    void finish(bool has_body) {
        const Scope scope = here();
        if (!statement_.empty() && (scope == Scope::space || scope == Scope::type))
            declarations_.push_back({statement_, scope, has_body});
        if (!has_body) statement_.clear();
    }

    const std::vector<Token>& tokens_;
    std::vector<bool> within_;
    std::vector<Open> open_;
    std::vector<std::size_t> statement_;
    int round_ = 0;
};

}  // namespace

std::vector<Declaration> declarations_in(const std::vector<Token>& tokens) {
    Walk walk(tokens);
    walk.run();
    return std::move(walk.declarations_);
}

std::vector<bool> within_functions(const std::vector<Token>& tokens) {
    Walk walk(tokens);
    walk.run();
    return walk.take_within();
}

std::vector<bool> within_conditions(const std::vector<Token>& tokens) {
    std::vector<bool> within(tokens.size());
    std::vector<bool> open;  // of each #if: whether it is a condition
    const auto text = [&](std::size_t k) { return k < tokens.size() ? tokens[k].text : std::string_view(); };
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].starts_line && tokens[k].text == "#") {
            const bool is_guard =
                text(k + 1) == "ifndef" && text(k + 3) == "#" && text(k + 4) == "define" && text(k + 5) == text(k + 2);
            if (text(k + 1).starts_with("if")) open.push_back(!is_guard);
            if (text(k + 1) == "endif" && !open.empty()) open.pop_back();
        }
        within[k] = std::find(open.begin(), open.end(), true) != open.end();
    }
    return within;
}

namespace {

// Keeps which statements are open: the one behind an if or a loop, or a block in braces.
class OpenStatements {
public:
    enum class Part { other, branch, loop };

    void open(Part part, std::size_t at, bool braced) { open_.push_back({part, at, braced}); }
    void brace(std::size_t at) {
        if (!open_.empty() && !open_.back().braced)
            open_.back().braced = true;
        else
            open(Part::other, at, true);
    }
    void close_brace(std::size_t at) {
        close_bare(at);
        if (!open_.empty()) close(at);
        close_bare(at);
    }
    void close_bare(std::size_t at) {
        while (!open_.empty() && !open_.back().braced) close(at);
    }
    void close_all(std::size_t at) {
        while (!open_.empty()) close(at);
    }
    std::vector<ControlStatement> closed;

private:
    struct Open {
        Part part;
        std::size_t begin;
        bool braced;
    };
    void close(std::size_t at) {
        const Open& last = open_.back();
        if (last.part != Part::other) closed.push_back({last.part == Part::loop, last.begin, at + 1});
        open_.pop_back();
    }
    std::vector<Open> open_;
};

std::optional<OpenStatements::Part> begun_by(std::string_view word) {
    using enum OpenStatements::Part;
    if (word == "if" || word == "else" || word == "switch") return branch;
    if (word == "for" || word == "while" || word == "do") return loop;
    return std::nullopt;
}

}  // namespace

std::vector<ControlStatement> control_statements(const std::vector<Token>& tokens) {
    OpenStatements open;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].in_directive) continue;
        const std::string_view text = tokens[k].text;
        if (const auto part = begun_by(text)) {
            open.open(*part, k, false);
            const std::size_t condition = find_token(tokens, "(", k);
            if (text == "else" || text == "do" || condition > k + 2) continue;  // "if constexpr (" at the most
            k = closing(tokens, condition);
        } else if (text == "{") {
            open.brace(k);
        } else if (text == "}") {
            open.close_brace(k);
        } else if (text == ";") {
            open.close_bare(k);
        }
    }
    open.close_all(tokens.size());
    return std::move(open.closed);
}

WayTo way_to(const std::vector<Token>& tokens, std::size_t target) {
    const std::vector<bool> in_function = within_functions(tokens);
    WayTo way;
    for (std::size_t k = 0; k < target; ++k) {
        if (tokens[k].in_directive) continue;
        if (!in_function[k]) way.behind_return = false;  // that was another function's
        if (tokens[k].text == "return") way.behind_return = true;
    }
    for (const ControlStatement& one : control_statements(tokens)) {
        if (!one.holds(target)) continue;
        way.in_branch = way.in_branch || !one.is_loop;
        way.in_loop = way.in_loop || one.is_loop;
    }
    return way;
}

std::string synchronized_group(const std::vector<Token>& tokens, int line) {
    for (std::size_t k = 2; k + 3 < tokens.size(); ++k) {
        if (tokens[k].line != line || tokens[k].text != "sync" || tokens[k + 1].text != "(") continue;
        if (tokens[k - 1].text == "." && tokens[k - 2].is_name()) return std::string(tokens[k - 2].text);
        if (tokens[k + 2].is_name() && tokens[k + 3].text == ")") return std::string(tokens[k + 2].text);
    }
    return {};
}

std::optional<WayTo> way_to_barrier(const std::vector<Token>& tokens, int line) {
    const auto target = std::find_if(tokens.begin(), tokens.end(), [&](const Token& token) {
        return token.line == line && !token.in_directive && token.is_name() &&
               token.text.find("sync") != token.text.npos;
    });
    if (target == tokens.end()) return std::nullopt;
    return way_to(tokens, static_cast<std::size_t>(target - tokens.begin()));
}

}  // namespace gpu::detail
