// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/error.hpp>

#include "array/zip_archive.hpp"

using namespace gpu::detail;

namespace {

// A sparse archive: zeros, and these bytes at its end.
ZipSource source_of(const std::string& tail, std::uint64_t size) {
    return {.size = size, .read = [&tail, size](std::uint64_t at, void* to, std::size_t bytes) {
                std::memset(to, 0, bytes);
                const std::uint64_t start = size - tail.size();
                REQUIRE(at >= start);  // nothing else is looked at
                REQUIRE(at - start + bytes <= tail.size());
                std::memcpy(to, tail.data() + (at - start), bytes);
            }};
}

}  // namespace

TEST_CASE("the directory of an archive of more than 4 GiB") {
    constexpr std::uint64_t gib = std::uint64_t{1} << 30;
    const std::vector<ZipMember> members{
        {.name = "small.npy", .packed = 100, .size = 100, .at = 0, .crc = 1},
        {.name = "large.npy", .packed = 5 * gib, .size = 5 * gib, .at = 200, .crc = 2},
        {.name = "far.npy", .method = 8, .packed = 10, .size = 20, .at = 5 * gib + 1000, .crc = 3},
        {.name = "\xc3\xa9.npy", .method = 8, .packed = 4 * gib - 1, .size = 9 * gib, .at = 6 * gib, .crc = 4}};
    const std::uint64_t at = 12 * gib;
    const std::string tail = zip_directory(members, at);
    // As much as is asked for before the directory: 64 KiB of it are looked through for the end record.
    const std::string padded = std::string(70'000, '\0') + tail;
    const std::vector<ZipMember> read = zip_members(source_of(padded, at + tail.size()), "load_npz(x.npz)");
    REQUIRE(read.size() == members.size());
    for (std::size_t k = 0; k < members.size(); ++k) {
        CAPTURE(k);
        CHECK(read[k].name == members[k].name);
        CHECK(read[k].method == members[k].method);
        CHECK(read[k].packed == members[k].packed);
        CHECK(read[k].size == members[k].size);
        CHECK(read[k].at == members[k].at);
        CHECK(read[k].crc == members[k].crc);
    }
    CHECK(read[3].flags == 0x800);  // the name is UTF-8
    CHECK(zip_local_header(members[1]).size() == 30 + 9 + 20);
    CHECK(zip_local_header(members[2]).size() == 30 + 7);
}

TEST_CASE("more members than 16 bits count") {
    std::vector<ZipMember> members;
    for (int k = 0; k < 70'000; ++k)
        members.push_back({.name = std::to_string(k), .at = static_cast<std::uint64_t>(k)});
    const std::string tail = std::string(70'000, '\0') + zip_directory(members, 70'000);
    const std::vector<ZipMember> read = zip_members(source_of(tail, tail.size()), "x");
    CHECK(read.size() == members.size());
    CHECK(read.back().name == "69999");
}

TEST_CASE("pieces are deflated together, and checked together") {
    const std::string first(100'000, 'a'), second = "bcd";
    const std::span<const std::byte> pieces[] = {std::as_bytes(std::span(first)), {}, std::as_bytes(std::span(second))};
    const std::string packed = zip_deflated(pieces);
    CHECK(packed.size() < 500);
    const std::string whole = first + second;
    const std::span<const std::byte> one = std::as_bytes(std::span(whole));
    CHECK(zip_crc(pieces) == zip_crc({&one, 1}));
    const ZipMember member{
        .name = "x", .method = 8, .packed = packed.size(), .size = whole.size(), .at = 0, .crc = zip_crc(pieces)};
    const std::string bytes = zip_local_header(member) + packed;
    const ZipContent content = zip_content(source_of(bytes, bytes.size()), member, "x");
    CHECK(std::string_view(reinterpret_cast<const char*>(content.bytes.get()), content.size) == whole);
}
