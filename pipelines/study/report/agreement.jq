# What was run, and how it compares with the study. $d is all data; see page.jq.
include "doc";
include "words";
include "results";
include "why";
include "expect";

# ---- what was run ----

# A net's file name, without its folder and without the prefix that setup gives a
# user's file.
def file_name: split("/")[-1] | sub("^[0-9a-f]{4}-"; "");

def net_words($d): $d.run.net as $net | [
	(if $net.games == $net.prior or $net.prior == null then $net.games // $net.file // "unknown" | file_name
	    else "games by \($net.games | file_name), priors by \($net.prior | file_name)" end),
	(if ($net.hash // $net.games) != $net.games then "hash \($net.hash)" else empty end)] | join(", ");

def run_rows($d): $d.run as $run | [
	["Rule sets", "\($run.rules // [] | length): \($d.rules | map(.label) | and_list)"],
	["Player", net_words($d)],
	(if ($run.net.learnt // 0) > 0 then ["Learnt first", "\(learning_games($d) | plural("game")) of all rule sets in \($run.net.learnt | plural("generation")), starting from the shipped net\(if $run.net.learning.better == false then "; it got no better, so the shipped net plays" else "" end)"]
	    elif ($run.own // []) != [] then ["Learnt first", "nothing: the net was not trained on the user’s own rule sets, but is given the rule fields that it knows"] else empty end),
	(($run.net.metadata // {}) | to_entries | select(length > 0) |
	    ["Recorded in the net", (map("\(.key | ltrimstr("rulelab.")) \(.value)") | join(", "))]),
	($run.budgets // [] | .[] | ["Budget \(.budget)", "\(.games | count) games of each rule set at " +
	    "\(.sims | plural(unit($d))) a move, the first \(.sample_plies) plies \({"gumbel": "sampled by Gumbel search", "ab": "drawn among good moves"}[.search // ""] // "drawn by visits")" +
	    "\(if (.noise // 0) != 0 then ", noise \(.noise) at the root" else "" end); " +
	    "the study: \(if .budget == 1 then "10,000 games at 1 s" else "1,000 games at 1 min" end) a move"]),
	($run.shared | select(. != null) | ["The same lines", "\(.games | count) games of each rule set, \(.sims | plural(unit($d))) a move"]),
	($run.held | select(. != null) | ["Held out", "\(.games | count) games of each rule set at \(.sims | plural(unit($d))) a move, to judge the lines over budgets, which are not fitted to them"]),
	($run.openings | select(. != null) | ["Openings", "\(.games | count) games of each at " +
	    "\(.sims | plural(unit($d))) a move; the study: 1,000"]),
	($run.mainlines | select(. != null) | ["Main lines", "\(.plies | plural("ply"; "plies")) at " +
	    "\(.sims | plural(unit($d))) a move"]),
	($run.lines | select(. != null) | ["Sampled lines", "\(.lines | count) of " +
	    "\(.plies | plural("ply"; "plies")) for each rule set; the study: 10,000 of 20"]),
	["Games counted", "\([$d.t.outcomes[], $d.t.openings[] | .games] | add // 0 | count) in outcomes and openings; games of the same lines, of the ladder and of matches are not included"],
	["Scale and seed", "\($run.scale // "unknown"), seed \($run.seed // "unknown")"],
	["Program", "\($run.version // "unknown")\(if $run.commit then ", commit \($run.commit)" else "" end)"],
	["Machine and time", "see run.json beside this page, the only result that differs between two equal runs"]
];

# A warning that the games or the prior had no net.
def fallback_note($d): $d.run.net as $net |
	[(if $net.games == "material" then "Games were played by a search that only counts material"
	    elif $net.games == "uniform" then "Games were played by a search that values all positions alike" else empty end),
	(if $net.prior == "uniform" then "the prior gives all moves the same probability"
	    elif $net.prior == "material" then "the prior knows only material" else empty end)] |
	if . == [] then [] else
	warning("\(if $net.fallback == true then "No net was found. " else "" end)" +
	"\(and_list | (.[:1] | ascii_upcase) + .[1:]). Numbers based on this show that the pipeline works, but say next to " +
	"nothing about chess.") end;

def run($d): section("run"; "What was run";
	fallback_note($d) +
	[{terms: (run_rows($d) | map(map(e)))}] +
	table("rules"; "The rule sets"; ["Rule set", "What differs from classical chess"];
	    [$d.rules[] | [.label, (.rules | sentence($d))]]));

# ---- agreement ----

# Levels are no numbers to be hit, only an order.
def is_level: .measure | startswith("draw-rate");
def comparable: select((is_level | not) and (.ours | is_number) and (.theirs | is_number) and
    (.ours_lo | is_number) and (.ours_hi | is_number));
def side: if .theirs < .ours_lo then "above" elif .theirs > .ours_hi then "below" else "inside" end;
def side_words: {"above": "⟨bad|ours is higher⟩",
    "below": "⟨bad|ours is lower⟩",
    "inside": "⟨good|agree⟩"}[.];

# p is a name elsewhere, so it is still text here.
def order: if (.rho | is_number | not) or (.rho_lo | is_number | not) then "open"
    elif (.p | tonumber? // 0) >= 0.05 then "open"
    elif .rho_lo > 0 then "same" elif .rho_hi < 0 then "opposite" else "open" end;
def order_words: {"same": "⟨good|same order⟩",
    "opposite": "⟨bad|opposite order⟩",
    "open": "⟨open|cannot tell⟩"}[.];

def is_piece: IN("knight", "bishop", "rook", "queen", "knight-search", "bishop-search", "rook-search", "queen-search");
def measure_show: if is_piece or IN("entropy", "entropy-first",
    "divergence", "entropy-uniform") then "number" else "share" end;
def show($measure): if ($measure | measure_show) == "number" then fix(2) else percent end;

def order_list($d; $which): [$d.t.agreement[] | select(order == $which) | .measure | measure_in_sentence] |
    if . == [] then "none" else join("; ") end;

def order_counts($d): reduce $d.t.agreement[] as $row ({same: 0, opposite: 0, open: 0}; .[$row | order] += 1);

def numbers($d): [$d.t.agreement_data[] | comparable | side] | {all: length,
    inside: map(select(. == "inside")) | length, above: map(select(. == "above")) | length,
    below: map(select(. == "below")) | length};

# The pairs that the study tells apart, all measures of a kind together.
def pairs_sentence($d): [$d.t.agreement[] | select((.pairs // 0) > 0 and (.pairs_share | is_number))] | if . == [] then "" else
	(map(.pairs) | add) as $all | (map(select(.pairs_expected | is_number))) as $known |
	"Of the pairs that differ in the study by more than its own error, \(map(.pairs * .pairs_share) | add / $all | percent(0)) are in its order here, over all measures" +
	(if $known == [] then "." else "; where our errors are known it is \($known | map(.pairs * .pairs_share) | add / ($known | map(.pairs) | add) | percent(0)), and with these errors alone one would expect " +
	"\($known | map(.pairs * .pairs_expected) | add / ($known | map(.pairs) | add) | percent(0))." end) end;

def agreement_sentence($d): order_counts($d) as $o | numbers($d) as $n |
	"Of \($o | add) measures, \($o.same) put the rule sets into an order like the study’s, \($o.opposite) into the opposite one, " +
	"and \($o.open) cannot be distinguished from chance. Of the study’s \($n.all) single numbers \($n.inside) lie within our 95 % interval. \(pairs_sentence($d))";

# What is expected with our errors, where they are known.
def expected(show): if is_number then ", expected \(show)" else "" end;

# The share of pairs in the study's order, and the rank correlation.
def pairs_cell: if (.pairs // 0) == 0 then "–" else
    "\(.pairs_share | percent(0)) ⟨ci|of \(.pairs | count)\(.pairs_expected | expected(percent(0)))⟩" end;
def rho_cell: if .rho | is_number | not then "–" else
    {t: "\(.rho | fix(2)) ⟨ci|\(.rho_lo | fix(2)) to \(.rho_hi | fix(2))\(.rho_expected | expected(fix(2)))⟩", v: .rho, lo: .rho_lo, hi: .rho_hi} end;

# The correlation of logarithms, only for piece values.
def log_cell: if .measure | is_piece | not then "–" else
    "\(.r_log | fix(2))\(if .r_log_expected | is_number then " ⟨ci|expected \(.r_log_expected | fix(2))⟩" else "" end)" end;

def item_words($d): split("/") | map(if $d.labels[.] then named($d) else kind_words end) | join(", ");

# Two rule sets that differ in the study by more than its own error, and whether they
# are in its order here: what rankcorr(1) counts, row by row.
def pairs_apart($rows): [$rows[] | select((.ours | is_number) and (.theirs | is_number))] | . as $r |
	[range(0; length) as $i | range(0; $i) as $j | ($r[$i].theirs - $r[$j].theirs) as $t | ($r[$i].ours - $r[$j].ours) as $o |
	(($r[$i].theirs_se // 0) as $a | ($r[$j].theirs_se // 0) as $b | ($a * $a + $b * $b) | sqrt) as $se |
	select($t != 0 and ($t | fabs) > 1.96 * $se) | {items: [$r[$i].item, $r[$j].item], wrong: ($t * $o < 0)}];

# The row with most pairs in the wrong order.
def worst_row($d; $measure): pairs_apart($d.t.agreement_data | map(select(.measure == $measure))) as $pairs |
	[$pairs[].items[]] | unique | map(. as $item | {item: $item, of: ($pairs | map(select(.items | index([$item]))) | length),
	    wrong: ($pairs | map(select(.wrong and (.items | index([$item])))) | length)}) | max_by(.wrong) | select(. != null and .wrong > 0);

# Measures that differ by more than our errors explain.
def beyond_errors($d): [$d.t.agreement[] | select((.pairs_share | is_number) and (.pairs_least | is_number) and .pairs_share < .pairs_least)];
def beyond_table($d; $beyond): table("beyond"; "Measures with fewer pairs in the study’s order than errors explain"; ["Measure", ["Share"], ["Bound"], "Most out of order"];
	[$beyond[] | [(.measure | measure_words), (.pairs_share | percent(0)), (.pairs_least | percent(0)),
	([worst_row($d; .measure) | "\(.item | item_words($d)), \(.wrong) of \(.of) pairs"] | add // "–")]]);
def errors_words($d): ([$d.t.agreement[] | select(.pairs_least | is_number)]) as $known | beyond_errors($d) as $beyond |
	if $known == [] then [] else
	list(["⟨b|Errors, or more?⟩ If the study’s numbers were true and ours differed only by our errors, the share of pairs in its order would hardly ever be below a bound, which " +
	"is found by simulating such errors. " + (if $beyond == [] then "No measure is below it: more games could show more." else
	"Below it are \($beyond | length) of \($known | length) measures: \($beyond | map(.measure | measure_in_sentence) | join("; ")). There more games alone will not help: strength, openings or method make the " +
	"difference. In the others our errors are enough to explain the differences." end)]) +
	if $beyond == [] then [] else folded("By how much, and which rule set is most out of order"; beyond_table($d; $beyond)) end end;

def measure_table($d):
	table("agreement"; "Order of rule sets, ours against the study’s";
	    ["Measure", ["Items"], ["Pairs in the study’s order"], ["Rank correlation"], "● ours, ◇ expected with these errors", "Verdict", ["Correlation of logarithms"],
	    ["Study’s numbers within ours"]];
	    [$d.t.agreement[] | .measure as $measure |
		[$d.t.agreement_data[] | select(.measure == $measure) | comparable | side] as $sides |
		[(.measure | measure_words), (.n | count), pairs_cell, rho_cell, (.rho_expected as $x | .rho as $rho | .rho_lo as $lo | .rho_hi as $hi | $rho | dots($lo; $hi; $x; -1; 1)), (order | order_words), log_cell] +
		(if $sides == [] then ["–"] else ["\($sides | map(select(. == "inside")) | length) of \($sides | length)"] end)]) | stacked | from("agreement"; {seed: ($d.run.seed // "1")});

# Ours beside players that know next to nothing, and without the two rule sets that differ most from chess.
def beside($d; $who; $rules; $measure): first($d.t.beside[] | select(.who == $who and .rules == $rules and .measure == $measure and (.pairs // 0) > 0 and (.pairs_share | is_number))) // null;
def beats($d; $measure): beside($d; "ours"; "all"; $measure) as $ours | [("legal", "material") as $who | beside($d; $who; "all"; $measure) | select(. != null)] |
	if $ours == null or . == [] then "none" elif any(.[]; .pairs_share >= $ours.pairs_share) then "no"
	elif any(.[], $ours; .pairs_se | is_number | not) or
	    any(.[]; $ours.pairs_share - .pairs_share <= 1.96 * ((.pairs_se * .pairs_se + $ours.pairs_se * $ours.pairs_se) | sqrt)) then "unclear" else "yes" end;
def beats_words: {"yes": "⟨good|beats both⟩", "no": "⟨bad|does not beat its baseline⟩",
    "unclear": "⟨open|better, not clearly⟩", "none": "–"}[.];
def share_of: if . == null then "–" else "\(.pairs_share | percent(0)) ⟨ci|of \(.pairs | count)⟩" end;
def beside_measures($d): [$d.t.beside[] | select(.who == "ours" and .rules == "all" and (.pairs // 0) > 0 and (.measure | endswith("-search") | not)) | .measure];
def beside_part($d): beside_measures($d) as $measures | if $measures == [] then [] else
	([$measures[] | beats($d; .)]) as $v |
	para("⟨b|Beside trivial players.⟩ A player that knows only which moves are legal, and one that counts pieces and searches as much as ours, put rule sets into some order, too. Of \($measures | length | plural("measure")) " +
	    "ours clearly beats both in \($v | map(select(. == "yes")) | length), is better but not clearly in \($v | map(select(. == "unclear")) | length), and does not beat one of them in \($v | map(select(. == "no")) | length). " +
	    "Torpedo and Pawn-sideways differ most from chess; without them the other pairs are harder to put into order.") +
	(table("beside"; "Share of the study’s pairs in its order, beside baselines"; ["Measure", ["Here"], ["Without torpedo, pawn-sideways"], ["Errors alone"], ["Legal moves alone"], ["Material alone"], "Verdict"];
	    [$measures[] as $m | [($m | measure_words), (beside($d; "ours"; "all"; $m) | share_of), (beside($d; "ours"; "without"; $m) | share_of),
		(beside($d; "ours"; "all"; $m).pairs_expected | if is_number then percent(0) else "–" end),
		(beside($d; "legal"; "all"; $m) | share_of), (beside($d; "material"; "all"; $m) | share_of), (beats($d; $m) | beats_words)]]) | stacked) end;

def pair_table($d; $measure):
	($d.t.agreement_data | map(select(.measure == $measure))) as $rows |
	([$rows[] | .ours, .ours_lo, .ours_hi, (select(is_level | not) | .theirs)] | range_of) as $range |
	table("pairs-\($measure)"; $measure | measure_words;
	    ["Item", ["Ours"], ["Study’s"], "Verdict", "● ours, ◇ the study’s"];
	    [$rows[] | is_level as $level | .theirs as $theirs | [(.item | item_words($d)), field_interval("ours"; show($measure)),
		(if $level then "\(["decisive", "between", "drawish"][.theirs - 1] // "–")" else (.theirs | show($measure)) end),
		(if $level or (.ours_lo | is_number | not) or (.theirs | is_number | not) then "⟨open|–⟩"
		    else (side | side_words) end),
		field_dots("ours"; (if $level then null else $theirs end); $range)]]);

def pair_tables($d): [$d.t.agreement_data[].measure] | reduce .[] as $m ([]; if index([$m]) then . else . + [$m] end) |
    map(pair_table($d; .)) | add // [];

# ---- why they might differ ----

def steps($d): $d.run.net.metadata // {} | to_entries | map(select(.key | test("(^|[._])steps?$"))) | .[0].value // null |
    if . == null then null else (tonumber? // null) end;

def mean_width($rows; $name): [$rows[] | select(.[$name + "_lo"] | is_number) | (.[$name + "_hi"] - .[$name + "_lo"]) / 2] |
    if . == [] then null else add / length end;

def reasons($d): $d.run as $run |
	h3("Why they may differ") +
	list(["⟨b|Strength.⟩ The study’s players searched each position for a second or a minute on fast hardware, " +
	"with nets trained for a million steps on 4,096 positions each. Ours have " +
	"\([$run.budgets // [] | .[] | .sims | count] | and_list) \(unit($d))s a move" +
	(steps($d) as $steps | if $steps then ", and a net of \($steps | count) steps" else "" end) +
	(if $run.net.fallback == true then ", and no net at all" else "" end) +
	". Strength affects everything: how often games are drawn, whether an advantage is kept, whether a special move is " +
	"found, how strongly the prior prefers one move.",
	(if $run.net.fallback == true or ($run.net.games | IN("material", "uniform")) then empty else
	"⟨b|One net.⟩ Here one net, which is given the rules, plays all rule sets; the study trained one for each. Differences between rule sets " +
	"may show less sharply that way." end),
	"⟨b|Number of games.⟩ " + ([budgets($d)[] as $budget | ($d.t.outcomes | at_budget($budget)) as $rows |
	"At \(sims_words($d; $budget)) the draw rate is known to ± \(mean_width($rows; "draw_rate") | percent) and the score to " +
	"± \(mean_width($rows; "score") | percent), on average over rule sets. "] | add // "") +
	"The study’s scores of neighbouring rule sets often differ by one or two points."]) +
	errors_words($d) + why_words($d) +
	list(["⟨b|Method.⟩ The study fits piece values to results of “10,000 games” in one place and of “10,000 positions” in another; we take all positions of all games, and assume that its error is that of " +
	"10,000 games. Fitting values to our search is not its method, but has smaller errors. It shows draw rates only as bars, so there is no bound for them. Its priors come from nets that learnt one rule set each, from far " +
	"more games; ours is one net for all, and wider.",
	"⟨b|The study’s own errors.⟩ Its numbers come without intervals. With 1,000 games a score has an error of about half a " +
	"point to a point and a half; where we say that numbers differ, we consider only our own interval."]);

def agreement($d): section("agreement"; "Agreement with the study";
	para(agreement_sentence($d) + " Same order: \(order_list($d; "same")). Opposite: \(order_list($d; "opposite")).") + beside_part($d) +
	folded("The numbers behind it, and why they may differ";
	measure_table($d) +
	note("Pairs: of the pairs of rule sets that differ in the study by more than its own error (estimated from ours for one game and its number of games), " +
	    "the share that is in its order here. Expected: the average if the study’s numbers were true and ours differed only by our errors (◇ for the rank correlation); " +
	    "these games cannot be expected to agree more closely. The order is called the same if the whole interval of Spearman’s rank correlation is above zero, opposite if it is below, and only " +
	    "if fewer than 5 % of all orders would correlate as strongly by chance. The " +
	    "study calls rule sets decisive or drawish without giving draw rates; for draw rates only this order counts.") +
	expectation_part($d) +
	reasons($d) +
	folded("Every number, ours and the study’s"; pair_tables($d))));
