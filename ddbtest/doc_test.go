package ddbtest_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// TestDocListsOperations checks that the list has no other operations.
func TestDocListsOperations(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	_, list, found := strings.Cut(string(doc), "These operations")
	require.True(t, found)
	list, _, _ = strings.Cut(list, "A statement")
	list = strings.ReplaceAll(list, "DynamoDB", "")
	listed := regexp.MustCompile(`\b[A-Z][a-z]+[A-Z]\w+|Query|Scan`).FindAllString(list, -1)
	slices.Sort(listed)
	require.Equal(t, fault.Operations(), listed)
}

// TestUntilSettled compares the constant with that of the store. It is a copy so that the
// documentation shows it.
func TestUntilSettled(t *testing.T) {
	t.Parallel()
	require.Equal(t, store.Forever, ddbtest.UntilSettled)
}
