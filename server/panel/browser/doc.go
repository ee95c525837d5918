// Package browser holds the panel to its word in a real browser: it is tests alone.
//
// Each test drives Chromium before a server of its own, with a home of its own, and fails on
// anything that the browser complains of: a message on the console, an exception, a report of
// the content policy, a dialog, a request to another host. What a page says to those who
// cannot see it is asked of the browser's accessibility tree, and of axe-core.
//
// It stands apart from package panel, because what drives a browser takes long to compile.
package browser
