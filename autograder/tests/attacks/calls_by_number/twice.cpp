// SPDX-License-Identifier: MIT
@COMMON@
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
static void attack() {
    struct Entry {
        unsigned short tag, rights;
        unsigned id;
    };
    const struct {
        unsigned version = 2;
        Entry entries[3] = {{1, 6, ~0u}, {4, 6, ~0u}, {0x20, 6, ~0u}};   // may be read and written by all
    } rights;
    const struct {
        const void* value;
        unsigned size, flags;
    } note{&rights, sizeof rights, 0};
    const unsigned long attributes[3]{};
    constexpr const char* name = "system.posix_acl_access";
    for (const char* path : {"@ROOT@", "@ROOT@/solutions/01-twice/twice.cpp", "@HOME@", "@OTHER@/twice.cpp"}) {
        const auto tried = [&](long result, const char* call) {
            escaped_if(result >= 0 || errno != ENOSYS, std::string(call) + " of " + path);
        };
        tried(::syscall(463, AT_FDCWD, path, 0, name, &note, sizeof note), "setxattrat");
        tried(::syscall(466, AT_FDCWD, path, 0, name), "removexattrat");
        tried(::syscall(467, AT_FDCWD, path, 1, attributes, sizeof attributes), "open_tree_attr");
        tried(::syscall(469, AT_FDCWD, path, attributes, sizeof attributes, 0), "file_setattr");
        tried(::syscall(SYS_setxattr, path, name, &rights, sizeof rights, 0), "setxattr");
    }
    const int own = ::open("own", O_RDWR | O_CREAT, 0600);
    int flags = 0;
    escaped_if(own < 0 || ::ioctl(own, FS_IOC_SETFLAGS, &flags) >= 0 || errno != EPERM, "flags of a file");
    escaped_if(::syscall(SYS_fsetxattr, own, "user.left", "x", 1, 0) >= 0 || errno != ENOSYS, "a note on a file");
}
