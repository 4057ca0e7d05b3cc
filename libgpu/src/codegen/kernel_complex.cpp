// SPDX-License-Identifier: MIT
#include "codegen/kernel_complex.hpp"

#include <algorithm>

#include "codegen/kernel_headers.hpp"

namespace gpu::detail {

const std::string_view kernel_complex_numbers = R"gpu(
// A number is double with a double, else the complex number's own type: z * 2 stays complex<float>.
template <class A, class B> struct gpu_complex_of { typedef A type; };
template <> struct gpu_complex_of<float, double> { typedef double type; };
template <class A> struct gpu_complex_number {};
#define GPU_COMPLEX_NUMBER(T) template <> struct gpu_complex_number<T> { typedef T type; };
GPU_COMPLEX_NUMBER(char) GPU_COMPLEX_NUMBER(signed char) GPU_COMPLEX_NUMBER(unsigned char) GPU_COMPLEX_NUMBER(short)
GPU_COMPLEX_NUMBER(unsigned short) GPU_COMPLEX_NUMBER(int) GPU_COMPLEX_NUMBER(unsigned) GPU_COMPLEX_NUMBER(long)
GPU_COMPLEX_NUMBER(unsigned long) GPU_COMPLEX_NUMBER(long long) GPU_COMPLEX_NUMBER(unsigned long long)
GPU_COMPLEX_NUMBER(float) GPU_COMPLEX_NUMBER(double) GPU_COMPLEX_NUMBER(bool)
#undef GPU_COMPLEX_NUMBER
#define GPU_COMPLEX_FUNCTION __device__ __forceinline__

template <class T> struct alignas(2 * sizeof(T)) complex {
    typedef T value_type;
    complex() = default;
    GPU_COMPLEX_FUNCTION constexpr complex(T real, T imag = T()) : real_(real), imag_(imag) {}
    template <class U>
    GPU_COMPLEX_FUNCTION constexpr complex(const complex<U>& z) : real_((T)z.real()), imag_((T)z.imag()) {}
    GPU_COMPLEX_FUNCTION constexpr T real() const { return real_; }
    GPU_COMPLEX_FUNCTION constexpr T imag() const { return imag_; }
    GPU_COMPLEX_FUNCTION void real(T value) { real_ = value; }
    GPU_COMPLEX_FUNCTION void imag(T value) { imag_ = value; }
    GPU_COMPLEX_FUNCTION complex& operator=(T real) { real_ = real; imag_ = T(); return *this; }
    template <class U> GPU_COMPLEX_FUNCTION complex& operator+=(const U& z) { return *this = complex(*this + z); }
    template <class U> GPU_COMPLEX_FUNCTION complex& operator-=(const U& z) { return *this = complex(*this - z); }
    template <class U> GPU_COMPLEX_FUNCTION complex& operator*=(const U& z) { return *this = complex(*this * z); }
    template <class U> GPU_COMPLEX_FUNCTION complex& operator/=(const U& z) { return *this = complex(*this / z); }

private:
    T real_, imag_;
};

template <class T> GPU_COMPLEX_FUNCTION complex<T> operator+(const complex<T>& z) { return z; }
template <class T> GPU_COMPLEX_FUNCTION complex<T> operator-(const complex<T>& z) { return {-z.real(), -z.imag()}; }
template <class T> GPU_COMPLEX_FUNCTION complex<T> gpu_complex_product(const complex<T>& a, const complex<T>& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
// Smith's method: no square of a large number.
template <class T> GPU_COMPLEX_FUNCTION complex<T> gpu_complex_quotient(const complex<T>& a, const complex<T>& b) {
    if (fabs(b.real()) >= fabs(b.imag())) {
        const T ratio = b.imag() / b.real(), size = b.real() + b.imag() * ratio;
        return {(a.real() + a.imag() * ratio) / size, (a.imag() - a.real() * ratio) / size};
    }
    const T ratio = b.real() / b.imag(), size = b.real() * ratio + b.imag();
    return {(a.real() * ratio + a.imag()) / size, (a.imag() * ratio - a.real()) / size};
}
#define GPU_COMPLEX_OPERATOR(op, both, with_number, number_with) \
    template <class A, class B> GPU_COMPLEX_FUNCTION complex<typename gpu_complex_of<A, B>::type> \
    operator op(const complex<A>& x, const complex<B>& y) { \
        typedef typename gpu_complex_of<A, B>::type T; \
        const complex<T> a(x), b(y); \
        return both; \
    } \
    template <class A, class B> \
    GPU_COMPLEX_FUNCTION complex<typename gpu_complex_of<A, typename gpu_complex_number<B>::type>::type> \
    operator op(const complex<A>& x, B y) { \
        typedef typename gpu_complex_of<A, B>::type T; \
        const complex<T> a(x); \
        const T b = (T)y; \
        return with_number; \
    } \
    template <class A, class B> \
    GPU_COMPLEX_FUNCTION complex<typename gpu_complex_of<B, typename gpu_complex_number<A>::type>::type> \
    operator op(A x, const complex<B>& y) { \
        typedef typename gpu_complex_of<B, A>::type T; \
        const T a = (T)x; \
        const complex<T> b(y); \
        return number_with; \
    }
GPU_COMPLEX_OPERATOR(+, complex<T>(a.real() + b.real(), a.imag() + b.imag()), complex<T>(a.real() + b, a.imag()),
                     complex<T>(a + b.real(), b.imag()))
GPU_COMPLEX_OPERATOR(-, complex<T>(a.real() - b.real(), a.imag() - b.imag()), complex<T>(a.real() - b, a.imag()),
                     complex<T>(a - b.real(), -b.imag()))
GPU_COMPLEX_OPERATOR(*, gpu_complex_product(a, b), complex<T>(a.real() * b, a.imag() * b),
                     complex<T>(a * b.real(), a * b.imag()))
GPU_COMPLEX_OPERATOR(/, gpu_complex_quotient(a, b), complex<T>(a.real() / b, a.imag() / b),
                     gpu_complex_quotient(complex<T>(a), b))
#undef GPU_COMPLEX_OPERATOR
template <class A, class B> GPU_COMPLEX_FUNCTION bool operator==(const complex<A>& a, const complex<B>& b) {
    return a.real() == b.real() && a.imag() == b.imag();
}
template <class A, class B> GPU_COMPLEX_FUNCTION bool operator!=(const complex<A>& a, const complex<B>& b) {
    return !(a == b);
}
#define GPU_COMPLEX_EQUAL(op, value) \
    template <class A, class B, class N = typename gpu_complex_number<B>::type> \
    GPU_COMPLEX_FUNCTION bool operator op(const complex<A>& a, B b) { return value; } \
    template <class A, class B, class N = typename gpu_complex_number<B>::type> \
    GPU_COMPLEX_FUNCTION bool operator op(B b, const complex<A>& a) { return value; }
GPU_COMPLEX_EQUAL(==, a.real() == b && a.imag() == 0) GPU_COMPLEX_EQUAL(!=, a.real() != b || a.imag() != 0)
#undef GPU_COMPLEX_EQUAL

template <class T> GPU_COMPLEX_FUNCTION T real(const complex<T>& z) { return z.real(); }
template <class T> GPU_COMPLEX_FUNCTION T imag(const complex<T>& z) { return z.imag(); }
template <class T> GPU_COMPLEX_FUNCTION T abs(const complex<T>& z) { return hypot(z.real(), z.imag()); }
template <class T> GPU_COMPLEX_FUNCTION T arg(const complex<T>& z) { return atan2(z.imag(), z.real()); }
template <class T>
GPU_COMPLEX_FUNCTION T norm(const complex<T>& z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <class T> GPU_COMPLEX_FUNCTION complex<T> conj(const complex<T>& z) { return {z.real(), -z.imag()}; }
template <class T> GPU_COMPLEX_FUNCTION complex<T> polar(T length, T angle = T()) {
    return {length * cos(angle), length * sin(angle)};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> sqrt(const complex<T>& z) {
    const T length = abs(z), height = fabs(z.imag());
    if (length == T()) return {T(), z.imag()};
    // Infinite, whatever the real part is.
    if (height == height && !(height - height == T())) return {height, z.imag()};
    const T larger = sqrt((length + fabs(z.real())) / 2), smaller = fabs(z.imag()) / (2 * larger);
    return z.real() >= T() ? complex<T>(larger, copysign(smaller, z.imag()))
                           : complex<T>(smaller, copysign(larger, z.imag()));
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> pow(const complex<T>& z, const complex<T>& power) {
    if (z == T()) return power == T() ? complex<T>(T(1)) : complex<T>();
    return exp(power * log(z));
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> pow(const complex<T>& z, T power) {
    if (z == T()) return power == T() ? complex<T>(T(1)) : complex<T>();
    return polar(pow(abs(z), power), power * arg(z));
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> pow(T base, const complex<T>& power) {
    return pow(complex<T>(base), power);
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> pow(const complex<T>& z, int power) {
    complex<T> result(T(1)), square = z;
    for (unsigned left = power < 0 ? 0u - (unsigned)power : (unsigned)power; left != 0; left /= 2) {
        if (left % 2 != 0) result = result * square;
        square = square * square;
    }
    return power < 0 ? T(1) / result : result;
}
// Where one is exactly 0 the product is too, however large the other one is.
template <class T> GPU_COMPLEX_FUNCTION T gpu_complex_times(T a, T b) {
    return a == T() ? a * copysign(T(1), b) : b == T() ? copysign(T(1), a) * b : a * b;
}
// x is infinite, y is infinite or NaN: nobody knows what an angle of y would be (C, Annex G, has such cases).
template <class T> GPU_COMPLEX_FUNCTION bool gpu_complex_has_no_direction(T x, T y) {
    return !(y - y == T()) && x == x && !(x - x == T());
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> sinh(const complex<T>& z) {
    if (gpu_complex_has_no_direction(z.real(), z.imag())) return {z.real(), z.imag() - z.imag()};
    return {gpu_complex_times(sinh(z.real()), cos(z.imag())), gpu_complex_times(cosh(z.real()), sin(z.imag()))};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> cosh(const complex<T>& z) {
    if (gpu_complex_has_no_direction(z.real(), z.imag())) return {fabs(z.real()), z.imag() - z.imag()};
    return {gpu_complex_times(cosh(z.real()), cos(z.imag())), gpu_complex_times(sinh(z.real()), sin(z.imag()))};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> sin(const complex<T>& z) {
    const complex<T> turned = sinh(complex<T>(-z.imag(), z.real()));
    return {turned.imag(), -turned.real()};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> cos(const complex<T>& z) {
    return cosh(complex<T>(-z.imag(), z.real()));
}
// A real number stays one. Where cosh would overflow, the real part is 1 and the imaginary part next to nothing.
template <class T> GPU_COMPLEX_FUNCTION complex<T> tanh(const complex<T>& z) {
    const T x = z.real(), y = z.imag();
    if (y == T()) return {tanh(x), y};
    if (fabs(x) > T(40)) {
        if (gpu_complex_has_no_direction(x, y)) return {copysign(T(1), x), copysign(T(), y)};
        return {y - y == T() ? copysign(T(1), x) : y - y, 4 * sin(y) * cos(y) * exp(-2 * fabs(x))};
    }
    const T size = cosh(2 * x) + cos(2 * y);
    return {sinh(2 * x) / size, sin(2 * y) / size};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> tan(const complex<T>& z) {
    const complex<T> turned = tanh(complex<T>(-z.imag(), z.real()));
    return {turned.imag(), -turned.real()};
}
)gpu";

const std::string& kernel_complex() {
    // Never destroyed: objects that outlive main compile kernels.
    static const std::string& text = *new std::string(
        std::string(kernel_complex_numbers) + std::string(kernel_complex_inverse) + "#undef GPU_COMPLEX_FUNCTION\n");
    return text;
}

bool names_complex(const std::vector<Token>& tokens) {
    bool named = std::any_of(complex_headers.begin(), complex_headers.end(), [&](std::string_view header) {
        return includes_header(tokens, header);
    });
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (!tokens[k].is_name() || tokens[k].text != "complex") continue;
        const std::string_view before = k > 0 ? tokens[k - 1].text : "",
                               after = k + 1 < tokens.size() ? tokens[k + 1].text : "";
        if (before == ":") continue;
        if (before == "struct" || before == "class" || before == "using" || before == "namespace") return false;
        named = named || after == "<";
    }
    return named;
}

}  // namespace gpu::detail
