# Chooses the games to show, from lines of result, plies and marks of special moves
# (tab-separated); prints their numbers, counted from 1, and the reasons: the shortest
# decisive game, the one with the most special moves (of those the shortest), the
# longest; and if these are fewer than three, one of median length. Of equal games the
# first is taken. A game may have more than one reason.

BEGIN { FS = OFS = "\t" }

{
	plies[NR] = $2
	specials = split($3, marks, " ")
	if ($1 ~ /^(1-0|0-1)$/ && (!shortest || $2 < plies[shortest]))
		shortest = NR
	if (specials > most || (special && specials == most && $2 < plies[special])) {
		most = specials
		special = NR
	}
	if (!longest || $2 > plies[longest])
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
