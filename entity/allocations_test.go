package entity_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testsize"
)

type cargo struct {
	_      entity.Key `type:"cargo" pk:"DOCK#<dock>" sk:"CARGO#<id>"`
	Dock   string     `dynamodbav:"dock"`
	ID     string     `dynamodbav:"id"`
	Weight int        `dynamodbav:"weight"`
	Label  string     `dynamodbav:"label"`
	Tags   []string   `dynamodbav:"tags"`
}

const storedCargo = `{"PK":{"S":"DOCK#7"},"SK":{"S":"CARGO#c1"},"_type":{"S":"cargo"},"dock":{"S":"7"},"id":{"S":"c1"},` +
	`"weight":{"N":"120"},"label":{"S":"this side up"},"tags":{"L":[{"S":"cold"},{"S":"heavy"}]}}`

// cannedReply sends the same reply to each request.
type cannedReply struct{ body []byte }

func (c *cannedReply) Do(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, ContentLength: int64(len(c.body)), Body: io.NopCloser(bytes.NewReader(c.body)),
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}, "X-Amzn-Requestid": {"REQ1"}},
	}, nil
}

func cannedClient(body string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region: "eu-north-1", HTTPClient: &cannedReply{[]byte(body)},
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "AKID", SecretAccessKey: "secret"}, nil
		}),
	})
}

// A call allocates little more than the SDK does for the same request, with a reply that it need
// not decode.
func TestAllocationsAboveTheSDK(t *testing.T) {
	schema := entity.NewSchema(entity.Config{})
	cargos := entity.Define[cargo](schema)
	weight := attr.Must(func(c *cargo) *int { return &c.Weight })
	open := func(body string) *entity.Repo[cargo] {
		table, err := schema.Open(cannedClient(body), "app")
		require.NoError(t, err)
		return cargos.In(table)
	}
	ctx, example := t.Context(), cargo{Dock: "7", ID: "c1"}
	whole := cargo{Dock: "7", ID: "c1", Weight: 120, Label: "this side up", Tags: []string{"cold", "heavy"}}
	stack, gets, puts, updates := cannedClient(`{}`), open(`{"Item":`+storedCargo+`}`), open(`{}`), open(`{"Attributes":`+storedCargo+`}`)
	var got cargo
	for _, c := range []struct {
		name  string
		input func() (trestle.Input, error)
		send  func(trestle.Input) error
		call  func() error
		more  float64
	}{
		{
			"get",
			gets.Op().Get(example).Input,
			func(in trestle.Input) error {
				own := *in.Get
				_, err := stack.GetItem(ctx, &own)
				return err
			},
			func() (err error) {
				got, err = gets.Get(ctx, example)
				return err
			},
			12,
		},
		{
			"put",
			puts.Op().Put(&whole).Input,
			func(in trestle.Input) error {
				own := *in.Put
				_, err := stack.PutItem(ctx, &own)
				return err
			},
			func() error { got = whole; return puts.Put(ctx, &got) },
			22,
		},
		{
			"update",
			updates.Op().Update(example, weight.Set(120)).Input,
			func(in trestle.Input) error {
				own := *in.Update
				_, err := stack.UpdateItem(ctx, &own)
				return err
			},
			func() (err error) {
				got, err = updates.Update(ctx, example, weight.Set(120))
				return err
			},
			33,
		},
	} {
		in, err := c.input()
		require.NoError(t, err, c.name)
		require.NoError(t, c.send(in), c.name)
		require.NoError(t, c.call(), c.name)
		require.Equal(t, whole, got, c.name)
		if testsize.Race {
			continue
		}
		sdk := testing.AllocsPerRun(200, func() { err = c.send(in) })
		require.NoError(t, err, c.name)
		ours := testing.AllocsPerRun(200, func() { err = c.call() })
		require.NoError(t, err, c.name)
		t.Logf("%s: %v, the SDK alone %v", c.name, ours, sdk)
		require.LessOrEqual(t, ours, sdk+c.more, c.name)
	}
}
