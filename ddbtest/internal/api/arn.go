package api

import "strings"

// TableName returns the table name. A request names a table by its name or by its ARN.
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
