// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    for (int number = 0; number < 1024; ++number) {
        char target[512]{};
        if (::readlink(("/proc/self/fd/" + std::to_string(number)).c_str(), target, sizeof target - 1) < 0) continue;
        if (std::strncmp(target, "@ROOT@", sizeof "@ROOT@" - 1) == 0 ||
            std::strncmp(target, "@OBJECTS@", sizeof "@OBJECTS@" - 1) == 0)
            escaped(target);
        struct stat info {};
        escaped_if(::fstat(number, &info) == 0 && S_ISDIR(info.st_mode) && ::openat(number, "..", O_RDONLY) >= 0,
                   "a folder");
    }
}
