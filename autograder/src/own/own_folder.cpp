// SPDX-License-Identifier: MIT
#include "own/own_folder.hpp"

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/files.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

using Filling = std::map<std::string, std::string>;   // what stands in a template, and what stands for it

std::string filled(std::string text, const Filling& words) {
    for (const auto& [word, by] : words)
        for (std::size_t at = 0; (at = text.find(word, at)) != text.npos; at += by.size())
            text.replace(at, word.size(), by);
    return text;
}

bool is_whole(const OwnType& type) { return std::string_view(type.element) == "int"; }

std::string array_type(const OwnType& type) {
    return type.rank == 0 ? type.element : fmt::format("gpu::Array<{}>", type.element);
}

std::string check_type(const OwnType& type) {
    if (type.rank == 0) return type.element;
    return fmt::format("{}<{}>", type.rank == 1 ? "Vector" : "Matrix", type.element);
}

std::string manifest_type(const OwnType& type) {
    const std::string_view element = type.element;
    const std::string_view name = element == "float" ? "float32" : element == "double" ? "float64" : "int32";
    return type.rank == 0 ? std::string(name) : fmt::format("array<{}>", name);
}

std::string length_names(const std::vector<std::string>& letters) {
    return fmt::format("length_{}", fmt::join(letters, ", length_"));
}

std::string parameters_text(const OwnFunction& function) {
    std::vector<std::string> texts;
    for (const OwnParameter& one : function.parameters)
        texts.push_back(one.type->rank == 0
                            ? fmt::format("{} {}", one.type->element, one.name)
                            : fmt::format("const {}& {}", array_type(*one.type), one.name));
    return fmt::format("{}", fmt::join(texts, ", "));
}

/// How the check draws a parameter.
std::string drawn(const OwnParameter& one) {
    const std::string element = one.type->element;
    if (one.type->rank == 0 && is_whole(*one.type))
        return fmt::format("const int drawn_{} = static_cast<int>(draw.between({}, {}));", one.name, one.low, one.high);
    if (one.type->rank == 0)
        return fmt::format("const auto drawn_{} = static_cast<{}>(draw.between(double{{{}}}, double{{{}}}));", one.name,
                           element, one.low, one.high);
    return fmt::format("const auto drawn_{} = draw.uniform<{}>({}, {}, {});", one.name, element,
                       length_names(one.lengths), one.low, one.high);
}

/// The lengths of the cases: `count` in each. Warps, blocks and their neighbours; several differ from each other.
std::string lengths(std::size_t count, bool has_matrix) {
    constexpr int alone[] = {1, 2, 31, 32, 33, 255, 256, 257, 1009, 100'003};
    constexpr int square[] = {1, 2, 3, 17, 32, 33, 64, 100};
    constexpr int different[][4] = {{1, 1, 1, 1},     {2, 3, 5, 7},     {7, 2, 3, 5},
                                    {33, 17, 32, 40}, {17, 64, 33, 9}, {100, 31, 65, 20}};
    std::vector<std::string> cases;
    const auto add = [&](const int* first) {
        cases.push_back(fmt::format("{{{{{}}}}}", fmt::join(first, first + count, ", ")));
    };
    if (count > 1)
        for (const auto& one : different) add(one);
    else if (has_matrix)
        for (const int& one : square) add(&one);
    else
        for (const int& one : alone) add(&one);
    return fmt::format("{}", fmt::join(cases, ", "));
}

std::size_t number_of_lengths(const std::string& lengths) {
    return static_cast<std::size_t>(std::count(lengths.begin(), lengths.end(), '{')) / 2;
}

/// The file in a namespace, its includes before that; each line keeps its number.
std::string cpu_version(const std::string& text, const std::string& file) {
    std::string includes, rest;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const bool is_include = trimmed(line).starts_with('#') &&
                                trimmed(trimmed(line).substr(1)).starts_with("include");
        if (is_include) includes += line + "\n";
        rest += (is_include ? "" : line) + "\n";
    }
    return fmt::format("// The CPU version: {0} as it was brought, in a namespace of its own.\n#pragma once\n\n{1}\n"
                       "namespace cpu {{\n\n#line 1 \"{0}\"\n{2}\n}}  // namespace cpu\n",
                       file, includes, rest);
}

Filling words_for(const OwnFunction& function) {
    std::vector<std::string> drawn_names, to_cpu, cpu_names, inputs, takes, draws, cpu_arguments;
    bool has_matrix = function.returns->rank == 2, has_product = has_matrix && !function.returns->is_array;
    bool is_float = std::string_view(function.returns->element) == "float";
    for (const OwnParameter& one : function.parameters) {
        const OwnType& type = *one.type;
        const bool is_array = type.rank > 0;
        drawn_names.push_back("drawn_" + one.name);
        takes.push_back(fmt::format("\"{}\"", manifest_type(type)));
        draws.push_back(drawn(one));
        to_cpu.push_back(is_array ? fmt::format("gpu::to_eigen<Eigen::{}>({})", type.eigen, one.name) : one.name);
        cpu_names.push_back((is_array ? "cpu_" : "drawn_") + one.name);
        if (is_array) {
            inputs.push_back(fmt::format("static_cast<double>(drawn_{}.size())", one.name));
            cpu_arguments.push_back(fmt::format("const Eigen::{0} cpu_{1} = drawn_{1}{2};", type.eigen, one.name,
                                                type.is_array ? "" : ".matrix()"));
        }
        has_matrix = has_matrix || type.rank == 2;
        has_product = has_product || (type.rank == 2 && !type.is_array);
        is_float = is_float || std::string_view(type.element) == "float";
    }
    const std::vector<std::string> letters = function.letters();
    const std::string all_lengths = lengths(letters.size(), has_matrix);
    std::string speed_letters = fmt::format("length_{} = speed_elements()", letters.front());
    for (std::size_t k = 1; k < letters.size(); ++k)
        speed_letters += fmt::format(", length_{} = length_{}", letters[k], letters.front());
    std::vector<std::string> bytes;
    for (const OwnParameter& one : function.parameters)
        if (one.type->rank > 0)
            bytes.push_back(
                fmt::format("sizeof({}) * drawn_{}.size()", one.type->element, one.name));
    if (function.returns->rank > 0)
        bytes.push_back(fmt::format("sizeof({}) * want.size()", function.returns->element));
    const std::string returns = array_type(*function.returns), element = function.returns->element;
    const std::string inputs_text = fmt::format("{}", fmt::join(inputs, " + "));
    return {
        {"@TOPIC@", function.name},
        {"@SIGNATURE@", fmt::format("{} {}({})", returns, function.name, parameters_text(function))},
        {"@NOTHING@", function.returns->rank == 0   ? "0"
                      : function.returns->rank == 1 ? fmt::format("gpu::zeros<{}>({{0}})", element)
                                                    : fmt::format("gpu::zeros<{}>({{0, 0}})", element)},
        {"@RETURNS@", returns},
        {"@PARAMETERS@", parameters_text(function)},
        {"@FROM_CPU@", function.returns->rank == 0 ? "" : "gpu::to_device"},
        {"@TO_CPU@", fmt::format("{}", fmt::join(to_cpu, ", "))},
        {"@PRECISION@", is_float ? "float" : "double"},
        {"@LENGTH_TYPE@", fmt::format("std::array<std::int64_t, {}>", letters.size())},
        {"@LENGTH_COUNT@", std::to_string(number_of_lengths(all_lengths))},
        {"@LENGTHS@", all_lengths},
        {"@LETTERS@", length_names(letters)},
        {"@SPEED_LETTERS@", speed_letters},
        {"@DRAWN@", fmt::format("{}", fmt::join(draws, "\n        "))},
        {"@ARGUMENTS@", fmt::format("{}", fmt::join(drawn_names, ", "))},
        {"@CPU_ARGUMENTS@", fmt::format("{}", fmt::join(cpu_arguments, "\n        "))},
        {"@CPU_NAMES@", fmt::format("{}", fmt::join(cpu_names, ", "))},
        {"@RESULT@", check_type(*function.returns)},
        {"@TOLERANCE@", is_whole(*function.returns) ? "exact" : fmt::format("near(want, {})", inputs_text)},
        {"@BYTES@", fmt::format("1.0 * {}", fmt::join(bytes, " + 1.0 * "))},
        {"@LINEAR_ALGEBRA@", has_product ? "true" : "false"},
        {"@TAKES@", fmt::format("{}", fmt::join(takes, ", "))},
        {"@RETURN_TYPE@", manifest_type(*function.returns)},
        {"@SPEED_ELEMENTS@", has_matrix ? "1024" : "4194304"},
    };
}

std::map<std::string, std::string> files_from(const fs::path& folder, const Filling& words) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        std::string name = entry.path().filename().string();
        if (const std::size_t at = name.find("TOPIC"); at != name.npos) name.replace(at, 5, words.at("@TOPIC@"));
        files[name] = filled(read_file(entry.path()), words);
    }
    return files;
}

}  // namespace

OwnFiles own_files(const fs::path& templates, const OwnFunction& function, const std::string& text,
                   const std::string& file) {
    const Filling words = words_for(function);
    OwnFiles files{files_from(templates / "check", words), files_from(templates / "port", words)};
    files.check["cpu_version.hpp"] = cpu_version(text, file);
    files.check.insert(files.port.begin(), files.port.end());   // the stub, to compare the port with
    return files;
}

}  // namespace course
