# Predicted and observed, by bin: a row of panels for each measure, a column for each
# number of nodes, a line for each rule set. calibration sets N, L, n, S, m, T, out, here.
array L[n]
do for [i = 1:n] { L[i] = N[i] }
W = 420 * m + 200; H = 860
load here.'/study/style.gp'
unset key
set multiplot layout 2,m margins 70.0 / W,1 - 190.0 / W,0.07,0.95 spacing 60.0 / W,0.1
set xrange [0:1]
set yrange [0:1]
set size square
do for [p = 1:2] {
	measure = word('points draw', p)
	what = p == 1 ? 'points' : 'draws'
	do for [j = 1:m] {
		set title sprintf('%s, %d nodes', what, S[j])
		set xlabel 'predicted' textcolor rgb INK
		if (j == 1) { set ylabel 'observed' textcolor rgb INK } else { unset ylabel }
		if (p == 1 && j == m) { set key outside right top } else { unset key }
		mine(i) = strcol('rules') eq N[i] && strcol('measure') eq measure && column('sims') == S[j] && \
		    strcol('bin') ne 'all' ? column('predicted') : NaN
		plot x with lines linecolor rgb PALE linewidth 1 notitle, \
		    for [i = 1:n] T using (mine(i)):(column('observed')):(column('low')):(column('high')) \
		        with yerrorlines linetype i pointtype 7 pointsize 0.35 title L[i]
	}
}
unset multiplot
