package service

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/page"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
)

// QueryBounds returns the range of places in which a query of a table reads: from lo, before hi. It
// returns an error if the query is invalid.
func QueryBounds(schema store.KeySchema, body []byte) (lo, hi string, err error) {
	in := new(api.QueryInput)
	if err := wire.Decode(body, in); err != nil {
		return "", "", err
	}
	return page.Bounds(schema, in)
}
