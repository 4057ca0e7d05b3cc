// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    for (const char* folder :
         {"/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", "/var/spool/cron", "/etc/cron.d", "/usr/local/lib",
          "@HOME@", "@TMP@", "@ROOT@", "@ROOT@/work", "@OBJECTS@", "@PROGRAMS@", "@LIBRARIES@", "..", "../..", "/"}) {
        const std::string name = std::string(folder) + "/left-behind";
        escaped_if(can_open(name, O_WRONLY | O_CREAT), name);
        escaped_if(::mkdir((name + ".d").c_str(), 0700) == 0, name + ".d");
    }
}
