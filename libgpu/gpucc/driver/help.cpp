// SPDX-License-Identifier: MIT
#include "gpucc/driver/options.hpp"

namespace gpucc {

std::string help_text() {
    return R"(usage: gpucc [options] file.cu ... -o program
       gpucc --check [options] file.cu ... [-- arguments]     compile and run
       gpucc --check [options] ./program [-- arguments]       run what gpucc has compiled

Compiles plain CUDA C++ programs for the CPU: kernels run on libgpu's host backend. It needs no CUDA toolkit and no GPU.

What to make (as nvcc's)
  -o FILE                   the program, or with -c the object; a.out unless given
  -c                        objects alone
  -E                        what the preprocessor makes of a file
  -lib, -shared             a library of objects, a shared library
  -M, -MM                   the files that a file needs, as a line for make; -MD, -MMD: beside compiling it
  -MF FILE, -MT NAME, -MP   where that line goes, and what it says
  -odir DIR                 where the objects of -c go

How to compile (as nvcc's)
  -x cu, c++ or c           whatever the file's name says
  -I DIR, -D NAME, -U NAME, -include FILE, -isystem DIR
  -std=c++17                and other standards
  -O LEVEL, -g, -G          -G is -g
  -use_fast_math, -fmad=false
  -Xcompiler OPTIONS        for the host's compiler; so is any -f, -m or -W
  -ccbin COMPILER           g++ or clang++; unless given GPUCC_CXX, else the one that built gpucc
  -l LIBRARY, -L DIR, -Xlinker OPTIONS
  -arch, -gencode, -lineinfo, -maxrregcount, -Xptxas, -rdc=false and their like are taken and ignored: they are for GPUs

Find mistakes (these run the program; arguments for it stand behind --)
  --check                   every launch in check mode; what is wrong, with file and line
  --check-exit-code N       exit with N, 1 to 255, if something is
  --leaks                   memory that was never freed
  --timeout S               end a kernel when one of its blocks takes longer; 0: never
  --json                    check mode, with its findings and counts as JSON on standard output

See what it does (likewise)
  --counts                  what each kernel did, as a table
  --ledger                  each allocation, copy, launch and wait, with its line
  --show PAGE.html          pictures of the launches, as a page
    --kernel NAME             of this kernel's alone
    --launch N                of the Nth alone
  --debug                   gdb, which stops in the kernel at the first mistake (nvcc's -g where -c or -o is given)
    --at PLACE                and at prog.cu:12, or where the kernel of that name begins

About gpucc
  -v, -dryrun               show the commands; the second does nothing else
  -run, -run-args WORDS     run the program
  -optf FILE                more options, from a file
  --version, -h, --help

A program that is compiled already takes these from its environment: GPUCC_CHECK=1 ./program. The page about plain CUDA
programs lists the variables, and what of CUDA is there: docs/plain-cuda.md.
)";
}

}  // namespace gpucc
