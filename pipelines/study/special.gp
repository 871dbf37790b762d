# How often moves that classical chess lacks are used; the study's numbers as
# diamonds.
W = 900
# rule set, kind, share of games, lo, hi, share of moves, lo, hi, the study's two
rows = system("awk -F '\t' '".\
    'FILENAME ~ /published/ { theirs[$1, $2] = $3; next } '.\
    'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } '.\
    '$at["budget"] == 1 && $at["class"] == "new" { '.\
    'item = $at["rules"] "/" $at["kind"]; '.\
    'printf "%s|%s|%s|%s|%s|%s|%s|%s|%s|%s\n", $at["rules"], $at["kind"], '.\
    '$at["games_share"], $at["games_share_lo"], $at["games_share_hi"], '.\
    '$at["moves_share"], $at["moves_share_lo"], $at["moves_share_hi"], '.\
    'theirs["special-games", item], theirs["special-moves", item] }'."' ".\
    here.'published.tsv '.T.'special.tsv')
m = words(rows)
# The edge of the second panel: a tenth beyond the largest share of moves, in percent.
widest = real(system("awk -F '|' '{ for (i = 6; i <= 10; i++) if (i != 9 && $i + 0 > most) most = $i + 0 } ".\
    "END { print (most > 0 ? 110 * most : 1) }' <<'END'\n".rows."\nEND"))
H = 120 + 30 * m
load here.'style.gp'
if (m == 0) { eval NOTHING; exit }
set datafile nocolumnheaders
set datafile separator '|'
set print $use
print rows
unset print
set multiplot layout 1,2 margins 0.3,0.97,70.0 / H,1 - 50.0 / H spacing 0.05
set yrange [0.4:m + 0.6]
set grid noytics
set border 1
label(r, k) = L[place(r)].': '.(k eq 'stalemate-win' ? 'won by stalemate' : k)
do for [i = 1:m] {
	item = word(rows, i)
	bar = strstrt(item, '|')
	rest = item[bar + 1:*]
	set ytics add (label(item[1:bar - 1], rest[1:strstrt(rest, '|') - 1]) m + 1 - i)
}
set ytics scale 0
set xrange [0:*]
unset key
set label 1 'with a 95 % interval        ◇  the study' at screen 0.97,22.0 / H right \
    font ',11' textcolor rgb INK
y(x) = m - column(0)
shade(x) = rgb_of(strcol(1))
hex(s) = int('0x'.s[2:7])
rgb_of(s) = hex(colour(place(s)))
set xtics format '%g %%'
do for [p = 1:2] {
	o = p == 1 ? 3 : 6
	set title p == 1 ? 'share of games' : 'share of moves'
	if (p == 1) { set xrange [0:105]; set xtics 0,25,100 } else { set xrange [0:widest]; set xtics autofreq; }
	plot $use using (0):(y(0)):(0):(100 * column(o)):(y(0) - 0.3):(y(0) + 0.3):(shade(0)) \
	        with boxxyerror fillcolor rgb variable notitle, \
	    '' using (100 * column(o)):(y(0)):(100 * column(o + 1)):(100 * column(o + 2)) \
	        with xerrorbars pointtype 0 linewidth 1 linecolor rgb INK notitle, \
	    '' using (100 * column(p == 1 ? 9 : 10)):(y(0)) \
	        with points pointtype 12 pointsize 1 linewidth 1.6 linecolor rgb INK notitle, \
	    NaN notitle
	unset ytics
	unset label 1
}
unset multiplot
