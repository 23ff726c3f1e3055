package fetch_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/testdriven"
	"github.com/trestledb/trestle/internal/testschema"
)

// batchFile is the state of batch reads. They have these commands:
//
//	keys             the keys to read: sort keys in partition R#0, with strong: before those to be
//	                 read strongly consistently and TABLE/ before those of another table; A..B
//	                 stands for all numbers from A to B
//	replies          the replies of the service, one on each line; see batchReply
//	batch            reads the keys; attributes=NAME reads only this one, and fails=N,… fails to
//	                 take the keys at these indexes. cancel ends the context after the first reply
//	distinct         the number of distinct items
type batchFile struct {
	keys    []fetch.KeyRequest
	replies []string
	cancel  context.CancelFunc // called after the first reply, unless nil
	mu      sync.Mutex         // of replies and log
	log     strings.Builder

	trestle.Client // nil: the test fails with a panic if it calls another method
}

func (f *batchFile) run(t *testing.T, c *testdriven.Case, s *core.Schema) (out string) {
	t.Helper()
	switch c.Command {
	case "keys":
		f.keys = nil
		for _, word := range numbers(strings.Fields(c.Input)) {
			f.keys = append(f.keys, keyRequest(s, word))
		}
	case "replies":
		f.replies = strings.Split(c.Input, "\n")
	case "distinct":
		items, strong := fetch.Distinct(f.keys)
		return fmt.Sprintf("%d items, %d strong", items, strong)
	case "batch":
		synctest.Test(t, func(t *testing.T) { out = f.batch(t, c) }) // the pauses take no time
	default:
		t.Fatalf("%s: unknown command %s", c.Pos, c.Command)
	}
	return out
}

// numbers replaces each A..B by the numbers from A to B.
func numbers(words []string) (all []string) {
	for _, word := range words {
		first, last, found := strings.Cut(word, "..")
		if !found {
			all = append(all, word)
			continue
		}
		from, _ := strconv.Atoi(first)
		to, _ := strconv.Atoi(last)
		for n := from; n <= to; n++ {
			all = append(all, strconv.Itoa(n))
		}
	}
	return all
}

func keyRequest(s *core.Schema, word string) fetch.KeyRequest {
	k := fetch.KeyRequest{Table: "app", Schema: s}
	if table, rest, found := strings.Cut(word, "/"); found {
		k.Table, word = table, rest
	}
	word, k.Strong = strings.CutPrefix(word, "strong:")
	k.Key = op.Item{"PK": &types.AttributeValueMemberS{Value: "R#0"}, "SK": core.KeyValue(s.Sort.Type, word)}
	return k
}

func (f *batchFile) batch(t *testing.T, c *testdriven.Case) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if f.log.Reset(); c.Has("cancel") {
		f.cancel = cancel
	}
	var projection fetch.Projection
	if names := c.Value("attributes"); names != "" {
		projection = fetch.Projection{Expression: "#p0", Names: map[string]string{"#p0": names}}
	}
	fails := strings.Split(c.Value("fails"), ",")
	var taken []int
	call := exec.NewCall(&exec.Config{Client: f, Table: "app"}, trestle.OperationInfo{Operation: "get many", Table: "app"}, nil, trestle.NoWrite)
	left, err := fetch.BatchGet(ctx, &call, f.keys, projection, func(i int, row core.Row) error {
		k := &f.keys[i]
		require.Equal(t, k.Schema.Identity(core.NewRow(k.Key)), k.Schema.Identity(row), c.Pos)
		if slices.Contains(fails, strconv.Itoa(i)) {
			return errSink
		}
		taken = append(taken, i)
		return nil
	})
	slices.Sort(taken)
	out := f.log.String() + fmt.Sprintf("taken %s\nleft %s\nrequests %d, unprocessed %d, units %v\n", ranges(taken), ranges(left), call.Requests, call.Unprocessed, call.Capacity.Read)
	if err != nil {
		out += errorText(err)
	}
	require.Empty(t, f.replies, "%s: replies that no request got", c.Pos)
	f.cancel = nil
	return out
}

// ranges returns ascending numbers as text, with A..B for consecutive ones.
func ranges(list []int) string {
	var out []string
	for i := 0; i < len(list); {
		end := i
		for end+1 < len(list) && list[end+1] == list[end]+1 {
			end++
		}
		text := strconv.Itoa(list[i])
		if end > i {
			text += ".." + strconv.Itoa(list[end])
		}
		out = append(out, text)
		i = end + 1
	}
	return strings.Join(out, " ")
}

// BatchGetItem answers with the next reply of the script, or with all items. Requests that run at
// the same time are answered in the order of their first keys.
func (f *batchFile) BatchGetItem(_ context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	<-time.After(firstKey(in))
	f.mu.Lock()
	defer f.mu.Unlock()
	reply := ""
	if len(f.replies) > 0 {
		reply, f.replies = f.replies[0], f.replies[1:]
	}
	if f.cancel != nil {
		defer f.cancel()
	}
	return f.batchReply(in, reply)
}

// firstKey returns the least key of a request in milliseconds.
func firstKey(in *dynamodb.BatchGetItemInput) time.Duration {
	least := math.MaxInt
	for _, keys := range in.RequestItems {
		for _, key := range keys.Keys {
			n, _ := strconv.ParseFloat(strings.Trim(testschema.ValueText(key["SK"]), "'"), 64)
			least = min(least, int(n))
		}
	}
	return time.Duration(least) * time.Millisecond
}

// batchReply answers a request with all items, except for
//
//	missing KEY…          items that do not exist
//	unprocessed KEY…      keys that are not processed; "all" for all keys
//	foreign               an item and an unprocessed key of a table that was not asked for
//	error=CODE            an error instead
func (f *batchFile) batchReply(in *dynamodb.BatchGetItemInput, reply string) (*dynamodb.BatchGetItemOutput, error) {
	verb := ""
	listed := map[string]string{}
	for _, word := range numbers(strings.Fields(reply)) {
		switch name, code, isError := strings.Cut(word, "="); {
		case isError && name == "error":
			f.log.WriteString("request " + f.requestText(in) + "\n")
			return nil, &smithy.GenericAPIError{Code: code}
		case word == "missing" || word == "unprocessed" || word == "foreign":
			verb = word
			listed[verb] = ""
		default:
			listed[word] = verb
		}
	}
	f.log.WriteString("request " + f.requestText(in) + "\n")
	out := &dynamodb.BatchGetItemOutput{Responses: map[string][]map[string]types.AttributeValue{}, UnprocessedKeys: map[string]types.KeysAndAttributes{}}
	for table, keys := range in.RequestItems {
		for _, key := range keys.Keys {
			switch name := strings.Trim(testschema.ValueText(key["SK"]), "'"); {
			case listed[name] == "unprocessed" || listed["all"] == "unprocessed":
				rest := out.UnprocessedKeys[table]
				rest.Keys = append(rest.Keys, key)
				out.UnprocessedKeys[table] = rest
			case listed[name] != "missing":
				out.Responses[table] = append(out.Responses[table], key)
			}
		}
	}
	if _, foreign := listed["foreign"]; foreign {
		key := map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "x"}}
		out.Responses["other"] = append(out.Responses["other"], key)
		out.UnprocessedKeys["other"] = types.KeysAndAttributes{Keys: []map[string]types.AttributeValue{key}}
	}
	for range in.RequestItems {
		out.ConsumedCapacity = append(out.ConsumedCapacity, types.ConsumedCapacity{CapacityUnits: aws.Float64(0.5)})
	}
	return out, nil
}

// requestText returns a request, by table.
func (f *batchFile) requestText(in *dynamodb.BatchGetItemInput) string {
	var tables []string
	for table, keys := range in.RequestItems {
		var names []string
		for _, key := range keys.Keys {
			names = append(names, strings.Trim(testschema.ValueText(key["SK"]), "'"))
		}
		if len(names) > 8 {
			names = []string{names[0], "…", names[len(names)-1], fmt.Sprintf("(%d keys)", len(names))}
		}
		text := table + ": " + strings.Join(names, " ")
		if aws.ToBool(keys.ConsistentRead) {
			text += " strong"
		}
		if keys.ProjectionExpression != nil {
			text += fmt.Sprint(" ", *keys.ProjectionExpression, " ", keys.ExpressionAttributeNames)
		}
		tables = append(tables, text)
	}
	slices.Sort(tables)
	return strings.Join(tables, "; ")
}
