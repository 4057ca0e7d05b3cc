# SPDX-License-Identifier: MIT
"""gdb's commands for kernels on libgpu's host backend: `help gpu` lists them.

Works with programs whose environment has LIBGPU_DEBUG_KERNELS=1, in check mode.
"""
import os
import sys

import gdb
import gdb.unwinder

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from gpu_threads import (FINDING, UINT3, Block, FiberUnwinder, Launch, LearnersFrames, Selection, argument_of,
                         block_now, evaluated, index_of, is_learners, is_learners_line, learners_frame, memory, place,
                         select, selected_index, shown, text_at, thread_number)


class Gpu(gdb.Command):
    """Looks at kernels: threads, blocks and arrays.

threadIdx, blockIdx, blockDim and gridDim can be printed, and used in conditions:
    print threadIdx.x
    break reduce.cu:20 if threadIdx.x == 3"""

    def __init__(self):
        super().__init__("gpu", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)


class GpuThreads(gdb.Command):
    """Lists the threads of the block that runs, and where each waits: gpu threads"""

    def __init__(self):
        super().__init__("gpu threads", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        block, launch = block_now(), Launch()
        print("{}, block {}: {} thread{}".format(launch.kernel, shown(block.index()), block.threads,
                                                 "" if block.threads == 1 else "s"))
        kept = Selection.thread
        runs = "runs"
        if kept is None:
            frame = learners_frame()
            runs = "runs at " + place(frame) if frame is not None else runs
        groups = []
        for thread in range(block.threads):
            state = block.state_of(thread)
            if groups and groups[-1][2] == state:
                groups[-1][1] = thread
            else:
                groups.append([thread, thread, state])
        names = [shown(block.indices[first]) + ("" if first == last else " to " + shown(block.indices[last]))
                 for first, last, _ in groups]
        width = max(len(name) for name in names)
        for name, (first, last, state) in zip(names, groups):
            mark = "*" if first <= (block.current if kept is None else kept) <= last else " "
            state = runs if state == "runs" else state
            print("{} {:<{}}  {:>4}  {}".format(mark, name, width, last - first + 1, state))


class GpuThread(gdb.Command):
    """Goes to another thread of the block, to look at: gpu thread 3,0,0 or gpu thread 3

Its frames and variables are then what bt, up, down, print and info locals show. The program isn't changed by that:
step, next and continue go on with the thread that runs. Without a number: which thread that is."""

    def __init__(self):
        super().__init__("gpu thread", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        block, launch = block_now(), Launch()
        if not argument.strip():
            GpuWhere.tell(block, launch)
            return
        thread = thread_number(block, launch, argument)
        state = block.state_of(thread)
        print("thread {}: {}".format(shown(block.indices[thread]), state))
        if thread != block.current and not block.has_stack(thread):
            return
        if thread != block.current and block.own_switch == 0:
            raise gdb.GdbError("Its frames can't be shown on this processor: only on x86-64 and arm64.")
        if not select(block, thread):
            raise gdb.GdbError("It is in no line of the kernel.")
        gdb.execute("frame")


class GpuWhere(gdb.Command):
    """Says where the program stands: kernel, grid, block and thread: gpu where"""

    def __init__(self):
        super().__init__("gpu where", gdb.COMMAND_DATA)

    @staticmethod
    def tell(block, launch):
        print("kernel {}, grid {} of blocks {}".format(launch.kernel, shown(launch.grid), shown(launch.block)))
        thread = block.current if Selection.thread is None else Selection.thread
        print("block {}, thread {}: {}".format(shown(block.index()), shown(block.indices[thread]),
                                               block.state_of(thread)))

    def invoke(self, argument, from_tty):
        self.tell(block_now(), Launch())


class KernelBreakpoint(gdb.Breakpoint):
    """Stops in kernels alone: of a file in plain CUDA the host's compiler has made something of these lines, too. At a
    kernel's name it stops once for each launch, in the first thread, unless there is a condition."""

    def __init__(self, location, condition=None):
        super().__init__(location)
        self.name, self.kernel_condition = location, condition

    def stop(self):
        block = Block.of_selected_thread()
        if block is None or not is_learners(gdb.newest_frame()):
            return False
        if self.kernel_condition is not None:
            return bool(gdb.parse_and_eval(self.kernel_condition))
        is_kernel = Launch().kernel.partition("<")[0] == self.name
        return not is_kernel or (block.index() == (0, 0, 0) and block.current == 0)


class GpuBreak(gdb.Command):
    """Stops at a line of a kernel, or where a kernel begins: gpu break prog.cu:20 or gpu break add

With a condition: gpu break prog.cu:20 if threadIdx.x == 3"""

    def __init__(self):
        super().__init__("gpu break", gdb.COMMAND_BREAKPOINTS, gdb.COMPLETE_LOCATION)

    def invoke(self, argument, from_tty):
        place, _, condition = argument.partition(" if ")
        if not place.strip():
            raise gdb.GdbError("Where? As in: gpu break prog.cu:20, or gpu break add")
        KernelBreakpoint(place.strip(), condition.strip() or None)


class BlockBegins(gdb.Breakpoint):
    """Stops where a block is about to begin: then none of its threads has."""

    def __init__(self, launch, wanted):
        super().__init__("gpu_debug_block_begins", internal=True)
        self.silent, self.kernel, self.wanted = True, launch.kernel, tuple(wanted)

    def stop(self):
        block = Block(argument_of(gdb.newest_frame()))
        return Launch().kernel == self.kernel and block.index() == self.wanted


class GpuBlock(gdb.Command):
    """Goes on until a block begins: gpu block 1 or gpu block 1,0,0

On the host, blocks run one after another. Findings and breakpoints on the way stop the program as always."""

    def __init__(self):
        super().__init__("gpu block", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        block, launch = block_now(), Launch()
        if not argument.strip():
            GpuWhere.tell(block, launch)
            return
        wanted = index_of(argument, launch.grid, "block", "grid has")
        number_of = (wanted[2] * launch.grid[1] + wanted[1]) * launch.grid[0] + wanted[0]
        now = block.number_in(launch)
        if number_of <= now:
            print("block {} {}".format(shown(wanted), "runs" if number_of == now else "has ended: `run` starts again"))
            return
        begins = BlockBegins(launch, wanted)
        try:
            gdb.execute("continue")
            reached = begins.is_valid() and begins.hit_count > 0 and Stops.last is begins
        finally:
            if begins.is_valid():
                begins.delete()
        if not reached:
            return
        entry = gdb.Breakpoint(launch.kernel, temporary=True, internal=True)
        entry.silent = True
        gdb.execute("continue")
        frame = learners_frame()
        block = Block.of_selected_thread()
        if frame is not None and block is not None:
            frame.select()
            print("block {} begins".format(shown(block.index())))
            gdb.execute("frame")


class BackInKernel(gdb.Breakpoint):
    """Stops where a call of libgpu's returns to the kernel, in the thread that made it."""

    def __init__(self, frame, block):
        super().__init__("*{:#x}".format(frame.pc()), internal=True)
        self.silent, self.who = True, (block.index(), block.current)

    def stop(self):
        block = Block.of_selected_thread()
        return block is not None and (block.index(), block.current) == self.who


class GpuNext(gdb.Command):
    """Goes on to the kernel's next line, in the thread that runs: gpu next

Like next, but leaves libgpu first, where gdb stops for a finding. A thread that can't go on is left: the program runs on
to the next finding or breakpoint."""

    def __init__(self):
        super().__init__("gpu next", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        block = block_now()
        Selection.clear()
        frame = learners_frame()
        if frame is not None and frame.level() > 0:
            back = BackInKernel(frame, block)
            try:
                gdb.execute("continue")
                if Stops.last is not back:
                    return
            finally:
                back.delete()
        gdb.execute("next")


class GpuArray(gdb.Command):
    """Prints an array, or a slice of it: gpu array x or gpu array x 10:20

As in Python the slice's end isn't part of it. A pointer into an array of the kernel's arguments has that array's
length."""

    MOST = 256
    ROW = 8

    def __init__(self):
        super().__init__("gpu array", gdb.COMMAND_DATA, gdb.COMPLETE_SYMBOL)

    @staticmethod
    def split(argument):
        """ "x + 1 10:20" is the expression and the slice."""
        words = argument.strip().rsplit(None, 1)
        if len(words) == 2 and ":" in words[1] and "::" not in words[1]:
            return words[0], words[1].split(":")
        return argument.strip(), None

    def invoke(self, argument, from_tty):
        expression, slice_of = self.split(argument)
        if not expression:
            raise gdb.GdbError("Which array? As in: gpu array x, or gpu array x 10:20")
        value = evaluated(expression)
        kind = value.type.strip_typedefs()
        length = None
        is_reference = kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
        if is_reference:
            value = value.referenced_value()
            kind = value.type.strip_typedefs()
        if kind.code == gdb.TYPE_CODE_ARRAY:
            element = kind.target()
            length = kind.range()[1] + 1
            if length <= 1 and is_reference:  # extern __shared__ float s[]: as long as the launch says
                length = Launch().dynamic_shared // element.sizeof
            address = int(value.address)
        elif kind.code == gdb.TYPE_CODE_PTR:
            element = kind.target()
            address = int(value)
            if element.strip_typedefs().code == gdb.TYPE_CODE_VOID:
                raise gdb.GdbError("{} is a void*: cast it, as in: gpu array (float*){}".format(expression, expression))
            behind = Launch().bytes_behind(address)
            length = None if behind is None else behind // element.sizeof
        else:
            raise gdb.GdbError("{} is no array: it is of type {}.".format(expression, value.type))
        begin, end = self.limits(expression, slice_of, length)
        self.show(expression, element, address, begin, end, length)

    @staticmethod
    def limits(expression, slice_of, length):
        def at(text, otherwise):
            if not text:
                return otherwise
            position = int(evaluated(text))
            return position + length if position < 0 and length is not None else position

        if slice_of is None:
            slice_of = ["", ""]
        if length is None and not slice_of[1]:
            raise gdb.GdbError("How long {0} is isn't known: say which part, as in: gpu array {0} 0:10".format(
                expression))
        if len(slice_of) != 2:
            raise gdb.GdbError("A slice has a begin and an end, as in: gpu array {} 10:20".format(expression))
        begin, end = at(slice_of[0], 0), at(slice_of[1], length)
        if length is not None:
            begin, end = min(max(begin, 0), length), min(max(end, 0), length)
        return begin, max(begin, end)

    def show(self, expression, element, address, begin, end, length):
        whole = "" if length is None else " of {}".format(length)
        print("{}[{}:{}]{}, {}".format(expression, begin, end, whole, element.unqualified()))
        cut = max(0, end - begin - self.MOST)
        end -= cut
        row = element.array(max(min(self.ROW, end - begin) - 1, 0)).sizeof // max(element.sizeof, 1)
        width = len(str(end))
        for first in range(begin, end, row):
            last = min(first + row, end)
            values = [str(gdb.Value(memory(address + k * element.sizeof, element.sizeof), element.unqualified()))
                      for k in range(first, last)]
            print("  [{:>{}}] {}".format(first, width, "  ".join("{:>9}".format(one) for one in values)))
        if cut:
            print("  ... and {} more: gpu array {} {}:{}".format(cut, expression, end, end + cut))


class Index(gdb.Function):
    """$_gpu_index(k): threadIdx, blockIdx, blockDim and gridDim of the thread that is looked at."""

    def __init__(self):
        super().__init__("_gpu_index")

    def invoke(self, which):
        block = Block.of_selected_thread()
        if block is None:
            raise gdb.GdbError("No kernel is running here.")
        launch = Launch()
        value = (selected_index(block), block.index(), launch.block, launch.grid)[int(which)]
        return gdb.Value(UINT3.pack(*value), gdb.lookup_type("uint3"))


class Finding(gdb.Breakpoint):
    """Stops at each mistake that check mode finds."""

    def __init__(self):
        super().__init__("gpu_debug_finding", internal=True)
        self.silent = True

    def tell(self):
        record = argument_of(gdb.newest_frame())
        _, text, here, there, *thread = FINDING.unpack(memory(record, FINDING.size))
        lines = text_at(text)
        for mark, address in (("<here>:0", here), ("<there>:0", there)):
            if address:
                sal = gdb.find_pc_line(address - 1)
                if is_learners_line(sal, address - 1):
                    lines = lines.replace(mark, "{}:{}".format(os.path.basename(sal.symtab.filename), sal.line))
        frame = learners_frame()  # for an instruction of libgpu's part of the kernel: who called it
        lines = lines.replace("<here>:0", "the kernel" if frame is None else place(frame))
        print("\n" + lines.replace("<there>:0", "another place"))
        self.show_thread(tuple(thread))

    @staticmethod
    def show_thread(index):
        """The thread concerned, else the one that runs, else one that waits."""
        block = Block.of_selected_thread()
        if block is None:
            return
        concerned = block.indices.index(index) if index in block.indices else block.current
        waiting = [thread for thread in range(block.threads) if thread != block.current and block.has_stack(thread)]
        for thread in [concerned, block.current] + waiting[:1]:
            if thread != block.current and (not block.has_stack(thread) or block.own_switch == 0):
                continue
            if select(block, thread):
                gdb.execute("frame")
                return


class Stops:
    """What to do when the program stops, goes on, or ends."""
    last = None
    finding = None

    @classmethod
    def on_stop(cls, event):
        cls.last = None
        if not isinstance(event, gdb.BreakpointEvent):
            return
        for breakpoint in event.breakpoints:
            if isinstance(breakpoint, (Finding, BlockBegins, BackInKernel)):
                cls.last = breakpoint
        if isinstance(cls.last, Finding):
            cls.last.tell()

    @classmethod
    def on_new_objfile(cls, event):
        if cls.finding is None and gdb.objfiles():
            try:
                gdb.parse_and_eval("(unsigned long)&gpu_debug_finding")
            except gdb.error:
                return  # libgpu comes later
            cls.finding = Finding()

    @staticmethod
    def on_continue(event):
        Selection.clear()

    @staticmethod
    def on_exit(event):
        Selection.thread = Selection.place = None


def install():
    for command in (Gpu, GpuThreads, GpuThread, GpuWhere, GpuBreak, GpuBlock, GpuNext, GpuArray, Index):
        command()
    for k, name in enumerate(("threadIdx", "blockIdx", "blockDim", "gridDim")):
        gdb.execute("macro define {} $_gpu_index({})".format(name, k))
    gdb.frame_filters[LearnersFrames.name] = LearnersFrames()
    gdb.unwinder.register_unwinder(None, FiberUnwinder(), replace=True)
    gdb.events.stop.connect(Stops.on_stop)
    gdb.events.cont.connect(Stops.on_continue)
    gdb.events.exited.connect(Stops.on_exit)
    gdb.events.new_objfile.connect(Stops.on_new_objfile)
    Stops.on_new_objfile(None)


install()
