// SPDX-License-Identifier: MIT
// Fourier transforms of lines by Eigen's kissfft, whose time grows with each prime factor, and by Bluestein's algorithm
// where one is large.
#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numbers>
#include <optional>
#include <type_traits>
#include <vector>

#include <unsupported/Eigen/FFT>

#include "host/fourier.hpp"

namespace gpu::host_linalg {

namespace {

using detail::FourierKind;
using detail::host::FourierLines;

template <class T>
using Complexes = std::vector<std::complex<T>>;

// Eigen counts in ints, with eight times the length; Bluestein's algorithm takes up to four times as many points.
constexpr std::int64_t max_points = std::int64_t{1} << 26;

// From here on Bluestein's algorithm is the faster one, as measured.
constexpr std::int64_t large_prime = 64;

bool has_large_prime(std::int64_t n) {
    for (std::int64_t p = 2; p < large_prime; ++p) {
        while (n % p == 0) n /= p;
    }
    return n > 1;
}

template <class T>
Eigen::FFT<T> make_fft() {
    Eigen::FFT<T> made;
    made.SetFlag(Eigen::FFT<T>::Unscaled);
    made.SetFlag(Eigen::FFT<T>::HalfSpectrum);
    return made;
}

/// Transforms of n points as convolutions with a chirp: j k = (j^2 + k^2 - (j - k)^2) / 2. Always computed in double.
class Bluestein {
public:
    explicit Bluestein(std::int64_t n) : fft_(make_fft<double>()), chirp_(static_cast<std::size_t>(n)) {
        std::size_t length = 1;
        while (length < 2 * chirp_.size() - 1) length *= 2;
        padded_.resize(length);
        filter_.resize(length);
        // exp(-i pi k^2 / n), with k^2 modulo 2 n.
        std::int64_t square = 0;
        for (std::int64_t k = 0; k < n; ++k) {
            const double angle = std::numbers::pi * static_cast<double>(square) / static_cast<double>(n);
            chirp_[static_cast<std::size_t>(k)] = {std::cos(angle), -std::sin(angle)};
            square = (square + 2 * k + 1) % (2 * n);
        }
        for (std::size_t k = 0; k < chirp_.size(); ++k) {
            padded_[k] = std::conj(chirp_[k]) / static_cast<double>(length);
            if (k > 0) padded_[length - k] = padded_[k];
        }
        fft_.fwd(filter_.data(), padded_.data(), points());
        spectrum_.resize(length);
    }

    /// The line's inverse transform is its forward one with real and imaginary parts exchanged before and after.
    template <class T>
    void run(std::complex<T>* line, bool inverse) {
        const auto exchanged = [inverse](auto z) { return inverse ? decltype(z)(z.imag(), z.real()) : z; };
        for (std::size_t k = 0; k < chirp_.size(); ++k) {
            padded_[k] = exchanged(std::complex<double>(line[k])) * chirp_[k];
        }
        std::fill(padded_.begin() + static_cast<std::ptrdiff_t>(chirp_.size()), padded_.end(), 0);
        fft_.fwd(spectrum_.data(), padded_.data(), points());
        for (std::size_t k = 0; k < spectrum_.size(); ++k) spectrum_[k] *= filter_[k];
        fft_.inv(padded_.data(), spectrum_.data(), points());
        for (std::size_t k = 0; k < chirp_.size(); ++k) {
            line[k] = std::complex<T>(exchanged(padded_[k] * chirp_[k]));
        }
    }

private:
    [[nodiscard]] Eigen::Index points() const { return static_cast<Eigen::Index>(padded_.size()); }

    Eigen::FFT<double> fft_;
    Complexes<double> chirp_, padded_, filter_, spectrum_;
};

/// A thread's transforms. It keeps the tables of the last lengths for its next call.
template <class T>
class Transforms {
public:
    void lines(const FourierLines& lines) {
        if (points_ > max_points) *this = Transforms();
        const bool spreads = lines.inner > 1;
        const std::int64_t half = lines.n / 2 + 1;
        const std::int64_t from_n = lines.kind == FourierKind::complex_to_real ? half : lines.n;
        const std::int64_t to_n = lines.kind == FourierKind::real_to_complex ? half : lines.n;
        if (lines.kind == FourierKind::real_to_complex) {
            each<T, std::complex<T>>(lines, from_n, to_n, spreads,
                                     [&](const T* from, std::complex<T>* to) { real_to_complex(from, to, lines.n); });
        } else if (lines.kind == FourierKind::complex_to_real) {
            each<std::complex<T>, T>(lines, from_n, to_n, spreads,
                                     [&](const std::complex<T>* from, T* to) { complex_to_real(from, to, lines.n); });
        } else {
            const bool inverse = lines.kind == FourierKind::inverse;
            each<std::complex<T>, std::complex<T>>(
                lines, from_n, to_n, spreads || lines.from == lines.to,
                [&](const std::complex<T>* from, std::complex<T>* to) { complex(from, to, lines.n, inverse); });
        }
    }

private:
    static constexpr std::int64_t max_points = std::int64_t{1} << 20;

    // Calls `line` for each of them with neighbours side by side, and apart from the result. Of lines that lie side by
    // side themselves, several are moved at a time, as many as share a piece of the cache.
    template <class From, class To, class F>
    void each(const FourierLines& lines, std::int64_t from_n, std::int64_t to_n, bool through_buffers, const F& line) {
        const auto* const from = static_cast<const From*>(lines.from);
        auto* const to = static_cast<To*>(lines.to);
        if (!through_buffers) {
            for (std::int64_t k = lines.first; k < lines.last; ++k) line(from + k * from_n, to + k * to_n);
            return;
        }
        constexpr std::int64_t max_width = 8;
        const std::int64_t inner = lines.inner, width = std::min(max_width, inner);
        std::vector<From> sources(static_cast<std::size_t>(width * from_n));
        std::vector<To> results(static_cast<std::size_t>(width * to_n));
        for (std::int64_t k = lines.first; k < lines.last;) {
            const std::int64_t count = std::min({width, inner - k % inner, lines.last - k});
            const From* const source = from + k / inner * from_n * inner + k % inner;
            To* const result = to + k / inner * to_n * inner + k % inner;
            for (std::int64_t i = 0; i < from_n; ++i) {
                for (std::int64_t j = 0; j < count; ++j) sources[at(j * from_n + i)] = source[i * inner + j];
            }
            for (std::int64_t j = 0; j < count; ++j) line(&sources[at(j * from_n)], &results[at(j * to_n)]);
            for (std::int64_t i = 0; i < to_n; ++i) {
                for (std::int64_t j = 0; j < count; ++j) result[i * inner + j] = results[at(j * to_n + i)];
            }
            k += count;
        }
    }
    static std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

    void complex(const std::complex<T>* from, std::complex<T>* to, std::int64_t n, bool inverse) {
        if (n == 1) {  // Eigen's would write beyond its tables
            *to = *from;
        } else if (Bluestein* const chirps = bluestein(n)) {
            std::copy(from, from + n, to);
            chirps->run(to, inverse);
        } else if (inverse) {
            fft().inv(to, from, n);
        } else {
            fft().fwd(to, from, n);
        }
    }
    void real_to_complex(const T* from, std::complex<T>* to, std::int64_t n) {
        if (n > 1 && bluestein(n) == nullptr) return fft().fwd(to, from, n);
        line_.assign(from, from + n);
        if (n > 1) bluestein(n)->run(line_.data(), false);
        std::copy(line_.begin(), line_.begin() + n / 2 + 1, to);
    }
    void complex_to_real(const std::complex<T>* from, T* to, std::int64_t n) {
        if (n > 1 && bluestein(n) == nullptr) return fft().inv(to, from, n);
        line_.assign(from, from + n / 2 + 1);
        line_.resize(at(n));
        for (std::int64_t k = n / 2 + 1; k < n; ++k) line_[at(k)] = std::conj(line_[at(n - k)]);
        if (n > 1) bluestein(n)->run(line_.data(), true);
        for (std::int64_t k = 0; k < n; ++k) to[k] = line_[at(k)].real();
    }

    // Null if the length needs none.
    Bluestein* bluestein(std::int64_t n) {
        const auto [found, is_new] = chirps_.try_emplace(n);
        if (is_new) {
            points_ += n;
            if (has_large_prime(n)) {
                found->second.emplace(n);
                points_ += 8 * n;
            }
        }
        return found->second ? &*found->second : nullptr;
    }
    Eigen::FFT<T>& fft() {
        if (!fft_) fft_ = make_fft<T>();
        return *fft_;
    }

    std::optional<Eigen::FFT<T>> fft_;
    std::map<std::int64_t, std::optional<Bluestein>> chirps_;  // every length that has been seen
    std::int64_t points_ = 0;                                  // in all tables, about
    Complexes<T> line_;
};

template <class T>
void transform_lines(const FourierLines& lines) {
    thread_local Transforms<T> transforms;
    transforms.lines(lines);
}

constexpr detail::host::FourierModule fourier_module{detail::host::fourier_module_version, transform_lines<float>,
                                                     transform_lines<double>, max_points};

}  // namespace

}  // namespace gpu::host_linalg

extern "C" __attribute__((visibility("default"))) const gpu::detail::host::FourierModule* gpu_host_fourier_module() {
    return &gpu::host_linalg::fourier_module;
}
