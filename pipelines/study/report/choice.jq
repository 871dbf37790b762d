# Sections on how much choice a rule set leaves: entropy, candidates, divergence,
# additional candidates, first moves. $d is all data; see page.jq.
include "doc";
include "words";
include "results";

def last_ply: (map(.ply) | max) as $t | map(select(.ply == $t));
def half_width($name): .[$name + "_se"] as $se | if $se | is_number then 1.96 * $se else null end;
# value with lo and hi, from a standard error
def from_error($name): . as $row | half_width($name) as $half | {value: $row[$name],
    lo: (if $half then $row[$name] - $half else null end),
    hi: (if $half then $row[$name] + $half else null end)};
def error_dots($name; $study; $range): from_error($name) as $v | $v.value |
    dots($v.lo; $v.hi; $study; $range[0]; $range[1]);
def error_cell($name; $digits): half_width($name) as $half | .[$name] | with_error($half; $digits);

# Does the prior know all rules of this rule set? If not, nothing is claimed of its openings.
def prior_knows($d): . as $rules | any($d.t.untold[]; .net == "prior" and .rules == $rules) | not;

# The difference of two nets that learnt the same: smaller differences mean nothing.
def signed_nats: if . > 0 then "+" + fix(2) else fix(2) end;
def floor_of($d; $rules): first($d.t.floor[] | select(.rules == $rules)) // {};
def mean: if . == [] then null else add / length end;
# How far the two disagree on how much a rule set adds to the entropy of chess.
def floor_gap($d; $rules): floor_of($d; $rules) as $own | floor_of($d; "classical") as $chess |
	if all($own, $chess; (.h | is_number) and (.h_second | is_number)) then
	    ($own.h - $chess.h) - ($own.h_second - $chess.h_second) | fabs else null end;
def floor_words($d): if $d.t.floor == [] then
	note("⟨b|No noise floor.⟩ There is no second net that learnt the same from another seed, so it is unknown how much of these differences " +
	    "comes from the rules and how much from this one net; ± is the error of sampling lines, not of training.") else
	([$d.t.floor[] | select($d.labels[.rules] != null) | select((.h | is_number) and (.h_second | is_number)) | (.h - .h_second) | fabs] | mean) as $h |
	([$d.t.floor[] | select($d.labels[.rules] != null) | .kl | select(is_number)] | mean) as $kl |
	([$d.t.floor[].rules | select(. != "classical" and $d.labels[.] != null) | floor_gap($d; .) | select(. != null)] | mean) as $gap |
	note("⟨b|The noise floor.⟩ Two nets that learnt the same from different seeds differ by \($h | fix(2)) nats of entropy and \($kl | fix(2)) nats of divergence " +
	    "under the same rules, and by \($gap | fix(2)) nats in how much wider or narrower than chess a rule set is, on average. A divergence below its floor means nothing, and neither does a difference of " +
	    "entropies that is smaller than the disagreement of the two nets on it.") end;

# Cells of a table of entropies: the second net's, and what the two differ by.
def floor_titles($d): if $d.t.floor == [] then [] else [["Second seed"], ["Noise floor"]] end;
def floor_cells($d; $what): if $d.t.floor == [] then [] else floor_of($d; $what) | [(.h_second | fix(2)),
	(if (.h | is_number) and (.h_second | is_number) then (.h - .h_second | fabs | fix(2)) else "–" end)] end;

# How wide the prior is beside the study's.
def width_words($d):
	([$d.t.entropy | map(select(.prior == "net")) | last_ply[] | . as $row | ($row.rules | theirs($d; "entropy")) as $study |
	    select(($study | is_number) and (.h | is_number)) | {h, study: $study}]) as $rows |
	if $rows == [] then [] else
	([$rows[] | .h - .study] | mean) as $wider | ([$rows[] | select(.h > .study)] | length) as $more |
	para("Our prior is \(if $wider > 0 then "wider" else "narrower" end) than the study’s by \($wider | fabs | fix(1)) nats on average over the \($rows | length | plural("rule set")) that both have; " +
	    "it is wider in \($more | of($rows | length)) of them. Nets that learnt otherwise have other widths, so only differences between rule sets are compared.") end;

def temperature_table($d):
	([$d.t.temperature[].temperature] | unique) as $ts |
	def order_at($t): first($d.t.relations[] | select(.measure == "entropy-at-\($t)")) // {};
	if $ts | length < 2 then [] else
	para("A sharper prior (every probability to the power 1/T, T below 1) or a flatter one may put the rule sets into another order. The rank correlation with the order at T = 1 is " +
	    ([$ts[] | select(. != 1) as $t | order_at($t) | select(.rho | is_number) | "\(.rho | fix(2))\(interval(.rho_lo; .rho_hi; fix(2))) at T = \($t)"] |
	    if . == [] then "not known" else and_list end) + ".") +
	folded("Entropy at other temperatures";
	table("temperature"; "Entropy in nats by temperature, ± 95 %"; ["Rule set"] + ($ts | map(["T = \(.)", if . == 1 then {from: "entropy"} else {set: "\(.)"} end])) + [["Study’s"]];
	    [$d.rules[].rules as $rules | [$rules | named($d)] + [$ts[] as $t |
		first($d.t.temperature[] | select(.rules == $rules and .temperature == $t) | error_cell("h"; 2)) // "–"] +
		[$rules | theirs($d; "entropy") | fix(2)]]) | from("temperature")) end;

# ---- entropy ----

# Wider or narrower than chess, if two nets agree on it.
def beside_chess($d; $all): .rules as $rules | (.h - (first($all[] | select(.rules == "classical") | .h) // nan)) as $gap | floor_gap($d; $rules) as $floor |
	if $rules == "classical" or ($gap | is_number | not) or $floor == null then "–"
	elif ($gap | fabs) <= $floor then "⟨open|\($gap | signed_nats), below the floor of \($floor | fix(2))⟩"
	else "\($gap | signed_nats) ⟨ci|floor \($floor | fix(2))⟩" end;

def entropy_table($d):
	($d.t.entropy | map(select(.prior == "net")) | last_ply) as $net |
	($d.t.entropy | map(select(.prior == "uniform")) | last_ply) as $uniform |
	([$net[] | from_error("h") | .value, .lo, .hi] +
	    [$net[].rules | theirs($d; "entropy")] | range_of) as $range |
	table("entropy"; "Entropy of the first \($net[0].ply // 0) plies in nats, ± 95 %";
	    ["Rule set", ["H"]] + floor_titles($d) + (if $d.t.floor == [] then [] else ["Compared with chess"] end) + [["Equivalent games"], ["Study’s H"], ["Uniform H"], ["Study’s"], "● ours, ◇ the study’s"];
	    [$net | sort_by(.h)[] | . as $row | (.rules | theirs($d; "entropy")) as $study | [
		(.rules | named($d)), error_cell("h"; 2), floor_cells($d; .rules)[], (select($d.t.floor != []) | beside_chess($d; $net)), (.equivalent | large), ($study | fix(2)),
		(first($uniform[] | select(.rules == $row.rules) | .h | fix(2)) // "–"),
		(.rules | theirs($d; "entropy-uniform") | fix(2)),
		error_dots("h"; $study; $range)]]) | stacked | from("entropy");

def first_table($d):
	($d.t.entropy_first | last_ply) as $rows |
	([$rows[] | from_error("h") | .value, .lo, .hi] +
	    [$rows[] | "\(.rules)/\(.start)" | theirs($d; "entropy-first")] | range_of) as $range |
	table("entropy-first"; "Entropy of the \($rows[0].ply // 0) plies after a first move, ± 95 %";
	    ["Rule set", "First move", ["H"]] + floor_titles($d) + [["Equivalent games"], ["Study’s H"], "● ours, ◇ the study’s"];
	    [$rows[] | ("\(.rules)/\(.start)" | theirs($d; "entropy-first")) as $study | [(.rules | named($d)),
		"1. \(.start)", error_cell("h"; 2), floor_cells($d; "\(.rules)/\(.start)")[], (.equivalent | large), ($study | fix(2)),
		error_dots("h"; $study; $range)]]) | from("entropy-first");

# How the choice after 1. e4 differs from that after 1. Nf3, beside the study.
def first_words($d):
	($d.t.entropy_first | last_ply | group_by(.rules) | map(
	    [first(.[] | select(.start == "e4")), first(.[] | select(.start == "Nf3"))] |
	    select(length == 2) | {rules: .[0].rules, gap: (.[1].h - .[0].h),
	    se: ((.[0].h_se // 0) as $a | (.[1].h_se // 0) as $b | ($a * $a + $b * $b) | sqrt)})) as $gaps |
	def gap: "\(.)/Nf3" as $b | "\(.)/e4" as $a | ($b | theirs($d; "entropy-first")) as $nf3 |
	    ($a | theirs($d; "entropy-first")) as $e4 |
	    if ($nf3 | is_number) and ($e4 | is_number) then $nf3 - $e4 else null end;
	para("How much less choice 1. e4 leaves than 1. Nf3, in nats: " + ([$gaps[] |
	    "\(.gap | fix(2)) ⟨ci|± \(1.96 * .se | fix(2))⟩ in \(.rules | named($d) | e)" +
	    (.rules | gap | if . == null then "" else " (the study: \(fix(2)))" end)] | and_list) + ". " +
	    "The study found that a player who can castle has forced lines after 1. e4, and one who cannot has none.");

def entropy_extremes($d):
	($d.t.entropy | map(select(.prior == "net")) | last_ply | map(select((.h | is_number) and (.rules | prior_knows($d))))) as $rows |
	if $rows | length < 2 then [] else ($rows | min_by(.h)) as $least | ($rows | max_by(.h)) as $most |
	para("\(if $d.t.floor == [] then "By this one net, the least" else "The least" end) choice is in \($least.rules | named($d) | e), with \($least.h | fix(2)) nats, as many as " +
	    "\($least.equivalent | large) equally likely games; the most is in \($most.rules | named($d) | e), with " +
	    "\($most.h | fix(2)) nats or \($most.equivalent | large) games.") end;

# Does a decisive rule set have a smaller tree of openings, as the study found?
def decisive_words($d):
	(first($d.t.relations[] | select(.measure == "entropy-decisiveness")) // {}) as $r |
	if $r.rho | is_number | not then [] else
	para("The study found that its most decisive rule sets have the smallest opening trees. Over our \($r.n) rule sets the rank correlation of entropy with the draw rate is " +
	    "\($r.rho | fix(2))\(interval($r.rho_lo; $r.rho_hi; fix(2)))\(($r.p | tonumber? // 1) as $p | if $p < 0.05 then " (\($p | percent(1)) of orders would correlate as strongly by chance)." else ": not decided (p = \($p | fix(2)))." end)") end;

# The square root law: as many plausible moves as the root of the legal ones,
# that is half of the entropy.
def root_words($d):
	($d.t.entropy | map(select(.prior == "net")) | last_ply) as $net |
	($d.t.entropy | map(select(.prior == "uniform")) | last_ply) as $uniform |
	[$net[] as $row | first($uniform[] | select(.rules == $row.rules)) | {rules, part: ($row.h / .h)} | select(.part | is_number)] |
	if . == [] then [] else
	para("A conjecture says that the number of plausible moves is about the square root of the number of legal ones; then the entropy is half of that of uniform moves. Here it is " +
	    "\(map(.part) | add / length | fix(2)) of it on average, from \(min_by(.part) | "\(.part | fix(2)) in \(.rules | named($d) | e)") to " +
	    "\(max_by(.part) | "\(.part | fix(2)) in \(.rules | named($d) | e)"); the study’s classical chess has 0.44.") end;

# The likeliest line after 1. e4: the study’s is in the Berlin Defence.
def spike_words($d): [$d.t.spikes[] | select(.start == "e4")] | if . == [] then [] else
	para("The study’s classical player has a spike after 1. e4: one line of the Berlin Defence (1… e5 2. Nf3 Nc6 3. Bb5 Nf6), which castling makes possible. The likeliest of our sampled lines: " +
	    (map("in \(.rules | named($d) | e) ⟨san|\(.san | e)⟩ (one in \(1 / ([.p | tonumber] + [1e-300] | max) | large))") | join("; ")) + ".") end;

# Rule sets whose rules the prior does not know.
def untold_choice($d): [$d.t.untold[] | select(.net == "prior") | "\(.rules | named($d)) (\(.fields))"] | if . == [] then [] else
	note("The prior was never told these rules: \(and_list | e). Its lines are legal, but chosen as in chess: what stands below about their openings, divergence and first moves is no finding.") end;

def entropy($d): section("entropy"; "Opening choice";
	untold_choice($d) +
	para("Lines of \($d.run.lines.plies // 20) plies are sampled from the prior, the net’s move probabilities before any " +
	    "search. The entropy H measures how spread out they are: e to the power H equally likely lines would be as varied. " +
	    "The baseline is a player without preferences, for whom all legal moves are equally likely.") +
	entropy_extremes($d) + width_words($d) + decisive_words($d) + root_words($d) + entropy_table($d) +
	floor_words($d) + temperature_table($d) +
	note("H sums the prior’s own entropies along the sampled lines; ± is 1.96 standard errors.") +
	h3("After one first move") + first_words($d) + spike_words($d) + folded("The numbers"; first_table($d)) +
	chart("entropy-first-histogram"; "Histograms of −log p after 1. e4 and 1. Nf3";
	    "How likely the lines after 1. e4 and 1. Nf3 are, in classical chess and without castling. Lines at the left are forced.") +
	h3("How likely lines are") +
	chart("entropy-histogram"; "Histograms of −log p of lines, all rule sets together";
	    "The density of −log p of the sampled lines. A peak at the left is a line that the player strongly prefers; the mean is H.") +
	h3("Candidate moves at each ply") +
	para("M(t) is the number of candidate moves at ply t: the mean over lines of e to the power of the prior’s entropy.") +
	chart("candidates"; "Candidate moves at plies 1, 5, 10 and 20. " + ($d.t.entropy | map(select(.prior == "net" and (.m | is_number))) | last_ply | if length < 2 then "" else
	    "At the last, \(min_by(.m) | "\(.m | fix(1)) in \(.rules | named($d))") to \(max_by(.m) | "\(.m | fix(1)) in \(.rules | named($d))")." end);
	    "At each ply of the sampled lines; choose the rule sets.") +
	chart("candidates-first"; "Candidate moves at each ply after 1. e4 and 1. Nf3";
	    "The same after 1. e4 and 1. Nf3."));

# ---- divergence ----

# Is a divergence below the difference of two nets under the same rules? A row of divergence.tsv.
def below_floor($d): (floor_of($d; .p).kl) as $floor | (.kl | is_number) and ($floor | is_number) and .kl <= $floor;
def floor_cell($d): (floor_of($d; .p).kl) as $floor | if $floor | is_number | not then "–"
	elif below_floor($d) then "\($floor | fix(2)) ⟨open|D is below it⟩" else $floor | fix(2) end;
def least_words($d): if below_floor($d) then "\(.kl | fix(2)) nats, below the noise floor" else "\(.kl | fix(2)) nats" end;

def floor_count($d; $rows): if $d.t.floor == [] then floor_words($d) else ($rows | map(select(.kl | is_number))) as $finite |
	($finite | map(select(below_floor($d))) | length) as $below |
	para("The noise floor of D[p‖q] is the divergence, under p itself, of two nets that learnt the same from different seeds." +
	    (if $finite == [] then "" else " \($below | of($finite | length)) divergences lie below it and mean nothing." end)) end;

def divergence($d):
	($d.t.divergence | last_ply) as $rows |
	([$rows[] | from_error("kl") | .value, .lo, .hi] +
	    [$rows[] | "\(.p)/\(.q)" | theirs($d; "divergence")] | range_of) as $range |
	($rows | map(select(.p == "classical" and (.kl | is_number) and (.q | prior_knows($d))))) as $from |
	section("divergence"; "How far apart rule sets are";
	para("Lines are sampled under rule set p and scored under q. The divergence D[p‖q] is how much " +
	    "less likely they are under q, in nats: 0 if q would play the same. It is infinite if q forbids " +
	    "a move of these lines.") +
	(if $from | length < 2 then [] else
	para("Of the rule sets that allow all of these lines of chess, \($from | min_by(.kl) | .q | named($d) | e) changes its " +
	    "openings least (\($from | min_by(.kl) | least_words($d))) and \($from | max_by(.kl) | .q | named($d) | e) most " +
	    "(\($from | max_by(.kl) | least_words($d))).") end) + floor_count($d; $rows) +
	(table("divergence"; "D[p‖q] over \($rows[0].ply // 0) plies in nats, ± 95 %";
	    ["p, lines from", "q, judged by", ["D[p‖q]"], ["Noise floor"], ["Lines q forbids"], ["Study’s"], "● ours, ◇ the study’s"];
	    [$rows[] | ("\(.p)/\(.q)" | theirs($d; "divergence")) as $study | [(.p | named($d)), (.q | named($d)),
		(if below_floor($d) then "⟨open|below the floor⟩" elif .kl | is_number then error_cell("kl"; 2) else (.kl | fix(2)) end), floor_cell($d),
		"\(.infinite | count) of \(.lines | count)", ($study | fix(2)),
		error_dots("kl"; $study; $range)]]) | from("divergence")) +
	chart("divergence-histogram"; "Histograms of log p/q for pairs of rule sets of which one allows all lines of the other: \([$rows[] | select(.infinite == 0)] | length) of \($rows | length) pairs";
	    "The density of log p(line)/q(line). Right of zero are lines that q likes less than p does."));

def additional($d):
	([1, 2, 5, 10, 15, 20] | map(select(. as $t | any($d.t.additional[]; .ply == $t)))) as $plies |
	($d.t.additional | map(select(.ply == 1 and (.additional | is_number) and (.rules | prior_knows($d))))) as $first |
	section("additional"; "Additional candidates";
	para("A(t) is how many more candidate moves a rule set has at ply t than classical chess has in " +
	    "the same positions. Below zero, the rule set narrows the choice.") +
	(if $first | length < 2 then [] else
	para("At the first move it is least in \($first | min_by(.additional) | "\(.rules | named($d) | e) (\(.additional | fix(2)))") " +
	    "and most in \($first | max_by(.additional) | "\(.rules | named($d) | e) (\(.additional | fix(2)))"). " +
	    "In the study torpedo chess has 1.8 fewer there, because two thirds of its probability are on 1. d4.") end) +
	chart("additional"; "Additional candidate moves at plies 1, 5, 10 and 20. " + ($first | if length < 2 then "" else
	    "At the first, \(min_by(.additional) | "\(.additional | fix(1)) in \(.rules | named($d))") to \(max_by(.additional) | "\(.additional | fix(1)) in \(.rules | named($d))")." end);
	    "At each ply, with 95 % intervals; zero is classical chess.") +
	folded("The numbers at some plies"; table("additional"; "Additional candidates at some plies, ± 95 %";
	    ["Rule set"] + ($plies | map(["Ply \(.)"]));
	    [$d.rules[].rules as $rules | ($d.t.additional | map(select(.rules == $rules))) as $rows |
		select($rows != []) | [$rules | named($d)] + [$plies[] as $t |
		first($rows[] | select(.ply == $t) | error_cell("additional"; 2)) // "–"]]) | from("additional")));

# ---- first moves ----

def firstmoves($d):
	section("firstmoves"; "First moves";
	para("The prior’s probability of each first move: the net’s preference before any search.") +
	chart("firstmoves"; "The prior’s probability of first moves: " + ([$d.rules[].rules as $rules | ($d.t.firstmoves | map(select(.rules == $rules)) | max_by(.prior)) | select(. != null) |
	    "\(.san) \(.prior | percent(0)) in \($rules | named($d))"] | join(", "));
	    "In per cent, of the moves that some rule set gives at least two.") +
	table("firstmoves"; "The six likeliest first moves of each prior, in per cent";
	    ["Rule set"] + ["First", "Second", "Third", "Fourth", "Fifth", "Sixth"] + [["c3, d3, e3 and h3"]];
	    [$d.rules[].rules as $rules | ($d.t.firstmoves | map(select(.rules == $rules)) | sort_by(-.prior)) as $rows |
		select($rows != []) | [$rules | named($d)] + [range(0; 6) as $i | $rows[$i] | if . == null then "–" else
		{t: "\(.san | e) ⟨ci|\(100 * .prior | fix(1))⟩", v: .prior} end] +
		[[$rows[] | select(.san | IN("c3", "d3", "e3", "h3")) | .prior] | add // 0 | 100 * . | fix(1)]]) +
	note("The study’s: " + ([$d.theirs["first-move"] // {} | to_entries[] | (.key | split("/")) as $k |
	    "\(.value | percent(0)) for \($k[1] | gsub("\\+"; ", ") | e) in \($k[0] | named($d) | e)"] |
	    if . == [] then "no numbers" else and_list end) + "."));
