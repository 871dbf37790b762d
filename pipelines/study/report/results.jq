# Sections on the results of the games: outcomes, comparisons, openings,
# special moves, piece values, lengths. $d is all data; see page.jq.
include "doc";
include "words";

def named($d): . as $rules | $d.labels[$rules] // $rules;

# What a rule set changes.
def sentence($d): $d.told[.].sentence // "";
# What its player was not trained on, if anything.
def untrained($d): $d.told[.].untrained // "" | if . == "" then "" else
	" The net was not trained on \(.): it plays by the rules, but evaluates positions as in chess." end;
def theirs($d; $measure): . as $item | $d.theirs[$measure][$item];
def at_budget($budget): map(select(.budget == $budget));

# A field of a row with its interval, as text and as dots beside the study's number.
def field_interval($name; show):
	. as $row | .[$name] | with_interval($row[$name + "_lo"]; $row[$name + "_hi"]; show);
def field_dots($name; $study; $range):
	. as $row | .[$name] | dots($row[$name + "_lo"]; $row[$name + "_hi"]; $study;
	    $range[0]; $range[1]);

def budgets($d): $d.t.outcomes | map(.budget) | unique;
# What a budget counts.
def unit($d): if $d.run.budgets[0].search == "ab" then "node" else "simulation" end;
def sims_words($d; $budget): first($d.t.outcomes[] | select(.budget == $budget) |
    .sims | plural(unit($d)) + " a move") // "no games";
# Games by which the user's own rules were learnt first.
def learning_games($d): ($d.run.net.learnt // 0) * ($d.run.net.learn_games // 0) * ($d.run.rules // [] | length);
def budget_words: if . == 1 then "shorter" else "longer" end;

# ---- a number beside that of chess ----

# The difference of two numbers with intervals, and its interval (Newcombe's:
# the distances to the ends add up as squares).
def against($base):
	def apart($a; $b): ($a * $a + $b * $b) | sqrt;
	. as $own |
	if all($own, $base; (.value | is_number) and (.lo | is_number) and (.hi | is_number)) then
	    {value: ($own.value - $base.value),
	    lo: ($own.value - $base.value - apart($own.value - $own.lo; $base.hi - $base.value)),
	    hi: ($own.value - $base.value + apart($own.hi - $own.value; $base.value - $base.lo))}
	else null end;

def field_of($name): {value: .[$name], lo: .[$name + "_lo"], hi: .[$name + "_hi"]};

def outcome_of($d; $rules): first($d.t.outcomes | at_budget(1)[] | select(.rules == $rules)) // {};

# ---- outcomes ----

def outcome_table($d; $budget):
	"score-\($budget)" as $measure |
	($d.t.outcomes | at_budget($budget)) as $rows |
	([$rows[] | .score_lo, .score_hi, .score, (.rules | theirs($d; $measure))] |
	    range_of) as $range |
	(any($rows[]; (.part_wins // 0) + (.part_losses // 0) > 0)) as $parts |
	table("outcomes-\($budget)";
	    "Outcomes at \(sims_words($d; $budget)), with 95 % credible intervals";
	    ["Rule set", ["Games"], ["White won"], ["Drawn"], ["Black won"]] + (if $parts then [["Part of a point, more to White"], ["… to Black"]] else [] end) + [["Draw rate"],
	    ["White’s score"], ["Study’s"], ["Study’s, training"], "Score: ● ours, ◇ the study’s"];
	    [$rows[] | (.rules | theirs($d; $measure)) as $study | [
		(.rules | named($d)), (.games | count), (.wins | count),
		(.draws | count), (.losses | count), (select($parts) | (.part_wins, .part_losses) // 0 | count),
		field_interval("draw_rate"; percent), field_interval("score"; percent),
		($study | percent), (.rules | theirs($d; "score-training") | percent), field_dots("score"; $study; $range)]]) | from("outcomes"; {set: "\($budget)"});

def ends_table($d; $budget):
	($d.t.outcomes | at_budget($budget) | map(.ends = (.ends | fromjson? // {}))) as $rows |
	([$rows[].ends | keys[]] | unique) as $ends |
	table("ends-\($budget)"; "How games ended at \(sims_words($d; $budget))";
	    ["Rule set"] + ($ends | map([end_words]));
	    [$rows[] | .ends as $counts | [.rules | named($d)] +
		($ends | map($counts[.] // 0 | count))]) | from("outcomes"; {set: "\($budget)"});

# Does more thinking bring more draws, as the study found everywhere?
def more_draws($d):
	($d.t.outcomes | group_by(.rules) | map(select(length == 2) | sort_by(.budget))) as $both |
	($both | map(select(.[1].draw_rate > .[0].draw_rate)) | length) as $up |
	($both | map(select(.[1].draw_rate_lo > .[0].draw_rate_hi) | .[0].rules | named($d))) as $sure |
	($both | map(select(.[1].draw_rate_hi < .[0].draw_rate_lo) | .[0].rules | named($d))) as $against |
	if $both == [] then [] else
	para("The study found more draws with more thinking in every rule set. Here the draw " +
	    "rate rises from the first budget to the second in \($up | of($both | length)); " +
	    (if $sure + $against == [] then "the two intervals overlap everywhere." else
	    "clearly, with intervals that do not overlap, in \(if $sure == [] then "none" elif $sure | length == ($both | length) then "all of them" else $sure | and_list | e end)" +
	    (if $against == [] then "; it clearly falls in none." else
	    "; it clearly falls in \($against | and_list | e)." end) end)) end;

def white_ahead($d; $budget):
	($d.t.outcomes | at_budget($budget)) as $rows |
	($rows | map(select(.score_lo > 0.5)) | length) as $ahead |
	($rows | map(select(.score_hi < 0.5)) | length) as $behind |
	if $rows == [] then "" else
	"At the \($budget | budget_words) budget White’s score and its whole interval are above one half " +
	"in \($ahead | of($rows | length)) rule sets" +
	(if $behind > 0 then " and below in \($behind)" else "" end) + ". " end;

# What the bars show, in words.
def draw_range($d): [budgets($d)[] as $budget | ($d.t.outcomes | at_budget($budget) | map(select(.draw_rate | is_number))) |
	if length < 2 then empty else "At \(sims_words($d; $budget)) draws run from \(min_by(.draw_rate) | "\(.draw_rate | percent(0)) in \(.rules | named($d))") to " +
	"\(max_by(.draw_rate) | "\(.draw_rate | percent(0)) in \(.rules | named($d))")." end] | join(" ");

# Games that were played twice count once: what is left.
def distinct_words($d): [budgets($d)[] as $budget | ($d.t.outcomes | at_budget($budget) | map(select(.copies | is_number))) | select(. != []) |
	(map(.games) | add) as $games | ($games + (map(.copies) | add)) as $all | select($all > 0) |
	"\($games / $all | percent(1)) of \($all | plural("game")) at \(sims_words($d; $budget))\(if $games / $all < 0.95 then ", ⟨bad|fewer than the 95 % that openings should leave distinct⟩" else "" end)"] |
	if . == [] then "" else "No game counts twice, in any table; distinct are \(and_list)." end;

def outcomes($d): section("outcomes"; "Outcomes by thinking time";
	para("How many games each side wins when the same player has both sides. A budget of " +
	    "\(unit($d))s takes the place of the study’s thinking time: the first of its 1 s a move, the second " +
	    "of its minute. The first \($d.run.budgets[0].sample_plies // 20) plies are drawn " +
	    "\(if unit($d) == "node" then "among moves that the search finds nearly as good as the best" else "in proportion to visit counts" end), so that games differ; after that the best move is played. \(distinct_words($d))") +
	chart("outcomes"; "Shares of White’s wins, draws and Black’s wins for each rule set at two budgets. " + draw_range($d);
	    "Each bar shows all games of a rule set at this thinking time: White’s wins, draws, Black’s wins. Move the slider, and see what more thinking does.") +
	para([budgets($d)[] | white_ahead($d; .)] | add // "") + more_draws($d) +
	folded("The numbers beside the study’s, at both budgets"; [budgets($d)[] | outcome_table($d; .)] | add // []) +
	note("The score counts a draw as one half, and games that the rules make worth another part of a point by that; these are not draws. Intervals are 95 % credible intervals from a uniform " +
	    "prior over the three outcomes. The study gives scores without errors, also for the games that its " +
	    "nets were trained on; it shows draw rates only as bars.") +
	folded("How games ended"; [budgets($d)[] | ends_table($d; .)] | add // []));

# ---- comparisons ----

# {a: {b: p}} in both directions, whichever the rows give.
def probabilities($rows; $less; $greater):
	reduce $rows[] as $row ({}; .[$row.a][$row.b] = $row[$less] |
	    if $row[$greater] | is_number then .[$row.b][$row.a] = $row[$greater] else . end);

# Columns are headed by letters that the rows explain, so that they fit on a phone.
# Only what stands after adjustment for all pairs ($holm, where it is known) is coloured.
def matrix($d; $name; $caption; $probabilities; $holm):
	($d.rules | map(.rules) | map(select($probabilities[.] != null))) as $names |
	def letter: [if . < 26 then 65 + . else 71 + . end] | implode;
	table($name; $caption; ["row against column"] + [range(0; $names | length) | [letter]];
	    [range(0; $names | length) as $i | $names[$i] as $a | [{t: "⟨b|\($i | letter)⟩ \($a | named($d) | e)", rules: $a}] +
		[$names[] as $b | $probabilities[$a][$b] |
		if is_number then ($holm[$a][$b] | is_number and . >= 0.05) as $open |
		    {t: (100 * . | fix(0)), v: ., heat: ((. - 0.5) * 2 | fabs), side: (if $open then "open" elif . >= 0.5 then "more" else "less" end)}
		else "" end]]) |
	    map(.look = "heat");

# Pairs that differ after adjustment for all of them: Holm’s p.
def sure_pairs($rows; $field):
	($rows | map([.a, .b] | sort) | unique | length) as $pairs |
	($rows | map(select(.[$field] != null and .[$field] < 0.05) | [.a, .b] | sort) | unique | length) | of($pairs);

def both_matrices($d; $budget): ($d.t.compare | at_budget($budget)) as $rows |
	((matrix($d; "compare-draw-\($budget)"; "Probability that the row has fewer draws than the column, per cent, \(sims_words($d; $budget))";
	    probabilities($rows; "p_draw_less"; "p_draw_greater"); probabilities($rows; "p_draw_holm"; "p_draw_holm")) +
	matrix($d; "compare-score-\($budget)"; "Probability that White scores more in the row than in the column, per cent, \(sims_words($d; $budget))";
	    probabilities($rows; "p_score_greater"; "p_score_less"); probabilities($rows; "p_score_holm"; "p_score_holm"))) | from("compare"; {set: "\($budget)"}));

# The same lines under all rules, in pairs with chess, beside the differences of
# games that each rule set opens in its own way.
def paired_table($d):
	($d.t.paired | map(select(.b == "classical"))) as $rows |
	def in_points: 100 * . | if . > 0 then "+" + fix(1) else fix(1) end;
	def shown: if . == null or (.value | is_number | not) then "–" else . as $x | .value | with_interval($x.lo; $x.hi; in_points) end;
	def own($name): .a as $rules | outcome_of($d; $rules) | field_of($name) | against(outcome_of($d; "classical") | field_of($name)) | shown;
	def paired($name): {value: .[$name], lo: .[$name + "_lo"], hi: .[$name + "_hi"]};
	def span($name): [$rows[] | paired($name) | .lo, .hi] | range_of;
	def dots_of($name): span($name) as $range | paired($name) | . as $x | .value | dots($x.lo; $x.hi; null; $range[0]; $range[1]);
	if $rows == [] then [] else
	([$rows[] | select(.pairs > 0) | .score_correlation | select(is_number)] | if . == [] then 0 else add / length end) as $r |
	($rows | map(select(.pairs == 0) | .a | named($d))) as $none |
	h3("The same openings under other rules") +
	para("In all other games each rule set has openings of its own, and differences may come from these. Here all follow the same " +
	    "\($d.run.shared.games // ([$rows[].pairs] | max) | plural("line")) of \($d.run.budgets[0].sample_plies // 20) plies, drawn among good moves of classical chess. " +
	    "Only pairs in which both rule sets allow the whole line are counted\(if $none == [] then "" else "; there are none for \($none | and_list | e)" end). " +
	    "Where the two columns of a number are far apart, the opening makes the difference.") +
	(table("paired"; "Differences from chess in percentage points, with 95 % intervals";
	    ["Rule set", ["Pairs"], ["Draws, own openings", {from: "outcomes", set: "1"}], ["Draws, same lines"], ["White’s score, own openings", {from: "outcomes", set: "1"}], ["White’s score, same lines"], "Score, same lines"];
	    [$rows[] | [(.a | named($d)), (.pairs | count), own("draw_rate"), (paired("draw_diff") | shown),
		own("score"), (paired("score_diff") | shown), dots_of("score_diff")]]) | from("paired")) +
	note("The points of the two games of a pair have a correlation of \($r | fix(2)) on average, which the intervals of pairs take into account. Differences with own openings treat games as independent.") end;

def compare($d): section("compare"; "Rule sets against each other";
	para("For every pair: the probability, given these games, that one has the lower draw rate, " +
	    "or the higher score for White. Near 0 or 100 % the games decide; near 50 % they do " +
	    "not. Among so many pairs some look decided by chance, so only pairs with p below 5 %, adjusted for all of them by Holm’s method, are called different and coloured.") +
	para([budgets($d)[] as $budget | ($d.t.compare | at_budget($budget)) as $rows |
	    "At the \($budget | budget_words) budget \(sure_pairs($rows; "p_draw_holm")) pairs differ in the draw rate and " +
	    "\(sure_pairs($rows; "p_score_holm")) in the score. "] | add // "") +
	(budgets($d) | .[:1] | map(both_matrices($d; .)) | add // []) +
	folded("The same at the second budget"; budgets($d) | .[1:] | map(both_matrices($d; .)) | add // []) +
	paired_table($d));

# ---- openings ----

def opening_extremes($d; $opening):
	($d.t.openings | map(select(.opening == $opening and (.score | is_number)))) as $rows |
	if $rows | length < 2 then empty else ($rows | min_by(.score)) as $least |
	($rows | max_by(.score)) as $most |
	if $most.score == $least.score then "\($opening | opening_words | e) (\($opening | opening_moves | e)): White scores " +
	    "\($most.score | percent) in every rule set." else
	"\($opening | opening_words | e) (\($opening | opening_moves | e)): White scores most in " +
	"\($most.rules | named($d) | e) (\($most.score | percent)" +
	"\(and_interval($most.score_lo; $most.score_hi; percent))) and least in " +
	"\($least.rules | named($d) | e) (\($least.score | percent)" +
	"\(and_interval($least.score_lo; $least.score_hi; percent)))" +
	(if $most.score_lo > $least.score_hi then "; these intervals do not overlap" else
	    "; these intervals overlap" end) + "." end end;

def opening_alt($d; $opening): ($d.t.openings | map(select(.opening == $opening and (.score | is_number)))) |
	if length < 2 then "" else "\($opening | opening_words): White scores from \(min_by(.score) | "\(.score | percent(0)) in \(.rules | named($d))") to " +
	"\(max_by(.score) | "\(.score | percent(0)) in \(.rules | named($d))")." end;

def openings($d):
	([$d.t.openings[].opening] | reduce .[] as $o ([]; if index([$o]) then . else . + [$o] end)) as $names |
	section("openings"; "Four openings";
	para("The same opening can be sound under one rule set and refuted under another. Games begin with " +
	    "these moves and continue \(if unit($d) == "node" then "with plies drawn as in the other games, then with the move that the search finds best" else "with the move that the search finds best, several searches being in flight" end). Rule sets without the double step cannot play them. Identical games count once: " +
	    "\([$d.t.openings[].copies | select(is_number)] | add // 0 | plural("copy"; "copies")) left out, \([$d.t.openings[].games | select(is_number)] | add // 0 | plural("distinct game")) counted.") +
	(chart("openings"; "Outcomes after four openings for each rule set. " + ([$names[] | opening_alt($d; .)] | join(" "));
	    "One bar for each rule set: White’s wins, draws, Black’s wins.") |
	    map(.names = ($names | map({key: ., value: "\(opening_words), \(opening_moves)"}) | from_entries))) +
	list([$names[] | opening_extremes($d; .)]) +
	folded("The numbers"; (table("openings"; "White’s score after each opening, with 95 % credible intervals";
	    ["Rule set"] + ($names | map([opening_words, {set: .}]));
	    [$d.rules[].rules as $rules | ($d.t.openings | map(select(.rules == $rules))) as $rows |
		select($rows != []) | [$rules | named($d)] + [$names[] as $name |
		first($rows[] | select(.opening == $name) | field_interval("score"; percent)) // "–"]]) | from("openings")) +
	table("openings-all"; "Outcomes after each opening";
	    ["Opening", "Rule set", ["Distinct games"], ["Copies"], ["White won"], ["Drawn"], ["Black won"], ["Draw rate"]];
	    [$d.t.openings[] | [(.opening | opening_words), (.rules | named($d)), (.games | count), (.copies | count),
		(.wins | count), (.draws | count), (.losses | count),
		field_interval("draw_rate"; percent)]])) +
	note("The study shows these as bars without numbers, so there are none beside ours."));

# ---- special moves ----

def special_row($d): (.rules + "/" + .kind) as $item | [(.rules | named($d)),
    (.kind | kind_words), field_interval("games_share"; percent), (field_dots("games_share"; $item | theirs($d; "special-games"); [0, 1])),
    ($item | theirs($d; "special-games") | percent),
    field_interval("moves_share"; percent(2)),
    ($item | theirs($d; "special-moves") | percent), (.fullmove_mean | fix(1))];

def special_columns: ["Rule set", "Kind", ["Games with it"], "● ours, ◇ the study’s", ["Study’s"], ["Share of all moves"],
    ["Study’s"], ["Mean move"]];

def captured_table($d):
	($d.t.agreement_data | map(select(.measure == "self-captured"))) as $rows |
	if $rows == [] then [] else
	([$rows[] | .ours, .ours_lo, .ours_hi, .theirs] | range_of) as $range |
	table("self-captured"; "Pieces taken by self-captures: share of all self-captures";
	    ["Taken", ["Ours"], ["Study’s"], "● ours, ◇ the study’s"];
	    [$rows[] | [(.item | split("/")[-1] | ltrimstr("self-capture-")), field_interval("ours"; percent), (.theirs | percent),
		(.theirs as $study | field_dots("ours"; $study; $range))]]) | from("agreement-data") end;

def special($d): section("special"; "Use of special moves";
	para("How often games use the moves that their rules add to chess. A torpedo step is a double step that does not " +
	    "start on the pawn’s own second rank; for wins by stalemate the games are the decisive ones.") +
	(def of_budget($budget): table("special-\($budget)";
	    "Special moves at \(sims_words($d; $budget)), with 95 % intervals"; special_columns;
	    [$d.t.special | at_budget($budget)[] | select(.class == "new") | special_row($d)]) | from("special"; {set: "\($budget)"});
	(budgets($d) | .[:1] | map(of_budget(.)) | add // []) +
	folded("The same at the second budget"; budgets($d) | .[1:] | map(of_budget(.)) | add // [])) +
	captured_table($d) +
	note("The study counted at 1 s a move; its numbers are shown beside both of our budgets. " +
	    "Intervals of shares of moves take games as the unit, because moves of one game are not independent.") +
	folded("All kinds, castling and en passant included"; [budgets($d)[] as $budget |
	    table("special-all-\($budget)"; "All kinds at \(sims_words($d; $budget))"; special_columns;
	    [$d.t.special | at_budget($budget)[] | special_row($d)]) | from("special"; {set: "\($budget)"})] | add // []));

# ---- piece values ----

def pieces: ["knight", "bishop", "rook", "queen"];

def target_words: {"search": "search values", "result": "results"}[.] // "results";
def targets($d): [$d.t.values[].target // "result"] | unique | reverse;
def of_target($target): map(select((.target // "result") == $target));

def value_table($d; $budget; $target):
	table("values-\($budget)\(if $target == "result" then "" else "-\($target)" end)"; "Piece values fitted to \($target | target_words), games at \(sims_words($d; $budget)), pawn = 1, with 95 % intervals";
	    ["Rule set", ["Positions"]] + (pieces | map([.[:1] | ascii_upcase] as $c | [($c[0] + .[1:])], ["Study’s"]));
	    [$d.t.values | at_budget($budget) | of_target($target)[] | . as $row | [(.rules | named($d)), (.positions | count)] +
		[pieces[] as $piece | ($row | field_interval($piece; fix(2))),
		($row.rules | theirs($d; $piece) | fix(2))]]) | stacked | from("values"; {set: "\($budget)", target: $target});

# Spare kinds, kings that are pieces like others, and pieces in hand.
def piece_words($row): . as $column | rtrimstr("_hand") as $kind |
	(($row.pieces // "{}" | fromjson? // {}).pieces[$kind]? // null) as $moves |
	(if $moves then "\($kind) (\($moves))" else $kind end) + (if $column | endswith("_hand") then " in hand" else "" end);
def further_table($d; $budget; $target):
	[$d.t.values | at_budget($budget) | of_target($target)[] | . as $row |
	    ([keys_unsorted[] | select(endswith("_lo")) | rtrimstr("_lo")] - pieces)[] as $piece | select($row[$piece] | is_number) |
	    [($row.rules | named($d)), ($piece | piece_words($row)), ($row | field_interval($piece; fix(2)))]] as $rows |
	if $rows == [] then [] else
	    table("further-\($budget)-\($target)"; "Further pieces, fitted to \($target | target_words), games at \(sims_words($d; $budget)), pawn = 1, with 95 % intervals";
		["Rule set", "Piece", ["Value"]]; $rows) | from("values"; {set: "\($budget)", target: $target}) end;

def cheapest_queen($d; $budget; $target):
	($d.t.values | at_budget($budget) | of_target($target) | map(select(.queen | is_number))) as $rows |
	($rows | map(select((.queen_lo | is_number) and (.queen_hi | is_number)))) as $sure |
	($sure | map({rules, queen: (.rules | theirs($d; "queen"))} | select(.queen | is_number))) as $theirs |
	if $sure | length < 2 then
	    para("Fitted to \($target | target_words), the games at the \($budget | budget_words) budget bound the value of the queen in " +
		"\(if $sure == [] then "no rule set" else "one rule set only" end): too few were decisive.")
	else
	para("Fitted to \($target | target_words) at the \($budget | budget_words) budget, a queen is worth fewest pawns, among the \($sure | length | plural("rule set")) whose games bound it, in " +
	    "\($sure | min_by(.queen) | "\(.rules | named($d) | e) (\(.queen | fix(1))\(and_interval(.queen_lo; .queen_hi; fix(1))))") and most in " +
	    "\($sure | max_by(.queen) | "\(.rules | named($d) | e) (\(.queen | fix(1))\(and_interval(.queen_lo; .queen_hi; fix(1))))")" +
	    (if $theirs | length < 2 then "." else
	    "; in the study, among these, \($theirs | min_by(.queen) | "\(.rules | named($d) | e) (\(.queen | fix(1)))") and " +
	    "\($theirs | max_by(.queen) | "\(.rules | named($d) | e) (\(.queen | fix(1)))")." end)) end;

def untold_values($d): [$d.t.untold[] | select(.net == "player") | .rules | named($d)] | if . == [] or (targets($d) | index("search") | not) then [] else
	note("The player was never told all the rules of \(and_list | e): the values from its search are its opinion of pieces in chess, and no finding.") end;

def values($d): section("values"; "What pieces are worth";
	para("The values with which the difference of material best predicts the outcome of a position, by least squares on " +
	    "tanh, with the pawn as unit. The study found that where pawns can do more, pieces are worth fewer of them. There are two fits: to the results of the games, as in the study, " +
	    "and to the value that the player’s search gives each position, which has much smaller errors but is the player’s opinion.") +
	chart("values"; "Values of knight, bishop, rook and queen in pawns for each rule set, ours and the study’s. " +
	    ([$d.t.values | at_budget(1) | of_target(targets($d)[0])[] | select(.queen | is_number)] | if length < 2 then "" else
	    "A queen is worth \(min_by(.queen) | "\(.queen | fix(1)) in \(.rules | named($d))") and \(max_by(.queen) | "\(.queen | fix(1)) in \(.rules | named($d))")." end);
	    "● Our values with 95 % intervals, ◇ the study’s. A wide interval means that there are too few games.") +
	([targets($d)[] as $target | cheapest_queen($d; budgets($d)[0]; $target)] | add // []) +
	([targets($d)[] as $target | further_table($d; budgets($d)[0]; $target)] | add // []) + untold_values($d) +
	folded("The numbers, at both budgets"; [budgets($d)[] as $budget | targets($d)[] as $target | value_table($d; $budget; $target)] | add // []) +
	note("A value or a rule set is missing if no game was decisive, or if the pawn itself came out worthless. A dash also stands where the games do not determine a value: its 95 % interval is unbounded or spans more than a factor of 4. " +
	    "The study fitted values to the results of its 1 s games; they are shown beside all of ours."));

# ---- lengths ----

# The smallest length that at least a share of the games does not exceed.
def quantile($share): sort_by(.plies) | (map(.games) | add) as $all |
    if ($all // 0) == 0 then null else
    first(foreach .[] as $row ([0, null]; [.[0] + $row.games, $row.plies];
	select(.[0] >= $share * $all) | .[1])) end;
def mean_plies: (map(.games) | add) as $all | if ($all // 0) == 0 then null else
    (map(.games * .plies) | add) / $all end;

def lengths($d): section("lengths"; "Game lengths";
	para("How long games last, in plies (moves of one side), for all games and for decisive ones.") +
	chart("lengths"; "Distributions of game lengths for each rule set. " + ([$d.t.outcomes | at_budget(1)[] | select(.plies_median | is_number)] | if length < 2 then "" else
	    "Half of the games take no more than \(min_by(.plies_median) | "\(.plies_median | fix(0)) plies in \(.rules | named($d))"), and \(max_by(.plies_median) | "\(.plies_median | fix(0)) in \(.rules | named($d))")." end);
	    "The distribution of the number of plies. Long tails come from games that neither side can win.") +
	folded("The numbers"; [budgets($d)[] as $budget | table("lengths-\($budget)";
	    "Plies of games at \(sims_words($d; $budget)): mean, median and the middle half";
	    ["Rule set", ["All games"], ["Mean"], ["Median"], ["Middle half"], ["Decisive"], ["Mean"],
	    ["Median"], ["Middle half"]];
	    [$d.rules[].rules as $rules | ($d.t.lengths | at_budget($budget) | map(select(.rules == $rules))) as $rows |
		select($rows != []) | [$rules | named($d)] + [("all", "decisive") as $kind |
		($rows | map(select(.kind == $kind))) | (map(.games) | add // 0 | count), (mean_plies | fix(1)),
		(quantile(0.5) | fix(0)),
		(if length == 0 then "–" else "\(quantile(0.25) | fix(0)) to \(quantile(0.75) | fix(0))" end)]]) | from("lengths"; {set: "\($budget)"})] |
	    add // []) +
	note("The study shows these distributions as a figure without numbers."));
