# The whole page, from all that report names: see there. Tables (t_NAME), rules,
# published are texts of tab-separated values, figures a text with name and data
# URI in each line.
include "doc";
include "words";
include "results";
include "choice";
include "agreement";
include "games";
include "cards";
include "strength";
include "themes";

def pairs_of($published; $data):
	reduce ($data[], $published[]) as $row ({}; if .[$row.measure][$row.item] == null then
	    .[$row.measure][$row.item] = $row.theirs else . end);

# A value whose 95 % interval is not positive and within a factor of 4 is none.
def only_determined: reduce (keys_unsorted[] | select(endswith("_lo")) | rtrimstr("_lo")) as $p (.; .[$p + "_lo"] as $lo | .[$p + "_hi"] as $hi |
	if (.[$p] | is_number) and (($lo | is_number | not) or ($hi | is_number | not) or $lo <= 0 or $hi > 4 * $lo)
	then .[$p] = null | .[$p + "_lo"] = null | .[$p + "_hi"] = null else . end);

def data($in): {
	run: $in.run[0],
	rules: ($in.rules | tsv | map(.label = if (.label // "") == "" then .rules else .label end)),
	t: ($in | with_entries(select(.key | startswith("t_")) | .key |= .[2:] | .value |= tsv)),
	strength: $in.strength, themes: $in.themes,
	games: $in.games, mainlines: $in.mainlines, looked_at: ($in.looked_at | tonumber)
} | .labels = (.rules | map({key: .rules, value: .label}) | from_entries) |
    .told = ($in.told | from_entries) | .t.values |= map(only_determined) |
    .theirs = pairs_of($in.published | tsv; .t.agreement_data);

def extreme($d; $rows; $field; pick; show): ($rows | map(select(.[$field] | is_number))) |
    pick | . as $row | "\(.rules | named($d) | e) (\(.[$field] | show)" +
	"\(and_interval($row[$field + "_lo"]; $row[$field + "_hi"]; show)))";

# Least and most choice, if two nets agree on it.
def entropy_headline($d; $h): ($h | map(select(.h | is_number))) as $h | if $h | length < 2 then empty else
	($h | min_by(.h)) as $least | ($h | max_by(.h)) as $most |
	([$least, $most | .rules as $r | floor_of($d; $r)] | if all(.[]; (.h | is_number) and (.h_second | is_number)) then
	    .[1].h_second - .[0].h_second else null end) as $second |
	($most.h - $least.h) as $gap |
	"\($least.rules | named($d) | e) (\($least.h | fix(1)) nats) and \($most.rules | named($d) | e) (\($most.h | fix(1)) nats), \($gap | fix(1)) apart" as $who |
	if $second == null then "Least and most opening choice, by one net, without a noise floor: \($who)."
	elif $second > 0 and ($gap - $second | fabs) < $gap then "Least and most opening choice: \($who), and \($second | fix(1)) by a second net with another seed."
	else "Opening choice: two nets with different seeds disagree on which rule sets have least and most, so nothing can be said." end end;

# The rule sets with the least and the greatest number, if a test says that they
# differ at all.
def glance($d):
	1 as $budget | ($d.t.outcomes | at_budget($budget)) as $rows |
	# from how many of the others the two ends clearly differ
	def apart($field; $p): [$rows[] | select(.[$field] | is_number)] | if length < 3 or all($d.t.compare[]; .[$p] | is_number | not) then "" else . as $known |
	    [min_by(.[$field]), max_by(.[$field])] | map(.rules as $r | "\($r | named($d) | e) from " +
	    ([$d.t.compare | at_budget($budget)[] | select(.a == $r and (.[$p] | is_number) and .[$p] < 0.05)] | length | of(($known | length) - 1))) |
	    " Clearly different from the others, adjusted for all pairs (Holm): \(.[0]), \(.[1])." end;
	# "": there are no two to speak of
	def ends($field; told): if [$rows[] | select(.[$field] | is_number)] | length < 2 then "" else told + " " end;
	($d.t.entropy | map(select(.prior == "net" and (.rules | prior_knows($d)))) | last_ply) as $h |
	list([
	    goals_headline($d),
	    headline($d; $budget; "draw_rate"; "Draws"; ends("draw_rate";
		"Fewest draws: \(extreme($d; $rows; "draw_rate"; min_by(.draw_rate); percent)). Most: \(extreme($d; $rows; "draw_rate"; max_by(.draw_rate); percent)).\(apart("draw_rate"; "p_draw_holm"))")),
	    headline($d; $budget; "score"; "White’s score"; ends("score";
		"White scores most in \(extreme($d; $rows; "score"; max_by(.score); percent)), least in \(extreme($d; $rows; "score"; min_by(.score); percent)).\(apart("score"; "p_score_holm"))")),
	    entropy_headline($d; $h),
	    agreement_sentence($d)]);

def lead($d): "\($d.rules | length | plural("rule set")) side by side, each played by a program against itself: " +
	"\([$d.t.outcomes[], $d.t.openings[] | .games] | add // 0 | plural("game")), from the start and after four openings, and what they show about draws, " +
	"White’s advantage, choice in the opening, special moves and piece values. Our numbers are shown beside those of the published " +
	"study that this follows.";

def source: "The study: N. Tomašev, U. Paquet, D. Hassabis, V. Kramnik, ⟨cite|Assessing Game Balance with AlphaZero: " +
	"Exploring Alternative Rule Sets in Chess⟩, 2020, arXiv:2009.04374. All tables of this page are in files beside it as " +
	"tab-separated values, all figures as SVG and PNG.";

# The parts of the report, of which report makes one after the other: jq 1.6 takes far
# longer to compile the whole than its parts. Each gives sections.
def part_top($d): first_screen($d) + section("glance"; "At a glance"; glance($d));
def part_results($d): cards($d) + outcomes($d) + compare($d) + strength($d) + measures($d);
def explorer: section("explorer"; "Explorer of openings";
	para("The first plies of the games at the first budget, and of the lines sampled from the prior, which is the net’s choice before any search. Shares and White’s score have 95 % intervals; what fewer than 1 in 200 games or lines begin with is left out.") +
	chart("tree"; "How often games of a rule set begin with a move, and how they end"; "Choose a move to go on, or one above to go back."));
def part_openings($d): openings($d) + explorer + special($d) + themes($d) + entropy($d) + divergence($d) + additional($d);
def part_games($d): values($d) + firstmoves($d) + lengths($d) + mainlines($d) + games($d) + run($d);
def part_agreement($d): agreement($d);

# The tables as they are: columns, and rows of values.
def columns_of: split("\n") | map(select(. != "") | split("\t")) | (.[0] // []) as $names | ($names | map(is_name)) as $text |
	{columns: $names, rows: [.[1:][] | [range(0; $names | length) as $i | .[$i] // "" | if $text[$i] then . else value end]]};
def tables($in): $in | with_entries(select(.key | startswith("t_")) | .key |= (.[2:] | gsub("_"; "-")) | .value |= columns_of);

# The whole, from the sections; without what differs between two equal runs.
def marked: walk(if type == "string" then spans else . end);
def document($d; $sections): {v: 1, title: "What would chess become under other rules?", lead: lead($d),
	head: (player_words($d) + fallback_note($d) | marked), sections: ($sections | marked), footer: (source | marked),
	run: ($d.run | del(.machine, .hosts, .started, .finished, .seconds, .core_seconds)), rules: [$d.rules[] | {rules, "label": .label, own: (.own == 1), sentence: (.rules | sentence($d))}], games: (all_games($d) | marked)};
