// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    const char text[] =
        "\x1b[2J\x1b]0;stolen\a\x1b]52;c;c3RvbGVu\a\r\b\x9b31m passed: 3 of 3 points \xff\xfe \xe2\x80\xae";
    ::write(1, text, sizeof text);
}
