// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/array.hpp>
#include <gpu/kernel_options.hpp>
#include <gpu/source.hpp>
#include <gpu/view.hpp>

namespace gpu {

class Texture;

/// A structure's name in kernel source, if that differs from its C++ name without namespaces:
/// `template <> inline constexpr const char* gpu::kernel_type_name<Grid> = "sim::Grid";`
/// @snippet public/raw_kernel_test.cpp kernel_type_name
template <class T>
inline constexpr const char* kernel_type_name = nullptr;

/// @cond internal
/// How raw kernels' parameters are spelled in the signature that the compiler checks, and which arguments they accept.
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
    bool is_pointer = false, is_const = false, is_volatile = false;  ///< of what it points to; `float**`: the floats
    bool points_to_pointers = false, has_const_pointers = false;     ///< "float**", "float* const*"
    std::size_t struct_bytes = 0, struct_alignment = 0;              ///< of a structure: checked by the compiler
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

// The type a parameter points to, through two pointers if it has two; or the parameter itself.
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

// The exact type, or a wider one of the same kind: an int fits a long long, a double doesn't fit a float.
template <class P, class A>
concept FitsScalar =
    Arithmetic<P> && Arithmetic<A> &&
    (dtype_of<P> == dtype_of<A> ||
     (is_floating(dtype_of<P>) == is_floating(dtype_of<A>) && is_complex(dtype_of<P>) == is_complex(dtype_of<A>) &&
      sizeof(P) > sizeof(A) && (std::is_signed_v<P> == std::is_signed_v<A> || std::is_unsigned_v<A>)));

// Whole numbers for another type of whole numbers, or for a floating-point one: whether the value fits is known when it
// is passed.
template <class P, class A>
concept FitsByValue =
    Arithmetic<P> && Arithmetic<A> && is_integer(dtype_of<A>) && (is_integer(dtype_of<P>) || is_floating(dtype_of<P>));

/// @throws DTypeError that names the argument's value and what its parameter's type holds
[[noreturn]] GPU_API void throw_unfit_number(int position, DType parameter, std::int64_t value, bool is_unsigned);
template <class P, class A>
P fitted_number(A value, int position) {
    bool fits = false;
    if constexpr (is_floating(dtype_of<P>)) {
        constexpr std::int64_t max_exact = std::int64_t{1} << digits_of(dtype_of<P>);
        fits = std::cmp_less_equal(value, max_exact) && std::cmp_greater_equal(value, -max_exact);
    } else {
        fits = std::in_range<P>(value);
    }
    if (!fits) throw_unfit_number(position, dtype_of<P>, static_cast<std::int64_t>(value), std::is_unsigned_v<A>);
    return static_cast<P>(value);
}

// True if two C++ types are the same to kernels: long and long long are.
template <class A, class B>
constexpr bool same_elements() {
    if constexpr (Arithmetic<A> && Arithmetic<B>) return dtype_of<A> == dtype_of<B>;
    return std::is_same_v<A, B>;
}
template <class A, class B>
inline constexpr bool have_same_elements = same_elements<A, B>();

/// The contents of a PointerArray.
struct PointerTable;
// The address of its pointers, for a parameter; `written`: so are the arrays that they point to.
GPU_API void* table_data(const PointerTable& table, int parameter, bool written);

// The address for a parameter. An array is passed as it is stored, a window only if it is dense in row-major order.
GPU_API void* dense_data(const ArrayCore& core, int parameter, bool written, bool is_window);

// The type of a parameter's value: a texture is passed as its handle.
template <class P>
using ParameterValue = std::conditional_t<std::is_same_v<P, Texture>, std::uint64_t, P>;
GPU_API std::uint64_t texture_handle(const Texture& texture, int parameter);

template <class A>
inline constexpr bool is_window = false;
template <class T>
inline constexpr bool is_window<View<T>> = true;

// True for an array that the call must not write: a const Array, or a window on const elements.
template <class A>
constexpr bool reads_only() {
    using Plain = std::remove_cvref_t<A>;
    using T = typename Plain::value_type;
    if constexpr (std::is_same_v<Plain, View<const T>>) return true;
    return std::is_const_v<std::remove_reference_t<A>> && !std::is_same_v<Plain, View<T>>;
}

// Converts a call's argument to the kernel's parameter, or says at compile time what to write.
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
    } else if constexpr (!FitsScalar<P, Plain> && FitsByValue<P, Plain>) {
        return fitted_number<P>(static_cast<Plain>(argument), position);
    } else {
        static_assert(FitsScalar<P, Plain>,
                      "a number must have the parameter's type or a narrower one: write float(x), int(n), ...");
        return static_cast<P>(argument);
    }
}

/// One argument of the loose form, for the duration of its call.
struct LooseArgument {
    KernelParameter type;
    const ArrayCore* array = nullptr;
    bool read_only = false, is_window = false;
    const PointerTable* pointers = nullptr;
    const Texture* texture = nullptr;
    const void* value = nullptr;  ///< of any other argument
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

/// How a raw kernel is compiled.
struct RawKernelOptions {
    /// Options for the kernel compiler, in NVRTC's spelling: "-DN=16", "--fmad=false", "--use_fast_math", "-std=c++20".
    std::vector<std::string> options = {};
};

/// @cond internal
namespace detail {

class RawKernelCore;

GPU_API std::shared_ptr<RawKernelCore> make_raw_kernel(const Source& source, const std::string& name,
                                                       const std::vector<KernelParameter>* parameters,
                                                       const RawKernelOptions& options);
GPU_API void launch_raw_kernel(RawKernelCore& kernel, const LaunchConfig& config, void* const* arguments, int count);
GPU_API void launch_loose(RawKernelCore& kernel, const LaunchConfig& config, const LooseArgument* arguments, int count);

template <class Kernel>
class BoundLaunch {
public:
    BoundLaunch(Kernel kernel, const LaunchConfig& config) : kernel_(std::move(kernel)), config_(config) {}
    template <class... A>
    void operator()(A&&... arguments) const {
        kernel_(config_, std::forward<A>(arguments)...);
    }

private:
    Kernel kernel_;
    LaunchConfig config_;
};

}  // namespace detail
/// @endcond

/// The common part of all raw kernels. Functions that need the compiled kernel compile it for the current device.
class GPU_API RawKernelFacts {
public:
    // A copy is the same kernel; moving copies, so that there are no kernels without one.
    RawKernelFacts(const RawKernelFacts&) = default;
    RawKernelFacts& operator=(const RawKernelFacts&) = default;
    ~RawKernelFacts() = default;

    /// The kernel's name in its source.
    /// @snippet public/raw_kernel_test.cpp attributes
    [[nodiscard]] const std::string& name() const noexcept;
    /// The kernel's resources on the current device.
    /// @snippet public/raw_kernel_test.cpp attributes
    [[nodiscard]] KernelAttributes attributes() const;
    /// How many of its blocks a multiprocessor runs at once; its occupancy follows from it. 1 on the host backend.
    /// @throws LaunchError if no such block can be launched
    /// @snippet public/raw_kernel_test.cpp attributes
    [[nodiscard]] int active_blocks(const Dim3& block, std::size_t shared = 0) const;
    /// A launch of at least this many threads along x, with the block size that gives the highest occupancy.
    /// @snippet public/raw_kernel_test.cpp attributes
    [[nodiscard]] LaunchConfig suggested_config(std::int64_t threads, std::size_t shared = 0) const;
    /// The complete text that the current device's compiler gets.
    /// @snippet public/raw_kernel_test.cpp source_and_ptx
    [[nodiscard]] std::string source() const;
    /// The kernel as PTX, for a compute capability (90 for 9.0) or the current GPU's. NVRTC needs no GPU for it.
    /// @throws DeviceError if no capability is named and the current device isn't a GPU; LibraryNotFound without NVRTC
    /// @snippet public/raw_kernel_test.cpp source_and_ptx
    [[nodiscard]] std::string ptx(int compute_capability = 0) const;

protected:
    explicit RawKernelFacts(std::shared_ptr<detail::RawKernelCore> core) noexcept : core_(std::move(core)) {}
    [[nodiscard]] detail::RawKernelCore& core() const noexcept { return *core_; }

private:
    std::shared_ptr<detail::RawKernelCore> core_;
};

/// A kernel in CUDA C++, with a given signature or, as `RawKernel<>`, with the one that its source declares.
template <class Signature = void>
class RawKernel;

/// A kernel in CUDA C++ with a given signature; compiled on its first launch.
///
/// Queued launches outlive it. A GPU's driver may wait for them when the last copy is destroyed.
/// `RawKernel<void(const float*, float*, int)> scale(gpu::file("scale.cu"), "scale");`
/// `scale({.grid = blocks, .block = 256}, x, y, n);` or `scale[{blocks, 256}](x, y, n);`
/// @snippet public/raw_module_test.cpp raw_kernel
template <class... P>
class RawKernel<void(P...)> : public RawKernelFacts {
public:
    /// The kernel of this name in the source.
    RawKernel(const Source& source, const std::string& name, const RawKernelOptions& options = {})
        : RawKernelFacts(make(source, name, options)) {}

    /// Launches the kernel and returns at once. An array is passed as its address (with the elements in column-major
    /// order if it came from Eigen or was requested so), and so is a view if it is dense in row-major order; what the
    /// kernel may write counts as written. `void*` accepts any array, `float**` a PointerArray, `float2*` in the source
    /// an array of complex<float>, `gpu::Texture` in the signature a cudaTextureObject_t there. Numbers must have the
    /// parameter's type or a narrower one; a whole number may also have another type if its value fits: 2 for an
    /// unsigned int or a float. Structures are passed by value: the kernel's source declares them too, and
    /// the compiler compares their sizes.
    /// @throws DTypeError for a whole number that its parameter can't hold exactly; LaunchError for a launch that the
    /// device can't do; CompileError at the first launch
    /// @snippet public/raw_kernel_test.cpp whole_numbers
    template <class... A>
    void operator()(const LaunchConfig& config, A&&... arguments) const {
        static_assert(sizeof...(A) == sizeof...(P), "the kernel takes another number of arguments");
        launch(config, std::make_integer_sequence<int, sizeof...(P)>{}, std::forward<A>(arguments)...);
    }
    /// The same in two steps: `scale[{blocks, 256}](x, y, n)`.
    [[nodiscard]] detail::BoundLaunch<RawKernel> operator[](const LaunchConfig& config) const {
        return {*this, config};
    }

    /// @cond internal
    explicit RawKernel(std::shared_ptr<detail::RawKernelCore> core) noexcept : RawKernelFacts(std::move(core)) {}
    [[nodiscard]] static std::vector<detail::KernelParameter> parameters() {
        return {detail::kernel_parameter<P>()...};
    }
    /// @endcond

private:
    static std::shared_ptr<detail::RawKernelCore> make(const Source& source, const std::string& name,
                                                       const RawKernelOptions& options) {
        const std::vector<detail::KernelParameter> list = parameters();
        return detail::make_raw_kernel(source, name, &list, options);
    }
    template <int... position, class... A>
    void launch(const LaunchConfig& config, std::integer_sequence<int, position...>, A&&... arguments) const {
        const auto call = [&](detail::ParameterValue<P>... values) {
            void* const pointers[] = {const_cast<void*>(static_cast<const volatile void*>(&values))..., nullptr};
            detail::launch_raw_kernel(core(), config, pointers, sizeof...(P));
        };
        call(detail::to_parameter<P>(std::forward<A>(arguments), position + 1)...);
    }
};

/// The loose form: arguments must be exactly what the source declares; otherwise the call says which one isn't.
///
/// `RawKernel<> scale(source, "scale");` A whole number is converted to another type that holds its value, another
/// number isn't: write `2.f` for a float.
/// @snippet public/raw_kernel_test.cpp loose
template <>
class RawKernel<void> : public RawKernelFacts {
public:
    RawKernel(const Source& source, const std::string& name, const RawKernelOptions& options = {})
        : RawKernelFacts(detail::make_raw_kernel(source, name, nullptr, options)) {}

    /// Launches the kernel and returns at once, as the typed form does.
    /// @throws Error for a wrong number of arguments; DTypeError for a wrong type; LaunchError, CompileError
    template <class... A>
    void operator()(const LaunchConfig& config, A&&... arguments) const {
        const std::array<detail::LooseArgument, sizeof...(A) + 1> list{detail::loose_argument(arguments)...,
                                                                       detail::LooseArgument{}};
        detail::launch_loose(core(), config, list.data(), sizeof...(A));
    }
    [[nodiscard]] detail::BoundLaunch<RawKernel> operator[](const LaunchConfig& config) const {
        return {*this, config};
    }

    /// @cond internal
    explicit RawKernel(std::shared_ptr<detail::RawKernelCore> core) noexcept : RawKernelFacts(std::move(core)) {}
    /// @endcond
};

/// @cond internal
RawKernel(const Source&, const std::string&) -> RawKernel<>;
RawKernel(const Source&, const std::string&, const RawKernelOptions&) -> RawKernel<>;
/// @endcond

}  // namespace gpu

/// @cond internal
namespace gpu::detail {

GPU_API Source kernel_in_macro(std::string_view name, std::string_view parameters, std::string_view body,
                               const char* file, int line);

template <std::size_t N>
Source kernel_in_macro(const char* name, const char* parameters, const char* file, int line, const char (&body)[N]) {
    return kernel_in_macro(name, parameters, std::string_view(body, N - 1), file, line);
}

}  // namespace gpu::detail
/// @endcond

/// A raw kernel whose body is in the C++ file: parameters are written once, errors name the file and the line.
///
/// `GPU_KERNEL(copy, (const float* x, float* y, int n), R"( ... )");` declares `copy`, a gpu::RawKernel of that
/// signature, in a namespace or in a function. The parameters' types must exist both in C++ and in kernels. `R"(`
/// should be on the macro's first line: g++ knows no other line, so for others libgpu looks into the file.
/// @snippet public/raw_kernel_test.cpp macro
#define GPU_KERNEL(name, parameters, body)                                \
    [[maybe_unused]] static const ::gpu::RawKernel<void parameters> name( \
        ::gpu::detail::kernel_in_macro(#name, #parameters, __FILE__, __LINE__, body), #name)
