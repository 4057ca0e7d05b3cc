// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    for (volatile bool on = true; on;) {}
}
