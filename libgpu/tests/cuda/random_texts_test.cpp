// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include <map>
#include <set>
#include <sstream>

#include <gpu/random.hpp>
#include <gpu/transfer.hpp>

#include "codegen/random_text.hpp"
#include "emulated.hpp"
#include "with_nvrtc.hpp"

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
    {Draw::integers, DType::int64},      {Draw::wide_integers, DType::uint64}};

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
    std::vector<ElementwiseText> all{permutation_text()};
    for (const Kind& kind : kinds) all.push_back(random_text(kind.draw, kind.dtype));
    for (const ElementwiseText& text : all) {
        CAPTURE(text.parameters.front().type);
        CAPTURE(text.name);
        KernelSource source = cuda::elementwise_skeleton(text);
        for (const std::string& arch : tested_archs()) {
            std::string log;
            try {
                (void)cuda::compile_for(arch, source);
            } catch (const CompileFailure& failure) {
                log = failure.log;
            }
            CHECK_MESSAGE(log.empty(), text.name << " for " << arch << ":\n" << log);
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
#endif
