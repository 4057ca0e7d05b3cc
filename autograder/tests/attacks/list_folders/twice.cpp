// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    for (const char* path :
         {"@ROOT@", "@ROOT@/solutions", "@OTHER@", "@HOME@", "@TMP@", "/", "/tmp", "/home", "/root"}) {
        DIR* const folder = ::opendir(path);
        escaped_if(folder != nullptr, path);
        while (const dirent* entry = folder ? ::readdir(folder) : nullptr) std::puts(entry->d_name);
    }
}
