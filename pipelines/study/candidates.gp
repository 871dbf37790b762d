# Candidate moves at some plies.
FILE = T.'entropy.tsv'; FIELD = 'm'; first = 1
shown(x) = strcol('prior') eq 'net' ? x : NaN
load here.'plydots.gp'
