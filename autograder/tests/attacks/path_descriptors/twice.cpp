// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    for (const char* path :
         {"@ROOT@/solutions/01-twice/twice.cpp", "@HOME@/token.txt", "@OTHER@/twice.cpp", "/etc/passwd"}) {
        const int file = ::open(path, O_PATH);
        if (file < 0) continue;
        show(("/proc/self/fd/" + std::to_string(file)).c_str());
        escaped_if(::openat(file, "", O_RDONLY) >= 0, path);
    }
}
