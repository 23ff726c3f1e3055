package api

import "strings"

// TableName is the table's name of what a request may give as such: the name itself, or the table's ARN.
func TableName(nameOrARN string) string {
	if !strings.HasPrefix(nameOrARN, "arn:") {
		return nameOrARN
	}
	_, resource, ok := strings.Cut(nameOrARN, ":table/")
	if !ok {
		return nameOrARN
	}
	name, _, _ := strings.Cut(resource, "/")
	return name
}
