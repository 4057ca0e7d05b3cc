# SPDX-License-Identifier: MIT
"""What gpu.py reads of a program, and how it shows a thread that waits.

A block's threads are fibers of one thread of the operating system; where each stands is read from the records of
libgpu/src/host/base/debugger.hpp, by their layout.
"""
import os
import struct

import gdb
import gdb.unwinder

VERSION = 1
UINT3 = struct.Struct("<3I")
BLOCK = struct.Struct("<21Q")      # DebuggedBlock
LAUNCH = struct.Struct("<2Q6I3Q")  # DebuggedLaunch
FINDING = struct.Struct("<4Q3I")   # DebuggedFinding
KERNEL_OBJECT = "libgpu-kernel.so"


class Processor:
    """Its registers: the stack pointer, where the program is, a function's first argument; and what
    gpu_host_switch_fiber() saves, in words from the saved stack pointer upwards, `words` in all."""

    def __init__(self, stack, place, argument, saved, words):
        self.stack, self.place, self.argument, self.saved, self.words = stack, place, argument, saved, words

    @staticmethod
    def of(frame):
        return ARM64 if frame.architecture().name().startswith("aarch64") else X86_64


X86_64 = Processor("rsp", "rip", "rdi", ("r15", "r14", "r13", "r12", "rbx", "rbp", "rip"), 7)
# x30, where a function returns to, is where the thread goes on. d8 to d15 lie behind it, and keep what they hold now.
ARM64 = Processor("sp", "pc", "x0", tuple("x{}".format(k) for k in range(19, 30)) + ("pc",), 20)


def argument_of(frame):
    """What a function of libgpu's was called with, at its first instruction."""
    return int(frame.read_register(Processor.of(frame).argument))


def stack_and_place(frame):
    processor = Processor.of(frame)
    return tuple(int(frame.read_register(name)) & 0xffffffffffffffff for name in (processor.stack, processor.place))


def memory(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def word(address):
    return struct.unpack("<Q", memory(address, 8))[0]


def number(address):
    return struct.unpack("<i", memory(address, 4))[0]


def text_at(address):
    return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string()


def symbol(name):
    """The address of one of libgpu's records."""
    try:
        return int(gdb.parse_and_eval("(unsigned long)&" + name))
    except gdb.error:
        raise gdb.GdbError("No kernel has run yet: libgpu isn't loaded. Type: run")


def evaluated(expression):
    try:
        return gdb.parse_and_eval(expression)
    except gdb.error as error:
        raise gdb.GdbError(str(error))


def shown(index):
    return "({},{},{})".format(*index)


class Launch:
    """The launch that runs."""

    def __init__(self):
        fields = LAUNCH.unpack(memory(symbol("gpu_debug_launch"), LAUNCH.size))
        self.kernel = text_at(fields[1])
        self.grid, self.block = fields[2:5], fields[5:8]
        self.dynamic_shared = fields[8]
        self.arrays = [struct.unpack("<2Q", memory(fields[9] + 16 * k, 16)) for k in range(fields[10])]

    def bytes_behind(self, address):
        """How many bytes of its array begin at an address; None where it is in no array of the kernel's arguments."""
        for start, size in self.arrays:
            if start <= address < start + size or (size == 0 and address == start):
                return start + size - address
        return None


class Block:
    """The threads of the block that the selected thread of the operating system runs."""

    def __init__(self, address):
        (version, self.next, self.os_thread, threads, current, running, index, index_bytes, self.fiber, self.line,
         self.state, self.warps, self.warp_bytes, self.live, self.runnable, self.begun, self.at_barrier, self.waiting,
         self.instruction, self.names, self.own_switch) = BLOCK.unpack(memory(address, BLOCK.size))
        if version != VERSION:
            raise gdb.GdbError("gpu.py and libgpu are of different versions: use the file that came with this libgpu.")
        self.threads, self.current = number(threads), number(current)
        self.running = memory(running, 1) != b"\0"
        indices = memory(index, index_bytes * self.threads)
        self.indices = [UINT3.unpack_from(indices, index_bytes * k) for k in range(self.threads)]

    @staticmethod
    def of_selected_thread():
        """None where no kernel runs."""
        thread = gdb.selected_thread()
        if thread is None or not thread.is_valid():
            return None
        try:
            address = word(symbol("gpu_debug_blocks"))
        except (gdb.GdbError, gdb.error):
            return None
        while address != 0:
            block = Block(address)
            if block.os_thread == thread.ptid[1]:
                return block if block.running else None
            address = block.next
        return None

    def bit(self, thread, field):
        address = self.warps + thread // 32 * self.warp_bytes + field
        return struct.unpack("<I", memory(address, 4))[0] >> thread % 32 & 1 != 0

    def index(self):
        """The block's own."""
        return UINT3.unpack(memory(self.state + 16, UINT3.size))

    def number_in(self, launch):
        x, y, z = self.index()
        return (z * launch.grid[1] + y) * launch.grid[0] + x

    def waits_in(self, thread):
        if self.bit(thread, self.at_barrier):
            return "__syncthreads()"
        instruction = word(self.warps + thread // 32 * self.warp_bytes + self.instruction + 8 * (thread % 32))
        return text_at(word(self.names + 8 * (instruction >> 16 & 0xffff)))

    def has_stack(self, thread):
        return self.bit(thread, self.live) and self.bit(thread, self.begun)

    def state_of(self, thread):
        """What a thread does, in words."""
        if not self.bit(thread, self.live):
            return "ended"
        if thread == self.current:
            return "runs"
        if not self.bit(thread, self.begun):
            return "not started"
        line = number(self.line + 4 * thread)
        if self.bit(thread, self.at_barrier) or self.bit(thread, self.waiting):
            return "waits at line {} in {}".format(line, self.waits_in(thread))
        return "can go on from line {}".format(line)


class Selection:
    """Which thread of the block the user looks at; none: the one that runs."""
    thread = None
    place = None   # stack and instruction pointers of the thread of the operating system

    @classmethod
    def clear(cls):
        if cls.thread is not None:
            cls.thread = cls.place = None
            gdb.invalidate_cached_frames()


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class FiberUnwinder(gdb.unwinder.Unwinder):
    """Shows a waiting thread's frames above the one that runs. No register is changed, so that the program goes on as
    if nobody had looked."""

    def __init__(self):
        super().__init__("gpu-threads")

    def __call__(self, frame):
        if Selection.thread is None:
            return None
        if stack_and_place(frame) != Selection.place:
            return None
        block = Block.of_selected_thread()
        if block is None:
            return None
        saved = word(block.fiber + 8 * Selection.thread)
        # Below all stacks, so that gdb doesn't take the other stack for a damaged one.
        processor = Processor.of(frame)
        info = frame.create_unwind_info(FrameId(gdb.Value(16), gdb.Value(Selection.place[1])))
        long = gdb.lookup_type("unsigned long")
        for k, name in enumerate(processor.saved):
            info.add_saved_register(name, gdb.Value(word(saved + 8 * k)).cast(long))
        info.add_saved_register(processor.stack, gdb.Value(saved + 8 * processor.words).cast(long))
        return info


def is_learners(frame):
    """Whether a frame is in the learner's part of a kernel."""
    return is_learners_line(frame.find_sal(), frame.pc())


def is_learners_line(sal, pc):
    if os.path.basename(gdb.solib_name(pc) or "") != KERNEL_OBJECT:
        return False
    if sal.symtab is None or sal.line <= 0:
        return False
    folder, name = os.path.split(sal.symtab.fullname())
    return not (os.path.basename(folder) == "libgpu" or name.startswith("libgpu:") or name == "kernel.cpp")


def learners_frame():
    """The innermost one of the thread that is looked at."""
    frame = gdb.newest_frame()
    if Selection.thread is not None:
        frame = frame.older()
    while frame is not None and frame.is_valid():
        if is_learners(frame):
            return frame
        frame = frame.older()
    return None


def place(frame):
    sal = frame.find_sal()
    return "{}:{}".format(os.path.basename(sal.symtab.filename), sal.line)


def block_now():
    block = Block.of_selected_thread()
    if block is None:
        raise gdb.GdbError("No kernel is running here. `continue` goes on, `run` starts again.")
    return block


def thread_number(block, launch, text):
    """The thread that "3", "3,0" or "(3,0,0)" names."""
    index = index_of(text, launch.block, "thread", "block has")
    return (index[2] * launch.block[1] + index[1]) * launch.block[0] + index[0]


def index_of(text, limits, what, who):
    parts = text.replace("(", " ").replace(")", " ").replace(",", " ").split()
    try:
        index = [int(gdb.parse_and_eval(part)) for part in parts]
    except gdb.error:
        index = []
    if not 1 <= len(index) <= 3:
        raise gdb.GdbError("Which {0}? As in: gpu {0} 3, or gpu {0} 3,0,0".format(what))
    index += [0] * (3 - len(index))
    if any(not 0 <= at < limit for at, limit in zip(index, limits)):
        raise gdb.GdbError("There is no {} {}: the {} {}.".format(what, shown(index), who, shown(limits)))
    return index


def select(block, thread):
    """Makes the frames of a thread that has a stack those that gdb shows."""
    Selection.clear()
    if thread != block.current:
        gdb.newest_frame().select()
        Selection.place = stack_and_place(gdb.newest_frame())
        Selection.thread = thread
        gdb.invalidate_cached_frames()
    frame = learners_frame()
    if frame is None:
        Selection.clear()
        return False
    frame.select()
    return True


def selected_index(block):
    return block.indices[block.current if Selection.thread is None else Selection.thread]


class LearnersFrames:
    """bt shows what the learner wrote; `bt -no-filters` shows all."""
    name, enabled, priority = "gpu", True, 100

    def filter(self, frames):
        if Block.of_selected_thread() is None:
            return frames
        frames = list(frames)
        kept = [frame for frame in frames if is_learners(frame.inferior_frame()) and
                (Selection.thread is None or frame.inferior_frame() != gdb.newest_frame())]
        return iter(kept or frames)
