# Additional candidate moves compared with classical chess, at some plies.
FILE = T.'additional.tsv'; FIELD = 'additional'; first = 2
shown(x) = x
load here.'plydots.gp'
