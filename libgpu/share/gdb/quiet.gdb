# SPDX-License-Identifier: MIT
# For a session that a command starts (`course debug`, `gpucc --debug`): gdb asks nothing and says little of itself.
set confirm off
set breakpoint pending on
set debuginfod enabled off
set startup-with-shell off
set print thread-events off
set print inferior-events off
set filename-display basename
# libgpu's own: it stops a kernel that runs for ever, and turns a kernel's crash into a finding.
handle SIGURG SIGSEGV SIGBUS SIGFPE SIGILL nostop noprint pass
