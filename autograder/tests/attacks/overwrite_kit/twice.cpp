// SPDX-License-Identifier: MIT
#include <spawn.h>
@COMMON@
static void attack() {
    for (const char* path :
         {"@PROGRAMS@/course", "@PROGRAMS@/course-runner", "@PROGRAMS@/course-probe", "@LIBRARIES@/libgpu.so"})
        escaped_if(can_open(path, O_RDWR), path);
    const char* arguments[] = {"@PROGRAMS@/course", "--root", "@ROOT@", "solution", "1", "--force", nullptr};
    pid_t child = 0;
    escaped_if(::posix_spawn(&child, arguments[0], nullptr, nullptr, const_cast<char**>(arguments), environ) == 0,
               "course");
}
