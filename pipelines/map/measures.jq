# Rows of drawstats, gamestats, movestats and distance as one line of measures, each a
# value and its interval; for propose(1). What is not known is left out.
# Wilson's interval of k of n.
def wilson($k; $n): 1.959963984540054 as $z | ($k / $n) as $p | ($p + $z * $z / 2 / $n) as $m |
    ($z * ($p * (1 - $p) / $n + $z * $z / 4 / $n / $n | sqrt)) as $w | (1 + $z * $z / $n) as $d |
    [$p, ([($m - $w) / $d, $p] | min), ([[($m + $w) / $d, $p] | max, 1] | min)];
def triple(at; lo; hi): [at, lo, hi] | select(all(type == "number"));
(map(select(has("wins")))[0]) as $draws |
{
	id: $id,
	rules: $rules[0],
	games: ($draws.games // 0),
	measures: (
		[$draws // empty | ("score", "draw_rate") as $m |
		    {key: $m, value: triple(.[$m]; .[$m + "_lo"]; .[$m + "_hi"])}] +
		[$draws | select(.games > 0) | ($aims | .aims[].measure, .map[]) | select(startswith("ends:")) |
		    {key: ., value: wilson($draws.ends[.[5:]] // 0; $draws.games)}] +
		[.[] | select(has("measure")) |
		    {key: .measure, value: triple(.mean; .lo; .hi)},
		    (select(.measure == "length") | {key: "plies_mean", value: triple(.mean; .lo; .hi)})] +
		[.[] | select(has("kind")) | . as $row |
		    ("games_share", "moves_share") as $m |
		    {key: "\($m):\(.kind)", value: triple(.[$m]; .[$m + "_lo"]; .[$m + "_hi"])}] +
		[.[] | select(has("positions")) |
		    {key: "fields", value: triple(.fields; .fields; .fields)},
		    (("moves_differ", "prior_distance") as $m |
		    {key: $m, value: triple(.[$m]; .[$m + "_lo"]; .[$m + "_hi"])})]
		| from_entries | if .fields[0] == 0 then .novelty = [0, 0, 0] else . end),
	ends: $draws.ends
}
