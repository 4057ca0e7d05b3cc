// SPDX-License-Identifier: MIT
#include "host/memory/fault.hpp"
#include "host/support.hpp"

using namespace gpu::detail::host;

namespace {

FaultReport report(Fault::Kind kind) {
    FaultReport result;
    result.fault.kind = kind;
    result.fault.thread = {4, 5, 6};
    result.kernel = "k";
    result.has_block = result.has_thread = true;
    result.block = {1, 2, 3};
    return result;
}

}  // namespace

TEST_CASE("an address is reported by the array around it") {
    const NearArray array{.start = 0x10000, .bytes = 100, .name = "x", .freed = false};
    const auto text = [&](std::uintptr_t address, Fault::Access access) {
        return describe_address(address, access, &array);
    };
    CHECK(text(0x10064, Fault::Access::read) ==
          "reads just past the end of x (100 bytes); is there a guard such as if (i < n)?");
    CHECK(text(0x10065, Fault::Access::unknown) ==
          "accesses 1 byte past the end of x (100 bytes); is there a guard such as if (i < n)?");
    CHECK(text(0xfffc, Fault::Access::write) ==
          "writes 4 bytes before the start of x (100 bytes); is an index negative?");
    CHECK(text(0x10008, Fault::Access::write) == "writes byte 8 of x (100 bytes), which is not allowed");
    const NearArray floats{.start = 0x10000, .bytes = 100, .name = "x", .element = 4, .freed = false};
    const auto counted = [&](std::uintptr_t address) {
        const std::string whole = describe_address(address, Fault::Access::read, &floats);
        return whole.substr(0, whole.find(';'));
    };
    CHECK(counted(0x10064) == "reads just past the end of x (25 elements)");
    CHECK(counted(0x10068) == "reads 2 elements past the end of x (25 elements)");
    CHECK(counted(0x10066) == "reads 2 bytes past the end of x (25 elements)");
    CHECK(counted(0xfffc) == "reads just before the start of x (25 elements)");
    CHECK(counted(0xfff8) == "reads 2 elements before the start of x (25 elements)");
    CHECK(counted(0xfffd) == "reads 3 bytes before the start of x (25 elements)");
    CHECK(describe_address(0x8, Fault::Access::read, nullptr) == "reads through a null pointer (address 0x8)");
    CHECK(describe_address(0xdead0000, Fault::Access::read, nullptr) ==
          "reads an address that belongs to no array (0xdead0000); is an index far out of range, or an argument not a "
          "device "
          "pointer?");
}

TEST_CASE("every kind of fault is a sentence with its place") {
    CHECK(message(report(Fault::Kind::division_by_zero)) ==
          "kernel k: block (1,2,3) thread (4,5,6) divides an integer by zero (a GPU would give a meaningless number)");
    CHECK(message(report(Fault::Kind::arithmetic)) ==
          "kernel k: block (1,2,3) thread (4,5,6) does an invalid arithmetic operation");
    CHECK(message(report(Fault::Kind::illegal_instruction)) ==
          "kernel k: block (1,2,3) thread (4,5,6) reaches code that can't be executed; does a function end without "
          "return?");
    FaultReport bad = report(Fault::Kind::bad_address);
    bad.where = "reads x";
    bad.has_thread = false;
    CHECK(message(bad) == "kernel k: block (1,2,3) reads x");
    FaultReport stuck = report(Fault::Kind::stuck);
    stuck.has_thread = false;
    stuck.waiting = {{"__syncthreads() on line 3", 1}, {"__syncwarp() on line 9", 30}};
    stuck.ended = 1;
    CHECK(
        message(stuck) ==
        "kernel k: block (1,2,3) is stuck for ever: 1 thread waits at __syncthreads() on line 3, 30 threads wait at "
        "__syncwarp() on line 9, 1 thread has ended. All threads of a block (or of a mask) that are still running must "
        "reach the same one.");
    CHECK(underrun_message("k", {.start = 0, .bytes = 8, .name = "x", .freed = false}, 1) ==
          "kernel k: it writes 1 byte before the start of x (8 bytes); is an index negative?");
}
