# Results of all games at both budgets.
W = 900; H = 100 + 28 * n
load here.'style.gp'
FILE = T.'outcomes.tsv'; KEY = 'budget'
sims = system("awk -F '\t' 'NR > 1 && !seen[$1]++ { print $2 }' ".FILE)
set multiplot layout 1,2 margins 0.17,0.97,0.1,0.84 spacing 0.05
set key at screen 0.97,0.97 right top horizontal reverse Left samplen 1.2 width -1
eval RULE_TICS
set ytics scale 0
do for [b = 1:2] {
	PANEL = ''.b
	set title word(sims, b).' '.unit.' a move'
	load here.'bars.gp'
	unset key
	unset ytics
}
unset multiplot
