# The report as Markdown, from report.json. What a name contains is escaped; control
# characters, which a terminal would obey, are left out.
def plain: if type == "array" then map(if type == "object" then .[] else . end) | join("") elif . == null then "" else tostring end;
def safe: gsub("[\u0000-\u001f\u007f-\u009f]"; " ") | gsub("(?<c>[\\\\`*<\\[|])"; "\\\(.c)");
def text: if type == "array" then map(if type == "object" then to_entries[0] | if .key == "b" then "**\(.value | safe)**" elif .key == "code" then "`\(.value | gsub("[`\u0000-\u001f]"; " "))`" else .value | safe end else safe end) | join("")
    else plain | safe end;
def cell: if type == "object" then .t else . end | text | if . == "" then " " else . end;

def row: "| \(join(" | ")) |\n";
def table_of: ([.rows[] | to_entries[] | select(.value | type == "object" and has("dots")) | .key] | unique) as $dots |
    def kept: [to_entries[] | select(.key as $k | $dots | index($k) | not) | .value];
    "**\(.caption | safe)**\n\n" + (.columns | kept | map(.t | text) | row) + (.columns | kept | map(if .n then "---:" else "---" end) | row) + ([.rows[] | kept | map(cell) | row] | add // "");

# Twelve moves a line would be too long for some; a paragraph is wrapped by its reader.
def moves: [.san | split(" ")[]] as $san | ((.start // "") | split(" ")) as $start | (2 * ($start[5] // "1" | tonumber? // 1) + (if $start[1] == "b" then 1 else 0 end)) as $first |
    [range(0; $san | length) as $i | ($first + $i) as $half | if $half % 2 == 0 then "\($half / 2 | floor). \($san[$i])" elif $i == 0 then "\($half / 2 | floor)… \($san[$i])" else $san[$i] end] | join(" ") | safe;

def part($games): if .table then table_of
    elif .fold then "### \(.fold | text)\n", (.parts[] | part($games))
    elif .player then "\(.player | text)\n", (.parts[] | part($games))
    elif .h3 then "### \(.h3 | text)\n"
    elif .list then ([.list[] | "- \(text)\n"] | add)
    elif .bars then ([.bars[] | .games as $n | "- \(.who | text): \([.results[] | "\(.words) \(.n)"] | join(", ")), of \($n) games\n"] | add)
    elif .terms then ([.terms[] | "- \(.[0] | text): \(.[1] | text)\n"] | add)
    elif .themes then ([.themes[] | "- \(.text | text) Position: `\(.fen | gsub("[`\u0000-\u001f]"; " "))`\n"] | add)
    elif .chart or .keys then empty
    elif .games then ($games[.games[]] | "\(.title | text). \(.meta | text)\n\n\(moves) \(.result | text)\n")
    else "\(.p // .note // .meta // .lead // .warning // "" | text)\n" end;

.games as $games |
"# \(.title | text)\n", "\(.lead | text)\n", (.head[] | part($games)),
(.sections[] | "## \(.title | text)\n", (.parts[] | part($games))), (.footer | text)
