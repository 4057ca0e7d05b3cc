// SPDX-License-Identifier: MIT
@COMMON@
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/shm.h>
static void attack() {
    escaped_if(::shm_open("/left-behind", O_CREAT | O_RDWR, 0600) >= 0, "/dev/shm");
    escaped_if(::shmget(0x1ef7, 4096, IPC_CREAT | 0600) >= 0, "shmget");
    escaped_if(::semget(0x1ef7, 1, IPC_CREAT | 0600) >= 0, "semget");
    escaped_if(::mq_open("/left-behind", O_CREAT | O_RDWR, 0600, nullptr) >= 0, "mq_open");
}
