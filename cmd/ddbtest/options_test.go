package main

import (
	"context"
	"flag"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/server"
	"github.com/trestledb/trestle/ddbtest"
)

func TestInvalidOptions(t *testing.T) {
	t.Parallel()
	for args, want := range map[string][]string{
		"-port x":                         {"-port"},
		"-port 70000":                     {"-port"},
		"-port -1 -cors a.example -lag x": {"-port", "-cors", "-lag"},
		"-lag items=1s,table=2s":          {"-lag"},
		"-lag -1s":                        {"-lag"},
		"-allow-host a:80 -allow-host b -allow-host http://c": {"-allow-host", "a:80", "http://c"},
		"-seed -1":                                 {"-seed"},
		"fixtures.json":                            {"fixtures.json"},
		"-load a.json -- -port":                    {"-port"},
		"-record a -replay b":                      {"-record", "-replay"},
		"-record a -data b":                        {"-record", "-data"},
		"-sync":                                    {"-sync", "-data"},
		"-load missing.json -load missing2.json":   {"-load: ", "missing.json", "\n-load: ", "missing2.json"},
		"-load missing.json -replay missing.jsonl": {"-load: ", "missing.json", "-replay: ", "missing.jsonl"},
		"-record missing/run.jsonl":                {"missing"},
		"-record .":                                {"folder"},
		"-data options_test.go":                    {"options_test.go", "name a folder"},
		"-region Nowhere":                          {"-shared", "client"},
		"-shared -region Nowhere":                  {"Region"},
		"-ttl-delay -1s":                           {"-ttl-delay"},
		"-table-delay x":                           {"-table-delay"},
		"-host 203.0.113.1":                        {"203.0.113.1"},
	} {
		var out strings.Builder
		err := run(t.Context(), strings.Fields(args), &out, new(strings.Builder))
		require.Error(t, err, args)
		for _, text := range want {
			require.ErrorContains(t, err, text, args)
		}
		require.Empty(t, out.String())
	}
}

func TestInvalidRecording(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "run.jsonl")
	require.NoError(t, os.WriteFile(name, []byte("nonsense"), 0o600))
	require.ErrorContains(t, run(t.Context(), []string{"-port", "0", "-replay", name}, new(strings.Builder), new(strings.Builder)), name)
}

func TestOptions(t *testing.T) {
	t.Parallel()
	o, err := parseOptions([]string{"-lag", "items=1s,indexes=untilSettled", "-seed", "7", "-allow-host", "db", "-allow-host", "Other", "-load", "a.json", "b.json", "c.json"}, nil)
	require.NoError(t, err)
	require.Equal(t, ddbtest.Lag{Items: time.Second, Indexes: ddbtest.UntilSettled}, o.lag)
	require.Equal(t, []string{"a.json", "b.json", "c.json"}, o.load)
	require.EqualValues(t, 7, o.seed)
	require.Equal(t, server.Hosts{"db", "other"}, o.hosts)
	require.Equal(t, 8000, o.port)
	o, err = parseOptions([]string{"-ttl-delay", "48h", "-table-delay", "5s", "-shared", "-region", "eu-west-1", "-unused-definitions"}, nil)
	require.NoError(t, err)
	c, err := o.databases()
	require.NoError(t, err)
	require.Equal(t, ddbtest.Options{Region: "eu-west-1", TTLDelay: 48 * time.Hour, TableDelay: 5 * time.Second, UnusedDefinitions: true}, c.Options)
	o, err = parseOptions([]string{"-lag", "2s"}, nil)
	require.NoError(t, err)
	require.Equal(t, ddbtest.Lag{Items: 2 * time.Second, Indexes: 2 * time.Second}, o.lag)
}

func TestHelp(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	require.ErrorIs(t, run(t.Context(), []string{"-help"}, nil, &text), flag.ErrHelp)
	for _, want := range []string{"tests and development only", "-port", "-load", "-record"} {
		require.Contains(t, text.String(), want)
	}
}

// TestPortInUse checks that the error names the address.
func TestPortInUse(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	require.ErrorContains(t, run(t.Context(), []string{"-port", port}, new(strings.Builder), new(strings.Builder)), port)
}

// TestWarning checks that an address that others can reach gives a warning, and the default none.
func TestWarning(t *testing.T) {
	t.Parallel()
	for host, warned := range map[string]bool{"127.0.0.1": false, "0.0.0.0": true, "::": true, "": true} {
		ctx, end := context.WithCancel(t.Context())

		stdout := &firstLine{written: end} // it ends when it listens
		var stderr strings.Builder
		require.NoError(t, run(ctx, []string{"-port", "0", "-host", host}, stdout, &stderr))
		end()
		require.Equal(t, warned, strings.Contains(stderr.String(), "warning"), host)
	}
}

// TestEndpoint checks that the printed address is one that clients on this machine can use, and
// that an address of IPv4 listens on IPv4 only.
func TestEndpoint(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{"0.0.0.0": "127.0.0.1", "127.0.0.1": "127.0.0.1", "::1": "[::1]", "localhost": "", "": ""} {
		listener, err := new(net.ListenConfig).Listen(t.Context(), network(host), net.JoinHostPort(host, "0"))
		if err != nil && strings.Contains(host, ":") {
			continue // no IPv6
		}
		require.NoError(t, err)
		address := local(listener.Addr())
		require.True(t, strings.HasPrefix(address, want), address)
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
		require.NoError(t, err, host)
		require.NoError(t, c.Close())
		_, port, err := net.SplitHostPort(address)
		require.NoError(t, err)
		if host == "0.0.0.0" {
			_, err = new(net.Dialer).DialContext(t.Context(), "tcp", net.JoinHostPort("::1", port))
			require.Error(t, err)
		}
		require.NoError(t, listener.Close())
	}
}

// firstLine calls a function when it was written to.
type firstLine struct {
	once    sync.Once
	written func()
}

func (w *firstLine) Write(p []byte) (int, error) {
	w.once.Do(w.written)
	return len(p), nil
}
