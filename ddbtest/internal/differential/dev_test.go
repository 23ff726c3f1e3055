package differential

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/ddblocal"
)

func local(t *testing.T, e *ddblocal.Server) engine {
	c := e.Client(ddblocal.NewAccessKey(), func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 })
	o := c.Options()
	return engine{name: "local", client: c, loose: true, streams: dynamodbstreams.New(dynamodbstreams.Options{Region: o.Region, BaseEndpoint: o.BaseEndpoint, Credentials: o.Credentials, HTTPClient: typedImages{o.HTTPClient}, Retryer: aws.NopRetryer{}})}
}

func inProcess(t *testing.T) engine {
	db := ddbtest.New(ddbtest.Options{})
	return engine{name: "ddbtest", client: db.Client(func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }), streams: db.StreamsClient()}
}

var known = []explanation{
	{name: "BUG unprojected filter", applies: func(m meeting, d difference) bool { return strings.Contains(d.reference, "does not project one or more filter") }},
	{name: "BUG transact get", applies: func(m meeting, d difference) bool { return strings.HasPrefix(d.what, "Responses[") && d.reference == "{}" && d.candidate == "none" }},
}

var noise = regexp.MustCompile(`[0-9]+|\[.*\]|\{.*\}`)

func env(name string, or int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return or
}

func TestDev(t *testing.T) {
	e, err := ddblocal.Start(t.Context())
	require.NoError(t, err)
	defer e.Close()
	seed, n, most := env("SEED", 1), env("OPS", 20000), env("MOST", 1)
	var (
		mu   sync.Mutex
		wg   sync.WaitGroup
		next int
	)
	all := report{coverage: coverage{}, explained: map[string]int{}}
	kinds := map[string]int{}
	shown := map[string]string{}
	t0 := time.Now()
	for range 4 {
		p := pair{reference: local(t, e), candidate: inProcess(t), explained: append(explanations[:len(explanations):len(explanations)], known...)}
		switch os.Getenv("PAIR") {
		case "LL":
			p.candidate = local(t, e)
		case "DD":
			p.reference = inProcess(t)
		}
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				stop := all.coverage[rowOperations] >= n || len(kinds) >= most || i > n/100
				mu.Unlock()
				if stop {
					return
				}
				got, err := p.run(t.Context(), generate(uint64(seed), i, 400))
				mu.Lock()
				all.add(got)
				mu.Unlock()
				if err != nil {
					fmt.Println("ERR", i, err)
				}
				if got.failure == nil {
					continue
				}
				f := got.failure
				kind := strings.Join(strings.Fields(noise.ReplaceAllString(f.differences[0].String(), "")), " ")
				if len(kind) > 150 {
					kind = kind[:150]
				}
				if f.step < len(f.history.steps) {
					kind += fmt.Sprintf(" %T %s", f.history.steps[f.step].input, f.history.steps[f.step].fault)
				}
				mu.Lock()
				kinds[kind]++
				first := kinds[kind] == 1
				mu.Unlock()
				if first {
					s := fmt.Sprintf("seed %d ", seed) + p.shrink(t.Context(), f).String()
					mu.Lock()
					shown[kind] = s
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if os.Getenv("COV") != "" {
		fmt.Print(all.coverage)
	}
	for kind, s := range shown {
		fmt.Println("=====", kinds[kind], kind)
		fmt.Println(s)
	}
	fmt.Println(time.Since(t0), all.coverage[rowOperations], all.explained)
	if len(kinds) > 0 {
		t.Fail()
	}
}
