// SPDX-License-Identifier: MIT

#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <sstream>

#include "cuda/compile/skeletons.hpp"
#include "texts.hpp"

using namespace gpu::detail;
using namespace gpu::detail::cuda;

namespace {

std::vector<KernelSource> all_sources() {
    std::vector<KernelSource> sources;
    for (const auto& text : texts::elementwise_table()) sources.push_back(elementwise_skeleton(text));
    for (const auto& text : texts::reduction_table()) {
        sources.push_back(reduction_skeleton(text));
        sources.push_back(join_skeleton(text));
    }
    return sources;
}

const RawText raw_add{.name = "add", .source = {"__global__ void add(const float* x) {}", "raw \"add\".cu", 12},
                      .signature = "(const float*)", .options = {"-DN=4"}};

}  // namespace

// The emulator runs one thread at a time and gives each launch its partial results whole.
TEST_CASE("packs are one load and one store, and a launch that joins waits for the one before it") {
    const auto places = [](const KernelSource& source, std::initializer_list<const char*> parts) {
        std::size_t at = 0;
        for (const char* const part : parts) {
            CHECK_MESSAGE((at = source.text.find(part, at)) != source.text.npos, source.name << ": " << part);
        }
    };
    places(elementwise_skeleton(texts::squared_diff()),
           {"_block = 256, _pack = 4", "_v._arg_x = *(const _Pack<T>*)&_arg_x[", "(_Pack<T>*)&_arg_z["});
    places(elementwise_skeleton(texts::strided_scale()), {"_each = 4", "_Arrays::_Staged _v[_each]"});
    const auto rows = texts::walking(texts::l2norm(), {.pack = 4, .is_packed = true});
    const auto columns = texts::walking(texts::strided_max(), {.by_column = true, .pack = 4, .is_packed = true});
    for (const auto& text : {rows, columns}) {
        places(reduction_skeleton(text),
               {"_v[_k]._arg_x = *(const _Pack<",
                "_part_of(const _Reduction& _r) {\n#if __CUDA_ARCH__ >= 900\n"
                "    if (_r.is_split) asm volatile(\"griddepcontrol.launch_dependents;\"",
                "__launch_bounds__(256) _kernel(", "_part_of(_r)"});
        const KernelSource join = join_skeleton(text);
        places(join, {"_part_of(const _Reduction& _r) {\n#if __CUDA_ARCH__ >= 900\n"
                      "    asm volatile(\"griddepcontrol.wait;\"",
                      "__launch_bounds__(256) _kernel(", "_part_of(_r)", "_in._load("});
        const std::size_t kernel = join.text.find("_kernel(_parameters) {");
        const std::size_t wait = join.text.find("_part_of(_r)", kernel);
        CHECK((wait < join.text.find("_partials", kernel) && wait < join.text.find("_in._", kernel)));
    }
}

TEST_CASE("after a snippet, the generated text's line numbers are its own again") {
    for (const KernelSource& source : all_sources()) {
        std::istringstream lines(source.text);
        int number = 0, directives = 0;
        for (std::string line; std::getline(lines, line);) {
            ++number;
            if (line.find("\"libgpu generated\"") == std::string::npos) continue;
            ++directives;
            CHECK(line == "#line " + std::to_string(number + 1) + " \"libgpu generated\"");
        }
        CHECK_MESSAGE(directives > 0, source.name);
    }
}

TEST_CASE("generated kernels include nothing, and are the same text each time") {
    const auto sources = all_sources(), again = all_sources();
    for (std::size_t k = 0; k < sources.size(); ++k) {
        CHECK(sources[k].text.find("#include") == std::string::npos);
        CHECK(sources[k].text == again[k].text);
    }
}

TEST_CASE("what joins partial results is the same for other maps and inputs, and another for other post statements") {
    const auto sum = [](const char* type, const char* map, const char* post, int reduced_rank) {
        auto text = texts::reduction("sum", {texts::input(type, "x", true), texts::output("float", "y")}, "float", map,
                                     "a + b", post, "0");
        text.reduced_rank = reduced_rank;
        return texts::walking(text, {.pack = reduced_rank});
    };
    const std::string joined = join_skeleton(sum("float", "x", "y = a", 1)).text;
    CHECK(joined.find("_map") == std::string::npos);
    CHECK(join_skeleton(sum("double", "complex<float>(x, 1).real()", "y = a", 2)).text == joined);
    CHECK(join_skeleton(sum("float", "x", "y = -a", 1)).text != joined);
}

TEST_CASE("a kernel's name may be any text") {
    CHECK(identifier("sum(x * y) / 2") == "sum_x___y____2");
    CHECK(elementwise_skeleton(texts::elementwise("exp", {}, "")).entries.at(0) == "libgpu_exp");
    CHECK(identifier(std::string(500, 'a')).size() == 64);
}

TEST_CASE("a raw kernel is the learner's text under the learner's name, its signature a name expression") {
    const KernelSource source = raw_skeleton(raw_add);
    CHECK(source.text == "#line 12 \"raw \\\"add\\\".cu\"\n__global__ void add(const float* x) {}\n");
    CHECK(source.entries.at(0) == "(void(*)(const float*))add");
    CHECK(source.options == std::vector<std::string>{"-DN=4"});
    RawText unchecked = raw_add;
    unchecked.signature.clear();
    CHECK(raw_skeleton(unchecked).entries.at(0) == "add");
}
#endif

// libgpu's own reductions in the GPU's skeleton: NVRTC takes their texts, and on the emulator they give what they must.
#ifdef GPU_WITH_CUDA
#include <cmath>

#include "emulator.hpp"
#include "launch/reductions.hpp"
#include "with_nvrtc.hpp"

using namespace gpu::detail;
using gpu::DType;

namespace {

ReductionText text_of(Reduction kind, DType element, DType result, bool strided = false) {
    ReductionText text = recipe_text({.kind = kind, .element = element, .result = result}, "x");
    text.parameters = {texts::input(std::string(gpu::kernel_name(element)), "x", strided)};
    if (recipe_of(kind).takes_n) text.parameters.push_back(texts::scalar("double", "n"));
    if (recipe_of(kind).takes_p) text.parameters.push_back(texts::scalar("double", "p"));
    text.parameters.push_back(texts::output(std::string(gpu::kernel_name(result)), "out", strided));
    text.kept_rank = strided ? 1 : 0;
    return text;
}

// Few values, so many ties; a NaN here and there if wanted.
std::vector<float> tied_numbers(std::int64_t n, bool with_nan) {
    auto x = small_numbers<float>(n);
    for (std::size_t k = 0; with_nan && k < x.size(); ++k) {
        if (k % 1013 == 700) x[k] = NAN;
    }
    return x;
}

// By the rules: the first NaN, else the first of the largest.
long long place_of_largest(const std::vector<float>& x, std::int64_t begin, std::int64_t step, std::int64_t count) {
    long long best = 0;
    const auto at = [&](std::int64_t k) { return x[static_cast<std::size_t>(begin + k * step)]; };
    for (std::int64_t k = 0; k < count; ++k) {
        if (std::isnan(at(k))) return k;
        if (at(k) > at(best)) best = k;
    }
    return best;
}

}  // namespace

TEST_CASE("along rows of many packs a thread loads eight at once, or four where it keeps a struct") {
    const auto loads = [](Reduction kind, const char* packs) {
        const ReductionText text = texts::walking(text_of(kind, DType::float32, DType::float32, true),
                                                  {.pack = 4, .is_packed = true, .deep_unroll = true});
        return cuda::reduction_skeleton(text).text.find(packs) != std::string::npos;
    };
    CHECK(loads(Reduction::sum, "#define _packs_in_flight 8\n"));
    CHECK(loads(Reduction::max, "#define _packs_in_flight 8\n"));
    CHECK(loads(Reduction::argmax, "#define _packs_in_flight 4\n"));
    CHECK_FALSE(loads(Reduction::argmax, "#define _packs_in_flight 8\n"));
}

TEST_CASE("NVRTC compiles each of libgpu's own reductions for its types") {
    if (!with_nvrtc("own reductions")) return;
    struct Types {
        DType element, result;
    };
    const auto check = [](Reduction kind, std::initializer_list<Types> list) {
        for (const auto& [element, result] : list) {
            const ReductionText text = text_of(kind, element, result, true);
            for (const KernelSource& source : {cuda::reduction_skeleton(text), cuda::join_skeleton(text)}) {
                const std::string problem = complaint(source);
                CHECK_MESSAGE(problem.empty(), source.name << " of " << gpu::name(element) << ":\n" << problem);
            }
        }
    };
    using enum DType;
    check(Reduction::sum, {{float32, float16}, {complex64, complex64}, {int64, int8}});
    check(Reduction::prod, {{float32, float16}, {complex128, complex128}, {uint64, uint64}});
    for (const Reduction kind : {Reduction::min, Reduction::max}) check(kind, {{float32, float16}, {boolean, boolean}});
    for (const Reduction kind : {Reduction::argmin, Reduction::argmax}) check(kind, {{float64, int64}, {int8, int64}});
    for (const Reduction kind : {Reduction::any, Reduction::all}) check(kind, {{boolean, boolean}});
    check(Reduction::count_nonzero, {{boolean, int64}});
    check(Reduction::mean, {{float32, float16}, {float64, float64}, {complex64, complex64}});
    for (const Reduction kind :
         {Reduction::variance, Reduction::stddev, Reduction::corrected_variance, Reduction::corrected_stddev}) {
        check(kind, {{float64, float16}, {complex128, float32}});
    }
    for (const Reduction kind : {Reduction::nanmin, Reduction::nanmax}) check(kind, {{float32, float16}, {int8, int8}});
    for (const Reduction kind : {Reduction::nanargmin, Reduction::nanargmax})
        check(kind, {{float64, int64}, {int8, int64}});
    check(Reduction::nanmean, {{float32, float16}, {float64, float64}, {complex64, complex64}});
    for (const Reduction kind : {Reduction::nanvar, Reduction::nanstd})
        check(kind, {{float64, float16}, {complex128, float32}});
    for (const Reduction kind : {Reduction::norm_0, Reduction::norm_1, Reduction::norm_2, Reduction::norm_p,
                                 Reduction::norm_largest, Reduction::norm_smallest}) {
        check(kind, {{float32, float16}, {complex64, float32}});
    }
}

TEST_CASE("libgpu's own reductions are compiled without fusing products and sums") {
    CHECK(cuda::reduction_skeleton(text_of(Reduction::sum, DType::float32, DType::float32)).options ==
          std::vector<std::string>{"--fmad=false"});
}

TEST_CASE("reductions without NaN on the emulator: places, means, variances") {
    if (!with_compiler("reductions without NaN")) return;
    Emulator place(text_of(Reduction::nanargmax, DType::float32, DType::int64));
    Emulator mean(text_of(Reduction::nanmean, DType::float64, DType::float64));
    Emulator variance(text_of(Reduction::nanvar, DType::float64, DType::float64));
    for (const std::int64_t n : {1, 33, 20011}) {
        CAPTURE(n);
        std::vector<float> x(static_cast<std::size_t>(n), NAN);
        long long at = 5;
        place.reduction(space_of({}, {n}), {array(x.data()), array(&at)});
        CHECK(at == -1);
        x[static_cast<std::size_t>(n / 2)] = x.back() = 2;
        place.reduction(space_of({}, {n}), {array(x.data()), array(&at)});
        CHECK(at == n / 2);

        auto y = small_numbers<double>(n);
        double sum = 0, squares = 0, count = 0;
        for (std::size_t k = 0; k < y.size(); ++k) {
            if (k % 3 == 1) {
                y[k] = NAN;
                continue;
            }
            sum += y[k], squares += y[k] * y[k], ++count;
        }
        double value = -1;
        mean.reduction(space_of({}, {n}), {array(y.data()), array(&value)});
        CHECK(value == doctest::Approx(sum / count).epsilon(1e-14));
        // Deviations from 0 instead of the mean: corrected.
        variance.reduction(space_of({}, {n}), {array(y.data()), number(0.), array(&value)});
        CHECK(value == doctest::Approx(squares / count - sum / count * (sum / count)).epsilon(1e-12));
        variance.reduction(space_of({}, {n}), {array(y.data()), number(count), array(&value)});
        CHECK(std::isnan(value));
    }
}

TEST_CASE("argmax on the emulator: ties and NaNs, whole, by rows and by columns, split over blocks") {
    if (!with_compiler("argmax")) return;
    Emulator whole(text_of(Reduction::argmax, DType::float32, DType::int64));
    for (const bool with_nan : {false, true}) {
        for (const std::int64_t n : {1, 2, 33, 257, 1009, 20011}) {
            const auto x = tied_numbers(n, with_nan);
            long long place = -1;
            whole.reduction(space_of({}, {n}), {array(x.data()), array(&place)});
            CHECK_MESSAGE(place == place_of_largest(x, 0, 1, n), n);
        }
    }
    Emulator any(text_of(Reduction::argmax, DType::float32, DType::int64, true));
    const std::int64_t m = 4001, n = 37;
    const auto x = tied_numbers(m * n, true);
    std::vector<long long> rows(static_cast<std::size_t>(m), -1), columns(static_cast<std::size_t>(n), -1);
    any.reduction(space_of({m}, {n}), {array(x.data(), {n, 1}), array(rows.data(), {1})});
    any.reduction(space_of({n}, {m}), {array(x.data(), {1, n}), array(columns.data(), {1})});
    for (std::int64_t i = 0; i < m; ++i) {
        REQUIRE(rows[static_cast<std::size_t>(i)] == place_of_largest(x, i * n, 1, n));
    }
    for (std::int64_t j = 0; j < n; ++j) {
        REQUIRE(columns[static_cast<std::size_t>(j)] == place_of_largest(x, j, n, m));
    }
}

TEST_CASE("deviations on the emulator: the sum of squares, corrected for a mean that was rounded") {
    if (!with_compiler("corrected variance")) return;
    Emulator kernel(text_of(Reduction::corrected_variance, DType::float64, DType::float64));
    for (const std::int64_t n : {0, 1, 33, 20011}) {
        // Numbers 0 to 12 less a wrong mean.
        auto x = small_numbers<double>(n);
        double sum = 0, squares = 0;
        for (const double value : x) sum += value, squares += value * value;
        for (double& value : x) value -= 5.25;
        const auto count = static_cast<double>(n);
        double variance = -1;
        kernel.reduction(space_of({}, {n}), {array(x.data()), number(count), number(count), array(&variance)});
        CAPTURE(n);
        if (n == 0)
            CHECK(std::isnan(variance));
        else
            CHECK(variance == doctest::Approx(squares / count - sum / count * (sum / count)).epsilon(1e-12));
    }
}

TEST_CASE("the smallest of numbers with a NaN is NaN, of others the smallest") {
    if (!with_compiler("min with NaN")) return;
    Emulator kernel(text_of(Reduction::min, DType::float32, DType::float32));
    for (const std::int64_t n : {1, 33, 20011}) {
        auto x = small_numbers<float>(n);
        for (float& value : x) value += 1;
        float y = -1;
        kernel.reduction(space_of({}, {n}), {array(x.data()), array(&y)});
        CHECK(y == 1.f);
        x[static_cast<std::size_t>(n / 2)] = NAN;
        kernel.reduction(space_of({}, {n}), {array(x.data()), array(&y)});
        CHECK(std::isnan(y));
    }
}
#endif
