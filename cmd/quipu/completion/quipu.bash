# Completes quipu's words in bash. Nothing that was typed is evaluated.
_quipu_complete() {
	local cur=${COMP_WORDS[COMP_CWORD]}
	local -a ask=("${COMP_WORDS[@]:0:COMP_CWORD}")
	[[ $cur == -* ]] && ask+=("$cur")
	COMPREPLY=()
	local word
	while IFS= read -r word; do
		word=${word%%:*}
		[[ -n $word && $word == "$cur"* ]] && COMPREPLY+=("$(printf '%q' "$word")")
	done < <("${ask[@]}" --complete-words 2>/dev/null)
}
complete -o bashdefault -o default -F _quipu_complete quipu
