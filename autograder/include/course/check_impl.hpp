// SPDX-License-Identifier: MIT
#pragma once

// The definitions for check.hpp, which includes this file.

#include <course/check.hpp>
#include <course/check_host.hpp>
#include <course/check_values.hpp>

namespace course {
namespace detail {

template <class T>
std::span<std::byte> bytes_of(T& array) {
    return std::as_writable_bytes(std::span(array.data(), static_cast<std::size_t>(array.size())));
}

template <class T, class Bound>
void expect(CheckHost& host, std::size_t call, int result, const T& value, const Bound& tolerance) {
    Expected expected;
    expected.shape = shape_of(value);
    with_elements(value, [&](const auto& at) {
        expected.at = std::cref(at);
        if constexpr (std::is_same_v<Bound, Tolerance>) {
            expected.absolute = tolerance.absolute;
            expected.relative = tolerance.relative;
            host.expect(call, result, expected);
        } else {
            if (shape_of(tolerance.bound) != expected.shape)
                throw CheckError("within(): its shape is not that of the expected value");
            with_elements(tolerance.bound, [&](const auto& bound) {
                expected.bound = std::cref(bound);
                host.expect(call, result, expected);
            });
        }
    });
}

}  // namespace detail

template <class T>
Vector<T> Draw::uniform(std::int64_t n, double low, double high) {
    Vector<T> values(n);
    host_->uniform(detail::element_type<T>(), std::span(&n, 1), low, high, detail::bytes_of(values));
    return values;
}

template <class T>
Matrix<T> Draw::uniform(std::int64_t rows, std::int64_t columns, double low, double high) {
    Matrix<T> values(rows, columns);
    const std::int64_t shape[] = {rows, columns};
    host_->uniform(detail::element_type<T>(), shape, low, high, detail::bytes_of(values));
    return values;
}

template <class T>
Vector<T> Draw::integers(std::int64_t n, std::int64_t low, std::int64_t high) {
    Vector<T> values(n);
    host_->integers(detail::element_type<T>(), std::span(&n, 1), low, high, detail::bytes_of(values));
    return values;
}

template <class T>
Matrix<T> Draw::integers(std::int64_t rows, std::int64_t columns, std::int64_t low, std::int64_t high) {
    Matrix<T> values(rows, columns);
    const std::int64_t shape[] = {rows, columns};
    host_->integers(detail::element_type<T>(), shape, low, high, detail::bytes_of(values));
    return values;
}

template <class... Values>
Call& Call::returns(const Values&... expected) {
    const auto all = std::tie(expected...);
    constexpr std::size_t count = sizeof...(Values);
    if constexpr (count == 0) {
        host_->expect_count(id_, 0);
    } else if constexpr (detail::is_tolerance<std::tuple_element_t<count - 1, std::tuple<Values...>>>) {
        expect_all(all, std::make_index_sequence<count - 1>(), std::get<count - 1>(all));
    } else {
        expect_all(all, std::make_index_sequence<count>(), exact);
    }
    return *this;
}

template <class All, std::size_t... K, class Bound>
void Call::expect_all(const All& expected, std::index_sequence<K...>, const Bound& tolerance) {
    host_->expect_count(id_, static_cast<int>(sizeof...(K)));
    (detail::expect(*host_, id_, static_cast<int>(K), std::get<K>(expected), tolerance), ...);
}

template <detail::Checkable Value, class Bound>
Call& Call::result(int k, const Value& expected, const Bound& tolerance) {
    detail::expect(*host_, id_, k, expected, tolerance);
    return *this;
}

template <class Property>
Call& Call::satisfies(std::string_view statement, const Property& property, double bound) {
    with_results(property, &Property::operator(), [&](const auto& answer) {
        if constexpr (std::is_same_v<decltype(answer()), bool>) host_->claim(id_, statement, answer() ? 0 : 1, 0);
        else host_->claim(id_, statement, static_cast<double>(answer()), bound);
    });
    return *this;
}

template <class Look>
Call& Call::then(const Look& look) {
    if (host_->has_expected_shapes(id_)) with_results(look, &Look::operator(), [](const auto& answer) { answer(); });
    return *this;
}

inline Call& Call::counts(std::string_view counter, const CountBound& bound, std::string_view cure, int tag) {
    host_->counts(id_, {}, counter, bound, cure, tag);
    return *this;
}

inline Call& Call::kernel_counts(std::string_view kernel, std::string_view counter, const CountBound& bound,
                                 std::string_view cure, int tag) {
    if (kernel.empty()) throw CheckError("kernel_counts(): the required kernel's name is empty");
    host_->counts(id_, kernel, counter, bound, cure, tag);
    return *this;
}

inline Call& Call::predicts(std::vector<Shown> shown) {
    host_->predicts(id_, std::move(shown));
    return *this;
}

// Calls use(answer), where answer() is function(results...), unless a result is missing or has another rank.
template <class Function, class Answer, class... Values, class Use>
void Call::with_results(const Function& function, Answer (Function::*)(Values...) const, const Use& use) {
    int k = 0;
    const auto look = [&]<class T>(std::type_identity<T>) {
        using As = detail::Unpack<T>;
        return host_->result(id_, k++, detail::element_type<typename As::Element>(), As::rank);
    };
    // Braces fix the order of evaluation.
    const std::array<const CheckValue*, sizeof...(Values)> values{
        look(std::type_identity<std::remove_cvref_t<Values>>())...};
    for (const CheckValue* value : values)
        if (value == nullptr) return;
    use([&] {
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            return function(detail::Unpack<std::remove_cvref_t<Values>>::from(*values[K])...);
        }(std::index_sequence_for<Values...>());
    });
}

template <class... Arguments>
Call Check::call(std::string_view function, const Arguments&... arguments) {
    std::vector<CheckValue> packed;
    packed.reserve(sizeof...(Arguments));
    (packed.push_back(detail::pack(arguments)), ...);
    return {*host_, host_->call(function, std::move(packed))};
}

template <class... Results, class... Arguments>
std::tuple<Results...> Check::given(std::string_view function, const Arguments&... arguments) {
    std::vector<CheckValue> packed;
    packed.reserve(sizeof...(Arguments));
    (packed.push_back(detail::pack(arguments)), ...);
    const std::array types{detail::element_type<typename detail::Unpack<Results>::Element>()...};
    const std::array ranks{detail::Unpack<Results>::rank...};
    const std::vector<CheckValue> values = host_->given(function, std::move(packed), types, ranks);
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return std::tuple<Results...>(detail::Unpack<Results>::from(values[K])...);
    }(std::index_sequence_for<Results...>());
}

template <class Grey>
void Check::image(std::string name, const Grey& grey) {
    const Matrix<float> values = grey.derived().array().template cast<float>();
    host_->image({.name = std::move(name), .rows = values.rows(), .columns = values.cols(),
                  .values = {values.data(), values.data() + values.size()}});
}

template <class Red, class Green, class Blue>
void Check::image(std::string name, const Red& red, const Green& green, const Blue& blue) {
    Image image{.name = std::move(name), .rows = red.rows(), .columns = red.cols(), .channels = 3};
    image.values.resize(static_cast<std::size_t>(3 * red.size()));
    const auto put = [&](const auto& channel, std::size_t k) {
        if (channel.rows() != image.rows || channel.cols() != image.columns)
            throw CheckError("image(\"" + image.name + "\"): its channels have different shapes");
        const Matrix<float> values = channel.derived().array().template cast<float>();
        for (Eigen::Index i = 0; i < values.size(); ++i)
            image.values[static_cast<std::size_t>(3 * i) + k] = values.data()[i];
    };
    put(red, 0);
    put(green, 1);
    put(blue, 2);
    host_->image(image);
}

template <class Round>
void Check::speed(const Round& round) {
    if (measures_speed()) host_->speed(round);
}

template <class Baseline, class... Arguments>
Call Check::timed(double bytes, const Baseline& baseline, std::string_view function, const Arguments&... arguments) {
    std::vector<CheckValue> packed;
    packed.reserve(sizeof...(Arguments));
    (packed.push_back(detail::lend(arguments)), ...);
    const auto compute = [&] {
        using Answer = std::remove_cvref_t<decltype(baseline())>;
        if constexpr (std::is_void_v<Answer>) {
            baseline();
        } else if constexpr (detail::is_eigen<Answer>) {
            const typename Answer::PlainObject answer = baseline();   // evaluates the expression
            asm volatile("" : : "g"(answer.data()) : "memory");
        } else {
            const Answer answer = baseline();
            asm volatile("" : : "g"(&answer) : "memory");
        }
    };
    return {*host_, host_->timed_call(function, std::move(packed), bytes, compute)};
}

}  // namespace course
