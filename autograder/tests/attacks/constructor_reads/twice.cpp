// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    for (const char* path : {"@ROOT@/solutions/01-twice/twice.cpp", "@HOME@/token.txt", "/etc/passwd"}) show(path);
    escaped_if(can_open("@ROOT@/work/left", O_WRONLY | O_CREAT), "a file in work");
}
[[gnu::constructor]] static void early() { attack(); }
