// SPDX-License-Identifier: MIT
#include "facts/columns.hpp"

#include <doctest/doctest.h>

using namespace gpu::facts;

TEST_CASE("numbers as people read them") {
    CHECK(thousands(0) == "0");
    CHECK(thousands(999) == "999");
    CHECK(thousands(1000) == "1,000");
    CHECK(thousands(123456) == "123,456");
    CHECK(thousands(1048576) == "1,048,576");
    CHECK(short_number(99'999) == "99,999");
    CHECK(short_number(100'000) == "100 k");
    CHECK(short_number(999'499) == "999 k");
    CHECK(short_number(999'500) == "1.00 M");
    CHECK(short_number(1'048'576) == "1.05 M");
    CHECK(short_number(16'777'216) == "16.8 M");
    CHECK(short_number(2'000'000'000) == "2.00 G");
    CHECK(bytes(0) == "0 B");
    CHECK(bytes(1023) == "1023 B");
    CHECK(bytes(4096) == "4.0 KiB");
    CHECK(bytes(std::uint64_t{3} << 30) == "3.0 GiB");
    CHECK(ratio(131072, 32768) == "4.0");
    CHECK(ratio(1, 3) == "0.3");
    CHECK(ratio(2, 3) == "0.7");
    CHECK(ratio(1999, 1000) == "2.0");
    CHECK(ratio(5, 0).empty());
    CHECK(percent(1, 8) == "13%");
    CHECK(percent(1, 100000) == "1%");
    CHECK(percent(99999, 100000) == "99%");
    CHECK(percent(5, 4) == "100%");
    CHECK(percent(0, 4) == "0%");
    CHECK(percent(1, 0).empty());
    CHECK(counted(1, "copy", "copies") == "1 copy");
    CHECK(counted(2000, "copy", "copies") == "2,000 copies");
}
