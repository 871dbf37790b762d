# What is in report.json (report.json(5)): the study's tables as they are, and the rows of other
# files that the report shows. The scripts in say/ put them into words.

# Columns of names, even if they look like numbers: a rule set may be called 5.
def is_name: IN("rules", "p", "q", "a", "b", "item", "measure", "source", "kind", "move", "line", "san", "start",
    "opening", "label", "spec", "ends", "w", "moves", "trend", "target", "player", "case", "wish");
# "inf" stays text: jq would turn it into the largest number.
def value: if . == "" then null elif IN("inf", "-inf", "nan") then . else (tonumber? // .) end;

# A table of tab-separated values: its columns, and rows of values.
def table: split("\n") | map(select(. != "") | split("\t")) | (.[0] // []) as $names | ($names | map(is_name)) as $text |
    {columns: $names, rows: [.[1:][] | [range(0; $names | length) as $i | .[$i] // "" | if $text[$i] then . else value end]]};
def rows: table | .columns as $names | .rows | map([$names, .] | transpose | map({key: .[0], value: .[1]}) | from_entries);

# A game, with its rules by the name that tables have.
def shown: .san |= join(" ") | del(.rules, .start | nulls) | del(.rules);

($told | map({key: .key, value: .value}) | from_entries) as $told |
{v: 2,
run: ($run[0] | del(.machine, .hosts, .started, .finished, .seconds, .core_seconds)),
rules: [$rules | rows[] | {rules, label: (if (.label // "") == "" then .rules else .label end), own: (.own == 1), sentence: ($told[.rules].sentence // ""), untrained: ($told[.rules].untrained // "")}],
tables: ($ARGS.named | with_entries(select(.key | startswith("t_")) | .key |= (.[2:] | gsub("_"; "-")) | .value |= table)),
played: {games: ($games | map(shown)), mainlines: ($mainlines | map(shown)), long: ($long | map(shown)), results: $results},
looked_at: ($looked_at | tonumber), most_long: ($most_long | tonumber),
themes: $themes,
strength: ($strength | map(select(.rules == "classical" and (.id_a == $run[0].net.hash or .a == "default")) | {rules, a, id_a, b, id_b, games, sims_a, sims_b, elo, elo_se})),
published: [$published | rows[] | {measure, item, theirs}],
words: $words[0], sources: ($sources | rows), pages: $pages}
