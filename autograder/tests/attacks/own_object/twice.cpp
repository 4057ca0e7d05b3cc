// SPDX-License-Identifier: MIT
@COMMON@
#include <dlfcn.h>
static void attack() {
    Dl_info info{};
    ::dladdr(reinterpret_cast<void*>(&once), &info);
    escaped_if(can_open(info.dli_fname, O_RDWR), "its object");
    escaped_if(::unlink(info.dli_fname) == 0, "its object removed");
    escaped_if(can_open(__FILE__, O_RDWR), "its source");
    escaped_if(can_open("../../checked/run/left", O_WRONLY | O_CREAT), "the other runner's folder");
}
