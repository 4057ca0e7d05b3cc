// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include <gpu/gpu.hpp>

/// convolve2d and correlate2d written out in double, from the definition: the whole result first, then its middle.
struct Image {
    std::int64_t rows = 0, columns = 0;
    std::vector<std::complex<double>> values;  // row-major

    [[nodiscard]] std::complex<double> at(std::int64_t r, std::int64_t c) const {
        return values[static_cast<std::size_t>(r * columns + c)];
    }
};

/// The place that stands for one beyond the edge, a step or a mirror at a time; -1: none.
inline std::int64_t reference_place(std::int64_t at, std::int64_t n, gpu::signal::Boundary boundary) {
    using gpu::signal::Boundary;
    while (at < 0 || at >= n) {
        if (boundary == Boundary::fill) return -1;
        if (boundary == Boundary::wrap)
            at += at < 0 ? n : -n;
        else
            at = at < 0 ? -1 - at : 2 * n - 1 - at;
    }
    return at;
}

struct Reference {
    bool correlates = false;
    gpu::signal::ConvolveOptions options = {};
    bool absolute = false;  ///< of all magnitudes: what rounding errors are measured by

    [[nodiscard]] std::complex<double> number(std::complex<double> z) const { return absolute ? std::abs(z) : z; }

    [[nodiscard]] std::complex<double> extended(const Image& image, std::int64_t r, std::int64_t c) const {
        r = reference_place(r, image.rows, options.boundary);
        c = reference_place(c, image.columns, options.boundary);
        if (r < 0 || c < 0) return number({options.fillvalue.real(), options.fillvalue.imag()});
        return number(image.at(r, c));
    }

    // The element (m, n) of mode full.
    [[nodiscard]] std::complex<double> element(const Image& image, const Image& filter, std::int64_t m,
                                               std::int64_t n) const {
        std::complex<double> sum = 0;
        for (std::int64_t j = 0; j < filter.rows; ++j) {
            for (std::int64_t k = 0; k < filter.columns; ++k) {
                const std::complex<double> w = number(filter.at(j, k));
                sum += correlates ? extended(image, m - filter.rows + 1 + j, n - filter.columns + 1 + k) * std::conj(w)
                                  : extended(image, m - j, n - k) * w;
            }
        }
        return sum;
    }

    [[nodiscard]] Image operator()(const Image& image, const Image& filter) const {
        using gpu::signal::Mode;
        const std::int64_t rows = filter.rows, columns = filter.columns;
        Image out{image.rows + rows - 1, image.columns + columns - 1, {}};
        std::int64_t top = 0, left = 0;
        if (options.mode == Mode::same) {
            out.rows = image.rows;
            out.columns = image.columns;
            top = correlates ? rows - 1 - (rows - 1) / 2 : (rows - 1) / 2;
            left = correlates ? columns - 1 - (columns - 1) / 2 : (columns - 1) / 2;
        } else if (options.mode == Mode::valid) {
            if (image.rows < rows || image.columns < columns) return swapped(image, filter);
            out.rows = image.rows - rows + 1;
            out.columns = image.columns - columns + 1;
            top = rows - 1;
            left = columns - 1;
        }
        for (std::int64_t m = 0; m < out.rows; ++m) {
            for (std::int64_t n = 0; n < out.columns; ++n) {
                out.values.push_back(element(image, filter, m + top, n + left));
            }
        }
        return out;
    }

    // Valid, the second one being larger: the sum over all places of the first, at each shift of the second.
    [[nodiscard]] Image swapped(const Image& image, const Image& filter) const {
        Image out{filter.rows - image.rows + 1, filter.columns - image.columns + 1, {}};
        for (std::int64_t m = 0; m < out.rows; ++m) {
            for (std::int64_t n = 0; n < out.columns; ++n) {
                std::complex<double> sum = 0;
                for (std::int64_t j = 0; j < image.rows; ++j) {
                    for (std::int64_t k = 0; k < image.columns; ++k) {
                        const std::complex<double> x = number(image.at(j, k));
                        sum += correlates
                                   ? x * std::conj(number(filter.at(out.rows - 1 - m + j, out.columns - 1 - n + k)))
                                   : x * number(filter.at(m + image.rows - 1 - j, n + image.columns - 1 - k));
                    }
                }
                out.values.push_back(sum);
            }
        }
        return out;
    }
};
