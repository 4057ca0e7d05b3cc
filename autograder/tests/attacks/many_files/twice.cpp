// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    for (int k = 0; k < 20000; ++k) {
        const int file = ::open(("file\n\x1b[2J" + std::to_string(k)).c_str(), O_CREAT | O_WRONLY, 0600);
        if (file >= 0) ::close(file);
    }
    while (::open("file\n\x1b[2J0", O_RDONLY) >= 0) {}
}
