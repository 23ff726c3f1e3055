package peerbench

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// putRow writes an item on a transport that responds at once. TestWrites checks what is written.
var putRow = row{
	number: 7, task: "PutItem, 1 KB",
	subjects: func(tb testing.TB) []subject {
		tb.Helper()
		var all []subject
		for _, w := range putWriters(tb, clientOf(noReply(tb))) {
			all = append(all, called(w.name, w.write))
		}
		return append(all, emptyPut(tb))
	},
	lines: []line{
		asks("CPU", processTime, less, theSDK, 1.2),
		asks("CPU", processTime, less, guregu, 1.1),
		asks("CPU", processTime, added, noItem, 4000),
		shown("time", wallTime),
		asks("allocations", allocations, added, noItem, 15),
		shown("memory", memory),
	},
}

// emptyPut sends a PutItem without attributes with the SDK: the least that a PutItem costs.
func emptyPut(tb testing.TB) subject {
	tb.Helper()
	client := clientOf(noReply(tb))
	return called(noItem, func(ctx context.Context) error {
		_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("bench"), Item: map[string]types.AttributeValue{}})
		return err
	})
}
