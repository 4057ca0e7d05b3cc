// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    escaped_if(::symlink("@HOME@", "home") == 0, "a link to a folder");
    escaped_if(::symlink("@HOME@/token.txt", "token") == 0, "a link to a file");
    escaped_if(::link("@HOME@/token.txt", "hard") == 0, "a hard link");
    escaped_if(::rename("@HOME@/token.txt", "token.txt") == 0, "a file moved here");
    escaped_if(::mkfifo("pipe", 0600) == 0, "a pipe");
    ::mkdir("kept", 0700);
    escaped_if(::rename("kept", "@TMP@/kept") == 0, "a folder moved out");
}
