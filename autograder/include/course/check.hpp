// SPDX-License-Identifier: MIT
#pragma once

/// @file
/// What a check.cpp is written with. A check draws inputs, calls the student's functions by name, and states the
/// expected values in double; the grader compares, counts and decides. A check is trusted: it is loaded by the grader.
///
///     #include <course/check.hpp>
///
///     GRADER_TASK(raw_add, "add") {
///         for (int n : sizes::edges) {
///             auto x = draw.uniform(n), y = draw.uniform(n);
///             call("add", x, y).returns(x.cast<double>() + y.cast<double>(), ulps(1));
///         }
///     }
///
/// Each call is a case of its own, and each of its results must be given an expected value or be looked at by
/// satisfies(): a check that forgets one is reported. Helpers above a GRADER_TASK need `using namespace course;`.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <course/check_host.hpp>
#include <course/check_values.hpp>

namespace course {

/// Draws inputs from the grader's secret seed: never constant, palindromic or symmetric.
class Draw {
public:
    explicit Draw(CheckHost& host) : host_(&host) {}

    /// Uniformly distributed values from low to high.
    template <class T = float>
    Vector<T> uniform(std::int64_t n, double low, double high);
    template <class T = float>
    Matrix<T> uniform(std::int64_t rows, std::int64_t columns, double low, double high);

    /// Uniformly distributed values from -1 to 1.
    template <class T = float>
    Vector<T> uniform(std::int64_t n) { return uniform<T>(n, -1, 1); }
    template <class T = float>
    Matrix<T> uniform(std::int64_t rows, std::int64_t columns) { return uniform<T>(rows, columns, -1, 1); }

    /// Integers from low to high, both included.
    template <class T = int>
    Vector<T> integers(std::int64_t n, std::int64_t low, std::int64_t high);
    template <class T = int>
    Matrix<T> integers(std::int64_t rows, std::int64_t columns, std::int64_t low, std::int64_t high);

    /// One number: an integer, with both ends included, or any.
    std::int64_t between(std::int64_t low, std::int64_t high) { return integers<std::int64_t>(1, low, high)[0]; }
    std::int64_t between(int low, int high) { return between(std::int64_t{low}, std::int64_t{high}); }
    float between(float low, float high) { return uniform<float>(1, low, high)[0]; }
    double between(double low, double high) { return uniform<double>(1, low, high)[0]; }

private:
    CheckHost* host_;
};

/// Bounds of a count, for Call::counts().
constexpr CountBound at_most(double count) { return {.at_least = {}, .at_most = count}; }
constexpr CountBound at_least(double count) { return {.at_least = count, .at_most = {}}; }
constexpr CountBound exactly(double count) { return {.at_least = count, .at_most = count}; }

/// A call that has been made, for stating what it should have returned.
class Call {
public:
    Call(CheckHost& host, std::size_t id) : host_(&host), id_(id) {}

    /// States the expected results, one per result of the function (an Eigen expression, a std::vector of numbers or of
    /// matrices, or a number, preferably in double), optionally followed by a tolerance for all of them: ulps(2),
    /// within(bound). Without one they must be equal. An expected NaN requires a NaN, an infinity the same infinity.
    template <class... Values>
    Call& returns(const Values&... expected);

    /// States the k-th result alone, for functions whose results have different tolerances.
    template <detail::Checkable Value, class Bound = Tolerance>
    Call& result(int k, const Value& expected, const Bound& tolerance = exact);

    /// For what has many right answers: `property` gets the results from the first on (Vector<T>, Matrix<T>, T, or
    /// std::vector<Matrix<T>> for an array of rank 3) and returns whether they are right:
    ///     call("draw", n).satisfies("all values lie in [0, 1)", [](const Vector<float>& u) {
    ///         return (u >= 0).all() && (u < 1).all(); });
    /// Or it returns a number, to be at most `bound` (a NaN isn't); the statement is then that number's name, and the
    /// verdict says "residual |A - U S Vt| / |A|: 0.31, at most 1e-05":
    ///     call("svd", a).satisfies("residual |A - U S Vt| / |A|", residual, 1e-5);
    template <class Property>
    Call& satisfies(std::string_view statement, const Property& property, double bound = 0);

    /// Bounds what is counted in this call, where that depends on more than a formula of exercise.toml can say:
    ///     call("matmul", a, b).returns(want).counts("global_reads", at_most(1.05 * 2 * m * n * k / 16));
    /// `counter` is one of those of `budgets` in exercise.toml, and all that holds of them holds here: where it is
    /// counted, the verdict, `cure` (the sentence below a count that is out of bounds) and `tag` (the misconception
    /// that shows in it). The bounds of all calls are one budget: the verdict shows the call that is out of bounds, or
    /// the one that comes nearest. Bounds that aren't whole are rounded to the counts that keep them.
    Call& counts(std::string_view counter, const CountBound& bound, std::string_view cure = {}, int tag = 0);

    /// The same of a required kernel: `kernel` is the name in its [[task.kernel]] (the file, if it has none), `counter`
    /// what may stand there, "barriers_per_block" and "grid" among them.
    Call& kernel_counts(std::string_view kernel, std::string_view counter, const CountBound& bound,
                        std::string_view cure = {}, int tag = 0);

    /// Passes the results on, as satisfies() does, for drawing something from them. State the expected results first:
    /// if the call has failed, or a result has another shape than expected, `look` isn't called.
    ///     call("blur", x).returns(want, within(1e-6)).then([&](const Matrix<float>& got) {
    ///         image("output", got); });
    template <class Look>
    Call& then(const Look& look);

    /// The call's only result holds predictions, one number for each of `shown`; NaN is one that isn't made yet:
    ///     call("predict", n, block).predicts({{"idle threads", blocks.size() - n}});
    /// A prediction is right if it is so in each call that asks for it, by the same name. See predictions().
    Call& predicts(std::vector<Shown> shown);

private:
    template <class All, std::size_t... K, class Bound>
    void expect_all(const All& expected, std::index_sequence<K...>, const Bound& tolerance);
    template <class Function, class Answer, class... Values, class Use>
    void with_results(const Function& function, Answer (Function::*)(Values...) const, const Use& use);

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

    /// Calls the student's function: device arrays, host vectors and scalars by the manifest's types. An array of rank
    /// 3 is a std::vector<Matrix<T>>, matrices of one shape. The function must leave its array arguments unchanged,
    /// except those given as in_place(x).
    template <class... Arguments>
    Call call(std::string_view function, const Arguments&... arguments);

    /// Calls a function of the exercise itself, `given = true` in exercise.toml, to compare predictions with a run.
    /// Returns its results, each a Vector<T>, a Matrix<T> or a number. Nothing is judged or counted.
    template <class... Results, class... Arguments>
    std::tuple<Results...> given(std::string_view function, const Arguments&... arguments);

    /// Sets how many of the task's predictions must be right.
    void predictions(int at_least) { host_->predictions(at_least); }

    /// Names the next call's case, if its sizes ("n = 257") say too little.
    void next_case(std::string name) { host_->next_case(std::move(name)); }

    /// Shows the student a picture: a Matrix<T> or another Eigen expression of values from 0 (black) to 1 (white), or
    /// three of them for red, green and blue. The verdict names its file, work/NN-topic/pictures/NAME.png.
    ///
    /// What lies outside 0 to 1 is clamped; a NaN is magenta. Of more than 2048 rows or columns some are left out, so
    /// that no more remain; of nothing there is no picture. A name stands for one picture of the exercise.
    template <class Grey>
    void image(std::string name, const Grey& grey);
    template <class Red, class Green, class Blue>
    void image(std::string name, const Red& red, const Green& green, const Blue& blue);

    /// Measures the task's speed-up if it has a [task.speed] and there is a GPU; otherwise does nothing. `round` runs
    /// once per pair: it draws new inputs of speed_elements() and makes one timed() call.
    template <class Round>
    void speed(const Round& round);
    [[nodiscard]] std::int64_t speed_elements() const { return host_->speed_elements(); }
    [[nodiscard]] bool measures_speed() const { return host_->measures_speed(); }

    /// Times a call and its baseline, one thread of Eigen in float, both by the grader's clock. `bytes` is the least
    /// that the call has to move. Only some elements of a large result, chosen secretly, are compared.
    template <class Baseline, class... Arguments>
    Call timed(double bytes, const Baseline& baseline, std::string_view function, const Arguments&... arguments);

private:
    CheckHost* host_;
};

}  // namespace course

/// Defines what is checked for one task of the exercise: `GRADER_TASK(raw_add, "add") { ... }`.
#define GRADER_TASK(exercise, task)                                                                           \
    namespace {                                                                                               \
    using namespace ::course;                                                                                 \
    struct COURSE_JOIN(Check_, __LINE__) final : ::course::Check {                                            \
        using ::course::Check::Check;                                                                         \
        void run() override;                                                                                  \
    };                                                                                                        \
    const ::course::CheckRegistration COURSE_JOIN(registration_, __LINE__){                                   \
        #exercise, task, [](::course::CheckHost& host) { COURSE_JOIN(Check_, __LINE__)(host).run(); }};       \
    }                                                                                                         \
    void COURSE_JOIN(Check_, __LINE__)::run()
#define COURSE_JOIN(a, b) COURSE_JOIN_(a, b)
#define COURSE_JOIN_(a, b) a##b

#include <course/check_impl.hpp>
