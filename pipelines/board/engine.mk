# Compiles the engine of pages (src/page/engine.h) and that of the workbench (also
# src/page/lab.h), with the layers below, to WebAssembly:
#
#	make -f tree/pipelines/board/engine.mk engine.wasm engine-simd.wasm
#
# in a folder with a link "tree" to the top of the source tree. Objects stay there, so
# that both engines share them, and only what changed is compiled again.
SRC = tree/src
BOARD = tree/pipelines/board
include $(SRC)/copies.mk

# names,FOLDER,FILES
names = $(foreach name,$(2),$(1)/$(name))
ENGINE = $(call names,page,kit engine) $(call names,base,memory message text) \
	$(call names,net,accumulator atoms encode features net policy sparse \
	    sparsebytes sparsekernels) \
	$(call names,search,ab abhistory abnode aborder abquiesce abroot abtable abvalue \
	    see) \
	$(patsubst $(SRC)/%.c,%,$(wildcard $(SRC)/chess/*.c))
LAB = page/lab $(call names,base,home progress sha256) \
	$(call names,data,game gamejson json novelty openings pgn pgnnotes pgnout pgntags \
	    rulespec ruletext searchdata variant) \
	$(call names,net,onnxin sparsefile sparsenet sparseold) \
	$(call names,play,arena options player) \
	$(call names,search,absearcher batcher cache gumbel mover report search searcher \
	    tree treesearcher) \
	$(call names,stats,dirichlet special) cJSON

CC = clang --target=wasm32-wasi
CFLAGS = -std=c11 -D_GNU_SOURCE -O3 -I$(SRC) -I$(BOARD)/wasm -MMD -MP
# Vectors help where there is much arithmetic.
SIMD = $(filter chess/% net/% search/%,$(ENGINE) $(LAB))

# The stack comes first, so that running over it is noticed.
LDFLAGS = -mexec-model=reactor -O3 -Wl,--strip-all -Wl,--stack-first \
	-Wl,-z,stack-size=8388608
exports = $(shell sed -n 's/^[a-z].*[ *]\(\(page\|lab\)_[a-z_]*\)\x28.*/-Wl,--export=\1/p' $(1))
link = $(CC) $(LDFLAGS) $(1) -o $@.new $(filter %.o,$^) && mv $@.new $@
link_engine = $(call link,$(call exports,$(SRC)/page/engine.h))
# What pages never call, such as engines in other processes, is absent; a call ends the
# page.
ABSENT = -Wl,--allow-undefined-file=$(BOARD)/wasm/absent
link_lab = $(call link,$(call exports,$(SRC)/page/engine.h $(SRC)/page/lab.h) $(ABSENT))
plain = $(1:%=plain/%.o)
simd = $(patsubst %,simd/%.o,$(filter $(SIMD),$(1))) \
	$(patsubst %,plain/%.o,$(filter-out $(SIMD),$(1)))

engine.wasm: $(call plain,$(ENGINE)) $(SRC)/page/engine.h
	$(link_engine)
engine-simd.wasm: $(call simd,$(ENGINE)) $(SRC)/page/engine.h
	$(link_engine)
workbench.wasm: $(call plain,$(ENGINE) $(LAB)) $(SRC)/page/lab.h $(BOARD)/wasm/absent
	$(link_lab)
workbench-simd.wasm: $(call simd,$(ENGINE) $(LAB)) $(SRC)/page/lab.h $(BOARD)/wasm/absent
	$(link_lab)

copy = $(if $(filter $(HOT),$*),-DISA=base) $(if $(filter $(COPIED),$*),-DKERNELS=base)
compile = mkdir -p $(@D) && $(CC) $(CFLAGS) $(1) $(copy) -c -o $@ $<
plain/cJSON.o: $(BOARD)/wasm/cjson/cJSON.c $(BOARD)/engine.mk
	@$(compile)
plain/%.o: $(SRC)/%.c $(BOARD)/engine.mk $(SRC)/copies.mk
	@$(compile)
simd/%.o: $(SRC)/%.c $(BOARD)/engine.mk $(SRC)/copies.mk
	@$(call compile,-msimd128)

-include $(shell find plain simd -name '*.d' 2>/dev/null)
