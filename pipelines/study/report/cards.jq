# What changes against chess: the first screen, and a card for each rule set in
# the same form. $d is all data; see page.jq.
include "html";
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
def reason_words: {"few": "cannot tell", "longer": "not so at the longer budget", "same": "not so from the same openings", "floor": "below the noise floor",
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
def difference_dots($d):
	([.diff | select(. != null) | .lo, .hi | fabs] | max // 0) as $most |
	if $most == 0 then "" else
	def at: (60 + . / $most * 52) | . * 10 | round / 10;
	"<svg class=\"dots \(.side)\" viewBox=\"0 0 120 16\" width=\"120\" height=\"16\" aria-hidden=\"true\">" +
	"<path class=\"zero\" d=\"M60 1V15\"/><path class=\"line\" d=\"M\(.diff.lo | at) 8H\(.diff.hi | at)\"/>" +
	"<circle cx=\"\(.diff.value | at)\" cy=\"8\" r=\"3.4\"/></svg>" end;

def fact_row($d): .kind as $kind |
	"<tr class=\"\(.side)\"><th scope=\"row\">\(.name | e)</th><td class=\"n\">\(.own.value | show_kind($kind))</td>" +
	"<td class=\"n\">\(.base.value | show_kind($kind))</td><td class=\"n\">" +
	(if .diff then "\(.diff.value | show_diff($kind))\(if $kind == "share" then " points" else "" end) <span class=\"ci\">\(.diff.lo | show_diff($kind)) to \(.diff.hi | show_diff($kind))</span>" else "–" end) +
	"</td><td>\(difference_dots($d))</td><td class=\"verdict\">\(.words | e)</td></tr>\n";

def fact_table($d; $id; $caption): "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"\($caption | e)\">\n" +
	"<table id=\"table-\($id | slug)\" class=\"facts\"><caption class=\"hidden\">\($caption | e)</caption>\n<thead><tr><th scope=\"col\"></th><th scope=\"col\" class=\"n\">Here</th>" +
	"<th scope=\"col\" class=\"n\">Chess</th><th scope=\"col\" class=\"n\">Difference, 95 %</th><th scope=\"col\"></th>" +
	"<th scope=\"col\">Verdict</th></tr></thead>\n<tbody>\n\(map(fact_row($d)) | add // "")</tbody></table></div>\n";

# The classes of results: White's wins, games worth a part of a point, draws, Black's wins.
def results_of: [["win", .wins, "White won"], ["partwin", .part_wins // 0, "part of a point, more to White"], ["draw", .draws, "drawn"],
    ["partloss", .part_losses // 0, "part of a point, more to Black"], ["loss", .losses, "Black won"]] |
    map({class: .[0], n: .[1], words: .[2]}) | map(select(.n > 0 or (.class | startswith("part") | not)));

# Results as a bar; small shares are labelled, too.
def outcome_bar($who): . as $row |
	def part($class; $n): if ($row.games // 0) == 0 or $n == 0 then "" else ($n / $row.games) as $share |
	    "<span class=\"\($class)\" style=\"flex:\($n)\" title=\"\($share | percent)\">\(if $share >= 0.06 then $share | percent(0) else "" end)</span>" end;
	if ($row.games // 0) == 0 then "" else
	"<div class=\"wdl\"><span class=\"who\">\($who | e)</span><div class=\"wdlbar\" role=\"img\" aria-label=\"\($who | e): " +
	"\(results_of | map("\(.words) \(.n / $row.games | percent)") | join(", "))\">" +
	"\(results_of | map(part(.class; .n)) | add)</div>" +
	(if .draws / .games < 0.06 then "<span class=\"tiny\">drawn \(.draws / .games | percent)</span>" else "" end) + "</div>\n" end;

def bars($d; $rules): "<div class=\"wdls\">\(outcome_of($d; $rules) | outcome_bar($rules | named($d)))" +
	(if $rules == "classical" then "" else (outcome_of($d; "classical") | outcome_bar("classical" | named($d))) end) +
	"<p class=\"legend\">\(outcome_of($d; $rules) | if .games then results_of | map("<i class=\"\(.class)\"></i>\(.words) ") | add | rtrimstr(" ") else "" end)</p></div>\n";

# What is certain, in a sentence.
def fact_words: .kind as $kind | "\(.words) (\(.diff.value | show_diff($kind)) \(.unit))";
def summary($d; $rules): facts($d; $rules) | (map(select(.side | IN("more", "less")))) as $sure |
	(map(select(.side == "open") | .name | split(",")[0] | if startswith("White") then . else ascii_downcase end)) as $open |
	(outcome_of($d; $rules).games // 0) as $games |
	if $sure == [] then "\($games | plural("game")) of each show no clear difference from chess." else
	    "Compared with chess, in \($games | plural("game")) of each: \($sure | map(fact_words) | and_list | e)." +
	    (if $open == [] then "" else " No clear difference: \($open | and_list | e)." end) end;

def special_words($d; $rules):
	[$d.t.special | at_budget(1)[] | select(.rules == $rules and .class == "new" and (.games_share | is_number)) |
	    "\(.kind | kind_words | e) in \(.games_share | percent(0)) of games"] | if . == [] then "" else
	    "<p class=\"meta\">Special moves: \(join("; ")).</p>\n" end;

def card($d): .rules as $rules |
	"<article class=\"card\" id=\"card-\($rules | slug)\">\n<h3>\(.label | e)</h3>\n<p>\($rules | sentence($d) + untrained($d) | e) " +
	"\(summary($d; $rules))</p>\n\(special_words($d; $rules))\(bars($d; $rules))" +
	(facts($d; $rules) | fact_table($d; "card-\($rules)"; "\($rules | named($d)) beside chess")) + "</article>\n";

def sure_words: "Draws and White’s score are called different if p is below 5 % after adjustment for all pairs of rule sets and both measures (Holm), " +
	"other numbers if a 99 % interval of the difference, wider than the one shown, excludes zero.";

def cards($d): section("cards"; "Each rule set against chess";
	para("The same numbers for each, from the games at the first budget (\(sims_words($d; 1))). \(sure_words)") +
	([$d.rules[] | select(.rules != "classical") | folded_card(.label; card($d))] | add // ""));

# ---- the first screen ----

# The rule set that it is about: the user's own, or else the one that differs most from chess.
def subject($d): first($d.rules[] | select(.own == 1) | .rules) //
	([$d.rules[].rules | select(. != "classical") | {rules: ., n: (facts($d; .) | map(select(.side | IN("more", "less"))) | length),
	    p: (pair_p($d; .; "p_holm") // 1)}] | sort_by([.p, -.n]) | .[0].rules) // null;

def telling($d; $rules): ($d.games | map(select(.set == $rules))) as $games |
	(first($games[] | select(.role | contains("special"))) // $games[0]) as $game |
	if $game == null then "" else $game |
	"<h3>An example game</h3>\n" + article("telling"; "whole"; "\($rules | named($d)): \(.role | role_words | ascii_downcase)"; game_meta) end;

def first_screen($d): subject($d) as $rules |
	if $rules == null then "" else
	($d.rules | map(select(.rules == $rules)) | .[0]) as $row |
	"<section id=\"yours\" class=\"hero\" aria-labelledby=\"yours-title\">\n<h2 id=\"yours-title\">" +
	(if $row.own == 1 then "Your rule against chess: \($row.label | e)" else "\($row.label | e) against chess" end) + "</h2>\n" +
	"<p class=\"lead\">\($rules | sentence($d) + untrained($d) | e) \(summary($d; $rules))</p>\n" +
	bars($d; $rules) + (facts($d; $rules) | fact_table($d; "yours"; "\($row.label) beside chess")) +
	"<p class=\"meta\">\(sims_words($d; 1)). \(sure_words)</p>\n" +
	telling($d; $rules) + "</section>\n" end;

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
	elif ($test.p | tonumber) < 0.05 then "\($told) The rule sets differ (p \(if ($test.p | tonumber) < 0.001 then "&lt; 0.001" else "= \($test.p | tonumber | fix(3))" end))."
	else "\($what): these games cannot tell the rule sets apart (p = \($test.p | tonumber | fix(2))); \(more_games($d; $budget; $measure))." end;
