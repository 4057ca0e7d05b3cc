// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "build/compile.hpp"
#include "run/process.hpp"
#include "run/session.hpp"
#include "support/folder.hpp"

namespace course::test {

using ::test::Folder;

inline constexpr ValueType float_array{protocol::Place::device_array, protocol::Type::float32};

template <class T>
Value value_of(const std::vector<T>& values, ValueType type, std::vector<std::int64_t> shape = {}) {
    if (shape.empty() && type.place != protocol::Place::scalar) shape = {std::ssize(values)};
    Value value{.place = type.place, .type = type.type, .shape = shape, .bytes = {}};
    value.bytes.resize(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(value.bytes.data(), values.data(), value.bytes.size());
    return value;
}

inline Value floats(const std::vector<float>& values) { return value_of(values, float_array); }

template <class T = float>
std::vector<T> elements(const Value& value) {
    std::vector<T> values(value.bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), value.bytes.data(), value.bytes.size());
    return values;
}

/// Options for an object of tests/run/objects; the kernel cache is shared by the whole test program.
inline SessionOptions options_for(const std::string& object, const Folder& scratch) {
    static const Folder cache;
    SessionOptions options;
    options.runner = COURSE_RUNNER;
    options.object = std::filesystem::path(COURSE_RUN_OBJECTS) / (object + ".so");
    options.scratch = scratch.path();
    options.kernel_cache = cache.path();
    options.around = Toolchain::configured().surroundings();
    options.around.compiler_is_script = true;   // so that they may fork, which leaves the most to clean up
    options.call_seconds = 10;
    return options;
}

inline const std::vector<float> x{1, 2, 3, 4, 5};
inline const std::vector<float> twice{2, 4, 6, 8, 10};

/// A session with objects/attacks.cpp that makes single calls of y = f(x).
class Attack {
public:
    explicit Attack(double seconds = 10, std::size_t mib = 4096, const std::string& object = "attacks")
        : session_(options(seconds, mib, object)) {}
    Attack(const Attack&) = delete;
    Attack& operator=(const Attack&) = delete;

    CallResult operator()(const std::string& function, bool timed = false) {
        const Value argument = floats(x);
        return timed ? session_.timed_call(function, {&argument, 1}, {&float_array, 1})
                     : session_.call(function, {&argument, 1}, {&float_array, 1});
    }
    [[nodiscard]] std::string output() const { return session_.output(); }

private:
    SessionOptions options(double seconds, std::size_t mib, const std::string& object) {
        SessionOptions made = options_for(object, scratch_);
        made.call_seconds = seconds;
        made.memory_bytes = mib << 20;
        made.file_bytes = std::size_t{100} << 20;
        return made;
    }

    Folder scratch_;
    Session session_;
};

/// How many processes this program has, besides itself.
inline std::size_t processes_left() {
    std::array<pid_t, 64> found;
    return find_processes({.children = true}, found);
}

}  // namespace course::test
