// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    for (const char* name : {"check.so", "check.so.key", "bind.o", "bind.o.key", "lock"}) {
        const std::string path = std::string("@OBJECTS@/") + name;
        escaped_if(can_open(path, O_RDWR), path);
        escaped_if(::truncate(path.c_str(), 0) == 0, path + " truncated");
        escaped_if(::rename(path.c_str(), (path + "x").c_str()) == 0, path + " renamed");
    }
}
