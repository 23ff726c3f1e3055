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
	listener, err := new(net.ListenConfig).Listen(ctx, network(o.host), net.JoinHostPort(o.host, strconv.Itoa(o.port)))
	if err != nil {
		_, closeErr := dbs.Close()
		return errors.Join(err, closeErr)
	}
	fmt.Fprintln(stderr, "ddbtest: for tests and development only: it checks no signature")
	if o.data == "" {
		fmt.Fprintln(stderr, "ddbtest: its data is in memory, and lost when it ends: -data keeps it")
	}
	if !server.IsLoopback(listener.Addr()) {
		fmt.Fprintf(stderr, "ddbtest: warning: whoever reaches %s can read and change all databases\n", listener.Addr())
	}
	fmt.Fprintf(stdout, "Endpoint: http://%s\n", local(listener.Addr()))

	s := &server.Server{Databases: dbs, Origins: o.origins, Hosts: o.hosts, Name: o.host}
	err = s.Serve(ctx, listener)
	recordings, closeErr := dbs.Close()
	for _, name := range recordings {
		fmt.Fprintln(stderr, "ddbtest: wrote the recording", name)
	}
	return errors.Join(err, closeErr)
}

// network returns the network to listen on. The address 0.0.0.0 is one of IPv4 only.
func network(host string) string {
	if ip := net.ParseIP(host); ip != nil && ip.To4() != nil {
		return "tcp4"
	}
	return "tcp"
}

// local returns an address that clients on this machine can use.
func local(a net.Addr) string {
	tcp, ok := a.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return a.String()
	}
	loopback := net.IPv6loopback
	if tcp.IP.To4() != nil {
		loopback = net.IPv4(127, 0, 0, 1)
	}
	return net.JoinHostPort(loopback.String(), strconv.Itoa(tcp.Port))
}
