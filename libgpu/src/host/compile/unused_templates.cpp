// SPDX-License-Identifier: MIT
#include "host/compile/unused_templates.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail::host {

namespace {

// From the first token of a function's body, or of a constructor's initialisers, to its closing brace.
struct Body {
    std::size_t begin = 0, end = 0;
};

// A template of a function, with its body, or of a class, with those of its members: places of tokens.
struct Template {
    std::size_t begin = 0, name = 0, end = 0;  // end: its closing brace
    std::vector<Body> bodies{};
    bool is_used = false;
    [[nodiscard]] bool holds(std::size_t token) const { return begin <= token && token <= end; }
};

class Finder {
public:
    explicit Finder(const std::vector<Token>& tokens) : tokens_(tokens) {}

    [[nodiscard]] std::vector<Template> templates() const {
        std::vector<Template> found;
        for (std::size_t k = 0; k + 2 < tokens_.size(); ++k) {
            // What `template <>` specialises is compiled, named or not.
            if (tokens_[k].in_directive || text(k) != "template" || text(k + 1) != "<" || text(k + 2) == ">") continue;
            Template one{.begin = k};
            if (read(one)) found.push_back(one);
        }
        return found;
    }

private:
    [[nodiscard]] std::string_view text(std::size_t k) const {
        return k < tokens_.size() ? tokens_[k].text : std::string_view();
    }

    // The place of the bracket that closes the one at `k`; the number of tokens if none does.
    [[nodiscard]] std::size_t closing(std::size_t k, std::string_view opens, std::string_view closes) const {
        int depth = 0;
        for (; k < tokens_.size(); ++k) {
            if (tokens_[k].in_directive) continue;
            if (text(k) == opens) ++depth;
            if (text(k) == closes && --depth == 0) return k;
        }
        return tokens_.size();
    }

    [[nodiscard]] bool is_colon(std::size_t k) const {
        return text(k) == ":" && text(k + 1) != ":" && text(k - 1) != ":";
    }

    bool read(Template& one) const {
        bool is_class = false;
        std::size_t at = closing(one.begin + 1, "<", ">") + 1;
        for (; at < tokens_.size(); ++at) {
            const std::string_view word = text(at);
            if (tokens_[at].in_directive || word == ";" || word == "=" || word == "operator") return false;
            if (word == "{" || (one.name != 0 && is_colon(at))) break;
            if (one.name == 0 && is_one_of(word, {"struct", "class", "union"})) is_class = true;
            else if (is_class && one.name == 0 && tokens_[at].is_name() && !word.starts_with("__")) one.name = at;
            if (word != "(") continue;
            if (!is_class && one.name == 0 && tokens_[at - 1].is_name() && !text(at - 1).starts_with("__") &&
                !is_one_of(text(at - 1), {"alignas", "decltype", "noexcept", "explicit"}))
                one.name = at - 1;
            at = closing(at, "(", ")");
        }
        const Body body{at, end_of_body(at)};
        one.end = body.end;
        if (one.name == 0 || one.end >= tokens_.size()) return false;
        one.bodies = is_class ? bodies_in(body) : std::vector<Body>{body};
        return true;
    }

    // `: a(1), b{2} { ... }`: behind an initialiser comes a comma or the body.
    [[nodiscard]] std::size_t end_of_body(std::size_t at) const {
        while (text(at) == ":" || text(at) == ",") {
            while (at < tokens_.size() && !is_one_of(text(at), {"(", "{"})) ++at;
            if (text(at) == "{" && !tokens_[at - 1].is_name() && text(at - 1) != ">") break;
            at = (text(at) == "(" ? closing(at, "(", ")") : closing(at, "{", "}")) + 1;
        }
        return closing(at, "{", "}");
    }

    // The bodies of a class' functions: names in the rest of the class are looked up by NVRTC, too.
    [[nodiscard]] std::vector<Body> bodies_in(const Body& of_class) const {
        std::vector<Body> bodies{};
        for (std::size_t at = of_class.begin; at < of_class.end; ++at) {
            if (tokens_[at].in_directive || text(at) != "(") continue;
            at = closing(at, "(", ")");
            std::size_t behind = at + 1;
            while (behind < of_class.end && (tokens_[behind].is_name() || is_one_of(text(behind), {"&", "("})))
                behind = text(behind) == "(" ? closing(behind, "(", ")") + 1 : behind + 1;
            if (text(behind) != "{" && !is_colon(behind)) continue;
            bodies.push_back({behind, end_of_body(behind)});
            at = bodies.back().end;
        }
        return bodies;
    }

    const std::vector<Token>& tokens_;
};

// Those that only each other name aren't used either.
void mark_used(const std::vector<Token>& tokens, std::vector<Template>& templates) {
    const auto is_named = [&](const Template& one) {
        for (std::size_t k = 0; k < tokens.size(); ++k) {
            if (!tokens[k].is_name() || tokens[k].text != tokens[one.name].text) continue;
            if (std::none_of(templates.begin(), templates.end(), [&](const Template& other) {
                    return k == other.name || (!other.is_used && other.holds(k));
                }))
                return true;
        }
        return false;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (Template& one : templates)
            if (!one.is_used && is_named(one)) one.is_used = changed = true;
    }
}

}  // namespace

std::string without_unused_templates(std::string_view text) {
    const std::vector<Token> tokens = tokens_of(text);
    std::vector<Template> templates = Finder(tokens).templates();
    mark_used(tokens, templates);
    std::string result;
    for (const Template& one : templates) {
        if (one.is_used) continue;
        if (result.empty()) result = text;
        for (const Body& body : one.bodies) {
            for (std::size_t at = tokens[body.begin].offset; at <= tokens[body.end].offset; ++at)
                if (result[at] != '\n') result[at] = ' ';
            result[tokens[body.begin].offset] = ';';
        }
    }
    return result;
}

bool begins_with_undeclared_name(std::string_view log) {
    constexpr std::array words{"was not declared",   "has not been declared", "is not a member of", "does not name a",
                               "there are no arg",   "undeclared identifier", "no member named",    "no type named",
                               "no template named",  "unknown type name"};
    constexpr std::string_view error = ": error: ";
    const std::size_t at = log.find(error);
    if (at == std::string_view::npos) return false;
    const std::string_view line = log.substr(at, log.find('\n', at) - at);
    return std::any_of(words.begin(), words.end(),
                       [line](std::string_view word) { return line.find(word) != std::string_view::npos; });
}

}  // namespace gpu::detail::host
