# Sections on thinking and on the course of games: how draws and scores change
# with the budget, what a doubling buys, what designers measure. $d is all data.
include "doc";
include "words";
include "results";

# ---- how strong the player is, on top of the page ----

# Matches of this net against engines: rows of nets/strength.jsonl. For a net that
# learnt for this study, those of the net before.
def known_matches($d): ($d.strength | map(select(.rules == "classical" and (.b | startswith("uci:")) and (.elo | is_number)))) as $rows |
	($rows | map(select(.id_a == $d.run.net.hash))) as $own |
	if $own != [] then $own elif ($d.run.net.learnt // 0) > 0 then $rows | map(select(.a == "default")) else [] end |
	sort_by(.sims_b // 0, .sims_a // 0);

def signed_elo: fix(0) as $s | if . > 0 then "+" + $s else $s end;
def elo_words: "\(.elo | signed_elo) ⟨ci|± \(1.96 * (.elo_se // 0) | fix(0))⟩";
def distance($a; $b): ([$a, 1] | max | log) - ([$b, 1] | max | log) | fabs;

# The two most informative matches: at the budget nearest to the study's, the
# strongest opponent that it beats and the weakest that beats it.
def telling_matches($d): known_matches($d) as $all | ($d.run.budgets[0].sims // 1) as $sims |
	($all | map(.sims_a // 0) | unique | sort_by(distance(.; $sims)) | .[0]) as $budget |
	$all | map(select((.sims_a // 0) == $budget)) | [(map(select(.elo > 0)) | max_by(.sims_b // 0)), (map(select(.elo <= 0)) | min_by(.sims_b // 0))] |
	map(select(. != null));

def strength_words($d): telling_matches($d) as $m | if $m == [] then "Its strength against other programs was not measured." else
	"In classical chess\(if $d.run.net.learning.better == true then ", before it learnt," else "" end) at \($m[0].sims_a // 0 | plural("node")) a move " +
	([$m[] | "it \(if (.elo | fabs) < 1.96 * (.elo_se // 0) then "is about as strong as" elif .elo > 0 then "beats" else "loses to" end) \(.id_b | e) at " +
	"\(.sims_b // 0 | plural("node")) (\(elo_words) Elo)"] | join(", and ")) + "." end;

def matches_table($d): known_matches($d) | if length < 2 then [] else
	table("matches"; "Matches in classical chess, Elo with 95 % intervals"; ["Against", ["Its nodes a move"], ["Our nodes a move"], ["Games"], ["Elo"]];
	    map([.id_b, (.sims_b | count), (.sims_a | count), (.games | count), (elo_words)])) end;

def castling_words($d): (first($d.t.special | at_budget(1)[] | select(.rules == "classical" and .kind == "castle")) // {}) |
	if .games_share | is_number then "It castles in \(.games_share | percent(0)) of its classical games." else "" end;

def doubling_words($d): [$d.t.doublings[] | .elo | select(is_number)] | if . == [] then "" else
	"Twice the thinking makes it stronger by \(add / length | fix(0)) Elo, on average over rule sets." end;

def learning_words($d): $d.run.net as $net | (learning_games($d) | plural("game")) as $games |
	if $net.learning == null then "" elif $net.learning.better then "It first learnt the rules that were new to it, from \($games) against itself."
	else "It trained on the rules that are new to it, with \($games) against itself, but got no better; so the net from before plays." end;

def learning_table($d): ($d.run.net.learning.matches // []) | if . == [] then [] else
	table("learning"; "After learning against before, \($d.run.budgets[0].sims // 0 | plural("node")) a move"; ["Rule set", ["Games"], ["Score"], ["Elo"]];
	    map(.rules as $r | [$d.labels[$r] // $r, (.games | count), (.score | percent), field_interval("elo"; fix(0))])) end;

def player_name($d): if $d.run.net.learning == null then $d.run.net.games // "a net" | split("/")[-1] else "the shipped net" end;

def player_words($d): (matches_table($d) + learning_table($d)) as $more |
	[{player: ("⟨b|Who plays.⟩ " + ([
	(($d.run.budgets // []) as $b | if $b == [] then empty else "\({"ab": "Alpha-beta", "gumbel": "Gumbel tree search", "puct": "Tree search"}[$b[0].search // ""] // "A search") with \(player_name($d) | e), " +
	    "\([$b[].sims | count] | join(" and ")) \(unit($d))s a move." end),
	learning_words($d), strength_words($d), castling_words($d)] | map(select(. != "")) | join(" "))),
	parts: folded("How strong that is"; $more + para([doubling_words($d), "A stronger player may find what this one misses."] | map(select(. != "")) | join(" ")))}];

def trend_words: {"rises": "rises", "falls": "falls", "open": "cannot tell"}[.] // "–";

# A ladder, of thinking or of training: its points and fitted lines, and the names of
# its rungs.
def thinking($d): {points: $d.t.ladder, lines: $d.t.trend, by: "sims", id: "trend", over: "thinking", step: "doubling", rung: "a move"};
def training($d): {points: $d.t.training, lines: $d.t.training_trend, by: "generation", id: "training", over: "training", step: "doubling of generations", rung: null};
def rung_words($ladder): if $ladder.rung then "\(count) \($ladder.rung)" else "Generation \(count)" end;

# The set of games of a rung.
def rung_set($d; $ladder): . as $rung | if $ladder.by != "sims" then "training-\(.)" else
	first($d.t.outcomes[] | select(.sims == $rung) | "\(.budget)") // "ladder-\(.)" end;

# A rung that lines are not fitted to, but judged by.
def judged_words: {"right": "⟨good|within its interval⟩", "wrong": "⟨bad|wrong⟩"}[. // ""] // "–";

def trend_table($d; $ladder; $measure; $title):
	($ladder.lines | map(select(.measure == $measure))) as $lines |
	($lines[0].held // null) as $held |
	([$ladder.points[][$ladder.by] | select(. != $held)] | unique) as $rungs |
	table("\($ladder.id)-\($measure)"; "\($title) against \($ladder.over), with 95 % intervals";
	    ["Rule set"] + ($rungs | map([rung_words($ladder), {from: "outcomes", set: rung_set($d; $ladder)}])) + [["For each \($ladder.step)"], "Trend"] +
	    (if $held then [["Held out: \($held | count)", {from: "outcomes", set: "held"}], ["The line there"], "The line"] else [] end) + [["At \($lines[0].at | count)"]];
	    [$lines[] | . as $line | [(.rules | named($d))] +
		[$rungs[] as $b | first($ladder.points[] | select(.rules == $line.rules and .[$ladder.by] == $b) | field_interval($measure; percent)) // "–"] +
		[(if .slope | is_number then "\(100 * .slope | fix(1)) points\(interval(100 * .slope_lo; 100 * .slope_hi; fix(1)))" else "–" end), (.trend | trend_words)] +
		(if $held then [field_interval("held_y"; percent), field_interval("held_line"; percent), (.judged | judged_words)] else [] end) +
		[(if .y | is_number then field_interval("y"; percent) else "no estimate" end)]]) | stacked |
	from(if $ladder.by == "sims" then "trend" else "training-trend" end; {measure: $measure, held: $held, at: $lines[0].at});

def doubling_table($d):
	([$d.t.doublings[] | .elo_lo, .elo_hi | select(is_number and fabs < 800)] | range_of) as $range |
	table("doublings"; "Elo that a doubling buys: \($d.t.doublings[0].sims // 0 | . * 2 | count) against \($d.t.doublings[0].sims // 0 | count) a move, with 95 % intervals";
	    ["Rule set", ["Games"], ["Score"], ["Elo"], "Elo"];
	    [$d.t.doublings[] | [(.rules | named($d)), (.games | count), (.score | percent), field_interval("elo"; fix(0)), field_dots("elo"; null; $range)]]) | from("doublings");

def rising($ladder; $measure): [$ladder.lines[] | select(.measure == $measure and .trend == "rises")] | length;
def rise_words($ladder): "The draw rate rises, with the whole 95 % interval of the slope above zero, in \(rising($ladder; "draw_rate") | of([$ladder.lines[] | select(.measure == "draw_rate")] | length)) rule sets, " +
	"White’s score in \(rising($ladder; "score") | of([$ladder.lines[] | select(.measure == "score")] | length)).";

# How often the lines were right where they had not seen the games.
def judged($ladder; $measure; $verdict): [$ladder.lines[] | select(.measure == $measure and .judged == $verdict)] | length;
def held_words($d; $ladder): ($ladder.lines[0].held // null) as $held | if $held == null then "" else
	"The lines have not seen the games at \($held | plural(unit($d))) a move, which judge them: there the line of the draw rate was wrong, by more than the interval of the difference, in " +
	"\(judged($ladder; "draw_rate"; "wrong") | of(judged($ladder; "draw_rate"; "wrong") + judged($ladder; "draw_rate"; "right"))) rule sets, that of White’s score in " +
	"\(judged($ladder; "score"; "wrong") | of(judged($ladder; "score"; "wrong") + judged($ladder; "score"; "right"))). A line that was wrong gives no number." end;

# What games tell for their thinking: why they are as deep as they are.
def information_table($d): $d.t.information as $rows | if $rows == [] then [] else
	folded("Few deep games or many shallow ones?"; para("The spread is how much the rule sets truly differ, the part due to errors left out. The signal is this spread over the standard error of a rule set’s number, if 1,000 million nodes " +
	    "are spent on all of them together: the budget with the greatest signal tells the rule sets apart with the least thinking.") +
	table("information"; "What games tell of the differences between rule sets, by budget"; ["Measure", ["A move"], ["Games of each"], ["Million nodes a game"], ["Variance of a game"], ["Spread, points"], ["Signal"]];
	    [$rows[] | [{"draw_rate": "Draw rate", "score": "White’s score"}[.measure], (.sims | count), (.games | fix(0)), (.nodes / 1e6 | fix(2)), (.variance | fix(3)),
		(if .spread | is_number then "\(100 * .spread | fix(1)) ⟨ci|\(100 * .spread_lo | fix(1)) to \(100 * .spread_hi | fix(1))⟩" else "–" end), (.signal | fix(1))]])) end;

# Players side by side, at the first budget.
def players_table($d): ([$d.t.players[].player] | unique) as $names |
	if $names | length < 2 then [] else
	h3("Players side by side") +
	table("players"; "Draw rate and White’s score by player, first budget, with 95 % intervals";
	    ["Rule set"] + [$names[] | ["Draws, \(.)"], ["White’s score, \(.)"]];
	    [$d.rules[].rules as $rules | [$rules | named($d)] + [$names[] as $name |
		(first($d.t.players[] | select(.rules == $rules and .player == $name)) // {}) | field_interval("draw_rate"; percent), field_interval("score"; percent)]]) | from("players"; {set: "1"}) end;

def ladder_part($d; $ladder; $figure; $caption):
	chart($figure; "Draw rate and White’s score against \($ladder.over), a panel for each rule set. \(rise_words($ladder))"; $caption) +
	folded("The numbers: draws against \($ladder.over)"; trend_table($d; $ladder; "draw_rate"; "Draw rate")) +
	folded("The numbers: White’s score against \($ladder.over)"; trend_table($d; $ladder; "score"; "White’s score"));

def training_part($d): if $d.t.training == [] then
	note("No games were played by nets of earlier generations: ⟨code|make study GENERATIONS=⟩ takes a folder of such nets.") else
	training($d) as $ladder | h3("How training changes the results") +
	para("The same budget, played by nets of \([$ladder.points[].generation] | unique | length) generations of one training run. \(rise_words($ladder))") +
	ladder_part($d; $ladder; "training"; "The same against the generation of the net.") end;

def strength($d): thinking($d) as $ladder | section("strength"; "How thinking time changes the results";
	para("The same games with less and with more thinking. A line is fitted over the logarithm of the budget; it is extrapolated beyond the budgets that were played " +
	    "only if it fits and rises, and by two doublings at most. \(rise_words($ladder)) \(held_words($d; $ladder))") +
	ladder_part($d; $ladder; "ladder"; "Dots are the games of a rule set at a budget, with 95 % intervals; lines are fitted, and dashed up to four times the longest budget that they are fitted to where they can be extrapolated; hollow dots are not fitted.") +
	information_table($d) +
	h3("What a doubling buys") +
	para("A player with twice the budget against itself: the more it wins, the more there is to find, and the deeper the game.") +
	doubling_table($d) + training_part($d) + players_table($d));

# ---- what designers measure ----

def design_words: {"length": "Length, plies", "branching": "Legal moves", "forced": "Forced moves", "captures": "Captures",
    "coverage": "Squares used", "endgame": "In the endgame", "lead-changes": "Changes of the lead", "uncertainty": "Uncertainty",
    "uncertainty-early": "… first third", "uncertainty-middle": "… second third", "uncertainty-late": "… last third",
    "killer-moves": "Killer moves", "drama": "Drama", "comebacks": "Comebacks", "decisive-moment": "Decisive moment"}[.] // gsub("-"; " ");
def design_show: if IN("length", "branching") then fix(1) elif IN("lead-changes", "drama") then fix(2) else percent end;

def measures_table($d; $names; $id; $caption):
	table($id; $caption; ["Rule set"] + ($names | map([design_words]));
	    [$d.rules[].rules as $rules | ($d.t.measures | at_budget(1) | map(select(.rules == $rules))) as $rows | select($rows != []) |
		[$rules | named($d)] + [$names[] as $name | first($rows[] | select(.measure == $name) |
		    .mean as $m | .lo as $lo | .hi as $hi | if $name | IN("length", "branching") then $m | with_interval($lo; $hi; fix(1))
		    elif $name | IN("lead-changes", "drama") then $m | with_interval($lo; $hi; fix(2)) else $m | with_interval($lo; $hi; percent(1)) end) // "–"]]) | from("measures"; {set: "1"});

def measures($d): section("measures"; "What game designers measure";
	para("The course of games, by the search value at each move; gamestats(1) defines each number so that it can be checked by hand. " +
	    "Drama is how far the winner was behind at worst (1: lost); the decisive moment is the share of the game after which the winner’s search always expects three quarters of a point or more.") +
	measures_table($d; ["lead-changes", "drama", "comebacks", "decisive-moment", "uncertainty"]; "measures"; "How games swing, with 95 % intervals, games as the unit") +
	folded("Length, choice, captures, squares, endgames and uncertainty over time";
	    (measures_table($d; ["length", "branching", "forced", "captures", "coverage", "endgame"]; "measures-moves"; "Moves, with 95 % intervals") | stacked) +
	    measures_table($d; ["uncertainty-early", "uncertainty-middle", "uncertainty-late", "killer-moves"]; "measures-time"; "Uncertainty over time, and killer moves, with 95 % intervals")) +
	note("These numbers are the player’s view: a weaker player is surprised more often and sees more drama."));
