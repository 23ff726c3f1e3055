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
