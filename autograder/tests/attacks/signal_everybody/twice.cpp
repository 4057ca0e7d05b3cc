// SPDX-License-Identifier: MIT
@COMMON@
#include <csignal>
#include <cstdlib>
static void attack() {
    ::kill(-1, SIGCONT);   // no worse signal: somebody could try this without a sandbox
    ::kill(0, SIGCONT);
    escaped_if(::kill(-::getpgid(::getppid()), SIGCONT) == 0, "the grader's group");
    DIR* const all = ::opendir("/proc");
    while (const dirent* entry = all ? ::readdir(all) : nullptr) {
        const pid_t process = std::atoi(entry->d_name);
        escaped_if(process > 0 && process != ::getpid() && ::kill(process, 0) == 0, entry->d_name);
    }
}
