// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    ::mkdir("closed", 0700);
    escaped_if(!can_open("closed/file", O_WRONLY | O_CREAT), "nothing: its own folder can't be written");
    ::mkdir("closed/inner", 0);
    ::mkdir("nobody", 0);
    for (int k = 0; k < 3000; ++k)
        if (::mkdir("deep-deep-deep", 0700) != 0 || ::chdir("deep-deep-deep") != 0) break;
}
