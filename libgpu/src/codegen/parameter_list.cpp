// SPDX-License-Identifier: MIT
#include "codegen/parameter_list.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>
#include <string_view>

#include <gpu/error.hpp>

namespace gpu::detail {

namespace {

bool is_identifier(const std::string& text) {
    if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) != 0) return false;
    return std::all_of(text.begin(), text.end(), [](char letter) {
        return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
    });
}

std::string in_quotes(const std::string& text) { return "'" + text + "'"; }

// Words that can't be names in a kernel.
bool is_keyword(const std::string& text) {
    static constexpr std::string_view words[] = {
        "auto",     "bool",     "break",    "case",      "char",     "class",    "const",  "continue", "default",
        "delete",   "do",       "double",   "else",      "enum",     "explicit", "extern", "false",    "float",
        "for",      "friend",   "goto",     "if",        "inline",   "int",      "long",   "mutable",  "namespace",
        "new",      "nullptr",  "operator", "private",   "public",   "register", "return", "short",    "signed",
        "sizeof",   "static",   "struct",   "switch",    "template", "this",     "throw",  "true",     "try",
        "typedef",  "typename", "union",    "unsigned",  "using",    "virtual",  "void",   "volatile", "while",
        "blockIdx", "blockDim", "gridDim",  "threadIdx", "half",     "complex"};
    return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

// Checks a name that the kernel's text uses beside `i`, `_ind` and libgpu's own.
void check_name(const std::string& name, const std::string& where) {
    if (is_identifier(name) && name != "i" && name != "n" && name.front() != '_' && name.rfind("gpu_", 0) != 0 &&
        !is_keyword(name)) {
        return;
    }
    const std::string why = name == "i"           ? "i is the index of the element"
                            : name == "n"         ? "n is reserved"
                            : is_keyword(name)    ? "it has a meaning of its own in kernels"
                            : is_identifier(name) ? "names with a leading _ or gpu_ are reserved"
                                                  : "a name has letters, digits and _ only";
    throw Error(where + in_quotes(name) + " can't be a name: " + why);
}

bool is_placeholder(const std::string& type) {
    return type.size() == 1 && std::isalpha(static_cast<unsigned char>(type.front())) != 0;
}

bool is_type(const std::string& type) { return is_placeholder(type) || dtype_named(type).has_value(); }

std::string spaced(const std::vector<std::string>& words, std::size_t first) {
    std::string text;
    for (std::size_t k = first; k < words.size(); ++k) text += (k == first ? "" : " ") + words[k];
    return text;
}

ListedParameter parse_one(const std::string& text, const std::string& kernel) {
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    const std::string where = "kernel " + kernel + ": parameter " + in_quotes(text) + ": ";
    if (words.size() < 2) throw Error(where + "expected a type and a name, as in 'T x' or 'float y'");
    ListedParameter parameter{.name = words.back(), .placeholder = {}, .dtype = {}};
    words.pop_back();
    if (words.front() == "raw") {
        parameter.is_raw = true;
        words.erase(words.begin());
        if (words.empty()) throw Error(where + "expected a type and a name after raw, as in 'raw T x'");
    }
    const std::string type = spaced(words, 0);
    if (words.size() > 1 && !is_type(type) && is_type(spaced(words, 1))) {
        throw Error(where + "unknown keyword " + in_quotes(words.front()) + ": only raw may stand before the type" +
                    (words.front() == "const" ? " (inputs are const anyway)" : ""));
    }
    check_name(parameter.name, where);
    if (is_placeholder(type)) {
        parameter.placeholder = type;
        return parameter;
    }
    parameter.dtype = dtype_named(type);
    if (!parameter.dtype) {
        throw Error(where + in_quotes(type) +
                    " is not a known type; use one letter for a type that the arrays decide, or bool, " +
                    "int, float, double, int8 ... int64, uint8 ... uint64, float16 ... float64, bfloat16, complex64, "
                    "complex128");
    }
    return parameter;
}

// Rejects two parameters with one name, or one named like a type, which it would hide.
void check_distinct(const std::vector<ListedParameter>& parameters, const std::string& kernel) {
    for (auto one = parameters.begin(); one != parameters.end(); ++one) {
        for (auto other = parameters.begin(); other != parameters.end(); ++other) {
            if (other > one && other->name == one->name) {
                throw Error("kernel " + kernel + ": two parameters are called " + in_quotes(one->name));
            }
            if (other->placeholder == one->name) {
                throw Error("kernel " + kernel + ": " + in_quotes(one->name) + " is a type and a parameter");
            }
        }
    }
}

}  // namespace

std::optional<DType> dtype_named(const std::string& wanted) {
    struct Alias {
        std::string_view name;
        DType dtype;
    };
    static constexpr Alias aliases[] = {{"bool_", DType::boolean},
                                        {"float", DType::float32},
                                        {"double", DType::float64},
                                        {"int", DType::int32},
                                        {"unsigned", DType::uint32},
                                        {"unsigned int", DType::uint32},
                                        {"long long", DType::int64},
                                        {"unsigned long long", DType::uint64},
                                        {"short", DType::int16},
                                        {"char", DType::int8},
                                        {"signed char", DType::int8},
                                        {"long", DType::int64},
                                        {"unsigned long", DType::uint64},
                                        {"unsigned short", DType::uint16},
                                        {"unsigned char", DType::uint8},
                                        {"half", DType::float16},
                                        {"nv_bfloat16", DType::bfloat16},
                                        {"__nv_bfloat16", DType::bfloat16},
                                        {"complex<float>", DType::complex64},
                                        {"complex<double>", DType::complex128}};
    for (const auto& [name, dtype] : aliases) {
        if (wanted == name) return dtype;
    }
    for (int k = 0; k < dtype_count; ++k) {
        if (wanted == name(static_cast<DType>(k))) return static_cast<DType>(k);
    }
    return std::nullopt;
}

std::vector<ListedParameter> parse_parameters(const std::string& list, const std::string& kernel) {
    std::vector<ListedParameter> parameters;
    std::istringstream in(list);
    for (std::string part; std::getline(in, part, ',');) {
        const auto first = part.find_first_not_of(" \t\n"), last = part.find_last_not_of(" \t\n");
        parameters.push_back(parse_one(first == std::string::npos ? "" : part.substr(first, last - first + 1), kernel));
    }
    const auto last = list.find_last_not_of(" \t\n");
    if (last != std::string::npos && list[last] == ',') parse_one("", kernel);  // something is missing behind it
    check_distinct(parameters, kernel);
    return parameters;
}

ListedParameters parse_parameters(const std::string& inputs, const std::string& outputs, const std::string& kernel) {
    ListedParameters made{parse_parameters(inputs, kernel), parse_parameters(outputs, kernel)};
    if (made.outputs.empty()) throw Error("kernel " + kernel + " has no output parameter");
    for (ListedParameter& output : made.outputs) output.is_output = true;
    std::vector<ListedParameter> all = made.inputs;
    all.insert(all.end(), made.outputs.begin(), made.outputs.end());
    check_distinct(all, kernel);
    return made;
}

void check_kernel_name(const std::string& name) {
    if (!is_identifier(name)) {
        throw Error("a kernel can't be called " + in_quotes(name) + ": letters, digits and _ only, and no digit first");
    }
}

const Placeholders::Decision* Placeholders::find(const std::string& placeholder) const {
    const auto found = std::find_if(decisions_.begin(), decisions_.end(),
                                    [&](const Decision& decision) { return decision.placeholder == placeholder; });
    return found == decisions_.end() ? nullptr : &*found;
}

void Placeholders::decide(const ListedParameter& parameter, DType dtype, const std::string& kernel) {
    const std::string where = "kernel " + kernel + ": argument '" + parameter.name + "' is " + std::string(name(dtype));
    if (parameter.dtype) {
        if (*parameter.dtype != dtype) throw DTypeError(where + ", its type is " + std::string(name(*parameter.dtype)));
        return;
    }
    if (const Decision* earlier = find(parameter.placeholder)) {
        if (earlier->dtype == dtype) return;
        throw DTypeError(where + ", but " + parameter.placeholder + " was fixed to " +
                         std::string(name(earlier->dtype)) + " by '" + earlier->by + "'");
    }
    decisions_.push_back({parameter.placeholder, dtype, parameter.name});
}

std::optional<DType> Placeholders::type_of(const ListedParameter& parameter) const {
    if (parameter.dtype) return parameter.dtype;
    const Decision* decision = find(parameter.placeholder);
    return decision == nullptr ? std::nullopt : std::optional(decision->dtype);
}

DType Placeholders::require(const ListedParameter& parameter, const std::string& kernel) const {
    if (const auto known = type_of(parameter)) return *known;
    const std::string what = "kernel " + kernel + ": cannot infer type " + parameter.placeholder + " of ";
    if (parameter.is_output) {
        throw DTypeError(what + "output '" + parameter.name + "': pass out(" + parameter.name +
                         "), an array of the type that you want");
    }
    throw DTypeError(what + "'" + parameter.name +
                     "': no array has it, and numbers don't decide types; pass an array, " +
                     "or an output with gpu::out(...)");
}

std::string Placeholders::typedefs() const {
    std::string text;
    for (const Decision& decision : decisions_) {
        text += "typedef " + std::string(kernel_name(decision.dtype)) + " " + decision.placeholder + ";\n";
    }
    return text;
}

}  // namespace gpu::detail
