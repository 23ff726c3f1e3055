package serverbench

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// server is a server that runs already.
type server struct{ name, address string }

// servers is a flag that may be repeated.
type servers []server

func (s *servers) String() string { return fmt.Sprint(*s) }

func (s *servers) Set(text string) error {
	name, address, ok := strings.Cut(text, "=")
	if !ok {
		return errors.New("want name=host:port")
	}
	*s = append(*s, server{name, address})
	return nil
}

var (
	compared    servers
	rounds      = flag.Int("rounds", 5, "compare the servers in this many rounds")
	duration    = flag.Duration("duration", time.Second, "the duration of one measurement")
	connections = flag.Int("connections", 4, "the number of connections")
)

func init() {
	flag.Var(&compared, "server", "a server to compare, such as ours=127.0.0.1:8000; may be repeated")
}

// TestTasks checks that a server of its own answers all requests of each task.
func TestTasks(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(ddbtest.Start(t))
	defer s.Close()
	address := s.Listener.Addr().String()
	require.NoError(t, prepare(address))
	c, err := dial(address)
	require.NoError(t, err)
	defer c.Close()
	for _, task := range tasks {
		for _, r := range task.requests(address) {
			_, err := c.do(r)
			require.NoError(t, err)
		}
	}
	_, err = c.do(newRequest(address, "GetItem", itemLength, `{"TableName":"bench","Key":{"PK":{"S":"none"},"SK":{"S":"none"}}}`))
	require.Error(t, err, "an empty reply is too short")
}

// TestServers compares the servers of the flag -server: the first one with each other one. Without
// the flag, it measures a server of its own for a moment, to show that the measurement works.
func TestServers(t *testing.T) { //nolint:paralleltest // it measures
	if len(compared) == 0 {
		s := httptest.NewServer(ddbtest.Start(t))
		defer s.Close()
		compared, *rounds, *duration = servers{{"ddbtest", s.Listener.Addr().String()}}, 1, time.Millisecond
	}
	for _, s := range compared {
		require.NoError(t, prepare(s.address), s.name)
	}
	for _, task := range tasks {
		rates := make([][]float64, len(compared))
		for round := range *rounds {
			for i := range compared {
				n := (i + round) % len(compared)
				rate, err := measure(compared[n].address, task.requests(compared[n].address))
				require.NoError(t, err, compared[n].name)
				rates[n] = append(rates[n], rate)
			}
		}
		line := fmt.Sprintf("%-12s", task.name)
		for n, s := range compared {
			line += fmt.Sprintf(" %s %6.0f/s", s.name, median(rates[n]))
			if n > 0 {
				line += fmt.Sprintf(" (%.2f times)", median(rates[0])/median(rates[n]))
			}
		}
		t.Log(line)
	}
}

func median(list []float64) float64 {
	slices.SortFunc(list, cmp.Compare)
	return list[len(list)/2]
}

// measure returns the requests in a second.
func measure(address string, requests []*request) (rate float64, err error) {
	start := time.Now()
	counts, errs := make([]int, *connections), make([]error, *connections)
	var running sync.WaitGroup
	for n := range *connections {
		running.Go(func() { counts[n], errs[n] = send(address, requests, n, start.Add(*duration)) })
	}
	running.Wait()
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return float64(sum) / time.Since(start).Seconds(), errors.Join(errs...)
}

// send sends requests until the end of the measurement, and returns their number.
func send(address string, requests []*request, first int, end time.Time) (count int, err error) {
	c, err := dial(address)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	for ; time.Now().Before(end); count++ {
		if _, err := c.do(requests[(first*len(requests) / *connections + count)%len(requests)]); err != nil {
			return count, err
		}
	}
	return count, nil
}
