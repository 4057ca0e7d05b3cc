// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpu/expression.hpp>

/// @file
/// Arrays in files: NumPy's `.npy`, as `numpy.save` and `numpy.load` write and read them; its archives `.npz`, as
/// `numpy.savez` and `numpy.savez_compressed` do; and numbers as text, CSV.

namespace gpu {

/// The options of loading with a type: `load_npy<float>(path, {.convert = true})`.
struct NpyOptions {
    Flag convert = false;  ///< elements of another type are converted as by astype(), rather than refused
};

/// @cond internal
namespace detail {
struct WantedType {
    bool given = false;  // otherwise the file's own
    DType dtype = DType::float32;
    Flag convert = false;
};
GPU_API ArrayCore load_npy(const std::string& path, const WantedType& wanted);
GPU_API void save_npy(const std::string& path, const ArrayCore& array);

template <class A>
ArrayCore saved_core(const A& array, const char* operation) {
    if constexpr (requires { array.core(); })
        return array.core(operation);
    else
        return array.eval().core();
}
}  // namespace detail
/// @endcond

/// Reads a file written by `numpy.save` to a new array on the current device. Fortran order becomes column-major;
/// big-endian numbers are converted.
/// @throws FileError if it can't be read, is truncated or isn't such a file
/// @throws DTypeError if its elements aren't T and `convert` isn't set, or are complex and T is real; ShapeError if an
/// array can't have its shape
/// @snippet public/print_test.cpp npy
/// @snippet public/exchange/npz_test.cpp convert
template <Arithmetic T>
[[nodiscard]] Array<ArrayElement<T>> load_npy(const std::string& path, const NpyOptions& options = {}) {
    return Array<ArrayElement<T>>(detail::load_npy(path, {true, dtype_of<T>, options.convert}));
}
/// The same with the file's own element type.
/// @snippet public/print_test.cpp any
[[nodiscard]] inline AnyArray load_npy(const std::string& path) { return AnyArray(detail::load_npy(path, {})); }

/// Writes an array, a view or an expression to a file for `numpy.load`; waits. A column-major array is written in
/// Fortran order, everything else in C order. @throws FileError if it can't be written
/// @snippet public/print_test.cpp npy
template <detail::ArrayLike A>
void save_npy(const std::string& path, const A& array) {
    detail::save_npy(path, detail::saved_core(array, "save_npy"));
}

/// An array of an archive.
struct NamedArray {
    std::string name;
    AnyArray array;
};

/// The arrays of an archive, in its order.
/// @snippet public/exchange/npz_test.cpp npz
class GPU_API NamedArrays {
public:
    // Nothing is inline: this header is in every program, and archives in few.
    NamedArrays();
    explicit NamedArrays(std::vector<NamedArray> arrays);
    // Moving copies, so that there are none without a list.
    NamedArrays(const NamedArrays&) = default;
    NamedArrays& operator=(const NamedArrays&) = default;
    ~NamedArrays() = default;

    /// @throws FileError that lists the names if there is no such array
    [[nodiscard]] const AnyArray& operator[](std::string_view name) const;
    /// True if there is an array of this name.
    [[nodiscard]] bool contains(std::string_view name) const noexcept;
    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] const NamedArray* begin() const noexcept;
    [[nodiscard]] const NamedArray* end() const noexcept;

private:
    std::shared_ptr<const std::vector<NamedArray>> arrays_;  // shared by copies: nothing changes them
};

/// The options of save_npz().
struct SaveNpzOptions {
    Flag compress = false;  ///< as `numpy.savez_compressed`: smaller, and slower to write
};

/// @cond internal
namespace detail {
/// An element of `save_npz(path, {{"x", x}, {"y", y + 1}})`.
class NamedPart {
public:
    template <ArrayLike A>
    NamedPart(std::string name, const A& array) : name_(std::move(name)), core_(saved_core(array, "save_npz")) {}
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const ArrayCore& core() const noexcept { return core_; }

private:
    std::string name_;
    ArrayCore core_;
};
GPU_API ArrayCore load_npz(const std::string& path, std::string_view name, const WantedType& wanted);
}  // namespace detail
/// @endcond

/// All arrays of a file written by `numpy.savez` or `numpy.savez_compressed`: `auto data = load_npz(path);` and then
/// `gpu::Array<float> x = data["x"];`. Other files in the archive are left out.
/// @throws FileError if it can't be read or is damaged, and what load_npy() throws
/// @snippet public/exchange/npz_test.cpp npz
[[nodiscard]] GPU_API NamedArrays load_npz(const std::string& path);
/// One of its arrays; only that one is read. @throws FileError that lists the names if it isn't there
/// @snippet public/exchange/npz_test.cpp npz
[[nodiscard]] inline AnyArray load_npz(const std::string& path, std::string_view name) {
    return AnyArray(detail::load_npz(path, name, {}));
}
template <Arithmetic T>
[[nodiscard]] Array<ArrayElement<T>> load_npz(const std::string& path, std::string_view name,
                                              const NpyOptions& options = {}) {
    return Array<ArrayElement<T>>(detail::load_npz(path, name, {true, dtype_of<T>, options.convert}));
}

/// Writes arrays, views and expressions to one file for `numpy.load`; waits.
/// @throws FileError if it can't be written, or if two arrays have the same name
/// @snippet public/exchange/npz_test.cpp npz
GPU_API void save_npz(const std::string& path, std::initializer_list<detail::NamedPart> arrays,
                      const SaveNpzOptions& options = {});
/// The same with arrays that load_npz() returned.
GPU_API void save_npz(const std::string& path, const NamedArrays& arrays, const SaveNpzOptions& options = {});

/// The options of load_csv(): `load_csv<float>(path, {.delimiter = ';', .skip_rows = 1})`.
struct CsvOptions {
    char delimiter = ',';        ///< between numbers; ' ' stands for any number of spaces and tabs
    std::int64_t skip_rows = 0;  ///< lines at the beginning that aren't read, such as a line of titles
    char comment = '#';          ///< begins text that isn't read, up to the end of the line; '\0': nothing does
};

/// The options of save_csv().
struct SaveCsvOptions {
    char delimiter = ',';
    std::string header = {};  ///< a first line, such as "time,voltage"; load_csv() skips it with `.skip_rows = 1`
};

/// @cond internal
namespace detail {
GPU_API ArrayCore load_csv(const std::string& path, DType dtype, const CsvOptions& options);
GPU_API void save_csv(const std::string& path, const ArrayCore& array, const SaveCsvOptions& options);
}  // namespace detail
/// @endcond

/// Reads a table of numbers from a text file, as `numpy.loadtxt` does, to a new array on the current device: of shape
/// (rows, columns), also for a single row; of shape (rows,) if there is one column. Empty lines are left out.
///
/// Numbers are written as in C++ and Python ("-1.5e3", "nan", "inf", "(1+2j)"), independent of the locale, and rounded
/// once to T. Integers must be whole and fit T.
/// @throws FileError, with line and column, for a word that isn't such a number and for rows of different lengths
/// @snippet public/exchange/csv_test.cpp csv
template <Arithmetic T>
[[nodiscard]] Array<ArrayElement<T>> load_csv(const std::string& path, const CsvOptions& options = {}) {
    return Array<ArrayElement<T>>(detail::load_csv(path, dtype_of<T>, options));
}

/// Writes an array of up to two axes as text, a row a line, for load_csv() and `numpy.loadtxt`; waits. Each number has
/// as many digits as identify it; bools are written as 1 and 0. An array with one axis becomes a column.
/// @throws ShapeError for more than two axes; FileError if it can't be written
/// @snippet public/exchange/csv_test.cpp csv
template <detail::ArrayLike A>
void save_csv(const std::string& path, const A& array, const SaveCsvOptions& options = {}) {
    detail::save_csv(path, detail::saved_core(array, "save_csv"), options);
}

}  // namespace gpu
