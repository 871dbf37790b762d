# A number at some plies, a dot with its interval for each rule set: a panel for
# each ply. A script sets FILE, FIELD, first (the first rule set to show) and
# shown(x), which is NaN for rows that are not.
W = 960; H = 110 + 26 * n
load here.'style.gp'
array ply[4] = [1, 5, 10, 20]
set multiplot layout 1,4 margins 0.16,0.98,60.0 / H,1 - 45.0 / H spacing 0.025
set border 1
set grid noytics
set yrange [0.4:n + 1.6 - first]
unset key
set xzeroaxis
eval RULE_TICS
set ytics scale 0
set xtics autofreq
hex(s) = int('0x'.s[2:7])
shade(r) = hex(colour(place(r)))
wide(x) = 1.96 * column(FIELD.'_se')
do for [i = 1:4] {
	on(x) = column('ply') == ply[i] && place(strcol('rules')) >= first ? shown(x) : NaN
	set title sprintf('ply %d', ply[i])
	plot FILE using (column(FIELD)):(on(row(strcol('rules')))):(wide(0)):(shade(strcol('rules'))) \
	    with xerrorbars pointtype 7 pointsize 0.8 linewidth 1.4 linecolor rgb variable notitle, NaN notitle
	unset ytics
}
unset multiplot
