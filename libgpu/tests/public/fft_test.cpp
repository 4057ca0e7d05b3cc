// SPDX-License-Identifier: MIT
// Fourier transforms against their definition in long double; identities for what is too long for that.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

#include "gate.hpp"
#include "signal/fft.hpp"
#include "support/messages.hpp"
#include "support/on_host.hpp"

namespace {

using gpu::fft::Norm;
using Wide = std::complex<long double>;
using Lengths = std::vector<std::int64_t>;

/// A row-major array of the reference.
struct Numbers {
    Lengths shape;
    std::vector<Wide> values;
};

std::int64_t product(const Lengths& lengths, std::size_t first, std::size_t last) {
    std::int64_t result = 1;
    for (std::size_t k = first; k < last; ++k) result *= lengths[k];
    return result;
}

/// Applies `line` to each line along an axis: it gets the line's numbers and returns `length` others.
template <class F>
Numbers along(const Numbers& x, std::size_t axis, std::int64_t length, const F& line) {
    const std::int64_t n = x.shape[axis], inner = product(x.shape, axis + 1, x.shape.size());
    Numbers result{x.shape, {}};
    result.shape[axis] = length;
    result.values.resize(static_cast<std::size_t>(product(result.shape, 0, result.shape.size())));
    for (std::int64_t outer = 0; outer < product(x.shape, 0, axis); ++outer) {
        for (std::int64_t j = 0; j < inner; ++j) {
            std::vector<Wide> in(static_cast<std::size_t>(n));
            for (std::int64_t k = 0; k < n; ++k)
                in[static_cast<std::size_t>(k)] = x.values[static_cast<std::size_t>((outer * n + k) * inner + j)];
            const std::vector<Wide> out = line(in);
            for (std::int64_t k = 0; k < length; ++k)
                result.values[static_cast<std::size_t>((outer * length + k) * inner + j)] =
                    out[static_cast<std::size_t>(k)];
        }
    }
    return result;
}

std::vector<Wide> definition(const std::vector<Wide>& x, int sign) {
    const std::size_t n = x.size();
    std::vector<Wide> roots, result(n);
    for (std::size_t k = 0; k < n; ++k) {
        const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(k) / n;
        roots.emplace_back(std::cos(angle), sign * std::sin(angle));
    }
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t j = 0; j < n; ++j) result[k] += x[j] * roots[j * k % n];
    }
    return result;
}

enum class Kind { fft, ifft, rfft, irfft };

/// What is asked of a function: how many points along which axes.
struct Wanted {
    Kind kind;
    Lengths points;
    std::vector<int> axes;  // from the first
    Norm norm;
};

Numbers resized(const Numbers& x, std::size_t axis, std::int64_t length) {
    return along(x, axis, length, [&](std::vector<Wide> line) {
        line.resize(static_cast<std::size_t>(length));
        return line;
    });
}

/// NumPy's meaning: the axis named last is the one along which a real array's transform is halved.
Numbers reference(Numbers x, const Wanted& wanted) {
    const bool inverse = wanted.kind == Kind::ifft || wanted.kind == Kind::irfft;
    const auto last = static_cast<std::size_t>(wanted.axes.back());
    long double count = 1;
    for (std::size_t k = 0; k < wanted.axes.size(); ++k) {
        const auto axis = static_cast<std::size_t>(wanted.axes[k]);
        const std::int64_t n = wanted.points[k];
        count *= static_cast<long double>(n);
        const bool is_half = wanted.kind == Kind::irfft && axis == last;
        x = resized(x, axis, is_half ? n / 2 + 1 : n);
        if (!is_half) x = along(x, axis, n, [&](const auto& line) { return definition(line, inverse ? 1 : -1); });
    }
    if (wanted.kind == Kind::rfft) x = resized(x, last, wanted.points.back() / 2 + 1);
    if (wanted.kind == Kind::irfft) {
        x = along(x, last, wanted.points.back(), [&](std::vector<Wide> line) {
            const auto n = static_cast<std::size_t>(wanted.points.back());
            line[0] = line[0].real();
            if (n % 2 == 0) line[n / 2] = line[n / 2].real();
            line.resize(n);
            for (std::size_t k = n / 2 + 1; k < n; ++k) line[k] = std::conj(line[n - k]);
            line = definition(line, 1);
            for (Wide& z : line) z = z.real();
            return line;
        });
    }
    const long double scale = wanted.norm == Norm::ortho                   ? 1 / std::sqrt(count)
                              : (wanted.norm == Norm::backward) == inverse ? 1 / count
                                                                           : 1;
    for (Wide& z : x.values) z *= scale;
    return x;
}

template <class T>
Wide widened(const T& value) {
    if constexpr (gpu::is_complex(gpu::dtype_of<T>))
        return {static_cast<long double>(value.real()), static_cast<long double>(value.imag())};
    else
        return {static_cast<long double>(static_cast<double>(value)), 0};
}

Lengths lengths_of(const gpu::Shape& shape) { return {shape.begin(), shape.end()}; }

template <class T>
Numbers numbers_of(const gpu::Array<T>& array) {
    Numbers numbers{lengths_of(array.shape()), {}};
    for (const T value : gpu::to_host(array)) numbers.values.push_back(widened(value));
    return numbers;
}

template <class T>
double epsilon() {
    return gpu::real_dtype(gpu::dtype_of<T>) == gpu::DType::float64 ? std::numeric_limits<double>::epsilon()
                                                                    : std::numeric_limits<float>::epsilon();
}

/// True if every number is right but for rounding errors, which grow with the logarithm of the number of points.
template <class T>
bool agrees(const gpu::Array<T>& got, const Numbers& want, double points) {
    const Numbers numbers = numbers_of(got);
    if (numbers.shape != want.shape) return false;
    long double largest = 0;
    for (const Wide& z : want.values) largest = std::max(largest, std::abs(z));
    const long double tolerance = 8 * epsilon<T>() * (1 + std::log2(points)) * largest;
    for (std::size_t k = 0; k < numbers.values.size(); ++k) {
        if (!(std::abs(numbers.values[k] - want.values[k]) <= tolerance)) return false;
    }
    return true;
}

class Draw {
public:
    explicit Draw(unsigned seed) : engine_(seed) {}
    int upto(int most) { return static_cast<int>(engine_() % static_cast<unsigned>(most + 1)); }
    template <class T>
    T value() {
        if constexpr (gpu::is_complex(gpu::dtype_of<T>)) {
            const double real = number(), imag = number();
            return T(real, imag);
        } else if constexpr (std::is_same_v<T, bool>) {
            return upto(1) == 1;
        } else if constexpr (std::is_integral_v<T>) {
            return static_cast<T>(upto(100));
        } else {
            return T(static_cast<float>(number()));
        }
    }

private:
    double number() { return static_cast<double>(engine_()) / 2147483648.0 - 1; }
    std::mt19937 engine_;
};

template <class T>
gpu::Array<T> drawn(Draw& draw, const gpu::Shape& shape) {
    gpu::Array<T> array = gpu::empty<T>(shape);
    std::vector<T> values;
    for (std::int64_t k = 0; k < shape.size(); ++k) values.push_back(draw.value<T>());
    if (shape.size() > 0) array = gpu::to_device(values).reshape(gpu::TargetShape(shape));
    return array;
}

/// A window on all of an array, or on a part of it in another order.
enum class Layout { whole, transposed, backwards, every_second };

template <class T>
gpu::View<T> window_on(gpu::Array<T>& base, Layout layout) {
    switch (layout) {
        case Layout::transposed: return base.transpose();
        case Layout::backwards: return base(gpu::slice(gpu::none, gpu::none, -1));
        case Layout::every_second: return base(gpu::slice(1, gpu::none, 2));
        case Layout::whole: break;
    }
    return base(gpu::ellipsis);
}

Wanted drawn_wanted(Draw& draw, const gpu::Shape& shape, bool is_real, bool gives_points) {
    Wanted wanted{static_cast<Kind>(draw.upto(3)), {}, {}, static_cast<Norm>(draw.upto(2))};
    if (wanted.kind == Kind::rfft && !is_real) wanted.kind = Kind::fft;
    std::vector<int> order;
    for (int axis = 0; axis < shape.rank(); ++axis) order.insert(order.begin() + draw.upto(axis), axis);
    wanted.axes.assign(order.begin(), order.begin() + 1 + draw.upto(shape.rank() - 1));
    for (const int axis : wanted.axes) {
        const bool doubles = wanted.kind == Kind::irfft && axis == wanted.axes.back();
        const auto own = static_cast<int>(doubles ? 2 * (shape[axis] - 1) : shape[axis]);
        wanted.points.push_back(gives_points ? 1 + draw.upto(2 * own) : own);
    }
    return wanted;
}

template <class T, class A>
void check_transform(const A& x, const Wanted& wanted, const gpu::fft::FftnOptions& options, const Numbers& want) {
    double points = 1;
    for (const std::int64_t n : wanted.points) points *= static_cast<double>(n);
    switch (wanted.kind) {
        case Kind::fft: CHECK(agrees(gpu::fft::fftn(x, options), want, points)); break;
        case Kind::ifft: CHECK(agrees(gpu::fft::ifftn(x, options), want, points)); break;
        case Kind::irfft: CHECK(agrees(gpu::fft::irfftn(x, options), want, points)); break;
        case Kind::rfft:
            if constexpr (!gpu::is_complex(gpu::dtype_of<T>)) CHECK(agrees(gpu::fft::rfftn(x, options), want, points));
            break;
    }
}

template <class T>
void check_case(Draw& draw) {
    const int rank = 1 + draw.upto(3), most = rank == 1 ? 300 : rank == 2 ? 24 : 9;
    gpu::Shape shape;
    for (int axis = 0; axis < rank; ++axis) shape.append(1 + draw.upto(most - 1));
    const auto layout = static_cast<Layout>(draw.upto(3));
    if (layout == Layout::every_second) shape[0] = 2 * shape[0] + 1;
    gpu::Array<T> base = drawn<T>(draw, shape);
    const gpu::View<T> x = window_on(base, layout);

    bool gives_points = draw.upto(1) == 1;
    Wanted wanted = drawn_wanted(draw, x.shape(), !gpu::is_complex(gpu::dtype_of<T>), gives_points);
    if (wanted.points.back() == 0) {  // irfft of one number has to be told of how many
        wanted.points.back() = 1;
        gives_points = true;
    }
    gpu::fft::FftnOptions options{.axes = gpu::Axes(std::span<const int>(wanted.axes)), .norm = wanted.norm};
    if (gives_points) {
        for (const std::int64_t n : wanted.points) options.s.push_back(n);
    }
    CAPTURE(gpu::name(gpu::dtype_of<T>));
    CAPTURE(gpu::to_string(x.shape()));
    CAPTURE(static_cast<int>(wanted.kind));
    CAPTURE(static_cast<int>(wanted.norm));
    CAPTURE(static_cast<int>(layout));
    std::string axes, lengths;
    for (const int axis : wanted.axes) axes += std::to_string(axis) + " ";
    for (const std::int64_t n : wanted.points) lengths += std::to_string(n) + " ";
    CAPTURE(axes);
    CAPTURE(lengths);
    const Numbers before = numbers_of(base);
    check_transform<T>(x, wanted, options, reference(numbers_of(x.copy()), wanted));
    CHECK(numbers_of(base).values == before.values);
}

template <class T>
void check_cases(unsigned seed, int count) {
    Draw draw(seed);
    for (int k = 0; k < count; ++k) check_case<T>(draw);
}

/// The largest error of a transform and its inverse, relative to the largest number.
template <class T>
double round_trip(std::int64_t n) {
    const gpu::Array<T> x = gpu::random::Generator(7).normal<T>({n});
    const gpu::Array<gpu::complex<T>> there = gpu::fft::fft(x), back = gpu::fft::ifft(there);
    const gpu::Array<T> half = gpu::fft::irfft(gpu::fft::rfft(x), {.n = n});
    const gpu::Array<T> errors = gpu::maximum(gpu::abs(back - x), gpu::abs(half - x));
    // Parseval: the sums of squares agree, but for the factor n.
    const double energy = static_cast<double>(gpu::sum<double>(gpu::square(x.template astype<double>())).item());
    const gpu::Array<T> sizes = gpu::abs(there);
    const double there_energy = gpu::sum(gpu::square(sizes.template astype<double>())).item() / static_cast<double>(n);
    CHECK(std::abs(energy - there_energy) <= 100 * epsilon<T>() * energy);
    return static_cast<double>(gpu::max(errors).item()) / static_cast<double>(gpu::max(gpu::abs(x)).item());
}

using support::contains;

/// Expects what a library may take for granted, and does what it may do: it reads and spoils memory that it was given.
/// Of doubles, on the host.
class DemandingTransforms final : public gpu::detail::FourierTransforms {
public:
    DemandingTransforms() : host_(gpu::detail::fourier_of(gpu::Device::current())) {
        gpu::detail::replace_fourier(this);
    }
    ~DemandingTransforms() override { gpu::detail::replace_fourier(nullptr); }

    void transform(const gpu::detail::FourierProblem& problem, void* from, void* to) override {
        using gpu::detail::FourierKind;
        gpu::synchronize();
        ++calls;
        constexpr std::size_t alignment = sizeof(std::complex<double>);
        is_aligned = is_aligned && reinterpret_cast<std::uintptr_t>(from) % alignment == 0 &&
                     reinterpret_cast<std::uintptr_t>(to) % alignment == 0;
        const bool becomes_real = problem.kind == FourierKind::complex_to_real;
        auto* const spectrum = static_cast<std::complex<double>*>(from);
        if (becomes_real) is_hermitian = is_hermitian && has_hermitian_planes(problem, spectrum);
        host_.transform(problem, from, to);
        gpu::synchronize();
        if (becomes_real) std::fill_n(spectrum, problem.batch * problem.complex_lengths().size(), NAN);
    }

    int calls = 0;
    bool is_aligned = true, is_hermitian = true;

private:
    static bool has_hermitian_planes(const gpu::detail::FourierProblem& problem, const std::complex<double>* spectrum) {
        const gpu::Shape lengths = problem.complex_lengths();
        const std::int64_t half = lengths[lengths.rank() - 1], size = lengths.size();
        const bool has_last = problem.lengths[lengths.rank() - 1] % 2 == 0;
        const auto at = [&](std::int64_t item, std::int64_t place) {
            return spectrum[problem.interleaved ? place * problem.batch + item : item * size + place];
        };
        for (std::int64_t place = 0; place < size; ++place) {
            const std::int64_t k = place % half;
            if (k != 0 && !(has_last && k == half - 1)) continue;
            std::int64_t mirrored = k, step = half, rest = place / half;
            for (int axis = lengths.rank() - 2; axis >= 0; --axis) {
                mirrored += step * ((lengths[axis] - rest % lengths[axis]) % lengths[axis]);
                step *= lengths[axis];
                rest /= lengths[axis];
            }
            for (std::int64_t item = 0; item < problem.batch; ++item) {
                if (!(at(item, place) == std::conj(at(item, mirrored)))) return false;
            }
        }
        return true;
    }

    gpu::detail::FourierTransforms& host_;
};

}  // namespace

TEST_CASE("fft and ifft are each other's inverse") {
    //! [fft]
    const gpu::Array<double> x = gpu::to_device({1.0, 2.0, 4.0, 3.0});
    const gpu::Array<gpu::complex<double>> spectrum = gpu::fft::fft(x);  // 10, -3+1i, 0, -3-1i
    const gpu::Array<double> back = gpu::real(gpu::fft::ifft(spectrum));
    //! [fft]
    const auto z = gpu::to_host(spectrum);
    CHECK(z[0].real() == doctest::Approx(10));
    CHECK(z[1].real() == doctest::Approx(-3));
    CHECK(z[1].imag() == doctest::Approx(1));
    CHECK(std::abs(z[2].real()) < 1e-14);
    CHECK(z[3].imag() == doctest::Approx(-1));
    CHECK(gpu::allclose(back, x).item());
}

TEST_CASE("rfft keeps half of a real array's transform, and irfft needs no more") {
    //! [rfft]
    const gpu::Array<float> x = gpu::to_device({1.f, 2.f, 4.f, 3.f, 5.f});
    const gpu::Array<gpu::complex<float>> half = gpu::fft::rfft(x);  // 5 / 2 + 1 = 3 numbers
    const gpu::Array<float> back = gpu::fft::irfft(half, {.n = 5});  // unless told, it gives 4 numbers
    //! [rfft]
    CHECK(half.shape() == gpu::Shape{3});
    CHECK(gpu::allclose(half, gpu::fft::fft(x)(gpu::slice(0, 3))).item());
    CHECK(gpu::allclose(back, x).item());
    CHECK(gpu::fft::irfft(half).shape() == gpu::Shape{4});
}

TEST_CASE("the number of points may stand without a name") {
    //! [points]
    auto x = gpu::arange<double>(6).reshape({2, 3});
    auto wide = gpu::fft::fft(x, 4);          // (2,4): along the last axis
    auto tall = gpu::fft::fft(x, 4, 0);       // (4,3)
    auto square = gpu::fft::fftn(x, {4, 4});  // (4,4)
    //! [points]
    const auto same = [](const auto& a, const auto& b) {
        CHECK(a.shape() == b.shape());
        CHECK(gpu::array_equal(a, b).item());
    };
    same(wide, gpu::fft::fft(x, {.n = 4}));
    same(tall, gpu::fft::fft(x, {.n = 4, .axis = 0}));
    same(square, gpu::fft::fftn(x, {.s = {4, 4}}));
    same(gpu::fft::ifft(wide, 3), gpu::fft::ifft(wide, {.n = 3}));
    same(gpu::fft::rfft(x, 5), gpu::fft::rfft(x, {.n = 5}));
    same(gpu::fft::irfft(gpu::fft::rfft(x, 5), 5), gpu::fft::irfft(gpu::fft::rfft(x, 5), {.n = 5}));
    same(gpu::fft::fftn(x, {4}), gpu::fft::fftn(x, {.s = {4}}));
    same(gpu::fft::ifftn(square, {2, 3}), gpu::fft::ifftn(square, {.s = {2, 3}}));
    same(gpu::fft::rfftn(x, {4, 4}), gpu::fft::rfftn(x, {.s = {4, 4}}));
    same(gpu::fft::irfftn(square, {4, 6}), gpu::fft::irfftn(square, {.s = {4, 6}}));
    same(gpu::fft::fft2(x, {2, 4}), gpu::fft::fft2(x, {.s = {2, 4}}));
    same(gpu::fft::ifft2(square, {2, 4}), gpu::fft::ifft2(square, {.s = {2, 4}}));
    same(gpu::fft::rfft2(x, {2, 4}), gpu::fft::rfft2(x, {.s = {2, 4}}));
    same(gpu::fft::irfft2(square, {2, 4}), gpu::fft::irfft2(square, {.s = {2, 4}}));
    same(gpu::fft::fftshift(x, 1), gpu::fft::fftshift(x, {.axes = 1}));
    same(gpu::fft::ifftshift(x, {0, 1}), gpu::fft::ifftshift(x));
}

TEST_CASE("fftn transforms along several axes") {
    //! [fftn]
    const auto x = gpu::arange<double>(24).reshape({2, 3, 4});
    const gpu::Array<gpu::complex<double>> all = gpu::fft::fftn(x);
    const gpu::Array<gpu::complex<double>> some = gpu::fft::fftn(x, {.s = {4, -1}, .axes = {1, 0}});  // shape (2,4,4)
    const gpu::Array<gpu::complex<double>> back = gpu::fft::ifftn(all);
    //! [fftn]
    CHECK(all(0, 0, 0).item().real() == doctest::Approx(276));
    CHECK(some.shape() == gpu::Shape{2, 4, 4});
    CHECK(gpu::allclose(gpu::real(back), x).item());
    const gpu::Array<gpu::complex<double>> twice = gpu::fft::fft(gpu::fft::fft(x, {.n = 4, .axis = 1}), {.axis = 0});
    CHECK(gpu::allclose(some, twice).item());
}

TEST_CASE("rfftn halves the axis named last") {
    //! [rfftn]
    const auto x = gpu::arange<double>(24).reshape({2, 3, 4});
    const gpu::Array<gpu::complex<double>> half = gpu::fft::rfftn(x, {.axes = {2, 1}});  // shape (2,2,4)
    const gpu::Array<double> back =
        gpu::fft::irfftn(half, {.s = {4, 3}, .axes = {2, 1}});  // 3 points are no even number
    //! [rfftn]
    CHECK(half.shape() == gpu::Shape{2, 2, 4});
    CHECK(gpu::allclose(back, x).item());
}

TEST_CASE("fft2 transforms images") {
    gpu::random::Generator generator(3);
    const auto image = generator.uniform<float>({8, 8});
    //! [fft2]
    gpu::Array<gpu::complex<float>> spectrum = gpu::fft::fftshift(gpu::fft::fft2(image));  // frequency 0 in the middle
    spectrum(gpu::slice(0, 2)) = gpu::complex<float>(0);                                   // without the high ones
    const gpu::Array<float> smooth = gpu::real(gpu::fft::ifft2(gpu::fft::ifftshift(spectrum)));
    //! [fft2]
    CHECK(gpu::mean(smooth).item() == doctest::Approx(gpu::mean(image).item()));
    CHECK(gpu::var(smooth).item() < gpu::var(image).item());
}

TEST_CASE("rfft2 transforms many images at once") {
    gpu::random::Generator generator(4);
    const auto images = generator.uniform<float>({3, 8, 6});
    //! [rfft2]
    const gpu::Array<gpu::complex<float>> spectra = gpu::fft::rfft2(images);  // of shape (3,8,4)
    const gpu::Array<float> back = gpu::fft::irfft2(spectra, {.s = {8, 6}});
    //! [rfft2]
    CHECK(spectra.shape() == gpu::Shape{3, 8, 4});
    CHECK(gpu::allclose(back, images, {.atol = 1e-5}).item());
}

TEST_CASE("fftfreq and rfftfreq name a transform's frequencies") {
    //! [fftfreq]
    const gpu::Array<double> all = gpu::fft::fftfreq(5, 0.1);     // 0, 2, 4, -4, -2
    const gpu::Array<float> half = gpu::fft::rfftfreq<float>(4);  // 0, 0.25, 0.5
    //! [fftfreq]
    CHECK(gpu::to_host(all) == std::vector<double>{0, 2, 4, -4, -2});
    CHECK(gpu::to_host(half) == std::vector<float>{0, 0.25f, 0.5f});
    CHECK(gpu::to_host(gpu::fft::fftfreq(4)) == std::vector<double>{0, 0.25, -0.5, -0.25});
    CHECK(gpu::to_host(gpu::fft::fftfreq(1)) == std::vector<double>{0});
    CHECK(gpu::to_host(gpu::fft::rfftfreq(5, -2)) == std::vector<double>{0, -0.1, -0.2});
    CHECK_THROWS_WITH_AS((void)gpu::fft::fftfreq(0), "fftfreq: n is 0: a transform has at least 1 point",
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::fft::rfftfreq(4, 0), "rfftfreq: d, the distance of two points, is 0",
                         gpu::ShapeError);
}

TEST_CASE("fftshift moves frequency 0 to the middle, and ifftshift back") {
    //! [fftshift]
    const gpu::Array<int> x = gpu::to_device({0, 1, 2, -2, -1});
    const gpu::Array<int> ordered = gpu::fft::fftshift(x);  // -2, -1, 0, 1, 2
    const gpu::Array<int> back = gpu::fft::ifftshift(ordered);
    //! [fftshift]
    CHECK(gpu::to_host(ordered) == std::vector<int>{-2, -1, 0, 1, 2});
    CHECK(gpu::to_host(back) == gpu::to_host(x));
    const auto m = gpu::arange<int>(6).reshape({2, 3});
    CHECK(gpu::to_host(gpu::fft::fftshift(m)) == std::vector<int>{5, 3, 4, 2, 0, 1});
    CHECK(gpu::to_host(gpu::fft::fftshift(m, {.axes = -1})) == std::vector<int>{2, 0, 1, 5, 3, 4});
    CHECK(gpu::to_host(gpu::fft::ifftshift(m, {.axes = {1}})) == std::vector<int>{1, 2, 0, 4, 5, 3});
    CHECK(gpu::to_host(gpu::fft::fftshift(m + m, {.axes = 0})) == std::vector<int>{6, 8, 10, 0, 2, 4});
    CHECK(gpu::fft::fftshift(gpu::empty<int>({0, 3})).shape() == gpu::Shape{0, 3});
    CHECK(gpu::fft::fftshift(gpu::full<int>({}, 4)).item() == 4);
    CHECK_THROWS_WITH_AS((void)gpu::fft::fftshift(m, {.axes = 2}),
                         "fftshift: axis 2 is out of bounds for an array of dimension 2, shape (2,3)", gpu::AxisError);
}

TEST_CASE("random transforms are what the definition says, for every element type, layout, axis, length and norm") {
    check_cases<double>(1, 60);
    check_cases<float>(2, 60);
    check_cases<gpu::complex<double>>(3, 60);
    check_cases<gpu::complex<float>>(4, 60);
    check_cases<gpu::half>(5, 15);
    check_cases<int>(6, 15);
    check_cases<std::uint8_t>(7, 15);
    check_cases<bool>(8, 15);
}

TEST_CASE("every length from 1 to 130 is right, forwards and back, real and complex") {
    Draw draw(9);
    for (int n = 1; n <= 130; ++n) {
        CAPTURE(n);
        const gpu::Array<double> x = drawn<double>(draw, {n});
        const gpu::Array<gpu::complex<double>> z = drawn<gpu::complex<double>>(draw, {n / 2 + 1});
        const Numbers want = reference(numbers_of(x), {Kind::fft, {n}, {0}, Norm::backward});
        CHECK(agrees(gpu::fft::fft(x), want, n));
        CHECK(agrees(gpu::fft::rfft(x), resized(want, 0, n / 2 + 1), n));
        CHECK(
            agrees(gpu::fft::irfft(z, {.n = n}), reference(numbers_of(z), {Kind::irfft, {n}, {0}, Norm::backward}), n));
        CHECK(agrees(gpu::fft::ifft(x), reference(numbers_of(x), {Kind::ifft, {n}, {0}, Norm::backward}), n));
    }
}

TEST_CASE("long transforms, of prime lengths too, come back and keep the energy") {
    for (const std::int64_t n : {1 << 18, 1000000, 10007, 100003, 3 * 5 * 7 * 11 * 13, 2 * 10007, 65536 + 1}) {
        CAPTURE(n);
        CHECK(round_trip<double>(n) <= 16 * epsilon<double>() * std::log2(n));
        CHECK(round_trip<float>(n) <= 16 * epsilon<float>() * std::log2(n));
    }
    // One number of a long transform, against the definition.
    const std::int64_t n = 10007, k = 4321;
    Draw draw(10);
    const gpu::Array<double> x = drawn<double>(draw, {n});
    Wide want = 0;
    const std::vector<double> values = gpu::to_host(x);
    for (std::int64_t j = 0; j < n; ++j) {
        const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(j * k % n) / n;
        want += static_cast<long double>(values[static_cast<std::size_t>(j)]) * Wide(std::cos(angle), std::sin(angle));
    }
    const gpu::complex<double> got = gpu::fft::fft(x)(k).item();
    CHECK(std::abs(widened(got) - want) <= 1e-12L * std::sqrt(static_cast<long double>(n)));
}

TEST_CASE("batches along any axis are the transforms of their lines") {
    Draw draw(11);
    const gpu::Array<gpu::complex<double>> x = drawn<gpu::complex<double>>(draw, {40, 97, 30});
    const Numbers numbers = numbers_of(x);
    for (int axis = 0; axis < 3; ++axis) {
        CAPTURE(axis);
        const Wanted wanted{Kind::fft, {x.shape()[axis]}, {axis}, Norm::ortho};
        CHECK(agrees(gpu::fft::fft(x, {.axis = axis - 3, .norm = Norm::ortho}), reference(numbers, wanted), 97));
    }
}

TEST_CASE("more axes than a library takes at once, and axes of length 1 between them") {
    Draw draw(12);
    const gpu::Array<double> x = drawn<double>(draw, {2, 3, 1, 2, 4, 3});
    const std::vector<int> axes{0, 1, 2, 3, 4, 5};
    const Lengths lengths = lengths_of(x.shape());
    for (const Kind kind : {Kind::fft, Kind::rfft}) {
        const Numbers want = reference(numbers_of(x), {kind, lengths, axes, Norm::backward});
        if (kind == Kind::fft)
            CHECK(agrees(gpu::fft::fftn(x), want, 144));
        else
            CHECK(agrees(gpu::fft::rfftn(x), want, 144));
    }
    CHECK(gpu::allclose(gpu::fft::irfftn(gpu::fft::rfftn(x), {.s = {2, 3, 1, 2, 4, 3}}), x).item());
    const gpu::Array<double> ones = gpu::full<double>({1, 1}, 3);
    CHECK(gpu::fft::fftn(ones)(0, 0).item().real() == 3);
    CHECK(gpu::fft::irfftn(ones, {.s = {1, 1}})(0, 0).item() == 3);
    CHECK(gpu::fft::rfftn(ones)(0, 0).item().real() == 3);
}

TEST_CASE("expressions are transformed, and nothing of the input changes") {
    const gpu::Array<double> x = gpu::arange<double>(12).reshape({3, 4});
    const std::vector<double> before = gpu::to_host(x);
    const gpu::Array<gpu::complex<double>> doubled = gpu::fft::fft(2.0 * x), cut = gpu::fft::fft(2.0 * x, {.n = 3});
    CHECK(gpu::allclose(doubled, 2.0 * gpu::fft::fft(x)).item());
    CHECK(gpu::allclose(cut, 2.0 * gpu::fft::fft(x(gpu::all, gpu::slice(0, 3)))).item());
    const gpu::Array<gpu::complex<double>> z = gpu::fft::fft(x), same = z;
    (void)gpu::fft::ifft(z);
    (void)gpu::fft::irfft(z);
    (void)gpu::fft::irfft2(z);
    CHECK(gpu::to_host(z) == gpu::to_host(same));
    CHECK(gpu::to_host(x) == before);
    // A window that isn't aligned as pairs of numbers are.
    const gpu::Array<float> odd = gpu::arange<float>(9);
    const gpu::Array<float> apart = odd(gpu::slice(1, 9));
    CHECK(gpu::allclose(gpu::fft::rfft(odd(gpu::slice(1, 9))), gpu::fft::rfft(apart)).item());
}

TEST_CASE("types: float and half stay single, everything else becomes double") {
    static_assert(std::is_same_v<decltype(gpu::fft::fft(gpu::Array<float>())), gpu::Array<gpu::complex<float>>>);
    static_assert(std::is_same_v<decltype(gpu::fft::fft(gpu::Array<gpu::half>())), gpu::Array<gpu::complex<float>>>);
    static_assert(std::is_same_v<decltype(gpu::fft::rfft(gpu::Array<int>())), gpu::Array<gpu::complex<double>>>);
    static_assert(std::is_same_v<decltype(gpu::fft::fft2(gpu::Array<bool>())), gpu::Array<gpu::complex<double>>>);
    static_assert(std::is_same_v<decltype(gpu::fft::irfft(gpu::Array<gpu::complex<float>>())), gpu::Array<float>>);
    static_assert(std::is_same_v<decltype(gpu::fft::irfftn(gpu::Array<double>())), gpu::Array<double>>);
    static_assert(std::is_same_v<decltype(gpu::fft::fftfreq(3)), gpu::Array<double>>);
}

TEST_CASE("arrays without elements: batches may be empty, transforms have a point") {
    const gpu::Array<float> none = gpu::empty<float>({0, 4}), flat = gpu::empty<float>({0});
    CHECK(gpu::fft::fft(none).shape() == gpu::Shape{0, 4});
    CHECK(gpu::fft::rfft(none).shape() == gpu::Shape{0, 3});
    CHECK(gpu::fft::irfft(none).shape() == gpu::Shape{0, 6});
    CHECK(gpu::to_host(gpu::abs(gpu::fft::fft(flat, {.n = 3}))) == std::vector<float>{0, 0, 0});
    CHECK(gpu::fft::irfft(gpu::fft::rfft(none, {.n = 2, .axis = 0}), {.axis = 0}).shape() == gpu::Shape{2, 4});
    CHECK_THROWS_WITH_AS((void)gpu::fft::fft(flat),
                         "fft: axis 0 of an array of shape (0,) gives 0 points, but a transform has at least 1: say "
                         "how many with n",
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::fft::fft2(none),
                         "fft2: axis 0 of an array of shape (0,4) gives 0 points, but a transform has at least 1: say "
                         "how many with s",
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::fft::irfft(gpu::ones<float>({2, 1})),
                         "irfft: axis 1 of an array of shape (2,1) gives 0 points, but a transform has at least 1: "
                         "say how many with n",
                         gpu::ShapeError);
}

TEST_CASE("mistakes name the function, the values and the rule") {
    const auto x = gpu::ones<float>({2, 3});
    CHECK_THROWS_WITH_AS((void)gpu::fft::fft(x, {.n = 0}),
                         "fft: 0 points along axis 1 of an array of shape (2,3): a transform has at least 1",
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::fft::rfft(x, {.n = -2, .axis = 0}),
                         "rfft: -2 points along axis 0 of an array of shape (2,3): a transform has at least 1",
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::fft::fft(x, {.axis = 2}),
                         "fft: axis 2 is out of bounds for an array of dimension 2, shape (2,3)", gpu::AxisError);
    CHECK_THROWS_WITH_AS((void)gpu::fft::fftn(x, {.axes = {0, -2}}), "fftn: axis -2 is named twice", gpu::AxisError);
    CHECK_THROWS_WITH_AS((void)gpu::fft::fftn(x, {.s = {4}, .axes = {0, 1}}),
                         "fftn: s (4,) doesn't have one length for each axis: 2 axes are named", gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::fft::fftn(x, {.s = {4, 4, 4}}),
                         "fftn: s (4,4,4) has more lengths than an array of shape (2,3) has axes", gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::fft::fft2(gpu::ones<float>({3})), gpu::AxisError);
    const auto one = gpu::full<float>({}, 2);
    CHECK_THROWS_AS((void)gpu::fft::fft(one), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::fft::rfftn(one), gpu::AxisError);
    CHECK(gpu::fft::fftn(one).item().real() == 2);
}

TEST_CASE("the imaginary parts of numbers that are their own conjugates are ignored, as in NumPy") {
    using Z = gpu::complex<double>;
    const gpu::Array<Z> z = gpu::to_device({Z(1, 5), Z(2, 1), Z(3, -7)});
    const std::vector<double> even = gpu::to_host(gpu::fft::irfft(z)), odd = gpu::to_host(gpu::fft::irfft(z, {.n = 5}));
    const double want_even[] = {2, -1, 0, 0};  // numpy.fft.irfft([1+5j, 2+1j, 3-7j])
    for (std::size_t k = 0; k < 4; ++k) CHECK(std::abs(even[k] - want_even[k]) <= 1e-14);
    CHECK(odd[0] == doctest::Approx((1 + 2 * (2 + 3)) / 5.0));
}

TEST_CASE("libraries get what they take for granted: aligned arrays, and spectra that are those of real numbers") {
    if (!support::on_host()) return;  // it reads their memory
    using Z = gpu::complex<double>;
    Draw draw(13);
    const std::vector<std::vector<int>> axes{{0}, {1}, {2}, {1, 2}, {0, 1}, {0, 1, 2}, {2, 0, 1}, {0, 2}, {2, 1}};
    for (const gpu::Shape& shape : {gpu::Shape{3, 4, 5}, gpu::Shape{4, 1, 6}, gpu::Shape{2, 2, 2}}) {
        const gpu::Array<Z> z = drawn<Z>(draw, shape);
        const gpu::Array<double> x = drawn<double>(draw, {61});
        for (const std::vector<int>& some : axes) {
            for (const std::int64_t n : {6, 7}) {
                gpu::fft::FftnOptions options{.axes = gpu::Axes(std::span<const int>(some))};
                for (const int axis : some) options.s.push_back(axis == some.back() ? n : shape[axis]);
                const gpu::Array<double> want = gpu::fft::irfftn(z, options);
                const DemandingTransforms demanding;
                CHECK(gpu::to_host(gpu::fft::irfftn(z, options)) == gpu::to_host(want));
                (void)gpu::fft::rfftn(x(gpu::slice(1, 61)).reshape({3, 4, 5}), {.axes = options.axes});
                CHECK(demanding.calls >= 2);
                CHECK(demanding.is_aligned);
                CHECK(demanding.is_hermitian);
            }
        }
    }
}

TEST_CASE("a NaN spoils its own line alone") {
    auto x = gpu::ones<double>({3, 8});
    x(1, 2) = NAN;
    const auto finite = gpu::to_host(gpu::all(gpu::isfinite(gpu::abs(gpu::fft::fft(x))), {.axis = 1}));
    CHECK((finite[0] && !finite[1] && finite[2]));
}

TEST_CASE("transforms are done in their turn in a stream") {
    gpu::Stream stream;
    const gpu::StreamGuard guard(stream);
    gpu::Array<gpu::complex<double>> z = gpu::ones<gpu::complex<double>>({64, 33});
    for (int k = 0; k < 10; ++k) {
        z = gpu::fft::fft(z, {.axis = k % 2});
        z = z * gpu::complex<double>(2);
        z = gpu::fft::ifft(z, {.axis = k % 2});
    }
    CHECK(gpu::allclose(gpu::abs(z), gpu::full<double>({64, 33}, 1024)).item());
}

TEST_CASE("check mode finds nothing wrong with transforms") {
    if (!support::on_host()) return;  // a GPU has no check mode
    const gpu::CheckReport report = gpu::check([] {
        const auto x = gpu::arange<double>(60).reshape({3, 4, 5}).copy();
        gpu::Array<gpu::complex<double>> z = gpu::fft::rfftn(x) * gpu::complex<double>(2);
        (void)gpu::to_host(gpu::fft::irfftn(z) + 1.0);
        (void)gpu::to_host(gpu::abs(gpu::fft::fft(x, {.n = 7, .axis = 1})));
        (void)gpu::to_host(gpu::fft::fftshift(gpu::fft::fft2(x)));
    });
    CHECK(report.to_text() == "");
}

TEST_CASE("transforms happen where the arrays are") {
    if (!two_devices("transforms on a second device")) return;
    const auto there = gpu::ones<float>({4, 4}).to(gpu::Device(1));
    CHECK(gpu::fft::fft2(there).device() == gpu::Device(1));
    CHECK(gpu::fft::irfft(gpu::fft::rfft(there + there, {.n = 5})).device() == gpu::Device(1));
    CHECK(gpu::fft::fft(there, {.axis = 0})(0, 0).item().real() == 4);
}

TEST_CASE("a log and the counts tell of transforms, which no graph takes") {
    const auto x = gpu::ones<float>({2, 3, 4});
    const gpu::LaunchLog log;
    const std::uint64_t launches = gpu::counts().launches;
    (void)gpu::fft::rfft2(x);
    CHECK(gpu::counts().launches == launches + 1);
    const gpu::LaunchEntry entry = log.entries().back();
    CHECK(entry.kind == gpu::LaunchEntry::Kind::linear_algebra);
    CHECK(entry.name == "rfft2");
    CHECK(entry.problem == "float32, 3 x 4, 2 of them");
    CHECK(entry.bytes == 24 * 4 + 18 * 8);
    gpu::GraphCapture capture;
    CHECK(contains(support::error_of([&] { (void)gpu::fft::fft(x); }), "fft: not while a gpu::GraphCapture"));
}
