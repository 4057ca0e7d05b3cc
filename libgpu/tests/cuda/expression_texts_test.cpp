// SPDX-License-Identifier: MIT
// NVRTC takes the text of every elementwise operation, of every kind of element.
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <memory>
#include <type_traits>
#include <vector>

#include <gpu/ops.hpp>

#include "codegen/node.hpp"
#include "cuda/compile/skeletons.hpp"
#include "runtime/storage.hpp"
#include "texts.hpp"
#include "with_nvrtc.hpp"

using namespace gpu::detail;

namespace {

// A leaf that needs no device.
template <class T>
gpu::Expr<T> leaf_of(std::int64_t offset) {
    auto made = std::make_shared<Node>();
    made->dtype = gpu::dtype_of<T>;
    made->shape = gpu::Shape{3};
    made->array = {.storage = nullptr, .offset = offset, .shape = {3}, .strides = {1}, .dtype = made->dtype};
    return gpu::Expr<T>(made);
}

// Compiles each of the expressions as a statement of one kernel.
class Kernel {
public:
    template <class T>
    Kernel& add(const gpu::Expr<T>& value) {
        const Flattened parts = flatten(*value.node());
        std::string text = expression_text(*value.node(), parts);
        const std::string k = std::to_string(count_++);
        std::string inside;
        for (const Parameter& parameter : expression_parameters(parts, std::vector<bool>(parts.arrays.size(), false))) {
            const std::string name = parameter.name + "_" + k;
            text_.parameters.push_back({parameter.role, parameter.type, name, false});
            inside += "const " + parameter.type + "& " + parameter.name + " = " + name + ";\n";
        }
        const std::string type(gpu::kernel_name(gpu::dtype_of<T>));
        text_.parameters.push_back(texts::output(type, "out_" + k));
        const std::string computed = std::is_same_v<T, gpu::half> ? "float" : type;
        body_ += "{\n" + inside + "auto value = " + text + ";\nstatic_assert(same<decltype(value), " + computed +
                 ">::value, \"" + text.substr(0, text.find('\n')) + "\");\nout_" + k + " = (" + type + ")value;\n}\n";
        return *this;
    }
    std::string complaint_of() {
        text_.name = "operations";
        text_.preamble = {"template <class A, class B> struct same { static constexpr bool value = false; };\n"
                          "template <class A> struct same<A, A> { static constexpr bool value = true; };\n",
                          "operations (preamble)", 1};
        text_.body = {body_, "operations", 1};
        return complaint(cuda::elementwise_skeleton(text_));
    }

private:
    ElementwiseText text_;
    std::string body_;
    int count_ = 0;
};

template <class T>
void check_real() {
    const auto x = leaf_of<T>(0), y = leaf_of<T>(8);
    Kernel first, second, third;
    first.add(-x + y * x - x / y).add(x % y).add(gpu::floor_divide(x, y)).add(gpu::remainder(x, y)).add(gpu::pow(x, y));
    first.add(gpu::minimum(x, y)).add(gpu::fmin(x, y)).add(gpu::fmax(x, y)).add(gpu::abs(x)).add(gpu::sign(x));
    first.add(gpu::square(x))
        .add(gpu::reciprocal(x))
        .add(gpu::clip(x, y, x))
        .add(gpu::fma(x, y, x))
        .add(x > y && !(x == y));
    first.add(gpu::where(x > y, x, y)).add(gpu::imag(x)).add(gpu::logical_xor(x, y)).add(gpu::round(x) + gpu::floor(x));
    second.add(gpu::sqrt(x)).add(gpu::cbrt(x)).add(gpu::rsqrt(x)).add(gpu::exp(x)).add(gpu::exp2(x)).add(gpu::expm1(x));
    second.add(gpu::log(x)).add(gpu::log2(x)).add(gpu::log10(x)).add(gpu::log1p(x)).add(gpu::sin(x)).add(gpu::cos(x));
    second.add(gpu::tan(x)).add(gpu::asin(x)).add(gpu::acos(x)).add(gpu::atan(x)).add(gpu::sinh(x)).add(gpu::cosh(x));
    second.add(gpu::tanh(x))
        .add(gpu::asinh(x))
        .add(gpu::acosh(x))
        .add(gpu::atanh(x))
        .add(gpu::erf(x))
        .add(gpu::erfc(x));
    third.add(gpu::lgamma(x)).add(gpu::tgamma(x)).add(gpu::ceil(x)).add(gpu::trunc(x)).add(gpu::atan2(x, y));
    third.add(gpu::hypot(x, y)).add(gpu::copysign(x, y)).add(gpu::degrees(x)).add(gpu::radians(x)).add(gpu::isnan(x));
    third.add(gpu::isinf(x)).add(gpu::isfinite(x)).add(gpu::signbit(x)).add(gpu::arg(x));
    third.add(x.template astype<bool>()).add(x.template astype<std::int8_t>()).add(x.template astype<std::uint64_t>());
    third.add(x.template astype<gpu::half>()).add(x.template astype<double>());
    third.add(x.template astype<gpu::complex<float>>()).add(x.template astype<gpu::complex<double>>());
    for (Kernel* kernel : {&first, &second, &third}) {
        const std::string log = kernel->complaint_of();
        CHECK_MESSAGE(log.empty(), gpu::name(gpu::dtype_of<T>) << ":\n" << log);
    }
}

}  // namespace

TEST_CASE("NVRTC compiles every operation on real numbers, with the type that libgpu says") {
    if (!with_nvrtc("operations on real numbers")) return;
    check_real<float>();
    check_real<double>();
    check_real<gpu::half>();
    check_real<int>();
    check_real<std::uint8_t>();
    check_real<std::int64_t>();
}

TEST_CASE("NVRTC compiles every operation on bits and on complex numbers") {
    if (!with_nvrtc("operations on bits and complex numbers")) return;
    Kernel kernel;
    const auto i = leaf_of<std::int16_t>(0), j = leaf_of<std::int16_t>(8);
    const auto u = leaf_of<std::uint64_t>(16), v = leaf_of<std::uint64_t>(24);
    const auto p = leaf_of<bool>(32), q = leaf_of<bool>(40);
    kernel.add(i & j).add(i | j).add(i ^ j).add(~i).add(i << j).add(i >> j).add(u & v).add(~u).add(u << v).add(u >> v);
    kernel.add(p & q).add(p | q).add(p ^ q).add(~p).add(p + q).add(p * q).add(p / q).add(p < q).add(gpu::minimum(p, q));
    CHECK_MESSAGE(kernel.complaint_of() == "", "bits");
    const auto check_complex = [](auto z, auto w) {
        Kernel complex;
        complex.add(-z + w * z - z / w).add(gpu::pow(z, w)).add(gpu::square(z + w)).add(gpu::reciprocal(z));
        complex.add(gpu::sqrt(z))
            .add(gpu::exp(z))
            .add(gpu::log(z))
            .add(gpu::log10(z))
            .add(gpu::sin(z))
            .add(gpu::cos(z));
        complex.add(gpu::tan(z))
            .add(gpu::sinh(z))
            .add(gpu::cosh(z))
            .add(gpu::tanh(z))
            .add(gpu::real(z))
            .add(gpu::imag(z));
        complex.add(gpu::conj(z)).add(gpu::abs(z)).add(gpu::arg(z)).add(z == w).add(z != w).add(z && w).add(!z);
        complex.add(gpu::isnan(z)).add(gpu::isinf(z)).add(gpu::isfinite(z)).add(gpu::where(z == w, z, w)).add(z * 2.0);
        complex.add(gpu::asin(z)).add(gpu::acos(z)).add(gpu::atan(z)).add(gpu::asinh(z)).add(gpu::acosh(z));
        complex.add(gpu::atanh(z)).add(gpu::exp2(z)).add(gpu::expm1(z)).add(gpu::log2(z)).add(gpu::log1p(z));
        complex.add(gpu::sign(z)).add(gpu::sign(z * w));
        complex.add(z.template astype<gpu::complex<double>>()).add(z.template astype<gpu::complex<float>>());
        const std::string log = complex.complaint_of();
        CHECK_MESSAGE(log.empty(), log);
    };
    check_complex(leaf_of<gpu::complex<float>>(0), leaf_of<gpu::complex<float>>(8));
    check_complex(leaf_of<gpu::complex<double>>(0), leaf_of<gpu::complex<double>>(8));
}
#endif
