// SPDX-License-Identifier: MIT
// A program's own exit code stays, however it ends: argv[1] says how.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

__global__ void spin(int* x) { *x += 1; }

struct AtEnd {
    ~AtEnd() { printf("static object destroyed\n"); }
} at_end;

int main(int argc, char** argv) {
    const char* how = argc > 1 ? argv[1] : "return";
    int* x;
    cudaMalloc(&x, sizeof(int));
    spin<<<1, 1>>>(x);
    printf("%s\n", how);
    fflush(stdout);
    if (strcmp(how, "exit") == 0) exit(4);
    if (strcmp(how, "_exit") == 0) _exit(5);
    if (strcmp(how, "throw") == 0) throw std::runtime_error("thrown");
    if (strcmp(how, "kill") == 0) raise(SIGTERM);
    if (strcmp(how, "fault") == 0) *(volatile int*)nullptr = 1;
    if (strcmp(how, "fork") == 0) {
        const pid_t child = fork();
        if (child == 0) exit(6);
        int status = 0;
        waitpid(child, &status, 0);
        printf("child %d\n", WEXITSTATUS(status));
        return 8;
    }
    return 3;
}
