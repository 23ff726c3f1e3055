package peerbench

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/itemjson"
)

// The other subjects of reads and of a write.
const (
	codecAlone = "codec alone"
	noItem     = "SDK without item"
)

// readRows are the rows of whole reads on a transport that responds at once.
var readRows = []row{
	{
		number: 1, task: "Query, page of 1000 x 1 KB", subjects: subjectsOf("page of 1000", decodedPage),
		lines: []line{
			asks("CPU", processTime, less, theSDK, 6),
			asks("CPU", processTime, less, guregu, 9),
			asks("CPU", processTime, portion, codecAlone, 1.3),
			shown("time", wallTime),
			atMost("allocations per item", allocations, 4).perItem(1000),
			shown("memory", memory),
		},
	},
	{
		number: 2, task: "Query, page of 4000 x 250 B", subjects: subjectsOf("page of 4000"),
		lines: []line{
			asks("CPU", processTime, less, theSDK, 5),
			asks("CPU", processTime, less, guregu, 6.5),
			shown("time", wallTime),
			atMost("allocations per item", allocations, 0.25).perItem(4000),
			shown("memory", memory),
		},
	},
	{
		number: 3, task: "Query, page of 20 x 1 KB", subjects: subjectsOf("page of 20"),
		lines: []line{
			asks("CPU", processTime, less, theSDK, 3.3),
			asks("CPU", processTime, less, guregu, 4.2),
			shown("time", wallTime),
			shown("allocations", allocations),
			shown("memory", memory),
		},
	},
	{
		number: 4, task: "Query, page of 1000 of two types", subjects: subjectsOf("mixed page of 1000"),
		lines: []line{
			asks("CPU", processTime, less, theSDK, 4.5),
			asks("CPU", processTime, less, guregu, 6.5),
			{what: "CPU", unit: processTime, how: portion, than: ours, row: 1, asked: true, limit: 1.5},
			shown("time", wallTime),
			shown("allocations", allocations),
			shown("memory", memory),
		},
	},
	{
		number: 5, task: "BatchGetItem, 100 x 1 KB", subjects: subjectsOf("batch of 100"),
		lines: []line{
			asks("CPU", processTime, less, theSDK, 4.5),
			asks("CPU", processTime, less, guregu, 6),
			shown("time", wallTime),
			atMost("allocations per item", allocations, 12).perItem(100),
			shown("memory", memory),
		},
	},
	{
		number: 6, task: "GetItem, 1 KB", subjects: subjectsOf("item", missingItem),
		lines: []line{
			asks("CPU", processTime, less, theSDK, 1.3),
			asks("CPU", processTime, less, guregu, 1.4),
			asks("CPU", processTime, added, noItem, 4500),
			shown("time", wallTime),
			asks("allocations", allocations, added, noItem, 15),
			shown("memory", memory),
		},
	},
}

// subjectsOf returns the contenders of a read as subjects, and further subjects.
func subjectsOf(name string, more ...func(testing.TB) subject) func(testing.TB) []subject {
	return func(tb testing.TB) []subject {
		tb.Helper()
		i := slices.IndexFunc(reads, func(r read) bool { return r.name == name })
		require.GreaterOrEqual(tb, i, 0, name)
		var all []subject
		for _, c := range reads[i].contenders(tb) {
			all = append(all, called(c.name, func(ctx context.Context) error { return reads[i].check(c.read(ctx)) }))
		}
		for _, f := range more {
			all = append(all, f(tb))
		}
		return all
	}
}

// decodedPage decodes the page without the SDK: it copies the body, scans it, and decodes the
// items.
func decodedPage(tb testing.TB) subject {
	tb.Helper()
	stored, _ := stored(tb)
	reply := queryReply(stored[:1000])
	plan, issues := codec.Compile(reflect.TypeFor[Order]())
	require.Empty(tb, issues)
	var body bytes.Buffer
	var items itemjson.Items
	start := bytes.IndexByte(reply, '[')
	return called(codecAlone, func(context.Context) error {
		body.Reset()
		body.Write(reply)
		if _, err := items.Scan(body.Bytes(), start); err != nil {
			return err
		}
		all := make([]Order, items.Len())
		arena := codec.NewArena(body.Len())
		for i := range all {
			if err := plan.DecodeJSON(items.At(i), codec.PtrTo(&all[i]), nil, arena); err != nil {
				return err
			}
		}
		if len(all) != 1000 || all[999].ID != orderOf(999).ID {
			return fmt.Errorf("%d entities", len(all))
		}
		return nil
	})
}

// missingItem reads an item that does not exist with the SDK: the least that a GetItem costs.
func missingItem(tb testing.TB) subject {
	tb.Helper()
	client := clientOf(noReply(tb))
	key := map[string]types.AttributeValue{"PK": avS("CUS#c001"), "SK": avS("ORD#000007")}
	return called(noItem, func(ctx context.Context) error {
		out, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("bench"), Key: key, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal})
		if err == nil && len(out.Item) > 0 {
			err = fmt.Errorf("%d attributes", len(out.Item))
		}
		return err
	})
}
