# Files of src/ that are compiled once for each instruction set, without their .c: HOT by
# -DISA= (src/chess/isa.h), COPIED by -DKERNELS= (src/net/copies.h).
HOT = chess/make chess/movefind chess/movegen chess/perft chess/run chess/san \
	search/abhistory search/abnode search/aborder search/abquiesce \
	search/abroot search/abvalue search/see
COPIED = net/sparsekernels train/netstep
