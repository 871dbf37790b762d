# Games and main lines, each with a board, as HTML; viewer.js makes them move.
include "html";
include "words";
include "results";

def square_name: "abcdefgh"[. % 8:. % 8 + 1] + (8 - (. / 8 | floor) | tostring);

# A position in words, for screen readers. viewer.js does the same.
def board_words: . as $at |
	def side(letters): [range(0; 64) | . as $n | $at[$n:$n + 1] | select(letters) |
	    ascii_upcase | (if . == "P" then "" else . end) + ($n | square_name)] | join(" ");
	"White: \(side(test("[A-Z]"))). Black: \(side(test("[a-z]"))).";

# The placement of a FEN as 64 characters, from a8 to h1, "." for an empty square;
# without hands, and without the marks of promoted pieces.
def squares: split(" ")[0] | gsub("/|~|\\[.*"; "") | gsub("(?<n>[1-8])"; "." * (.n | tonumber));

# A FEN as a diagram: the last move tinted, and every piece.
def diagram($last):
	squares as $at |
	def tint($name): ("abcdefgh" | index($name[:1])) as $file | (8 - ($name[1:2] | tonumber)) as $rank |
	    "<rect class=\"last\" x=\"\($file * 100)\" y=\"\($rank * 100)\" width=\"100\" height=\"100\"/>";
	"<svg viewBox=\"0 0 800 800\" role=\"img\" aria-label=\"\($at | board_words | e)\"><use href=\"#board\"/>" +
	(if ($last // "") == "" then "" elif $last[1:2] == "@" then tint($last[2:4]) else tint($last[:2]) + tint($last[2:4]) end) +
	([range(0; 64) as $n | $at[$n:$n + 1] | select(. != ".") | ascii_upcase as $piece |
	    "<use href=\"#\($piece)\" class=\"\(if . == $piece then "w" else "b" end)\" x=\"\($n % 8 * 100)\" " +
	    "y=\"\(($n / 8 | floor) * 100)\" width=\"100\" height=\"100\"/>"] | add // "") + "</svg>";

# The board itself, which all diagrams use.
def board_symbol:
	"<svg width=\"0\" height=\"0\" class=\"defs\" aria-hidden=\"true\" focusable=\"false\">" +
	"<symbol id=\"board\" viewBox=\"0 0 800 800\"><path class=\"lt\" d=\"M0 0h800v800H0z\"/><path class=\"sq\" d=\"" +
	([range(0; 8) as $y | range(0; 8) as $x | select(($x + $y) % 2 == 1) | "M\($x * 100) \($y * 100)h100v100h-100z"] | add) + "\"/>" +
	([range(0; 8) as $i | "<text class=\"co\(if $i % 2 == 0 then " on" else "" end)\" x=\"\($i * 100 + 84)\" y=\"793\">\("abcdefgh"[$i:$i + 1])</text>" +
	    "<text class=\"co\(if $i % 2 == 1 then " on" else "" end)\" x=\"5\" y=\"\($i * 100 + 20)\">\(8 - $i)</text>"] | add) +
	"</symbol></svg>\n";

# Who is to move first, and at which move: [side, number].
def start_of: (.start // "") | split(" ") | [.[1] // "w", (.[5] // "1" | tonumber? // 1)];

def move_list: start_of as $start | .san as $san |
	([.marks | split(" ")[] | select(. != "") | split(":") | {key: .[0], value: .[1]}] | from_entries) as $marks |
	(if $start[0] == "b" then 1 else 0 end) as $shift |
	[range(0; $san | length) as $i | (($i + $shift) % 2) as $black | ($start[1] + (($i + $shift) / 2 | floor)) as $number |
	    (if $black == 0 then "<span class=\"p\"><i>\($number).</i> " elif $i == 0 then "<span class=\"p\"><i>\($number)…</i> " else "" end) +
	    ($marks["\($i + 1)"] as $kind | if $kind then
	    "<button data-mark=\"\($kind | e)\">\($san[$i] | e)<span class=\"badge\">\($kind | kind_badge | e)</span></button>"
	    else "<button>\($san[$i] | e)</button>" end) + (if $black == 0 or $i == 0 then "</span> " else " " end)] | add // "no moves";

# A game worth a part of a point is no draw.
def result_line: "\(if .points | is_number then "\(.points) points to White" else .result | result_words end)\(if .result == "*" then "" else " by \(.end | end_words)" end)";

def article($id; $class; $title; $meta):
	"<article class=\"game \($class)\" id=\"\($id | e)\" data-moves=\"\(.moves | e)\" data-start=\"\(.start // "" | e)\" " +
	((.set // .rules) as $rules | if $ARGS.named.pages // [] | index($rules) then
	    "data-page=\"pages/\($rules | @uri).html\" " else "" end) +
	"aria-label=\"\($title | e)\">\n<h4>\($title | e)</h4>\n<p class=\"meta\">\($meta)</p>\n" +
	"<div class=\"play\"><div class=\"board\">\(.moves as $moves | .last | diagram($moves | split(" ")[-1]))</div>" +
	"<p class=\"now\" aria-live=\"polite\"></p></div>\n<div class=\"moves\">\(move_list)<span class=\"end\">\(if .whole == false then "…" else .result end | e)</span></div>\n</article>\n";

def capital: (.[:1] | ascii_upcase) + .[1:];

def role_words: {"shortest": "shortest win", "special": "most special moves", "longest": "longest game",
    "median": "median length"} as $words | split("+") | map($words[.] // .) | and_list | capital;

def special_counts: [.marks | split(" ")[] | select(. != "") | split(":")[1] | kind_badge] | group_by(.) |
    map("\(length) × \(.[0])") | if . == [] then "" else " · " + join(", ") end;

def game_meta: "\(result_line | capital | e) in \((.plies + 1) / 2 | floor | plural("move"))\(special_counts | e) · " +
    "game \(.id | e)\(if .sims then ", \(.sims | count) a move" else "" end)";

def games_of($d; $rules):
	($d.games | map(select(.set == $rules))) as $games |
	select($games != []) |
	"<h3 id=\"games-\($rules | slug)\">\($rules | named($d) | e)</h3>\n" +
	"<p>\($rules | sentence($d) | e)</p>\n<div class=\"set\">\n" +
	([range(0; $games | length) as $i | $games[$i] | article("game-\($rules | slug)-\(.role)"; "whole"; .role | role_words; game_meta)] | add) +
	"</div>\n";

def games($d): section("games"; "Games to play through";
	para("For each rule set, from its games at the longer budget (at most the first \($d.looked_at | count)): the shortest decisive game, the one " +
	    "with the most special moves, the longest, and, if these are fewer than three games, the one of median length. Of equal games the first is shown.") +
	"<p class=\"keys\">Use the buttons, click a move, or tap the right or left half of the board. With the keyboard, when the board has the focus: " +
	"← and → step, Home and End jump, the space bar plays. Special moves are <strong class=\"key\">marked in this colour</strong>, " +
	"in the list and by an arrow on the board.</p>\n" +
	([$d.rules[].rules | games_of($d; .)] | add // note("There are no games.")));

def lines_of($d; $rules):
	($d.mainlines | map(select(.set == $rules))) as $lines |
	select($lines != []) |
	"<h3>\($rules | named($d) | e)</h3>\n<div class=\"lines\">\n" +
	([$lines[] | article("line-\($rules | slug)-\(.first | slug)"; "line"; "1. \(.first)";
	    "\(if .whole then result_line | capital | e else "The game: \(result_line | e)" end)\(special_counts | e)")] | add) +
	"</div>\n";

def mainlines($d): section("mainlines"; "Main lines";
	para("The move that the search finds best, after three first moves or from the start where the rules do not allow these, and nothing drawn at random: \($d.run.mainlines.plies // 40) plies, and the position they lead to. " +
	    "You can play through them like the games below.") +
	([$d.rules[].rules | lines_of($d; .)] | add // note("There are no main lines.")));
