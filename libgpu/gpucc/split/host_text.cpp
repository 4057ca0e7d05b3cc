// SPDX-License-Identifier: MIT
#include "gpucc/split/host_text.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "gpucc/split/lambdas.hpp"

namespace gpucc {

using gpu::detail::closing;
using gpu::detail::is_one_of;

namespace {

using Edit = PreprocessedText::Edit;

/// Collects the edits that make a file's host half.
class HostWriter {
public:
    HostWriter(const PreprocessedText& source, const std::vector<Token>& tokens, std::string unit)
        : source_(source), tokens_(tokens), unit_(std::move(unit)), is_gone_(tokens.size()) {
        for (const std::string& header : source.headers())
            calls_functors_ = calls_functors_ || header.find("/thrust/") != std::string::npos;
    }

    void write(const std::vector<Item>& items) {
        if (calls_functors_) read_functors(items);
        for (const Item& item : items)
            if (item.kind != Kind::function && !item.variables.empty() && item.is_for_device())
                for (std::size_t k = item.tokens.begin; k < item.tokens.end; ++k)
                    if (tokens_[k].is_name()) variables_words_.emplace(text(k));
        add(items, false);
        launches();
        words();
    }

    std::vector<Edit> edits;
    std::string errors;
    int launch_count = 0;

private:
    void add(const std::vector<Item>& items, bool in_class) {
        for (const Item& item : items) {
            if (item.kind == Kind::function) function(item, in_class);
            if (item.kind != Kind::function && !item.variables.empty() && item.is_for_device())
                variable(item, in_class);
            add(item.members, true);
        }
    }

    [[nodiscard]] std::string_view text(std::size_t k) const {
        return k < tokens_.size() ? tokens_[k].text : std::string_view();
    }
    [[nodiscard]] std::size_t offset(std::size_t k) const {
        return k < tokens_.size() ? tokens_[k].offset : source_.own().size();
    }
    void refuse(std::size_t token, const std::string& what) { errors += error_at(source_.place(offset(token)), what); }
    void replace(Range range, std::string by) {
        if (range.empty()) return;
        const std::size_t begin = offset(range.begin);
        edits.push_back({begin, tokens_[range.end - 1].end() - begin, std::move(by)});
        leave_out(range);
    }
    void leave_out(Range range) {
        std::fill(is_gone_.begin() + static_cast<std::ptrdiff_t>(range.begin),
                  is_gone_.begin() + static_cast<std::ptrdiff_t>(range.end), true);
    }
    [[nodiscard]] bool is_gone(std::size_t token) const { return is_gone_[token]; }

    void function(const Item& item, bool in_class) {
        const Annotations& marks = item.annotations;
        if (marks.global) {
            if (!item.body.empty()) stub(item);
            const std::size_t first = item.tokens.begin;
            if (!in_class && item.is_template && text(first) == "template" && text(first + 1) == "<" &&
                text(first + 2) != ">")
                make_static(item);
            return;
        }
        if (!marks.device || marks.host || item.is_constant) return;
        if (calls_functors_ && (in_class || functors_words_.contains(item.names.empty() ? "" : item.names.front())))
            return;
        // A member keeps its declaration, and a virtual one its place in the class's table; so does what a device
        // variable points to.
        if (!in_class && !item.names.empty() && variables_words_.contains(item.names.front()))
            replace(item.body, "{ __builtin_trap(); }");
        else if (!in_class)
            replace(item.tokens, "");
        else if (!item.body.empty())
            replace(item.body, item.is_virtual ? "{ __builtin_trap(); }" : ";");
    }

    // What functors name, directly or not: device functions that host code calls with them.
    void read_functors(const std::vector<Item>& items) {
        std::vector<Range> waiting;
        const auto read_class = [&](const auto& self, const Item& type) -> void {
            for (const Item& member : type.members)
                if (member.kind == Kind::function && !member.body.empty()) waiting.push_back(member.body);
            for (const Item& member : type.members) self(self, member);
        };
        for (const Item& item : items) {
            read_class(read_class, item);
            // Host functions' own code may call what is marked for both sides, and that what is the device's.
            if (item.kind == Kind::function && !item.annotations.global &&
                (!item.annotations.device || item.annotations.host))
                waiting.push_back(item.body);
        }
        std::set<const Item*> known;
        while (!waiting.empty()) {
            const Range body = waiting.back();
            waiting.pop_back();
            for (std::size_t k = body.begin; k < body.end; ++k)
                if (tokens_[k].is_name()) functors_words_.emplace(text(k));
            for (const Item& item : items)
                if (item.kind == Kind::function && item.annotations.device && !item.names.empty() &&
                    functors_words_.contains(item.names.front()) && known.insert(&item).second)
                    waiting.push_back(item.body);
        }
    }

    // Each file has its own device code: what stands for it on the host belongs to the file, too.
    void make_static(const Item& item) {
        for (std::size_t k = item.tokens.begin; k < item.tokens.end && !item.is_static; ++k)
            if (is_one_of(text(k), {"__global__", "__device__", "__constant__", "__managed__"})) {
                static_.push_back(k);
                return;
            }
    }

    void stub(const Item& item) {
        std::string values, references;
        int number = 0;
        for (const ParameterName& parameter : parameter_names(tokens_, item.parameters)) {
            std::string name = parameter.name;
            if (name.empty()) {
                name = "gpucc_p" + std::to_string(++number);
                edits.push_back({tokens_[parameter.end - 1].end(), 0, " " + name});
            }
            if (parameter.reference > 0) {  // as on a GPU, the kernel gets an address
                const std::string address = "gpucc_r" + std::to_string(++number);
                references += "auto* " + address + " = __builtin_addressof(" + name + "); ";
                values += "(void*)&" + address + ", ";
                continue;
            }
            values += "(void*)__builtin_addressof(" + name + ")" + (parameter.is_pack ? "..." : "") + ", ";
        }
        replace(item.body, "{ static ::gpucc::Kernel " + std::string(stub_variable) + "; " + references +
                               "void* gpucc_values[] = {" + values + "nullptr}; ::gpucc::launch(" +
                               std::string(stub_variable) +
                               ", gpucc_values, (int)(sizeof gpucc_values / sizeof *gpucc_values) - 1); }");
    }

    void variable(const Item& item, bool in_class) {
        if (item.annotations.shared) {
            replace(item.tokens, "");
            return;
        }
        if (in_class) {
            refuse(item.tokens.begin, "a device variable that is a class's member: put it beside the class");
            return;
        }
        if (item.is_extern) {
            refuse(item.tokens.begin,
                   "a device variable of another file: gpucc has no -rdc=true; put the variable and the "
                   "kernels that use it into one file, or hand its address on as a parameter");
            return;
        }
        if (item.is_template) return;
        make_static(item);
        for (const std::string& name : item.variables) {
            const std::string full = item.scope + name;
            if (item.annotations.managed) managed_variable(item, name, full);
            edits.push_back({tokens_[item.tokens.end - 1].end(), 0,
                             " static const ::gpucc::Variable gpucc_variable_" + name + "(&gpucc_unit_" + unit_ +
                                 ", (const void*)&::" + full + ", sizeof ::" + full + ", \"" + full + "\");"});
        }
    }

    // A reference to the device's own, which both sides use in place.
    void managed_variable(const Item& item, const std::string& name, const std::string& full) {
        const std::string stand_in = "gpucc_managed_" + name;
        for (std::size_t k = item.tokens.begin; k < item.tokens.end; ++k)
            if (text(k) == name) edits.push_back({offset(k), name.size(), stand_in});
        edits.push_back({tokens_[item.tokens.end - 1].end(), 0,
                         " static auto& " + name + " = *static_cast<decltype(" + stand_in +
                             ")*>(::gpucc::managed_variable(&gpucc_unit_" + unit_ + ", \"" + full + "\", sizeof " +
                             stand_in + "));"});
    }

    // The first token of the postfix expression that ends before `k`: what a launch calls.
    [[nodiscard]] std::size_t callee_before(std::size_t k) const {
        std::size_t at = k;
        while (at > 0) {
            std::size_t begin = at - 1;
            const std::string_view word = text(begin);
            if (word == ">") {
                int depth = 0;
                for (;; --begin) {
                    if (is_one_of(text(begin), {")", "]", "}"})) begin = opening(begin);
                    if (begin > 1 && text(begin) == "<" && text(begin - 1) == "<" &&
                        offset(begin - 1) + 1 == offset(begin)) {
                        --begin;  // a shift among the arguments, as in k<1 << 3>
                        continue;
                    }
                    depth += text(begin) == ">" ? 1 : text(begin) == "<" ? -1 : 0;
                    if (depth == 0 || begin == 0) break;
                }
                if (begin == 0 || !tokens_[begin - 1].is_name()) return k;
                --begin;
            } else if (word == ")" || word == "]") {
                begin = opening(begin);
                if (begin > 0 && ends_operand(begin - 1)) {  // f(x), table[i]
                    at = begin;
                    continue;
                }
            } else if (!tokens_[begin].is_name()) {
                return k;
            }
            if (begin > 0 && text(begin - 1) == "template") --begin;
            if (begin >= 2 && text(begin - 1) == ":" && text(begin - 2) == ":") {
                begin -= 2;
                if (begin == 0 || (text(begin - 1) != ">" && !ends_operand(begin - 1))) return begin;
            } else if (begin >= 1 && text(begin - 1) == ".") {
                --begin;
            } else if (begin >= 2 && text(begin - 1) == ">" && text(begin - 2) == "-") {
                begin -= 2;
            } else {
                return begin;
            }
            at = begin;
        }
        return at;
    }
    // True if an operand may end here, which a bracket behind it goes on with: not so `if (x)` and `return`.
    [[nodiscard]] bool ends_operand(std::size_t k) const {
        const std::initializer_list<std::string_view> heads = {"if", "for", "while", "switch"};
        if (text(k) == "]") return true;
        if (text(k) == ")") {
            const std::size_t open = opening(k);
            return open == 0 || !is_one_of(text(open - 1), heads);
        }
        return tokens_[k].is_name() && !is_one_of(text(k), heads) &&
               !is_one_of(text(k), {"return", "else", "do", "case", "throw", "co_return"});
    }
    [[nodiscard]] std::size_t opening(std::size_t close) const {
        int depth = 0;
        for (std::size_t k = close;; --k) {
            if (is_one_of(text(k), {")", "]", "}"})) ++depth;
            if (is_one_of(text(k), {"(", "[", "{"}) && --depth == 0) return k;
            if (k == 0) return 0;
        }
    }

    // `<<<` at k: three signs, of which blanks may part the last. Shifts never stand before a third one.
    [[nodiscard]] bool opens_launch(std::size_t k) const {
        return text(k) == "<" && text(k + 1) == "<" && text(k + 2) == "<" && offset(k + 1) == offset(k) + 1 &&
               (k == 0 || text(k - 1) != "operator");
    }

    void launches() {
        for (std::size_t k = 0; k + 2 < tokens_.size(); ++k) {
            if (!opens_launch(k) || is_gone(k)) continue;
            const std::size_t callee = callee_before(k);
            std::size_t close = k + 3;
            int commas = 0;
            for (; close < tokens_.size() && !is_one_of(text(close), {";", "}", ")"}); ++close) {
                if (is_one_of(text(close), {"(", "[", "{"})) close = closing(tokens_, close);
                commas += text(close) == "," ? 1 : 0;
                if (text(close) == ">" && text(close + 1) == ">" && text(close + 2) == ">" && text(close + 3) == "(")
                    break;
            }
            if (text(close) != ">") {
                refuse(k, "a launch is name<<<grid, block>>>(arguments): here `>>>(` is missing");
                continue;
            }
            const std::size_t end = closing(tokens_, close + 3);
            if (callee == k || end >= tokens_.size()) {
                refuse(k, "a launch is name<<<grid, block>>>(arguments): gpucc finds no " +
                              std::string(callee == k ? "kernel before `<<<`" : "end of its arguments"));
                continue;
            }
            if (commas == 0) {
                refuse(k, "a launch says how many blocks, and threads of a block: <<<grid, block>>>");
                continue;
            }
            ++launch_count;
            // (configure(grid, block), kernel(arguments)): the configuration moves before the kernel's name.
            // All else keeps its line and column, which a compiler's messages name.
            const std::size_t from = offset(k), begin = tokens_[k + 2].end(), behind = tokens_[close + 2].end();
            const std::string configuration = source_.own().substr(begin, offset(close) - begin);
            edits.push_back({offset(callee), 0,
                             "(::gpucc::configure(" + source_.moved_to(begin) + configuration + "), " +
                                 source_.moved_to(offset(callee))});
            edits.push_back({from, behind - from, std::string(behind - from, ' ')});
            leave_out({k, close + 3});
            edits.push_back({tokens_[end].end(), 0, ")"});
        }
    }

    // CUDA's own words, which no other compiler knows.
    void words() {
        for (std::size_t k = 0; k < tokens_.size(); ++k) {
            if (!tokens_[k].is_name() || is_gone(k)) continue;
            const std::string_view word = tokens_[k].text;
            if (is_one_of(word, {"__global__", "__device__", "__host__", "__constant__", "__managed__", "__shared__",
                                 "__grid_constant__", "__forceinline__", "__noinline__"})) {
                if (word == "__device__" && marks_lambda(tokens_, k) && !calls_functors_)
                    refuse(k,
                           "a __device__ lambda that captures by reference, or in a class's function: capture by "
                           "value in a function of no class, or write a struct with `__device__ ... operator()(...) "
                           "const`");
                if (word == "__noinline__" && k > 0 && text(k - 1) == "(") continue;  // __attribute__((__noinline__))
                const bool is_static = std::find(static_.begin(), static_.end(), k) != static_.end();
                edits.push_back({tokens_[k].offset, word.size(),
                                 is_static                   ? "static"
                                 : word == "__forceinline__" ? "inline"
                                 : word == "__noinline__"    ? "__attribute__((noinline))"
                                                             : ""});
            } else if (is_one_of(word, {"__launch_bounds__", "__cluster_dims__", "__maxnreg__"}) &&
                       text(k + 1) == "(") {
                if (word == "__cluster_dims__")
                    refuse(k, "clusters of blocks (__cluster_dims__) aren't in gpucc: leave them out");
                const std::size_t close = std::min(closing(tokens_, k + 1), tokens_.size() - 1);
                edits.push_back({tokens_[k].offset, tokens_[close].end() - tokens_[k].offset, ""});
                k = close;
            }
        }
    }

    const PreprocessedText& source_;
    const std::vector<Token>& tokens_;
    const std::string unit_;
    bool calls_functors_ = false;  ///< Thrust's algorithms run on the host: device functions stay
    std::set<std::string, std::less<>> functors_words_, variables_words_;
    std::vector<bool> is_gone_;        ///< per token
    std::vector<std::size_t> static_;  ///< words of CUDA's that `static` takes the place of
};

}  // namespace

std::string error_at(const Place& place, const std::string& text) {
    return place.file + ':' + std::to_string(place.line) + ": error: " + text + '\n';
}

HostText host_text(const PreprocessedText& source, const std::vector<Token>& tokens, const std::vector<Item>& items,
                   const std::string& unit) {
    HostWriter writer(source, tokens, unit);
    writer.write(items);
    HostText host{
        .text = source.edited(std::move(writer.edits)), .errors = writer.errors, .launches = writer.launch_count};
    host.text = "# 1 \"gpucc\" 1 3\nnamespace gpucc { struct Unit; }\nextern \"C\" const gpucc::Unit gpucc_unit_" +
                unit + " __attribute__((visibility(\"hidden\")));\n" + host.text;
    return host;
}

}  // namespace gpucc
