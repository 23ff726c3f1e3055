package main

import (
	"context"
	"errors"
	"io"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/query"
)

// run creates the table and runs the steps in order.
func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	// A service reads this key from its secret store, with entity.ParseCursorKey.
	ring := entity.CursorRing{Keys: []entity.CursorKey{entity.NewCursorKey([32]byte{1})}}
	table, err := Schema.Open(client, "why", entity.Cursors(ring))
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil {
		return err
	}
	t := tour{program.Tour{Out: out}, client, Accounts.In(table), Payments.In(table)}
	return program.RunSteps(ctx, t.keys, t.mistakes, t.lostReply, t.staleWrite, t.forgedCursor)
}

// tour is one run of the program.
type tour struct {
	program.Tour

	client   trestle.Client
	accounts *entity.Repo[Account]
	payments *entity.Repo[Payment]
}

// nameOf returns the name of the sentinel error that errors.Is matches, or the text of the error.
func nameOf(err error) string {
	for name, is := range map[string]error{
		"trestle.ErrStale": trestle.ErrStale, "trestle.ErrUnknown": trestle.ErrUnknown, "query.ErrCursor": query.ErrCursor,
	} {
		if errors.Is(err, is) {
			return name
		}
	}
	if err == nil {
		return "none"
	}
	return err.Error()
}
