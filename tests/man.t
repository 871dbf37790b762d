#!/bin/bash
# The SYNOPSIS of each manual page is what --help says, and every option of
# --help is explained there.

. "$(dirname "$0")/tap.sh"

# synopsis PAGE: its SYNOPSIS as one line of plain text
synopsis() {
	awk '/^\.Sh/ { on = $2 == "SYNOPSIS"; next }
	    !on || !/^\.(Nm|Op|Fl|Ar|Cm)/ { next }
	    {
		if ($1 == ".Nm" && NF > 1)
			name = $2
		bracket = sub(/^\.Op /, "")
		sub(/^\./, "")
		sub(/^Nm.*/, name)
		sub(/Ar$/, "Ar file ...")
		gsub(/Fl /, "-")
		gsub(/(Ar|Cm) /, "")
		printf "%s%s", separator, bracket ? "[" $0 "]" : $0
		separator = " "
	    }
	    END { print "" }' name="$(basename "$1" .1)" "$1"
}

usage() { "$BIN/$1" --help | sed -n '1s/^usage: //; /^$/q; p' | xargs -d '\n' echo | tr -s ' '; }

for page in man/*.1; do
	name=$(basename "$page" .1)
	diff <(synopsis "$page") <(usage "$name") >"$log"
	report $? "$name: SYNOPSIS and --help agree"
	comm -23 <("$BIN/$name" --help | grep -oE '^  (-., |    )--[a-z0-9-]+' | grep -oE -- '--.*' | sort -u) \
	    <(grep -oE '^\.It .*(Fl|,) -[a-z0-9-]+' "$page" | sed 's/.* -/--/' | sort -u) >"$log"
	[ ! -s "$log" ]
	report $? "$name: every option is in the manual page"
done

# The page of a pipeline explains every option of its --help.
for script in design odds validate/validate; do
	page=rulelab-${script##*/}
	comm -3 <("pipelines/$script" --help | grep -oE '^  (-., |    )--[a-z0-9-]+' | grep -oE -- '--.*' | sort -u) \
	    <(grep -oE '^\.It .*(Fl|,) -[a-z0-9-]+' "man/$page.7" | sed 's/.* -/--/' | sort -u) >"$log"
	[ ! -s "$log" ]
	report $? "$page: its options are those of --help"
done

finish
