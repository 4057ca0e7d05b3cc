// SPDX-License-Identifier: MIT
#include "run/runner/object.hpp"

#include <algorithm>

#include <dlfcn.h>

#include "run/runner/connection.hpp"

namespace course::runner {
namespace {

using binding::Function;
using binding::Place;
using binding::ValueType;

static_assert(static_cast<int>(Place::scalar) == static_cast<int>(protocol::Place::scalar));
static_assert(static_cast<int>(Place::host_vector) == static_cast<int>(protocol::Place::host_vector));
static_assert(static_cast<int>(Place::device_array) == static_cast<int>(protocol::Place::device_array));
static_assert(binding::returned == protocol::no_argument);

ValueType type_of(const protocol::ValueRecord& record) {
    return {static_cast<Place>(record.place), static_cast<std::uint32_t>(record.type)};
}

// The type in C++ spelling.
std::string spelling(ValueType type) {
    static constexpr const char* elements[] = {"bool",          "signed char",    "short",        "int",
                                               "std::int64_t",  "unsigned char",  "unsigned short", "unsigned int",
                                               "std::uint64_t", "float",          "double"};
    const std::string element = type.type < std::size(elements) ? elements[type.type] : "?";
    switch (type.place) {
        case Place::scalar: return element;
        case Place::host_vector: return "std::vector<" + element + ">";
        case Place::device_array: return "gpu::Array<" + element + ">";
    }
    return "?";
}

template <class List, class Spell>
std::string join(const List& list, Spell spell) {
    std::string text;
    for (const auto& item : list) text += (text.empty() ? "" : ", ") + spell(item);
    return text;
}

std::span<const protocol::ValueRecord> arguments_of(const protocol::Request& request) {
    return {request.arguments, std::min<std::size_t>(request.argument_count, protocol::max_values)};
}

std::string describe_load_error(const std::string& error) {
    constexpr std::string_view marker = "undefined symbol: ";
    const std::size_t at = error.find(marker);
    if (at == std::string::npos) return "your code can't be loaded: " + error;
    const std::string symbol = error.substr(at + marker.size());
    return "`" + demangle(symbol.c_str()) + "` is declared, but defined nowhere. Was it renamed, or does it take other "
           "arguments than exercise.hpp says?";
}

}  // namespace

const Function* load_object(const char* path) {
    void* object = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object == nullptr) throw CannotLoad(describe_load_error(::dlerror()));
    const auto bindings = reinterpret_cast<decltype(&course_bindings)>(::dlsym(object, "course_bindings"));
    if (bindings == nullptr) throw CannotLoad("your code has no bind.cpp in it: it exports no course_bindings");
    return bindings();
}

const Function* find_function(const Function* functions, std::string_view name) {
    while (functions != nullptr && name != functions->name) functions = functions->next;
    return functions;
}

std::string describe_unknown(const Function* functions, std::string_view name) {
    std::string names;
    for (; functions != nullptr; functions = functions->next) {
        names = functions->name + (names.empty() ? "" : ", " + names);
    }
    return "bind.cpp names no function `" + std::string(name) + "`; it names: " + (names.empty() ? "none" : names);
}

bool takes_arguments_of(const Function& function, const protocol::Request& request) {
    const auto records = arguments_of(request);
    return std::equal(function.takes.begin(), function.takes.end(), records.begin(), records.end(),
                      [](const ValueType& type, const auto& record) { return type == type_of(record); });
}

std::vector<binding::Argument> argument_values(const protocol::Request& request, std::span<const std::byte> memory) {
    std::vector<binding::Argument> arguments;
    for (const protocol::ValueRecord& record : std::span(request.arguments, request.argument_count)) {
        arguments.push_back({{static_cast<binding::Place>(record.place), static_cast<std::uint32_t>(record.type)},
                             {record.shape, record.rank},
                             memory.subspan(record.offset, record.bytes)});
    }
    return arguments;
}

std::string describe_wrong_arguments(const Function& function, const protocol::Request& request) {
    return std::string(function.name) + " takes (" + join(function.takes, spelling) + "), but is called with (" +
           join(arguments_of(request), [](const auto& record) { return spelling(type_of(record)); }) + ")";
}

}  // namespace course::runner
