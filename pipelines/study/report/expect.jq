# What one expects of strong play before any game is played, and the result. An
# expectation that fails is an open question, unless the same games explain it.
include "doc";
include "words";
include "results";

def outcome($d; $budget; $rules): first($d.t.outcomes | at_budget($budget)[] | select(.rules == $rules and (.draw_rate_lo | is_number) and (.score_lo | is_number))) // null;
def verdict($class; $words): "⟨\($class)|\($words)⟩";
def as_expected: verdict("good"; "as expected");
def open_question: verdict("bad"; "not as expected: an open question");
def cannot_tell: verdict("open"; "cannot tell");
def told($name; show): .[$name] as $x | "\($x | show)\(and_interval(.[$name + "_lo"]; .[$name + "_hi"]; show))";

def expected_draws($d): outcome($d; 1; "classical") as $a | outcome($d; 2; "classical") as $b | if $a == null or $b == null then empty else
	["More thinking brings more draws in chess.",
	    "\($a | told("draw_rate"; percent)) at \(sims_words($d; 1)); \($b | told("draw_rate"; percent)) at \(sims_words($d; 2))",
	    (if $b.draw_rate_lo > $a.draw_rate_hi then as_expected elif $b.draw_rate_hi < $a.draw_rate_lo then open_question else cannot_tell end)] end;

def expected_white($d): outcome($d; 1; "classical") as $a | if $a == null then empty else
	["White has the advantage in chess.", ($a | told("score"; percent)),
	    (if $a.score_lo > 0.5 then as_expected elif $a.score_hi < 0.5 then open_question else cannot_tell end)] end;

# The rule set that is first by a measure, beside torpedo.
def first_by(f): sort_by(f) | .[0];
def expected_decisive($d): [$d.t.outcomes | at_budget(1)[] | select(.draw_rate_lo | is_number)] as $rows | outcome($d; 1; "torpedo") as $t |
	if $t == null or ($rows | length) < 3 then empty else ($rows | first_by(.draw_rate)) as $least | ($rows | map(select(.rules != "torpedo")) | first_by(.draw_rate)) as $next |
	["Torpedo has the fewest draws.", "\($t | told("draw_rate"; percent)); \(if $least.rules == "torpedo" then "next" else "fewest" end): \($next.rules | named($d) | e), \($next | told("draw_rate"; percent))",
	    (if $t.draw_rate_hi < $next.draw_rate_lo then as_expected elif $least.rules == "torpedo" then "\(as_expected), but not clearly apart from the next" elif $t.draw_rate_lo > $next.draw_rate_hi then open_question else cannot_tell end)] end;
def expected_best($d): [$d.t.outcomes | at_budget(1)[] | select(.score_lo | is_number)] as $rows | outcome($d; 1; "torpedo") as $t |
	(any($d.t.homogeneity[]; .budget == 1 and .measure == "score" and (.p | tonumber? // 0) >= 0.05)) as $alike |
	if $t == null or ($rows | length) < 3 then empty else ($rows | map(select(.rules != "torpedo")) | first_by(-.score)) as $best |
	["Torpedo is best for White.", "\($t | told("score"; percent)); best of the others: \($best.rules | named($d) | e), \($best | told("score"; percent))",
	    (if $alike then cannot_tell elif $t.score >= $best.score then as_expected elif $t.score_hi < $best.score_lo then open_question else cannot_tell end)] end;

def share_of($d; $rules; $kind): first($d.t.special | at_budget(1)[] | select(.rules == $rules and .kind == $kind and (.games_share_lo | is_number))) // null;
def expected_share($d; $rules; $kind; $least; $words): share_of($d; $rules; $kind) as $s | if $s == null then empty else
	[$words, ($s | told("games_share"; percent(0))), (if $s.games_share_lo > $least then as_expected elif $s.games_share_hi < $least then open_question else cannot_tell end)] end;

def expectations($d): [expected_draws($d), expected_white($d), expected_decisive($d), expected_best($d),
	expected_share($d; "stalemate-win"; "stalemate-win"; 0.1; "Where stalemate wins, more than a tenth of decisive games end that way."),
	expected_share($d; "classical"; "castle"; 0.5; "In most games of chess someone castles.")];

def expectation_part($d): expectations($d) | if . == [] then [] else h3("Expectations and results") +
	table("expected"; "What strong play should show, and what these games show"; ["Expected", "Here", "Verdict"]; .) end;
