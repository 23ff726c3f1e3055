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

// probePatience limits the start, including downloads.
const probePatience = 5 * time.Minute

// probe prints one line: the engine that the tests of this machine use, or what is missing and what
// to install. It fails if the tests will fail: if a required server is missing, or if a server is
// available but does not work.
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
