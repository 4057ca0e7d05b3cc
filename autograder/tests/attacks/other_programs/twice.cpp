// SPDX-License-Identifier: MIT
@COMMON@
#include <cstdlib>
static void attack() {
    for (const char* path :
         {"@ROOT@/solutions/01-twice/twice.cpp", "@HOME@/token.txt", "@OTHER@/twice.cpp", "/etc/passwd"}) {
        const std::string name = path;
        for (const std::string& command :
             {"cat " + name, "c++ -E -x c++ -P " + name, "cp " + name + " stolen && cat stolen",
              "while read -r line; do echo \"$line\"; done <" + name})
            static_cast<void>(std::system(command.c_str()));
    }
}
