# Results of all games at both budgets.
W = 900; H = 120 + 28 * n
load here.'style.gp'
FILE = T.'outcomes.tsv'; KEY = 'budget'
sims = system("awk -F '\t' 'NR > 1 && !seen[$1]++ { print $2 }' ".FILE)
commas(s) = strlen(s) > 3 ? commas(s[1:strlen(s) - 3]).','.s[strlen(s) - 2:strlen(s)] : s
set multiplot layout 1,2 margins 0.17,0.97,38.0 / H,1 - 74.0 / H spacing 0.05
set key at screen 0.97,1 - 8.0 / H right top horizontal reverse Left samplen 1.2 width -1
eval RULE_TICS
set ytics scale 0
do for [b = 1:2] {
	PANEL = ''.b
	set title commas(word(sims, b)).' '.unit.' a move'
	load here.'bars.gp'
	unset key
	unset ytics
}
unset multiplot
