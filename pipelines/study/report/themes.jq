# Positions in which a move that chess does not have wins. $d is all data; see page.jq.
include "doc";
include "words";
include "results";
include "games";

def move_number: .ply as $ply | "\(($ply + 1) / 2 | floor)\(if $ply % 2 == 1 then "." else "…" end)\u00a0\(.san // .move)";
def theme_kind: {"torpedo": "A torpedo step", "torpedo-promotion": "A torpedo step that promotes", "back": "A step back", "sideways": "A step sideways",
    "self-capture": "A self-capture", "stalemate-win": "Stalemate", "drop": "A drop", "explosion": "An explosion", "explosion-win": "The king’s explosion",
    "en-passant-torpedo": "En passant of a torpedo step", "checks-win": "The last check", "hill-win": "The hill", "goal-win": "The goal",
    "bare-king": "A bare king", "lost-all": "Losing all"}[.] // .;
def score_words: if . > 0 then "+" + fix(2) else fix(2) end;

def theme($d): {theme: "\(.rules | slug)-\(.kind | slug)", fen, move: .move, text: ("⟨b|\(.rules | named($d) | e).⟩ \(.kind | theme_kind) wins: ⟨b|\(move_number | e)⟩ " +
	"⟨meta|Expected score \(.value | score_words); the best move of chess here, \(.chess_move | e), has \(.chess_value | score_words). " +
	"\(if .fen | split(" ")[1] == "w" then "White" else "Black" end) to move, game \(.game | e).⟩")};

def themes($d): section("themes"; "New themes";
	para("Positions from the games at the longer budget, found by the program: a move that chess does not have wins, and the best move of chess in the same position is far worse. " +
	    "Both were searched with \($d.themes[0].nodes // 0 | plural(unit($d))); scores are those of the side to move, from −1 (lost) to 1 (won). For each kind of move, the position where the two differ most is shown.") +
	(if $d.themes == [] then note("There is no such position in these games.") else
	[{themes: [$d.rules[].rules as $r | $d.themes[] | select(.rules == $r) | theme($d)]}] end));
