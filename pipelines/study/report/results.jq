# Sections on what came out of the games: outcomes, comparisons, openings,
# special moves, piece values, lengths. $d is all data; see page.jq.
include "html";
include "words";

def named($d): . as $rules | $d.labels[$rules] // $rules;
def theirs($d; $measure): . as $item | $d.theirs[$measure][$item];
def at_budget($budget): map(select(.budget == $budget));

# A field of a row with its interval, and the same as dots beside the study's.
def field_interval($name; show):
	. as $row | .[$name] | with_interval($row[$name + "_lo"]; $row[$name + "_hi"]; show);
def field_dots($name; $study; $range):
	. as $row | .[$name] | dots($row[$name + "_lo"]; $row[$name + "_hi"]; $study;
	    $range[0]; $range[1]);

def budgets($d): $d.t.outcomes | map(.budget) | unique;
def sims_words($d; $budget): first($d.t.outcomes[] | select(.budget == $budget) |
    .sims | plural("simulation") + " a move") // "no games";
def budget_words: if . == 1 then "shorter" else "longer" end;

# ---- outcomes ----

def outcome_table($d; $budget):
	"score-\($budget)" as $measure |
	($d.t.outcomes | at_budget($budget)) as $rows |
	([$rows[] | .score_lo, .score_hi, .score, (.rules | theirs($d; $measure))] |
	    range_of) as $range |
	table("outcomes-\($budget)";
	    "Outcomes at \(sims_words($d; $budget)), with 95 % credible intervals";
	    ["Rule set", ["Games"], ["White won"], ["Drawn"], ["Black won"], ["Draw rate"],
	    ["White’s score"], ["Study’s"], "Score: ● ours, ◇ the study’s"];
	    [$rows[] | (.rules | theirs($d; $measure)) as $study | [
		(.rules | named($d)), (.games | count), (.wins | count),
		(.draws | count), (.losses | count),
		field_interval("draw_rate"; percent), field_interval("score"; percent),
		($study | percent), field_dots("score"; $study; $range)]]);

def ends_table($d; $budget):
	($d.t.outcomes | at_budget($budget) | map(.ends = (.ends | fromjson? // {}))) as $rows |
	([$rows[].ends | keys[]] | unique) as $ends |
	table("ends-\($budget)"; "How games ended at \(sims_words($d; $budget))";
	    ["Rule set"] + ($ends | map([end_words]));
	    [$rows[] | .ends as $counts | [.rules | named($d)] +
		($ends | map($counts[.] // 0 | count))]);

# Does more thinking bring more draws, as the study found everywhere?
def more_draws($d):
	($d.t.outcomes | group_by(.rules) | map(select(length == 2) | sort_by(.budget))) as $both |
	($both | map(select(.[1].draw_rate > .[0].draw_rate)) | length) as $up |
	($both | map(select(.[1].draw_rate_lo > .[0].draw_rate_hi) | .[0].rules | named($d))) as $sure |
	($both | map(select(.[1].draw_rate_hi < .[0].draw_rate_lo) | .[0].rules | named($d))) as $against |
	if $both == [] then "" else
	para("The study found more draws with more thinking in every rule set. Here the draw " +
	    "rate rises from the first budget to the second in \($up | of($both | length)); " +
	    "the intervals lie apart, upwards, in \($sure | and_list | e)" +
	    (if $against == [] then ", and downwards in none." else
	    ", and downwards in \($against | and_list | e)." end)) end;

def white_ahead($d; $budget):
	($d.t.outcomes | at_budget($budget)) as $rows |
	($rows | map(select(.score_lo > 0.5)) | length) as $ahead |
	($rows | map(select(.score_hi < 0.5)) | length) as $behind |
	if $rows == [] then "" else
	"At the \($budget | budget_words) budget White’s score is above one half, with all of its " +
	"interval, in \($ahead | of($rows | length)) rule sets" +
	(if $behind > 0 then " and below in \($behind)" else "" end) + ". " end;

def outcomes($d): section("outcomes"; "Outcomes at two thinking times";
	para("How many games each side wins when the same player has both sides. A budget of " +
	    "simulations stands for the study’s seconds: the first for its 1 s a move, the second " +
	    "for its minute. The first \($d.run.budgets[0].sample_plies // 20) plies are drawn by " +
	    "visit counts so that games differ; after that the best move is played.") +
	picture($d.figures; "outcomes"; "Bars: shares of White’s wins, draws and Black’s wins for each rule set at two budgets";
	    "Each bar is all games of a rule set: White’s wins, draws, Black’s wins. The wider the " +
	    "middle, the more drawish the rule set.") +
	para([budgets($d)[] | white_ahead($d; .)] | add // "") + more_draws($d) +
	([budgets($d)[] | outcome_table($d; .)] | add // "") +
	note("The score counts a draw as one half. Intervals are 95 % credible intervals from a uniform " +
	    "prior over the three outcomes, so a rate of exactly 0 or 1 lies outside its own. The study gives " +
	    "scores without errors; its draw rates are shown there as bars only.") +
	folded("How games ended"; [budgets($d)[] | ends_table($d; .)] | add // ""));

# ---- comparisons ----

# {a: {b: p}} in both directions, whichever the rows give.
def odds($rows; $less; $greater):
	reduce $rows[] as $row ({}; .[$row.a][$row.b] = $row[$less] |
	    if $row[$greater] | is_number then .[$row.b][$row.a] = $row[$greater] else . end);

def matrix($d; $name; $caption; $odds):
	($d.rules | map(.rules) | map(select($odds[.] != null))) as $names |
	(table($name; $caption; ["row against column"] + ($names | map([named($d)]));
	    [$names[] as $a | [$a | named($d)] + [$names[] as $b | $odds[$a][$b] |
		if is_number then html("<span class=\"p\" style=\"--p:\(((. - 0.5) * 2 | fabs) * 100 | round)%\" " +
		    "data-side=\"\(if . >= 0.5 then "more" else "less" end)\">\(100 * . | fix(0))</span>")
		else "" end]]) |
	    sub("<table "; "<table class=\"heat\" "));

def sure_pairs($rows; $field):
	($rows | map([.a, .b] | sort) | unique | length) as $pairs |
	($rows | map(select(.[$field] < 0.025 or .[$field] > 0.975) | [.a, .b] | sort) | unique | length) |
	of($pairs);

def compare($d): section("compare"; "Rule sets against each other";
	para("For every pair: how likely it is, after these games, that one has the lower draw rate, " +
	    "or the higher score for White. Values near 0 or 100 % are decided; near 50 % the games " +
	    "cannot tell.") +
	para([budgets($d)[] as $budget | ($d.t.compare | at_budget($budget)) as $rows |
	    "At the \($budget | budget_words) budget the odds are beyond 97.5 % in " +
	    "\(sure_pairs($rows; "p_draw_less")) pairs for the draw rate and in " +
	    "\(sure_pairs($rows; "p_score_greater")) for the score. "] | add // "") +
	"<div class=\"grid two\">\n" +
	([budgets($d)[] as $budget |
	    picture($d.figures; "compare-draw-\($budget)";
		"Matrix: probability that the row’s draw rate is less than the column’s, \(sims_words($d; $budget))";
		"Draw rate, \(sims_words($d; $budget) | e): p(row draws less often than column)."),
	    picture($d.figures; "compare-score-\($budget)";
		"Matrix: probability that White’s score in the row’s rule set is greater than in the column’s, \(sims_words($d; $budget))";
		"White’s score, \(sims_words($d; $budget) | e): p(row scores higher than column).")] | add // "") +
	"</div>\n" +
	folded("The numbers of these matrices, in per cent"; [budgets($d)[] as $budget |
	    ($d.t.compare | at_budget($budget)) as $rows |
	    matrix($d; "compare-draw-\($budget)"; "p(draw rate of row < of column), per cent, \(sims_words($d; $budget))";
		odds($rows; "p_draw_less"; "p_draw_greater")),
	    matrix($d; "compare-score-\($budget)"; "p(score of row > of column), per cent, \(sims_words($d; $budget))";
		odds($rows; "p_score_greater"; "p_score_less"))] | add // ""));

# ---- openings ----

def opening_extremes($d; $opening):
	($d.t.openings | map(select(.opening == $opening and (.score | is_number)))) as $rows |
	if $rows | length < 2 then "" else ($rows | min_by(.score)) as $least |
	($rows | max_by(.score)) as $most |
	if $most.score == $least.score then "<li>\($opening | opening_words | e) (\($opening | opening_moves | e)): White scores " +
	    "\($most.score | percent) in every rule set.</li>\n" else
	"<li>\($opening | opening_words | e) (\($opening | opening_moves | e)): White scores most in " +
	"\($most.rules | named($d) | e) (\($most.score | percent)" +
	"\(interval($most.score_lo; $most.score_hi; percent))) and least in " +
	"\($least.rules | named($d) | e) (\($least.score | percent)" +
	"\(interval($least.score_lo; $least.score_hi; percent)))" +
	(if $most.score_lo > $least.score_hi then "; these intervals lie apart" else
	    "; these intervals overlap" end) + ".</li>\n" end end;

def openings($d):
	([$d.t.openings[].opening] | reduce .[] as $o ([]; if index([$o]) then . else . + [$o] end)) as $names |
	section("openings"; "Four openings";
	para("The same opening can be sound under one rule set and refuted under another. Games begin with " +
	    "these moves and go on by best play. Where a pawn cannot step two squares they cannot be played.") +
	picture($d.figures; "openings"; "Bars: outcomes after four openings for each rule set";
	    "One group of bars for each opening, one bar for each rule set: White’s wins, draws, Black’s wins.") +
	"<ul>\n\([$names[] | opening_extremes($d; .)] | add // "")</ul>\n" +
	table("openings"; "White’s score after each opening, with 95 % credible intervals";
	    ["Rule set"] + ($names | map([opening_words]));
	    [$d.rules[].rules as $rules | ($d.t.openings | map(select(.rules == $rules))) as $rows |
		select($rows != []) | [$rules | named($d)] + [$names[] as $name |
		first($rows[] | select(.opening == $name) | field_interval("score"; percent)) // "–"]]) +
	folded("Wins, draws and losses"; table("openings-all"; "Outcomes after each opening";
	    ["Opening", "Rule set", ["Games"], ["White won"], ["Drawn"], ["Black won"], ["Draw rate"]];
	    [$d.t.openings[] | [(.opening | opening_words), (.rules | named($d)), (.games | count),
		(.wins | count), (.draws | count), (.losses | count),
		field_interval("draw_rate"; percent)]])) +
	note("The study shows these as bars without numbers, so none stand beside ours."));

# ---- special moves ----

def special_row($d): (.rules + "/" + .kind) as $item | [(.rules | named($d)),
    (.kind | kind_words), field_interval("games_share"; percent),
    ($item | theirs($d; "special-games") | percent),
    field_interval("moves_share"; percent(2)),
    ($item | theirs($d; "special-moves") | percent), (.fullmove_mean | fix(1))];

def special_columns: ["Rule set", "Kind", ["Games with it"], ["Study’s"], ["Share of all moves"],
    ["Study’s"], ["Mean move"]];

def captured_table($d):
	($d.t.agreement_data | map(select(.measure == "self-captured"))) as $rows |
	if $rows == [] then "" else
	([$rows[] | .ours, .ours_lo, .ours_hi, .theirs] | range_of) as $range |
	table("self-captured"; "What self-captures take: share of all self-captures";
	    ["Taken", ["Ours"], ["Study’s"], "● ours, ◇ the study’s"];
	    [$rows[] | [(.item | split("/")[-1] | ltrimstr("self-capture-")), field_interval("ours"; percent), (.theirs | percent),
		(.theirs as $study | field_dots("ours"; $study; $range))]]) end;

def special($d): section("special"; "Use of special moves";
	para("How often games use what their rules add to chess. A torpedo step is a double step that does not " +
	    "start on the pawn’s own second rank; for wins by stalemate the games are the decisive ones.") +
	picture($d.figures; "special"; "Bars: share of games and of moves with each kind of special move";
	    "How many games have at least one such move, for each rule set that has the kind.") +
	([budgets($d)[] as $budget | table("special-\($budget)";
	    "Special moves at \(sims_words($d; $budget)), with 95 % intervals"; special_columns;
	    [$d.t.special | at_budget($budget)[] | select(.kind | is_new_kind) | special_row($d)])] | add // "") +
	captured_table($d) +
	note("The study counted at 1 s a move; its numbers stand beside both of our budgets. " +
	    "Shares of moves take games as the unit, as moves of one game are not independent.") +
	folded("All kinds, castling and en passant included"; [budgets($d)[] as $budget |
	    table("special-all-\($budget)"; "All kinds at \(sims_words($d; $budget))"; special_columns;
	    [$d.t.special | at_budget($budget)[] | special_row($d)])] | add // ""));

# ---- piece values ----

def pieces: ["knight", "bishop", "rook", "queen"];

def value_table($d; $budget):
	table("values-\($budget)"; "Piece values from games at \(sims_words($d; $budget)), pawn = 1, with 95 % intervals";
	    ["Rule set", ["Positions"]] + (pieces | map([.[:1] | ascii_upcase] as $c | [($c[0] + .[1:])], ["Study’s"]));
	    [$d.t.values | at_budget($budget)[] | . as $row | [(.rules | named($d)), (.positions | count)] +
		[pieces[] as $piece | ($row | field_interval($piece; fix(2))),
		($row.rules | theirs($d; $piece) | fix(2))]]);

def cheapest_queen($d; $budget):
	($d.t.values | at_budget($budget) | map(select(.queen | is_number))) as $rows |
	($rows | map(select((.queen_lo | is_number) and (.queen_hi | is_number)))) as $sure |
	($sure | map({rules, queen: (.rules | theirs($d; "queen"))} | select(.queen | is_number))) as $theirs |
	if $sure | length < 2 then
	    para("The games at the \($budget | budget_words) budget bound the value of the queen in " +
		"\(if $sure == [] then "no rule set" else "one rule set only" end): too few were decided.")
	else
	para("From the games at the \($budget | budget_words) budget a queen is worth the fewest pawns, of the \($sure | length | plural("rule set")) whose games bound it, in " +
	    "\($sure | min_by(.queen) | "\(.rules | named($d) | e) (\(.queen | fix(1))\(interval(.queen_lo; .queen_hi; fix(1))))") and the most in " +
	    "\($sure | max_by(.queen) | "\(.rules | named($d) | e) (\(.queen | fix(1))\(interval(.queen_lo; .queen_hi; fix(1))))")" +
	    (if $theirs | length < 2 then "." else
	    "; in the study, of these, it is \($theirs | min_by(.queen) | "\(.rules | named($d) | e) (\(.queen | fix(1)))") and " +
	    "\($theirs | max_by(.queen) | "\(.rules | named($d) | e) (\(.queen | fix(1)))")." end)) end;

def values($d): section("values"; "What pieces are worth";
	para("The values for which the difference of material predicts the result of games best, by least squares on " +
	    "tanh, with the pawn as unit. The study found that where pawns can do more, pieces are worth fewer of them.") +
	picture($d.figures; "values"; "Values of knight, bishop, rook and queen in pawns for each rule set, ours and the study’s";
	    "Dots are our values with 95 % intervals. A wide interval means that too few decisive games tell.") +
	([budgets($d)[] | cheapest_queen($d; .)] | add // "") +
	([budgets($d)[] | value_table($d; .)] | add // "") +
	note("Where a value or a rule set is missing, the games give none: no game was decided, or the pawn itself came out worthless. Infinite intervals mean that the games do not bound it. " +
	    "The study fitted its 1 s games; its numbers stand beside both of our budgets."));

# ---- lengths ----

# The smallest length that at least a share of the games does not exceed.
def quantile($share): sort_by(.plies) | (map(.games) | add) as $all |
    if ($all // 0) == 0 then null else
    first(foreach .[] as $row ([0, null]; [.[0] + $row.games, $row.plies];
	select(.[0] >= $share * $all) | .[1])) end;
def mean_plies: (map(.games) | add) as $all | if ($all // 0) == 0 then null else
    (map(.games * .plies) | add) / $all end;

def lengths($d): section("lengths"; "Game lengths";
	para("How long games last, in plies (moves of one side), all of them and those that were decided.") +
	picture($d.figures; "lengths"; "Distributions of game lengths for each rule set, all games and decisive ones";
	    "The distribution of the number of plies. Long tails come from games that nobody can win.") +
	([budgets($d)[] as $budget | table("lengths-\($budget)";
	    "Plies of games at \(sims_words($d; $budget)): mean, median and the middle half";
	    ["Rule set", ["All games"], ["Mean"], ["Median"], ["Middle half"], ["Decisive"], ["Mean"],
	    ["Median"], ["Middle half"]];
	    [$d.rules[].rules as $rules | ($d.t.lengths | at_budget($budget) | map(select(.rules == $rules))) as $rows |
		select($rows != []) | [$rules | named($d)] + [("all", "decisive") as $kind |
		($rows | map(select(.kind == $kind))) | (map(.games) | add // 0 | count), (mean_plies | fix(1)),
		(quantile(0.5) | fix(0)),
		(if length == 0 then "–" else "\(quantile(0.25) | fix(0)) to \(quantile(0.75) | fix(0))" end)]])] |
	    add // "") +
	note("The study shows these distributions as a figure without numbers."));
