// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#ifdef __cpp_lib_format
#include <format>
#endif

#include <gpu/expression.hpp>
#include <gpu/shape.hpp>

/// @file
/// Everything as text: `gpu::to_string(x)` and `std::cout << x` for arrays, views, expressions and AnyArrays, as NumPy
/// prints them; for shapes, types and devices; for what was measured, counted or found (Benchmark, Counts,
/// CheckReport, Ledger, LaunchLog, Trace). `std::format("{}", x)` and `fmt::format("{:>20}", x)` give the same text and
/// take the options of strings: fmt 10 and newer in any order of headers, fmt 9 if it is included before this header.

namespace gpu {

/// How an array is printed; NumPy's names and defaults.
struct PrintOptions {
    int precision = 8;              ///< maximum digits after the point
    std::int64_t threshold = 1000;  ///< larger arrays are summarised
    int edge_items = 3;             ///< elements shown at each end of a summarised axis
    int line_width = 75;            ///< characters per line
    Flag suppress_small = false;    ///< never switch to exponents because of small numbers
};

/// @cond internal
namespace detail {
GPU_API std::string text_of(const ArrayCore& array, const PrintOptions& options);
GPU_API std::string text_of_number(DType type, const void* number);

/// While one exists, nothing that this thread does is counted: looking at an array is free.
class GPU_API Printing {
public:
    Printing() noexcept;
    ~Printing();
    Printing(const Printing&) = delete;
    Printing& operator=(const Printing&) = delete;
};
}  // namespace detail
/// @endcond

/// The elements as NumPy's `str` prints them; waits. If an array has more than `threshold` elements, only those shown
/// are copied to the host. gpu::counts() counts none of this except one of `prints`.
/// @snippet public/print_test.cpp print
template <detail::Lazy A>
[[nodiscard]] std::string to_string(const A& array, const PrintOptions& options = {}) {
    const detail::Printing printing;
    if constexpr (requires { array.core(); })
        return detail::text_of(array.core("print"), options);
    else
        return detail::text_of(array.eval().core(), options);
}
[[nodiscard]] inline std::string to_string(const AnyArray& array, const PrintOptions& options = {}) {
    const detail::Printing printing;
    return detail::text_of(array.core("print"), options);
}

// Declared here, so that this header needs none of theirs.
template <class Signature>
class RawKernel;
class ElementwiseKernel;
class ReductionKernel;
template <Element T, Element C>
struct Histogram;
struct Benchmark;
struct Timings;
struct LaunchEntry;
class LaunchLog;
struct LedgerEntry;
class Ledger;
struct CheckReport;
struct Finding;
struct Counts;
struct KernelCounts;
struct KernelAttributes;
struct CacheStatistics;
struct MemoryUse;
struct Dim3;
struct Trace;
struct TracedOperation;
enum class Picture : std::uint8_t;
enum class FindingKind : std::uint8_t;
enum class Rule : std::uint8_t;

/// NumPy's name for the type: "float32".
/// @snippet public/exchange/text_test.cpp text
[[nodiscard]] GPU_API std::string to_string(DType type);
/// "row-major" or "column-major".
[[nodiscard]] GPU_API std::string to_string(Layout layout);
/// "host" or "cuda".
[[nodiscard]] GPU_API std::string to_string(BackendKind kind);
/// A single number with all its digits, as NumPy prints it: "0.1", "(1+2j)", "True".
/// @snippet public/exchange/text_test.cpp text
template <Arithmetic S>
[[nodiscard]] std::string to_string(const S& number) {
    return detail::text_of_number(dtype_of<S>, &number);
}
/// "(4,1,1)".
template <std::same_as<Dim3> X>  // a template, so that a number isn't taken for one
[[nodiscard]] std::string to_string(const X& lengths) {
    return "(" + gpu::to_string(lengths.x) + "," + gpu::to_string(lengths.y) + "," + gpu::to_string(lengths.z) + ")";
}
/// "2 allocations (8.0 kB), 1 launch, 1 wait": what isn't 0.
/// @snippet public/exchange/text_test.cpp measured
[[nodiscard]] GPU_API std::string to_string(const Counts& counts);
/// The kernel's row of CheckReport::table(), with its head.
[[nodiscard]] GPU_API std::string to_string(const KernelCounts& counts);
/// Its three lines: what happened, who did it, what to do.
[[nodiscard]] GPU_API std::string to_string(const Finding& finding);
/// The findings, or that there are none, and the table of what was counted.
/// @snippet public/exchange/text_test.cpp measured
[[nodiscard]] GPU_API std::string to_string(const CheckReport& report);
/// "median 12.3 us, 11.9 to 20.1, mean 12.8, standard deviation 0.4 (30 repeats)"
[[nodiscard]] GPU_API std::string to_string(const Timings& timings);
/// Name, compute capability, multiprocessors and memory in one line.
[[nodiscard]] GPU_API std::string to_string(const DeviceProperties& properties);
/// "1.0 MiB used, 2.0 MiB held, ..."
[[nodiscard]] GPU_API std::string to_string(const MemoryUse& memory);
/// "3 hits, 1 miss, 0 evictions; 4 files (120.0 KiB)"
[[nodiscard]] GPU_API std::string to_string(const CacheStatistics& statistics);
/// Registers, memory and the largest block in one line.
[[nodiscard]] GPU_API std::string to_string(const KernelAttributes& attributes);
/// @cond internal
[[nodiscard]] GPU_API std::string to_string(const Ledger& ledger);
[[nodiscard]] GPU_API std::string to_string(const Trace& trace);

namespace detail {
// The types with a text, besides arrays.
template <class X>
inline constexpr bool has_text = false;
// Those with a member to_string().
template <class X>
inline constexpr bool has_own_text = false;
#define GPU_TEXT(X) \
    template <>     \
    inline constexpr bool has_text<X> = true;
#define GPU_OWN_TEXT(X) \
    GPU_TEXT(X)         \
    template <>         \
    inline constexpr bool has_own_text<X> = true;
// clang-format off
GPU_TEXT(Extents) GPU_TEXT(Shape) GPU_TEXT(TargetShape) GPU_TEXT(Strides) GPU_TEXT(Layout) GPU_TEXT(DType)
GPU_TEXT(BackendKind) GPU_TEXT(half) GPU_TEXT(bfloat16) GPU_TEXT(complex<float>)
GPU_TEXT(complex<double>) GPU_TEXT(Dim3)
GPU_TEXT(Counts) GPU_TEXT(KernelCounts) GPU_TEXT(Finding) GPU_TEXT(CheckReport) GPU_TEXT(Timings)
GPU_TEXT(DeviceProperties) GPU_TEXT(MemoryUse) GPU_TEXT(CacheStatistics) GPU_TEXT(KernelAttributes) GPU_TEXT(Ledger)
GPU_TEXT(Trace) GPU_TEXT(Picture) GPU_TEXT(FindingKind) GPU_TEXT(Rule)
GPU_OWN_TEXT(Device) GPU_OWN_TEXT(Benchmark) GPU_OWN_TEXT(LaunchEntry) GPU_OWN_TEXT(LaunchLog)
GPU_OWN_TEXT(LedgerEntry) GPU_OWN_TEXT(TracedOperation)
// clang-format on
#undef GPU_TEXT
#undef GPU_OWN_TEXT
                            template <class T, class C>
                            inline constexpr bool has_text<Histogram<T, C>> = true;

template <class X>
concept Text = ArrayLike<X> || has_text<X>;

// Kernels have no text. (Streams, events and graphs aren't refused: test frameworks print what they compare.)
template <class X>
inline constexpr bool is_kernel = false;
template <class S>
inline constexpr bool is_kernel<RawKernel<S>> = true;
template <>
inline constexpr bool is_kernel<ElementwiseKernel> = true;
template <>
inline constexpr bool is_kernel<ReductionKernel> = true;
}  // namespace detail
/// @endcond

/// The text that the object itself has: a device, a benchmark's result, a log and its entries.
/// @snippet public/exchange/text_test.cpp measured
template <class X>
    requires detail::has_own_text<X>
[[nodiscard]] std::string to_string(const X& x) {
    return x.to_string();
}
/// Its counts and its edges, a line each.
/// @snippet public/exchange/text_test.cpp histogram
template <class T, class C>
[[nodiscard]] std::string to_string(const Histogram<T, C>& histogram, const PrintOptions& options = {}) {
    return "counts " + gpu::to_string(histogram.counts, options) + "\nedges  " +
           gpu::to_string(histogram.edges, options);
}

/// Prints as `to_string` does; waits for arrays.
/// @snippet public/print_test.cpp print
/// @snippet public/exchange/text_test.cpp text
template <class Traits, detail::Text X>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& stream, const X& x) {
    return stream << to_string(x);
}
/// @cond internal
template <class Traits, class X>
    requires detail::is_kernel<X>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& stream, const X&) {
    static_assert(!detail::is_kernel<X>, "a kernel isn't printed: print what it computes, as in k(x)");
    return stream;
}
// What fmt 10 and newer look for.
template <detail::Text X>
[[nodiscard]] std::string format_as(const X& x) {
    return std::string(to_string(x));
}
namespace detail {
template <class StringFormatter>
struct TextFormatter : StringFormatter {
    template <class X, class Context>
    auto format(const X& x, Context& context) const {
        const std::string text(to_string(x));  // of a string_view, for some
        return StringFormatter::format(text, context);
    }
};
}  // namespace detail
/// @endcond

}  // namespace gpu

/// @cond internal
// Shapes are ranges, too: full specialisations come before those for ranges.
#define GPU_FORMATTERS(library)                                                                                       \
    template <gpu::detail::Text X>                                                                                    \
    struct library::formatter<X, char> : gpu::detail::TextFormatter<library::formatter<library::string_view, char>> { \
    };                                                                                                                \
    GPU_FORMATTER(library, gpu::Extents)                                                                              \
    GPU_FORMATTER(library, gpu::Shape)                                                                                \
    GPU_FORMATTER(library, gpu::TargetShape)                                                                          \
    GPU_FORMATTER(library, gpu::Strides)
#define GPU_FORMATTER(library, X)                                                                                     \
    template <>                                                                                                       \
    struct library::formatter<X, char> : gpu::detail::TextFormatter<library::formatter<library::string_view, char>> { \
    };
#ifdef __cpp_lib_format
GPU_FORMATTERS(std)
#endif
#if defined(FMT_VERSION) && FMT_VERSION < 100000
GPU_FORMATTERS(fmt)
#endif
#undef GPU_FORMATTERS
#undef GPU_FORMATTER
/// @endcond
