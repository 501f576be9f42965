# wattscale. `make help` lists the targets.
.DEFAULT_GOAL := all

VERSION := 0.1.0
SOVERSION := 0
PREFIX ?= /usr/local
DESTDIR ?=
CORPUS ?=
V ?=
Q := $(if $(V),,@)

# One tree of objects a way of building, so that they never mix: make BUILD=build/asan EXTRA=-fsanitize=address
BUILD ?= build/release
OPT ?= -O2 -g
EXTRA ?=

# As many jobs as there are cores, unless make was called with a number of its own.
PARALLEL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

# SQLite is optional: without it there is no store, and the commands say so.
SQLITE := $(shell pkg-config --exists sqlite3 2>/dev/null && echo sqlite3)
# So is MPI, which several nodes need to read together: MPI=1 builds its module, with the compiler MPICC.
MPICC ?= mpicc
MPI ?= $(if $(shell command -v $(MPICC) 2>/dev/null),1)
PACKAGES := gsl jansson expat libarchive libdeflate zlib plplot pangocairo libpng $(SQLITE)
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror
CPPFLAGS += -I. -D_POSIX_C_SOURCE=200809L -DWATTSCALE_VERSION='"$(VERSION)"' \
    -DWATTSCALE_DATADIR='"$(PREFIX)/share/wattscale"'
PACKAGE_CFLAGS := $(shell pkg-config --cflags $(PACKAGES) hdf5 2>/dev/null)
CFLAGS_ALL = -std=c11 -fPIC -fvisibility=default $(WARNINGS) $(OPT) $(EXTRA) $(PACKAGE_CFLAGS) $(CFLAGS)
LIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lcsv -lm -lpthread
# Of the child that reads HDF5, the generator and the tests alone.
HDF5_LIBS := $(shell pkg-config --libs hdf5 2>/dev/null)
CHECK_LIBS := $(shell pkg-config --libs check 2>/dev/null)

# The rooms of the library, from the ground up (docs/design.md).
ROOMS := core formats formats/input formats/input/unpack formats/table formats/hdf5 formats/readers \
    fit fit/linear fit/laws fit/tests fit/choice \
    report report/table report/figure report/draw report/page \
    analyze analyze/measure analyze/regions analyze/identity analyze/store analyze/ingest analyze/scaling \
    analyze/recipes analyze/explain
LIB_SRC := $(sort $(wildcard $(ROOMS:%=%/*.c)))
LIB_SRC := $(filter-out analyze/main.c,$(LIB_SRC))
WITH_SQLITE := $(foreach part,read publish write merge,%/store_$(part).c)
LIB_SRC := $(filter-out $(if $(SQLITE),%/store_none.c,$(WITH_SQLITE)),$(LIB_SRC))
BIN_SRC := analyze/main.c $(sort $(wildcard analyze/commands/*.c))
SYNTH_SRC := $(sort $(wildcard datasets/synth/*.c))
TEST_ROOMS := core formats fit report analyze datasets corpus
TEST_SRC := $(sort $(wildcard $(TEST_ROOMS:%=tests/%/test_*.c)))

obj = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
LIB_OBJ := $(call obj,$(LIB_SRC))
BIN_OBJ := $(call obj,$(BIN_SRC))
SYNTH_OBJ := $(call obj,$(SYNTH_SRC))
TEST_OBJ := $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(TEST_SRC))
TEST_BIN := $(TEST_ROOMS:%=$(BUILD)/tests/%/all)
TEST_ALONE := $(patsubst %,$(BUILD)/tests/datasets/%,test_synth_frey_plan test_synth_huber_plan test_synth_model)
LIB_A := $(BUILD)/libwattscale.a
LIB_SO := $(BUILD)/libwattscale.so.$(VERSION)
BIN := $(BUILD)/wattscale
MAN := $(BUILD)/man/wattscale.1
SYNTH := $(BUILD)/wattscale-synth

# What the program loads when it needs it first (analyze/commands/module.h): many libraries lie behind each of them.
DRAW_OBJ := $(call obj,$(filter-out report/draw/draw_form.c,$(wildcard report/draw/*.c)))
UNPACK_OBJ := $(call obj,$(wildcard formats/input/unpack/unpack*.c))
MODULE_OBJ := $(DRAW_OBJ) $(UNPACK_OBJ)
MPI_OBJ := $(call obj,analyze/mpi/mpi_module.c)
MODULES := $(BUILD)/wattscale-draw.so $(BUILD)/wattscale-unpack.so $(if $(filter 1,$(MPI)),$(BUILD)/wattscale-mpi.so)

# What needs HDF5's library is a program of its own (formats/hdf5/perun_child.h); the tests have it as an archive.
CHILD_MAIN := formats/hdf5/library/hdf5_child.c
CHILD_OBJ := $(call obj,$(filter-out $(CHILD_MAIN),$(sort $(wildcard formats/hdf5/library/*.c))))
CHILD_A := $(BUILD)/libwattscale-hdf5.a
CHILD := $(BUILD)/wattscale-hdf5

.PHONY: all demo check soak soak-long asan cover lint format bench install uninstall clean help deps tests man
all: deps ## build the program, the generator of synthetic campaigns and the library
	@$(MAKE) --no-print-directory $(PARALLEL) $(BIN) $(CHILD) $(SYNTH) $(LIB_A) $(LIB_SO) $(MAN)
tests: $(TEST_BIN) $(TEST_ALONE)

# What is made for each of many hundred files is made with few processes: the folders once, beforehand.
FOLDERS := $(sort $(dir $(LIB_OBJ) $(CHILD_OBJ) $(BIN_OBJ) $(SYNTH_OBJ) $(MPI_OBJ) $(TEST_OBJ)) $(BUILD)/tests/fuzz/)
$(FOLDERS):
	@mkdir -p $@

$(BUILD)/obj/%.o: %.c Makefile | $(FOLDERS)
	$(Q)echo "  CC    $<"; exec $(CC) $(CPPFLAGS) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

# What a store keeps is as good as the sources that read it: a change of any of them makes it read again.
READING := $(sort $(wildcard core/*.[ch] formats/*.[ch] formats/*/*.[ch] formats/*/*/*.[ch] analyze/*.[ch] \
    analyze/measure/*.[ch] analyze/identity/*.[ch] analyze/ingest/measure_run.c analyze/ingest/file_roles.[ch] \
    analyze/ingest/scan_file.[ch] analyze/ingest/path_endings.[ch]))
UNIT_KEY := $(call obj,analyze/store/unit_key.c)
$(UNIT_KEY): $(READING)
$(UNIT_KEY): CPPFLAGS += -DWS_READER_REVISION='"$(shell cat $(READING) | sha256sum | cut -c1-32)"'

$(LIB_A): $(LIB_OBJ)
$(CHILD_A): $(CHILD_OBJ)
$(LIB_A) $(CHILD_A):
	@rm -f $@
	@echo "  AR    $@"
	$(Q)$(AR) rcs $@ $^

$(LIB_SO): $(LIB_OBJ)
	@echo "  LINK  $@"
	$(Q)$(CC) -shared -Wl,-soname,libwattscale.so.$(SOVERSION) $(OPT) $(EXTRA) $(LDFLAGS) -o $@ $^ $(LIBS)

# A module finds in the program what it needs of the rest, which is why the program exports it; one that misses
# something is not loaded (-z now).
$(BUILD)/wattscale-draw.so: $(DRAW_OBJ)
$(BUILD)/wattscale-unpack.so: $(UNPACK_OBJ)
$(MODULES):
	@echo "  LINK  $@"
	$(Q)$(CC) -shared -Wl,--as-needed,-Bsymbolic,-z,now $(OPT) $(EXTRA) $(LDFLAGS) -o $@ $^ $(LIBS)

# The compiler of MPI knows its headers and its library.
$(MPI_OBJ): override CC = $(MPICC)
$(BUILD)/wattscale-mpi.so: override CC = $(MPICC)
$(BUILD)/wattscale-mpi.so: $(MPI_OBJ)

PROGRAM_OBJ := $(BIN_OBJ) $(filter-out $(MODULE_OBJ),$(LIB_OBJ))
$(BIN): $(PROGRAM_OBJ) $(MODULES)
	@echo "  LINK  $@"
	$(Q)$(CC) -Wl,--as-needed,--export-dynamic $(OPT) $(EXTRA) $(LDFLAGS) -o $@ $(PROGRAM_OBJ) $(LIBS)

$(CHILD): $(call obj,$(CHILD_MAIN)) $(CHILD_A) $(LIB_A)
	@echo "  LINK  $@"
	$(Q)$(CC) -Wl,--as-needed $(OPT) $(EXTRA) $(LDFLAGS) -o $@ $^ $(HDF5_LIBS) $(LIBS)

# The generator of synthetic campaigns sees core/ only: nothing that measures can leak into what plants.
CORE_OBJ := $(filter $(BUILD)/obj/core/%,$(LIB_OBJ))
$(SYNTH): $(SYNTH_OBJ) $(CORE_OBJ)
	@echo "  LINK  $@"
	$(Q)$(CC) $(OPT) $(EXTRA) $(LDFLAGS) -o $@ $^ $(HDF5_LIBS) $(LIBS)

# The tests' own code compiles five times as fast without optimization, and little of the time is spent in it.
TEST_OPT ?= -O0
$(BUILD)/tests/%.o: tests/%.c Makefile | $(FOLDERS)
	$(Q)echo "  TEST  $<"; exec $(CC) $(CPPFLAGS) $(CFLAGS_ALL) $(TEST_OPT) -Itests -MMD -MP -c -o $@ $<
.SECONDARY: $(TEST_OBJ)

# The main of tests/fit/test_line.c is called test_line_main.
$(TEST_OBJ): CPPFLAGS += -Dmain=$(*F)_main

# Simulates in its own code.
$(BUILD)/tests/analyze/test_sampling.o: TEST_OPT =

# One program holds the tests of a room, since linking one takes as long as compiling a test; each test has a program of
# its own, too, for who works on that one, and some have no other: they hold parts of the generator.
ROOM_OBJ := $(filter-out $(TEST_ALONE:=.o),$(TEST_OBJ))
TESTS = $(foreach o,$(ROOM_OBJ:.o=),$(dir $(o))all:$(notdir $(o))) $(TEST_ALONE)
suites = -DSUITES='$(foreach o,$(filter $(BUILD)/tests/%.o,$^),SUITE($(basename $(notdir $(o)))))'
LINK_TESTS = $(CC) $(CPPFLAGS) $(CFLAGS_ALL) $(TEST_OPT) $(suites) $(LDFLAGS) -o $@ $(filter %suites.c %.o,$^) \
    $(CHILD_A) $(LIB_A) $(HDF5_LIBS) $(LIBS) $(CHECK_LIBS)

$(foreach room,$(TEST_ROOMS),$(eval $(BUILD)/tests/$(room)/all: $(filter $(BUILD)/tests/$(room)/%,$(ROOM_OBJ))))
$(TEST_BIN): tests/suites.c $(CHILD_A) $(LIB_A) | $(CHILD)
	@echo "  LINK  $@"
	$(Q)$(LINK_TESTS)

$(TEST_OBJ:.o=): %: %.o tests/suites.c $(CHILD_A) $(LIB_A) | $(CHILD)
	$(Q)$(LINK_TESTS)

# The drivers of tests/fuzz run by hand.
$(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o $(CHILD_A) $(LIB_A) | $(CHILD)
	$(Q)$(CC) $(OPT) $(EXTRA) $(LDFLAGS) -o $@ $< $(CHILD_A) $(LIB_A) $(HDF5_LIBS) $(LIBS)

# Commands are no part of the library; tests of what one prints take its table.
ENERGY_TABLE := $(call obj,analyze/commands/energy_table.c analyze/commands/budget_table.c)
$(patsubst %,$(BUILD)/tests/%,analyze/all corpus/all analyze/test_measure analyze/test_measure_join \
    corpus/test_perun_stored): $(ENERGY_TABLE)

# A child that does anything but read.
FAKE_CHILD := $(BUILD)/tests/formats/fake_hdf5_child
$(FAKE_CHILD): $(BUILD)/tests/formats/fake_hdf5_child.o $(call obj,$(CHILD_MAIN)) $(LIB_A)
	$(Q)$(CC) $(OPT) $(EXTRA) $(LDFLAGS) -o $@ $^ $(LIBS)
$(BUILD)/tests/formats/all $(BUILD)/tests/formats/test_perun_child: | $(FAKE_CHILD)

-include $(LIB_OBJ:.o=.d) $(CHILD_OBJ:.o=.d) $(patsubst %.c,$(BUILD)/obj/%.d,$(CHILD_MAIN)) $(BIN_OBJ:.o=.d)
-include $(MPI_OBJ:.o=.d) $(SYNTH_OBJ:.o=.d) $(TEST_OBJ:.o=.d) $(FAKE_CHILD).d

# One man page a command and one for the program, printed by the program itself.
$(MAN): $(BIN)
	@mkdir -p $(@D)
	$(Q)$(BIN) man > $@
	$(Q)for c in $$($(BIN) man --list); do $(BIN) man $$c > $(@D)/wattscale-$$c.1 || exit 1; done
man: $(MAN)

# Debian's names of what is needed to build and to run the tests.
DEB_BUILD := gcc make pkg-config libc6-dev libcsv-dev libhdf5-dev libgsl-dev libjansson-dev libexpat1-dev \
    libarchive-dev libdeflate-dev zlib1g-dev libsqlite3-dev libplplot-dev plplot-driver-cairo libcairo2-dev \
    libpango1.0-dev libpng-dev fonts-liberation2
DEB_CHECK := check
DEB_MPI := libopenmpi-dev openmpi-bin
deps: ## install the packages that are missing (as root or with sudo), or say what to type
	@tools/deps.sh $(DEB_BUILD)
check-deps: deps
	@tools/deps.sh $(DEB_CHECK)
	@tools/deps.sh --optional $(DEB_MPI)
.PHONY: check-deps

demo: all ## the main job on the bundled campaign and on published numbers; leaves its tables in out/
	@tools/demo.sh $(BIN) out

check: check-deps ## every test; CORPUS=DIR adds the tests on real files
	@$(MAKE) --no-print-directory all
	@$(MAKE) --no-print-directory $(PARALLEL) tests
	@tests/lint/layers.sh $(LIB_A) > $(BUILD)/layers.txt || { cat $(BUILD)/layers.txt; exit 1; }
	@tests/lint/rooms.sh $(LIB_A) $(CHILD_A) $(SYNTH_OBJ) $(BIN_OBJ) > $(BUILD)/rooms.txt || \
		{ cat $(BUILD)/rooms.txt; exit 1; }
	@tests/lint/headers.sh $(HEADERS) > $(BUILD)/headers.txt || { cat $(BUILD)/headers.txt; exit 1; }
	@$(if $(CORPUS),CORPUS="$(abspath $(CORPUS))") SYNTH="$(abspath $(SYNTH))" BIN="$(abspath $(BIN))" \
	    DATASETS="$(abspath datasets)" tests/run.sh --cli $(BIN) $(TESTS)

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
asan: ## the tests under the address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory check BUILD=build/asan OPT="-O1 -g" EXTRA="$(SANITIZE)" CORPUS="$(CORPUS)"

cover: ## how much of the code the tests run through, a line a file
	@$(MAKE) --no-print-directory check BUILD=build/cover OPT="-O0 -g" EXTRA="--coverage" CORPUS="$(CORPUS)"
	@tools/cover.sh build/cover

soak: ## what takes longer, at most an hour: sanitizers, mutants, valgrind, mutated inputs; writes docs/soak.md
	@tools/soak.sh "$(CORPUS)"

soak-long: ## the same for hours, before a release: every case under valgrind, ten times the mutated inputs
	@SOAK_LONG=yes tools/soak.sh "$(CORPUS)"

MUTANTS ?= .
mutants: ## do the tests notice 250 changed constants and comparisons? MUTANTS=REGEX takes some
	@CORPUS="$(CORPUS)" tools/mutants.sh '$(MUTANTS)'
.PHONY: mutants

FUZZ_SECONDS ?= 60
FUZZ_FORMATS ?=
fuzz: ## libFuzzer on every reader for FUZZ_SECONDS each, or on FUZZ_FORMATS alone; CORPUS=DIR adds seeds (needs clang)
	@CORPUS="$(CORPUS)" tools/fuzz.sh $(FUZZ_SECONDS) $(FUZZ_FORMATS)
print-libs:
	@echo $(HDF5_LIBS) $(LIBS)
.PHONY: fuzz print-libs

# Of layers, rooms, both compilers' warnings, shell scripts, formatting and long lines.
lint: $(LIB_A) $(CHILD_A) $(SYNTH_OBJ) $(BIN_OBJ) ## layers, rooms, warnings, shell scripts, formatting
	@tests/lint/layers.sh $(LIB_A)
	@tests/lint/rooms.sh $(LIB_A) $(CHILD_A) $(SYNTH_OBJ) $(BIN_OBJ)
	@tests/lint/headers.sh $(HEADERS)
	@tests/lint/runners.sh
	@tests/lint/lines.sh
	@tools/mutants.sh --check
	@$(MAKE) --no-print-directory BUILD=build/clang CC=clang build/clang/wattscale build/clang/wattscale-synth
	@shellcheck -S warning tools/*.sh tests/*.sh tests/cli/run.sh tests/lint/*.sh tests/bench/*.sh tests/bench/peers/*.sh \
	    tests/faults/*.sh tests/soak/*.sh
	@clang-format --dry-run --Werror $(C_FILES)

C_FILES = $(shell git ls-files '*.c' '*.h' | grep -v '^tests/bench/')
format: ## settle the layout of the code; names lines that stay too long
	@clang-format -i $(C_FILES)
	@tests/lint/lines.sh

bench: all ## time against DuckDB, Polars, pandas and others (BENCH_MB=100, BENCH_ROUNDS=5); writes docs/performance.md
	@tests/bench/peers.sh build/bench
	@tests/bench/run.py $(BIN) build/bench docs/performance.md

bench-mpi: all ## ranks of MPI: time and memory (BENCH_RANKS="1 2", BENCH_FILES=10000, BENCH_MB=400, LAUNCH="mpirun -n")
	@tests/bench/mpi.sh $(BIN) build/bench-mpi
.PHONY: bench-mpi

# The library's face: the headers of all rooms but those behind the registry of formats, and but those that are
# called internal.
INNER_ROOMS := formats/input/unpack formats/table formats/hdf5 formats/readers
HEADERS = $(filter-out %_internal.h,$(wildcard $(foreach room,$(filter-out $(INNER_ROOMS),$(ROOMS)),$(room)/*.h)))
install: all ## DESTDIR= PREFIX=
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/lib/pkgconfig" "$(DESTDIR)$(PREFIX)/lib/wattscale" \
	    "$(DESTDIR)$(PREFIX)/libexec/wattscale" "$(DESTDIR)$(PREFIX)/share/man/man1"
	install -m755 $(BIN) "$(DESTDIR)$(PREFIX)/bin/wattscale"
	install -m755 $(SYNTH) "$(DESTDIR)$(PREFIX)/bin/wattscale-synth"
	install -m755 $(MODULES) "$(DESTDIR)$(PREFIX)/lib/wattscale/"
	install -m755 $(CHILD) "$(DESTDIR)$(PREFIX)/libexec/wattscale/"
	install -m644 $(LIB_A) "$(DESTDIR)$(PREFIX)/lib/libwattscale.a"
	install -m755 $(LIB_SO) "$(DESTDIR)$(PREFIX)/lib/"
	ln -sf libwattscale.so.$(VERSION) "$(DESTDIR)$(PREFIX)/lib/libwattscale.so.$(SOVERSION)"
	ln -sf libwattscale.so.$(SOVERSION) "$(DESTDIR)$(PREFIX)/lib/libwattscale.so"
	for h in $(HEADERS); do install -D -m644 $$h "$(DESTDIR)$(PREFIX)/include/wattscale/$$h" || exit 1; done
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' -e 's|@LIBS@|$(LIBS)|' \
	    tools/wattscale.pc.in > "$(DESTDIR)$(PREFIX)/lib/pkgconfig/wattscale.pc"
	install -m644 $(BUILD)/man/*.1 "$(DESTDIR)$(PREFIX)/share/man/man1/"
	cd datasets && find . -type f -not -path './synth/*' \
	    -exec install -D -m644 {} "$(DESTDIR)$(PREFIX)/share/wattscale/datasets/{}" \;

uninstall: ## take away what install put there
	rm -f "$(DESTDIR)$(PREFIX)/bin/wattscale" "$(DESTDIR)$(PREFIX)/bin/wattscale-synth"
	rm -rf "$(DESTDIR)$(PREFIX)/lib/wattscale" "$(DESTDIR)$(PREFIX)/libexec/wattscale"
	rm -f "$(DESTDIR)$(PREFIX)"/lib/libwattscale.* "$(DESTDIR)$(PREFIX)/lib/pkgconfig/wattscale.pc"
	rm -f "$(DESTDIR)$(PREFIX)/share/man/man1/wattscale.1" "$(DESTDIR)$(PREFIX)"/share/man/man1/wattscale-*.1
	rm -rf "$(DESTDIR)$(PREFIX)/include/wattscale" "$(DESTDIR)$(PREFIX)/share/wattscale"

clean: ## remove what was built
	rm -rf build out

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## /  \1\t/' | expand -t 14
