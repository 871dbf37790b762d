# What aims wish for, in words, and whether a number meets one; see aims(5).

def number: if . == null then "–" elif . == (. | floor) and (. | fabs) >= 2 then tostring
    elif (. | fabs) >= 10 then (. * 10 | round / 10 | tostring) else (. * 1000 | round / 1000 | tostring) end;
def percent: if . == null then "–" else (. * 1000 | round / 10 | tostring) + " %" end;
def words: {score: "White's score", draw_rate: "draws", plies_mean: "plies of a game", fields: "fields changed",
    moves_differ: "positions of chess with other moves", prior_distance: "distance of move probabilities",
    novelty: "games with a move that chess lacks"}[.] // (
    if startswith("games_share:") then "games with \(.[12:] | gsub("-"; " "))"
    elif startswith("moves_share:") then "moves that are \(.[12:] | gsub("-"; " "))"
    elif startswith("ends:") then "games that end by \(.[5:] | gsub("-"; " "))"
    else gsub("-"; " ") end);
def is_share: IN("fields", "plies_mean", "length", "branching", "lead-changes", "prior_distance") | not;
def show($measure): if $measure | is_share then percent else number end;
def wish: . as $a | "\(.measure | words) " +
    (if has("between") then if .between[0] == .between[1] then .between[0] | show($a.measure)
	else "between \(.between[0] | show($a.measure)) and \(.between[1] | show($a.measure))" end
    elif has("below") then if .below == 0 then "as few as can be" else "at most \(.below | show($a.measure))" end
    else "at least \(.above | show($a.measure))" end);

def bounds: if has("between") then .between else [.above, .below] end;
# A value and its interval against an aim: met, missed, or open as the interval has both.
def judged($aim): . as [$at, $from, $to] | ($aim | bounds) as [$lo, $hi] |
    if ($lo == null or $from >= $lo) and ($hi == null or $to <= $hi) then "met"
    elif ($lo != null and $to < $lo) or ($hi != null and $from > $hi) then "missed"
    else "open" end;
