package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/trestledb/trestle/internal/ddblocal"
)

// probePatience bounds the start, downloads included.
const probePatience = 5 * time.Minute

// probe says in one line which engine the tests of this machine run on, or what is missing and its cure. It fails where the tests
// will: where what is missing is required, and where what is there does not work.
func probe(ctx context.Context, out io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, probePatience)
	defer cancel()
	server, err := ddblocal.Start(ctx)
	var missing *ddblocal.MissingError
	switch {
	case errors.As(err, &missing) && !ddblocal.Required():
		fmt.Fprintf(out, "tests on DynamoDB are skipped: %v\n", missing)
		return nil
	case err != nil:
		return err
	}
	fmt.Fprintf(out, "tests run on DynamoDB Local %s (%s)\n", cmp.Or(server.Version, "of unknown version"), server.Source)
	return server.Close()
}
