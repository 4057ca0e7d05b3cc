// SPDX-License-Identifier: MIT

// What exercise 22 is checked for: sizes around a piece of 512 and around 512 pieces; whole numbers, which are added
// exactly in any order.

#include <course/check.hpp>

using namespace course;

// The sums up to each element; of each piece by itself, if there is one.
static Vector<int> scan_of(const Vector<int>& x, int piece = 0) {
    Vector<int> sums = x;
    for (int i = 1; i < sums.size(); ++i)
        if (piece == 0 || i % piece != 0) sums[i] += sums[i - 1];
    return sums;
}

GRADER_TASK(scan, "pieces") {
    for (int n : {1, 2, 31, 255, 256, 257, 511, 512, 513, 1009, 1024, 20'011, 100'003}) {
        auto x = draw.integers(n, -9, 99);
        call("scan_pieces", x).returns(scan_of(x, 512)).kernel_counts("scan_piece", "grid", exactly((n + 511) / 512));
    }
}

GRADER_TASK(scan, "whole") {
    for (int n : {1, 2, 511, 512, 513, 1024, 1025, 1009, 20'011, 262'144, 262'145, 300'007, 262'657}) {
        auto x = draw.integers(n, -9, 99);
        const int levels = n <= 512 ? 1 : n <= 512 * 512 ? 2 : 3;  // the pieces, their totals, and the totals of these
        call("scan", x)
            .returns(scan_of(x))
            .kernel_counts("scan_piece", "launches", at_least(levels), "the totals are scanned by your kernel, too");
    }
    speed([&] {
        auto x = draw.integers(speed_elements(), -9, 9);
        timed(8.0 * x.size(), [&] { return scan_of(x); }, "scan", x).returns(scan_of(x));
    });
}
