// SPDX-License-Identifier: MIT
#include "gpucc/split/device_text.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace gpucc {

using gpu::detail::is_one_of;

namespace {

// The device's libraries, as libgpu's kernels include them, by the names of gpucc's own headers.
constexpr std::string_view device_headers[] = {"cuda_fp16.h",
                                               "cuda_bf16.h",
                                               "cooperative_groups.h",
                                               "cooperative_groups/reduce.h",
                                               "cooperative_groups/scan.h",
                                               "cooperative_groups/memcpy_async.h",
                                               "curand_kernel.h",
                                               "cuComplex.h"};

// What kernels may take of std: libgpu has it as cuda::std, with the same meaning and layout.
// clang-format off
constexpr std::string_view std_types[] = {
    "numeric_limits", "integral_constant", "bool_constant", "true_type", "false_type", "conjunction",
    "conjunction_v", "disjunction", "disjunction_v", "negation", "negation_v", "is_same", "is_same_v", "enable_if",
    "enable_if_t", "conditional", "conditional_t", "void_t", "type_identity", "common_type", "common_type_t",
    "invoke_result", "invoke_result_t", "is_invocable", "is_invocable_v", "is_constructible", "is_constructible_v",
    "is_convertible", "is_convertible_v", "is_default_constructible", "is_base_of", "is_base_of_v", "add_const",
    "add_pointer", "add_lvalue_reference", "add_rvalue_reference", "underlying_type", "rank", "alignment_of",
    "index_sequence", "index_sequence_for", "integer_sequence", "make_index_sequence", "make_integer_sequence",
    "array", "pair", "tuple", "tuple_element", "tuple_element_t", "tuple_size", "get", "make_pair", "make_tuple",
    "tie", "forward", "exchange", "clamp", "as_const", "plus", "minus", "multiplies", "divides", "modulus",
    "equal_to", "not_equal_to", "less", "greater", "less_equal", "greater_equal", "logical_and", "logical_or",
    "bit_and", "bit_or", "bit_xor", "remove_reference", "remove_reference_t", "remove_cv", "remove_cv_t",
    "remove_cvref", "remove_cvref_t", "remove_const", "remove_const_t", "remove_volatile", "remove_volatile_t",
    "remove_pointer", "remove_pointer_t", "remove_extent", "remove_extent_t", "decay", "decay_t", "make_unsigned",
    "make_unsigned_t", "make_signed", "make_signed_t", "is_integral", "is_integral_v", "is_floating_point",
    "is_floating_point_v", "is_arithmetic", "is_arithmetic_v", "is_signed", "is_signed_v", "is_unsigned",
    "is_unsigned_v", "is_pointer", "is_pointer_v", "is_array", "is_array_v", "is_const", "is_const_v", "is_function",
    "is_function_v", "is_reference", "is_reference_v", "is_lvalue_reference", "is_lvalue_reference_v",
    "is_rvalue_reference", "is_rvalue_reference_v", "is_void", "is_void_v", "is_null_pointer", "is_null_pointer_v",
    "is_volatile", "is_volatile_v",
    "tuple_size_v", "is_enum", "is_enum_v", "is_class", "is_class_v", "is_union", "is_union_v", "is_empty",
    "is_empty_v", "is_trivially_copyable", "is_trivially_copyable_v", "is_default_constructible_v",
    "underlying_type_t", "add_const_t", "add_pointer_t", "declval"};
// Those that the device has without std, too.
constexpr std::string_view std_functions[] = {
    "min", "max", "swap", "move", "sqrt", "cbrt", "exp", "exp2", "log", "log2", "log10", "sin", "cos", "tan", "asin",
    "acos", "atan", "atan2", "sinh", "cosh", "tanh", "pow", "hypot", "floor", "ceil", "trunc", "round", "fmod",
    "fma", "fmin", "fmax", "abs", "fabs", "isnan", "isinf", "isfinite", "signbit", "copysign"};
// Those that need none: C's.
constexpr std::string_view c_types[] = {
    "size_t", "ptrdiff_t", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
    "intptr_t", "uintptr_t", "intmax_t", "uintmax_t"};
// clang-format on
template <std::size_t N>
bool is_in(std::string_view name, const std::string_view (&names)[N]) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}
bool is_std_name(std::string_view name) { return is_in(name, std_types) || is_in(name, std_functions); }

// Warp operations without a mask, which CUDA 13 has no more: those that run together take part.
constexpr std::string_view old_warp_words[] = {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor",
                                               "__any",  "__all",     "__ballot"};

bool is_device_variable(const Item& item) {
    return item.kind != Kind::function && !item.variables.empty() && item.is_for_device();
}

/// Chooses the declarations that the device needs, and writes them.
class DeviceWriter {
public:
    DeviceWriter(const PreprocessedText& source, const std::vector<Token>& tokens, const std::vector<Item>& items)
        : source_(source), tokens_(tokens), items_(items), is_taken_(items.size()) {
        for (std::size_t k = 0; k < items.size(); ++k) {
            for (const std::string& name : items[k].names) by_name_[name].push_back(k);
            const std::size_t first = items[k].tokens.begin;  // `using namespace std;`, `using std::is_same;`
            uses_std_ = uses_std_ || (word(first) == "using" && (word(first + 1) == "std" || word(first + 2) == "std"));
        }
    }

    void choose(const std::vector<std::string>& instances) {
        for (std::size_t k = 0; k < items_.size(); ++k)
            if ((items_[k].is_kernel() && is_eligible(items_[k])) || is_device_variable(items_[k])) take(k);
        for (const std::string& instance : instances)
            for (const std::string& name : gpu::detail::names_in(instance)) take_named(name);
        while (!waiting_.empty()) {
            const std::size_t k = waiting_.back();
            waiting_.pop_back();
            name_all(k);
            if (waiting_.empty()) take_operators();
        }
        for (std::size_t k = 0; k < items_.size(); ++k)
            if (is_taken_[k]) spaces_.insert(items_[k].scope.substr(0, items_[k].scope.find("::")));
        for (std::size_t k = 0; k < items_.size(); ++k)
            if (is_useful_directive(items_[k])) is_taken_[k] = true;
    }

    [[nodiscard]] bool has(std::size_t k) const { return is_taken_[k]; }

    [[nodiscard]] std::string text() {
        std::string out;
        for (const std::string_view header : device_headers)
            if (std::any_of(source_.headers().begin(), source_.headers().end(),
                            [&](const std::string& path) { return path.ends_with("/" + std::string(header)); }))
                out += "#include <" + std::string(header) + ">\n";
        std::string code;
        std::vector<std::string> open;
        for (std::size_t k = 0; k < items_.size(); ++k) {
            if (!is_taken_[k]) continue;
            const Item& item = items_[k];
            if (item.spaces != open) {
                for (std::size_t n = 0; n < open.size(); ++n) code += "}\n";
                for (const std::string& space : item.spaces) code += space + " {\n";
                open = item.spaces;
            }
            write(code, item);
        }
        for (std::size_t n = 0; n < open.size(); ++n) code += "}\n";
        if (code.find("cuda::std::") != std::string::npos || !std_words_.empty())
            out += "#include <cuda/std/utility>\n";
        for (const std::string_view word : std_words_) out += "using cuda::std::" + std::string(word) + ";\n";
        return out + code;
    }

    std::string warnings;  ///< as a compiler's messages

private:
    void take(std::size_t k) {
        if (is_taken_[k]) return;
        is_taken_[k] = true;
        waiting_.push_back(k);
    }

    // Host code that the device can't have.
    [[nodiscard]] static bool is_eligible(const Item& item) {
        if (item.is_kernel()) return !item.body.empty();  // nobody calls it: a declaration says nothing
        if (item.kind == Kind::function) return item.is_for_device() || item.is_constant;
        if (item.kind == Kind::variable) return item.is_for_device() || item.is_constant;
        return item.kind != Kind::other && item.kind != Kind::directive;
    }
    [[nodiscard]] static bool is_operator(const Item& item) {
        return item.kind == Kind::function && !item.names.empty() && item.names.front() == "operator";
    }

    void take_named(std::string_view name) {
        const auto found = by_name_.find(name);
        if (found == by_name_.end()) return;
        for (const std::size_t other : found->second)
            if (is_eligible(items_[other]) && !is_operator(items_[other])) take(other);
    }
    void name_all(std::size_t k) {
        for (const Range& range : pieces(items_[k]))
            for (std::size_t at = range.begin; at < range.end; ++at)
                if (tokens_[at].is_name()) take_named(tokens_[at].text);
    }

    // Operators are named by no word: those of the types that the device has.
    void take_operators() {
        for (std::size_t k = 0; k < items_.size(); ++k) {
            const Item& item = items_[k];
            if (is_taken_[k] || !is_operator(item) || !is_eligible(item)) continue;
            for (std::size_t at = item.parameters.begin; at < item.parameters.end; ++at) {
                const auto found = by_name_.find(tokens_[at].text);
                const bool is_known =
                    found != by_name_.end() && std::any_of(found->second.begin(), found->second.end(),
                                                           [&](std::size_t other) { return is_taken_[other]; });
                if (is_known || item.is_template || is_vector(tokens_[at].text)) {
                    take(k);
                    break;
                }
            }
        }
    }
    [[nodiscard]] static bool is_vector(std::string_view name) {  // float4
        return name.size() > 3 && name.back() >= '1' && name.back() <= '4' &&
               is_one_of(name.substr(0, name.size() - 1), {"float", "double", "int", "uint", "char", "uchar", "short",
                                                           "ushort", "long", "ulong", "longlong", "ulonglong"});
    }

    [[nodiscard]] bool is_useful_directive(const Item& item) const {
        const std::size_t k = item.tokens.begin;
        if (item.kind == Kind::alias && word(k) == "namespace")
            return is_space(word(k + 3) == ":" ? word(k + 5) : word(k + 3));
        if (item.kind == Kind::directive) return is_space(word(k + 2) == ":" ? word(k + 4) : word(k + 2));
        if (item.kind == Kind::alias && word(k) == "using" && word(k + 2) != "=")
            return is_space(word(k + 1)) && word(k + 1) != "std";
        return false;
    }
    [[nodiscard]] bool is_space(std::string_view name) const {
        return is_one_of(name, {"cooperative_groups", "cuda", "nvcuda"}) || spaces_.contains(std::string(name));
    }

    // The ranges of a declaration that the device gets: a class without its host's functions.
    [[nodiscard]] std::vector<Range> pieces(const Item& item) const {
        std::vector<Range> kept;
        std::size_t from = item.tokens.begin;
        leave_out(item, from, kept);
        if (from < item.tokens.end) kept.push_back({from, item.tokens.end});
        return kept;
    }
    void leave_out(const Item& item, std::size_t& from, std::vector<Range>& kept) const {
        for (const Item& member : item.members) {
            const bool has_nothing = member.tokens.end > 0 && is_defaulted(member);
            if (member.kind == Kind::function && !member.is_for_device() && !member.is_constant && !has_nothing) {
                // A virtual function is a place in the class's table, whoever calls it.
                const std::size_t begin = !member.is_virtual    ? member.tokens.begin
                                          : member.body.empty() ? member.tokens.end
                                                                : member.body.begin;
                if (from < begin) kept.push_back({from, begin});
                from = member.tokens.end;
            }
            if (member.kind == Kind::type) leave_out(member, from, kept);
        }
    }
    [[nodiscard]] bool is_defaulted(const Item& member) const {
        for (std::size_t k = member.parameters.end; k < member.tokens.end; ++k)
            if (is_one_of(tokens_[k].text, {"default", "delete"}) && tokens_[k - 1].text == "=") return true;
        return false;
    }

    void write(std::string& out, const Item& item) {
        const std::vector<Range> kept = pieces(item);
        note_references(item);
        for (std::size_t k = 0; k < kept.size(); ++k) {
            const Token& first = tokens_[kept[k].begin];
            const Place place = source_.place(first.offset);
            if (!out.empty() && out.back() != '\n') out += '\n';
            out += "#line " + std::to_string(place.line) + " \"" + place.file + "\"\n";
            out += std::string(static_cast<std::size_t>(first.column() - 1), ' ');
            piece(out, item, kept[k]);
            const bool cut_virtual =
                k + 1 < kept.size() && !is_one_of(tokens_[kept[k].end - 1].text, {";", "}", "{", ":"});
            if (cut_virtual) out += ';';
        }
        out += '\n';
    }

    // The name behind `std::`; empty if the token is no such `std`: cuda::std is the device's already.
    [[nodiscard]] std::string_view behind_std(std::size_t k) const {
        const bool is_inner =
            k >= 3 && tokens_[k - 1].text == ":" && tokens_[k - 2].text == ":" && tokens_[k - 3].is_name();
        return !is_inner && word(k) == "std" && word(k + 1) == ":" && word(k + 2) == ":" ? word(k + 3)
                                                                                         : std::string_view();
    }
    // A name that isn't a member's, nor a namespace's, nor one that the program declares.
    [[nodiscard]] bool is_free_name(std::size_t k) const {
        const bool is_qualified = k > 0 && is_one_of(word(k - 1), {".", ":"});
        const bool is_member = k > 1 && word(k - 1) == ">" && word(k - 2) == "-";
        return !is_qualified && !is_member && !by_name_.contains(word(k));
    }
    [[nodiscard]] bool is_old_warp_call(std::size_t k) const {
        return is_in(word(k), old_warp_words) && word(k + 1) == "(" && is_free_name(k);
    }
    // A kernel's reference is a pointer, as on a GPU, and its body gives it its name again.
    void note_references(const Item& item) {
        references_.clear();
        if (!item.is_kernel() || item.body.empty()) return;
        for (const ParameterName& parameter : parameter_names(tokens_, item.parameters)) {
            if (parameter.reference == 0 || parameter.is_pack) continue;
            references_[parameter.reference] = "*";
            references_[parameter.reference + 1] = "gpucc_" + parameter.name;
            std::string& body = references_[item.body.begin];
            if (body.empty()) body = "{";
            body += " auto& " + parameter.name + " = *gpucc_" + parameter.name + ";";
        }
    }
    // What a token becomes; none: it stays.
    [[nodiscard]] std::optional<std::string> replacement(std::size_t k, const Item& item) {
        const std::string_view own = word(k);
        if (const auto found = references_.find(k); found != references_.end()) return found->second;
        if (own == "__managed__") return item.annotations.device ? "" : "__device__";
        if (const std::string_view name = behind_std(k); is_std_name(name))
            return "cuda::std";
        else if (is_in(name, c_types))
            return "";  // ::size_t
        if (own == "static" && item.kind == Kind::variable) return "";
        if (is_old_warp_call(k)) {
            const std::string now = std::string(own) + "_sync";
            const Place place = source_.place(tokens_[k].offset);
            warnings += place.file + ':' + std::to_string(place.line) + ": warning: CUDA 13 has no " +
                        std::string(own) + "() any more: name the lanes that take part, " + now + "(0xffffffff, ...)\n";
            return now;
        }
        if (own == "(" && k > 0 && is_old_warp_call(k - 1)) return "(__activemask(), ";
        return std::nullopt;
    }
    void piece(std::string& out, const Item& item, Range range) {
        const std::string& own = source_.own();
        std::string text;
        std::size_t at = tokens_[range.begin].offset;
        for (std::size_t k = range.begin; k < range.end; ++k) {
            const Token& token = tokens_[k];
            if (uses_std_ && is_in(token.text, std_types) && is_free_name(k)) std_words_.insert(token.text);
            const std::optional<std::string> by = replacement(k, item);
            if (!by) continue;
            text.append(own, at, token.offset - at);
            text += *by;
            at = token.end();
        }
        const std::size_t end = tokens_[range.end - 1].end();
        if (at < end) text.append(own, at, end - at);
        out += with_line_directives(text);
    }
    [[nodiscard]] std::string_view word(std::size_t k) const {
        return k < tokens_.size() ? tokens_[k].text : std::string_view();
    }

    const PreprocessedText& source_;
    const std::vector<Token>& tokens_;
    const std::vector<Item>& items_;
    std::vector<bool> is_taken_;
    std::vector<std::size_t> waiting_;
    std::map<std::string, std::vector<std::size_t>, std::less<>> by_name_;
    std::set<std::string> spaces_;                   ///< those of what the device has
    std::map<std::size_t, std::string> references_;  ///< of the kernel at hand: what their tokens become
    bool uses_std_ = false;                          ///< names of std may stand without it
    std::set<std::string_view> std_words_;           ///< those that do
};

}  // namespace

DeviceText device_text(const PreprocessedText& source, const std::vector<Token>& tokens, const std::vector<Item>& items,
                       const std::vector<std::string>& instances) {
    DeviceText device;
    std::map<std::pair<std::string, bool>, int> kernels;  // plain ones, and templates
    bool is_needed = false;
    for (const Item& item : items) {
        if (is_device_variable(item) && !item.annotations.shared) {
            for (const std::string& name : item.variables)
                device.variables.push_back({item.scope + name, item.annotations.constant, item.annotations.managed});
            is_needed = true;
        }
        if (item.kind == Kind::function && !item.is_for_device() && !item.is_constant && !item.names.empty())
            device.host_functions.push_back(item.names.front());
        if (!item.is_kernel() || item.body.empty()) continue;
        if (!is_needed || device.file.empty()) {
            const Place place = source.place(tokens[item.tokens.begin].offset);
            device.file = place.file;
            device.line = place.line;
        }
        is_needed = true;
        device.has_templates = device.has_templates || item.is_template;
        const std::string name = item.scope + (item.names.empty() ? "" : item.names.front());
        const std::size_t first = item.tokens.begin;
        const auto word = [&](std::size_t k) { return k < tokens.size() ? tokens[k].text : std::string_view(); };
        if (item.is_template && word(first + 1) == "<" && word(first + 2) == ">") continue;  // a specialisation
        const int count = ++kernels[{name, item.is_template}];
        if (count == 1 && !item.is_template) device.plain_kernels.push_back(name);
        if (count == 2) (item.is_template ? device.overloaded_templates : device.overloaded_kernels).push_back(name);
    }
    if (!is_needed) return device;
    DeviceWriter writer(source, tokens, items);
    writer.choose(instances);
    device.text = writer.text();
    device.warnings = std::move(writer.warnings);
    if (kernels.empty()) device.text += "__global__ void gpucc_no_kernel() {}\n";  // a module has one
    if (device.file.empty()) device.file = source.place(0).file;
    return device;
}

}  // namespace gpucc
