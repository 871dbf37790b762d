# Games and main lines, each with a board; viewer.js makes them move.
include "doc";
include "words";
include "results";

# A game worth a part of a point is no draw.
def result_line: "\(if .points | is_number then "\(.points) points to White" else .result | result_words end)\(if .result == "*" then "" else " by \(.end | end_words)" end)";

def capital: (.[:1] | ascii_upcase) + .[1:];

def role_words: {"shortest": "shortest win", "special": "most special moves", "longest": "longest game",
    "median": "median length"} as $words | split("+") | map($words[.] // .) | and_list | capital;

def special_counts: [.marks | split(" ")[] | select(. != "") | split(":")[1] | kind_badge] | group_by(.) |
    map("\(length) × \(.[0])") | if . == [] then "" else " · " + join(", ") end;

def game_meta: "\(result_line | capital) in \((.plies + 1) / 2 | floor | plural("move"))\(special_counts) · " +
    "game \(.id | e)\(if .sims then ", \(.sims | count) a move" else "" end)";

def game_id: "game-\(.set | slug)-\(.role)";
def line_id: "line-\(.set | slug)-\(.first | slug)";

# A game as the page has it. The marks are "ply:kind …"; words is what the list shows at a mark.
def shown($id; $title; $meta): {id: $id, rules: .set, title: $title, meta: $meta, start, moves, san: (.san | join(" ")), marks, last,
    words: ([.marks | split(" ")[] | select(. != "") | split(":")[1] | {key: ., value: kind_badge}] | from_entries),
    result: (if .whole == false then "…" else .result end)} | del(.start | nulls);

def all_games($d): [($d.games[] | shown(game_id; .role | role_words; game_meta)),
    ($d.mainlines[] | shown(line_id; "1. \(.first | e)"; "\(if .whole then result_line | capital else "The game: \(result_line)" end)\(special_counts)"))] |
    map({key: .id, value: .}) | from_entries;

# A rule set's games or lines, if it has any: {kind: [id, …]}
def of_each($d; $all; id; with_words): $d.rules[].rules as $rules | [$all[] | select(.set == $rules) | id] | select(. != []) | . as $ids |
    [{fold: ($rules | named($d) | e), parts: ((if with_words then para($rules | sentence($d) | e) else [] end) + [{games: $ids}])}];

def games($d): section("games"; "Games to play through";
	para("For each rule set, from its games at the longer budget (at most the first \($d.looked_at | count)): the shortest decisive game, the one " +
	    "with the most special moves, the longest, and, if these are fewer than three games, the one of median length. Of equal games the first is shown.") +
	[{keys: ("Use the buttons, click a move, or tap the right or left half of the board. With the keyboard, when the board has the focus: " +
	"← and → step, Home and End jump, the space bar plays. Special moves are ⟨key|marked in this colour⟩, " +
	"in the list and by an arrow on the board.")}] +
	([of_each($d; $d.games; game_id; true)] | add // note("There are no games.")));

def mainlines($d): section("mainlines"; "Main lines";
	para("The move that the search finds best, after three first moves or from the start where the rules do not allow these, and nothing drawn at random: \($d.run.mainlines.plies // 40) plies, and the position they lead to. " +
	    "You can play through them like the games below.") +
	([of_each($d; $d.mainlines; line_id; false)] | add // note("There are no main lines.")));
