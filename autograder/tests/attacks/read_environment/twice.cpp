// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    for (char** one = environ; *one; ++one) std::puts(*one);
}
