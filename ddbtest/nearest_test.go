package ddbtest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestNearestRequests sends the same requests to rules that match none of them. The log of the
// failed test describes the requests that came nearest to each rule.
func TestNearestRequests(t *testing.T) {
	t.Parallel()
	no := func(ddbtest.Request) bool { return false }
	var text strings.Builder
	for _, rules := range [][][]ddbtest.RuleOption{
		{{ddbtest.Op("PutItem"), ddbtest.OnTable(things), ddbtest.Reset}},
		{{ddbtest.Op("Scan", "DeleteItem"), ddbtest.Reset}},
		{{ddbtest.Op("UpdateItem"), ddbtest.OnTable("others"), ddbtest.Reset}},
		{{ddbtest.Op("PutItem"), ddbtest.OnTable("others"), ddbtest.Reset}},
		{{ddbtest.Op("UpdateItem"), ddbtest.OnKey(attributes{"pk": secret}), ddbtest.Reset}},
		{{ddbtest.OnKey(thing("secret", 1)), ddbtest.Reset}},
		{{ddbtest.OnIndex("byColor"), ddbtest.Reset}},
		{{ddbtest.Op("Query"), ddbtest.OnIndex("byColor"), ddbtest.OnTable(things), ddbtest.Reset}},
		{{ddbtest.OnTable(things), ddbtest.CutPage(1), ddbtest.Op("Scan")}},
		{{ddbtest.OnTable(things), ddbtest.ExpiredIterator}},
		{{ddbtest.Op("GetItem"), ddbtest.Matching(no), ddbtest.Reset}},
		{{ddbtest.Op("UpdateItem"), ddbtest.For(time.Nanosecond), ddbtest.Reset}},
		{{ddbtest.Op("GetItem"), ddbtest.Reset}, {ddbtest.OnTable(things), ddbtest.Op("GetItem"), ddbtest.Reset}},
		{{ddbtest.Op("ListTables"), ddbtest.Reset}},
	} {
		db, test := startFake()
		createThings(test, db, "others")
		var last *ddbtest.Rule
		for _, options := range rules {
			last = db.Fail(options...)
			require.NoError(t, last.Err())
		}
		db.Advance(time.Second)
		for _, do := range []func(context.Context, *dynamodb.Client) error{increment, increment, increment, get, query, batchWrite} {
			_ = do(t.Context(), db.Client(once))
		}
		test.Errorf("failed")
		test.end()
		require.Len(t, test.failures, 1)
		log := strings.Join(test.logs, "\n")
		require.Contains(t, log, last.String())
		_, message, _ := strings.Cut(log, last.String())
		message, _, _ = strings.Cut(message, "\n")
		fmt.Fprintf(&text, "%s\n\t%s\n", last, strings.TrimPrefix(message, ": "))
	}
	golden(t, "nearest.txt", text.String())
}

// TestNearestWithoutRequests checks that no request is named if there was none.
func TestNearestWithoutRequests(t *testing.T) {
	t.Parallel()
	db, test := startFake()
	db.Fail(ddbtest.Op("PutItem"), ddbtest.Reset)
	test.Errorf("failed")
	test.end()
	require.NotContains(t, strings.Join(test.logs, "\n"), "the nearest:")
}
