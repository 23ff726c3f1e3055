package tx_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// Variables of a process that counts: the endpoint of the table and the first increment.
const (
	endpointVariable = "TRESTLE_TEST_ENDPOINT"
	firstVariable    = "TRESTLE_TEST_FIRST"
)

// killer serves a table. It kills the process that counts, at a random request, before or after
// the request is applied.
type killer struct {
	db  *ddbtest.DB
	rnd *rand.Rand

	mutex    sync.Mutex
	process  *os.Process
	requests int // until the process is killed
	kills    int
	applied  int // kills after the request was applied
}

// start starts a process, which will be killed at one of its first eight requests.
func (k *killer) start(process *exec.Cmd) error {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.requests = 1 + k.rnd.IntN(8)
	err := process.Start()
	k.process = process.Process
	return err
}

func (k *killer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.requests--; k.requests > 0 {
		k.db.ServeHTTP(w, r)
		return
	}
	if k.kills++; k.kills == 1 || k.rnd.IntN(2) == 0 {
		k.applied++
		k.db.ServeHTTP(httptest.NewRecorder(), r)
	} else if _, err := io.Copy(io.Discard, r.Body); err != nil {
		panic(err)
	}
	if err := k.process.Kill(); err != nil {
		panic(err)
	}
	<-r.Context().Done() // the process has ended
}

// countUntilKilled prints the number of each increment that has succeeded.
func countUntilKilled(t *testing.T, do adder) {
	t.Helper()
	first, err := strconv.Atoi(os.Getenv(firstVariable))
	require.NoError(t, err)
	c := openTallies(t, dynamodb.New(dynamodb.Options{
		Region: "eu-north-1", BaseEndpoint: aws.String(os.Getenv(endpointVariable)),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}, nil
		}),
	}))
	for number := first; ; number++ {
		makeIncrement(t, c, do, number)
		fmt.Fprintln(os.Stdout, number)
	}
}

func makeIncrement(t *testing.T, c *tallies, do adder, number int) {
	t.Helper()
	require.NoError(t, do(t.Context(), c, number%tallyIDs, fmt.Sprint("increment ", number)))
}

// A process that counts is killed at random requests. The next one repeats the increment that was
// under way, with the same token, and the counters are exact. Without tokens, the negative control,
// each increment that had been applied counts twice.
func TestKilledProcessesCountExactly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do    adder
		exact bool
		right int
	}{"Once": {addOnce, true, 0}, "WriteOnce": {writeOnce, true, 1}, "NoToken": {addWithoutToken, false, 0}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if os.Getenv(endpointVariable) != "" {
				countUntilKilled(t, c.do)
			}
			db := ddbtest.Start(t)
			tallies := newTallies(t, db.Client())
			k := &killer{db: db, rnd: testrand.New(t)}
			server := httptest.NewServer(k)
			defer server.Close()
			done := 0
			processes := testsize.Pick(8, 25, 500)
			for range processes {
				process := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledProcessesCountExactly$/^"+name+"$") //nolint:gosec // it is this program
				process.Env = append(os.Environ(), endpointVariable+"="+server.URL, fmt.Sprint(firstVariable, "=", done+1))
				out, err := process.StdoutPipe()
				require.NoError(t, err)
				require.NoError(t, k.start(process))
				for lines := bufio.NewScanner(out); lines.Scan(); {
					done, err = strconv.Atoi(lines.Text())
					require.NoError(t, err)
				}
				require.Error(t, process.Wait(), "it is killed")
			}
			server.Close()
			require.Equal(t, processes, k.kills)
			makeIncrement(t, tallies, c.do, done+1)
			got := counted{left: tallies.total(t, "left"), right: tallies.total(t, "right")}
			t.Logf("%d increments, %d kills, %d of them after the request was applied: %s", done+1, k.kills, k.applied, got)
			require.Equal(t, c.exact, got.exact(done+1, (done+1)*c.right))
			if !c.exact {
				require.Equal(t, done+1+k.applied, got.left)
			}
		})
	}
}
