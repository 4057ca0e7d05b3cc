// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    for (int k = 0; k < 64; ++k) {
        const int file = ::open(std::to_string(k).c_str(), O_CREAT | O_WRONLY, 0600);
        ::posix_fallocate(file, 0, off_t{200} << 20);
        ::close(file);
    }
    for (;;) ::pause();
}
