// SPDX-License-Identifier: MIT
#pragma once

// A small exercise without files, and answers to it from a script instead of a runner.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "judge/arrays.hpp"
#include "judge/judge.hpp"

namespace course::testing {

/// Calls that are answered by a function of the test's.
class ScriptedCaller : public Caller {
public:
    using Answer = std::function<CallResult(const std::string& function, std::span<const Value> arguments)>;

    explicit ScriptedCaller(Answer answer) : answer_(std::move(answer)) {}

    CallResult call(const std::string& function, std::span<const Value> arguments,
                    std::span<const ValueType>) override {
        ++calls;
        CallResult reply = answer_(function, arguments);
        const bool scripted = !reply.inputs_after.empty() || reply.outcome != Outcome::returned;
        for (const Value& argument : arguments)
            if (!scripted && argument.place != protocol::Place::scalar) reply.inputs_after.push_back(argument);
        return reply;
    }
    CallResult timed_call(const std::string& function, std::span<const Value> arguments,
                         std::span<const ValueType>) override {
        ++timed_calls;
        CallResult reply = answer_(function, arguments);
        if (reply.outcome == Outcome::returned) {
            reply.seconds = seconds;
            reply.delivery_seconds = delivery_seconds;
        }
        return reply;
    }
    std::optional<CallResult> reference_call(const ReferenceWork& work) override {
        return reference_ ? std::optional(reference_(work)) : std::nullopt;
    }
    CallResult compile_kernel(const std::string& file, const std::string& name, std::string_view text) override {
        return compiler_ ? compiler_(file + " " + name, text) : CallResult{};
    }
    /// What compiles a kernel that nothing launches.
    void with_compiler(std::function<CallResult(const std::string& kernel, std::string_view text)> compiler) {
        compiler_ = std::move(compiler);
    }
    /// The reference; none where it isn't set.
    void with_reference(std::function<CallResult(const ReferenceWork&)> reference) {
        reference_ = std::move(reference);
    }

    CallResult check_call(const std::string& function, std::span<const Value> arguments, std::span<const ValueType>,
                         const CheckLimits&) override {
        ++checked_calls;
        CallResult reply = check_ ? check_(function, arguments) : answer_(function, arguments);
        if (!reply.check && reply.outcome == Outcome::returned) reply.check.emplace();   // nothing found
        return reply;
    }
    /// What checked calls are answered with, where it is something else.
    void in_check_mode(Answer answer) { check_ = std::move(answer); }

    int calls = 0, timed_calls = 0, checked_calls = 0;
    double seconds = 1e-3, delivery_seconds = 0;

private:
    Answer answer_, check_;
    std::function<CallResult(const ReferenceWork&)> reference_;
    std::function<CallResult(const std::string& kernel, std::string_view text)> compiler_;
};

inline CallResult returned(std::vector<Value> results) {
    CallResult reply;
    reply.results = std::move(results);
    return reply;
}

inline CallResult failed(Outcome outcome, std::string message = {}) {
    CallResult reply;
    reply.outcome = outcome;
    reply.message = std::move(message);
    return reply;
}

inline constexpr ValueType float_array{protocol::Place::device_array, protocol::Type::float32};
inline constexpr ValueType int_scalar{protocol::Place::scalar, protocol::Type::int32};

/// Exercise "sample": add(x, y) -> z, scale(x, factor) in place, split(x) -> evens, odds.
inline Manifest sample_manifest(std::vector<std::string> tasks = {"add"}) {
    Manifest manifest;
    manifest.folder = "exercises/99-sample";
    manifest.number = 99;
    manifest.name = "sample";
    manifest.title = "A sample";
    manifest.functions = {{"add", {float_array, float_array}, {float_array}},
                          {"scale", {float_array, int_scalar}, {float_array}},
                          {"split", {float_array}, {float_array, float_array}}};
    for (const std::string& id : tasks)
        manifest.tasks.push_back({.id = id, .title = id, .points = 2, .budgets = {}, .speed = {}});
    return manifest;
}

/// The right answer to add(), for any arguments.
inline std::vector<float> sum_of(std::span<const Value> arguments) {
    std::vector<float> x = elements_of<float>(arguments[0]);
    const std::vector<float> y = elements_of<float>(arguments[1]);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
    return x;
}

}  // namespace course::testing
