// SPDX-License-Identifier: MIT
#pragma once

/// @file
/// What a check.cpp is written with. A check draws inputs, calls the student's functions by name, and states the
/// expected values in double; the grader compares, counts and decides. A check is trusted: it is loaded by the grader.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <course/check_host.hpp>

namespace course {

/// A dense 2-D array in the row-major order that the kernels of the course use.
template <class T>
using Matrix = Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A dense 1-D array.
template <class T>
using Vector = Eigen::Array<T, Eigen::Dynamic, 1>;

namespace sizes {
/// Where index arithmetic goes wrong: nothing, one, around a warp, around a block, a prime, several blocks.
inline constexpr std::int64_t edges[] = {0, 1, 31, 32, 33, 255, 256, 257, 1009, 100'003};
}  // namespace sizes

/// How far a result may be from the expected value: |got - want| <= absolute + relative * |want| + sum_bound.
struct Tolerance {
    double absolute = 0, relative = 0;
};

/// Exactly equal: integers, copies.
inline constexpr Tolerance exact{};

/// n units in the last place of T (float unless said otherwise), relative to the expected value.
template <class T = float>
constexpr Tolerance ulps(double n) {
    return {.absolute = static_cast<double>(std::numeric_limits<T>::denorm_min()) * n,
            .relative = static_cast<double>(std::numeric_limits<T>::epsilon()) * n};
}

/// An absolute bound, for sums: say `within(n * eps * sum(abs(x)))`.
constexpr Tolerance within(double bound) { return {.absolute = bound, .relative = 0}; }

namespace detail {

template <class T>
constexpr ElementType element_type();

template <class T>
CheckValue pack(const T& value);   // Eigen array, std::vector or scalar -> bytes, row-major

template <class T>
Expected pack_expected(const T& value, std::string_view unit);

}  // namespace detail

/// Draws inputs from the grader's secret seed. Never constant, never symmetric.
class Draw {
public:
    explicit Draw(CheckHost& host) : host_(&host) {}

    template <class T = float>
    Vector<T> uniform(std::int64_t n, double low = -1, double high = 1);
    template <class T = float>
    Matrix<T> uniform(std::int64_t rows, std::int64_t columns, double low, double high);
    template <class T = int>
    Vector<T> integers(std::int64_t n, std::int64_t low, std::int64_t high);   ///< both ends included
    template <class T = int>
    Matrix<T> integers(std::int64_t rows, std::int64_t columns, std::int64_t low, std::int64_t high);
    std::int64_t between(std::int64_t low, std::int64_t high);                 ///< one integer, both ends included

private:
    CheckHost* host_;
};

/// One call that has been made; what is left is to say what it should have given.
class Call {
public:
    Call(CheckHost& host, std::size_t id) : host_(&host), id_(id) {}

    /// The expected results in double (an Eigen expression, a number, a std::vector), one for each returned value.
    template <class... Values>
    Call& returns(const Values&... expected);           // exact
    template <class Value>
    Call& returns(const Value& expected, Tolerance tolerance);

    /// The k-th result alone, for functions with several.
    template <class Value>
    Call& result(int k, const Value& expected, Tolerance tolerance = exact);

private:
    CheckHost* host_;
    std::size_t id_;
};

/// The base of every GRADER_TASK: what its body can use.
class Check {
public:
    explicit Check(CheckHost& host) : draw(host), host_(&host) {}
    virtual ~Check() = default;
    virtual void run() = 0;

protected:
    Draw draw;

    /// Calls the student's function: device arrays, host vectors and scalars by the manifest's types.
    template <class... Arguments>
    Call call(std::string_view function, const Arguments&... arguments);

    /// Names the next case, where "n = 257" says too little.
    void next_case(std::string name);

    /// True if this run measures the task's speed: a GPU, and [task.speed] in the manifest.
    [[nodiscard]] bool measures_speed() const;
    /// The size of the timed call, from the manifest.
    [[nodiscard]] std::int64_t speed_elements() const;

    /// Measures the task's speed-up: calls `round` for each pair, which draws fresh inputs, calls `timed(...)` once.
    void speed(const std::function<void()>& round);

    /// A timed call and its one-thread Eigen baseline (float), both on the grader's clock. `bytes` are those that one
    /// call has to move at the least.
    template <class Baseline, class... Arguments>
    Call timed(double bytes, const Baseline& baseline, std::string_view function, const Arguments&... arguments);

private:
    CheckHost* host_;
};

}  // namespace course

/// Defines what is checked for one task of the exercise: `GRADER_TASK(raw_add, "add") { ... }`.
#define GRADER_TASK(exercise, task)                                                                       \
    namespace {                                                                                           \
    struct COURSE_JOIN(Check_, __LINE__) final : ::course::Check {                                        \
        using ::course::Check::Check;                                                                     \
        void run() override;                                                                              \
    };                                                                                                    \
    const ::course::CheckRegistration COURSE_JOIN(registration_, __LINE__){                               \
        #exercise, task, [](::course::CheckHost& host) { COURSE_JOIN(Check_, __LINE__){host}.run(); }};   \
    }                                                                                                     \
    void COURSE_JOIN(Check_, __LINE__)::run()
#define COURSE_JOIN(a, b) COURSE_JOIN_(a, b)
#define COURSE_JOIN_(a, b) a##b

#include <course/check_impl.hpp>
