// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
// What each kind of call asks of CUDA's runtime: one more function on this way is paid for by every call.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <memory>
#include <random>
#include <vector>

#include <gpu/gpu.hpp>

#include "calls/calls.hpp"
#include "calls/fake_runtime.hpp"
#include "cuda/memory/device_memory.hpp"
#include "cuda/with_nvrtc.hpp"

std::map<std::string, std::function<void()>> known_calls() {
    auto x = gpu::empty<float>({10}), z = gpu::empty<float>({10});
    const auto one = gpu::empty<float>({}), square = gpu::empty<float>({64, 64});
    const gpu::ElementwiseKernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff");
    const gpu::ReductionKernel l2norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");
    const gpu::RawKernel<void(const float*, float*, int)> scale(
        "__global__ void scale(const float* x, float* z, int n) { if (threadIdx.x < n) z[threadIdx.x] = x[0]; }",
        "scale");
    std::map<std::string, std::function<void()>> calls{
        {"elementwise", [=]() mutable { squared_diff(x, x, gpu::out(z)); }},
        {"elementwise with a new output", [=] { (void)squared_diff(x, x); }},
        {"reduction", [=] { (void)l2norm(x); }},
        {"raw", [=]() mutable { scale({.grid = 1, .block = 32}, x, z, 10); }},
        {"expression", [=] { const gpu::Array<float> w = x + x; }},
        {"expression into an array", [=]() mutable { z = gpu::pow(x, 2) + 2.F * x; }},
        {"sum", [=] { (void)gpu::sum(x); }},
        {"item", [=] { (void)one.item(); }},
        {"product", [=] { (void)gpu::matmul(square, square); }}};
    for (const auto& [name, call] : calls) call();
    return calls;
}

int repeat(const std::string& name, int times) {
    auto calls = known_calls();
    const auto found = calls.find(name);
    if (found == calls.end()) return 1;
    for (int k = 0; k < times; ++k) found->second();
    return 0;
}

int time_first_calls(const std::string& name, int times) {
    const auto x = gpu::empty<float>({10}), many = gpu::empty<float>({1 << 20});
    const auto matrix = gpu::empty<float>({512, 8192});
    auto z = gpu::empty<float>({10});
    const auto reduce = [](const gpu::Array<float>& array, const std::string& number) {
        const gpu::ReductionKernel kernel("T x", "T y", "x", "a + b", "y = a + " + number, "0", "fresh");
        (void)kernel(array);
    };
    // An expression that differs with the number's digits.
    using Rows = gpu::Expr<float>;
    static constexpr Rows (*changes[])(const Rows&) = {[](const Rows& value) -> Rows { return value + 1.F; },
                                                       [](const Rows& value) -> Rows { return value - 1.F; },
                                                       [](const Rows& value) -> Rows { return value * 2.F; },
                                                       [](const Rows& value) -> Rows { return -value; },
                                                       [](const Rows& value) -> Rows { return gpu::abs(value); },
                                                       [](const Rows& value) -> Rows { return gpu::floor(value); },
                                                       [](const Rows& value) -> Rows { return gpu::ceil(value); },
                                                       [](const Rows& value) -> Rows { return gpu::square(value); },
                                                       [](const Rows& value) -> Rows { return gpu::sign(value); },
                                                       [](const Rows& value) -> Rows { return gpu::round(value); }};
    const auto varied = [](Rows value, const std::string& number) {
        for (const char digit : number) value = changes[digit - '0'](value);
        return value;
    };
    using Call = std::function<void(const std::string& number)>;
    const std::map<std::string, Call> kernels{
        {"elementwise",
         [&](const std::string& number) {
             gpu::ElementwiseKernel("T x", "T z", "z = x + " + number, "fresh")(x, gpu::out(z));
         }},
        {"reduction", [&](const std::string& number) { reduce(x, number); }},
        {"split reduction", [&](const std::string& number) { reduce(many, number); }},
        {"softmax of rows",
         [&](const std::string& number) {
             (void)gpu::fuse([&](const auto& rows) {
                 const auto e = exp(rows - gpu::max(rows, {.axis = -1, .keepdims = true}));
                 return varied(e / gpu::sum(e, {.axis = -1, .keepdims = true}), number);
             })(matrix);
         }},
        {"raw", [&](const std::string& number) {
             const gpu::RawKernel<void(const float*, float*)> kernel(
                 "__global__ void fresh(const float* x, float* z) { z[threadIdx.x] = x[threadIdx.x] + " + number +
                     "; }\n",
                 "fresh");
             kernel({.grid = 1, .block = 10}, x, z);
         }}};
    const auto found = kernels.find(name);
    if (found == kernels.end() || times < 1) return 1;
    std::mt19937 engine{std::random_device{}()};
    std::vector<double> taken;
    for (int k = 0; k <= times; ++k) {
        const std::clock_t start = std::clock();
        found->second(std::to_string(engine() >> 12));
        const auto ticks = static_cast<double>(std::clock() - start);
        if (k > 0) taken.push_back(1e3 * ticks / CLOCKS_PER_SEC);  // the first one opens the compiler
    }
    std::sort(taken.begin(), taken.end());
    std::printf("first call, %s: %.1f ms at the least, median %.1f ms of processor time\n", name.c_str(), taken.front(),
                taken[taken.size() / 2]);
    return 0;
}

namespace {

std::string asked_by(const std::function<void()>& call) {
    fake_runtime::forget();
    call();
    return fake_runtime::to_string(fake_runtime::calls());
}

}  // namespace

TEST_CASE("a histogram finds both ends of its range by one kernel and waits for nothing; bincount waits once") {
    if (!with_nvrtc("counting")) return;
    for (const bool is_given : {false, true}) {
        const auto x = gpu::empty<float>({1 << 20});
        const gpu::HistogramRange range = is_given ? gpu::HistogramRange(0, 1) : gpu::HistogramRange();
        const gpu::Counts before = gpu::counts();
        (void)gpu::histogram(x, {.bins = 100, .range = range});
        const gpu::Counts made = gpu::counts() - before;
        CHECK(made.launches == (is_given ? 2 : 3));  // edges with zeros, counts; both ends
        CHECK(made.synchronizations == 0);
    }
    (void)gpu::histogram(gpu::empty<double>({1000}), {.bins = 20000});
    (void)gpu::histogram(gpu::empty<gpu::half>({1000}));
    (void)gpu::histogram(gpu::empty<std::int64_t>({1000}));
    const auto numbers = gpu::zeros<int>({1 << 20});
    const gpu::Counts before = gpu::counts();
    (void)gpu::bincount(numbers, {.minlength = 300});
    CHECK((gpu::counts() - before).synchronizations == 1);
    (void)gpu::bincount(numbers, numbers, {.minlength = 20000});
}

TEST_CASE("a texture has memory of its own, and goes with its last copy") {
    if (!with_nvrtc("textures")) return;
    const auto x = gpu::ones<float>({4, 8});
    const gpu::RawKernel<void(gpu::Texture, float*)> read(
        "__global__ void read(cudaTextureObject_t t, float* y) { y[0] = tex2D<float>(t, 0, 0); }", "read");
    auto y = gpu::empty<float>({1});
    {
        const gpu::Texture first(x);
        fake_runtime::forget();
        const gpu::Texture texture(x), copy = texture;
        const fake_runtime::Calls made = fake_runtime::calls();
        CHECK(made.at("cudaMallocArray") == 1);
        CHECK(made.at("cudaMemcpy2DToArrayAsync") == 1);
        CHECK(made.at("cudaCreateTextureObject") == 1);
        CHECK(made.count("cudaMalloc") == 0);
        fake_runtime::watch_argument(0);
        read({.grid = 1, .block = 1}, copy, y);
        CHECK(fake_runtime::watched_argument() == reinterpret_cast<const void*>(std::uintptr_t{2}));
        fake_runtime::watch_argument(-1);
        CHECK(fake_runtime::calls().count("cudaDestroyTextureObject") == 0);
    }
    const fake_runtime::Calls gone = fake_runtime::calls();
    CHECK(gone.at("cudaDestroyTextureObject") == 2);
    CHECK(gone.at("cudaFreeArray") == 2);
    fake_runtime::forget();
    (void)gpu::Texture(gpu::ones<float>({8}), {.linear_memory = true});
    CHECK(fake_runtime::calls().at("cudaMalloc") == 1);
    CHECK(fake_runtime::calls().at("cudaFree") >= 1);
    CHECK(fake_runtime::calls().count("cudaMallocArray") == 0);
    // While a thread captures it mustn't wait: what it lets go is destroyed later.
    auto texture = std::make_unique<gpu::Texture>(x);
    fake_runtime::forget();
    {
        const gpu::GraphCapture capture;
        texture.reset();
        CHECK(fake_runtime::calls().count("cudaDestroyTextureObject") == 0);
    }
    (void)gpu::Texture(x);
    CHECK(fake_runtime::calls().at("cudaDestroyTextureObject") == 2);
}

TEST_CASE("a call asks the runtime for its launch, and for nothing else") {
    if (!with_nvrtc("calls")) return;
    const std::map<std::string, std::string> others{{"item", "cudaMemcpyAsync 1, cudaStreamSynchronize 1"},
                                                    {"product", ""}};  // cuBLAS launches it
    for (const auto& [name, call] : known_calls()) {
        CAPTURE(name);
        const auto found = others.find(name);
        CHECK(asked_by(call) == (found == others.end() ? "cudaLaunchKernel 1" : found->second));
    }
}

TEST_CASE("a cooperative launch is one of the runtime's") {
    if (!with_nvrtc("cooperative launches")) return;
    const gpu::RawKernel<void(int*)> kernel(
        "#include <cooperative_groups.h>\n__global__ void k(int* x) { cooperative_groups::this_grid().sync(); x[0] = "
        "1; }",
        "k");
    auto x = gpu::empty<int>({1});
    const auto call = [&](bool cooperative) {
        return [&, cooperative] { kernel({.grid = 2, .block = 32, .cooperative = cooperative}, x); };
    };
    call(true)();
    CHECK(asked_by(call(true)) == "count_cooperative 1, cudaLaunchKernelExC 1");
    CHECK(asked_by(call(false)) == "cudaLaunchKernel 1");
}

TEST_CASE("several reductions of the same rows are one launch") {
    if (!with_nvrtc("rows")) return;
    const gpu::ReduceOptions kept{.axis = -1, .keepdims = true};
    const auto softmax = gpu::fuse([&](const auto& x) {
        const auto e = exp(x - gpu::max(x, kept));
        return e / gpu::sum(e, kept);
    });
    const auto standardise = gpu::fuse(
        [&](const auto& x) { return (x - gpu::mean(x, kept)) / gpu::stddev(x, {.axis = -1, .keepdims = true}); });
    const auto columns = gpu::fuse([&](const auto& x) {
        const gpu::ReduceOptions down{.axis = 0, .keepdims = true};
        return (x - gpu::mean(x, down)) / gpu::stddev(x, {.axis = 0, .keepdims = true});
    });
    const auto launches_of = [](const auto& call) {
        call();
        const auto before = gpu::counts();
        call();
        return (gpu::counts() - before).launches;
    };
    for (const int n : {1, 7, 16, 100, 1000, 1001, 8192, 30000, 50000}) {
        CAPTURE(n);
        const auto x = gpu::empty<float>({300, n});
        CHECK(launches_of([&] { (void)softmax(x); }) == 1);
        CHECK(launches_of([&] { (void)standardise(x); }) == 1);
    }
    const auto x = gpu::empty<float>({64, 100});
    CHECK(launches_of([&] { (void)gpu::softmax(x, {.axis = -1}); }) == 1);
    CHECK(launches_of([&] { (void)gpu::logsumexp(x, {.axis = 1}); }) == 1);
    CHECK(launches_of([&] { (void)gpu::softmax(gpu::empty<gpu::half>({8, 64}), {.axis = 1}); }) == 1);
    CHECK(launches_of([&] { (void)gpu::softmax(x * 0.125F, {.axis = 1}); }) == 1);
    CHECK(launches_of([&] { (void)columns(x); }) == 2);
    // one long row would leave most multiprocessors idle: its maximum with its sum, then the quotients
    CHECK(launches_of([&] { (void)softmax(gpu::empty<float>({1, 1 << 20})); }) == 2);
    CHECK(asked_by([&] { (void)softmax(x); }).find("cudaLaunchKernel") != std::string::npos);
}

TEST_CASE("what joins partial results is loaded when outputs are split for the first time, once for all maps") {
    if (!with_nvrtc("joins")) return;
    const auto few = gpu::empty<float>({12}), many = gpu::empty<float>({1 << 20});
    const auto loads = [](const std::function<void()>& call) {
        fake_runtime::forget();
        call();
        return fake_runtime::calls()["cudaLibraryLoadData"];
    };
    const auto product_of = [](const gpu::Array<float>& x) { return [&] { (void)gpu::prod(x); }; };
    CHECK(loads(product_of(few)) == 1);
    CHECK(loads(product_of(many)) == 2);  // rows of many packs have a kernel of their own
    CHECK(asked_by(product_of(many)) == "cudaLaunchKernel 1, cudaLaunchKernelExC 1");
    CHECK(loads([&] { (void)gpu::prod(many + 1.F); }) == 1);
    CHECK(fake_runtime::loading_threads() == 1);
    CHECK(loads([&] { (void)gpu::min(many); }) == 2);
    CHECK(fake_runtime::loading_threads() == 2);  // at the same time
}

TEST_CASE("what joins partial results gets neither arrays nor numbers of the map") {
    if (!with_nvrtc("arguments of joins")) return;
    const auto x = gpu::empty<float>({1 << 20}), y = gpu::empty<float>({1 << 20});
    auto z = gpu::empty<float>({});
    const gpu::ReductionKernel scaled("T x, T y, float s", "T z", "x * y", "a + b", "z = s * a", "0", "scaled");
    struct WatchedAs {
        explicit WatchedAs(int k) { fake_runtime::watch_argument(k); }
        ~WatchedAs() { fake_runtime::watch_argument(-1); }
    };
    for (int again = 0; again < 2; ++again) {  // behind the space and the partial results
        {
            const WatchedAs result(2);
            gpu::sum(x * 2.F + y, {.out = gpu::out(z)});
        }
        CHECK(fake_runtime::watched_argument() == z.data());
        {
            const WatchedAs result(3);
            scaled(x, y, 2.F, gpu::out(z));
        }
        CHECK(fake_runtime::watched_argument() == z.data());
    }
}

TEST_CASE("a mistake in a part that both kernels of a reduction have is reported once") {
    if (!with_nvrtc("mistakes in joins")) return;
    const auto many = gpu::empty<float>({1 << 20});
    const gpu::ReductionKernel wrong("T x", "T y", "x", "a + c", "y = a", "0", "wrong");
    CHECK_THROWS_WITH_AS((void)wrong(many), doctest::Contains("c is not declared"), gpu::CompileError);
    CHECK_THROWS_AS((void)wrong(many), gpu::CompileError);
}

TEST_CASE("a graph is launched as one, however much is in it") {
    if (!with_nvrtc("graph")) return;
    auto x = gpu::empty<float>({10});
    x += 1.F;
    gpu::Graph graph;
    CHECK(asked_by([&] {
              gpu::GraphCapture capture;
              for (int k = 0; k < 7; ++k) x += 1.F;
              graph = capture.end();
          }) ==
          "cudaGraphInstantiate 1, cudaLaunchKernel 7, cudaStreamBeginCapture 1, cudaStreamCreateWithFlags 1, "
          "cudaStreamDestroy 1, cudaStreamEndCapture 1");
    CHECK(asked_by([&] { graph.replay(); }) == "cudaGraphLaunch 1");
    CHECK(asked_by([&] { graph = {}; }) == "cudaDeviceSynchronize 1, cudaGraphDestroy 1, cudaGraphExecDestroy 1");
    CHECK(asked_by([] { const gpu::GraphCapture dropped; }) ==
          "cudaGetLastError 1, cudaGraphDestroy 1, cudaStreamBeginCapture 1, cudaStreamCreateWithFlags 1, "
          "cudaStreamDestroy 1, cudaStreamEndCapture 1");
}

TEST_CASE("a library's workspace in the default stream is kept until the pool is trimmed") {
    if (!with_nvrtc("workspaces")) return;  // as the other cases
    gpu::detail::cuda::DeviceMemory memory(1);
    constexpr std::size_t bytes = std::size_t{32} << 20;
    const auto use = [&](cudaStream_t stream) {
        return asked_by([&] { memory.give_workspace(0, memory.take_workspace(0, bytes, stream), bytes, stream); });
    };
    CHECK(use(nullptr).find("cudaMallocAsync 1") != std::string::npos);
    CHECK(use(nullptr).empty());
    CHECK(memory.use(0).used == 0);
    void* const first = memory.take_workspace(0, bytes, nullptr);
    CHECK(memory.use(0).used == bytes);
    CHECK(use(nullptr) == "cudaMallocAsync 1");  // as the first one is lent
    CHECK(asked_by([&] { memory.give_workspace(0, first, bytes, nullptr); }) == "cudaFreeAsync 1");
    const auto other = reinterpret_cast<cudaStream_t>(std::uintptr_t{64});
    CHECK(use(other) == "cudaFreeAsync 1, cudaMallocAsync 1");
    CHECK(asked_by([&] { memory.trim(0); }) == "cudaDeviceSynchronize 1, cudaFreeAsync 1, cudaMemPoolTrimTo 1");
    CHECK(use(nullptr) == "cudaMallocAsync 1");
    memory.trim(0);
    CHECK(memory.use(0).used == 0);
}

// The last case: nothing is kept from then on.
TEST_CASE("small blocks are kept only while there is no stream but the default one") {
    if (!with_nvrtc("streams")) return;
    const auto x = gpu::empty<float>({10});
    const auto add = [&] { const gpu::Array<float> sum = x + x; };
    add();
    CHECK(asked_by(add) == "cudaLaunchKernel 1");
    CHECK(asked_by([] { gpu::memory_pool().trim(); }).find("cudaFreeAsync") != std::string::npos);
    CHECK(asked_by(add) == "cudaLaunchKernel 1, cudaMallocAsync 1");
    CHECK(asked_by([] { const gpu::Stream stream; }) ==
          "cudaFreeAsync 1, cudaStreamCreateWithFlags 1, cudaStreamDestroy 1");
    CHECK(asked_by(add) == "cudaFreeAsync 1, cudaLaunchKernel 1, cudaMallocAsync 1");
}
#endif
