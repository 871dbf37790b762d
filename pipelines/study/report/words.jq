# What rule sets, kinds of moves, ends and measures are called, for people.
include "html";


# Hundredths of a win as points: 50 is three quarters.
# (All words are made of every value, also of one that is no number.)
def points_words: ((if type == "number" then . else 0 end + 100) / 200) as $p | if $p == 0.75 then "three quarters of a point" elif $p == 0.25 then "a quarter of a point" else "\($p | fix(2)) points" end;

# What each field changes, as in rules(7).
def field_words: {
	castling_from: (if . == 0 then "castling is never legal" else
	    "castling is legal from move \(.) on only" end),
	double_step: (if . == 0 then "pawns never step two squares" elif . == 6 then
	    "pawns may step two squares from anywhere" else
	    "pawns may step two squares from their 2nd to \(.)\(if . == 3 then "rd" else
	    "th" end) rank" end),
	pawn_back: "pawns may also step one square back",
	pawn_sideways: "pawns may also step one square aside",
	self_capture: "pieces may take those of their own side",
	stalemate_wins: "who is stalemated loses",
	stalemate_value: (if . == 100 then "who is stalemated loses" elif . == -100 then "who is stalemated wins" else
	    "giving stalemate is worth \(points_words)" end),
	bare_king_value: (if . == 100 then "who has only a king left loses" else "a bare king is worth \(points_words) to the opponent" end),
	repetition_value: (if . == -100 then "who repeats a position for the third time loses" else
	    "repeating for the third time is worth \(points_words) to the one who does it" end),
	draw_value: (if . == -100 then "a draw is a win for Black" elif . == 100 then "a draw is a win for White" else
	    "a draw is worth \(points_words) to White" end),
	checks_to_win: "who gives \(if . == 1 then "check" else "the \(.)\({"2": "nd", "3": "rd"}["\(.)"] // "th") check" end) wins",
	hill_wins: "a king that reaches one of the four centre squares wins",
	en_passant: (if . then "en passant is legal" else "there is no en passant capture" end),
	promote_to: "pawns may become \(tostring | ascii_upcase | split("") | and_list) only",
	start: (if . == "960" then "games begin with one of the 960 arrays of the back rank" else "games begin with \(.)" end),
	knight: "knights move as \(.)", bishop: "bishops move as \(.)", rook: "rooks move as \(.)", queen: "queens move as \(.)", king: "kings move as \(.)",
	count_limit: "a game is drawn after \(.) plies without progress",
	ply_limit: "a game is drawn after \(.) plies"
};

def preset_fields: {
	"classical": {},
	"no-castling": {castling_from: 0},
	"no-castling-10": {castling_from: 11},
	"pawn-one-square": {double_step: 0},
	"stalemate-win": {stalemate_wins: true},
	"torpedo": {double_step: 6},
	"semi-torpedo": {double_step: 3},
	"pawn-back": {pawn_back: true},
	"pawn-sideways": {pawn_sideways: true},
	"self-capture": {self_capture: true},
	"chess960": {start: "960"}, "no-en-passant": {en_passant: false}, "three-check": {checks_to_win: 3},
	"king-of-the-hill": {hill_wins: true}, "stalemate-3-4": {stalemate_value: 50}, "bare-king": {bare_king_value: 100},
	"armageddon": {draw_value: -100}
};

# The fields that differ from chess, of rules as a stream has them: a sum of
# presets, or an object.
def fields: if type == "object" then del(.name) else
    (tostring | split("+") | map(preset_fields[.] // {}) | add // {}) end;

def rule_words: fields | to_entries | map(.key as $key | .value |
    field_words[$key] // "\($key) is \(.)") |
    if length == 0 then "the rules of FIDE" else and_list end;

def castles_late: fields | .castling_from // 1 | . > 1;

def opening_words: {"dutch": "Dutch Defence", "chigorin": "Chigorin Defence",
    "alekhine": "Alekhine’s Defence", "kings-gambit": "King’s Gambit"}[.] // .;
def opening_moves: {"dutch": "1. d4 f5", "chigorin": "1. d4 d5 2. c4 Nc6",
    "alekhine": "1. e4 Nf6", "kings-gambit": "1. e4 e5 2. f4"}[.] // "";

# Kinds of special moves: in a list of moves, and in a sentence.
def kind_badge: {"torpedo": "torpedo", "torpedo-promotion": "torpedo", "en-passant": "e.p.",
    "back": "back", "sideways": "aside", "self-capture": "own piece", "late-castling": "late",
    "stalemate-win": "stalemate wins", "checks-win": "last check", "hill-win": "on the hill",
    "bare-king": "bare king"}[.] // .;

# Of all kinds of a move as movestats has them, the one that games show; null: none.
# Castling is special where it is legal only from some move on.
def marked_kind($rules): . as $kinds | first(("stalemate-win", "checks-win", "hill-win", "bare-king", "self-capture",
    "torpedo-promotion", "torpedo", "en-passant-torpedo", "back", "sideways",
    ("castle" | select($rules | castles_late))) | select(IN($kinds[]))) // null |
    if . == "en-passant-torpedo" then "en-passant" elif . == "castle" then "late-castling" else . end;

# Kinds as movestats counts them.
def kind_words: {
	"torpedo": "torpedo step", "torpedo-promotion": "torpedo step that promotes",
	"en-passant": "en passant, all", "en-passant-torpedo": "en passant of a torpedo step",
	"en-passant-rank-3": "… on the 3rd rank", "en-passant-rank-4": "… on the 4th rank",
	"en-passant-rank-5": "… on the 5th rank", "en-passant-rank-6": "… on the 6th rank",
	"back": "step back", "sideways": "step aside", "self-capture": "self-capture, all",
	"castle": "castling, both sides", "castle-short": "… short", "castle-long": "… long",
	"stalemate-win": "win by stalemate (of decisive games)"
}[.] // (if startswith("self-capture-by-") then "… by a " + .[16:]
    elif startswith("self-capture-") then "… of a " + .[13:] else gsub("-"; " ") end);

# Those that chess does not have, on their own.
def is_new_kind: IN("torpedo", "torpedo-promotion", "en-passant-torpedo", "back", "sideways",
    "self-capture", "stalemate-win");

def end_words: {"checkmate": "checkmate", "stalemate": "stalemate",
    "repetition": "threefold repetition", "fifty": "too many moves without progress",
    "material": "dead material", "length": "the limit of plies",
    "checks": "checks given", "hill": "the king on the hill", "bare-king": "a bare king",
    "resign": "resignation", "unknown": "an end that is not known"}[.] // .;

def result_words: {"1-0": "White won", "0-1": "Black won", "1/2-1/2": "drawn"}[.] //
    "no result";

def measure_words: {
	"knight": "Value of the knight", "bishop": "Value of the bishop",
	"rook": "Value of the rook", "queen": "Value of the queen",
	"knight-search": "Value of the knight, by the search", "bishop-search": "Value of the bishop, by the search",
	"rook-search": "Value of the rook, by the search", "queen-search": "Value of the queen, by the search",
	"entropy": "Entropy of 20 plies", "entropy-first": "Entropy after 1. e4 and 1. Nf3",
	"divergence": "Divergence", "score-1": "White’s score, first budget",
	"score-2": "White’s score, second budget",
	"draw-rate-1": "Draw rate, first budget", "draw-rate-2": "Draw rate, second budget",
	"special-games": "Share of games with the special move",
	"special-moves": "Share of moves that are special",
	"self-captured": "What self-captures take",
	"first-move": "What the prior gives to first moves",
	"score-training": "White’s score, training",
	"entropy-uniform": "Entropy of 20 plies, uniform moves"
}[.] // gsub("-"; " ");
