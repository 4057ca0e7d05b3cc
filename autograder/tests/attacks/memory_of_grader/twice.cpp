// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    const std::string grader = "/proc/" + std::to_string(::getppid());
    for (const char* file : {"/mem", "/environ", "/maps", "/auxv"})
        for (const int flags : {O_RDONLY, O_RDWR}) escaped_if(can_open(grader + file, flags), file);
    for (int k = 0; k < 64; ++k) escaped_if(can_open(grader + "/fd/" + std::to_string(k), O_RDONLY), "a descriptor");
}
