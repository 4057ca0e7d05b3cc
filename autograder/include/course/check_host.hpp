// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <course/bytes.hpp>

// The interface between a check (a plug-in that the grader loads) and the grader: no Eigen and no templates. A plug-in
// needs no symbol of the grader: everything it uses is behind CheckHost's virtual functions.
namespace course {

/// Element types, numbered as in the runner's protocol (a test compares them).
enum class ElementType : std::uint32_t {
    boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64
};

/// An argument or a result as a check sees it: dense, row-major. The manifest says where it goes (device, vector,
/// scalar); a scalar is converted to the manifest's type if that preserves its value.
struct CheckValue {
    ElementType type = ElementType::float32;
    std::vector<std::int64_t> shape;   ///< empty for a scalar
    Bytes bytes;
    bool in_place = false;             ///< the function may change it
    /// Instead of `bytes`, for a large argument of timed_call(): the check's own memory, which is only read during that
    /// call.
    std::span<const std::byte> lent = {};
};

/// Larger results are compared, but not searched for patterns, so equally large arguments need not be stored.
inline constexpr std::int64_t max_analysed = std::int64_t{1} << 22;

/// A result's expected value, in double, and its tolerance: |got - want| <= absolute + relative * |want| + bound.
struct Expected {
    std::vector<std::int64_t> shape;
    std::function<double(std::int64_t)> at;      ///< row-major element; of large timed results only some are asked for
    std::function<double(std::int64_t)> bound;   ///< empty: 0 everywhere
    double absolute = 0, relative = 0;
};

/// Bounds of a count in one call.
struct CountBound {
    std::optional<double> at_least = {}, at_most = {};
};

/// A quantity to predict, and its value in a run.
struct Shown {
    std::string what;                      ///< "idle threads": its name in the verdict
    double value = 0;
    std::vector<std::string> words = {};   ///< names of the values 0, 1, 2, ...; empty: they are numbers
};

/// A picture of numbers, for the student to look at.
struct Image {
    std::string name;                       ///< of its file: letters, digits, - and _
    std::int64_t rows = 0, columns = 0;
    int channels = 1;                       ///< 1: grey; 3: red, green and blue
    std::vector<float> values = {};         ///< from 0 (dark) to 1, row by row, a pixel's channels together
};

/// A mistake of the check itself, never the student's: arguments that don't fit the manifest, a result never looked at.
class CheckError : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/// The grader's services for a check. A call is judged before the next one starts.
class CheckHost {
public:
    virtual ~CheckHost() = default;

    // Draws inputs from the secret seed; `out` holds as many elements as `shape` says.
    virtual void uniform(ElementType type, std::span<const std::int64_t> shape, double low, double high,
                         std::span<std::byte> out) = 0;
    virtual void integers(ElementType type, std::span<const std::int64_t> shape, std::int64_t low, std::int64_t high,
                          std::span<std::byte> out) = 0;

    /// Names the next call's case.
    virtual void next_case(std::string name) = 0;

    /// Runs the call in the runner. Returns its handle. A failed call is recorded, and its expected results are then
    /// ignored; after a crash the rest of the task is skipped (by an exception of the host's).
    virtual std::size_t call(std::string_view function, std::vector<CheckValue> arguments) = 0;
    /// Says how many results have an expected value. @throws CheckError if the function has another number.
    virtual void expect_count(std::size_t call, int results) = 0;
    virtual void expect(std::size_t call, int result, const Expected& expected) = 0;
    /// A result to look at; null if the call failed, or if the rank differs (which is recorded).
    virtual const CheckValue* result(std::size_t call, int result, ElementType type, int rank) = 0;
    /// Records whether `statement` holds: if `measured` <= `bound`. With a bound of 0 it is a sentence, otherwise the
    /// name of what was measured.
    virtual void claim(std::size_t call, std::string_view statement, double measured, double bound) = 0;
    /// Bounds a counter of this call alone: of the whole call, or of the required kernel with this name.
    /// @throws CheckError if there is no such counter or kernel, or if no count can satisfy the bounds.
    virtual void counts(std::size_t call, std::string_view kernel, std::string_view counter, const CountBound& bound,
                        std::string_view cure, int tag) = 0;

    /// Runs a function that exercise.toml lists as given: the exercise's own. It isn't a case, and nothing is counted.
    /// The task ends if it fails. @throws CheckError if a result has another type or rank than the check expects.
    virtual std::vector<CheckValue> given(std::string_view function, std::vector<CheckValue> arguments,
                                          std::span<const ElementType> types, std::span<const int> ranks) = 0;
    /// Sets how many predictions of the task must be right; without this call, all.
    virtual void predictions(int at_least) = 0;
    /// Compares the call's only result, one number per element of `shown`, with the values of a run.
    virtual void predicts(std::size_t call, std::vector<Shown> shown) = 0;

    /// Stores a picture for the student. @throws CheckError for a name that isn't plain, or that the task has used.
    virtual void image(const Image& image) = 0;
    /// True if the call returned, and each result has the expected shape.
    [[nodiscard]] virtual bool has_expected_shapes(std::size_t call) = 0;

    [[nodiscard]] virtual bool measures_speed() const = 0;
    [[nodiscard]] virtual std::int64_t speed_elements() const = 0;
    virtual void speed(const std::function<void()>& round) = 0;
    virtual std::size_t timed_call(std::string_view function, std::vector<CheckValue> arguments, double bytes,
                                   const std::function<void()>& baseline) = 0;
};

/// A GRADER_TASK of the plug-in.
struct CheckRegistration {
    CheckRegistration(const char* exercise_name, const char* task_id, void (*run_task)(CheckHost&));
    const char* exercise;
    const char* task;
    void (*run)(CheckHost&);
    const CheckRegistration* next;
};

}  // namespace course

/// The plug-in's only exported name: its tasks, last one first.
extern "C" __attribute__((visibility("default"))) const course::CheckRegistration* course_checks();

// The list of a plug-in's tasks. Part of check.hpp: one translation unit per plug-in.
namespace course {

namespace detail {
namespace {
const CheckRegistration* first_check = nullptr;   // of this plug-in alone
}
}  // namespace detail

inline CheckRegistration::CheckRegistration(const char* exercise_name, const char* task_id,
                                            void (*run_task)(CheckHost&))
    : exercise(exercise_name), task(task_id), run(run_task), next(detail::first_check) {
    detail::first_check = this;
}

}  // namespace course

extern "C" __attribute__((visibility("default"), used)) inline const course::CheckRegistration* course_checks() {
    return course::detail::first_check;
}

// Sizes that reveal mistakes. Part of check.hpp.
namespace course::sizes {

/// Where index arithmetic fails: nothing, one, around a warp, around a block, a prime, many blocks.
inline constexpr std::int64_t edges[] = {0, 1, 31, 32, 33, 255, 256, 257, 5003, 100'003};

/// The same without 0, for functions undefined on empty arrays.
inline constexpr std::int64_t not_empty[] = {1, 31, 32, 33, 255, 256, 257, 5003, 100'003};

struct Shape2 {
    std::int64_t rows, columns;
};
/// The same in two dimensions: `for (auto [rows, columns] : sizes::shapes)`.
inline constexpr Shape2 shapes[] = {{1, 1}, {1, 33}, {33, 1}, {4, 4}, {19, 67}, {64, 64}, {257, 100}};

/// "19 x 67": for next_case(), because cases of one matrix are named without it.
inline std::string text(std::int64_t rows, std::int64_t columns) {
    return std::to_string(rows) + " x " + std::to_string(columns);
}

}  // namespace course::sizes
