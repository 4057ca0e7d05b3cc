// SPDX-License-Identifier: MIT
@COMMON@
#include <dlfcn.h>
static void attack() {
    for (const char* path : {"@OBJECTS@/check.so", "/proc/self/root@OBJECTS@/check.so"})
        escaped_if(::dlopen(path, RTLD_NOW) != nullptr, path);
}
