//go:build unix

package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// binary is the built command. TestMain builds it.
var binary string

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "ddbtest")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary = filepath.Join(dir, "ddbtest")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		panic(string(out))
	}
	return m.Run()
}

// process is a running command.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	url    string
	stderr *strings.Builder
	stdout *bufio.Reader
}

// startProcess starts the command on a free port, and waits for the line with its endpoint.
func startProcess(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.CommandContext(t.Context(), binary, append([]string{"-port", "0"}, args...)...), stderr: new(strings.Builder)}
	p.cmd.Stderr = p.stderr
	p.cmd.Env = []string{} // nothing comes from the environment
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	p.stdout = bufio.NewReader(out)
	line, err := p.stdout.ReadString('\n')
	require.NoError(t, err, "%s", p.stderr)
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "Endpoint: ")
	require.True(t, ok, line)
	require.True(t, strings.HasPrefix(url, "http://127.0.0.1:"), url)
	p.url = url
	return p
}

// end sends a signal and waits until the process has ended. It returns what it wrote to stderr.
func (p *process) end(signal os.Signal) string {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Signal(signal))
	rest, err := io.ReadAll(p.stdout)
	require.NoError(p.t, err)
	require.Empty(p.t, rest, "stdout has one line")
	require.NoError(p.t, p.cmd.Wait(), "%s", p.stderr)
	return p.stderr.String()
}

// client returns a client that makes one attempt of each call.
func (p *process) client(accessKey string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(p.url), Region: "us-east-1", RetryMaxAttempts: 1, HTTPClient: new(http.Client),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: accessKey, SecretAccessKey: "any"}, nil
		}),
	})
}

// control sends a request to the control endpoint and returns its reply.
func (p *process) control(method, path, body string) string {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.url+"/_ddbtest/v1"+path, strings.NewReader(body))
	require.NoError(p.t, err)
	reply, err := new(http.Client).Do(r)
	require.NoError(p.t, err)
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	require.NoError(p.t, err)
	require.Less(p.t, reply.StatusCode, 300, "%s", text)
	return string(text)
}

const thingsFixture = `{"tables":[{"TableName":"things","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
	"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}]}],"items":{"things":[{"id":{"S":"a"}}]}}`

func putThing(t *testing.T, client *dynamodb.Client, id string) error {
	t.Helper()
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("things"),
		Item: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}}})
	return err
}

func countThings(t *testing.T, client *dynamodb.Client) int32 {
	t.Helper()
	out, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("things"), Select: types.SelectCount})
	require.NoError(t, err)
	return out.Count
}

// TestProcess runs the command with two access keys, and uses the control endpoint of one of them.
func TestProcess(t *testing.T) {
	t.Parallel()
	p := startProcess(t)
	one, two := p.client("one"), p.client("two")
	p.control(http.MethodPost, "/databases", `{"accessKey":"one","region":"us-east-1"}`)
	p.control(http.MethodPost, "/fixtures", thingsFixture) // there is only one database
	tables, err := two.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	require.NoError(t, err)
	require.Empty(t, tables.TableNames)

	p.control(http.MethodPost, "/faults?accessKey=one", `{"operations":["PutItem"],"nth":1,"effects":[{"effect":"Reset","afterCommit":true}]}`)
	p.control(http.MethodPost, "/snapshots?accessKey=one", "")
	require.Error(t, putThing(t, one, "b"))
	require.NoError(t, putThing(t, one, "c"))
	require.EqualValues(t, 3, countThings(t, one), "the reply was lost, not the write")
	require.Contains(t, p.control(http.MethodGet, "/faults/1?accessKey=one", ""), `"hits":1`)
	p.control(http.MethodPost, "/snapshots/1/restore?accessKey=one", "")
	require.EqualValues(t, 1, countThings(t, one))

	before := p.control(http.MethodGet, "/clock?accessKey=one", "")
	require.Greater(t, p.control(http.MethodPost, "/clock/advance?accessKey=one", `{"by":"48h"}`), before)
	require.Contains(t, p.control(http.MethodGet, "/openapi.yaml", ""), "openapi: 3")
	require.Contains(t, p.end(syscall.SIGTERM), "tests and development only")
}

// TestProcessEnds checks that both signals end the command, and that it ends a request that hangs.
func TestProcessEnds(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		p := startProcess(t)
		p.control(http.MethodPost, "/databases", `{"accessKey":"one","region":"us-east-1"}`)
		p.control(http.MethodPost, "/faults", `{"effects":[{"effect":"Hang"}]}`)
		result := make(chan error, 1)
		go func() {
			_, err := p.client("one").ListTables(context.Background(), &dynamodb.ListTablesInput{})
			result <- err
		}()
		for !strings.Contains(p.control(http.MethodGet, "/held", ""), "ListTables") {
			require.NoError(t, t.Context().Err())
		}
		p.end(signal)
		require.Error(t, <-result)
	}
}

// TestProcessRecordsAndReplays checks that a recording has the fixtures and the requests, and that
// another process begins with its content.
func TestProcessRecordsAndReplays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fixtures, recording := filepath.Join(dir, "fixtures.json"), filepath.Join(dir, "run.jsonl")
	require.NoError(t, os.WriteFile(fixtures, []byte(thingsFixture), 0o600))
	p := startProcess(t, "-record", recording, "-load", fixtures)
	require.NoError(t, putThing(t, p.client("one"), "b"))
	require.Contains(t, p.end(syscall.SIGTERM), recording)

	p = startProcess(t, "-replay", recording)
	require.EqualValues(t, 2, countThings(t, p.client("other")))
	p.end(syscall.SIGTERM)
}

// TestProcessLoadsFolder checks that a database begins with the files of a folder, and that the
// names of tables that the template does not contain are on stderr.
func TestProcessLoadsFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	template := `{"Resources":{"things":{"Type":"AWS::DynamoDB::Table","Properties":{
		"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]}}}}`
	for name, text := range map[string]string{
		"a.json": `{"Items":[{"id":{"S":"a"}}]}`, "b": template, "c": `{"items":{"things":[{"id":{"S":"c"}}]}}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	p := startProcess(t, "-load", folder, "-load", "things="+filepath.Join(folder, "a.json"))
	require.EqualValues(t, 2, countThings(t, p.client("one")))
	require.EqualValues(t, 2, countThings(t, p.client("two")))
	require.Contains(t, p.end(syscall.SIGTERM), "logical ID")
}

// TestProcessFails checks that a wrong option is an exit status, without a line on stdout.
func TestProcessFails(t *testing.T) {
	t.Parallel()
	var stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), binary, "-prot", "0")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 1, exit.ExitCode())
	require.Empty(t, out)
	require.Contains(t, stderr.String(), "-help")
}

// TestData kills a process, and starts another one with its folder.
func TestData(t *testing.T) {
	t.Parallel()
	fixtures := filepath.Join(t.TempDir(), "fixtures.json")
	require.NoError(t, os.WriteFile(fixtures, []byte(thingsFixture), 0o600))
	args := []string{"-data", t.TempDir(), "-load", fixtures}
	first := startProcess(t, args...)
	require.NoError(t, putThing(t, first.client("one"), "b"))
	require.NoError(t, first.cmd.Process.Kill())
	_ = first.cmd.Wait()
	second := startProcess(t, args...)
	require.EqualValues(t, 2, countThings(t, second.client("one")))
	second.end(syscall.SIGTERM)
}
