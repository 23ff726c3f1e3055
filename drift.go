package trestle

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// DriftError lists every difference between a schema and the real table.
type DriftError struct {
	Table       string
	Differences []string
	// CreateIndexes has a request for each global index that the table lacks, for the SDK's client.
	// DynamoDB creates one index at a time: send the first request, and call Check of the table
	// until it reports neither the index nor its status. A table with provisioned capacity needs
	// the capacity of the new index in addition. Check sets it; CheckItems does not.
	CreateIndexes []*dynamodb.UpdateTableInput
}

// Error lists the differences, one per line.
func (e *DriftError) Error() string {
	return fmt.Sprintf("trestle: table %q differs from the schema:\n  %s", e.Table, strings.Join(e.Differences, "\n  "))
}
