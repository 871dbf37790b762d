# The probability that one rule set is more decisive than another, or better for
# White: a matrix, row against column. what is draw or score.
W = 160 + 52 * n; H = 150 + 36 * n
load here.'style.gp'
field = what eq 'draw' ? 'p_draw_less' : 'p_score_greater'
sims = system("awk -F '\t' 'NR > 1 && !seen[$1]++ { print $2 }' ".T.'compare.tsv')
set label 1 (what eq 'draw' ? 'p(row has fewer draws than column)' : \
    'p(row scores more for White than column)') \
    at screen 0.015, 1 - 18.0 / H left font ',13' textcolor rgb INK
set label 2 word(sims, int(budget)).' '.unit.' a move' \
    at screen 0.015, 1 - 40.0 / H left font ',11' textcolor rgb INK
set lmargin screen 150.0 / W
set rmargin screen 0.99
set tmargin screen 1 - 62.0 / H
set bmargin screen 100.0 / H
set border 0
unset grid
unset colorbox
set xrange [0.5:n + 0.5]; set yrange [0.5:n + 0.5]; set cbrange [0:1]
# as the report's own tables have it
set palette defined (0 '#c9763f', 0.5 '#f7f7f5', 1 '#2f6f86')
eval RULE_TICS
set ytics scale 0
set xtics ('' 0)	# names only, no numbers between two of them
set for [i = 1:n] xtics add (L[i] i)
set xtics scale 0 rotate by 35 right
on(x) = column('budget') == int(budget) ? x : NaN
p(x) = column(field)
# Pairs that do not differ after adjustment for all pairs have no colour.
sure(x) = column('p_'.what.'_holm') < 0.05
shade(x) = sure(0) ? p(0) : 0.5
plot T.'compare.tsv' using (on(place(strcol('a')) ? place(strcol('b')) : NaN)):(row(strcol('a'))):(0.48):(0.48):(shade(0)) \
        with boxxyerror fillcolor palette notitle, \
    '' using (on(place(strcol('b')))):(row(strcol('a'))):(sprintf('%.2f', p(0))):(abs(shade(0) - 0.5) > 0.35 ? 0xffffff : 0x333333) \
        with labels font ',10' textcolor rgb variable notitle
