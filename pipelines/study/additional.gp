# How many more moves a classical player would have to look at.
W = 900; H = 480
load here.'style.gp'
FILE = T.'additional.tsv'
set xlabel 'ply' textcolor rgb INK
set ylabel 'additional candidates for a classical player' textcolor rgb INK
set xrange [0.5:20.5]
set xtics 2
set xzeroaxis linetype 1 linewidth 1 linecolor rgb PALE
set key outside right center reverse Left samplen 2
a(i) = strcol('rules') eq N[i] ? column('additional') : NaN
plot for [i = 2:n] FILE using (column('ply')):(a(i)) with linespoints linetype i pointtype 7 pointsize 0.4 title L[i]
