package expr

import "strings"

// JoinAdd adds additions, such as "#c0 :c0", to an update expression that [Update.Text] returned.
func JoinAdd(update, additions string) string {
	const add, remove = "ADD ", " DELETE "
	head, tail, deletes := strings.Cut(update, remove)
	switch {
	case strings.HasPrefix(head, add), strings.Contains(head, " "+add):
		head += ", " + additions
	case head == "":
		head = add + additions
	default:
		head += " " + add + additions
	}
	if deletes {
		head += remove + tail
	}
	return head
}

// AddToDefault adds a value to the result of the clause "name = if_not_exists(name, default)" of an
// update expression. It reports whether there is such a clause.
func AddToDefault(update, name, value string) (string, bool) {
	start := strings.Index(update, name+" = if_not_exists("+name+", ")
	if start < 0 {
		return "", false
	}
	end := start + strings.Index(update[start:], ")") + 1
	return update[:end] + " + " + value + update[end:], true
}
