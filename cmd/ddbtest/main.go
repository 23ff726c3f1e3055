package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/server"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	switch err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "ddbtest:", err)
		os.Exit(1)
	}
}

// run serves until the context ends. It writes the endpoint to stdout, and everything else to
// stderr.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	config, err := o.databases()
	if err != nil {
		return err
	}
	config.Log = func(text string) { fmt.Fprintln(stderr, text) }
	dbs, err := databases.New(config)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(o.host, strconv.Itoa(o.port)))
	if err != nil {
		_, closeErr := dbs.Close()
		return errors.Join(err, closeErr)
	}
	fmt.Fprintln(stderr, "ddbtest: for tests and development only: it checks no signature")
	if o.data == "" {
		fmt.Fprintln(stderr, "ddbtest: its data is in memory, and lost when it ends: -data keeps it")
	}
	if !isLoopback(listener.Addr()) {
		fmt.Fprintf(stderr, "ddbtest: warning: whoever reaches %s can read and change all databases\n", listener.Addr())
	}
	fmt.Fprintf(stdout, "Endpoint: http://%s\n", listener.Addr())

	s := &server.Server{Databases: dbs, Origins: o.origins}
	err = s.Serve(ctx, listener)
	recordings, closeErr := dbs.Close()
	for _, name := range recordings {
		fmt.Fprintln(stderr, "ddbtest: wrote the recording", name)
	}
	return errors.Join(err, closeErr)
}

func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}
