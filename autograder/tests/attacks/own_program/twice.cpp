// SPDX-License-Identifier: MIT
#include <spawn.h>
#include <sys/mman.h>
@COMMON@
static void attack() {
    const int from = ::open("/bin/true", O_RDONLY), to = ::open("own", O_CREAT | O_WRONLY, 0700),
              nameless = ::memfd_create("own", 0);
    char bytes[4096];
    for (ssize_t got; (got = ::read(from, bytes, sizeof bytes)) > 0;) {
        static_cast<void>(::write(to, bytes, static_cast<std::size_t>(got)));
        static_cast<void>(::write(nameless, bytes, static_cast<std::size_t>(got)));
    }
    ::close(to);
    pid_t child = 0;
    const char* arguments[] = {"own", nullptr};
    escaped_if(::posix_spawn(&child, "./own", nullptr, nullptr, const_cast<char**>(arguments), environ) == 0,
               "a program of its own");
}
