// SPDX-License-Identifier: MIT
@COMMON@
static void attack() { ::_exit(0); }
