// SPDX-License-Identifier: MIT
#pragma once

// A student's object without libgpu: functions of one array that give one array, y = f(x), the worst of them hostile.

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include <course/binding.hpp>

namespace raw {

using Input = std::span<const float>;
using Output = std::span<float>;   ///< as long as the input, filled with NaN

inline std::vector<float> before_the_call;   ///< the argument, taken as soon as it is there

inline constexpr std::array takes{
    course::binding::ValueType{course::binding::Place::device_array, 9}};   // float32

template <void (*function)(Input, Output)>
class Call final : public course::binding::Call {
public:
    static std::unique_ptr<course::binding::Call> prepare(std::span<const course::binding::Argument> arguments) {
        return std::make_unique<Call>(arguments[0]);
    }
    explicit Call(const course::binding::Argument& x)
        : x_(x.bytes.size() / sizeof(float)), y_(x_.size(), std::numeric_limits<float>::quiet_NaN()) {
        std::copy(x.bytes.begin(), x.bytes.end(), reinterpret_cast<std::byte*>(x_.data()));
        before_the_call = x_;
    }
    course::binding::Storage storage(std::size_t) override { return {x_.data(), x_.size() * sizeof(float)}; }
    void invoke() override { function(x_, y_); }
    void take_returned(course::binding::Results& to) override { put(y_, to, course::binding::returned); }
    void take_in_out(course::binding::Results&) override {}
    void take_inputs(course::binding::Results& to) override { put(x_, to, 0); }

private:
    static void put(const std::vector<float>& values, course::binding::Results& to, std::uint32_t argument) {
        const std::int64_t length = std::ssize(values);
        std::byte* room = to.add(takes[0], {&length, 1}, values.size() * sizeof(float), argument);
        std::copy_n(reinterpret_cast<const std::byte*>(values.data()), values.size() * sizeof(float), room);
    }

    std::vector<float> x_, y_;
};

/// A static list of functions; the last one is what course_bindings() returns.
class Function {
public:
    template <void (*function)(Input, Output)>
    static Function of(const char* name) {
        return Function({.name = name, .takes = takes, .prepare = &Call<function>::prepare, .next = nullptr});
    }
    explicit Function(course::binding::Function function) : function_(function) {}
    Function(const Function&) = delete;   // its address is in the list
    const course::binding::Function* link(const course::binding::Function* next) {
        function_.next = next;
        return &function_;
    }

private:
    course::binding::Function function_;
};

}  // namespace raw
