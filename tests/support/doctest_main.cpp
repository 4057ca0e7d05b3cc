// SPDX-License-Identifier: MIT
// The main() of each test program that has none of its own.
#include <doctest/doctest.h>

int main(int argc, char** argv) {
    return doctest::Context(argc, argv).run();
}
