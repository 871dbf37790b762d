# rulelab: what would chess become under other rules?
#
#   make            build all programs into bin/
#   make test       install what is missing, build, and run all tests
#   make study      install what is missing, build, and run the study
#   make agreement  only what is needed to compare it with the published study
#   make SAN=1 test the same tests under address and UB sanitizers
#   make MSAN=1     programs under the memory sanitizer, for tests/random-rules
#   make train      train a net by self-play: RULES="torpedo …" HOURS=1 DIR=training
#   make play       a page to play RULES=mine.json on, opened if there is a display
#   make workbench  a page to write, play and measure rules: workbench.html
#   make pages      a small site of such pages into pages/
#   make perft      every row of ../shared/perft/*.tsv
#   make bench      speed, beside other programs in the same run
#   make tsan       uci, selfplay, match and train under the thread sanitizer
#   make faults     the programs when the n-th write, read, sync, rename or malloc fails
#   make signature  node count of fixed searches: changes with the search and the net
#   make lint       warnings of two compilers, layers, manual pages, scripts
#   make fuzz       every fuzzer for FUZZ_SECONDS (600) each
#   make deb        Debian packages into build/deb; CHROOT=dir: in a clean system there
#   make install    PREFIX=/usr/local DESTDIR= PLAIN_NAMES=

PREFIX ?= /usr/local
CC = gcc
CSTD = -std=c11 -D_GNU_SOURCE
WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wconversion
HARDEN = -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
LDHARDEN = -pie -Wl,-z,relro,-z,now
OPT = -O3 -g
BUILD = build/$(notdir $(lastword $(CC)))
BIN = bin
ifdef TSAN
OPT = -O1 -g -fno-omit-frame-pointer -fsanitize=thread
HARDEN = -fPIE
LDHARDEN = -pie
BUILD = build/tsan
BIN = build/tsan/bin
endif
ifdef SAN
# Sanitizers have their own checks in place of _FORTIFY_SOURCE.
OPT = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
	-fno-sanitize-recover=all
HARDEN = -fPIE
LDHARDEN = -pie
BUILD = build/san
BIN = build/san/bin
endif
ifdef MSAN
# Only clang has it. tests/msan.c tells it what zstd and cJSON write.
CC = clang
OPT = -O1 -g -fno-omit-frame-pointer -fsanitize=memory -fsanitize-memory-track-origins
HARDEN = -fPIE
MSAN_OBJ = $(BUILD)/tests/msan.o
LDHARDEN = -pie $(foreach f,ZSTD_compressStream2 ZSTD_decompressStream cJSON_InitHooks, \
	-Wl,--wrap=$(f))
BUILD = build/msan
BIN = build/msan/bin
endif
CPPFLAGS = -Isrc -isystem onnxruntime/include
CFLAGS = $(OPT)
ALL_CFLAGS = $(CSTD) $(WARN) $(HARDEN) $(CPPFLAGS) $(CFLAGS) -MMD -MP -pthread
LDFLAGS = $(LDHARDEN)
LDLIBS = -lzstd -lcjson -lm -ldl

PROGRAMS = $(patsubst src/%.c,%,$(wildcard src/*.c))
include src/copies.mk
HOT_SRC = $(HOT:%=src/%.c)
LAYER_SRC = $(filter-out $(HOT_SRC) $(COPIED:%=src/%.c),$(wildcard src/*/*.c))
V3_FLAGS = -mavx2 -mbmi -mbmi2 -mpopcnt
KERNELS = base
ifeq ($(shell uname -m),x86_64)
KERNELS += v3 v4
endif
# gcc does not fuse multiplication and addition by itself under -std=c11.
FUSE = -mfma -ffp-contract=fast
KERNELS_v3 = -mavx2 $(FUSE)
KERNELS_v4 = -mavx512f -mavx512vl $(FUSE) -mprefer-vector-width=512
SPARSE_v3 = -mavx2
SPARSE_v4 = -mavx512f -mavx512vl -mavx512bw -mavx512vnni \
	-mprefer-vector-width=512
# Steps of training vectorise roots only if errno and exceptions do not matter.
STEPS = -fno-math-errno -fno-trapping-math

# Quiet lines: what is made, and of what. V=1: the commands themselves.
Q = $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),@:,@echo '  $(1)  $@')

# quote,NAME: quoted as one word for the shell; each,NAMES: the same for each of them
quote = '$(subst ','\'',$(1))'
each = $(foreach name,$(1),$(call quote,$(name)))

# Changed flags make objects out of date, and so are programs that another compiler
# linked; the flags of the first build change nothing.
FLAGS = $(CC) $(ALL_CFLAGS) $(LDFLAGS) $(LDLIBS) $(V3_FLAGS) $(KERNELS_v3) \
	$(KERNELS_v4) $(SPARSE_v3) $(SPARSE_v4) $(STEPS)
define remember
ifeq ($(wildcard $(1)),)
$$(shell mkdir -p $(dir $(1)) && touch -d 2000-01-01 $(1).first)
$$(file >$(1),$$(FLAGS))
$$(shell touch -r $(1).first $(1) && rm $(1).first)
else ifneq ($$(file <$(1)),$$(FLAGS))
# but not for make -n
$$(if $$(findstring n,$$(firstword -$$(MAKEFLAGS))),,$$(file >$(1),$$(FLAGS)))
endif
endef
$(eval $(call remember,$(BUILD)/flags))
$(eval $(call remember,$(BIN)/.flags))

OBJ = $(LAYER_SRC:src/%.c=$(BUILD)/%.o) $(HOT:%=$(BUILD)/%.base.o) \
	$(foreach file,$(COPIED),$(KERNELS:%=$(BUILD)/$(file).%.o))
ifeq ($(shell uname -m),x86_64)
OBJ += $(HOT:%=$(BUILD)/%.v3.o)
endif
LIB = $(BUILD)/librulelab.a

UNIT = $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/*.c))
TOOLS = $(patsubst tests/tools/%.c,$(BUILD)/tests/%,$(wildcard tests/tools/*.c))
FUZZERS = $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c))
# A fuzzer without libFuzzer: replays the corpus it is given.
REPLAY = $(FUZZERS:%=$(BUILD)/tests/replay-%)
PRELOADED = $(patsubst tests/faults/%.c,$(BUILD)/tests/%.so,$(wildcard tests/faults/*.c))

all: $(PROGRAMS:%=$(BIN)/%)

$(PROGRAMS:%=$(BIN)/%) $(UNIT) $(TOOLS) $(REPLAY): $(MSAN_OBJ)
$(PROGRAMS:%=$(BIN)/%): $(BIN)/%: $(BUILD)/%.o $(LIB) $(BIN)/.flags
	$(call say,LD)
	$(Q)$(CC) $(OPT) $(LDFLAGS) -pthread -o $@ $(filter-out %/.flags,$^) $(LDLIBS)

$(LIB): $(OBJ)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

$(BUILD)/%.base.o: src/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -DISA=base -c -o $@ $<

$(BUILD)/%.v3.o: src/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) $(V3_FLAGS) -DISA=v3 -c -o $@ $<

# The arithmetic of nets, a copy for each instruction set; see src/net/copies.h.
define copies
$$(KERNELS:%=$$(BUILD)/$(1).%.o): $$(BUILD)/$(1).%.o: src/$(1).c $$(BUILD)/flags
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$(CC) $$(ALL_CFLAGS) $$($(2)_$$*) $(3) -DKERNELS=$$* -c -o $$@ $$<
endef
$(eval $(call copies,net/sparsekernels,SPARSE))
$(eval $(call copies,train/netstep,KERNELS,$(STEPS)))

$(BUILD)/%.o: src/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# Built without ONNX Runtime if its header is not there; pipelines/onnxruntime
# fetches it.
$(BUILD)/net/onnx.o: $(wildcard onnxruntime/include/onnxruntime_c_api.h)

# ---- tests ----

$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -Itests -c -o $@ $<

NAIVE = $(addprefix $(BUILD)/tests/naive/,naive.o rules.o)
$(UNIT): $(BUILD)/tests/%: $(BUILD)/tests/unit/%.o $(NAIVE) $(LIB)
	$(call say,LD)
	$(Q)$(CC) $(OPT) $(LDFLAGS) -pthread -o $@ $^ $(LDLIBS)
$(TOOLS): $(BUILD)/tests/%: $(BUILD)/tests/tools/%.o $(NAIVE) $(LIB)
	$(call say,LD)
	$(Q)$(CC) $(OPT) $(LDFLAGS) -pthread -o $@ $^ $(LDLIBS)
$(REPLAY): $(BUILD)/tests/replay-%: $(BUILD)/tests/fuzz/%.o \
    $(BUILD)/tests/fuzz/replay/main.o $(LIB)
	$(call say,LD)
	$(Q)$(CC) $(OPT) $(LDFLAGS) -pthread -o $@ $^ $(LDLIBS)

tested: all $(UNIT) $(TOOLS) $(REPLAY) $(PRELOADED)

check: tested
	BIN=$(abspath $(BIN)) TESTS=$(abspath $(BUILD)/tests) tests/run

deps:
	@pipelines/deps test

test:
	@pipelines/deps test
	@$(MAKE) --no-print-directory -j$(shell nproc) check

# SCALE=small|hour|medium|paper RULES="my.json …" ONLY= PLAYER= SEED= HOSTS= OUT=; see
# pipelines/study/README.md.
study agreement:
	@pipelines/deps study
	@$(MAKE) --no-print-directory -j$(shell nproc) all
	@$(MAKE) --no-print-directory -f pipelines/study/Makefile study \
	    BIN=$(abspath $(BIN)) $(if $(filter agreement,$@),GOAL=agreement)

# Continues from the shipped nets; FROM= begins from scratch. The caller must not
# change the size of the net during a run.
PRESETS = $(shell $(BIN)/genmoves --list-rules | jq -r .name)
STUDIED = $(shell $(BIN)/genmoves --list-rules | \
	jq -rs 'map(select(.study > 0)) | sort_by(.study)[].name')
HOURS = 1
DIR = training
KIND = sparse
FROM_sparse = $(if $(wildcard nets/default.onnx),nets/default)
# A prior without a net of its own begins with the player's values.
FROM_prior = $(if $(wildcard nets/prior.onnx),nets/prior,$(FROM_sparse))
FROM = $(FROM_$(KIND))
# The shipped player should also know rules that somebody may invent.
RANDOM = $(if $(RULES),0,12)
# Shares of games: chess has the most, then the rule sets of the study.
LEARNT = classical:8 $(patsubst %,%:2,$(filter-out classical,$(STUDIED))) \
	$(filter-out $(STUDIED),$(PRESETS)) torpedo+no-castling \
	pawn-back+pawn-sideways self-capture+stalemate-win torpedo+pawn-sideways \
	semi-torpedo+no-castling-10 pawn-one-square+self-capture
train: all
	BIN=$(abspath $(BIN)) pipelines/train --dir $(call quote,$(DIR)) --hours $(HOURS) \
	    --kind $(KIND) $(if $(filter sparse,$(KIND)),--random $(RANDOM)) \
	    $(if $(FROM),--from $(call quote,$(FROM))) $(if $(SIZE),--size $(SIZE)) \
	    $(if $(HOSTS),--hosts $(call quote,$(HOSTS))) \
	    $(call each,$(or $(RULES),$(if $(filter sparse,$(KIND)),$(LEARNT),$(STUDIED))))
	pipelines/curves $(call quote,$(DIR))

# Claims about the world outside; an evening at the default scale.
validate: all
	BIN=$(abspath $(BIN)) pipelines/validate/validate --dir $(call quote,$(or $(OUT),validate)) \
	    $(if $(SCALE),--scale $(call quote,$(SCALE))) $(if $(NET),--net $(call quote,$(NET))) $(if $(SEED),--seed $(SEED))

play: all
	BIN=$(abspath $(BIN)) pipelines/page --open \
	    $(if $(NET),--net $(call quote,$(NET))) $(call each,$(or $(RULES),classical))

workbench: all
	BIN=$(abspath $(BIN)) pipelines/page --workbench $(if $(DISPLAY)$(WAYLAND_DISPLAY),--open) \
	    $(if $(OUT),--output $(call quote,$(OUT))) $(if $(NET),--net $(call quote,$(NET))) $(call each,$(RULES))

GALLERY = $(wildcard pipelines/rules/*.json)
pages: all
	BIN=$(abspath $(BIN)) pipelines/page --dir $(call quote,$(or $(OUT),pages)) \
	    $(if $(NET),--net $(call quote,$(NET))) $(PRESETS) $(GALLERY) $(call each,$(RULES))

perft: all
	BIN=$(abspath $(BIN)) tests/perft-all
	BIN=$(abspath $(BIN)) tests/perft-all ../shared/perft/more.tsv

bench: all $(TOOLS)
	BIN=$(abspath $(BIN)) TESTS=$(abspath $(BUILD)/tests) tests/bench

signature: $(BUILD)/tests/signature
	@$<

lint:
	tests/lint

tsan:
	@$(MAKE) --no-print-directory TSAN=1 -j$(shell nproc) all
	BIN=$(abspath build/tsan/bin) tests/tsan

faults: all $(PRELOADED) $(BUILD)/tests/make_sparse
	BIN=$(abspath $(BIN)) TESTS=$(abspath $(BUILD)/tests) FAULTS=long \
	    tests/faults.t

$(PRELOADED): $(BUILD)/tests/%.so: tests/faults/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CSTD) $(WARN) -O1 -g -shared -fPIC -o $@ $< -ldl

FUZZ_SECONDS = 600
fuzz:
	FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/run $(FUZZERS)

# ---- the rest ----

# The installed share/rulelab has the layout of this folder, so that programs and
# pipelines find each other there as they do here; see src/base/home.h. Programs
# with generic names go to libexec/ only, and their manual pages are called
# rulelab-NAME; PLAIN_NAMES=1 installs them all under their own names.
LIBEXEC = $(DESTDIR)$(PREFIX)/libexec/rulelab
SHARE = $(DESTDIR)$(PREFIX)/share/rulelab
MANDIR = $(DESTDIR)$(PREFIX)/share/man
COMPLETIONS = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
GENERIC = distance entropy match propose train uci
HIDDEN = $(if $(PLAIN_NAMES),,$(GENERIC))
PUBLIC = $(filter-out $(HIDDEN),$(PROGRAMS))
SHARED_FILES = $(wildcard nets/*.onnx nets/strength.jsonl) \
	$(shell find pipelines src ! -type d ! -name '*.new' 2>/dev/null)

install: all
	install -d $(LIBEXEC) $(SHARE) $(DESTDIR)$(PREFIX)/bin $(COMPLETIONS) \
	    $(MANDIR)/man1 $(MANDIR)/man5 $(MANDIR)/man7
	install -m 755 $(PROGRAMS:%=$(BIN)/%) $(LIBEXEC)
	for p in $(PUBLIC); do \
	    ln -sf ../libexec/rulelab/$$p $(DESTDIR)$(PREFIX)/bin && \
	    install -m 644 pipelines/completion.bash $(COMPLETIONS)/$$p || exit 1; done
	ln -sfn ../../libexec/rulelab $(SHARE)/bin
	for f in $(SHARED_FILES); do m=644; test ! -x $$f || m=755; \
	    install -D -m $$m $$f $(SHARE)/$$f || exit 1; done
	for f in man/*.[157]; do p=$${f#man/} s=$${f##*.}; \
	    case " $(HIDDEN:%=%.1) " in *" $$p "*) p=rulelab-$$p ;; esac; \
	    install -m 644 $$f $(MANDIR)/man$$s/$$p || exit 1; done
	test ! -e onnxruntime/lib/libonnxruntime.so.1 || { \
	    install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/rulelab \
	        onnxruntime/lib/libonnxruntime.so.1 && \
	    install -d $(SHARE)/onnxruntime && \
	    ln -sfn ../../../lib/rulelab $(SHARE)/onnxruntime/lib; }

uninstall:
	cd $(DESTDIR)$(PREFIX)/bin && rm -f $(PROGRAMS)
	rm -rf $(LIBEXEC) $(SHARE) $(DESTDIR)$(PREFIX)/lib/rulelab
	for f in man/*.[157]; do p=$${f#man/} s=$${f##*.}; \
	    rm -f $(MANDIR)/man$$s/$$p $(MANDIR)/man$$s/rulelab-$$p; done
	cd $(COMPLETIONS) && rm -f $(PROGRAMS)

deb:
	pipelines/deb $(CHROOT)

clean:
	rm -rf build bin

.PHONY: all tested check clean deb deps test study agreement train validate play workbench pages perft \
	bench signature lint tsan faults fuzz install uninstall
-include $(shell find build -name '*.d' -type f 2>/dev/null)
