# Lengths of games at the first budget, all and decisive ones: a ridge for each rule
# set, bins of 10 plies, with the mean as a stroke.
W = 900; H = 120 + 42 * n
load here.'style.gp'
FILE = T.'lengths.tsv'
# rule set, bin, share of games: the largest share of all is 1
bins(kind) = "< awk -F '\t' -v kind=".kind." '".\
    'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } '.\
    '$at["budget"] == 1 && $at["kind"] == kind { r = $at["rules"]; b = int($at["plies"] / 10); '.\
    'c[r, b] += $at["games"]; s[r] += $at["games"]; if (b > top) top = b } '.\
    'END { print "rules\tplies\tshare"; '.\
    'for (r in s) for (b = 0; b <= top; b++) if (c[r, b] / s[r] > most) most = c[r, b] / s[r]; '.\
    'for (r in s) { print r "\t0\t0"; for (b = 0; b <= top; b++) { h = c[r, b] / s[r] / most; '.\
    'print r "\t" 10 * b "\t" h; print r "\t" 10 * b + 10 "\t" h } print r "\t" 10 * top + 10 "\t0" } }'."' ".FILE
mean(kind) = "< awk -F '\t' -v kind=".kind." '".\
    'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "rules\tmean"; next } '.\
    '$at["budget"] == 1 && $at["kind"] == kind { c[$at["rules"]] += $at["games"]; s[$at["rules"]] += $at["games"] * $at["plies"] } '.\
    'END { for (r in c) print r "\t" s[r] / c[r] }'."' ".FILE
set multiplot layout 1,2 margins 0.17,0.98,60.0 / H,1 - 45.0 / H spacing 0.04
set border 1
set grid noytics
set yrange [0.8:n + 1.1]
set xrange [0:*]
set xlabel 'plies' textcolor rgb INK
eval RULE_TICS
set ytics scale 0 offset 0,0.6
do for [p = 1:2] {
	kind = p == 1 ? 'all' : 'decisive'
	set title p == 1 ? 'all games' : 'decisive games'
	plot for [i = 1:n] bins(kind) using (strcol('rules') eq N[i] ? column('plies') : NaN):(n + 1 - i):(n + 1 - i + 0.92 * column('share')) \
	        with filledcurves fillcolor rgb colour(i) fillstyle transparent solid 0.55 notitle, \
	    mean(kind) using (column('mean')):(row(strcol('rules'))):(0):(0.5) with vectors nohead \
	        linewidth 1.4 linecolor rgb INK notitle, \
	    NaN notitle
	unset ytics
}
unset multiplot
