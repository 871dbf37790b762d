# Which games to show, of those that replay.awk played through: their numbers,
# counted from 1, and why. The shortest that was decided, the one with the most
# special moves (of those the shortest), the longest; and if that makes less
# than three, one of the middle length. Of equals the first is taken. A game may
# be there for more than one reason.

BEGIN { FS = OFS = "\t" }

{
	plies[NR] = $4
	if ($2 ~ /^(1-0|0-1)$/ && (!shortest || $4 < plies[shortest]))
		shortest = NR
	if ($5 > most || (special && $5 == most && $4 < plies[special])) {
		most = $5
		special = NR
	}
	if (!longest || $4 > plies[longest])
		longest = NR
}

function show(game, why) {
	if (!game)
		return
	if (!(game in reasons))
		order[++count] = game
	reasons[game] = reasons[game] (reasons[game] == "" ? "" : "+") why
}

# A game that half of the others are not longer than, and half not shorter.
function median(    i, j, below, above) {
	for (i = 1; i <= NR; i++) {
		below = above = 0
		for (j = 1; j <= NR; j++) {
			below += plies[j] < plies[i]
			above += plies[j] > plies[i]
		}
		if (below <= NR / 2 && above <= NR / 2 && !(i in reasons))
			return i
	}
	return 0
}

END {
	show(shortest, "shortest")
	show(special, "special")
	show(longest, "longest")
	if (count < 3 && NR > count)
		show(median(), "median")
	for (i = 1; i <= count; i++)
		print order[i], reasons[order[i]]
}
