// SPDX-License-Identifier: MIT
// Pointers to device memory that host code follows: how they are known, and what is said.
#include <doctest/doctest.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <initializer_list>
#include <string>
#include <thread>

#include "backend/host_access.hpp"

using namespace gpu::detail;

namespace {

AddressRange range_at(std::uintptr_t begin, std::size_t length, int device = 0) {
    return {.begin = begin, .length = length, .array = begin, .bytes = length, .device = device, .elements = -1};
}

HostAccess access_to(const AddressRange& range, std::size_t offset, HostAccessKind kind) {
    return {.address = range.array + offset, .kind = kind, .range = range};
}

/// Stands for a device's array: memory that the host can't access.
const AddressRange& closed_memory() {
    static const AddressRange range = [] {
        void* const data = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return range_at(reinterpret_cast<std::uintptr_t>(data), 400);
    }();
    return range;
}

struct Ended {
    int status = 0;
    std::string said;  // on stderr
};

/// Runs a function in a process of its own.
template <class F>
Ended in_child(F function) {
    std::array<int, 2> pipe{};
    REQUIRE(::pipe(pipe.data()) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(pipe[1], STDERR_FILENO);
        ::signal(SIGSEGV, SIG_DFL);
        function();
        ::_exit(0);
    }
    ::close(pipe[1]);
    Ended ended;
    std::array<char, 512> buffer{};
    for (ssize_t count; (count = ::read(pipe[0], buffer.data(), buffer.size())) > 0;)
        ended.said.append(buffer.data(), static_cast<std::size_t>(count));
    ::close(pipe[0]);
    REQUIRE(::waitpid(child, &ended.status, 0) == child);
    return ended;
}

AddressMap& known_ranges() {
    static auto* const ranges = new AddressMap;  // a handler may look at it until the end
    return *ranges;
}

void fault(int how) {
    known_ranges().add(closed_memory());
    known_ranges().describe(closed_memory().array, gpu::DType::float32);
    name_host_accesses(known_ranges());
    auto* const x = reinterpret_cast<volatile float*>(closed_memory().array);
    if (how == 0) (void)x[3];
    if (how == 1) x[7] = 1;
    std::uintptr_t volatile nowhere = 16;
    if (how == 2) (void)*reinterpret_cast<volatile float*>(nowhere);
    if (how == 3) ::raise(SIGSEGV);
}

}  // namespace

TEST_CASE("addresses are found in their range, up to its last byte, until it is removed") {
    AddressMap ranges;
    AddressRange found;
    CHECK_FALSE(ranges.find(0, found));
    CHECK_FALSE(ranges.find(1000, found));
    ranges.add(range_at(1000, 100, 2));
    ranges.add(range_at(1100, 8));
    CHECK_FALSE(ranges.find(999, found));
    REQUIRE(ranges.find(1000, found));
    CHECK(found.device == 2);
    REQUIRE(ranges.find(1099, found));
    CHECK(found.begin == 1000);
    REQUIRE(ranges.find(1100, found));
    CHECK(found.begin == 1100);
    CHECK_FALSE(ranges.find(1108, found));
    ranges.describe(1040, gpu::DType::float64);  // an array between guard words
    REQUIRE(ranges.find(1000, found));
    CHECK(found.array == 1040);
    CHECK(found.elements == static_cast<int>(gpu::DType::float64));
    ranges.remove(1000);
    ranges.remove(1000);
    CHECK_FALSE(ranges.find(1050, found));
    CHECK(ranges.find(1101, found));
}

TEST_CASE("thousands of ranges come and go, while others look addresses up") {
    AddressMap ranges;
    std::atomic<bool> stop{false};
    ranges.add(range_at(8, 8));
    int missed = 0;
    std::thread reader([&] {
        AddressRange found;
        while (!stop)
            if (!ranges.find(12, found) || found.begin != 8) ++missed;
    });
    for (int round = 0; round < 3; ++round) {
        for (std::uintptr_t k = 1; k <= 1000; ++k) ranges.add(range_at(100 * k, 10));
        AddressRange found;
        for (std::uintptr_t k = 1; k <= 1000; ++k) CHECK(ranges.find(100 * k + 9, found));
        for (std::uintptr_t k = 1; k <= 1000; ++k) ranges.remove(100 * k);
        CHECK_FALSE(ranges.find(509, found));
    }
    stop = true;
    reader.join();
    CHECK(missed == 0);
}

TEST_CASE("the sentence names the array, or its size, and what to do") {
    AddressRange x = range_at(4096, 400);
    CHECK(sentence(access_to(x, 12, HostAccessKind::read), "") ==
          "host code reads device memory (an array of 400 bytes, byte 12); bring it over with gpu::to_host");
    x.elements = static_cast<int>(gpu::DType::float32);
    CHECK(sentence(access_to(x, 12, HostAccessKind::read), "x") ==
          "host code reads device memory (array x, element 3); bring it over with gpu::to_host");
    CHECK(sentence(access_to(x, 12, HostAccessKind::write), "") ==
          "host code writes device memory (an array of 100 float32, element 3); send it with copy_from or "
          "gpu::to_device");
    CHECK(sentence(access_to(x, 0, HostAccessKind::unknown), "x") ==
          "host code uses device memory (array x, element 0); bring it over with gpu::to_host");
    HostAccess before = access_to(x, 0, HostAccessKind::read);
    before.address -= 2;
    CHECK(accessed_element(before) == -1);
    std::array<char, 16> room{};
    CHECK(write_sentence(room.data(), 9, before, "x") == 9);
    CHECK(std::string(room.data()) == "host code");
}

TEST_CASE("memory of this process is known from addresses of nothing") {
    const int local = 0;
    CHECK(is_host_address(reinterpret_cast<std::uintptr_t>(&local)));
    CHECK_FALSE(is_host_address(16));
    CHECK_FALSE(is_host_address(std::uintptr_t{0x20} << 40));
}

TEST_CASE("instructions of arm64 say whether they read or write") {
    const auto all = [](HostAccessKind kind, std::initializer_list<std::uint32_t> instructions) {
        for (const std::uint32_t instruction : instructions)
            CHECK_MESSAGE(access_of_arm64(instruction) == kind, instruction);
    };
    all(HostAccessKind::read, {
                                  0xb9400020, 0xb9800420, 0x3dc00020, 0xa9400440,  // ldr w, ldrsw, ldr q, ldp
                                  0x58000000, 0x88dffc20, 0x885f7c20, 0xc87f8440,  // ldr literal, ldar, ldxr, ldaxp
                                  0xb8bfc020, 0x4c407800, 0x38626820,              // ldapr, ld1, ldrb
                                  0xa540a000, 0x85014000,                          // ld1w of SVE, and its gather
                              });
    all(HostAccessKind::write, {
                                   0xb9000020, 0x3d800020, 0xbc004420, 0xad010440,  // str w, str q, str s, stp q
                                   0x889ffc20, 0x88027c20, 0xb8200041, 0xf8208041,  // stlr, stxr, ldadd, swp
                                   0x88a07c41, 0x48207c82, 0x4c007800, 0x78227820,  // cas, casp, st1, strh
                                   0xe540e000, 0xe581a000, 0x19c20420,              // st1w of SVE, its scatter, setp
                               });
    all(HostAccessKind::unknown, {0x0b020020, 0xd65f03c0, 0x19010443});  // add, ret, cpyfp
}

TEST_CASE("a program that crashes on device memory says so first") {
    (void)closed_memory();
    const Ended read = in_child([] { fault(0); });
    CHECK(WIFSIGNALED(read.status));
    CHECK(WTERMSIG(read.status) == SIGSEGV);
#if defined(__x86_64__) || defined(__aarch64__)
    CHECK(read.said ==
          "host code reads device memory (an array of 100 float32, element 3); bring it over with "
          "gpu::to_host\n");
    CHECK(in_child([] { fault(1); }).said ==
          "host code writes device memory (an array of 100 float32, element 7); send "
          "it with copy_from or gpu::to_device\n");
#endif
    for (const int how : {2, 3}) {
        const Ended other = in_child([how] { fault(how); });
        CHECK(other.said == "");
        CHECK(WIFSIGNALED(other.status));
        CHECK(WTERMSIG(other.status) == SIGSEGV);
    }
}

TEST_CASE("the handler that was there before comes next") {
    const Ended ended = in_child([] {
        struct sigaction before {};
        before.sa_sigaction = [](int, siginfo_t* info, void*) {
            const bool same = reinterpret_cast<std::uintptr_t>(info->si_addr) == closed_memory().array + 12;
            ::_exit(same ? 42 : 43);
        };
        before.sa_flags = SA_SIGINFO;
        ::sigaction(SIGSEGV, &before, nullptr);
        fault(0);
    });
    CHECK(WIFEXITED(ended.status));
    CHECK(WEXITSTATUS(ended.status) == 42);
    CHECK(ended.said.find("device memory") != std::string::npos);
}
