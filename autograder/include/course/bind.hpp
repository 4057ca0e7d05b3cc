// SPDX-License-Identifier: MIT
#pragma once

/// @file
/// What a bind.cpp is written with: one line for each function that the student writes.
///
///     #include "exercise.hpp"
///     #include <course/bind.hpp>
///     COURSE_BIND(add)
///
/// A function may take
///     const gpu::Array<T>&, const gpu::View<const T>&   an array on the device, to read
///     gpu::Array<T>&, const gpu::View<T>&               an array on the device, to change: it goes back as well
///     const std::vector<T>&, std::vector<T>             an array on the host, to read
///     std::vector<T>&                                   an array on the host, to change: it goes back as well
///     const gpu::Pinned<T>&, gpu::Pinned<T>&            the same in page-locked memory
///     T                                                 a number or bool
/// and return nothing, a gpu::Array<T>, a std::vector<T>, a gpu::Pinned<T>, a number or bool, or a std::pair or
/// std::tuple of these.
/// What it returns goes back first, then the changed arguments in order: exercise.toml's `returns` lists them so.

#include <array>
#include <cstring>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <course/binding.hpp>
#include <gpu/gpu.hpp>

namespace course::binding {

template <class T>
concept Scalar = std::is_arithmetic_v<T> && gpu::Element<T>;

template <class>
inline constexpr bool unsupported = false;

/// The runner's number of an element type: gpu::DType's, without those that exercises don't exchange.
template <class T>
inline constexpr std::uint32_t type_number = [] {
    constexpr gpu::DType type = gpu::dtype_of<T>;
    static_assert(type != gpu::DType::float16 && type != gpu::DType::bfloat16 && !gpu::is_complex(type),
                  "COURSE_BIND: takes and returns bool, integers, float and double, and arrays of these");
    constexpr std::uint32_t short_floats = 2;
    return static_cast<std::uint32_t>(type) - (gpu::is_floating(type) ? short_floats : 0);
}();

// --- values: how each kind is read from an argument and written to a result ------------------------------------------

/// How a value of type V travels: its ValueType, read() from an argument, write() to the results.
template <class V>
struct Value {
    static_assert(unsupported<V>, "COURSE_BIND: takes and returns gpu::Array<T>, std::vector<T>, numbers and bool "
                                  "(see the list in course/bind.hpp)");
};

template <Scalar T>
struct Value<T> {
    static constexpr ValueType type{Place::scalar, type_number<T>};
    static T read(const Argument& argument) {
        T value{};
        std::memcpy(&value, argument.bytes.data(), sizeof value);
        return value;
    }
    static void write(T value, Results& to, std::uint32_t argument) {
        std::memcpy(to.add(type, {}, sizeof value, argument), &value, sizeof value);
    }
    static Storage storage(const T&) { return {}; }
};

template <class T>
struct Value<std::vector<T>> {
    static_assert(!std::is_same_v<T, bool>, "COURSE_BIND: write std::vector<std::uint8_t> for std::vector<bool>");
    static constexpr ValueType type{Place::host_vector, type_number<T>};
    static std::vector<T> read(const Argument& argument) {
        std::vector<T> values(argument.bytes.size() / sizeof(T));
        if (!values.empty()) std::memcpy(values.data(), argument.bytes.data(), argument.bytes.size());
        return values;
    }
    static void write(const std::vector<T>& values, Results& to, std::uint32_t argument) {
        const std::int64_t length = std::ssize(values);
        std::byte* room = to.add(type, {&length, 1}, values.size() * sizeof(T), argument);
        if (!values.empty()) std::memcpy(room, values.data(), values.size() * sizeof(T));
    }
    static Storage storage(std::vector<T>& values) { return {values.data(), values.size() * sizeof(T)}; }
};

// In the protocol and the manifest this is a vector: page-locked memory only matters between a function and its device.
// device.
template <class T>
struct Value<gpu::Pinned<T>> {
    static constexpr ValueType type{Place::host_vector, type_number<T>};
    static gpu::Pinned<T> read(const Argument& argument) {
        auto values = gpu::Pinned<T>::uninitialized(argument.bytes.size() / sizeof(T));
        if (values.size() > 0) std::memcpy(values.data(), argument.bytes.data(), argument.bytes.size());
        return values;
    }
    static void write(const gpu::Pinned<T>& values, Results& to, std::uint32_t argument) {
        const auto length = static_cast<std::int64_t>(values.size());
        std::byte* room = to.add(type, {&length, 1}, values.size() * sizeof(T), argument);
        if (values.size() > 0) std::memcpy(room, values.data(), values.size() * sizeof(T));
    }
    static Storage storage(gpu::Pinned<T>& values) { return {values.data(), values.size() * sizeof(T)}; }
};

template <class T>
struct Value<gpu::Array<T>> {
    static constexpr ValueType type{Place::device_array, type_number<T>};
    static gpu::Array<T> read(const Argument& argument) {
        gpu::Shape shape;
        for (const std::int64_t length : argument.shape) shape.append(length);
        auto array = gpu::empty<T>(shape);
        array.copy_from(
            std::span(reinterpret_cast<const T*>(argument.bytes.data()), argument.bytes.size() / sizeof(T)));
        return array;
    }
    static void write(const gpu::Array<T>& array, Results& to, std::uint32_t argument) {
        const auto size = static_cast<std::size_t>(array.size());
        const std::span<const std::int64_t> shape(array.shape().begin(), array.shape().end());
        array.copy_to({reinterpret_cast<T*>(to.add(type, shape, size * sizeof(T), argument)), size});
    }
    static Storage storage(gpu::Array<T>& array) {
        return {array.data(), static_cast<std::size_t>(array.size()) * sizeof(T)};
    }
};

// --- parameters: what is kept for one, and what the function gets ----------------------------------------------------

/// A parameter declared as P: the copy stored of its argument, and whether the function may change it.
template <class P>
struct Parameter {
    using Kept = std::remove_cv_t<P>;
    static constexpr bool changes = false;
    // by value: the function makes its own copy, as in any call
    static const Kept& pass(Kept& kept) { return kept; }
};

template <class V>
struct Parameter<const V&> : Parameter<V> {};

template <class V>
struct Parameter<V&> {
    static_assert(!Scalar<V>, "COURSE_BIND: a number that the function changes can't go back: return it instead");
    using Kept = V;
    static constexpr bool changes = true;
    static V& pass(Kept& kept) { return kept; }
};

template <class T>
struct Parameter<gpu::View<T>> {
    using Kept = gpu::Array<std::remove_const_t<T>>;
    static constexpr bool changes = !std::is_const_v<T>;
    static gpu::View<T> pass(Kept& kept) { return kept; }
};

template <class T>
struct Parameter<const gpu::View<T>&> : Parameter<gpu::View<T>> {};

template <class T>
void write_returned(const T& value, Results& to) {
    Value<T>::write(value, to, returned);
}
template <class... T>
void write_returned(const std::tuple<T...>& values, Results& to) {
    std::apply([&](const T&... value) { (write_returned(value, to), ...); }, values);
}
template <class First, class Second>
void write_returned(const std::pair<First, Second>& values, Results& to) {
    write_returned(values.first, to);
    write_returned(values.second, to);
}

// --- calls -----------------------------------------------------------------------------------------------------------

template <auto function, class Return, class... P>
class BoundCall final : public Call {
public:
    static constexpr std::array<ValueType, sizeof...(P)> takes{Value<typename Parameter<P>::Kept>::type...};

    static std::unique_ptr<Call> prepare(std::span<const Argument> arguments) {
        return std::make_unique<BoundCall>(arguments, std::index_sequence_for<P...>{});
    }

    template <std::size_t... k>
    BoundCall([[maybe_unused]] std::span<const Argument> arguments, std::index_sequence<k...>)
        : kept_{Value<typename Parameter<P>::Kept>::read(arguments[k])...} {}

    Storage storage(std::size_t argument) override {
        return storage_of(argument, std::index_sequence_for<P...>{});
    }
    void invoke() override {
        std::apply([&](auto&... kept) {
            if constexpr (std::is_void_v<Return>) function(Parameter<P>::pass(kept)...);
            else returned_.emplace(function(Parameter<P>::pass(kept)...));
        }, kept_);
    }
    void take_returned(Results& to) override {
        if constexpr (!std::is_void_v<Return>) write_returned(*returned_, to);
    }
    void take_in_out(Results& to) override {
        take<true>(to, std::index_sequence_for<P...>{});
    }
    void take_inputs(Results& to) override {
        take<false>(to, std::index_sequence_for<P...>{});
    }

private:
    template <std::size_t... k>
    Storage storage_of([[maybe_unused]] std::size_t argument, std::index_sequence<k...>) {
        Storage found;
        ((k == argument ? void(found = Value<typename Parameter<P>::Kept>::storage(std::get<k>(kept_))) : void()), ...);
        return found;
    }
    template <bool changed, std::size_t... k>
    void take([[maybe_unused]] Results& to, std::index_sequence<k...>) {
        (take_one<changed, Parameter<P>>(std::get<k>(kept_), to, k), ...);
    }
    template <bool changed, class Of>
    static void take_one([[maybe_unused]] const typename Of::Kept& kept, [[maybe_unused]] Results& to,
                         [[maybe_unused]] std::uint32_t argument) {
        using Kept = Value<typename Of::Kept>;
        if constexpr (Kept::type.place != Place::scalar && Of::changes == changed) Kept::write(kept, to, argument);
    }

    struct Nothing {};
    std::tuple<typename Parameter<P>::Kept...> kept_;
    std::optional<std::conditional_t<std::is_void_v<Return>, Nothing, std::remove_cvref_t<Return>>> returned_;
};

template <auto function, class Return, class... P>
constexpr Function describe(const char* name, Return (*)(P...)) {
    using Bound = BoundCall<function, Return, P...>;
    return {.name = name, .takes = Bound::takes, .prepare = &Bound::prepare, .next = nullptr};
}

/// Registers a function of this object. The list is built before main, last one first.
class __attribute__((visibility("hidden"))) Registration {
public:
    explicit Registration(Function function) : function_(function) { function_.next = std::exchange(last, &function_); }
    static inline const Function* last = nullptr;

private:
    Function function_;
};

/// "add" of "exercise::add".
constexpr const char* unqualified(const char* name) {
    for (const char* at = name; *at != '\0'; ++at) {
        if (*at == ':') name = at + 1;
    }
    return name;
}

}  // namespace course::binding

// Not inline: an answer that defines its own list doesn't link.
extern "C" __attribute__((used)) const course::binding::Function* course_bindings() {
    return course::binding::Registration::last;
}

/// Lets the grader call `function` by its name.
#define COURSE_BIND(function)                                                         \
    static const ::course::binding::Registration COURSE_BIND_NAME(bound_, __LINE__)(  \
        ::course::binding::describe<&function>(::course::binding::unqualified(#function), &function));
#define COURSE_BIND_NAME(a, b) COURSE_BIND_NAME_(a, b)
#define COURSE_BIND_NAME_(a, b) a##b
