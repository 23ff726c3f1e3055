package control_test

import (
	"errors"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/control"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/ddbtest"
)

// full is an empty storage that may refuse commits.
type full struct{ refuses atomic.Bool }

func (*full) Load(func(key, value []byte) error) error { return nil }

func (f *full) Commit([]ddbtest.StorageChange) error {
	if f.refuses.Load() {
		return errors.New("the disk is full")
	}
	return nil
}

// TestRefusedByStorage checks that no request succeeds whose change the storage refuses.
func TestRefusedByStorage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, body string }{
		{"/clock/advance", `{"by":"1h"}`},
		{"/held/deliver", ""},
		{"/snapshots/1/restore", ""},
		{"/snapshots/1/restore", `{"clock":true,"faults":true,"lag":true}`},
		{"/fixtures", `{"items":{"things":[{"id":{"S":"c"}}]}}`},
	} {
		disk := new(full)
		e := start(t, databases.Config{Shared: true, Options: ddbtest.Options{Storage: disk}})
		client := e.databases.All()[0].DB.Client(func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 })
		e.post("/fixtures", `{"tables":[`+things+`]}`)
		e.post("/snapshots", "")
		require.NoError(t, put(t, client, "a"))
		e.post("/faults", `{"operations":["PutItem"],"nth":1,"effects":[{"effect":"LateDuplicate"}]}`)
		require.Error(t, put(t, client, "b"))

		disk.refuses.Store(true)
		fields, text := e.problems(http.StatusInternalServerError, http.MethodPost, c.path, c.body)
		require.Equal(t, []string{""}, fields)
		require.Contains(t, text, "the disk is full")
		disk.refuses.Store(false)
		e.post(c.path, c.body)
	}
}

// TestPagesOfRefusingStorage checks the same for the operations that the pages share.
func TestPagesOfRefusingStorage(t *testing.T) {
	t.Parallel()
	disk := new(full)
	e := start(t, databases.Config{Shared: true, Options: ddbtest.Options{Storage: disk}})
	db := e.databases.All()[0]
	disk.refuses.Store(true)
	_, err := control.AdvanceClock(db, "1h")
	require.Error(t, err)
	require.Error(t, control.Settle(db), "nor has the storage the time")
	e.fails(http.StatusInternalServerError, http.MethodPost, "/settle", "")
	disk.refuses.Store(false)
	require.NoError(t, control.Settle(db))
	problems, err := control.AdvanceClock(db, "1h")
	require.NoError(t, err)
	require.Empty(t, problems)
}
