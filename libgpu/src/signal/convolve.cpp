// SPDX-License-Identifier: MIT
#include "signal/convolve.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include <gpu/error.hpp>

#include "codegen/convolve_text.hpp"
#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/evaluate.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

using signal::Mode;

// True if an integer of this type can have this value. False for NaN.
bool is_representable(DType integer, double value) {
    const int bits = 8 * static_cast<int>(size_of(integer));
    const double low = is_unsigned(integer) ? 0 : -std::ldexp(1, bits - 1);
    const double beyond = std::ldexp(1, is_unsigned(integer) ? bits : bits - 1);
    return value == std::trunc(value) && value >= low && value < beyond;
}

std::string said(complex<double> value) {
    char text[80];
    if (value.imag() == 0)
        std::snprintf(text, sizeof text, "%.17g", value.real());
    else
        std::snprintf(text, sizeof text, "%.17g%+.17gi", value.real(), value.imag());
    return text;
}

/// The number beyond an image's edge, in the type in which a convolution of these elements accumulates.
class FillValue {
public:
    /// @throws DTypeError if elements of this type can't hold the requested fill value
    FillValue(const signal::ConvolveOptions& options, DType element, const char* operation) {
        if (options.boundary != signal::Boundary::fill) return;
        const complex<double> value = options.fillvalue;
        const bool is_whole = is_integer(element);
        if ((!is_complex(element) && !(value.imag() == 0)) || (is_whole && !is_representable(element, value.real()))) {
            throw DTypeError(std::string(operation) + ": the fill value " + said(value) + " doesn't fit " +
                             std::string(name(element)) + ", the type of the result");
        }
        const auto keep = [this](const auto& number) { std::memcpy(bytes_, &number, sizeof number); };
        const bool is_negative = value.real() < 0;  // an integer wraps around, as in the kernel's arithmetic
        const double size = is_negative ? -value.real() : value.real();
        const auto wrapped = [&] {
            return is_negative ? 0 - static_cast<std::uint64_t>(size) : static_cast<std::uint64_t>(size);
        };
        switch (convolve_accumulator(element)) {
            case DType::float32: keep(static_cast<float>(value.real())); break;
            case DType::float64: keep(value.real()); break;
            case DType::complex64: keep(complex<float>(value)); break;
            case DType::complex128: keep(value); break;
            case DType::uint64: keep(wrapped()); break;
            default: keep(static_cast<std::uint32_t>(wrapped())); break;
        }
    }

private:
    alignas(16) unsigned char bytes_[16] = {};
};

std::string both_shapes(const Convolution& how, const Shape& image, const Shape& filter) {
    return std::string(how.operation) + ": an image of shape " + to_string(image) + " and a filter of shape " +
           to_string(filter) + ": ";
}

// True if the filter is the larger one, and they exchange roles.
bool changes_parts(const Convolution& how, Mode mode, const Shape& image, const Shape& filter) {
    if (image.rank() != 2 || filter.rank() != 2) {
        throw ShapeError(both_shapes(how, image, filter) + "both must have two axes");
    }
    if (image.size() == 0 || filter.size() == 0) {
        throw ShapeError(both_shapes(how, image, filter) + "neither may be without elements");
    }
    if (mode != Mode::valid || (image[0] >= filter[0] && image[1] >= filter[1])) return false;
    if (filter[0] >= image[0] && filter[1] >= image[1]) return true;
    throw ShapeError(both_shapes(how, image, filter) +
                     "in mode valid one must be at least as large as the other along both axes");
}

std::int64_t length(Mode mode, std::int64_t image, std::int64_t filter) {
    return mode == Mode::full ? image + filter - 1 : mode == Mode::same ? image : image - filter + 1;
}

// The image's element under the first one of the filter, which isn't flipped here, for the first result.
std::int64_t first(Mode mode, std::int64_t filter, bool correlates) {
    if (mode == Mode::valid) return 0;
    if (mode == Mode::full) return 1 - filter;
    return correlates ? -((filter - 1) / 2) : (filter - 1) / 2 + 1 - filter;
}

ConvolveSpace space_of(Mode mode, signal::Boundary boundary, const ArrayCore& image, const ArrayCore& filter,
                       bool correlates) {
    return {.out_rows = length(mode, image.shape[0], filter.shape[0]),
            .out_columns = length(mode, image.shape[1], filter.shape[1]),
            .rows = image.shape[0],
            .columns = image.shape[1],
            .row_step = image.strides[0],
            .column_step = image.strides[1],
            .filter_rows = filter.shape[0],
            .filter_columns = filter.shape[1],
            .filter_row_step = filter.strides[0],
            .filter_column_step = filter.strides[1],
            .first_row = first(mode, filter.shape[0], correlates),
            .first_column = first(mode, filter.shape[1], correlates),
            .boundary = static_cast<std::int64_t>(boundary),
            .conjugates = 0};
}

constexpr std::int64_t max_shared = 48 * 1024;  // the limit on every GPU without opting in

std::int64_t tiles_of(const ConvolveSpace& space, const ConvolveTile& tile) {
    return divided_up(space.out_rows, tile.height()) * divided_up(space.out_columns, tile.width());
}

// Tall tiles save reads of shared memory, which matters for filters with many weights; but there are fewer of them, and
// all multiprocessors must have some.
bool wants_tall(Convolution::Method method, DType element, const ConvolveSpace& space) {
    constexpr std::int64_t many_weights = 36, many_tiles = 512;
    if (convolve_tile_bytes(element, true, space.filter_rows, space.filter_columns) > max_shared) return false;
    if (method != Convolution::Method::automatic) return method == Convolution::Method::tall;
    return space.filter_rows * space.filter_columns >= many_weights &&
           tiles_of(space, convolve_tile(element, true)) >= many_tiles;
}

// Offset from the first result's first input to the first aligned group of `columns`.
int elements_to_group(const ArrayCore& image, const ConvolveSpace& space, int columns) {
    const auto first =
        static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(address_of(image)) / size_of(image.dtype));
    return static_cast<int>((columns - (first + space.first_column) % columns) % columns);
}

void launch(Convolution::Method method, const ArrayCore& image, const ArrayCore& filter, const ArrayCore& out,
            const ConvolveSpace& space, const FillValue& fill) {
    const DType element = out.dtype;
    const Device device = out.storage->device();
    const BackendTraits traits = backend(device).traits();
    const bool by_blocks = traits.by_blocks;
    const int strip = traits.strip;
    const bool wants_small =
        method == Convolution::Method::automatic ? by_blocks : method == Convolution::Method::small;
    const bool small = wants_small && is_small_filter(element, space.filter_rows, space.filter_columns);
    const bool tall = wants_tall(method, element, space);
    const std::int64_t bytes = convolve_tile_bytes(element, tall, space.filter_rows, space.filter_columns);
    const bool wants_tiles = method == Convolution::Method::automatic
                                 ? by_blocks
                                 : method == Convolution::Method::tiled || method == Convolution::Method::tall;

    void* const pointers[] = {address_of(image), address_of(filter), address_of(out)};
    void* const arguments[] = {const_cast<void**>(&pointers[0]), const_cast<void**>(&pointers[1]),
                               const_cast<void**>(&pointers[2]), const_cast<void*>(static_cast<const void*>(&space)),
                               const_cast<void*>(static_cast<const void*>(&fill))};
    const std::string kind(1, static_cast<char>('a' + static_cast<int>(element)));
    if (small) {
        const int head = elements_to_group(image, space, convolve_small_tile(element).columns);
        launch_builtin_blocks(
            device,
            "convolve2d_small" + kind + std::to_string(space.filter_rows) + ' ' + std::to_string(space.filter_columns) +
                ' ' + std::to_string(head),
            [&] { return convolve_small_text(element, space.filter_rows, space.filter_columns, head); },
            {.blocks = tiles_of(space, convolve_small_tile(element)), .threads = ConvolveTile::threads}, arguments, 5);
    } else if (wants_tiles && bytes <= max_shared) {
        const std::int64_t blocks = tiles_of(space, convolve_tile(element, tall));
        launch_builtin_blocks(
            device, (tall ? "convolve2d_tall" : "convolve2d_tiled") + kind,
            [&] { return convolve_tiled_text(element, tall); },
            {.blocks = blocks, .threads = ConvolveTile::threads, .shared = bytes}, arguments, 5);
    } else {
        launch_builtin(
            device, "convolve2d_plain" + kind + std::to_string(strip),
            [&] { return convolve_plain_text(element, strip); }, space.out_rows * divided_up(space.out_columns, strip),
            arguments, 5);
    }
    out.storage->mark_written();
}

}  // namespace

ArrayCore convolved(const Convolution& how, DType result, const NodePointer& image, const NodePointer& filter,
                    const signal::ConvolveOptions& options) {
    const bool swaps = changes_parts(how, options.mode, image->shape, filter->shape);
    const DType element = computed_dtype(result);
    const FillValue fill(options, element, how.operation);
    ArrayCore large = array_value(cast_node(element, swaps ? filter : image));
    ArrayCore small = array_value(cast_node(element, swaps ? image : filter));
    const Device device = common_device({&large, &small}, how.operation);
    const DeviceGuard guard(device);
    // Flipping both flips the result; flipping the filter makes it a convolution.
    if (how.correlates && swaps) large = flipped(large);
    if (!how.correlates || swaps) small = flipped(small);

    ConvolveSpace space = space_of(options.mode, options.boundary, large, small, how.correlates);
    if (how.correlates && is_complex(element)) space.conjugates = swaps ? 2 : 1;
    const ArrayCore out = make_array(element, Shape{space.out_rows, space.out_columns});
    launch(how.method, large, small, out, space, fill);
    return result == element ? out : evaluate(cast_node(result, leaf(out)));
}

ArrayCore convolve2d(DType result, const NodePointer& image, const NodePointer& filter,
                     const signal::ConvolveOptions& options) {
    return convolved({}, result, image, filter, options);
}

ArrayCore correlate2d(DType result, const NodePointer& image, const NodePointer& filter,
                      const signal::ConvolveOptions& options) {
    return convolved({.operation = "correlate2d", .correlates = true, .method = {}}, result, image, filter, options);
}

}  // namespace gpu::detail
