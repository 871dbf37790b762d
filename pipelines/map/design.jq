# All that the page and the tables of a run of design show, as one object.

# The signed distance of a number from an aim's interval, in units.
def bounds: if has("between") then .between else [.above, .below] end;
def miss($aim): . as $y | ($aim | bounds) as [$lo, $hi] |
    (if $lo != null and $y < $lo then $y - $lo elif $hi != null and $y > $hi then $y - $hi else 0 end) / $aim.unit;

# A value and its interval against an aim: sure (the whole interval meets it), met, open
# (only the interval reaches it), missed; wish: the less the better.
def state($aim): . as [$at, $from, $to] | ($aim | bounds) as [$lo, $hi] |
    if $aim.below == 0 then "wish"
    elif ($from | miss($aim)) == 0 and ($to | miss($aim)) == 0 then "sure"
    elif ($at | miss($aim)) == 0 then "met"
    elif ($lo == null or $to >= $lo) and ($hi == null or $from <= $hi) then "open"
    else "missed" end;

# What is not measured is nothing for shares of moves, else unknown.
def value($name): .measures[$name] // (if $name | test("_share:") then [0, 0, 0] else null end);
def loss($aims): . as $row | [$aims[] as $a | $row | value($a.measure) | select(. != null)[0] | miss($a) | . * . * $a.weight] | add // 0;

def title($words): if $words.study > 0 or ($words.name | startswith("{") | not) then $words.label
    else [$words.fields | to_entries[] | (.key | gsub("_"; " ")) as $field | .value |
	if . == true then $field elif . == false or . == "" then "no \($field)" else "\($field) \(if type == "string" then . else tojson end)" end] | join(" + ") end;

($words | INDEX(.id)) as $word |
($measured | INDEX(.id)) as $searched |
($ranks | INDEX(.id)) as $rank |
($finalists | INDEX(.id)) as $final |
($shallow | INDEX(.id)) as $same |
($games | INDEX(.id)) as $played |
$aims[0].aims as $goals |
def about: .id as $id | $word[$id] as $w |
    {id: $id, title: title($w), sentence: $w.sentence, rules: .rules, preset: ($w.study > 0), games: .games,
    page: (if any($pages[]; . == $id) then "play/\($id).html" else null end)};
{
	aims: $goals,
	most: $aims[0].most,
	change: $aims[0].change,
	map: $aims[0].map,
	seed: $settings[0].seed,
	sims: $settings[0].sims,
	deep: $deep,
	games: ([$measured[].games] | add),
	all: [$measured[] | . as $m | about + {
		loss: $rank[.id].loss, allowed: $rank[.id].allowed, elite: $rank[.id].elite,
		x: value($aims[0].map[0]), y: value($aims[0].map[1]),
		values: [$goals[] as $g | $m | value($g.measure)]}] | map(select(.x != null and .y != null)),
	finalists: [($fresh[] | select(.id == "0001") | .chess = true),
	    ($finalists[].id as $id | $fresh[] | select(.id == $id and .id != "0001"))] | map(. as $f | about + {
		chess: (.id == "0001" and all($finalists[]; .id != "0001")),
		loss: loss($goals), chosen_loss: ($searched[.id] | loss($goals)),
		expected_loss: $final[.id].loss, same_loss: (if $same[.id] then $same[.id] | loss($goals) else null end), searched_games: $searched[.id].games,
		x: value($aims[0].map[0]), y: value($aims[0].map[1]),
		moves: $played[.id].games,
		ends: .ends,
		aims: [$goals[] as $g | ($f | value($g.measure)) as $v | ($searched[$f.id] | value($g.measure)) as $c |
		    {measure: $g.measure, at: $v[0], from: $v[1], to: $v[2], chosen: $c[0],
		    state: (if $v == null then "unknown" else $v | state($g) end)}]}
		| .met = all(.aims[]; .state | IN("sure", "met", "wish"))
		| .sure = all(.aims[]; .state | IN("sure", "wish"))) | sort_by(.loss)
}
