# Plays games through: which moves are special, and how it looks at the end.
#
# In:  id, result, end, start FEN or nothing, 1 if castling is late, moves in
#      long form; tab-separated.
# Out: id, result, end, plies, number of special moves, marks (ply:kind ...),
#      last position as 64 characters from a8 to h1, side to move.
# Moves are taken to be legal, as all of ours are: pgnread sees to that.

BEGIN {
	FS = OFS = "\t"
	usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
}

# Squares are numbered 1 to 64, from a8 to h1.
function square(name) {
	return (8 - substr(name, 2, 1)) * 8 + index("abcdefgh", substr(name, 1, 1))
}

function is_white(piece) { return piece ~ /[A-Z]/ }

function set_up(fen,    part, i, c, n) {
	split(fen, part, " ")
	for (i = n = 1; i <= length(part[1]); i++) {
		c = substr(part[1], i, 1)
		if (c ~ /[1-8]/)
			for (; c > 0; c--)
				at[n++] = "."
		else if (c != "/")
			at[n++] = c
	}
	side = part[2]
	number = part[6] == "" ? 1 : part[6]
}

# Plays a move; the kind if it is special, else nothing.
function play(move,    from, to, moved, taken, ahead, aside, rank, kind) {
	from = square(substr(move, 1, 2))
	to = square(substr(move, 3, 2))
	moved = at[from]
	taken = at[to]
	kind = ""
	ahead = substr(move, 4, 1) - substr(move, 2, 1)
	rank = substr(move, 2, 1)
	if (side == "b") {
		ahead = -ahead
		rank = 9 - rank
	}
	aside = (to - 1) % 8 - (from - 1) % 8
	if (toupper(moved) == "P") {
		if (aside != 0 && ahead == 1 && taken == ".") {
			at[to + (side == "w" ? 8 : -8)] = "."
			if (rank != 5)
				kind = "en-passant"
		} else if (ahead == 2 && rank != 2)
			kind = rank == 6 ? "torpedo-promotion" : "torpedo"
		else if (ahead == -1)
			kind = "back"
		else if (ahead == 0)
			kind = "sideways"
		if (length(move) == 5)
			moved = side == "w" ? toupper(substr(move, 5, 1)) : \
			    substr(move, 5, 1)
	} else if (toupper(moved) == "K" && (aside == 2 || aside == -2)) {
		at[aside > 0 ? to - 1 : to + 1] = at[aside > 0 ? to + 1 : to - 2]
		at[aside > 0 ? to + 1 : to - 2] = "."
		if (late)
			kind = "late-castling"
	}
	if (taken != "." && is_white(taken) == (side == "w"))
		kind = "self-capture"
	at[from] = "."
	at[to] = moved
	if (side == "b")
		number++
	side = side == "w" ? "b" : "w"
	return kind
}

{
	late = $5
	set_up($4 == "" ? usual : $4)
	marks = ""
	specials = 0
	plies = split($6, move, " ")
	for (i = 1; i <= plies; i++) {
		kind = play(move[i])
		if (i == plies && $3 == "stalemate" && $2 ~ /^(1-0|0-1)$/)
			kind = "stalemate-win"
		if (kind != "") {
			marks = marks (marks == "" ? "" : " ") i ":" kind
			specials++
		}
	}
	board = ""
	for (i = 1; i <= 64; i++)
		board = board at[i]
	print $1, $2, $3, plies, specials, marks, board, side
}
