# SPDX-License-Identifier: MIT
# A thin front for the student's commands; `make help` lists them. The work is done by CMake and by build/kit/bin/course.
#   make PRESET=asan test    another preset of CMakePresets.json (kit, cpu, cuda, ci, asan, tsan)

PRESET ?= kit
BUILD  := build/$(PRESET)
COURSE := $(BUILD)/bin/course
CLANG_FORMAT ?= clang-format-16
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)

MAKEFLAGS += --no-print-directory --no-builtin-rules
.SUFFIXES:
.DEFAULT_GOAL := status
.PHONY: status lessons checks judge hint counts show ledger list quiz notebook notebooks mandelbrot watch submit progress summary own log doctor tour test fuzz \
        build class bench dist dist-student slides bench-gpu bench-host budgets docs format clean help kit author gpucc \
        install-gpucc

# A verdict is an answer, not an error of make: the codes 1 to 3 of `course` say what an answer is not yet. 4 and above
# are faults: no compiler, no such exercise, Ctrl-C.
an_answer = || { code=$$?; [ $$code -le 3 ] || exit $$code; }

# An option with a variable of make's command line, whatever it holds: the shell takes it from the environment, to which
# make adds it. A variable that was there before doesn't count: some systems have a NAME.
given = $(if $(filter command%,$(origin $(1))),$(2) "$$$(1)")

# What some exercises build when they need it is kept up to date from then on.
built_on_demand = $(if $(wildcard $(BUILD)/lib/libgpu_host_linalg.so),gpu_host_linalg) $(if $(wildcard $(BUILD)/bin/gpucc),gpucc)

kit:                     # what the course commands need, built if it isn't
	@cmake/build_quietly $(PRESET) tour $(built_on_demand)

status: kit              ## where am I, and what comes next (also plain `make`)
	@$(COURSE) status

exercise-%: kit          ## exercise-6: judge your answer to exercise 6
	@$(COURSE) run $* $(an_answer)

# Of a lesson: all of it, or these programs and questions, with commas between. What isn't to run isn't built.
chosen = $(if $(PROGRAM),--program "$(PROGRAM)") $(if $(QUESTIONS),--questions "$(QUESTIONS)")
build_lesson = target=$$($(COURSE) lesson $(1) --target) && \
               { [ -z "$$target" ] || cmake/build_quietly $(PRESET) $$target; }

lesson-%: kit            ## lesson-6: its programs: predict, run, see why (PROGRAM=name QUESTIONS=one,other)
	@$(call build_lesson,$* $(chosen))
	@$(COURSE) lesson $* $(chosen) $(an_answer)

every_lesson = $(foreach folder,$(notdir $(wildcard lessons/[0-9]*)),$(firstword $(subst -, ,$(folder))))

lessons: kit             ## build the programs of all lessons, before a class (N="1 2 6": of these)
	@targets=; for lesson in $(or $(N),$(every_lesson)); do \
	  target=$$($(COURSE) lesson $$lesson --target) || exit; targets="$$targets $$target"; \
	done; cmake/build_quietly $(PRESET) $$targets

checks: kit author       ## build the checks of all exercises, before a class (N="1 2 6": of these)
	@$(COURSE) dev checks $(N)

breather-%: kit          ## breather-7: the mixed problems after lesson 7 (PROGRAM=name QUESTIONS=one,other)
	@$(call build_lesson,$* --breather $(chosen))
	@$(COURSE) lesson $* --breather $(chosen) $(an_answer)

counts-%: kit            ## counts-8: the same, and what each line of your kernels did
	@$(COURSE) run $* --counts $(an_answer)

show-%: kit              ## show-8: pictures of what your kernel does (TASK=mul CASE=n=33 COMPARE=solution)
	@$(COURSE) show $* $(if $(TASK),--task $(TASK)) $(if $(CASE),--case "$(CASE)") \
	    $(if $(COMPARE),--compare $(COMPARE)) $(an_answer)

ledger-%: kit            ## ledger-2: each allocation, copy, launch and wait, beside your lines (TASK=norm CASE=n=33)
	@$(COURSE) ledger $* $(if $(TASK),--task $(TASK)) $(if $(CASE),--case "$(CASE)") $(an_answer)

debug-%: kit             ## debug-8: gdb, stopped in your kernel at the first mistake (at=raw_add.cu:11 TASK=mul CASE=n=33)
	@$(COURSE) debug $* $(if $(TASK),--task $(TASK)) $(if $(CASE),--case "$(CASE)") $(if $(at),--at $(at)) \
	    $(if $(PREPARE),--print-command,$(an_answer))

profile-%: kit           ## profile-8: what your kernels were counted to do, and what Nsight Compute measures (TASK=mul IMPORT=FILE)
	@$(COURSE) profile $* $(if $(TASK),--task $(TASK)) $(if $(CASE),--case "$(CASE)") \
	    $(if $(IMPORT),--import "$(IMPORT)") $(an_answer)

hint-%: kit              ## hint-6: the next hint
	@$(COURSE) hint $*

reset-%: kit             ## reset-6: start exercise 6 again (asks first, keeps a copy)
	@$(COURSE) reset $*

watch: kit               ## judge when a file is saved (N=8 or FILE=...: that exercise alone)
	@$(COURSE) watch $(or $(N),$(FILE))

submit: kit              ## pack what you have begun, to hand it in (NAME="Ada Lovelace" ID=s123 OUT=FILE)
	@$(COURSE) submit $(call given,NAME,--name) $(call given,ID,--id) $(call given,OUT,--out) $(an_answer)

progress: kit            ## the map of the course, with misconceptions met and mended; to another machine (EXPORT=FILE there, IMPORT=FILE here)
	@$(COURSE) progress $(call given,EXPORT,--export) $(call given,IMPORT,--import)

summary: kit             ## points, stars, hints and attempts of each exercise
	@$(COURSE) summary

solution-%: kit          ## solution-6: a worked solution, once yours has passed (FORCE=1: before)
	@$(COURSE) solution $* $(if $(FORCE),--force) $(an_answer)

# The number that was typed behind a space, as in `make exercise 8`.
typed = $(firstword $(filter 0% 1% 2% 3% 4% 5% 6% 7% 8% 9%,$(MAKECMDGOALS)))

# For editors: judge, hint, counts, show, ledger or debug, of the exercise that FILE is part of.
exercise_of = $(shell printf '%s\n' '$(FILE)' | sed -n 's#^\(.*/\)*0*\([0-9][0-9]*\)-[^/]*/[^/]*$$#\2#p')
judge hint counts show ledger debug profile:
	@[ -n "$(FILE)" ] || \
	  { echo "Which exercise? Write its number, without a space: make $(patsubst judge,exercise,$@)-$(or $(typed),8)"; exit 4; }
	@[ -n "$(exercise_of)" ] || \
	  { echo "FILE=$(FILE) isn't a file of an exercise; name one such as work/08-raw-add/raw_add.cu"; exit 4; }
	@$(MAKE) $(patsubst judge,exercise,$@)-$(exercise_of)

# What was meant without its number, or with a space before it.
needs_number = exercise lesson breather reset solution
$(needs_number) $(needs_number:=-) counts- show- ledger- debug- hint-:
	@echo "Which one? Write the number behind it, without a space:" \
	      "make $(patsubst %-,%,$@)-$(or $(typed),$(if $(filter breather%,$@),7,8))"; exit 4

# What isn't a target at all, as in `make exercise8`.
.DEFAULT:
	@echo "make $@ isn't a command. make help lists them; those with a number are written as make exercise-8."; exit 4

own: kit                 ## port a function of your own, judged by its CPU version (FILE=my_function.cpp or FILE=standardize, RENEW=1)
	@$(COURSE) own $(if $(FILE),"$(FILE)") $(if $(RENEW),--renew) $(an_answer)

log: kit                 ## the capstone's log: NOTE="shared tile in the blur" adds a step, SHOW=1 makes a chart
	@$(COURSE) log $(call given,NOTE,--note) $(if $(SHOW),--page) $(an_answer)

notebook: kit notebooks  ## Jupyter, with cells of C++ and CUDA C++ (NOTEBOOK=build/notebooks/basics.ipynb PORT=8801 IP=0.0.0.0)
	@./setup $(SETUP) --notebooks
	@cmake/build_quietly $(PRESET) gpu_cells course-explain gpu_image gpu_host_linalg
	@JUPYTER_PATH=$(CURDIR)/build/$(PRESET)/share/jupyter jupyter notebook --ip=$(or $(IP),127.0.0.1) \
	    $(if $(PORT),--port=$(PORT) --NotebookApp.port_retries=0) --notebook-dir=$(CURDIR) \
	    --NotebookApp.default_url=/tree/build/notebooks $(NOTEBOOK)

notebooks:               ## tutorials, and every lesson as a notebook, in build/notebooks (OUT=folder)
	@python3 -c 'import tomllib' 2>/dev/null || \
	  { echo "Python 3.11 or newer is missing: apt-get install python3"; exit 4; }
	@python3 libgpu/jupyter/lesson_notebooks.py "$(or $(OUT),build/notebooks)"

quiz: kit                ## one old question, two lessons back, on your misconceptions first (ANSWER=b where nothing can be typed)
	@$(COURSE) quiz $(if $(ANSWER),--answer "$(ANSWER)")

list: kit                ## all exercises
	@$(COURSE) list

doctor: kit              ## what this machine has, and what is missing (JSON=1: to send with a report)
	@$(COURSE) doctor $(if $(JSON),--json)

mandelbrot: kit          ## a picture in the terminal, and a large one in build/mandelbrot.png
	@cmake/build_quietly $(PRESET) lesson_01_mandelbrot
	@$(BUILD)/lessons/01-why-gpus/mandelbrot build/mandelbrot.png

tour:                    ## set up, build, and see one exercise judged three ways
	@./setup $(SETUP)
	@KIT_READY=1 cmake/build_quietly $(PRESET) tour
	@$(COURSE) tour

dist:                    ## the source archive of the commit, with a list of dependencies and licences (OUT=folder)
	@release/dist $(call given,OUT,)

dist-student: kit author ## the student's edition, without solutions (OUT=folder SOLUTIONS="where they are")
	@$(COURSE) dev edition $(call given,OUT,--out) $(call given,SOLUTIONS,--solutions)

# Of the commit, not of what lies in the folder: the same commit gives the same grader.
gradescope:              ## build/gradescope.zip: the autograder for Gradescope, host backend (POLICY=class.toml OUT=FILE)
	@mkdir -p build && git archive --format=zip -o "$(or $(OUT),build/gradescope.zip)" \
	    --add-file=autograder/gradescope/setup.sh --add-file=autograder/gradescope/run_autograder \
	    $(if $(POLICY),--add-file="$(POLICY)") --prefix=kit/ HEAD
	@echo "Made $(or $(OUT),build/gradescope.zip): in Gradescope, Configure Autograder, Zip file upload (docs/class/gradescope.md)"

slides:                  ## the lessons' questions as slides: build/slides.html (docs/syllabi)
	@python3 -c 'import tomllib' 2>/dev/null || \
	  { echo "Python 3.11 or newer is missing: apt-get install python3"; exit 4; }
	@python3 docs/syllabi/make.py --slides build/slides.html

class:                   ## build the instructors' commands: course grade, report, similar, export, confirm, mark
	@KIT_READY=1 cmake/build_quietly $(PRESET) course-class

author: kit              ## build the authors' commands: course dev
	@cmake/build_quietly $(PRESET) course-author

build:                   ## build everything
	@./setup
	@KIT_READY=1 cmake/build_quietly $(PRESET)

test: build              ## set up, build everything, run the tests that can run here
	@tests/summary/run_tests $(BUILD) $(JOBS)

test-long: build         ## the same with those that take long: all planted answers and mistakes, all kernels with clang
	@tests/summary/run_tests $(BUILD) $(JOBS) long

test-gpu: build          ## the tests that need a GPU, none of them skipped: before a release
	@tests/summary/run_tests $(BUILD) 1 gpu

fuzz:                    ## fuzz the parsers of untrusted text, with clang (SECONDS=600 each, JOBS=2, TARGETS="a b")
	@./setup --clang
	@KIT_READY=1 cmake/build_quietly fuzz
	@tests/fuzz/run build/fuzz $(or $(SECONDS),600) $(JOBS) $(TARGETS)

bench:                   ## what a compile costs, and the library's benchmarks
	@cmake/build_quietly $(PRESET) all
	@ninja -C $(BUILD) --quiet bench

bench-gpu:               ## beside CuPy, PyTorch, JAX on this GPU: a table and a chart in docs/benchmarks (OPTIONS="--growth all")
	@cmake/build_quietly $(PRESET) gpu_bench
	@LIBGPU_CACHE_DIR="$(CURDIR)/$(BUILD)/bench-cache" libgpu/bench/gpu/run.py --program $(BUILD)/bin/gpu_bench $(OPTIONS)

bench-host:              ## the host backend's speed, and what it must reach
	@cmake/build_quietly $(PRESET) gpu_host_bench
	@$(BUILD)/bin/gpu_host_bench

budgets:                 ## what a fresh build for `make tour` compiles: units, lines, CPU seconds
	@./setup
	@tests/build_budget/print $(PRESET)

docs:                    ## the site: all pages, and the reference of libgpu
	@./setup --docs
	@docs/site/build build/docs
	@echo "Open build/docs/html/index.html in a browser."

format:                  ## bring the C++ files into shape
	@command -v $(CLANG_FORMAT) >/dev/null || { echo "$(CLANG_FORMAT) is missing: run ./setup --dev"; exit 4; }
	@git ls-files '*.hpp' '*.cpp' | xargs $(CLANG_FORMAT) -i

clean:                   ## remove build/; your work/ stays
	rm -rf build

gpucc:                   ## build build/kit/bin/gpucc, which compiles plain CUDA programs for the CPU
	@cmake/build_quietly $(PRESET) gpucc

PREFIX ?= /usr/local
install-gpucc:           ## install gpucc and libgpu, for courses in plain CUDA (PREFIX=/usr/local)
	cmake -S . -B build/libgpu -G Ninja -DKIT_COURSE=OFF -DBUILD_TESTING=OFF
	cmake --build build/libgpu --target gpu gpu_host_linalg gpucc
	cmake --install build/libgpu --prefix "$(PREFIX)"

help-%: kit              ## help-verdicts: the kit's pages in the terminal (make help-topics lists them)
	@$(COURSE) help $(filter-out topics,$*)

# In 80 columns. A command with a number is shown by its example; what it takes, in brackets, stays in one piece.
help:                    ## this list
	@sed -n 's/^[a-z]*-%:.*## \([a-z]*-[a-z0-9]*\): /\1 /p; t; s/^\([a-z][a-z-]*\):.*## /\1 /p' $(MAKEFILE_LIST) | \
	  awk 'match($$0, / \([^()]*\)$$/) { takes = substr($$0, RSTART + 1); gsub(/ /, "\001", takes); \
	      $$0 = substr($$0, 1, RSTART) takes } \
	    { line = sprintf("  %-13s", $$1); \
	      for (k = 2; k <= NF; k++) { \
	        if (length(line) + 1 + length($$k) > 80) { print line; line = sprintf("%15s", "") } \
	        gsub(/\001/, " ", $$k); line = line " " $$k } \
	      print line }'
