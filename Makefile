# wattscale. `make help` lists the targets.
.DEFAULT_GOAL := all
SHELL := /bin/bash

VERSION := 0.1.0
SOVERSION := 0
PREFIX ?= /usr/local
DESTDIR ?=
CORPUS ?=

# One tree of objects a way of building, so that they never mix: make BUILD=build/asan EXTRA=-fsanitize=address
BUILD ?= build/release
OPT ?= -O2 -g
EXTRA ?=

PACKAGES := hdf5 gsl jansson libarchive
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror
CPPFLAGS += -I. -D_POSIX_C_SOURCE=200809L -DWATTSCALE_VERSION='"$(VERSION)"' -DWATTSCALE_DATADIR='"$(PREFIX)/share/wattscale"'
CFLAGS_ALL = -std=c11 -fPIC -fvisibility=default $(WARNINGS) $(OPT) $(EXTRA) $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null) $(CFLAGS)
LIBS = $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lcsv -lm -lpthread

LIB_SRC := $(sort $(wildcard core/*.c formats/*.c fit/*.c report/*.c analyze/*.c analyze/measure/*.c analyze/ingest/*.c analyze/recipes/*.c))
LIB_SRC := $(filter-out analyze/main.c,$(LIB_SRC))
BIN_SRC := analyze/main.c $(sort $(wildcard analyze/commands/*.c))
SYNTH_SRC := $(sort $(wildcard datasets/synth/*.c))
TEST_SRC := $(sort $(wildcard tests/core/test_*.c tests/formats/test_*.c tests/fit/test_*.c tests/report/test_*.c tests/analyze/test_*.c tests/datasets/test_*.c tests/corpus/test_*.c))

obj = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
LIB_OBJ := $(call obj,$(LIB_SRC))
BIN_OBJ := $(call obj,$(BIN_SRC))
SYNTH_OBJ := $(call obj,$(SYNTH_SRC))
TEST_BIN := $(patsubst tests/%.c,$(BUILD)/tests/%,$(TEST_SRC))
LIB_A := $(BUILD)/libwattscale.a
LIB_SO := $(BUILD)/libwattscale.so.$(VERSION)
BIN := $(BUILD)/wattscale
SYNTH := $(BUILD)/wattscale-synth

.PHONY: all tests
all: $(BIN) $(if $(SYNTH_SRC),$(SYNTH)) $(LIB_SO)
tests: $(TEST_BIN)

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(LIB_A): $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

$(LIB_SO): $(LIB_OBJ)
	$(CC) -shared -Wl,-soname,libwattscale.so.$(SOVERSION) $(OPT) $(EXTRA) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BIN): $(BIN_OBJ) $(LIB_A)
	$(CC) $(OPT) $(EXTRA) $(LDFLAGS) -o $@ $^ $(LIBS)

# The generator of synthetic campaigns sees core/ only: nothing that measures can leak into what plants.
CORE_OBJ := $(filter $(BUILD)/obj/core/%,$(LIB_OBJ))
$(SYNTH): $(SYNTH_OBJ) $(CORE_OBJ)
	$(CC) $(OPT) $(EXTRA) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/tests/%: tests/%.c $(LIB_A) Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS_ALL) -Itests -MMD -MP $(LDFLAGS) -o $@ $< $(LIB_A) $(LIBS) $$(pkg-config --libs check)

-include $(LIB_OBJ:.o=.d) $(BIN_OBJ:.o=.d) $(SYNTH_OBJ:.o=.d) $(addsuffix .d,$(TEST_BIN))
