# What changes against chess: the first screen, and a card for each rule set in
# the same form. $d is all data; see page.jq.
include "doc";
include "words";
include "results";
include "choice";
include "games";

# ---- a number of a rule set beside that of chess ----

def measure_of($d; $rules; $name): first($d.t.measures | at_budget(1)[] | select(.rules == $rules and .measure == $name) |
    {value: .mean, lo, hi}) // {};
def value_of($d; $rules; $piece): first($d.t.values | at_budget(1) | (map(select(.target == "search")) +
    map(select(.target != "search")))[] | select(.rules == $rules) | field_of($piece)) // {};
def how_valued($d): if any($d.t.values[]; .target == "search") then ", from search" else ", from results" end;
def entropy_of($d; $rules): first($d.t.entropy | map(select(.prior == "net")) | last_ply[] | select(.rules == $rules) |
    from_error("h")) // {};
def pair_p($d; $rules; $field): first($d.t.compare | at_budget(1)[] | select(.a == $rules and .b == "classical") | .[$field]) // null;

# How a difference is shown: in points of a hundred, or as a number.
def points: 100 * . | fix(1);
def signed(show): if . > 0 then "+" + show else show end;

# A difference of entropies is one net's unless two nets agree on it.
def above_floor($d; $rules): floor_gap($d; $rules) as $gap |
	if (.side | IN("more", "less") | not) or $rules == "classical" then .
	elif $gap == null then .words += ", by this one net"
	elif (.diff.value | fabs) <= $gap then .side = "open" | .words = "below the noise floor"
	else . end;

# What findings.tsv says: a difference that does not stand is open, and the reason is said.
def reason_words: {"few": "cannot tell", "longer": "not so at the longer budget", "same": "not so from the same openings", "players": "the players do not agree", "floor": "below the noise floor",
    "untold": "not known: the net was never told these rules"}[.];
def judged($d; $rules; $measure): (first($d.t.findings[] | select(.rules == $rules and .measure == $measure)) // null) as $f |
	if $f == null or .side == "none" then .
	elif $f.verdict == "open" then .side = "open" | .words = ($f.reason | reason_words // "cannot tell")
	else . end;

# The facts of a card. Draw rates and scores are called different if their p,
# adjusted for all pairs (Holm), is below 5 %, other numbers if a 99 % interval of
# the difference excludes zero.
def facts($d; $rules):
	def fact($name; $unit; $more; $less; $own; $base; $p; kind):
	    ($own | against($base)) as $diff |
	    {name: $name, unit: $unit, own: $own, base: $base, diff: $diff, kind: kind,
	    side: (if $diff == null then "none"
		elif (if $p | is_number then $p >= 0.05 else
		    ($diff.value - $diff.lo) as $below | ($diff.hi - $diff.value) as $above |
		    $diff.value - 1.315 * $below <= 0 and $diff.value + 1.315 * $above >= 0 end) then "open"
		elif $diff.value > 0 then "more" else "less" end)} |
	    .words = {more: $more, less: $less, open: "cannot tell", none: "–"}[.side];
	outcome_of($d; $rules) as $own | outcome_of($d; "classical") as $base |
	[fact("Draws"; "points"; "more draws"; "fewer draws"; $own | field_of("draw_rate"); $base | field_of("draw_rate"); pair_p($d; $rules; "p_draw_holm"); "share"),
	fact("White’s score"; "points"; "better for White"; "worse for White"; $own | field_of("score"); $base | field_of("score"); pair_p($d; $rules; "p_score_holm"); "share"),
	fact("Length, in plies"; "plies"; "longer games"; "shorter games"; measure_of($d; $rules; "length"); measure_of($d; "classical"; "length"); null; "whole"),
	fact("Legal moves"; "legal moves"; "more choice"; "less choice"; measure_of($d; $rules; "branching"); measure_of($d; "classical"; "branching"); null; "tenth"),
	fact("Lead changes"; "a game"; "more changes of the lead"; "fewer changes of the lead"; measure_of($d; $rules; "lead-changes"); measure_of($d; "classical"; "lead-changes"); null; "hundredth"),
	fact("Comebacks"; "points"; "more comebacks"; "fewer comebacks"; measure_of($d; $rules; "comebacks"); measure_of($d; "classical"; "comebacks"); null; "share"),
	fact("Opening choice, in nats"; "nats"; "wider openings"; "narrower openings"; entropy_of($d; $rules); entropy_of($d; "classical"); null; "tenth"),
	fact("Knight, in pawns" + how_valued($d); "pawns"; "a more valuable knight"; "a less valuable knight"; value_of($d; $rules; "knight"); value_of($d; "classical"; "knight"); null; "hundredth"),
	fact("Queen, in pawns" + how_valued($d); "pawns"; "a more valuable queen"; "a less valuable queen"; value_of($d; $rules; "queen"); value_of($d; "classical"; "queen"); null; "hundredth")] |
	map(select(.own.value | is_number)) | map(if .name == "Draws" then judged($d; $rules; "draw_rate")
	elif .name | startswith("White") then judged($d; $rules; "score")
	elif .name | startswith("Opening choice") then above_floor($d; $rules) | judged($d; $rules; "entropy")
	elif (.name | test("^(Knight|Queen)")) and (how_valued($d) | test("search")) then judged($d; $rules; "values")
	else . end);

def show_kind($kind): if $kind == "share" then percent elif $kind == "whole" then fix(0) elif $kind == "tenth" then fix(1) else fix(2) end;
def show_diff($kind): if $kind == "share" then signed(points) elif $kind == "whole" then signed(fix(0)) elif $kind == "tenth" then signed(fix(1)) else signed(fix(2)) end;

# The difference as a dot with its interval around the line of chess.
def difference_dots: ([.diff | select(. != null) | .lo, .hi | fabs] | max // 0) as $most |
	if $most == 0 then "" else {t: "", dots: [.diff.value, .diff.lo, .diff.hi, null, -$most, $most], zero: true} end;

def fact_row: .kind as $kind | [.name, {t: (.own.value | show_kind($kind)), v: .own.value, lo: .own.lo, hi: .own.hi},
	(if .base.value | is_number then {t: (.base.value | show_kind($kind)), v: .base.value, lo: .base.lo, hi: .base.hi} else "–" end),
	(if .diff then {t: "\(.diff.value | show_diff($kind))\(if $kind == "share" then " points" else "" end) ⟨ci|\(.diff.lo | show_diff($kind)) to \(.diff.hi | show_diff($kind))⟩",
	    v: .diff.value, lo: .diff.lo, hi: .diff.hi} else "–" end), difference_dots, .words];

# The table that a fact is from.
def fact_source: if test("^(Draws|White)") then "outcomes" elif startswith("Opening") then "entropy" elif test("^(Knight|Queen)") then "values" else "measures" end;

# $rules is said for the whole table, as its rows have numbers for headings.
def fact_table($id; $rules; $caption): . as $facts |
	table($id; $caption; ["⟨hidden|Measure⟩", ["Here"], ["Chess"], ["Difference, 95 %"], "⟨hidden|Picture⟩", "Verdict"]; $facts | map(fact_row)) |
	map(.look = "facts" | .rules = $rules | .from = "outcomes" | .with = {set: "1", target: (if any($facts[]; .name | endswith("from search")) then "search" else "result" end)} | .sides = ($facts | map(.side)) | .froms = ($facts | map(.name | fact_source)));

# The classes of results: White's wins, games worth a part of a point, draws, Black's wins.
def results_of: [["win", .wins, "White won"], ["partwin", .part_wins // 0, "part of a point, more to White"], ["draw", .draws, "drawn"],
    ["partloss", .part_losses // 0, "part of a point, more to Black"], ["loss", .losses, "Black won"]] |
    map({kind: .[0], n: .[1], words: .[2]}) | map(select(.n > 0 or (.kind | startswith("part") | not)));

# Results as bars, of this rule set and of chess.
def bars($d; $rules): [{bars: [$rules, (if $rules == "classical" then empty else "classical" end) | . as $r | outcome_of($d; $r) | select((.games // 0) > 0) |
    {who: ($r | named($d)), rules: $r, games, results: results_of}]}];

# What is certain, in a sentence.
def fact_words: .kind as $kind | "\(.words) (\(.diff.value | show_diff($kind)) \(.unit))";
def summary($d; $rules): facts($d; $rules) | (map(select(.side | IN("more", "less")))) as $sure |
	(map(select(.side == "open") | .name | split(",")[0] | if startswith("White") then . else ascii_downcase end)) as $open |
	(outcome_of($d; $rules).games // 0) as $games |
	if $sure == [] then "\($games | plural("game")) of each show no clear difference from chess." else
	    "Compared with chess, in \($games | plural("game")) of each: \($sure | map(fact_words) | and_list)." +
	    (if $open == [] then "" else " No clear difference: \($open | and_list)." end) end;

def special_words($d; $rules):
	[$d.t.special | at_budget(1)[] | select(.rules == $rules and .class == "new" and (.games_share | is_number)) |
	    "\(.kind | kind_words) in \(.games_share | percent(0)) of games"] | if . == [] then [] else
	    meta("Special moves: \(join("; ")).") end;

def sure_words: "Draws and White’s score are called different if p is below 5 % after adjustment for all pairs of rule sets and both measures (Holm), " +
	"other numbers if a 99 % interval of the difference, wider than the one shown, excludes zero.";

# ---- what the user wishes ----

def goal_words: {"met": "⟨good|met⟩", "missed": "⟨bad|missed⟩", "open": "⟨open|cannot tell⟩"}[.] // "not measured";
def goal_number($aim): if .value | is_number | not then "–" else . as $row | .value |
    with_interval($row.lo; $row.hi; if $aim | IN("fields", "plies_mean", "length", "branching", "lead-changes", "prior_distance") then fix(1) else percent end) end;

# Is it a good rule? As the user's aims have it.
def goals_part($d; $rules): [$d.t.goals[] | select(.rules == $rules)] as $own | if $own == [] then [] else
	def those($verdict): [$own[] | select(.verdict == $verdict) | .wish | e] | if . == [] then empty else "\({"met": "meets", "missed": "misses", "open": "may or may not meet", "unknown": "has no number for"}[$verdict]) \(length): \(join("; "))" end;
	h3("Is it a good rule?") +
	para("Of your \($own | length | plural("aim")) it \([those("met"), those("missed"), those("open"), those("unknown")] | join("; it ")).") +
	(table("goals-\($rules)"; "Your aims, \(sims_words($d; 1)), with 95 % intervals"; ["Aim", ["Here"], ["Chess"], "Verdict"];
	    [$own[] | . as $row | (first($d.t.goals[] | select(.rules == "classical" and .wish == $row.wish)) // {}) as $chess |
		[(.wish | e), goal_number(.measure), ($chess | goal_number($row.measure)), (.verdict | goal_words)]]) | map(.rules = $rules) | from("goals")) end;

# Which rule sets meet all aims.
def goals_headline($d): if $d.t.goals == [] then empty else
	[$d.rules[].rules | . as $rules | [$d.t.goals[] | select(.rules == $rules) | .verdict] | select(. != []) | {rules: $rules, all: all(.[]; . == "met"), none: any(.[]; . == "missed")}] as $sets |
	"Your aims: " + ([$sets[] | select(.all) | .rules | named($d) | e] | if . == [] then "no rule set meets all of them for sure" else "all are met in \(and_list)" end) +
	([$sets[] | select((.all or .none) | not) | .rules | named($d) | e] | if . == [] then "." else "; \(and_list) may meet them: more games could tell." end) end;

# ---- the first screen ----

# The rule set that it is about: the user's own, or else the one that differs most from chess.
def subject($d): first($d.rules[] | select(.own == 1) | .rules) //
	([$d.rules[].rules | select(. != "classical") | {rules: ., n: (facts($d; .) | map(select(.side | IN("more", "less"))) | length),
	    p: (pair_p($d; .; "p_holm") // 1)}] | sort_by([.p, -.n]) | .[0].rules) // null;

def card($d): .rules as $rules |
	para("\($rules | sentence($d) + untrained($d) | e) \(summary($d; $rules))") + special_words($d; $rules) + (if $rules == subject($d) then [] else goals_part($d; $rules) end) + bars($d; $rules) +
	(facts($d; $rules) | fact_table("card-\($rules)"; $rules; "\($rules | named($d) | e) beside chess"));

def cards($d): section("cards"; "Each rule set against chess";
	para("The same numbers for each, from the games at the first budget (\(sims_words($d; 1))). \(sure_words)") +
	([$d.rules[] | select(.rules != "classical") | {fold: (.label | e), card: (.rules | slug), parts: card($d)}]));

def telling($d; $rules): ($d.games | map(select(.set == $rules))) as $games |
	(first($games[] | select(.role | contains("special"))) // $games[0]) as $game |
	if $game == null then [] else h3("An example game") + [{games: [$game | game_id]}] end;

def first_screen($d): subject($d) as $rules |
	if $rules == null then [] else
	($d.rules | map(select(.rules == $rules)) | .[0]) as $row |
	section("yours"; if $row.own == 1 then "Your rule against chess: \($row.label | e)" else "\($row.label | e) against chess" end;
	[{lead: "\($rules | sentence($d) + untrained($d) | e) \(summary($d; $rules))"}] +
	goals_part($d; $rules) + bars($d; $rules) + (facts($d; $rules) | fact_table("yours"; $rules; "\($row.label | e) beside chess")) +
	meta("\(sims_words($d; 1)). \(sure_words)") + telling($d; $rules)) end;

# ---- headlines ----

def test_of($d; $budget; $measure): first($d.t.homogeneity | at_budget($budget)[] | select(.measure == $measure)) // {};

# An estimate has no more digits than these.
def two_digits: if . < 100 then ceil else pow(10; (log10 | floor) - 1) as $unit | ((. / $unit) | round) * $unit end;

# How many games of each would show a difference.
def more_games($d; $budget; $measure): test_of($d; $budget; $measure) as $test |
	($test.games / ([$test.groups, 1] | max)) as $have |
	([$d.t.power | at_budget($budget)[] | .[$measure + "_games"] | select(is_number)] | sort | .[length / 2 | floor]) as $five |
	if $test.games_needed | is_number then
	    "about \([$test.games_needed - $have, 0] | max | two_digits | plural("more game")) of each could, if the true differences are as large as they look"
	elif $five | is_number then "a difference of five points would show in \($five | plural("game")) of each"
	else "more games could" end;

# The ends of a list are named only if they stay in this order at the longer budget and
# from the same openings.
def headline($d; $budget; $measure; $what; $told):
	test_of($d; $budget; $measure) as $test | (first($d.t.findings[] | select(.measure == "extremes-\($measure)")) // {}) as $ends |
	if ($test.p | tonumber? // null) == null then empty
	elif ($test.p | tonumber) < 0.05 and $ends.verdict == "open" then "\($what): the rule sets differ at \(sims_words($d; $budget)), but the least and the most are \($ends.reason | reason_words)."
	elif ($test.p | tonumber) < 0.05 then "\($told)The rule sets differ (p \(if ($test.p | tonumber) < 0.001 then "< 0.001" else "= \($test.p | tonumber | fix(3))" end))."
	else "\($what): these games cannot tell the rule sets apart (p = \($test.p | tonumber | fix(2))); \(more_games($d; $budget; $measure))." end;
