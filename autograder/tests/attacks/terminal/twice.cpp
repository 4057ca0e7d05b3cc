// SPDX-License-Identifier: MIT
@COMMON@
#include <sys/ioctl.h>
static void attack() {
    for (const char* path : {"/dev/tty", "/dev/pts/0", "/dev/pts/1", "/dev/console", "/dev/tty0", "/dev/ptmx"})
        escaped_if(can_open(path, O_RDWR), path);
    for (int number = 0; number < 8; ++number) escaped_if(::ioctl(number, TIOCSTI, "x") == 0, "TIOCSTI");
}
