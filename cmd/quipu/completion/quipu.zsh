#compdef quipu
# Completes quipu's words in zsh.
_quipu() {
	local -a ask found
	ask=("${(@)words[1,CURRENT-1]}")
	[[ ${words[CURRENT]} == -* ]] && ask+=("${words[CURRENT]}")
	found=("${(@f)$("${ask[@]}" --complete-words 2>/dev/null)}")
	if [[ -n ${found[1]} ]]; then
		_describe 'quipu' found
	else
		_files
	fi
}
if [[ $funcstack[1] == _quipu ]]; then _quipu "$@"; else compdef _quipu quipu; fi
