// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <gpu/array.hpp>
#include <gpu/strided.hpp>

namespace gpu {

class Texture;

/// The name that a structure has in kernel source, where that isn't its C++ name without namespaces:
/// `template <> inline constexpr const char* gpu::kernel_type_name<Grid> = "sim::Grid";`
/// @snippet public/raw_kernel_test.cpp kernel_type_name
template <class T>
inline constexpr const char* kernel_type_name = nullptr;

/// @cond internal
/// How raw kernels' parameters are spelled in the signature that the compiler checks, and what may be passed to them.
namespace detail {

template <class T>
constexpr std::string_view pretty_name() {
    return __PRETTY_FUNCTION__;
}
/// "Params" of "... [with T = {anonymous}::Params; std::string_view = ...]": a type's name without namespaces.
GPU_API std::string unqualified_name(std::string_view pretty);

template <class T>
inline constexpr int strided_rank = 0;
template <class T, int Rank>
inline constexpr int strided_rank<StridedView<T, Rank>> = Rank;

/// One parameter, or one argument of the loose form.
struct KernelParameter {
    std::string type;                                                ///< "float", "Params"
    bool is_pointer = false, is_const = false, is_volatile = false;  ///< of what it points to, of `float**` the floats
    bool points_to_pointers = false, has_const_pointers = false;     ///< "float**", "float* const*"
    std::size_t struct_bytes = 0, struct_alignment = 0;              ///< of a structure: to be compared by the compiler
};

template <class T>
std::string type_in_kernel() {
    if constexpr (Arithmetic<T>) {
        return std::string(kernel_name(dtype_of<T>));
    } else if constexpr (std::is_void_v<T>) {
        return "void";
    } else if constexpr (std::is_same_v<T, char>) {
        return "char";
    } else if constexpr (std::is_same_v<T, Texture>) {
        return "cudaTextureObject_t";
    } else if constexpr (strided_rank<T> > 0) {
        using E = std::remove_pointer_t<decltype(T::data)>;
        return std::string("StridedView<") + (std::is_const_v<E> ? "const " : "") +
               type_in_kernel<std::remove_const_t<E>>() + ", " + std::to_string(strided_rank<T>) + ">";
    } else {
        static_assert(!std::is_pointer_v<T>, "a kernel's parameter is a pointer, or a pointer to pointers, no more");
        static_assert(std::is_class_v<T> && std::is_trivially_copyable_v<T>,
                      "a kernel's parameter is a number, a pointer, or a structure that can be copied byte by byte");
        return kernel_type_name<T> != nullptr ? kernel_type_name<T> : unqualified_name(pretty_name<T>());
    }
}

// What a parameter points to, through two pointers if it has two; or itself.
template <class P>
using Pointee = std::remove_pointer_t<std::remove_pointer_t<P>>;

template <class P>
KernelParameter kernel_parameter() {
    using T = std::remove_cv_t<Pointee<P>>;
    KernelParameter parameter{.type = type_in_kernel<T>()};
    parameter.is_pointer = std::is_pointer_v<P>;
    parameter.is_const = parameter.is_pointer && std::is_const_v<Pointee<P>>;
    parameter.is_volatile = parameter.is_pointer && std::is_volatile_v<Pointee<P>>;
    parameter.points_to_pointers = std::is_pointer_v<std::remove_pointer_t<P>>;
    parameter.has_const_pointers = parameter.points_to_pointers && std::is_const_v<std::remove_pointer_t<P>>;
    if constexpr (std::is_class_v<T> && !Arithmetic<T> && strided_rank<T> == 0 && !std::is_same_v<T, Texture>) {
        parameter.struct_bytes = sizeof(T);
        parameter.struct_alignment = alignof(T);
    }
    return parameter;
}

// Exact type, or a wider one of the same kind: an int fits a long long, a double doesn't fit a float.
template <class P, class A>
concept FitsScalar =
    Arithmetic<P> && Arithmetic<A> &&
    (dtype_of<P> == dtype_of<A> ||
     (is_floating(dtype_of<P>) == is_floating(dtype_of<A>) && is_complex(dtype_of<P>) == is_complex(dtype_of<A>) &&
      sizeof(P) > sizeof(A) && (std::is_signed_v<P> == std::is_signed_v<A> || std::is_unsigned_v<A>)));

// Whether C++'s types are one to kernels: long and long long are.
template <class A, class B>
constexpr bool same_elements() {
    if constexpr (Arithmetic<A> && Arithmetic<B>) return dtype_of<A> == dtype_of<B>;
    return std::is_same_v<A, B>;
}
template <class A, class B>
inline constexpr bool have_same_elements = same_elements<A, B>();

/// What a PointerArray holds.
struct PointerTable;
// The address of its pointers, for a parameter; `written`: the arrays that they point to are.
GPU_API void* table_data(const PointerTable& table, int parameter, bool written);

// The address for a parameter. An array goes as it lies in memory, a window only if it is dense in row-major order.
GPU_API void* dense_data(const ArrayCore& core, int parameter, bool written, bool is_window);

// What a parameter's value is: a texture goes as its handle.
template <class P>
using ParameterValue = std::conditional_t<std::is_same_v<P, Texture>, std::uint64_t, P>;
GPU_API std::uint64_t texture_handle(const Texture& texture, int parameter);

template <class A>
inline constexpr bool is_window = false;
template <class T>
inline constexpr bool is_window<View<T>> = true;

// An array that the call must not write: a const Array, or a window on something const.
template <class A>
constexpr bool reads_only() {
    using Plain = std::remove_cvref_t<A>;
    using T = typename Plain::value_type;
    if constexpr (std::is_same_v<Plain, View<const T>>) return true;
    return std::is_const_v<std::remove_reference_t<A>> && !std::is_same_v<Plain, View<T>>;
}

// Turns a call's argument into the kernel's parameter, or says at compile time what to write.
template <class P, class A>
ParameterValue<P> to_parameter(A&& argument, int position) {
    using Plain = std::remove_cvref_t<A>;
    static_assert(!std::is_same_v<P, Texture> || std::is_same_v<Plain, Texture>,
                  "the kernel takes a texture here: make a gpu::Texture of the array");
    static_assert(!std::is_same_v<Plain, Texture> || std::is_same_v<P, Texture>,
                  "a gpu::Texture goes where the kernel's parameter is a cudaTextureObject_t, in C++ a gpu::Texture");
    if constexpr (std::is_same_v<P, Texture>) {
        return texture_handle(argument, position);
    } else if constexpr (std::is_same_v<Plain, AnyArray>) {
        static_assert(!std::is_same_v<Plain, AnyArray>,
                      "a kernel's result has a type at run time only: write gpu::Array<float> y = ... for it first");
    } else if constexpr (std::is_pointer_v<P> && requires { argument.table(); }) {
        using T = Pointee<P>;
        static_assert(std::is_pointer_v<std::remove_pointer_t<P>> || std::is_void_v<T>,
                      "the kernel takes one array here: a PointerArray goes where it takes a pointer to pointers");
        using Pointed = typename Plain::Pointed;
        static_assert(std::is_void_v<T> || have_same_elements<std::remove_cv_t<T>, std::remove_const_t<Pointed>>,
                      "the arrays' elements aren't what the kernel's parameter points to");
        static_assert(std::is_const_v<T> || !std::is_const_v<Pointed>,
                      "the kernel writes through these pointers: the PointerArray's elements are const");
        return static_cast<P>(table_data(argument.table(), position, !std::is_const_v<T>));
    } else if constexpr (std::is_pointer_v<P> && requires { argument.core(); }) {
        using T = std::remove_pointer_t<P>;
        static_assert(!std::is_pointer_v<T>,
                      "the kernel takes pointers to several arrays: pass a gpu::PointerArray of them");
        if constexpr (!std::is_void_v<T> && !std::is_pointer_v<T>)
            static_assert(dtype_of<std::remove_cv_t<T>> == dtype_of<typename Plain::value_type>,
                          "the array's elements aren't what the kernel's parameter points to");
        static_assert(std::is_const_v<T> || !reads_only<A>(),
                      "the kernel writes through this parameter: the array is const");
        return static_cast<P>(dense_data(argument.window(), position, !std::is_const_v<T>, is_window<Plain>));
    } else if constexpr (std::is_pointer_v<P>) {
        static_assert(std::is_convertible_v<A, P>, "pass an Array, a View or a device pointer of the right type");
        return argument;
    } else if constexpr (strided_rank<P> > 0 && requires { argument.core(); }) {
        using T = std::remove_pointer_t<decltype(P::data)>;
        static_assert(dtype_of<std::remove_const_t<T>> == dtype_of<typename Plain::value_type>,
                      "the array's elements aren't those of the kernel's StridedView");
        static_assert(std::is_const_v<T> || !reads_only<A>(),
                      "the kernel writes through this parameter: the array is const");
        return make_strided<T, strided_rank<P>>(argument);
    } else if constexpr (std::is_class_v<P> && !Arithmetic<P>) {
        static_assert(std::is_convertible_v<A, P>, "pass the structure that the kernel's parameter is");
        return static_cast<P>(argument);
    } else if constexpr (std::is_same_v<P, Plain>) {
        return argument;  // char, too
    } else {
        static_assert(FitsScalar<P, Plain>,
                      "a number must have the parameter's type or a narrower one: write float(x), int(n), ...");
        return static_cast<P>(argument);
    }
}

/// One argument of the loose form, while its call lasts.
struct LooseArgument {
    KernelParameter type;
    const ArrayCore* array = nullptr;
    bool read_only = false, is_window = false;
    const PointerTable* pointers = nullptr;
    const Texture* texture = nullptr;
    const void* value = nullptr;  ///< of what is none of these
};

template <class A>
LooseArgument loose_argument(A& argument) {
    using Plain = std::remove_cvref_t<A>;
    if constexpr (std::is_same_v<Plain, AnyArray>) {
        LooseArgument loose{.type = {.type = std::string(kernel_name(argument.dtype())), .is_pointer = true}};
        loose.array = &argument.window();
        loose.is_window = true;  // it may be
        return loose;
    } else if constexpr (requires { argument.core(); }) {
        LooseArgument loose{.type = {.type = type_in_kernel<typename Plain::value_type>(), .is_pointer = true}};
        loose.array = &argument.window();
        loose.read_only = reads_only<A&>();
        loose.is_window = is_window<Plain>;
        return loose;
    } else if constexpr (requires { argument.table(); }) {
        LooseArgument loose{.type = kernel_parameter<typename Plain::Pointed**>()};
        loose.pointers = &argument.table();
        return loose;
    } else if constexpr (std::is_same_v<Plain, Texture>) {
        LooseArgument loose{.type = kernel_parameter<Texture>()};
        loose.texture = &argument;
        return loose;
    } else {
        static_assert(!std::is_null_pointer_v<Plain> && !std::is_array_v<Plain>,
                      "pass an Array, a View, a device pointer, a number or a structure");
        return {.type = kernel_parameter<Plain>(), .value = &argument};
    }
}

}  // namespace detail
/// @endcond

}  // namespace gpu
