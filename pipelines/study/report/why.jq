# Why a measure agrees less with the study than it should: too few games, strength,
# openings or method. Compared are halves of the same games, more thinking, the same
# lines, other positions and the search's own values; only what is better by more than
# the errors of both is called a reason.
include "doc";
include "words";

# The share of the study's pairs at which we say that a measure agrees.
def aim: if IN("score-1", "draw-rate-1") then 0.85 elif IN("knight", "bishop", "rook", "queen", "special-games", "special-moves") then 0.9 else null end;

# A measure with its cases: {case: row}. "search" has its rows among the agreement's.
def cases($d; $measure): reduce ($d.t.reasons[] | select(.measure == $measure)) as $row ({}; .[$row.case] = $row) |
	.search = ([$d.t.agreement[] | select(.measure == $measure + "-search")] | .[0]) |
	.["quiet-search"] = ([$d.t.reasons[] | select(.case == "quiet" and .measure == $measure + "-search")] | .[0]);

def better($than): . != null and (.pairs_share | is_number) and (.pairs_se | is_number) and ($than.pairs_se | is_number) and
	.pairs_share - $than.pairs_share > 1.96 * ((.pairs_se * .pairs_se + $than.pairs_se * $than.pairs_se) | sqrt);

# Whether the errors of our numbers explain why the share is no higher. Levels have no bound; for
# them the aim must be within the error of the share.
def errors_suffice($aim): if .pairs_least | is_number then .pairs_share >= .pairs_least
	else (.pairs_se | is_number) and .pairs_share + 1.96 * .pairs_se >= $aim end;

# Rule sets whose scores or draw rates our own games cannot tell apart.
def homogeneous($d): {"score-1": "score", "draw-rate-1": "draw_rate"}[.measure] as $name |
	any($d.t.homogeneity[]; .budget == 1 and .measure == $name and (.p | tonumber? // 0) >= 0.05);

# What explains a row of the agreement: "met", "games", "flat", and those variations that help.
def causes($d): . as $row | (.measure | aim) as $aim | cases($d; .measure) as $c |
	if .pairs_share >= $aim then ["met"] else
	(if errors_suffice($aim) then ["games"] else [] end) + (if homogeneous($d) then ["flat"] else [] end) +
	[(["second", "strength"], ["shared", "openings"], ["quiet", "positions"], ["search", "search"], ["quiet-search", "search"]) as $w |
	    select($c[$w[0]] | better($row)) | $w[1]] | reduce .[] as $x ([]; if index([$x]) then . else . + [$x] end) end;

def cause_words: {"met": "agrees", "games": "games: our errors are large enough to explain it",
    "flat": "our rule sets do not differ clearly in it", "strength": "strength: more thinking brings it closer",
    "openings": "openings: the same lines bring it closer", "positions": "method: quiet positions bring it closer",
    "search": "method: search values are closer"}[.];
def verdict($d): causes($d) | if . == ["met"] then "⟨good|agrees⟩"
	elif . == [] then "not errors alone; nothing that was varied here explains it"
	else (if index(["games"]) then . else ["not errors alone"] + . end) | map(cause_words // .) | join("; ") end;

def share_cell: if . == null or (.pairs_share | is_number | not) then "–" else
	"\(.pairs_share | percent(0))\(if .pairs_se | is_number then " ⟨ci|± \(100 * .pairs_se | fix(0))⟩" else "" end)" end;
def half_cell: [.["half-1"], .["half-2"]] | map(.pairs_share // null | select(is_number)) | if length < 2 then "–" else add / 2 | percent(0) end;
def alike_cell: .halves.pairs_share | if is_number then percent(0) else "–" end;

def asked($d): [$d.t.agreement[] | select((.measure | aim) != null and (.pairs // 0) > 0 and (.pairs_share | is_number))];

def why_table($d): table("why"; "Pairs in the study’s order: games, strength, openings or method?";
	["Measure", ["Aim"], ["Here"], ["Errors alone"], ["Half of the games"], ["Halves alike"], ["More thinking"], ["Same lines"],
	    ["Quiet positions"], ["Search values"], ["Search values, quiet"], "What explains it"];
	[asked($d)[] | cases($d; .measure) as $c | [(.measure | measure_words), (.measure | aim | percent(0)), share_cell,
	    (if .pairs_expected | is_number then .pairs_expected | percent(0) else "–" end), ($c | half_cell), ($c | alike_cell),
	    ($c.second | share_cell), ($c.shared | share_cell), ($c.quiet | share_cell), ($c.search | share_cell), ($c["quiet-search"] | share_cell), verdict($d)]]) | stacked;

# The spread of White's scores without errors, beside the study's.
def spread: length as $n | (add / $n) as $mean | map((. - $mean) * (. - $mean)) | add / ($n - 1) | sqrt;
def score_words($d): [$d.t.agreement_data[] | select(.measure == "score-1" and (.theirs | is_number) and (.ours | is_number)) | .theirs] as $theirs |
	[$d.t.homogeneity[] | select(.budget == 1 and .measure == "score")] as $ours |
	if ($theirs | length) < 3 or $ours == [] then "" else $ours[0] |
	" ⟨b|White’s score⟩ differs between rule sets by \(100 * .spread | fix(1)) points here (standard deviation, without the part due to errors), in the study by \(100 * ($theirs | spread) | fix(1))" +
	(if (.p | tonumber) >= 0.05 then ": these games do not show that it differs at all" +
	(if .games_needed | is_number then "; \(.games_needed | count) games of each rule set would" else "" end) else "" end) + "." end;

def why_words($d): asked($d) as $rows | if $rows == [] or ($d.t.reasons | length) == 0 then [] else
	($rows | map({measure, causes: causes($d)})) as $why |
	def named($cause): [$why[] | select(.causes | index([$cause])) | .measure | measure_in_sentence];
	def in_a_row: join("; ");
	[$why[] | select(.causes == []) | .measure | measure_in_sentence] as $none |
	list(["⟨b|Games, strength, openings or method?⟩ " +
	"Of \($rows | length) measures \(named("met") | length) have as many pairs in the study’s order as we aim for. " +
	([["games", "The errors of so few games explain the gap in"], ["flat", "Our rule sets do not differ clearly in"], ["strength", "More thinking is clearly closer to the study in"],
	    ["openings", "The same lines under all rules are clearly closer in"], ["positions", "Quiet positions are clearly closer in"], ["search", "Search values are clearly closer than results in"]] |
	    map(.[1] as $text | named(.[0]) | select(. != []) | "\($text): \(in_a_row). ") | add // "") +
	(if $none == [] then "" else "Neither errors nor anything that was varied here explains the gap in: \($none | in_a_row). Possible causes not tested here: the net, its openings, strength beyond these budgets, and the study’s own errors, which are estimated. " end) +
	score_words($d)]) +
	folded("Each measure with half of the games, more thinking, the same lines, quiet positions, and search values"; why_table($d) +
	note("Each cell is the share of the study’s pairs that are in its order, ± its standard error; the pairs are the same throughout. Errors alone: the share that is expected with our errors if the study’s numbers are true. " +
	    "Half of the games: the mean of the two halves. Halves alike: the share of all pairs that both halves put into the same order; 50 % is chance. More thinking: the games of the second budget. Same lines: " +
	    "games that follow the first plies of classical ones. Quiet positions: piece values without positions just before or after a capture or promotion. Clearly closer: by more than 1.96 standard errors of the difference.")) end;
