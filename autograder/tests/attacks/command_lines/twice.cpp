// SPDX-License-Identifier: MIT
@COMMON@
#include <cstdlib>
static void attack() {
    DIR* const all = ::opendir("/proc");
    while (const dirent* entry = all ? ::readdir(all) : nullptr)
        for (const char* file : {"/environ", "/cmdline", "/stack", "/io", "/wchan"})
            if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9' && std::atoi(entry->d_name) != ::getpid())
                show((std::string("/proc/") + entry->d_name + file).c_str());
}
