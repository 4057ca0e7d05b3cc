// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    for (const char* path :
         {"/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/sys/kernel/randomize_va_space",
          "/proc/self/oom_score_adj", "/proc/self/uid_map", "/proc/self/mem", "/sys/power/state",
          "/sys/fs/cgroup/cgroup.procs", "/dev/cpu/0/msr", "/proc/self/attr/current"})
        escaped_if(can_open(path, O_WRONLY), path);
}
