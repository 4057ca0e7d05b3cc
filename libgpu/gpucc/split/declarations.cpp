// SPDX-License-Identifier: MIT
#include "gpucc/split/declarations.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gpucc {

using gpu::detail::closing;
using gpu::detail::is_one_of;
using gpu::detail::TokenKind;

namespace {

constexpr std::string_view type_words[] = {"class", "struct", "union", "enum"};
// What may stand before a '(' that isn't a function's list of parameters.
constexpr std::string_view bracketed_words[] = {"__attribute__",    "__attribute",       "alignas",    "decltype",
                                                "__align__",        "__launch_bounds__", "noexcept",   "explicit",
                                                "__declspec",       "requires",          "typeof",     "__typeof__",
                                                "__cluster_dims__", "__block_size__",    "__maxnreg__"};
constexpr std::string_view qualifiers[] = {"const",    "volatile",          "struct",   "class",        "union",
                                           "enum",     "typename",          "register", "__restrict__", "__restrict",
                                           "restrict", "__grid_constant__", "constexpr"};
constexpr std::string_view type_names[] = {"void",   "bool",     "char",  "short",  "int",     "long",
                                           "signed", "unsigned", "float", "double", "wchar_t", "auto"};

template <std::size_t N>
bool is_in(std::string_view word, const std::string_view (&words)[N]) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// Parts the tokens between two places into declarations.
class ItemParser {
public:
    ItemParser(const std::vector<Token>& tokens, std::vector<Item>& items) : tokens_(tokens), items_(items) {}

    void parse(std::size_t begin, std::size_t end, const std::string& scope, const std::vector<std::string>& spaces,
               const std::string& in_class) {
        for (std::size_t k = begin; k < end;) {
            if (text(k) == ";" || text(k) == "}")
                ++k;
            else if (const std::size_t label = behind_label(k); !in_class.empty() && label > k)
                k = label;
            else if (const std::size_t next = open_space(k, end, scope, spaces); next > k)
                k = next;
            else
                k = declaration(k, end, scope, spaces, in_class);
        }
    }

private:
    [[nodiscard]] std::string_view text(std::size_t k) const {
        return k < tokens_.size() ? tokens_[k].text : std::string_view();
    }
    [[nodiscard]] bool is_name(std::size_t k) const { return k < tokens_.size() && tokens_[k].is_name(); }

    [[nodiscard]] std::size_t behind_label(std::size_t k) const {
        return is_one_of(text(k), {"public", "private", "protected"}) && text(k + 1) == ":" ? k + 2 : k;
    }

    // Goes into a namespace or an `extern "C"`; returns `k` if there is none.
    std::size_t open_space(std::size_t k, std::size_t end, const std::string& scope,
                           const std::vector<std::string>& spaces) {
        std::size_t at = k;
        std::string words, inner = scope;
        if (text(at) == "extern" && at + 2 < end && tokens_[at + 1].is_literal() && text(at + 2) == "{") {
            words = "extern " + std::string(text(at + 1));
            at += 2;
        } else {
            if (text(at) == "inline" && text(at + 1) == "namespace") ++at;
            if (text(at) != "namespace") return k;
            words = at > k ? "inline namespace" : "namespace";
            for (++at; at < end && text(at) != "{"; ++at) {
                if (is_one_of(text(at), {"=", ";"})) return k;
                if (text(at) == "[" || text(at) == "(") {
                    at = closing(tokens_, at);
                    continue;
                }
                words += (is_name(at) && is_name(at - 1) ? " " : "") + std::string(text(at));
                if (is_name(at) && text(at) != "__attribute__") inner += std::string(text(at)) + "::";
            }
        }
        if (text(at) != "{") return k;
        const std::size_t close = std::min(closing(tokens_, at), end);
        std::vector<std::string> more = spaces;
        more.push_back(words);
        parse(at + 1, close, inner, more, "");
        return close + 1;
    }

    void note_word(Item& item, std::size_t k) const {
        const std::string_view word = text(k);
        item.annotations.global |= word == "__global__";
        item.annotations.device |= word == "__device__";
        item.annotations.host |= word == "__host__";
        item.annotations.constant |= word == "__constant__";
        item.annotations.managed |= word == "__managed__";
        item.annotations.shared |= word == "__shared__";
        item.is_constant |= word == "constexpr" || word == "consteval";
        item.is_virtual |= word == "virtual" || word == "override" || word == "final";
        item.is_extern |= word == "extern";
        item.is_static |= word == "static";
    }

    // The name before a function's '(' at `k`: its token, or npos if the bracket is another one.
    [[nodiscard]] std::size_t function_before(std::size_t begin, std::size_t k) const {
        for (std::size_t at = k; at-- > begin && at + 5 > k;) {
            if (text(at) == "operator") return at;
            if (is_name(at) && at + 1 < k) break;
        }
        if (k == begin) return std::string_view::npos;
        std::size_t before = k - 1;
        if (text(before) == ">") {  // template <> void f<int>(...)
            int depth = 0;
            for (; before > begin; --before) {
                depth += text(before) == ">" ? 1 : text(before) == "<" ? -1 : 0;
                if (depth == 0) break;
            }
            if (before > begin) --before;
        }
        const bool named = is_name(before) && !is_in(text(before), bracketed_words) &&
                           !is_in(text(before), type_names) && !is_in(text(before), qualifiers);
        return named ? before : std::string_view::npos;
    }

    // A declaration from `k` on; returns the token behind it.
    std::size_t declaration(std::size_t k, std::size_t end, const std::string& scope,
                            const std::vector<std::string>& spaces, const std::string& in_class) {
        Item item{.tokens = {k, end}, .scope = scope, .spaces = spaces};
        std::size_t at = k, function = std::string_view::npos, type_word = 0, sign = std::string_view::npos;
        bool has_type_word = false, has_value = false, has_initialisers = false;
        while (text(at) == "template") {
            item.is_template = true;
            at = text(at + 1) == "<" ? behind_angle(tokens_, at + 1, end) : at + 1;
        }
        const std::size_t head = at;
        const std::string_view first = text(head);
        for (; at < end; ++at) {
            const std::string_view word = text(at);
            if (word == ";") {
                ++at;
                break;
            }
            if (is_name(at)) note_word(item, at);
            if (word == "operator" && !has_value && item.parameters.empty()) {  // its sign, up to its parameters
                sign = at;
                at += text(at + 1) == "(" ? 2 : 1;
                while (at + 1 < end && text(at + 1) != "(") ++at;
                continue;
            }
            if (is_in(word, type_words) && !has_type_word && item.parameters.empty() && !has_value) {
                has_type_word = true;
                type_word = at;
            }
            if (word == "=" && function == std::string_view::npos) has_value = true;
            if (word == "<" && at > k && is_name(at - 1) && !has_value && function == std::string_view::npos) {
                const std::size_t behind = behind_angle(tokens_, at, end);
                if (behind < end) at = behind - 1;
                continue;
            }
            if (word == "[") at = std::min(closing(tokens_, at), end);
            if (word == "(") {
                const std::size_t close = std::min(closing(tokens_, at), end);
                const bool may_be = !has_value && function == std::string_view::npos && item.body.empty();
                const std::size_t name = !may_be                            ? std::string_view::npos
                                         : sign != std::string_view::npos ? sign  // operator const T*()
                                                                          : function_before(head, at);
                if (name != std::string_view::npos) {
                    function = name;
                    item.parameters = {at + 1, close};
                }
                at = close;
            } else if (word == ":" && function != std::string_view::npos && text(at + 1) != ":" &&
                       text(at - 1) != ":") {
                has_initialisers = true;
                item.body.begin = at;
            } else if (word == "{") {
                const std::size_t close = std::min(closing(tokens_, at), end);
                const bool is_initialiser = has_initialisers && (is_name(at - 1) || text(at - 1) == ">");
                if (function != std::string_view::npos && !has_value && !is_initialiser) {
                    item.body = {has_initialisers ? item.body.begin : at, close + 1};
                    at = close + 1;
                    break;
                }
                if (has_type_word && item.body.empty() && !has_value) item.body = {at, close + 1};
                at = close;
            }
        }
        item.tokens.end = std::min(std::max(at, k + 1), end);
        item.body.end = std::min(item.body.end, item.tokens.end);  // brackets may be left open
        item.parameters.end = std::min(item.parameters.end, item.tokens.end);
        if (function == std::string_view::npos || item.body.end == 0) has_initialisers = false;
        if (is_one_of(first, {"using", "typedef", "concept"}))
            alias(item, head);
        else if (is_one_of(first, {"static_assert", "_Static_assert", "asm", "__asm__"}))
            item.kind = Kind::other;
        else if (first == "namespace")
            alias(item, head);
        else if (function != std::string_view::npos)
            name_function(item, function);
        else if (has_type_word)
            name_type(item, type_word, in_class);
        else
            name_variables(item, head);
        items_.push_back(std::move(item));
        return items_.back().tokens.end;
    }

    void name_function(Item& item, std::size_t function) const {
        item.kind = Kind::function;
        item.names.emplace_back(text(function));
        for (std::size_t at = function; at >= 2 && text(at - 1) == ":" && text(at - 2) == ":";) {
            at -= 3;
            if (text(at) == ">")
                while (at > item.tokens.begin && text(at) != "<") --at;
            if (text(at) == "<") --at;
            if (is_name(at)) item.names.emplace_back(text(at));
            if (at > item.tokens.end) break;
        }
    }

    void name_type(Item& item, std::size_t word, const std::string&) {
        const bool is_enum = text(word) == "enum";
        item.kind = item.body.empty() ? Kind::forward : Kind::type;
        std::string name;
        for (std::size_t k = word + 1; k < item.tokens.end && (item.body.empty() || k < item.body.begin); ++k) {
            if (is_one_of(text(k), {":", ";", "="}) && text(k + 1) != ":" && text(k - 1) != ":") break;
            if (is_one_of(text(k), {"(", "["}))
                k = closing(tokens_, k);
            else if (text(k) == "<")
                break;
            else if (is_name(k) && !is_in(text(k), bracketed_words) &&
                     !is_one_of(text(k), {"final", "class", "struct"}))
                name = text(k);
            if (item.body.empty() && !name.empty()) break;
        }
        if (!name.empty()) item.names.push_back(name);
        if (item.body.empty()) {  // `struct A;`, `struct A x = {...};`
            const bool has_variables = text(word + 2) != ";" && !is_enum && !item.is_template;
            if (has_variables) name_variables(item, word + 2);
            return;
        }
        if (is_enum) {
            for (std::size_t k = item.body.begin + 1; k < item.body.end; ++k)
                if (is_name(k) && is_one_of(text(k - 1), {"{", ","})) item.names.emplace_back(text(k));
        } else {
            ItemParser inner(tokens_, item.members);
            inner.parse(item.body.begin + 1, item.body.end - 1, item.scope + name + "::", {},
                        name.empty() ? "?" : name);
        }
        for (std::size_t k = item.body.end; k < item.tokens.end; ++k)  // struct { ... } x, y;
            if (is_name(k) && is_one_of(text(k + 1), {";", ",", "[", "="})) item.variables.emplace_back(text(k));
        item.names.insert(item.names.end(), item.variables.begin(), item.variables.end());
    }

    // The name in `(*f)` and `(Class::*f)`, from its '(' on; that itself if there is none.
    [[nodiscard]] std::size_t name_of_pointer(std::size_t open) const {
        if (text(open) != "(") return open;
        std::size_t star = open + 1;
        while (is_name(star) && text(star + 1) == ":" && text(star + 2) == ":") star += 3;
        return text(star) == "*" && is_name(star + 1) ? star + 1 : open;
    }

    void alias(Item& item, std::size_t k) const {
        item.kind = Kind::alias;
        if (text(k) == "using" && text(k + 1) == "namespace") {
            item.kind = Kind::directive;
            return;
        }
        if (text(k) != "typedef" && (text(k + 2) == "=" || is_one_of(text(k), {"namespace", "concept"}))) {
            item.names.emplace_back(text(k + 1));
            return;
        }
        if (!item.body.empty()) item.kind = Kind::alias;
        std::string name;
        for (std::size_t at = k + 1; at < item.tokens.end; ++at) {
            if (text(at) == "{") {  // typedef enum { a, b } E;
                const std::size_t close = closing(tokens_, at);
                for (std::size_t in = at + 1; in < close; ++in)
                    if (is_name(in) && is_one_of(text(in - 1), {"{", ","})) item.names.emplace_back(text(in));
                at = close;
                continue;
            }
            if (const std::size_t declared = name_of_pointer(at); declared > at) {
                name = text(declared);
                break;
            }
            if (is_one_of(text(at), {"(", "["}))
                at = closing(tokens_, at);
            else if (text(at) == "<")  // commas between a template's arguments part no names
                at = behind_angle(tokens_, at, item.tokens.end) - 1;
            else if (is_name(at))
                name = text(at);
            if (text(at) == "," || is_in(text(at), type_words))
                if (is_name(at + 1) && text(at) != ",") item.names.emplace_back(text(at + 1));
            if (text(at) == ",") item.names.push_back(name);
        }
        if (!name.empty()) item.names.push_back(name);
    }

    void name_variables(Item& item, std::size_t from) const {
        item.kind = Kind::variable;
        bool in_value = false;
        for (std::size_t k = from; k < item.tokens.end; ++k) {
            if (is_one_of(text(k), {"(", "[", "{"})) {
                const std::size_t pointer = in_value ? k : name_of_pointer(k);
                if (pointer > k) item.variables.emplace_back(text(pointer));  // int (*f)(int)
                k = closing(tokens_, k);
                continue;
            }
            if (text(k) == ",") in_value = false;
            item.is_constant |= text(k) == "const" && !in_value;
            if (!in_value && is_name(k) && is_one_of(text(k + 1), {"=", "[", ";", ",", "{", "("}) &&
                !is_in(text(k), bracketed_words) && !is_in(text(k), type_names))
                item.variables.emplace_back(text(k));
            if (text(k) == "=") in_value = true;
        }
        item.names.insert(item.names.end(), item.variables.begin(), item.variables.end());
    }

    const std::vector<Token>& tokens_;
    std::vector<Item>& items_;
};

}  // namespace

std::size_t behind_angle(const std::vector<Token>& tokens, std::size_t open, std::size_t limit) {
    int depth = 0;
    for (std::size_t k = open; k < limit && k < tokens.size(); ++k) {
        const std::string_view word = tokens[k].text;
        if (is_one_of(word, {"(", "[", "{"}))
            k = closing(tokens, k);
        else if (word == ";")
            break;
        else if (word == "<" && k + 1 < tokens.size() && tokens[k + 1].text == "<" &&
                 tokens[k + 1].offset == tokens[k].end())
            ++k;  // a shift, as in array<int, 1 << 3>
        else if (word == "<")
            ++depth;
        else if (word == ">" && tokens[k - 1].text != "-" && --depth == 0)
            return k + 1;
    }
    return limit;
}

std::vector<Item> items_of(const std::vector<Token>& tokens) {
    std::vector<Item> items;
    ItemParser(tokens, items).parse(0, tokens.size(), "", {}, "");
    return items;
}

std::vector<ParameterName> parameter_names(const std::vector<Token>& tokens, Range parameters) {
    std::vector<ParameterName> names;
    const auto add = [&](std::size_t begin, std::size_t end) {
        ParameterName name;
        std::size_t last = begin;
        for (std::size_t behind = begin; last < end && tokens[last].text != "="; ++last) {
            if (last < behind) continue;  // Numbers<N...> is no pack
            if (tokens[last].text == "<" && last > begin) behind = behind_angle(tokens, last, end);
            name.is_pack |= tokens[last].text == "." && last + 2 < end && tokens[last + 2].text == ".";
        }
        name.end = last;
        if (last == begin || (last == begin + 1 && tokens[begin].text == "void")) return;
        for (std::size_t k = begin; k + 2 < last; ++k) {  // void (*f)(int), float (&x)[3]
            if (tokens[k].text != "(" || !is_one_of(tokens[k + 1].text, {"*", "&"})) continue;
            if (tokens[k + 2].is_name()) name.name = tokens[k + 2].text;
            if (tokens[k + 2].is_name() && tokens[k + 1].text == "&") name.reference = k + 1;
            name.end = k + 2;
            names.push_back(std::move(name));
            return;
        }
        while (last > begin + 1 && tokens[last - 1].text == "]") {
            while (last > begin + 1 && tokens[last - 1].text != "[") --last;
            --last;
        }
        name.end = last;
        const Token& word = tokens[last - 1];
        bool has_type = false;
        for (std::size_t k = begin; k + 1 < last; ++k)
            has_type |= (tokens[k].is_name() && !is_in(tokens[k].text, qualifiers)) || tokens[k].text == ">";
        const bool is_qualified = last >= begin + 2 && tokens[last - 2].text == ":";
        if (word.is_name() && has_type && !is_qualified && !is_in(word.text, type_names) &&
            !is_in(word.text, qualifiers)) {
            name.name = word.text;
            if (tokens[last - 2].text == "&" && tokens[last - 3].text != "&") name.reference = last - 2;
        }
        names.push_back(std::move(name));
    };
    std::size_t begin = parameters.begin;
    for (std::size_t k = parameters.begin; k < parameters.end; ++k) {
        const std::string_view word = tokens[k].text;
        if (is_one_of(word, {"(", "[", "{"}))
            k = closing(tokens, k);
        else if (word == "<" && k > begin && tokens[k - 1].is_name())
            k = std::min(behind_angle(tokens, k, parameters.end), parameters.end) - 1;
        else if (word == ",") {
            add(begin, k);
            begin = k + 1;
        }
    }
    add(begin, parameters.end);
    return names;
}

}  // namespace gpucc
