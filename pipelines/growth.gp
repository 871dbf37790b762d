# Elo against positions learnt, a line for each rule set. growth sets n (rule sets), here, kind
# and out; the files points and names are in this folder.
W = 640; H = 420
array L[n]
do for [i = 1:n] { L[i] = system(sprintf("sed -n %dp names", i)) }
load here.'/study/style.gp'
set logscale x
set format x '%g'
set xlabel 'positions learnt, in millions' textcolor rgb INK
set ylabel 'Elo against the opponent' textcolor rgb INK
if (n > 1) { set key outside right top } else { unset key }
plot for [i = 1:n] 'points' using (strcol('rules') eq L[i] ? column('learnt') / 1e6 : NaN):(column('elo')):(2 * column('error')) \
    with yerrorlines linetype i pointtype 7 pointsize 0.5 title L[i]
