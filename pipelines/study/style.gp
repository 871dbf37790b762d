# Shared by all figures. A script sets W and H, the size in points, and loads this;
# plot sets kind, out, T, here, N[], L[] and n.

if (kind eq 'svg') {
	set terminal svg size W,H noenhanced font 'DejaVu Sans,12' background 'white'
} else {
	set terminal pngcairo size 2*W,2*H noenhanced font 'DejaVu Sans,12' \
	    fontscale 1.5 linewidth 2 pointscale 1.6 background 'white'
}
set output out
set encoding utf8
set datafile separator tab
set datafile missing ''
set datafile columnheaders

INK = '#333333'
PALE = '#b8b8b8'
set border 3 linewidth 0.8 linecolor rgb INK
set tics nomirror scale 0.6 textcolor rgb INK
set grid linetype 1 linewidth 0.5 linecolor rgb '#e4e4e4'
set title textcolor rgb INK
set key textcolor rgb INK noenhanced
set style fill solid 1 noborder

# Each rule set has one colour in all figures: classical black, castling blue,
# the slow pawn brown, stalemate gold, torpedoes red, other pawn moves green, self-capture violet.
array C[16] = ['#222222', '#1f5fa8', '#7fb0dd', '#8c6239', '#d9a420', '#b3202a', \
    '#e98a7d', '#2e7d4f', '#7cc29a', '#7b4fa3', \
    '#d6499a', '#0f8b8d', '#6b6b6b', '#a3b300', '#5a3fd6', '#ff7f0e']
colour(i) = C[(i - 1) % 16 + 1]
dash(i) = i <= 10 ? 1 : 2
do for [i = 1:n] {
	eval sprintf("set linetype %d linecolor rgb '%s' linewidth 1.8 dashtype %d", i, colour(i), dash(i))
}

# The place of a rule set, 0 for none; places in a column, the first on top.
place(s) = int(sum [i = 1:n] (N[i] eq s ? i : 0))
row(s) = n + 1 - place(s)

# Names of the rule sets along y (rows) or in a key.
name_rows = ''
do for [i = 1:n] {
	name_rows = name_rows.sprintf("%s'%s' %d", i > 1 ? ', ' : '', L[i], n + 1 - i)
}
RULE_TICS = 'set ytics ('.name_rows.')'

# Has a table any rows? gnuplot fails where there is nothing at all to plot; such a
# figure says so: if (!has(FILE)) { eval NOTHING; exit }
has(file) = int(system("awk 'NR > 1 { n = 1; exit } END { print n + 0 }' ".file))
NOTHING = "set label 99 'nothing to show' at graph 0.5, 0.5 center textcolor rgb INK; ".\
    "set xrange [0:1]; set yrange [0:1]; plot NaN notitle; unset label 99"

# Results, from White's side.
WIN = '#f1dfae'
DRAW = '#bfc3c7'
LOSS = '#4a4a4a'
PART_WIN = '#d9cdb0'
PART_LOSS = '#85878a'
