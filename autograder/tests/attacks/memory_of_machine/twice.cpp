// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    for (const char* path :
         {"/dev/mem", "/dev/kmem", "/dev/port", "/proc/kcore", "/dev/kmsg", "/proc/kmsg", "/dev/vda", "/dev/sda",
          "/dev/fuse", "/dev/kvm", "/dev/net/tun", "/dev/loop-control", "/dev/mapper/control"}) {
        escaped_if(can_open(path, O_RDONLY), path);
        escaped_if(can_open(path, O_WRONLY), path);
    }
}
