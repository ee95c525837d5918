# Completes quipu's words in PowerShell.
Register-ArgumentCompleter -Native -CommandName quipu -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $ask = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() } | Where-Object { $_ -ne $wordToComplete -or $_ -like '-*' })
    & quipu @ask --complete-words 2>$null | ForEach-Object { ($_ -split ':')[0] } | Where-Object { $_ -like "$wordToComplete*" } |
        ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
