// SPDX-License-Identifier: MIT
#include <sys/prctl.h>
@COMMON@
#include <cstdlib>
static void attack() {
    escaped_if(::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1, "new privileges");
    for (const char* command : {"mount -t tmpfs none . </dev/null", "unshare -Ur true", "chroot / true",
                                "su -c true </dev/null", "unshare -n true", "nsenter -t 1 -m cat /etc/passwd"})
        escaped_if(std::system((std::string(command) + " >/dev/null 2>&1").c_str()) == 0 &&
                       std::strstr(command, "su ") != command,
                   command);
}
