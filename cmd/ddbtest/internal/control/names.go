package control

import (
	"regexp"
	"strings"
)

// memberNames are the members for the options of package ddbtest.
var memberNames = map[string]string{
	"Op": "operations", "OnTable": "table", "OnIndex": "index", "OnKey": "key", "Nth": "nth", "Every": "every", "First": "first",
	"Times": "times", "For": "for", "Rate": "rate", afterCommitName: "afterCommit",
}

const afterCommitName = "AfterCommit"

// goName matches a quoted text, or a name with its arguments, which have calls of one more level.
var goName = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\b[A-Z]\w*\b(?:\(((?:"(?:[^"\\]|\\.)*"|[^()"]|\([^()]*\))*)\))?`)

// inMembers rewrites a text of package ddbtest with the names of the endpoint: the options of rules
// become members, and effects lose their arguments. Quoted texts remain.
func inMembers(text string) string {
	matches := goName.FindAllStringSubmatchIndex(text, -1)
	var b strings.Builder
	end := 0
	for _, m := range matches {
		b.WriteString(text[end:m[0]])
		arguments := ""
		if m[2] >= 0 {
			arguments = text[m[2]:m[3]]
		}
		b.WriteString(inMember(text[m[0]:m[1]], arguments, m[2] >= 0))
		end = m[1]
	}
	return b.String() + text[end:]
}

// inMember rewrites one name with its arguments.
func inMember(text, arguments string, call bool) string {
	name, _, _ := strings.Cut(text, "(")
	_, isEffect := effectKinds[name]
	member := memberNames[name]
	switch {
	case name == afterCommitName && call:
		return inMembers(arguments) + " with afterCommit"
	case member != "" && arguments != "":
		return member + " " + arguments
	case member != "":
		return member
	case isEffect:
		return name
	default:
		return text
	}
}
