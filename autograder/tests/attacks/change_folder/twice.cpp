// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    for (const char* folder : {"@ROOT@/solutions/01-twice", "@ROOT@/exercises/01-twice", "@OTHER@", "@HOME@", "/etc"}) {
        if (::chdir(folder) != 0) continue;
        for (const char* name :
             {"twice.cpp", "check.cpp", "token.txt", "passwd", "./twice.cpp", "../../solutions/01-twice/twice.cpp"})
            show(name);
        escaped_if(::opendir(".") != nullptr, folder);
    }
}
