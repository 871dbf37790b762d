# shellcheck shell=bash
# Bash completion for rulelab: long options, read from the program's --help; presets,
# sums of presets and files after --rules; files wherever the help says FILE and for
# arguments. `make install` installs this file once for each program, under its
# name. In a clone, source it:
#
#	. pipelines/completion.bash

# The presets, from the genmoves beside the command.
_rulelab_presets() {
	local command=${1/#\~/$HOME}

	case $command in
	rulelab | */rulelab) "$command" genmoves --list-rules --tsv ;;
	*/*) "${command%/*}/genmoves" --list-rules --tsv ;;
	*) genmoves --list-rules --tsv || rulelab genmoves --list-rules --tsv ;;
	esac 2>/dev/null | tail -n +2 | cut -f 1
}

# A preset, the next one of a sum, or a file.
_rulelab_rules() {
	local cur=$1 files

	mapfile -t COMPREPLY < <(compgen -P "${cur%"${cur##*+}"}" \
	    -W "$(_rulelab_presets "$2")" -- "${cur##*+}")
	mapfile -t files < <(compgen -f -- "$cur")
	COMPREPLY+=("${files[@]}")
	compopt -o filenames
}

# rulelab COMMAND ...: commands first, then what the command takes.
_rulelab_entry() {
	local words

	if ((COMP_CWORD == 1)) || [[ ${COMP_WORDS[1]} == help ]]; then
		mapfile -t words < <("${1/#\~/$HOME}" --list 2>/dev/null)
		mapfile -t COMPREPLY < <(compgen -W "${words[*]} help --help --version" \
		    -- "${COMP_WORDS[COMP_CWORD]}")
		return
	fi
	_rulelab "$1" "$2" "$3" "${COMP_WORDS[1]}"
}

# The fourth argument is the command of rulelab whose options these are.
_rulelab() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
	local option='^ +(-([A-Za-z]), )?(--[a-z0-9-]+)( ([A-Z]+))?( |$)'
	local line word argument='' after='' long=()

	COMPREPLY=()
	# bash takes --rules=torpedo for three words.
	if [[ $cur == '=' ]]; then
		cur=
	elif [[ $prev == '=' ]]; then
		prev=${COMP_WORDS[COMP_CWORD-2]}
	fi
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[[ $word == -- ]] && after=options
	done
	if [[ -n $after ]]; then
		return	# files, by default
	fi
	while IFS= read -r line; do
		[[ $line =~ $option ]] || continue
		long+=("${BASH_REMATCH[3]}")
		if [[ $prev == "${BASH_REMATCH[3]}" || ( -n ${BASH_REMATCH[2]} &&
		    $prev == "-${BASH_REMATCH[2]}" ) ]]; then
			argument=${BASH_REMATCH[5]}
		fi
	done < <("${1/#\~/$HOME}" ${4:+"$4"} --help 2>/dev/null)

	case $argument in
	SPEC)
		_rulelab_rules "$cur" "$1"
		;;
	'')
		if [[ $cur == -* ]]; then
			mapfile -t COMPREPLY < <(compgen -W "${long[*]}" -- "$cur")
		fi
		;;
	FILE)
		;;
	*)	# a number or a free word
		compopt +o default
		;;
	esac
}

# Installed as the completion of one program, or sourced from a clone.
_rulelab_register() {
	local here=${BASH_SOURCE[0]} source

	if [[ ${here##*/} == rulelab ]]; then
		complete -o default -F _rulelab_entry rulelab
		return
	elif [[ ${here##*/} != completion.bash ]]; then
		here=${here##*/}
		complete -o default -F _rulelab "${here%.bash}"
		return
	fi
	[[ $here == */* ]] || here=./$here
	for source in "${here%/*}"/../src/*.c; do
		source=${source##*/}
		complete -o default -F _rulelab "${source%.c}"
	done
	complete -o default -F _rulelab_entry rulelab
}
_rulelab_register
unset -f _rulelab_register
