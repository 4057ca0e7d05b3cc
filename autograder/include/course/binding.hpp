// SPDX-License-Identifier: MIT
#pragma once

// The interface between a student's object and the runner that loads it: what bind.cpp exports. No libgpu, no grader.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace course::binding {

/// Where a value lives while the student's function works on it.
enum class Place : std::uint32_t { scalar, host_vector, device_array };

/// A value's kind; `type` is numbered as protocol::Type.
struct ValueType {
    Place place;
    std::uint32_t type;
    friend bool operator==(const ValueType&, const ValueType&) = default;
};

/// Results::add's `argument` for what the function returned.
inline constexpr std::uint32_t returned = ~std::uint32_t{0};

/// An argument as received from the grader: in host memory, row-major, read-only.
struct Argument {
    ValueType type;
    std::span<const std::int64_t> shape;
    std::span<const std::byte> bytes;
};

/// Receives the values that go back.
class Results {
public:
    /// Allocates a value, which the caller fills. `argument` says which argument it is, or `returned`.
    /// @throws std::length_error if there is no room left.
    virtual std::byte* add(ValueType type, std::span<const std::int64_t> shape, std::size_t bytes,
                           std::uint32_t argument) = 0;

protected:
    ~Results() = default;
};

/// Where an argument's elements are: in host or device memory. Null for a number.
struct Storage {
    void* data = nullptr;
    std::size_t bytes = 0;
};

/// One call whose arguments are already where the function expects them.
class Call {
public:
    virtual ~Call() = default;
    virtual Storage storage(std::size_t argument) = 0;   ///< of the copy that the function will get
    virtual void invoke() = 0;                   ///< calls the student's function, and nothing else
    virtual void take_returned(Results& to) = 0; ///< writes what it returned, in order
    virtual void take_in_out(Results& to) = 0;   ///< writes the arguments that it may change
    virtual void take_inputs(Results& to) = 0;   ///< writes the arrays that it may only read
};

/// One function of the exercise.
struct Function {
    const char* name;
    std::span<const ValueType> takes;
    std::unique_ptr<Call> (*prepare)(std::span<const Argument> arguments);   ///< for arguments of exactly these types
    const Function* next;
};

}  // namespace course::binding

/// The object's only exported name: its functions, last one first.
extern "C" __attribute__((visibility("default"))) const course::binding::Function* course_bindings();
