# SPDX-License-Identifier: MIT
# A kit for arm64, made on another machine: cmake --preset kit -DCMAKE_TOOLCHAIN_FILE=cmake/arm64.cmake
# docs/images.md says what that machine needs.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
# Its whole path: what was built compiles kernels with it, too.
find_program(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++ REQUIRED)
find_program(CMAKE_CROSSCOMPILING_EMULATOR NAMES qemu-aarch64 qemu-aarch64-static REQUIRED)
