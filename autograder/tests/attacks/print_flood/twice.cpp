// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    const std::string much(1 << 20, 'x');
    for (int k = 0; k < 100; ++k) ::write(1, much.data(), much.size());
}
