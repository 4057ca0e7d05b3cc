// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    for (const char* name : {"exercises/01-twice/exercise.toml", "exercises/01-twice/check.cpp",
                             "solutions/01-twice/twice.cpp", "exercises/01-twice/bind.cpp", "README.md"}) {
        const std::string path = std::string("@ROOT@/") + name;
        escaped_if(can_open(path, O_RDWR), path);
        escaped_if(::unlink(path.c_str()) == 0, path + " removed");
    }
    for (const char* name : {"work", "work/progress.toml", "work/.progress", "exercises/03-mine"})
        escaped_if(can_open(std::string("@ROOT@/") + name, O_WRONLY | O_CREAT), name);
    escaped_if(::mkdir("@ROOT@/exercises/03-mine", 0755) == 0, "a new exercise");
}
