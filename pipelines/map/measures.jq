# Rows of drawstats, gamestats, movestats and distance as one line of measures, each a
# value and its interval; for propose(1). What is not known is left out.
def triple(at; lo; hi): [at, lo, hi] | select(all(type == "number"));
(map(select(has("wins")))[0]) as $draws |
{
	id: $id,
	rules: $rules[0],
	games: ($draws.games // 0),
	measures: (
		[$draws // empty | ("score", "draw_rate") as $m |
		    {key: $m, value: triple(.[$m]; .[$m + "_lo"]; .[$m + "_hi"])}] +
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
