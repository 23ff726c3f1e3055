package service_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/service"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// createIndexed makes a table with an index whose partition key has three attributes.
const createIndexed = `{"TableName":"things","BillingMode":"PAY_PER_REQUEST",
	"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},
		{"AttributeName":"a","AttributeType":"S"},{"AttributeName":"b","AttributeType":"N"},{"AttributeName":"c","AttributeType":"B"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
	"GlobalSecondaryIndexes":[{"IndexName":"multi","Projection":{"ProjectionType":"ALL"},"KeySchema":[{"AttributeName":"a","KeyType":"HASH"},
		{"AttributeName":"b","KeyType":"HASH"},{"AttributeName":"c","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}]}`

// TestAccesses compares what a policy must allow for a request with the golden file. Each line of
// the file requests.txt is an operation and its body.
func TestAccesses(t *testing.T) {
	t.Parallel()
	f := newFixture()
	f.mustSend(t, "CreateTable", "%s", createIndexed)
	lines, err := os.ReadFile(filepath.Join("testdata", "requests.txt"))
	require.NoError(t, err)
	var b strings.Builder
	for line := range strings.Lines(string(lines)) {
		fmt.Fprint(&b, line)
		require.NoError(t, f.db.View(func(s *store.State) error {
			f.writeAccesses(t, &b, line, s)
			return nil
		}))
	}
	path := filepath.Join("testdata", "accesses.txt")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
}

// writeAccesses writes the accesses of a request.
func (f *fixture) writeAccesses(t *testing.T, b *strings.Builder, line string, s *store.State) {
	t.Helper()
	operation, body, _ := strings.Cut(strings.TrimSpace(line), " ")
	request, err := service.Read(operation, []byte(body))
	require.NoError(t, err, line)
	accesses, err := request.Accesses(&f.config, s)
	if err != nil {
		fmt.Fprintf(b, "\tinvalid\n")
		return
	}
	for _, a := range accesses {
		fmt.Fprintf(b, "\t%s %s\n", a.Action, a.Resource)
		for _, key := range slices.Sorted(maps.Keys(a.Keys)) {
			fmt.Fprintf(b, "\t\t%s %s\n", strings.TrimPrefix(key, "dynamodb:"), strings.Join(a.Keys[key], " "))
		}
	}
}
