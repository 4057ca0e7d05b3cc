// SPDX-License-Identifier: MIT

// The texts that libgpu/tests/kernels runs on the host backend: NVRTC takes every one of them too.
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include "codegen/kernel_declarations.hpp"
#include "cuda/compile/skeletons.hpp"
#include "kernels/texts/all.hpp"
#include "texts.hpp"
#include "with_nvrtc.hpp"

using namespace gpu::detail;

TEST_CASE("elementwise and reduction kernels may name complex numbers") {
    if (!with_nvrtc("complex elementwise kernel")) return;
    const ElementwiseText turn{
        .name = "turn",
        .parameters = {{Parameter::Role::input, "float", "x", false}, {Parameter::Role::output, "float", "z", false}},
        .rank = 1,
        .typedefs = "typedef float T;\n",
        .preamble = {},
        .body = {"complex<T> c(x, 1); z = abs(c * c)", "turn", 1}};
    CHECK(complaint(cuda::elementwise_skeleton(turn)).empty());
}

TEST_CASE("generated kernels have halves and complex numbers without a header") {
    if (!with_nvrtc("elements of generated kernels")) return;
    for (const char* type : {"half", "complex<float>", "complex<double>"}) {
        const std::string T = type;
        auto text =
            texts::elementwise("scale", {texts::input("T", "x"), texts::scalar("T", "f"), texts::output("T", "y")},
                               "y = x * f; y += x; y = y - 1");
        text.typedefs = "typedef " + T + " T;\n";
        const std::string problem = complaint(cuda::elementwise_skeleton(text));
        CHECK_MESSAGE(problem.empty(), T << ":\n" << problem);
        auto sum = texts::reduction("sum", {texts::input(T, "x", true), texts::output(T, "y")},
                                    T == "half" ? "float" : T, "x * x", "a + b", "y = a", "0");
        const std::string second = complaint(cuda::reduction_skeleton(sum));
        CHECK_MESSAGE(second.empty(), T << ":\n" << second);
    }
    auto own = texts::elementwise("own", {texts::input("float", "x"), texts::output("float", "y")},
                                  "half h = __float2half(x); y = __half2float(h)");
    own.preamble = {"#include <cuda_fp16.h>\n", "own (preamble)", 1};
    CHECK(cuda::elementwise_skeleton(own).text.find("struct half") == std::string::npos);
}

TEST_CASE("a raw kernel whose entry names halves gets their header, unless it defines either of their names itself") {
    if (!with_nvrtc("own halves")) return;
    const auto skeleton = [](const std::string& type, const std::string& begin) {
        const std::string text = begin + "template <class T> __global__ void k(T* x) { x[0] = x[1]; }\n";
        const gpu::detail::RawText raw{
            .name = "k<" + type + ">", .source = {text, "halves.cu", 1}, .signature = "", .options = {}};
        return cuda::raw_skeleton(raw);
    };
    const auto has_header = [](const gpu::detail::KernelSource& source) {
        return source.text.find("cuda_fp16.h") != std::string::npos;
    };
    for (const std::string type : {"half", "__half"}) {
        CAPTURE(type);
        CHECK(has_header(skeleton(type, "")));
        const auto own = skeleton(type, "struct " + type + " { unsigned short bits; };\n");
        CHECK_FALSE(has_header(own));
        CHECK(complaint(own).empty());
    }
}

TEST_CASE("a reduction may join CUDA's short vectors") {
    if (!with_nvrtc("reductions of short vectors")) return;
    auto mean = texts::reduction("mean", {texts::input("float", "x"), texts::output("float", "y")}, "double2",
                                 "double2{x, 1}", "make_double2(a.x + b.x, a.y + b.y)", "y = a.x / a.y",
                                 "make_double2(0, 0)");
    CHECK(complaint(cuda::reduction_skeleton(mean)).empty());
    const auto walked = texts::walking(mean, {.pack = 4, .is_packed = true, .deep_unroll = true});
    CHECK(complaint(cuda::reduction_skeleton(walked)).empty());
}

TEST_CASE("NVRTC compiles every kernel text of the host backend's tests") {
    if (!with_nvrtc("kernel texts")) return;
    for (const auto& [name, text] : texts::all) {
        const auto kernels = find_kernels(text);
        REQUIRE(!kernels.empty());
        const RawText raw{.name = kernels.front().name, .source = {text, name, 1}, .signature = "", .options = {}};
        for (const std::string& arch : tested_archs()) {
            std::string log;
            try {
                (void)cuda::compile_for(arch, cuda::raw_skeleton(raw));
            } catch (const CompileFailure& failure) {
                log = failure.log;
            }
            CHECK_MESSAGE(log.empty(), name << " for " << arch << ":\n" << log);
        }
    }
}
#endif

// NVRTC takes the text of every elementwise operation, of every kind of element.
#ifdef GPU_WITH_CUDA

#include <memory>
#include <type_traits>
#include <vector>

#include <gpu/ops.hpp>

#include "codegen/node.hpp"
#include "runtime/storage.hpp"

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

// Raw kernels and modules as NVRTC gets them: signatures, structures, several entries, options, PTX.
#ifdef GPU_WITH_CUDA

#include <algorithm>
#include <sstream>

#include <gpu/raw_module.hpp>

#include "codegen/kernel_support.hpp"
#include "launch/raw/raw_kernel.hpp"

using namespace gpu::detail;

namespace {

const char* const raw_kernels = R"(
struct Params { float factor; int first; };
__constant__ float coef[3];
__device__ int calls;
namespace filter { __constant__ int order = 2; }
template <class T> __global__ void mul(const T* x, T* y, T factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = factor * x[i] + coef[0] * filter::order;
}
__global__ void wide(const long long* a, long* b, size_t n, int64_t step, Params p) {
    b[0] = a[0] + n + step + p.first;
}
__global__ void turned(StridedView<const float, 2> x, StridedView<float, 2> y) {
    y(threadIdx.x, threadIdx.y) = x(threadIdx.y, threadIdx.x);
    atomicAdd(&calls, 1);
}
extern "C" __global__ void last(float* x) { x[0] = N; }
__global__ void pointers(float** rows, const float* const* __restrict__ more, void* any, const void* const* all,
                         int n) {
    rows[0][n] = more[1][n] + *(float*)any + *(const float*)all[0];
}
__global__ void pairs(float2* x, const double2* y, float2* const* z) { x[0].x = y[0].y + z[0]->x; }
)";

struct Params {
    float factor;
    int first;
};

template <class Signature>
RawText text(const std::string& name) {
    const RawSignature signature = make_signature(raw_kernels, name, gpu::RawKernel<Signature>::parameters());
    return {.name = name,
            .source = {raw_kernels, "raw.cu", 1},
            .signature = signature.text,
            .options = {"-DN=16"},
            .structs = signature.structs};
}

bool has_symbol(const Image& image, const std::string& name) {
    const auto* const first = reinterpret_cast<const char*>(image.bytes.data());
    return std::search(first, first + image.bytes.size(), name.begin(), name.end()) != first + image.bytes.size();
}

}  // namespace

TEST_CASE("NVRTC compares signatures and structures of raw kernels") {
    if (!with_nvrtc("signatures")) return;
    using Wide = void(const std::int64_t*, std::int64_t*, std::size_t, long long, Params);
    const RawText wide = text<Wide>("wide");
    CHECK(wide.signature == "(const long long*, long*, size_t, int64_t, Params)");
    for (const std::string& arch : tested_archs()) {
        CHECK_NOTHROW((void)gpu::detail::cuda::compile_for(arch, cuda::raw_skeleton(wide)));
        CHECK_NOTHROW((void)gpu::detail::cuda::compile_for(
            arch,
            cuda::raw_skeleton(text<void(gpu::StridedView<const float, 2>, gpu::StridedView<float, 2>)>("turned"))));
    }
    using Pointers = void(float**, const float* const*, void*, const void* const*, int);
    CHECK(text<Pointers>("pointers").signature ==
          "(float**, const float* const*, void*, const void* const*, int)");
    using Pairs = void(gpu::complex<float>*, const gpu::complex<double>*, gpu::complex<float>* const*);
    CHECK(text<Pairs>("pairs").signature == "(float2*, const double2*, float2* const*)");
    for (const std::string& arch : tested_archs()) {
        CHECK_NOTHROW((void)gpu::detail::cuda::compile_for(arch, cuda::raw_skeleton(text<Pointers>("pointers"))));
        CHECK_NOTHROW((void)gpu::detail::cuda::compile_for(arch, cuda::raw_skeleton(text<Pairs>("pairs"))));
    }
    using Other = void(const std::int64_t*, std::int64_t*, std::size_t, long long, int);
    CHECK(refused_name(cuda::raw_skeleton(text<Other>("wide"))) == Unresolved::Kind::signature);
    CHECK(refused_name(cuda::raw_skeleton(text<void(const double*, float*, double, int)>("mul<double>"))) ==
          Unresolved::Kind::signature);
}

TEST_CASE("NVRTC takes our text of <cuComplex.h>, which it gets where the toolkit's isn't installed") {
    if (!with_nvrtc("<cuComplex.h>")) return;
    const std::string kernel =
        "__global__ void k(cuFloatComplex* x, cuDoubleComplex* y) {\n"
        "    x[0] = cuCfmaf(cuCdivf(x[0], x[1]), cuConjf(x[2]), make_cuComplex(cuCabsf(x[3]), 0));\n"
        "    y[0] = cuCfma(cuCdiv(y[0], y[1]), cuComplexFloatToDouble(x[0]), cuConj(y[2]));\n"
        "    y[1] = make_cuDoubleComplex(cuCabs(y[3]), cuCimag(cuCadd(y[4], cuCsub(y[5], cuCmul(y[6], y[7])))));\n}\n";
    const RawText raw{.name = "k",
                      .source = {std::string(cu_complex_header) + kernel, "own.cu", 1},
                      .signature = "(float2*, double2*)",
                      .options = {}};
    for (const std::string& arch : tested_archs())
        CHECK_NOTHROW((void)gpu::detail::cuda::compile_for(arch, cuda::raw_skeleton(raw)));
}

TEST_CASE("a module is one image with all its kernels and variables") {
    if (!with_nvrtc("modules")) return;
    RawText module = text<void(const float*, float*, float, int)>("mul<float>");
    module.more = {{"mul<double>", ""}, {"turned", ""}, {"last", "(float*)"}};
    for (const std::string& arch : tested_archs()) {
        const Image image = gpu::detail::cuda::compile_for(arch, cuda::raw_skeleton(module));
        const std::vector<std::string>& entries = image.entries;
        REQUIRE(entries.size() == 4);
        CHECK(entries[0].find("mul") != std::string::npos);
        CHECK(entries[0] != entries[1]);
        CHECK(entries[3] == "last");
        for (const std::string& entry : entries) CHECK(has_symbol(image, entry));
        CHECK(has_symbol(image, "coef"));
        CHECK(has_symbol(image, "calls"));
        CHECK(has_symbol(image, "_ZN6filter5orderE"));
    }
}

TEST_CASE("PTX is made for any capability that NVRTC knows, without a GPU") {
    if (!with_nvrtc("PTX")) return;
    const std::string ptx = ptx_of(cuda::raw_skeleton(text<void(float*)>("last")), 90);
    CHECK(ptx.find(".target sm_90") != std::string::npos);
    CHECK(ptx.find(".visible .entry last(") != std::string::npos);
    CHECK_THROWS_AS((void)ptx_of(cuda::raw_skeleton(text<void(float*)>("last")), 30), gpu::DeviceError);
}
#endif

#ifdef GPU_WITH_CUDA
#include <map>
#include <set>

#include <gpu/create.hpp>
#include <gpu/random.hpp>
#include <gpu/transfer.hpp>

#include "codegen/random_text.hpp"
#include "emulator.hpp"
#include "launch/builtin_kernel.hpp"

using namespace gpu::detail;
using gpu::DType;

namespace {

struct Kind {
    Draw draw;
    DType dtype;
};

constexpr Kind kinds[] = {
    {Draw::bits, DType::uint8},          {Draw::bits, DType::uint64},         {Draw::uniform, DType::float16},
    {Draw::uniform, DType::float32},     {Draw::uniform, DType::float64},     {Draw::normal, DType::float16},
    {Draw::normal, DType::float32},      {Draw::normal, DType::float64},      {Draw::normal, DType::complex64},
    {Draw::normal, DType::complex128},   {Draw::exponential, DType::float16}, {Draw::exponential, DType::float32},
    {Draw::exponential, DType::float64}, {Draw::bernoulli, DType::boolean},   {Draw::integers, DType::int8},
    {Draw::integers, DType::int64},      {Draw::wide_integers, DType::uint64},
    {Draw::poisson, DType::uint64}};

// The sums in a text whose operands are products: those that a compiler may contract to a fused multiply-add.
std::vector<std::string> contractible(const std::string& ptx) {
    std::set<std::string> products;
    std::vector<std::string> found;
    std::istringstream lines(ptx);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string operation, result;
        if (!(words >> operation >> result)) continue;
        const auto is = [&](const char* name) { return operation.rfind(name, 0) == 0; };
        const bool floating = operation.find("f32") != std::string::npos || operation.find("f64") != std::string::npos;
        if (!floating) continue;
        if (is("mul")) products.insert(result.substr(0, result.size() - 1));
        if (!is("add") && !is("sub")) continue;
        for (std::string operand; words >> operand;) {
            if (products.count(operand.substr(0, operand.size() - 1)) != 0) found.push_back(line);
        }
    }
    return found;
}

std::string ptx_of(const KernelSource& source) {
    const Image image = cuda::compile_for("compute_90", source);
    return {reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size()};
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

}  // namespace

TEST_CASE("NVRTC compiles every random kernel, and finds nothing in them to contract") {
    if (!with_nvrtc("random kernels")) return;
    std::vector<KernelSource> all;
    for (const Kind& kind : kinds) {
        all.push_back(cuda::elementwise_skeleton(random_text(kind.draw, kind.dtype)));
        if (elements_per_block(kind.draw, kind.dtype) > 1)
            all.push_back(cuda::raw_skeleton(shifted_random_text(kind.draw, kind.dtype)));
    }
    for (KernelSource& source : all) {
        CAPTURE(source.text);
        for (const std::string& arch : tested_archs()) {
            std::string log;
            try {
                (void)cuda::compile_for(arch, source);
            } catch (const CompileFailure& failure) {
                log = failure.log;
            }
            CHECK_MESSAGE(log.empty(), source.name << " for " << arch << ":\n" << log);
        }
        // The same operations with and without leave to contract, and no sum of a product for the assembler either.
        const std::string free = ptx_of(source);
        source.options = {"--fmad=false"};
        const std::string strict = ptx_of(source);
        CHECK(count_of(free, "fma.") == count_of(strict, "fma."));
        CHECK(contractible(free).empty());
        CHECK(free.find(".approx") == std::string::npos);
        CHECK(free.find(".ftz") == std::string::npos);
    }
    const ElementwiseText planted = texts::elementwise(
        "planted", {texts::input("float", "x", true), texts::output("float", "y", true)}, "y = x * x + 1");
    KernelSource source = cuda::elementwise_skeleton(planted);
    source.options = {"--fmad=false"};
    CHECK(ptx_of(source).find("mul.rn.f32") != std::string::npos);
    CHECK(contractible(ptx_of(source)).size() >= 1);
}

namespace {

template <class T>
std::vector<T> emulated(Draw draw, std::uint64_t offset, std::size_t count, std::initializer_list<Argument> numbers) {
    Emulator kernel(cuda::elementwise_skeleton(random_text(draw, gpu::dtype_of<T>)));
    const auto each = static_cast<std::size_t>(elements_per_block(draw, gpu::dtype_of<T>));
    struct alignas(16) Group {
        T at[16 / sizeof(T)];
    };
    std::vector<Group> memory(count * sizeof(T) / sizeof(Group) + 2);
    T* const data = memory.front().at;
    std::memset(data, 0x5a, memory.size() * sizeof(Group));
    std::vector<Argument> arguments{array(data), number(std::uint64_t{7}), number(offset),
                                    number(static_cast<std::int64_t>(count))};
    arguments.insert(arguments.end(), numbers);
    const auto groups = static_cast<std::int64_t>((count + each - 1) / each);
    kernel.elementwise({.size = groups, .shape = {groups}}, arguments);
    const auto* const bytes = reinterpret_cast<const unsigned char*>(data);
    for (std::size_t k = count * sizeof(T); k < memory.size() * sizeof(Group); ++k) REQUIRE(bytes[k] == 0x5a);
    return {data, data + count};
}

// By the kernel whose threads share blocks, which the host backend doesn't take by itself.
template <class T>
std::vector<T> shifted(Draw draw, std::uint64_t offset, std::size_t count, std::initializer_list<Argument> numbers) {
    const auto size = static_cast<std::int64_t>(count), each = std::int64_t{elements_per_block(draw, gpu::dtype_of<T>)};
    gpu::Array<T> out = gpu::zeros<T>({size + each});
    std::vector<Argument> all{array(out.data()), number(std::uint64_t{7}), number(offset), number(size)};
    all.insert(all.end(), numbers);
    std::vector<void*> pointers;
    for (Argument& argument : all) pointers.push_back(argument.scalar);
    void* data = out.data();
    pointers[0] = &data;
    launch_builtin(
        gpu::Device::current(), std::string("shifted test ") + static_cast<char>('0' + static_cast<int>(draw)) +
        std::string(gpu::name(gpu::dtype_of<T>)),
        [&] { return shifted_random_text(draw, gpu::dtype_of<T>); }, divided_up(divided_up(size, each), 31) * 32,
        pointers.data(), static_cast<int>(pointers.size()));
    std::vector<T> made = gpu::to_host(out);
    for (std::size_t k = count; k < made.size(); ++k) REQUIRE(made[k] == T(0));
    made.resize(count);
    return made;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace

// The emulator compiles for any processor of its kind, where nothing is contracted and fma is a function of the C
// library; the host backend for this one, where it is an instruction and contraction is on.
TEST_CASE("the GPU's texts draw the host's bits") {
    if (!with_compiler("random values")) return;
    const gpu::DeviceGuard guard(gpu::Device::host(0));
    for (const std::uint64_t offset : {0u, 1u, 2u, 3u}) {
        const auto rng = [&] { return gpu::random::Generator(7, offset); };
        CHECK(same_bits(emulated<float>(Draw::normal, offset, 3001, {number(1.5f), number(3.f)}),
                        gpu::to_host(rng().normal<float>({3001}, 1.5, 3))));
        CHECK(same_bits(emulated<std::uint32_t>(Draw::bits, offset, 1003, {}),
                        gpu::to_host(rng().bits<std::uint32_t>({1003}))));
        if (offset > 1) continue;
        CHECK(same_bits(emulated<double>(Draw::normal, offset, 3001, {number(1.5), number(3.)}),
                        gpu::to_host(rng().normal<double>({3001}, 1.5, 3))));
        CHECK(same_bits(emulated<double>(Draw::exponential, offset, 3001, {number(3.)}),
                        gpu::to_host(rng().exponential<double>({3001}, 3))));
        CHECK(same_bits(emulated<float>(Draw::uniform, offset, 3001, {number(-1.f), number(2.f), number(0.99999994f)}),
                        gpu::to_host(rng().uniform<float>({3001}, -1, 1))));
        CHECK(same_bits(emulated<std::int16_t>(Draw::integers, offset, 303,
                                               {number(std::uint64_t{5}), number(std::uint64_t{1000})}),
                        gpu::to_host(rng().integers<std::int16_t>({303}, 5, 1005))));
        const std::uint64_t range = std::uint64_t{1} << 61;
        CHECK(same_bits(
            emulated<std::uint64_t>(Draw::wide_integers, offset, 303, {number(std::uint64_t{5}), number(range)}),
            gpu::to_host(rng().integers<std::uint64_t>({303}, 5, 5 + range))));
    }
}

TEST_CASE("threads that share blocks draw the same bits as those that don't") {
    const gpu::DeviceGuard guard(gpu::Device::host(0));
    for (const std::uint64_t offset : {1u, 2u, 3u, 101u}) {
        CAPTURE(offset);
        const auto rng = [&] { return gpu::random::Generator(7, offset); };
        for (const std::int64_t count : {1, 3, 124, 125, 3001}) {
            CAPTURE(count);
            const auto size = static_cast<std::size_t>(count);
            CHECK(
                same_bits(shifted<float>(Draw::uniform, offset, size, {number(-1.f), number(2.f), number(0.99999994f)}),
                          gpu::to_host(rng().uniform<float>({count}, -1, 1))));
            CHECK(
                same_bits(shifted<gpu::half>(Draw::uniform, offset, size, {number(-1.f), number(2.f), number(0.9995f)}),
                          gpu::to_host(rng().uniform<gpu::half>({count}, -1, 1))));
            CHECK(same_bits(shifted<std::uint8_t>(Draw::bits, offset, size, {}),
                            gpu::to_host(rng().bits<std::uint8_t>({count}))));
            if (offset % 2 == 0) continue;
            CHECK(same_bits(shifted<double>(Draw::normal, offset, size, {number(1.5), number(3.)}),
                            gpu::to_host(rng().normal<double>({count}, 1.5, 3))));
            CHECK(same_bits(shifted<gpu::complex<float>>(Draw::normal, offset, size, {number(1.5f), number(3.f)}),
                            gpu::to_host(rng().normal<gpu::complex<float>>({count}, 1.5, 3))));
            CHECK(same_bits(shifted<std::int8_t>(Draw::integers, offset, size,
                                                 {number(std::uint64_t{5}), number(std::uint64_t{100})}),
                            gpu::to_host(rng().integers<std::int8_t>({count}, 5, 105))));
        }
    }
}
#endif

// libgpu's own raw kernels: NVRTC takes each that libgpu can ask for.
#ifdef GPU_WITH_CUDA

#include "codegen/convolve_text.hpp"
#include "codegen/indexing_text.hpp"
#include "codegen/small_matrix_text.hpp"
#include "codegen/order_text.hpp"
#include "codegen/selection_text.hpp"
#include "launch/order/radix_sort.hpp"

using namespace gpu;
using namespace gpu::detail;

namespace {

void check_compiles(const RawText& text, const std::string& arch) {
    std::string log;
    try {
        (void)cuda::compile_for(arch, cuda::raw_skeleton(text));
    } catch (const CompileFailure& failure) {
        log = failure.log;
    }
    CHECK_MESSAGE(log.empty(), text.name << " for " << arch << ":\n" << log << "\n" << text.source.text);
}

}  // namespace

TEST_CASE("NVRTC compiles the kernels of take, put, add_at and masks") {
    if (!with_nvrtc("indexing texts")) return;
    for (const std::string& arch : tested_archs()) {
        check_compiles(mask_chunk_counts_text(), arch);
        check_compiles(mask_positions_text(), arch);
        check_compiles(mask_tile_counts_text({}), arch);
        check_compiles(mask_tile_kept_text(8, true, {}), arch);
        for (const std::size_t bytes : {1u, 2u, 4u, 8u, 16u})
            check_compiles(mask_tile_kept_text(bytes, false, {}), arch);
        for (DType element : {DType::int8, DType::int16, DType::float32, DType::float64, DType::complex128}) {
            check_compiles(take_text({element, DType::int32, 1, 1}), arch);
            check_compiles(put_text({element, DType::uint64, 3, 2}), arch);
        }
        for (DType index : {DType::int8, DType::uint8, DType::int64}) {
            check_compiles(take_text({DType::float32, index, 8, 8}), arch);
        }
        for (DType element :
             {DType::int32, DType::uint32, DType::int64, DType::uint64, DType::float32, DType::float64}) {
            check_compiles(add_at_text({element, DType::int32, 1, 1}), arch);
        }
    }
}

TEST_CASE("NVRTC compiles the kernels of convolutions") {
    if (!with_nvrtc("convolution texts")) return;
    for (const std::string& arch : tested_archs()) {
        for (DType element : {DType::int8, DType::uint16, DType::int32, DType::uint64, DType::float32, DType::float64,
                              DType::complex64, DType::complex128}) {
            check_compiles(convolve_plain_text(element, 1), arch);
            check_compiles(convolve_small_text(element, 3, 2, 1), arch);
            for (const bool tall : {false, true}) check_compiles(convolve_tiled_text(element, tall), arch);
        }
    }
}

TEST_CASE("NVRTC compiles the kernels of small matrices") {
    if (!with_nvrtc("small matrices")) return;
    for (const std::string& arch : tested_archs()) {
        for (DType element : {DType::float32, DType::float64, DType::complex64, DType::complex128}) {
            check_compiles(jacobi_text(element), arch);
            check_compiles(warp_eigh_text(element, 5), arch);
            check_compiles(block_eigh_text(element), arch);
            check_compiles(small_det_text(element, 4), arch);
            check_compiles(small_solve_text(element, 16, 4), arch);
        }
    }
}

TEST_CASE("NVRTC compiles the kernels of sorts and histograms") {
    if (!with_nvrtc("sort texts")) return;
    for (const std::string& arch : tested_archs()) {
        for (DType element : {DType::boolean, DType::int8, DType::int64, DType::uint32, DType::uint64, DType::float16,
                              DType::float32, DType::float64}) {
            for (const bool with_positions : {false, true}) {
                check_compiles(sort_runs_text({element, with_positions}), arch);
                check_compiles(sort_merge_text({element, with_positions}), arch);
            }
        }
        for (const CountingPlace place : {CountingPlace::shared, CountingPlace::common, CountingPlace::rows}) {
            for (const DType type : {DType::boolean, DType::int16, DType::int64})
                for (const bool weighted : {false, true})
                    check_compiles(bincount_text({.element = type, .place = place, .weighted = weighted}), arch);
            for (const DType type : {DType::uint8, DType::float32, DType::float64}) {
                const DType edges = type == DType::float32 ? type : DType::float64;
                check_compiles(histogram_text({.element = type, .place = place, .edges = edges}), arch);
                check_compiles(histogram_edges_text({.element = type, .edges = edges}), arch);
            }
        }
    }
}

TEST_CASE("NVRTC compiles the kernels of radix sorts, whose tiles fit in shared memory") {
    if (!with_nvrtc("radix sort texts")) return;
    constexpr std::int64_t many = 1 << 20, huge = std::int64_t{1} << 31;
    const auto check = [](const std::string& arch, DType element, bool with_positions, std::int64_t n) {
        const RadixTiles tiles = radix_tiles({element, with_positions}, n, many);
        const RadixTypes types{{element, with_positions}, tiles.wide};
        check_compiles(radix_counts_text(types, tiles.counts), arch);
        check_compiles(radix_pass_text(types, tiles.pass), arch);
        check_compiles(radix_lines_text(types, tiles.lines), arch);
        check_compiles(radix_chunk_counts_text(types), arch);
        check_compiles(radix_chunk_moves_text(types), arch);
    };
    for (const std::string& arch : tested_archs()) {
        check(arch, DType::float32, false, many);
        check(arch, DType::float64, true, 1000);
    }
    const std::string arch = tested_archs().front();
    check(arch, DType::float32, true, huge);
    check(arch, DType::float64, true, huge);
    check(arch, DType::int64, false, many);
    check(arch, DType::float16, true, many);
    check(arch, DType::boolean, true, 1000);
}

TEST_CASE(
    "NVRTC compiles the kernels of interp, of random permutations and of tables that random numbers are looked up in") {
    if (!with_nvrtc("lookup texts")) return;
    for (const std::string& arch : tested_archs()) {
        for (DType element : {DType::float32, DType::float64}) check_compiles(interp_text(element), arch);
        for (DType result : {DType::int8, DType::uint16, DType::int32, DType::int64, DType::uint64})
            check_compiles(lookup_text(result), arch);
        check_compiles(permutation_text(), arch);
    }
}

TEST_CASE("NVRTC compiles the kernels of scans") {
    if (!with_nvrtc("scan texts")) return;
    const ScanTypes table[] = {{.input = DType::boolean, .accumulator = DType::int64},
                               {.input = DType::uint8, .accumulator = DType::uint64, .operation = "a * b"},
                               {},
                               {.input = DType::complex64, .accumulator = DType::complex64, .operation = "a * b"},
                               {.input = DType::complex128, .accumulator = DType::complex128},
                               {.input = DType::float32, .accumulator = DType::float64, .operation = "a * b"}};
    for (const std::string& arch : tested_archs()) {
        for (ScanTypes types : table) {
            for (const ScanResult result : {ScanResult::inclusive, ScanResult::preceding, ScanResult::total}) {
                types.result = result;
                check_compiles(scan_chunks_text(types), arch);
                check_compiles(scan_tiles_text(types, {.lanes = 256}), arch);
                if (result != ScanResult::inclusive) continue;
                check_compiles(scan_tiles_text(types, {.lanes = 256, .waits = true}), arch);
                check_compiles(scan_tiles_text(types, {.lanes = 64}), arch);
                for (const int lanes : {1, 8}) check_compiles(scan_tiles_text(types, {.lanes = lanes}), arch);
            }
        }
    }
}

TEST_CASE("NVRTC compiles the kernels of scans by an operation and of searches") {
    if (!with_nvrtc("order texts")) return;
    const DType types[] = {DType::boolean, DType::int8,    DType::int64,   DType::uint32,
                           DType::uint64,  DType::float32, DType::float64, DType::complex64};
    for (const std::string& arch : tested_archs()) {
        for (const DType type : types) {
            const bool has_order = !is_complex(type);
            ScanTypes scan{.input = type,
                           .accumulator = type,
                           .operation = has_order ? "a > b || a != a ? a : b" : "a * b",
                           .name = "scan"};
            for (const bool segmented : {false, true}) {
                scan.segmented = segmented;
                scan.result = ScanResult::total;
                check_compiles(scan_chunks_text(scan), arch);
                scan.result = segmented ? ScanResult::inclusive : ScanResult::exclusive;
                check_compiles(scan_chunks_text(scan), arch);
                check_compiles(scan_tiles_text(scan, {.lanes = 256, .waits = segmented}), arch);
            }
            if (!has_order) continue;
            check_compiles(search_sorted_text(type), arch);
            check_compiles(is_in_text(type), arch);
        }
    }
}
#endif

#ifdef GPU_WITH_CUDA

#include "jit/compile_error.hpp"

using namespace gpu::detail;
using namespace gpu::detail::cuda;

namespace {

bool has(const std::string& log, const std::string& text) { return log.find(text) != std::string::npos; }

}  // namespace

TEST_CASE("an error in a body, a preamble or a part of a reduction points at the learner's line") {
    if (!with_nvrtc("learner's lines")) return;
    auto text = texts::squared_diff();
    text.body = {"float d = x - y;\nz = d * w;", "squared_diff", 1};
    CHECK(has(complaint(elementwise_skeleton(text)), "squared_diff(2): error: identifier \"w\" is undefined"));

    text = texts::squared_diff();
    text.preamble = {"\n__device__ int f() { return q; }", "lesson.cpp", 41};
    CHECK(has(complaint(elementwise_skeleton(text)), "lesson.cpp(42): error: identifier \"q\" is undefined"));

    auto norm = texts::l2norm();
    norm.map.text = "x * v";
    CHECK(has(complaint(reduction_skeleton(norm)), "l2norm (map)(1): error: identifier \"v\" is undefined"));
    norm = texts::l2norm();
    norm.reduce.text = "a + c";
    CHECK(has(complaint(reduction_skeleton(norm)), "l2norm (reduce)(1): error: identifier \"c\" is undefined"));
    norm = texts::l2norm();
    norm.post.text = "y = sqrt(b)";
    CHECK(has(complaint(reduction_skeleton(norm)), "l2norm (post)(1): error: identifier \"b\" is undefined"));
    norm = texts::l2norm();
    norm.identity = "zero";
    CHECK(has(complaint(reduction_skeleton(norm)), "l2norm (identity)(1): error: identifier \"zero\" is undefined"));
}

TEST_CASE("an error in a raw kernel points at the line of its file") {
    if (!with_nvrtc("lines of raw kernels")) return;
    const RawText text{.name = "add",
                       .source = {"extern \"C\" __global__ void add(float* x) {\n    x[0] = y;\n}", "add.cu", 7},
                       .signature = "(float*)", .options = {}};
    CHECK(has(complaint(raw_skeleton(text)), "add.cu(8): error: identifier \"y\" is undefined"));
}

TEST_CASE("a bracket that is never closed is shown where it stands") {
    if (!with_nvrtc("brackets")) return;
    const auto said = [](const KernelSource& source) { return explain_compile_failure(source, {complaint(source)}); };
    const KernelSource add = raw_skeleton(
        {.name = "add",
         .source = {"__global__ void add(float* x) {\n    if (x[0] == 0) {\n        x[0] = 1;\n}\n", "add.cu", 7},
         .signature = "(float*)", .options = {}});
    CHECK(has(said(add), "\nadd.cu:8:20: error: this { is never closed: a } is missing\n 7 | __global__"));
    auto text = texts::squared_diff();
    text.body = {"if (x > y) {\n    z = x;", "squared_diff", 1};
    CHECK(has(said(elementwise_skeleton(text)), "\nsquared_diff:1:12: error: this { is never closed"));
}

TEST_CASE("a missing semicolon and a comment at the end of a body are accepted") {
    if (!with_nvrtc("missing semicolon")) return;
    auto text = texts::squared_diff();
    for (const char* body : {"z = x", "z = x;", "z = x;;", "z = x // done", "z = x; /* done */", "{ z = x; }", ""}) {
        text.body.text = body;
        CHECK_MESSAGE(complaint(elementwise_skeleton(text)).empty(), body);
    }
}

TEST_CASE("an accumulator that is too large is refused in words") {
    if (!with_nvrtc("large accumulators")) return;
    auto text = texts::l2norm();
    text.preamble = {"struct Big { double v[9]; __device__ Big(double x) { v[0] = x; } };", "p", 1};
    text.accumulator = "Big";
    text.map.text = "Big(x)";
    text.reduce.text = "Big(a.v[0] + b.v[0])";
    text.post.text = "y = a.v[0]";
    CHECK(has(complaint(reduction_skeleton(text)), "the accumulator of a reduction has at most 64 bytes"));
}

TEST_CASE("writing to an input is an error in the learner's line") {
    if (!with_nvrtc("inputs are const")) return;
    auto text = texts::squared_diff();
    text.body.text = "x = 3";
    CHECK(has(complaint(elementwise_skeleton(text)), "squared_diff(1): error: expression must be a modifiable lvalue"));
}
#endif

TEST_CASE("NVRTC compiles the kernels that select the largest elements") {
    if (!with_nvrtc("selection texts")) return;
    const auto check = [](const std::string& arch, DType element) {
        check_compiles(select_counts_text(element, {}), arch);
        check_compiles(select_tile_counts_text(element, {}), arch);
        check_compiles(select_kept_text(element, {}), arch);
        check_compiles(select_parts_text(element, {}), arch);
        for (RawText (*const text)(DType) : {select_ordered_text, select_known_text, select_chunk_counts_text,
                                             select_chunk_parts_text})
            check_compiles(text(element), arch);
    };
    for (const std::string& arch : tested_archs()) check(arch, DType::float32);
    const std::string arch = tested_archs().front();
    for (const DType element : {DType::float64, DType::int64, DType::float16, DType::uint16, DType::int8})
        check(arch, element);
    check(arch, DType::boolean);
}
