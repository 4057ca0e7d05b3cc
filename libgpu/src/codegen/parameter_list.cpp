// SPDX-License-Identifier: MIT
#include "codegen/parameter_list.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <gpu/error.hpp>

namespace gpu::detail {

namespace {

bool is_identifier(const std::string& text) {
    if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) != 0) return false;
    return std::all_of(text.begin(), text.end(), [](char letter) {
        return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
    });
}

std::string quoted(const std::string& text) { return "'" + text + "'"; }

DeclaredParameter parse_one(const std::string& text, const std::string& kernel) {
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    const std::string where = "kernel " + kernel + ": parameter " + quoted(text) + ": ";
    if (words.size() < 2) throw Error(where + "expected a type and a name, as in 'T x' or 'float y'");
    if (words.front() == "raw") throw Error(where + "raw parameters are not in this edition; use a gpu::RawKernel");
    DeclaredParameter parameter{.name = words.back(), .placeholder = {}, .dtype = {}};
    words.pop_back();
    std::string type = words.front();
    for (std::size_t k = 1; k < words.size(); ++k) type += " " + words[k];
    if (!is_identifier(parameter.name) || parameter.name == "i" || parameter.name == "n" ||
        parameter.name.front() == '_') {
        throw Error(where + quoted(parameter.name) + " can't be a name (i, n and names with a leading _ are taken)");
    }
    if (type.size() == 1 && std::isalpha(static_cast<unsigned char>(type.front())) != 0) {
        parameter.placeholder = type;
        return parameter;
    }
    parameter.dtype = dtype_named(type);
    if (!parameter.dtype) {
        throw Error(where + quoted(type) + " is no type; use one letter for a type that the arrays decide, or bool, " +
                    "int, float, double, int8 ... int64, uint8 ... uint64, float16 ... float64, complex64, complex128");
    }
    return parameter;
}

}  // namespace

std::optional<DType> dtype_named(const std::string& wanted) {
    struct Alias {
        std::string_view name;
        DType dtype;
    };
    static constexpr Alias aliases[] = {
        {"float", DType::float32}, {"double", DType::float64}, {"int", DType::int32}, {"unsigned", DType::uint32},
        {"unsigned int", DType::uint32}, {"long long", DType::int64}, {"unsigned long long", DType::uint64},
        {"short", DType::int16}, {"char", DType::int8}, {"unsigned char", DType::uint8},
        {"half", DType::float16}, {"complex<float>", DType::complex64}, {"complex<double>", DType::complex128}};
    for (const auto& [name, dtype] : aliases) {
        if (wanted == name) return dtype;
    }
    for (int k = 0; k < dtype_count; ++k) {
        if (wanted == name(static_cast<DType>(k))) return static_cast<DType>(k);
    }
    return std::nullopt;
}

std::vector<DeclaredParameter> parse_parameters(const std::string& list, const std::string& kernel) {
    std::vector<DeclaredParameter> parameters;
    std::istringstream in(list);
    for (std::string part; std::getline(in, part, ',');) {
        const auto first = part.find_first_not_of(" \t\n"), last = part.find_last_not_of(" \t\n");
        parameters.push_back(parse_one(first == std::string::npos ? "" : part.substr(first, last - first + 1), kernel));
        const auto& added = parameters.back();
        const auto same_name = [&](const DeclaredParameter& other) { return other.name == added.name; };
        if (std::count_if(parameters.begin(), parameters.end(), same_name) > 1) {
            throw Error("kernel " + kernel + ": two parameters are called " + quoted(added.name));
        }
    }
    return parameters;
}

void check_kernel_name(const std::string& name) {
    if (!is_identifier(name)) throw Error("a kernel can't be called " + quoted(name) + ": letters, digits and _ only");
}

const Placeholders::Decision* Placeholders::find(const std::string& placeholder) const {
    const auto found = std::find_if(decisions_.begin(), decisions_.end(),
                                    [&](const Decision& decision) { return decision.placeholder == placeholder; });
    return found == decisions_.end() ? nullptr : &*found;
}

void Placeholders::decide(const DeclaredParameter& parameter, DType dtype, const std::string& kernel) {
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

std::optional<DType> Placeholders::type_of(const DeclaredParameter& parameter) const {
    if (parameter.dtype) return parameter.dtype;
    const Decision* decision = find(parameter.placeholder);
    return decision == nullptr ? std::nullopt : std::optional(decision->dtype);
}

DType Placeholders::require(const DeclaredParameter& parameter, const std::string& kernel) const {
    if (const auto known = type_of(parameter)) return *known;
    throw DTypeError("kernel " + kernel + ": cannot infer type " + parameter.placeholder + " of '" + parameter.name +
                     "': no array has it; pass an output with gpu::out(...)");
}

std::string Placeholders::typedefs() const {
    std::string text;
    for (const Decision& decision : decisions_) {
        text += "typedef " + std::string(kernel_name(decision.dtype)) + " " + decision.placeholder + ";\n";
    }
    return text;
}

}  // namespace gpu::detail
