// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    const char* const key = "@OBJECTS@/check.so.key";
    escaped_if(::unlink(key) == 0, "removed");
    escaped_if(::mkfifo(key, 0644) == 0, "a pipe in its place");
    escaped_if(::mkfifo("@ROOT@/work/pipe", 0644) == 0 || ::mkfifo("pipe", 0644) == 0, "a pipe");
    escaped_if(::symlink("/etc/passwd", "link") == 0, "a link");
    escaped_if(::link("@ROOT@/solutions/01-twice/twice.cpp", "hard") == 0, "a hard link");
}
