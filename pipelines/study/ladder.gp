# Draw rate and White's score at each budget of thinking: a row for each rule
# set, in it a dot with its interval for each budget, the darker the longer.
W = 960; H = 110 + 44 * n
load here.'style.gp'
FILE = T.'ladder.tsv'
budgets = system("awk -F '\t' 'NR > 1 { print $1 }' ".FILE.' | sort -nu')
many = words(budgets)
set multiplot layout 1,2 margins 0.16,0.98,66.0 / H,1 - 40.0 / H spacing 0.04
set border 1
set grid noytics
set yrange [0.4:n + 0.6]
set key at screen 0.98,6.0 / H right bottom horizontal reverse Left samplen 1 width 1 maxrows 1
eval RULE_TICS
set ytics scale 0
grey(k) = sprintf('#%02x%02x%02x', 150 - 120 * (k - 1) / many, 180 - 120 * (k - 1) / many, 200 - 120 * (k - 1) / many)
shift(k) = 0.3 - 0.6 * (k - 1) / (many > 1 ? many - 1 : 1)
on(k) = column('sims') == real(word(budgets, k)) ? row(strcol('rules')) + shift(k) : NaN
array field[2] = ['draw_rate', 'score']
array heading[2] = ['Draw rate, %', "White's score, %"]
do for [i = 1:2] {
	f = field[i]
	set title heading[i]
	plot for [k = 1:many] FILE using (100 * column(f)):(on(k)):(100 * column(f.'_lo')):(100 * column(f.'_hi')) \
	    with xerrorbars pointtype 7 pointsize 0.7 linewidth 1.4 linecolor rgb grey(k) title word(budgets, k).' a move'
	unset ytics
	unset key
}
unset multiplot
