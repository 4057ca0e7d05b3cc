// SPDX-License-Identifier: MIT
// Host code that touches device memory, and kernels that touch the host's.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

#include <sys/wait.h>
#include <unistd.h>

#include <gpu/random.hpp>

#include "check/support.hpp"
#include "symbolize/program_places.hpp"

using namespace support;

namespace {

const gpu::RawKernel<void(const float*, float*, int)> twice(cu(R"(
__global__ void twice(const float* x, float* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = 2 * x[i];
}
)"),
                                                            "twice");

// The line of a call, as the report must have it.
struct At {
    std::string text = "host_access_test.cpp:";
    explicit At(int line) { text += std::to_string(line) + ": "; }
};

float volatile seen = 0;

}  // namespace

TEST_CASE("host code that reads an array's memory is found, with its line, and goes on") {
    const auto x = gpu::arange<float>(100);
    auto z = gpu::empty<float>({100});
    //! [host_access]
    const gpu::CheckReport report = gpu::check([&] {
        twice({.grid = 1, .block = 128}, x, z, 100);
        seen = x.data()[3];
    });
    //! [host_access]
    const At at(__LINE__ - 3);
    CHECK(seen == 3);
    CHECK(told(report) ==
          at.text + "host code reads device memory (array x, element 3); bring it over with gpu::to_host\n" +
              report.findings.at(0).who +
              "\ndata() is an address on the device: on a GPU the program ends here. Work with a copy, such as "
              "std::vector h = gpu::to_host(x), or in a kernel\n");
    CHECK(report.findings[0].kind == gpu::FindingKind::host_access);
    CHECK(report.findings[0].variable == "x");
    CHECK(report.findings[0].file == "host_access_test.cpp");
    CHECK(report.findings[0].kernel == "");
    CHECK(gpu::to_host(z)[99] == 198);
    seen = x.data()[4];  // outside of a check nothing is watched
    CHECK(seen == 4);
}

TEST_CASE("a host loop is one finding for each array, and a kernel's findings keep their place") {
    auto x = gpu::arange<float>(100);
    auto z = gpu::zeros<float>({100});
    const gpu::CheckReport report = gpu::check([&] {
        for (int i = 0; i < 100; ++i) z.data()[i] = 2 * x.data()[i];
        twice({.grid = 1, .block = 128}, x, z, 101);
        z.data()[7] = 1;
    });
    REQUIRE(report.findings.size() == 4);
    const std::string loop = At(__LINE__ - 5).text, after = At(__LINE__ - 3).text;
    CHECK(report.findings[0].what ==
          loop + "host code reads device memory (array x, element 0); bring it over with gpu::to_host");
    CHECK(report.findings[1].what ==
          loop + "host code writes device memory (array z, element 0); send it with copy_from or gpu::to_device");
    CHECK(report.findings[2].kind == gpu::FindingKind::out_of_bounds);
    CHECK(report.findings[3].what ==
          after + "host code writes device memory (array z, element 7); send it with copy_from or gpu::to_device");
    CHECK(gpu::to_host(z)[7] == 1);
    CHECK(gpu::to_host(z)[6] == 12);
}

TEST_CASE("an array that no kernel got is named by its elements") {
    auto x = gpu::ones<double>({5, 20});
    std::vector<double> host(100);
    const gpu::CheckReport report = gpu::check([&] {
        std::memcpy(host.data(), x.data(), 800);
        const gpu::Array<double> y = x + 1.0;  // the names of libgpu's own kernels aren't the learner's
        host[1] = y.data()[1];
    });
    const At first(__LINE__ - 4), second(__LINE__ - 2);
    REQUIRE(report.findings.size() == 2);
    CHECK(report.findings[0].what == first.text +
                                         "host code reads device memory (an array of 100 float64, element 0); "
                                         "bring it over with gpu::to_host");
    CHECK(report.findings[1].what == second.text +
                                         "host code reads device memory (an array of 100 float64, element 1); "
                                         "bring it over with gpu::to_host");
    CHECK(host[1] == 2);
    CHECK(report.findings[0].variable == "");
}

TEST_CASE("without names, a line that reads one array and writes another is two findings, however often it runs") {
    const gpu::CheckReport report = gpu::check([&] {
        for (int k = 0; k < 3; ++k) {
            const auto x = gpu::ones<float>({10});
            auto z = gpu::empty<float>({10});
            for (int i = 0; i < 10; ++i) z.data()[i] = 2 * x.data()[i];
        }
    });
    REQUIRE(report.findings.size() == 2);
    CHECK(report.findings[0].what.find("reads") != std::string::npos);
    CHECK(report.findings[1].what.find("writes") != std::string::npos);
}

TEST_CASE("libgpu's own copies and libraries are no mistakes") {
    const std::vector<float> host{3, 1, 2};
    std::vector<float> back(3);
    const gpu::CheckReport report = gpu::check([&] {
        auto x = gpu::to_device(host);
        x.copy_from({1.f, 2.f, 3.f});
        x.copy_to(back);
        back = gpu::to_host(x);
        (void)gpu::sum(x).item();
        (void)gpu::to_string(x);
        x = x + 1.f;
        x(gpu::slice(0, 2)) = 7.f;
        (void)x.copy();
        (void)x[x > 2.f].compress();
        (void)x.take(gpu::zeros<int>({2}));
        gpu::random::Generator rng(1);
        (void)gpu::to_host(rng.uniform<float>({8, 8}));
        const auto pinned = gpu::to_host_async(x);
        pinned.done.synchronize();
        (void)gpu::full<int>({3}, 4);
        gpu::synchronize();
    });
    CHECK(told(report) == "");
}

TEST_CASE("new arrays that LIBGPU_GUARD fills are no mistakes, nor are those that are freed in a check") {
    const gpu::CheckReport report = gpu::check([&] {
        for (int k = 0; k < 40; ++k) (void)gpu::empty<float>({3});
        auto x = gpu::zeros<float>({1000});
        x = gpu::ones<float>({2000});
    });
    CHECK(told(report) == "");
}

TEST_CASE("kernels may access page-locked and wrapped memory, within its bounds") {
    std::vector<float> own(100, 1.f);
    gpu::Pinned<float> pinned(100);
    std::iota(pinned.begin(), pinned.end(), 0.f);
    auto z = gpu::zeros<float>({100});
    const gpu::View<float> wrapped = gpu::wrap(own.data(), {100});
    const gpu::CheckReport report = gpu::check([&] {
        twice({.grid = 1, .block = 128}, wrapped, z, 100);
        own[5] = 3;  // the host's memory is the host's
        wrapped += 1.f;
        twice({.grid = 1, .block = 128}, pinned.data(), z, 100);
    });
    CHECK(told(report) == "");
    CHECK(gpu::to_host(z)[99] == 198);
    CHECK(own[5] == 4);
    const gpu::CheckReport past = gpu::check([&] { twice({.grid = 1, .block = 128}, z, own.data(), 100); });
    CHECK(told(past) == "");
}

TEST_CASE("a host pointer that a kernel follows is named") {
    const std::vector<float> x(100, 1.f);
    auto z = gpu::zeros<float>({100});
    //! [host_pointer]
    const gpu::CheckReport report = gpu::check([&] { twice({.grid = 1, .block = 128}, x.data(), z, 100); });
    //! [host_pointer]
    CHECK(told(report) ==
          "test.cu:4: kernel twice: the argument x points to host memory; bring it over with gpu::to_device\n"
          "block (0,0,0), thread (0,0,0)\n"
          "on a GPU a kernel follows device pointers alone: pass a gpu::Array, such as gpu::Array<float> x = "
          "gpu::to_device(h)\n");
    CHECK(report.findings[0].kind == gpu::FindingKind::host_pointer);
    float local[4] = {};
    const gpu::CheckReport written = gpu::check([&] { twice({.grid = 1, .block = 4}, z, local, 4); });
    REQUIRE(written.findings.size() == 1);
    CHECK(written.findings[0].variable == "z");
    CHECK(local[0] == 0);
    // One that isn't followed does no harm.
    CHECK(gpu::check([&] { twice({.grid = 1, .block = 128}, x.data(), z, 0); }).clean());
#if !defined(__SANITIZE_THREAD__)  // its shadow memory lies wherever nothing else does
    // An address of nothing isn't the host's.
    const auto* const nowhere = reinterpret_cast<const float*>(std::uintptr_t{1} << 45);
    const gpu::CheckReport wild = gpu::check([&] { twice({.grid = 1, .block = 128}, nowhere, z, 100); });
    REQUIRE(wild.findings.size() == 1);
    CHECK(wild.findings[0].kind == gpu::FindingKind::out_of_bounds);
#endif
}

#if !defined(__SANITIZE_THREAD__)  // it doesn't bear a forked child's new threads
TEST_CASE("a segmentation fault that is no array's is the program's own, in a check as well") {
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGSEGV, SIG_DFL);
        const auto x = gpu::ones<float>({3});
        std::uintptr_t volatile nowhere = 16;
        (void)gpu::check([&] { seen = *reinterpret_cast<const volatile float*>(nowhere); });
        ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGSEGV);
}
#endif

TEST_CASE("places: the first line of the learner's, in headers' functions as well") {
    using gpu::detail::place_in;
    const auto place = place_in(
        "float* std::__copy_move_a2<false>(float*)\n/usr/include/c++/12/bits/stl_algobase.h:431\n"
        "(anonymous namespace)::shrink(gpu::Array<float> const&)\n/tmp/course/student/shrink.cpp:17 (discriminator "
        "2)\n");
    CHECK(place.file == "shrink.cpp");
    CHECK(place.line == 17);
    CHECK(place.function == "shrink");
    CHECK(place_in("main\n/home/me/main.cpp:3\n").function == "main");
    CHECK(place_in("void ns::mul<float>(float const*, int)\nmul.cpp:3\n").function == "ns::mul<float>");
    CHECK(place_in("main::{lambda()#1}::operator()() const\n/home/me/main.cpp:4\n").function == "main");
    const auto header = place_in("exercise::shrink(int)\n/usr/include/c++/12/bits/stl_algobase.h:431\n");
    CHECK(header.file == "");
    CHECK(header.function == "exercise::shrink");
    CHECK(place_in("??\n??:0\n").function == "");
    CHECK(place_in("shrink(float*)\n??:?\n").file == "");
}

TEST_CASE("spoiled copies bring the host other numbers, and leave the device's as they are") {
    const auto x = gpu::full<float>({100}, 7.0F);
    const auto d = gpu::full<double>({10}, 7.0);
    std::vector<float> down;
    std::vector<double> doubles;
    float one = 0;
    auto pinned = gpu::Pinned<float>(100);
    gpu::check(
        [&] {
            down = gpu::to_host(x);
            doubles = gpu::to_host(d);
            one = gpu::sum(x).item();
            x.copy_to_async(pinned);
            gpu::synchronize();
        },
        {.spoiled_copies = true});
    CHECK(std::set<float>(down.begin(), down.end()).size() > 90);
    down.insert(down.end(), pinned.begin(), pinned.end());
    down.push_back(one);
    for (const float value : down) CHECK((value >= 1 && value < 2));
    for (const double value : doubles) CHECK((value > 0 && value < 2));
    CHECK(gpu::to_host(x) == std::vector<float>(100, 7.0F));
    gpu::check([&] { CHECK(gpu::to_host(x) == std::vector<float>(100, 7.0F)); });
}
