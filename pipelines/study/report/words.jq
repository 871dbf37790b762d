# Names for people of rule sets, kinds of moves, ends and measures.
include "doc";


# Rules of a game as --rules takes them: a sum of presets, or an object as JSON.
def spec: if type == "object" then tojson else tostring end;

def opening_words: {"dutch": "Dutch Defence", "chigorin": "Chigorin Defence",
    "alekhine": "Alekhine’s Defence", "kings-gambit": "King’s Gambit"}[.] // .;
def opening_moves: {"dutch": "1. d4 f5", "chigorin": "1. d4 d5 2. c4 Nc6",
    "alekhine": "1. e4 Nf6", "kings-gambit": "1. e4 e5 2. f4"}[.] // "";

# Kinds of special moves: in a list of moves, and in a sentence.
def kind_badge: {"torpedo": "torpedo", "torpedo-promotion": "torpedo", "en-passant-torpedo": "e.p.",
    "back": "back", "sideways": "sideways", "self-capture": "own piece", "castle-late": "late",
    "stalemate-win": "stalemate wins", "checks-win": "last check", "hill-win": "on the hill", "goal-win": "goal",
    "bare-king": "bare king", "drop": "drop", "explosion": "explodes", "explosion-win": "king explodes",
    "forced-capture": "forced", "only-capture": "only move", "lost-all": "no pieces"}[.] // .;

# Kinds as movestats counts them.
def kind_words: {
	"torpedo": "torpedo step", "torpedo-promotion": "torpedo step that promotes",
	"en-passant": "en passant, all", "en-passant-torpedo": "en passant of a torpedo step",
	"en-passant-rank-3": "… on the 3rd rank", "en-passant-rank-4": "… on the 4th rank",
	"en-passant-rank-5": "… on the 5th rank", "en-passant-rank-6": "… on the 6th rank",
	"back": "step back", "sideways": "step sideways", "self-capture": "self-capture, all",
	"castle": "castling, both sides", "castle-short": "… short", "castle-long": "… long",
	"castle-late": "… of a side that may only later", "drop": "drop from the hand, all", "explosion": "explosion",
	"forced-capture": "forced capture, all", "only-capture": "… that was the only move",
	"lost-all": "all pieces lost", "stalemate-win": "win by stalemate (of decisive games)",
	"checks-win": "win by the last check (of decisive games)", "hill-win": "win on the hill (of decisive games)",
	"goal-win": "win at the goal (of decisive games)", "explosion-win": "win by the king’s explosion (of decisive games)"
}[.] // (if startswith("self-capture-by-") then "… by a " + .[16:]
    elif startswith("self-capture-") then "… of a " + .[13:]
    elif startswith("drop-") then "… of a " + .[5:]
    elif startswith("promotion-") then "… to a " + .[10:] else gsub("-"; " ") end);

def end_words: {"checkmate": "checkmate", "stalemate": "stalemate",
    "repetition": "threefold repetition", "fifty": "too many moves without progress",
    "material": "dead material", "length": "the ply limit",
    "checks": "the last check", "hill": "the king on the hill", "bare-king": "a bare king",
    "goal": "the king at its goal", "explosion": "the king’s explosion", "lost-all": "no pieces left",
    "resign": "resignation", "unknown": "an unknown end"}[.] // .;

def result_words: {"1-0": "White won", "0-1": "Black won", "1/2-1/2": "drawn"}[.] //
    "no result";

def measure_words: {
	"knight": "Value of the knight", "bishop": "Value of the bishop",
	"rook": "Value of the rook", "queen": "Value of the queen",
	"knight-search": "Value of the knight, from search", "bishop-search": "Value of the bishop, from search",
	"rook-search": "Value of the rook, from search", "queen-search": "Value of the queen, from search",
	"entropy": "Entropy of 20 plies", "entropy-first": "Entropy after 1. e4 and 1. Nf3",
	"divergence": "Divergence", "score-1": "White’s score, first budget",
	"score-2": "White’s score, second budget",
	"draw-rate-1": "Draw rate, first budget", "draw-rate-2": "Draw rate, second budget",
	"special-games": "Share of games with the special move",
	"special-moves": "Share of moves that are special",
	"self-captured": "Pieces taken by self-captures",
	"first-move": "Probability of first moves",
	"score-training": "White’s score, training",
	"entropy-uniform": "Entropy of 20 plies, uniform moves"
}[.] // gsub("-"; " ");
def measure_in_sentence: measure_words | if startswith("White") then . else (.[:1] | ascii_downcase) + .[1:] end;
