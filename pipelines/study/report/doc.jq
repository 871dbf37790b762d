# What the report says, as JSON that the page draws and the text prints: parts, which are
# paragraphs, tables, charts and the like (report.json(5)). A function that ends in a part
# gives a list of parts, so that they add up, and none if there is nothing to say.
#
# Text may be marked: "⟨ci|0.1 to 0.2⟩" has the kind ci. A name that a user gave goes
# through e, which leaves no such brackets in it; spans makes pieces of it all at the end.
def e: tostring | gsub("[⟨⟩]"; "");
# The id of an element, from any name of a rule set.
def slug: gsub("[^A-Za-z0-9.+-]"; "_");

# "a ⟨b|c⟩ d" as ["a ", {"b": "c"}, " d"]
def spans: if contains("⟨") | not then . else split("⟨") | [.[0]] + [.[1:][] | split("⟩") as $p |
    ($p[0] | index("|")) as $bar | {($p[0][:$bar]): $p[0][$bar + 1:]}, ($p[1:] | join(""))] | map(select(. != "")) end;

# ---- tables of tab-separated values ----

# Columns of names, even if they look like numbers: a rule set may be called 5.
def is_name: IN("rules", "p", "q", "a", "b", "item", "measure", "source", "kind",
    "move", "line", "san", "start", "opening", "label", "spec", "ends", "w", "moves", "trend", "target", "player", "case", "wish");

# "inf" stays text: jq would turn it into the largest number.
def value: if . == "" then null elif IN("inf", "-inf", "nan") then . else (tonumber? // .) end;

def tsv: split("\n") | map(select(. != "") | split("\t")) | (.[0] // []) as $names |
    ($names | map(is_name)) as $text | .[1:] | map(. as $row |
    reduce range(0; $names | length) as $i ({}; .[$names[$i]] = ($row[$i] // "" |
	if $text[$i] then . else value end)));

# ---- numbers ----

def is_number: type == "number" and (isnan or isinfinite | not);

# With a fixed number of decimals, and − as the minus sign.
def fix($digits):
	if . == "inf" then "∞"
	elif . == "-inf" then "−∞"
	elif is_number | not then "–"
	else
		(if $digits == 0 then 1 else pow(10; $digits) end) as $unit |
		((fabs * $unit) + 0.5 | floor) as $n |
		(if . < 0 and $n > 0 then "−" else "" end) +
		(if $digits == 0 then ($n | tostring) else
		    (($n / $unit | floor | tostring) + "." +
		    ($n - ($n / $unit | floor) * $unit | tostring |
		    ("000000" + .)[-$digits:])) end)
	end;

def percent($digits): if is_number then (100 * . | fix($digits)) + " %" else fix(0) end;
def percent: percent(1);

# 1234567 as 1,234,567
def count: if is_number | not then "–" else
    fix(0) | [while(length > 0; .[:-3])] | map(.[-3:]) | reverse | join(",") end;

# Large ones as a power of ten, for people.
def superscript: tostring | explode | map("⁰¹²³⁴⁵⁶⁷⁸⁹"[. - 48:. - 47]) | join("");
def large: if is_number | not then fix(0) elif . < 100000 then count else
    (log10 | floor) as $power | (. / pow(10; $power)) as $m |
    (if ($m | fix(2)) == "10.00" then [1, $power + 1] else [$m, $power] end) |
    "\(.[0] | fix(2)) × 10\(.[1] | superscript)" end;

def is_bound: is_number or IN("inf", "-inf");
# The unit is written only after the second end.
def ends($lo; $hi; show): ($hi | show) as $to | ($lo | show | if endswith("%") and ($to | endswith("%")) then .[:-2] else . end) as $from |
    "⟨ci|\($from) to \($to)⟩";
def interval($lo; $hi; show): if ($lo | is_bound) and ($hi | is_bound) then " " + ends($lo; $hi; show) else "" end;
# In a sentence, after its number.
def and_interval($lo; $hi; show): if ($lo | is_bound) and ($hi | is_bound) then ", " + ends($lo; $hi; show) else "" end;

# A number with its interval, as a cell: its text, and the numbers themselves.
def with_interval($lo; $hi; show): if is_number | not then show else
    {t: (show + interval($lo; $hi; show)), v: ., lo: $lo, hi: $hi} | del(.lo, .hi | select(is_bound | not)) end;
def with_error($error; $digits): if is_number | not then fix($digits) else
    {t: (fix($digits) + if $error | is_number then
	" ⟨ci|± \(if $error > 0 and $error < pow(10; -$digits) / 2 then "< \(pow(10; -$digits) | fix($digits))" else $error | fix($digits) end)⟩" else "" end), v: .} +
    (if $error | is_number then {lo: (. - $error), hi: (. + $error)} else {} end) end;

# ---- words ----

def plural($one; $many): "\(count) \(if . == 1 then $one else $many end)";
def plural($one): plural($one; $one + "s");
def and_list: if length < 2 then .[0] // "none" else
    (.[:-1] | join(", ")) + " and " + .[-1] end;
def of($n): if . == $n and $n > 1 then "all \($n)" elif . == 0 then "none of \($n)"
    else "\(.) of \($n)" end;

# ---- parts ----

def para($text): [{p: $text}];
def note($text): [{note: $text}];
def meta($text): [{meta: $text}];
def warning($text): [{warning: $text}];
def h3($title): [{h3: $title}];
def list($items): if $items == [] then [] else [{list: $items}] end;
def folded($title; $parts): if $parts == [] then [] else [{fold: $title, parts: $parts}] end;
def section($id; $title; $parts): [{id: $id, title: $title, parts: $parts}];

# table(name; caption; [column, ...]; [[cell, ...], ...]). A column is a title, or [title]
# for one with numbers, or [title, {from, set, …}] if these come from elsewhere. A cell is text, or an object with the text t. The first cell of a
# row is its heading.
def table($name; $caption; $columns; $rows): [{table: ($name | slug), caption: $caption,
    columns: ($columns | map(if type == "array" then {t: .[0], n: true} + (.[1] // {}) else {t: .} end)),
    rows: ($rows | map(map(. // "–")))}];

# Where a table's numbers come from: a table of the study, which sources.tsv has a command
# for, and what is to be put into it, such as the set of games.
def from($table; $with): map(if .table then .from = $table | .with = $with else . end);
def from($table): from($table; {});
# Intervals under their numbers, for tables of many columns.
def stacked: map(if .table then .look = "stacked" else . end);

# A chart that the page draws; $alt says what it shows.
def chart($name; $alt; $caption): [{chart: $name, alt: $alt, caption: $caption}];

# A number with its interval as a dot and a line, and the study's as a diamond, on a
# scale from $from to $to. It repeats the text beside it.
def dots($lo; $hi; $theirs; $from; $to): if is_number | not then "" else
    {t: "", dots: [., $lo, $hi, $theirs, $from, $to]} end;

# The range of all numbers among the arguments, for dots.
def range_of: map(select(is_number)) | [min // 0, max // 1];
