package shard_test

import (
	"testing"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testfaults"
)

// process returns another process on the same table, which makes two attempts to send a request.
func (b *box) process(t testing.TB, w *testfaults.Wire) *box {
	t.Helper()
	return openBox(t, w.Client(b.client, 2), entity.Config{})
}
