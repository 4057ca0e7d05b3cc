// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    for (const char* path : {"@ROOT@/solutions/01-twice/twice.cpp", "@ROOT@/exercises/01-twice/check.cpp",
                             "@ROOT@/exercises/01-twice/exercise.toml", "@OTHER@/twice.cpp", "@HOME@/token.txt",
                             "/etc/passwd", "/etc/shadow", "@OBJECTS@/check.so"})
        show(path);
}
