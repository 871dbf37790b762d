# How many more moves a classical player would have to look at, at some plies.
FILE = T.'additional.tsv'; FIELD = 'additional'; first = 2
shown(x) = x
load here.'plydots.gp'
