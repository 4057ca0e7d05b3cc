// SPDX-License-Identifier: MIT
#pragma once

// The seam between a check (a plug-in that the grader loads) and the grader: no Eigen, no templates, stable.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace course {

/// Element types, numbered as in the runner's protocol (a test compares them).
enum class ElementType : std::uint32_t {
    boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64
};

/// An argument as a check passes it: dense, row-major. Where it goes (device, vector, scalar) the manifest says.
struct CheckValue {
    ElementType type = ElementType::float32;
    std::vector<std::int64_t> shape;   ///< empty for a scalar
    std::vector<std::byte> bytes;
};

/// What a result should be, in double, and how far off it may be: |got - want| <= absolute + relative * |want|.
struct Expected {
    std::vector<std::int64_t> shape;
    std::vector<double> values;        ///< int64 beyond 2^53 isn't used by any check
    double absolute = 0, relative = 0;
};

/// What the grader does for a check.
class CheckHost {
public:
    virtual ~CheckHost() = default;

    virtual std::uint64_t draw_bits() = 0;                        ///< 64 random bits from the secret seed
    virtual void next_case(std::string name) = 0;
    /// Runs the call in the runner. Returns a handle for expect(). Never throws for what the student did: a failed call
    /// makes expect() do nothing, and after a crash the rest of the task is left out (by an exception of the host's own).
    virtual std::size_t call(std::string_view function, std::vector<CheckValue> arguments) = 0;
    virtual void expect(std::size_t call, int result, const Expected& expected) = 0;

    [[nodiscard]] virtual bool measures_speed() const = 0;
    [[nodiscard]] virtual std::int64_t speed_elements() const = 0;
    virtual void speed(const std::function<void()>& round) = 0;
    virtual std::size_t timed_call(std::string_view function, std::vector<CheckValue> arguments, double bytes,
                                   const std::function<void()>& baseline) = 0;
    /// Of a timed call's large result the host looks at secret positions only: which of `size` elements the check must
    /// give expected values for (empty: all of them).
    virtual std::span<const std::int64_t> positions(std::size_t call, std::int64_t size) = 0;
};

/// One GRADER_TASK of the plug-in.
struct CheckRegistration {
    CheckRegistration(const char* exercise, const char* task, void (*run)(CheckHost&));
    const char* exercise;
    const char* task;
    void (*run)(CheckHost&);
    const CheckRegistration* next;
};

}  // namespace course

/// The plug-in's only exported name: its tasks, last one first.
extern "C" __attribute__((visibility("default"))) const course::CheckRegistration* course_checks();
