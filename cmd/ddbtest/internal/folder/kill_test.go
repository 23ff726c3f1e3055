package folder_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/folder"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// The variables of a process that serves a database: its file, and which commits it forgets.
const (
	fileVariable   = "DDBTEST_FILE"
	forgetVariable = "DDBTEST_FORGET"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(fileVariable); path != "" {
		err := serve(path, os.Getenv(forgetVariable))
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// serve serves the database of a file, and prints the address.
func serve(path, forget string) error {
	file, err := folder.Open(path, false)
	if err != nil {
		return err
	}
	var storage ddbtest.Storage = file
	if forget != "" {
		storage = &forgetful{File: file, mode: forget}
	}
	db := ddbtest.New(ddbtest.Options{Storage: storage})
	if err := db.Err(); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stdout, listener.Addr())
	return http.Serve(listener, db) //nolint:gosec // the test ends the process
}

// forgetful is a storage that makes a commit later than it says, or in two steps.
type forgetful struct {
	*folder.File
	mode string
	last []ddbtest.StorageChange
}

func (f *forgetful) Commit(changes []ddbtest.StorageChange) error {
	if f.mode == "later" {
		last := f.last
		f.last = changes
		return f.File.Commit(last)
	}
	for _, c := range changes {
		if err := f.File.Commit([]ddbtest.StorageChange{c}); err != nil {
			return err
		}
	}
	return nil
}

const clients = 8

// killed is a database whose process is killed again and again.
type killed struct {
	file, forget string
	acknowledged [clients]int
}

// run starts a process, checks what it has, and kills it after that number of writes.
func (k *killed) run(t *testing.T, writes int64) (wrong []string) {
	t.Helper()
	process := exec.CommandContext(t.Context(), os.Args[0]) //nolint:gosec // it is this program
	process.Env = append(os.Environ(), fileVariable+"="+k.file, forgetVariable+"="+k.forget)
	process.Stderr = os.Stderr
	out, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	defer func() { _ = process.Wait() }()
	defer func() { _ = process.Process.Kill() }()
	printed := bufio.NewScanner(out)
	require.True(t, printed.Scan(), "the process printed no address")

	client := clientOf(printed.Text())
	createTable(t, client)
	if wrong = k.check(t, client); len(wrong) > 0 {
		return wrong
	}
	var left atomic.Int64
	left.Store(writes)
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			for left.Load() > 0 && write(t.Context(), client, i, k.acknowledged[i]+1) == nil {
				k.acknowledged[i]++
				if left.Add(-1) == 0 {
					_ = process.Process.Kill()
				}
			}
		})
	}
	all.Wait()
	return nil
}

func clientOf(address string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String("http://" + address), Region: "us-east-1", Retryer: aws.NopRetryer{},
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "key", SecretAccessKey: "secret"}, nil
		}),
	})
}

func createTable(t *testing.T, client *dynamodb.Client) {
	t.Helper()
	if _, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("counts")}); err == nil {
		return
	}
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("counts"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	require.NoError(t, err)
}

// halves are the IDs of the two items of a client.
func halves(client int) [2]string { return [2]string{fmt.Sprint(client, "a"), fmt.Sprint(client, "b")} }

// write writes a number to both items of a client, in one transaction.
func write(ctx context.Context, c *dynamodb.Client, client, n int) error {
	in := &dynamodb.TransactWriteItemsInput{}
	for _, id := range halves(client) {
		in.TransactItems = append(in.TransactItems, types.TransactWriteItem{Put: &types.Put{TableName: aws.String("counts"), Item: map[string]types.AttributeValue{
			"id": &types.AttributeValueMemberS{Value: id}, "n": &types.AttributeValueMemberN{Value: strconv.Itoa(n)},
		}}})
	}
	_, err := c.TransactWriteItems(ctx, in)
	return err
}

// check returns what the database lacks of the acknowledged writes, and what it has in part. The
// last write of a client may be there without an acknowledgment.
func (k *killed) check(t *testing.T, c *dynamodb.Client) (wrong []string) {
	t.Helper()
	for client, least := range k.acknowledged {
		var both [2]int
		for i, id := range halves(client) {
			out, err := c.GetItem(t.Context(), &dynamodb.GetItemInput{
				TableName: aws.String("counts"), Key: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}},
			})
			require.NoError(t, err)
			if n, ok := out.Item["n"].(*types.AttributeValueMemberN); ok {
				both[i], err = strconv.Atoi(n.Value)
				require.NoError(t, err)
			}
		}
		if both[0] != both[1] || both[0] < least || both[0] > least+1 {
			wrong = append(wrong, fmt.Sprintf("client %d has %v of %d", client, both, least))
		}
		k.acknowledged[client] = both[0]
	}
	return wrong
}

// TestKilled kills a process at random moments while 8 clients write. It opens again each time with
// every acknowledged write, and none in part.
func TestKilled(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(testrand.Seed(t), 0))
	k := &killed{file: filepath.Join(t.TempDir(), "new", "file.db")}
	for range testsize.Pick(10, 40, 1_000) {
		require.Empty(t, k.run(t, r.Int64N(100)))
	}
	require.Positive(t, k.acknowledged[0])
}

// The test finds a storage that has a commit later than it says. It also finds one that makes the
// changes one by one.
func TestKilledControl(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(testrand.Seed(t), 0))
	for _, mode := range []string{"later", "parts"} {
		k := &killed{file: filepath.Join(t.TempDir(), "file.db"), forget: mode}
		var wrong []string
		for i := 0; i < 200 && len(wrong) == 0; i++ {
			wrong = k.run(t, r.Int64N(100))
		}
		require.NotEmpty(t, wrong, mode)
	}
}
