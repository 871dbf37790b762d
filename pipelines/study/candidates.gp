# How many moves are worth a look at each ply, all rule sets together.
W = 900; H = 480
load here.'style.gp'
FILE = T.'entropy.tsv'
set xlabel 'ply' textcolor rgb INK
set ylabel 'candidate moves M(t)' textcolor rgb INK
set xrange [0.5:20.5]
set xtics 2
set yrange [0:*]
set key outside right center reverse Left samplen 2
m(i) = strcol('prior') eq 'net' && strcol('rules') eq N[i] ? column('m') : NaN
plot for [i = 1:n] FILE using (column('ply')):(m(i)) with linespoints linetype i pointtype 7 pointsize 0.4 title L[i]
