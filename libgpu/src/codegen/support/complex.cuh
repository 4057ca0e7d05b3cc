// SPDX-License-Identifier: MIT
// Complex numbers with their operators, and functions accurate to the last digits: logarithms, exponentials near 0, and
// the inverse functions, with the branch cuts of C++ and NumPy (C, Annex G): the sign of a zero determines the side of
// a cut. Arcsine and arccosine: T. E. Hull, T. F. Fairgrieve, P. T. P. Tang, "Implementing the complex arcsine and
// arccosine functions using exception handling", ACM TOMS 23 (1997); areatangent: W. Kahan, "Branch cuts for complex
// elementary functions" (1987); the sums of squares: T. J. Dekker (1971).

// With a double, a number is double; otherwise it has the complex number's own type: z * 2 stays complex<float>.
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
// If one is exactly 0, so is the product, however large the other one is.
template <class T> GPU_COMPLEX_FUNCTION T gpu_complex_times(T a, T b) {
    return a == T() ? a * copysign(T(1), b) : b == T() ? copysign(T(1), a) * b : a * b;
}
// x is infinite, y is infinite or NaN: the angle of y is undefined (C, Annex G, has such cases).
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
// Real numbers stay real. Where cosh would overflow, the real part is 1 and the imaginary part almost 0.
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

// safe_small and safe_large: 4 sqrt(smallest), sqrt(largest) / 8. Between them, no square overflows or underflows.
template <class T> struct gpu_complex_limits;
template <> struct gpu_complex_limits<float> {
    static constexpr float eps = 1.1920929e-7f, largest = 3.4028235e38f, exponent = 88.0f;
    static constexpr float safe_small = 4.3368087e-19f, safe_large = 2.3058430e18f;
    static constexpr float log_2 = 0.693147181f, log_2_rest = -1.90465421e-9f;
};
template <> struct gpu_complex_limits<double> {
    static constexpr double eps = 2.220446049250313e-16, largest = 1.7976931348623157e308, exponent = 709.0;
    static constexpr double safe_small = 5.966672584960165e-154, safe_large = 1.6759759912428246e153;
    static constexpr double log_2 = 0.69314718055994531, log_2_rest = 2.3190468138462996e-17;
};
#define GPU_COMPLEX_PI T(3.14159265358979323846)
template <class T> GPU_COMPLEX_FUNCTION bool gpu_complex_is_infinite(T x) {
    return fabs(x) > gpu_complex_limits<T>::largest;
}
template <class T> GPU_COMPLEX_FUNCTION T gpu_complex_sum(T a, T b, T& rest) {
    const T sum = a + b, part = sum - a;
    rest += (a - (sum - part)) + (b - part);
    return sum;
}
// (1 + d)^2 + y^2 - 1, including the digits that cancel. fma() with 0: a product that no compiler fuses with what
// follows.
template <class T> GPU_COMPLEX_FUNCTION T gpu_complex_excess(T d, T y) {
    const T squared_d = fma(d, d, T(0)), squared_y = fma(y, y, T(0));
    T rest = fma(d, d, -squared_d) + fma(y, y, -squared_y);
    T sum = gpu_complex_sum(2 * d, squared_y, rest);
    sum = gpu_complex_sum(sum, squared_d, rest);
    return sum + rest;
}
// log |z|, accurate near |z| = 1 and where |z| itself would be infinite.
template <class T> GPU_COMPLEX_FUNCTION T gpu_complex_log_length(const complex<T>& z) {
    typedef gpu_complex_limits<T> limits;
    const T x = fabs(z.real()), y = fabs(z.imag()), larger = x > y ? x : y, smaller = x > y ? y : x;
    if (larger > limits::largest / 2) return log(hypot(x / 2, y / 2)) + limits::log_2;
    const T length = hypot(x, y);
    if (!(length > T(0.5) && length < T(2))) return log(length);
    return log1p(gpu_complex_excess(larger - 1, smaller)) / 2;
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> log(const complex<T>& z) {
    return {gpu_complex_log_length(z), arg(z)};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> log10(const complex<T>& z) {
    return log(z) * T(0.43429448190325182765);
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> log2(const complex<T>& z) {
    const T length = abs(z);
    const bool is_near_1 = length > T(0.5) && length < T(2), is_inside = length <= gpu_complex_limits<T>::largest;
    const T inverse = T(1.44269504088896340736);
    return {is_near_1 || !is_inside ? gpu_complex_log_length(z) * inverse : log2(length), arg(z) * inverse};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> log1p(const complex<T>& z) {
    const T x = z.real(), y = z.imag(), length = hypot(1 + x, y);
    const T angle = atan2(y, 1 + x);
    if (!(length > T(0.5) && length < T(2))) return {gpu_complex_log_length(complex<T>(1 + x, y)), angle};
    return {log1p(gpu_complex_excess(x, y)) / 2, angle};
}

// e^x (cos y + i sin y); real numbers stay real.
template <class T> GPU_COMPLEX_FUNCTION complex<T> exp(const complex<T>& z) {
    const T x = z.real(), y = z.imag();
    if (y == T()) return {exp(x), y};
    if (gpu_complex_has_no_direction(x, y)) return x < T() ? complex<T>(T(), copysign(T(), y)) : complex<T>(x, y - y);
    // e^x may overflow although the result doesn't
    if (x > gpu_complex_limits<T>::exponent && !gpu_complex_is_infinite(x)) {
        const T half = exp(x / 2);
        return {half * cos(y) * half, half * sin(y) * half};
    }
    const T length = exp(x);
    return {length * cos(y), length * sin(y)};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> expm1(const complex<T>& z) {
    const T x = z.real(), y = z.imag();
    if (y == T()) return {expm1(x), y};
    if (x > gpu_complex_limits<T>::exponent) return exp(z) - T(1);
    const T half = sin(y / 2);
    return {expm1(x) * cos(y) - 2 * half * half, exp(x) * sin(y)};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> exp2(const complex<T>& z) {
    typedef gpu_complex_limits<T> limits;
    const T y = z.imag(), angle = fma(y, limits::log_2, T(0));
    if (y == T()) return {exp2(z.real()), y};
    // A further rotation by what rounding removed from the angle.
    const T rest = fma(y, limits::log_2, -angle) + y * limits::log_2_rest, more_c = cos(rest), more_s = sin(rest);
    const T half = exp2(z.real() / 2), c = cos(angle), s = sin(angle);
    return {half * (c * more_c - s * more_s) * half, half * (s * more_c + c * more_s) * half};
}

template <class T> GPU_COMPLEX_FUNCTION bool gpu_isinf(const complex<T>& z) {
    return gpu_complex_is_infinite(z.real()) || gpu_complex_is_infinite(z.imag());
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> gpu_sign(const complex<T>& z) {
    const T x = z.real(), y = z.imag(), larger = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    if (x == T() && y == T()) return {T(), T()};
    const bool infinite_x = gpu_complex_is_infinite(x), infinite_y = gpu_complex_is_infinite(y);
    if (infinite_x != infinite_y && x == x && y == y)
        return infinite_x ? complex<T>(copysign(T(1), x), T()) : complex<T>(T(), copysign(T(1), y));
    const T a = x / larger, b = y / larger, length = hypot(a, b);
    return {a / length, b / length};
}

// The arcsine and the arccosine of x + iy in the first quadrant share their imaginary part.
template <class T> struct gpu_complex_arc { T sine, cosine, imag; };
template <class T> GPU_COMPLEX_FUNCTION gpu_complex_arc<T> gpu_complex_arcs(T x, T y) {
    typedef gpu_complex_limits<T> limits;
    const T right = GPU_COMPLEX_PI / 2;
    if (gpu_complex_is_infinite(x) || gpu_complex_is_infinite(y)) return {atan2(x, y), atan2(y, x), hypot(x, y)};
    if (x > limits::safe_large || y > limits::safe_large || (y < limits::safe_small && x == x)) {
        if (x != 1 && y <= limits::eps * fabs(x - 1)) {
            if (x < 1) return {asin(x), acos(x), y / sqrt((1 - x) * (1 + x))};
            const T root = sqrt(x - 1) * sqrt(x + 1);
            const T size = x > limits::safe_large ? limits::log_2 + log(x) : log1p((x - 1) + root);
            return {right, y / root, size};
        }
        if (y < limits::safe_small) return {right - sqrt(y), sqrt(y), sqrt(y)};
        if (limits::eps * y - 1 >= x) return {x / y, right, limits::log_2 + log(y)};
        const T ratio = x / y;
        return {atan2(x, y), atan2(y, x), limits::log_2 + log(y) + log1p(ratio * ratio) / 2};
    }
    const T r = hypot(x + 1, y), s = hypot(x - 1, y), a = (r + s) / 2, b = x / a;
    gpu_complex_arc<T> arc;
    if (b <= T(0.6417)) {
        arc.sine = asin(b);
        arc.cosine = acos(b);
    } else {
        const T opposite = x <= 1 ? sqrt((a + x) / 2 * (y * y / (r + x + 1) + (s + (1 - x))))
                                  : y * sqrt(((a + x) / (r + x + 1) + (a + x) / (s + (x - 1))) / 2);
        arc.sine = atan2(x, opposite);
        arc.cosine = atan2(opposite, x);
    }
    if (a <= T(1.5)) {
        const T more = x < 1 ? (y * y / (r + x + 1) + y * y / (s + (1 - x))) / 2
                             : (y * y / (r + x + 1) + (s + (x - 1))) / 2;
        arc.imag = log1p(more + sqrt(more * (a + 1)));
    } else {
        arc.imag = log(a + sqrt(a * a - 1));
    }
    return arc;
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> asin(const complex<T>& z) {
    const gpu_complex_arc<T> arc = gpu_complex_arcs(fabs(z.real()), fabs(z.imag()));
    return {copysign(arc.sine, z.real()), copysign(arc.imag, z.imag())};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> acos(const complex<T>& z) {
    const gpu_complex_arc<T> arc = gpu_complex_arcs(fabs(z.real()), fabs(z.imag()));
    return {z.real() < T() ? GPU_COMPLEX_PI - arc.cosine : arc.cosine, copysign(arc.imag, -z.imag())};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> asinh(const complex<T>& z) {
    const complex<T> turned = asin(complex<T>(z.imag(), z.real()));
    return {turned.imag(), turned.real()};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> acosh(const complex<T>& z) {
    const complex<T> arc = acos(z);
    return {fabs(arc.imag()), copysign(arc.real(), z.imag())};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> atanh(const complex<T>& z) {
    typedef gpu_complex_limits<T> limits;
    const T x = fabs(z.real()), y = fabs(z.imag());
    T size, angle;
    if (x > limits::safe_large || y > limits::safe_large) {
        const bool is_infinite = gpu_complex_is_infinite(x) || gpu_complex_is_infinite(y);
        const T halved = x > y ? x / 2 + y / 2 * (y / x) : y / 2 + x / 2 * (x / y);
        size = is_infinite ? T() : (x > y ? T(0.5) : x / y / 2) / halved;
        angle = y == y && (x == x || is_infinite) ? GPU_COMPLEX_PI / 2 : x + y;
    } else if (x == 1 && y < limits::safe_small) {  // next to the pole
        size = (limits::log_2 - log(y)) / 2;
        angle = y == T() ? T() : GPU_COMPLEX_PI / 4;
    } else {
        const T left = 1 - x, square = y < limits::safe_small ? T() : y * y;
        size = log1p(4 * x / (left * left + square)) / 4;
        angle = atan2(2 * y, left * (1 + x) - square) / 2;
    }
    return {copysign(size, z.real()), copysign(angle, z.imag())};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> atan(const complex<T>& z) {
    const complex<T> turned = atanh(complex<T>(z.imag(), z.real()));
    return {turned.imag(), turned.real()};
}
#undef GPU_COMPLEX_PI
#undef GPU_COMPLEX_FUNCTION
