// SPDX-License-Identifier: MIT
// Host memory that is used while an asynchronous copy may still read or write it.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "check/support.hpp"

using namespace support;

namespace {

const gpu::RawKernel<void(float*, float)> add_to(cu(R"(
__global__ void add_to(float* x, float value) {
    x[threadIdx.x] += value;
}
)"),
                                                 "add_to");

std::string at(int line) { return "host_buffer_test.cpp:" + std::to_string(line); }

// The findings' first lines.
std::string sentences(const gpu::CheckReport& report) {
    std::string all;
    for (const gpu::Finding& finding : report.findings) {
        CHECK(finding.kind == gpu::FindingKind::host_buffer_in_use);
        CHECK(finding.rule == gpu::Rule::host_only_queues);
        all += finding.what + '\n';
    }
    return all;
}

float volatile seen = 0;

}  // namespace

TEST_CASE("host memory that is written while an asynchronous copy may read it is found, with both lines") {
    auto x = gpu::zeros<float>(1000);
    std::vector<float> host(1000, 1.0f);
    gpu::Stream stream;
    const gpu::CheckReport report = gpu::check([&] {
        const gpu::StreamGuard guard(stream);
        x.copy_from_async(host);
        host[3] = 2;
        gpu::synchronize();
    });
    CHECK(told(report) == "buffer in use: " + at(__LINE__ - 3) +
                              " writes element 3 of 1000 float32 in host memory, which the copy of " +
                              at(__LINE__ - 6) + " may still be reading\n" + report.findings.at(0).who +
                              "\nthe copy reads the memory when its turn in the stream comes, not when the call "
                              "returns: before you write or free it, wait for the event that copy_from_async() "
                              "returns, event.synchronize(), or fill another buffer meanwhile\n");
    CHECK(report.findings[0].who.find("the copy to the device is in stream 1 (counted as they are first used)") !=
          std::string::npos);
    CHECK(report.findings[0].file == "host_buffer_test.cpp");
    CHECK(host[3] == 2);
    CHECK(gpu::to_host(x)[3] == 1);
    host[4] = 2;  // outside of a check nothing is watched
}

TEST_CASE("memory of any size, page-locked or not, whichever element is written first") {
    for (const int n : {1, 25, 1000, 1024, 5000, 100'000})
        for (const int element : {0, n / 2, n - 1}) {
            CAPTURE(n);
            CAPTURE(element);
            auto x = gpu::zeros<float>(n);
            std::vector<float> pageable(n);
            gpu::Pinned<float> locked(n);
            const gpu::CheckReport report = gpu::check([&] {
                x.copy_from_async(pageable);
                x.copy_from_async(locked);
                pageable[element] = 2;
                locked[element] = 2;
                gpu::synchronize();
            });
            const int line = __LINE__ - 6;
            const std::string middle = " writes element " + std::to_string(element) + " of " + std::to_string(n) +
                                       " float32 in host memory, which the copy of ";
            CHECK(sentences(report) ==
                  "buffer in use: " + at(line + 2) + middle + at(line) + " may still be reading\n" +
                      "buffer in use: " + at(line + 3) + middle + at(line + 1) + " may still be reading\n");
        }
}

TEST_CASE("memory that is read or written before a copy has filled it is found") {
    auto x = gpu::ones<float>(10'000);
    gpu::Pinned<float> locked(10'000), few(10);
    std::vector<float> pageable(10'000);
    const gpu::CheckReport report = gpu::check([&] {
        x.copy_to_async(locked);
        x.copy_to_async(pageable);
        x(gpu::slice(0, 10)).copy_to_async(few);
        seen = locked[7];
        pageable[5000] = 3;
        seen = few[0];
        gpu::synchronize();
    });
    const int line = __LINE__ - 8;
    CHECK(sentences(report) ==
          "buffer in use: " + at(line + 3) + " reads element 7 of 10000 float32 in host memory, which the copy of " +
              at(line) + " may not have written yet\nbuffer in use: " + at(line + 4) +
              " writes element 5000 of 10000 float32 in host memory, which the copy of " + at(line + 1) +
              " may not have written yet\nbuffer in use: " + at(line + 5) +
              " reads element 0 of 10 float32 in host memory, which the copy of " + at(line + 2) +
              " may not have written yet\n");
    CHECK(pageable[5000] == 3);
    CHECK(locked[7] == 1);
}

TEST_CASE("a loop that refills one buffer is one finding") {
    auto x = gpu::zeros<float>(4000);
    gpu::Pinned<float> stage(1000);
    const gpu::CheckReport report = gpu::check([&] {
        const std::array<gpu::Stream, 2> streams;
        for (int k = 0; k < 4; ++k) {
            const gpu::StreamGuard guard(streams[k % 2]);
            for (float& element : stage) element = static_cast<float>(k);
            auto part = x(gpu::slice(1000 * k, 1000 * k + 1000));
            part.copy_from_async(stage);
            add_to({.grid = 1, .block = 64}, part, 1.0f);
        }
        gpu::synchronize();
    });
    CHECK(sentences(report) == "buffer in use: " + at(__LINE__ - 7) +
                                   " writes element 0 of 1000 float32 in host memory, which the copy of " +
                                   at(__LINE__ - 7) + " may still be reading\n");
    CHECK(report.findings.at(0).times == 3);
    CHECK(gpu::to_host(x)[0] == 1);
    CHECK(gpu::to_host(x)[3000] == 4);
}

TEST_CASE("who waits first, reads what is read, or touches what lies beside makes no mistake") {
    auto x = gpu::zeros<float>(4000);
    gpu::Pinned<float> locked(4000);
    std::vector<float> host(4000), other(4000);
    std::vector<std::unique_ptr<float>> small;  // among and beside the vectors
    gpu::Stream stream;
    const gpu::CheckReport report = gpu::check([&] {
        const gpu::StreamGuard guard(stream);
        for (std::vector<float>* each : {&host, &other}) {
            x.copy_from_async(*each).synchronize();
            each->at(0) = 1;
            x.copy_from_async(*each);
            seen = each->at(0);
            stream.synchronize();
            each->at(0) = 2;
            x.copy_from_async(*each);
            gpu::synchronize();
            each->at(0) = 3;
            const gpu::Event done = x.copy_to_async(*each);
            while (!done.done()) {
            }
            each->at(0) = 4;
            x.copy_from_async(*each);
            x.copy_to(other);  // waits for the stream
            each->at(0) = 5;
        }
        std::vector<gpu::Event> done;
        for (int begin = 0; begin < 4000; begin += 500) {  // chunks of one buffer share pages
            std::fill_n(locked.begin() + begin, 500, 1.0f);
            done.push_back(
                x(gpu::slice(begin, begin + 500)).copy_from_async(std::span(locked).subspan(begin, 500)));
            small.push_back(std::make_unique<float>(1.0f));
        }
        for (const gpu::Event& each : done) each.synchronize();
        std::fill(locked.begin(), locked.end(), 2.0f);
        for (int begin = 0; begin < 4000; begin += 500)
            x(gpu::slice(begin, begin + 500)).copy_to_async(std::span(host).subspan(begin, 500));
        for (int k = 0; k < 100; ++k) small.push_back(std::make_unique<float>(1.0f));
        small.clear();
        stream.synchronize();
        seen = host[0];
    });
    CHECK(told(report).empty());
}

TEST_CASE("other threads may write what lies beside a buffer at any moment, also while it is set free") {
    auto x = gpu::zeros<float>(100);
    std::vector<int> page(5000);
    const std::span<const float> buffer(reinterpret_cast<const float*>(page.data() + 2000), 100);
    std::atomic<bool> ends{false};
    std::vector<std::thread> others;
    for (int* const place : {page.data() + 1990, page.data() + 2110})
        others.emplace_back([&ends, place] {
            for (int k = 0; !ends; ++k) *static_cast<volatile int*>(place) = k;
        });
    gpu::Stream stream;
    const gpu::CheckReport report = gpu::check([&] {
        const gpu::StreamGuard guard(stream);
        for (int k = 0; k < 300; ++k) {
            x.copy_from_async(buffer);
            stream.synchronize();
        }
    });
    ends = true;
    for (std::thread& other : others) other.join();
    CHECK(told(report).empty());
}

TEST_CASE("copies and kernels of one stream may use one buffer, copies of two may not without an event") {
    auto x = gpu::ones<float>(2000), y = gpu::zeros<float>(2000);
    std::vector<float> host(2000);
    gpu::Stream first, second;
    gpu::Event ready;
    const gpu::CheckReport right = gpu::check([&] {
        {
            const gpu::StreamGuard guard(first);
            x.copy_to_async(host);
            y.copy_from_async(host);
            add_to({.grid = 1, .block = 64}, y, 1.0f);
            y.copy_to_async(host);
            ready.record(first);
        }
        second.wait(ready);
        const gpu::StreamGuard guard(second);
        x.copy_from_async(host);
        gpu::synchronize();
    });
    CHECK(told(right).empty());
    CHECK(gpu::to_host(x)[0] == 2);
    const gpu::CheckReport wrong = gpu::check([&] {
        {
            const gpu::StreamGuard guard(first);
            x.copy_to_async(host);
        }
        const gpu::StreamGuard guard(second);
        y.copy_from_async(host);
        gpu::synchronize();
    });
    const int line = __LINE__ - 6;
    CHECK(sentences(wrong) ==
          "buffer in use: " + at(line + 3) + ": a copy reads host memory that the copy of " + at(line) +
              " may not have written yet, in another stream\n");
    CHECK(wrong.findings.at(0).who.find("is in stream 1, the other one in stream 2") != std::string::npos);
}

TEST_CASE("memory that is freed while a copy may read it is found, unless it is a gpu::Pinned") {
    for (const int n : {1000, 300'000}) {
        CAPTURE(n);
        auto x = gpu::zeros<float>(n);
        const gpu::CheckReport report = gpu::check([&] {
            for (int k = 0; k < 3; ++k) {
                const std::vector<float> host(n, static_cast<float>(k));
                x.copy_from_async(host);
            }
            gpu::synchronize();
        });
        CHECK(sentences(report).find("the copy of " + at(__LINE__ - 4) + " may still be reading") != std::string::npos);
        const gpu::CheckReport locked = gpu::check([&] {
            for (int k = 0; k < 3; ++k) {
                gpu::Pinned<float> host(n);
                std::fill(host.begin(), host.end(), static_cast<float>(k));
                x.copy_from_async(host);
            }
            gpu::pinned_pool().trim();
            std::vector<float> again(n, 1.0f);
            seen = again[0];
        });
        CHECK(told(locked).empty());
    }
}

TEST_CASE("memory on the stack is compared: the line of the copy is known") {
    auto x = gpu::zeros<float>(3000);
    const gpu::CheckReport report = gpu::check([&] {
        std::array<float, 3000> host{};
        x.copy_from_async(host);
        host[2000] = 1;
        gpu::synchronize();
        x.copy_from_async(host);
        gpu::synchronize();
    });
    const int line = __LINE__ - 6;
    CHECK(sentences(report) ==
          "buffer in use: element 2000 of 3000 float32 in host memory, which the copy of " + at(line) +
              " may still be reading, has changed before " + at(line + 2) + '\n');
}

TEST_CASE("more copies under way than are watched, kernels and files meanwhile") {
    auto x = gpu::zeros<float>(64 * 400);
    gpu::Pinned<float> locked(64 * 400);
    std::vector<float> host(64 * 400);
    gpu::Stream stream;
    std::array<int, 2> pipe{};
    REQUIRE(::pipe(pipe.data()) == 0);
    const gpu::CheckReport report = gpu::check([&] {
        const gpu::StreamGuard guard(stream);
        for (int k = 0; k < 400; ++k) {
            auto part = x(gpu::slice(64 * k, 64 * k + 64));
            part.copy_from_async(std::span(host).subspan(64 * k, 64));
            add_to({.grid = 1, .block = 64}, part, 1.0f);
            part.copy_to_async(std::span(locked).subspan(64 * k, 64));
        }
        CHECK(::write(pipe[1], host.data(), 4096) == 4096);  // it is only read
        stream.synchronize();
        CHECK(::read(pipe[0], host.data(), 4096) == 4096);
    });
    ::close(pipe[0]);
    ::close(pipe[1]);
    CHECK(told(report).empty());
    CHECK(locked[64 * 400 - 1] == 1);
}

TEST_CASE("a check that ends early leaves memory as it was") {
    auto x = gpu::zeros<float>(5000);
    std::vector<float> host(5000);
    CHECK_THROWS_AS((void)gpu::check([&] {
                        x.copy_to_async(host);
                        throw gpu::Error("the program's own");
                    }),
                    gpu::Error);
    std::fill(host.begin(), host.end(), 1.0f);
    CHECK(host[4999] == 1);
}
