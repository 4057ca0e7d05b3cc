// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    for (const char* path : {"@ROOT@", "@ROOT@/solutions", "@HOME@", "@OBJECTS@", "@OTHER@/twice.cpp", "@TMP@"}) {
        escaped_if(::chmod(path, 0777) == 0, std::string("chmod ") + path);
        escaped_if(::chown(path, ::getuid(), ::getgid()) == 0, std::string("chown ") + path);
        escaped_if(::utimensat(AT_FDCWD, path, nullptr, 0) == 0, std::string("utimensat ") + path);
    }
}
