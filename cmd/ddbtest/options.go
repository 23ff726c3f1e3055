package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/control"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/fixture"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/server"
	"github.com/trestledb/trestle/ddbtest"
)

// options are the options of the command line.
type options struct {
	host    string
	port    int
	shared  bool
	region  string
	origins server.Origins
	hosts   server.Hosts
	load    []string
	data    string
	sync    bool
	record  string
	replay  string
	seed    uint64
	lag     ddbtest.Lag

	tableDelay, ttlDelay time.Duration
	unusedDefinitions    bool
}

const usage = `ddbtest serves an in-process DynamoDB and DynamoDB Streams, with faults, a clock and more.
It is for tests and development only: it checks no signature. Its data is in memory, unless -data
names a folder.

	ddbtest [options]

The first line of its standard output is "Endpoint: " and the URL for clients. Each access key and
Region has its own database, unless -shared is set. Any secret key works. The control endpoint is
below /_ddbtest/v1/, and /_ddbtest/v1/openapi.yaml describes it.

`

// parseOptions parses the command line. It returns everything that is wrong.
func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := new(options)
	flags := flag.NewFlagSet("ddbtest", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the caller prints the error
	flags.Usage = func() {}
	flags.StringVar(&o.host, "host", "127.0.0.1", "the `address` to listen on. Another one than the default lets others in")
	flags.IntVar(&o.port, "port", 8000, "the `port`; 0 picks a free one")
	flags.BoolVar(&o.shared, "shared", false, "use one database for all access keys and Regions")
	flags.StringVar(&o.region, "region", databases.DefaultRegion, "the `Region` in the ARNs of the shared database; only with -shared")
	cors := flags.String("cors", "*", "the `origins` of pages that may send requests, separated by commas; * allows all to use DynamoDB, but none to use the control endpoint")
	var hosts []string
	flags.Func("allow-host", "let clients call the server by this `name` or address too; it may be repeated; * allows all", func(name string) error {
		hosts = append(hosts, name)
		return nil
	})
	flags.Func("load", "begin each new database with the tables and items of this `file` or folder; table=file names the table of its items; more files may follow the options", func(name string) error {
		o.load = append(o.load, name)
		return nil
	})
	flags.StringVar(&o.data, "data", "", "keep the databases in files of this `folder`; without it they are in memory. A database that has a file begins with that, without the content of -load and -replay")
	flags.BoolVar(&o.sync, "sync", false, "let each write wait until the disk has it: then the files of -data survive a crash of the machine")
	flags.StringVar(&o.record, "record", "", "record all requests, and write them to this `file` at the end; after a reset its name has a number")
	flags.StringVar(&o.replay, "replay", "", "begin each new database with the content of a recording `file`")
	flags.Uint64Var(&o.seed, "seed", 0, "the `seed` of random decisions; 0 picks one")
	lag := flags.String("lag", "0s", "how far eventually consistent reads lag behind: a `duration`, or untilSettled; items=1s,indexes=2s sets each")
	flags.DurationVar(&o.ttlDelay, "ttl-delay", 0, "how long an expired item is kept, and still read, before it is deleted: a `duration`")
	flags.DurationVar(&o.tableDelay, "table-delay", 0, "how long a table or an index stays CREATING, UPDATING or DELETING: a `duration`")
	flags.BoolVar(&o.unusedDefinitions, "unused-definitions", false, "let CreateTable accept definitions of attributes that no key uses, as DynamoDB Local does")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stderr, usage)
		flags.SetOutput(stderr)
		flags.PrintDefaults()
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w: ddbtest -help lists the options", err)
	}
	var errs []error
	o.load = append(o.load, flags.Args()...)
	for _, name := range flags.Args() {
		if strings.HasPrefix(name, "-") || len(o.load) == flags.NArg() {
			errs = append(errs, fmt.Errorf("%q is not an option: options come first, and then files for -load", name))
		}
	}
	var err error
	if o.origins, err = server.ParseOrigins(*cors); err != nil {
		errs = append(errs, fmt.Errorf("-cors: %w", err))
	}
	if o.hosts, err = server.ParseHosts(hosts); err != nil {
		errs = append(errs, fmt.Errorf("-allow-host: %w", err))
	}
	if o.lag, err = parseLag(*lag); err != nil {
		errs = append(errs, fmt.Errorf("-lag: %w", err))
	}
	if o.port < 0 || o.port > 65535 {
		errs = append(errs, errors.New("-port: a port is a number from 0 to 65535"))
	}
	if o.record != "" && o.replay != "" {
		errs = append(errs, errors.New("-record and -replay: a recording cannot begin with the content of another one"))
	}
	if o.record != "" && o.data != "" {
		errs = append(errs, errors.New("-record and -data: a recording does not contain what the folder had before"))
	}
	flags.Visit(func(f *flag.Flag) {
		if f.Name == "region" && !o.shared {
			errs = append(errs, errors.New("-region: without -shared the client chooses the Region, and each Region has its own database: set the Region of the client"))
		}
	})
	if o.ttlDelay < 0 || o.tableDelay < 0 {
		errs = append(errs, errors.New("-ttl-delay and -table-delay: a duration is not negative"))
	}
	if o.sync && o.data == "" {
		errs = append(errs, errors.New("-sync: name the folder with -data"))
	}
	return o, errors.Join(errs...)
}

// parseLag parses the value of -lag.
func parseLag(text string) (lag ddbtest.Lag, err error) {
	if d, ok := control.ParseLag(text); ok {
		return ddbtest.Lag{Items: d, Indexes: d}, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		d, ok := control.ParseLag(value)
		switch {
		case ok && name == "items":
			lag.Items = d
		case ok && name == "indexes":
			lag.Indexes = d
		default:
			return lag, fmt.Errorf(`%q is not a lag: write "2s", "untilSettled", or "items=1s,indexes=2s"`, text)
		}
	}
	return lag, nil
}

// databases reads the files of the options.
func (o *options) databases() (databases.Config, error) {
	c := databases.Config{
		Shared: o.shared, Recording: o.record, Folder: o.data, Sync: o.sync,
		Options: ddbtest.Options{
			Region: o.region, Seed: o.seed, Lag: o.lag, TableDelay: o.tableDelay, TTLDelay: o.ttlDelay, UnusedDefinitions: o.unusedDefinitions,
		},
	}
	var loadErr, replayErr error
	c.Fixtures, loadErr = fixture.ReadFiles(o.load)
	if o.replay != "" {
		if c.Replayed, replayErr = replay(o.replay); replayErr != nil {
			replayErr = fmt.Errorf("-replay: %w", replayErr)
		}
	}
	return c, errors.Join(loadErr, replayErr)
}

// replay returns a database with the content of a recording.
func replay(name string) (*ddbtest.DB, error) {
	file, err := os.Open(name) //nolint:gosec // the user's own choice
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	db, err := ddbtest.Replay(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return db, nil
}
