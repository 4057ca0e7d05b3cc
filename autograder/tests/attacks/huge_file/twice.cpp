// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    const int file = ::open("huge", O_CREAT | O_RDWR, 0600);
    escaped_if(::ftruncate(file, off_t{1} << 40) == 0, "1 TiB");
}
