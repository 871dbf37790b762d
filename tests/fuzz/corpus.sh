# Corpora are kept as one packed file a fuzzer. To be sourced.

# unpack FUZZER DIR: its inputs into a folder; none if it has no corpus yet
unpack() {
	mkdir -p "$2"
	test ! -e "tests/fuzz/corpus/$1.tar.zst" ||
		zstd -dcq "tests/fuzz/corpus/$1.tar.zst" | tar -xf - -C "$2"
}

# pack FUZZER DIR: the same bytes for the same inputs
pack() {
	tar -cf - -C "$2" --sort=name --owner=0 --group=0 --numeric-owner \
	    --mode='u=rwX,go=rX' --mtime=@0 --format=ustar . |
		zstd -19 -q -f -o "tests/fuzz/corpus/$1.tar.zst"
}
