# Piece values in pawns, with intervals; the study's as diamonds. Fitted to search
# values, or to results where there is no such fit.
W = 960; H = 120 + 28 * n
load here.'style.gp'
FILE = T.'values.tsv'
target = system("awk -F '\t' 'NR == 1 { while ($(++t) != \"target\"); next } $t == \"search\" { found = 1 } ".\
    "END { print (found ? \"search\" : \"result\") }' ".FILE)
array piece[4] = ['knight', 'bishop', 'rook', 'queen']
array most[4] = [6, 6, 10, 16]
set multiplot layout 1,4 margins 0.16,0.98,70.0 / H,1 - 45.0 / H spacing 0.025
set border 1
set grid noytics
set yrange [0.4:n + 0.6]
unset key
set label 1 '●  ours, with a 95 % interval        ◇  the study' at screen 0.98,22.0 / H right \
    font ',11' textcolor rgb INK
eval RULE_TICS
set ytics scale 0
hex(s) = int('0x'.s[2:7])
shade(r) = hex(colour(place(r)))
# An unbounded interval extends to the edge of the panel.
cut(x) = x < 0 ? 0 : x > top ? top : x
end(k) = strcol(k) eq 'inf' ? top : strcol(k) eq '-inf' ? 0 : cut(column(k))
on(x) = column('budget') == 1 && strcol('target') eq target ? x : NaN
do for [i = 1:4] {
	p = piece[i]; top = most[i]
	set title p
	set xrange [0:top]
	set xtics top > 10 ? 4 : top > 6 ? 2 : 1
	plot FILE using (column(p)):(on(row(strcol('rules')))):(end(p.'_lo')):(end(p.'_hi')):(shade(strcol('rules'))) \
	        with xerrorbars pointtype 7 pointsize 0.8 linewidth 1.4 linecolor rgb variable notitle, \
	    here.'published.tsv' using (strcol('measure') eq p ? column('theirs') : NaN):(row(strcol('item'))) \
	        with points pointtype 12 pointsize 1 linewidth 1.4 linecolor rgb INK notitle, \
	    NaN notitle
	unset ytics
	unset label 1
}
unset multiplot
