// SPDX-License-Identifier: MIT
#include "record/recorded.hpp"

#include "record/recording.hpp"

using namespace support;

namespace {

void check_same_work(const gpu::CheckReport& replay, const gpu::CheckReport& call) {
    CHECK(replay.host.launches == call.host.launches);
    CHECK(replay.host.allocations == call.host.allocations);
    CHECK(replay.host.bytes_allocated == call.host.bytes_allocated);
    CHECK(replay.host.copies_to_device == call.host.copies_to_device);
    CHECK(replay.host.bytes_to_device == call.host.bytes_to_device);
    CHECK(replay.host.copies_to_host == call.host.copies_to_host);
    CHECK(replay.host.bytes_to_host == call.host.bytes_to_host);
    CHECK(replay.host.copies_on_device == call.host.copies_on_device);
    CHECK(replay.host.synchronizations == call.host.synchronizations);
    CHECK(replay.host.barriers == call.host.barriers);
    CHECK(replay.host.atomics == call.host.atomics);
    CHECK(replay.to_text() == call.to_text());
    REQUIRE(replay.kernels.size() == call.kernels.size());
    for (std::size_t k = 0; k < call.kernels.size(); ++k) {
        CHECK(replay.kernels[k].name == call.kernels[k].name);
        CHECK(replay.kernels[k].file == call.kernels[k].file);
        CHECK(replay.kernels[k].made_in == call.kernels[k].made_in);
        CHECK(std::memcmp(&replay.kernels[k].work, &call.kernels[k].work, sizeof(gpu::WorkCounts)) == 0);
    }
}

template <class F>
void check_replay(const F& function) {
    const Floats first{1, 2, 3, 4, 5, 6}, other{7, -1, 0.5f, 3, 2, 9};
    const Recorded made = recorded(first, function);
    INFO(made.why_not);
    REQUIRE(!made.recording.empty());
    check_same_work(replayed(made.recording, first).report, made.report);
    CHECK(result_with(made, first) == made.result);
    // Its input is the argument's bytes, whatever they are.
    CHECK(result_with(made, other) == gpu::to_host(function(gpu::to_device(other))));
}

}  // namespace

TEST_CASE("a replay does a raw kernel's work again, on other values too") { check_replay(doubled); }

TEST_CASE("a replay without a kernel does all else") {
    const Floats x{1, 2, 3};
    const Recorded made = recorded(x, [](const gpu::Array<float>& a) { return gpu::Array<float>(doubled(a + 1) + a); });
    const HostBytes arguments[] = {bytes_of(x)};
    const auto without = [&](const char* kernel) {
        const ReplayedCall again = gpu::detail::replay_call(made.recording, arguments, {}, kernel);
        REQUIRE(made.copy < again.copies.size());
        return std::pair(floats_of(again.copies[made.copy]), again.report.host.launches);
    };
    CHECK(without("twi") == std::pair(made.result, std::uint64_t{3}));
    const auto [result, launches] = without("twice");
    CHECK(result != made.result);
    CHECK(launches == 2);
}

TEST_CASE("a replay does the work of expressions, reductions, copies and fills") {
    check_replay([](const gpu::Array<float>& x) {
        auto y = gpu::zeros<float>({x.size()});
        y += x * x + 1.0f;
        gpu::synchronize();
        const gpu::Array<float> z = y.copy();
        const gpu::Array<float> w = z / gpu::sum(x);
        return gpu::Array<float>(w - gpu::max(x, {.axis = 0, .keepdims = true}));
    });
}

TEST_CASE("a replay does the work of kernels from bodies, with scalars, slices and gathers") {
    check_replay([](const gpu::Array<float>& x) {
        static const gpu::ElementwiseKernel kernel("T x, float a", "T y", "y = a * x + i", "test_scaled");
        auto y = gpu::empty<float>({x.size()});
        kernel(x, 3.0f, gpu::out(y));
        const gpu::Array<int> order = gpu::to_device(std::vector<int>{5, 4, 3, 2, 1, 0});
        gpu::Array<float> turned = y[order];
        turned(gpu::slice(0, 3)) = x(gpu::slice(3, 6));
        return turned;
    });
}

TEST_CASE("a replay does the work of modules with constant memory") {
    check_replay([](const gpu::Array<float>& x) {
        const gpu::RawModule module(cu(R"(
__constant__ float factor[2];
__global__ void scaled(const float* x, float* y) { y[threadIdx.x] = factor[threadIdx.x % 2] * x[threadIdx.x]; }
)"));
        module.symbol<float>("factor").copy_from(std::vector<float>{2, 3});
        auto y = gpu::empty<float>({x.size()});
        module.kernel<void(const float*, float*)>("scaled")({.grid = 1, .block = static_cast<int>(x.size())}, x, y);
        return y;
    });
}

TEST_CASE("bytes that the host reads and writes between kernels are copied again") {
    const Floats x{1, 2, 3};
    const Recorded made = recorded(x, [](const gpu::Array<float>& values) {
        const Floats host = gpu::to_host(doubled(values));
        return doubled(gpu::to_device(Floats{host[2], 8}));
    });
    const ReplayedCall again = replayed(made.recording, x);
    check_same_work(again.report, made.report);
    REQUIRE(again.copies.size() == 2);
    CHECK(floats_of(again.copies[0]) == Floats{2, 4, 6});
    CHECK(floats_of(again.copies[1]) == Floats{12, 16});
    CHECK(made.copy == 1);
}

TEST_CASE("what host code has put into arrays is told, but for the call's arguments") {
    Floats x(32);   // fewer bytes may be an argument's by chance
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<float>(k);
    const auto kept = gpu::to_device(Floats{9, 9});
    const Recorded made = recorded(x, [&](const gpu::Array<float>& values) {
        gpu::Array<float> parts = gpu::empty<float>({4});
        parts(gpu::slice(0, 2)).copy_from(Floats{1, 2});
        parts(gpu::slice(2, 4)).copy_from(Floats{3, 4});   // one behind the other
        const gpu::Array<float> other = gpu::to_device(Floats{5, 6}), again = gpu::to_device(x);
        return gpu::Array<float>(values + again + other(gpu::slice(0, 1)) + kept(gpu::slice(0, 1)) +
                                 parts(gpu::slice(3, 4)));
    });
    const ReplayedCall replay = replayed(made.recording, x);
    REQUIRE(replay.sent.size() == 2);
    CHECK(floats_of(replay.sent[0]) == Floats{1, 2, 3, 4});
    CHECK(floats_of(replay.sent[1]) == Floats{5, 6});
}

TEST_CASE("a replay finds what check mode finds") {
    const Recorded made = recorded({1, 2, 3}, [](const gpu::Array<float>& x) {
        const gpu::RawKernel<void(const float*, float*)> kernel(cu(R"(
__global__ void sum(const float* x, float* y) {
    y[0] = threadIdx.x == 0 ? 0 : y[0] + x[threadIdx.x];
}
)"), "sum");
        auto y = gpu::zeros<float>({1});
        kernel({.grid = 1, .block = 3}, x, y);
        return y;
    });
    REQUIRE(!made.report.findings.empty());
    const ReplayedCall again = replayed(made.recording, {1, 2, 3});
    REQUIRE(again.report.findings.size() == made.report.findings.size());
    CHECK(again.report.findings[0].what == made.report.findings[0].what);
}

TEST_CASE("arrays that were there before the call are recorded with what was in them, and not counted") {
    CallRecorder::prepare();
    auto scratch = gpu::empty<float>({3});  // written by each call before it is read
    const auto table = gpu::to_device(Floats{1, 2, 3});
    const auto unused = gpu::to_device(Floats{7, 8, 9});
    const auto call = [&](const gpu::Array<float>& x) {
        scratch = x + table;
        auto y = gpu::Array<float>(scratch * 2);
        scratch = y;  // what a later call finds there
        return y;
    };
    for (const Floats& argument : {Floats{1, 2, 3}, Floats{5, 6, 7}}) {
        const Recorded made = recorded(argument, call);
        CAPTURE(made.why_not);
        REQUIRE(!made.recording.empty());
        const ReplayedCall again = replayed(made.recording, argument);
        REQUIRE(made.copy < again.copies.size());
        CHECK(floats_of(again.copies[made.copy]) == made.result);
        CHECK(again.report.findings.empty());
        CHECK(again.report.host.allocations == made.report.host.allocations);
        CHECK(again.report.host.copies_to_device == made.report.host.copies_to_device);
    }
    // A call before that could not be recorded makes no difference.
    CHECK(recorded({1, 2, 3}, [&](const gpu::Array<float>& x) {
              gpu::Event().record();
              return call(x);
          }).recording.empty());
    CHECK_FALSE(recorded({1, 2, 3}, call).recording.empty());
    const auto temporary = std::make_shared<gpu::Array<float>>(gpu::to_device(Floats{4, 4, 4}));
    const Recorded made = recorded({1, 2, 3}, [keeper = temporary](const gpu::Array<float>& x) {
        gpu::Array<float> y = x + *keeper;
        *keeper = gpu::Array<float>();  // freed within the call
        return y;
    });
    const ReplayedCall again = replayed(made.recording, {1, 2, 3});
    REQUIRE(made.copy < again.copies.size());
    CHECK(floats_of(again.copies[made.copy]) == Floats{5, 6, 7});
}

TEST_CASE("what can't be recorded is named") {
    const auto why_not = [](auto&& function) {
        const Recorded made = recorded({1, 2, 3}, function);
        CHECK(made.recording.empty());
        return made.why_not;
    };
    CHECK(why_not([](const gpu::Array<float>& x) {
              const gpu::Stream stream;
              const gpu::StreamGuard guard(stream);
              return doubled(x);
          }) == "streams");
    CHECK(why_not([kept = gpu::ones<float>({3'000'000})](const gpu::Array<float>& x) {
              return gpu::Array<float>(x + kept(gpu::slice(0, 3)));
          }) == "arrays that were there before the call");  // more than is kept of them
    CHECK(why_not([](const gpu::Array<float>& x) {
              gpu::Event event;
              event.record();
              return doubled(x);
          }) == "events");    CHECK(why_not([](const gpu::Array<float>& x) {
              const gpu::RawKernel<> copy("__global__ void copy(cudaTextureObject_t t, float* y) "
                                          "{ y[threadIdx.x] = tex1D<float>(t, threadIdx.x + 0.5f); }", "copy");
              gpu::Array<float> y = gpu::empty<float>({3});
              copy({.grid = 1, .block = 3}, gpu::Texture(x), y);
              return y;
          }) == "textures");
}
