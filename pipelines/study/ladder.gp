# Draw rate and White's score against a ladder, of budgets or of training: a panel
# for each rule set, with the fitted lines. A line is extrapolated, dashed, only where
# trend(1) gives an estimate. Rungs beyond the last that lines are fitted to are hollow;
# last is that rung, over the column of the ladder.
columns_of = n < 5 ? n : 5
rows_of = (n + columns_of - 1) / columns_of
W = 80 + 190 * columns_of; H = 80 + 190 * rows_of
load here.'style.gp'
FILE = T.file.'.tsv'
if (!has(FILE)) { eval NOTHING; exit }
CURVES = T.'curves.tsv'
DRAWS = '#1f5fa8'; SCORE = '#b3202a'
# The last point of a curve is the extrapolated one.
first = real(system("awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { print $at[\"".over."\"] }' ".FILE.' | sort -n | head -n 1'))
last = real(last)
set multiplot layout rows_of,columns_of margins 46.0 / W,1 - 12.0 / W,66.0 / H,1 - 34.0 / H spacing 26.0 / W,52.0 / H
set logscale x 2
set xrange [first / 1.3:last * (which eq 'thinking' ? 5.2 : 2.6)]
set yrange [0:100]
set ytics 0,25,100
set format y '%g'
set xtics first,4 rotate by 0 font ',10'
set ytics font ',10'
set key off
set label 1 '● draws' at screen 46.0 / W,26.0 / H left textcolor rgb DRAWS
set label 2 "■ White's score" at screen 120.0 / W,26.0 / H left textcolor rgb SCORE
set label 3 (which eq 'thinking' ? unit.' a move' : 'generation of training').', per cent; dashed: not played; hollow: not fitted' \
    at screen 46.0 / W,10.0 / H left textcolor rgb INK
points_of(name, f, beyond) = strcol('rules') eq name && (column(over) > last) == beyond ? 100 * column(f) : NaN
curve_of(name, m, beyond) = strcol('ladder') eq which && strcol('rules') eq name && strcol('measure') eq m && \
    (beyond ? column('at') >= last : column('at') <= last) ? 100 * column('y') : NaN
do for [i = 1:n] {
	if (i == 2) { unset label }
	set title L[i] offset 0,-0.6 font ',11'
	plot for [b = 0:1] FILE using (column(over)):(points_of(N[i], 'draw_rate', b)):(100 * column('draw_rate_lo')):(100 * column('draw_rate_hi')) \
	    with yerrorbars pointtype (b ? 6 : 7) pointsize 0.5 linewidth 1.2 linecolor rgb DRAWS notitle, \
	    for [b = 0:1] FILE using (column(over)):(points_of(N[i], 'score', b)):(100 * column('score_lo')):(100 * column('score_hi')) \
	    with yerrorbars pointtype (b ? 4 : 5) pointsize 0.45 linewidth 1.2 linecolor rgb SCORE notitle, \
	    for [m in 'draw_rate score'] CURVES using (column('at')):(curve_of(N[i], m, 0)) \
	    with lines linewidth 1.6 linecolor rgb (m eq 'score' ? SCORE : DRAWS) notitle, \
	    for [m in 'draw_rate score'] CURVES using (column('at')):(curve_of(N[i], m, 1)) \
	    with lines linewidth 1.4 dashtype 2 linecolor rgb (m eq 'score' ? SCORE : DRAWS) notitle
}
unset multiplot
