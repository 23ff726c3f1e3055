package ddbtest_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// tenantPolicy allows one tenant its partitions of the table and of its index, and no Scan.
const tenantPolicy = `{"Version": "2012-10-17", "Statement": [
	{"Effect": "Allow", "Action": "dynamodb:*",
	 "Resource": ["arn:aws:dynamodb:*:*:table/things", "arn:aws:dynamodb:*:*:table/things/index/*"],
	 "Condition": {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": "T#${aws:PrincipalTag/tenant}#*"}}},
	{"Effect": "Deny", "Action": "dynamodb:Scan", "Resource": "*"}]}`

func tenant(id string) ddbtest.Policy {
	return ddbtest.Policy{Document: tenantPolicy, Variables: map[string]string{"aws:PrincipalTag/tenant": id}}
}

func key(pk string) attributes {
	return attributes{"pk": text(pk), "sk": &types.AttributeValueMemberN{Value: "1"}}
}

func requireDenied(t *testing.T, err error, name string) {
	t.Helper()
	var api smithy.APIError
	require.ErrorAs(t, err, &api, name)
	require.Equal(t, "AccessDeniedException", api.ErrorCode(), name)
	require.NotContains(t, api.ErrorMessage(), "T#", name)
}

// calls are all operations on items. Each uses the two partitions.
var calls = map[string]func(ctx context.Context, c *dynamodb.Client, a, b string) error{
	"GetItem": func(ctx context.Context, c *dynamodb.Client, _, b string) error {
		_, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String(things), Key: key(b)})
		return err
	},
	"PutItem": func(ctx context.Context, c *dynamodb.Client, _, b string) error {
		_, err := c.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(things), Item: key(b)})
		return err
	},
	"UpdateItem": func(ctx context.Context, c *dynamodb.Client, _, b string) error {
		_, err := c.UpdateItem(ctx, &updateInput{TableName: aws.String(things), Key: key(b)})
		return err
	},
	"DeleteItem": func(ctx context.Context, c *dynamodb.Client, _, b string) error {
		_, err := c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String(things), Key: key(b)})
		return err
	},
	"Query": func(ctx context.Context, c *dynamodb.Client, _, b string) error {
		return queryIndex(ctx, c, nil, "pk", b)
	},
	"Query of an index": func(ctx context.Context, c *dynamodb.Client, _, b string) error {
		return queryIndex(ctx, c, aws.String("byColor"), "color", b)
	},
	"BatchGetItem": func(ctx context.Context, c *dynamodb.Client, a, b string) error {
		_, err := c.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			things: {Keys: []attributes{key(a), key(b)}},
		}})
		return err
	},
	"BatchWriteItem": func(ctx context.Context, c *dynamodb.Client, a, b string) error {
		_, err := c.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{
			things: {{PutRequest: &types.PutRequest{Item: key(a)}}, {DeleteRequest: &types.DeleteRequest{Key: key(b)}}},
		}})
		return err
	},
	"TransactGetItems": func(ctx context.Context, c *dynamodb.Client, a, b string) error {
		_, err := c.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
			{Get: &types.Get{TableName: aws.String(things), Key: key(a)}}, {Get: &types.Get{TableName: aws.String(things), Key: key(b)}},
		}})
		return err
	},
	"TransactWriteItems": func(ctx context.Context, c *dynamodb.Client, a, b string) error {
		_, err := c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: aws.String(things), Item: key(a)}},
			{ConditionCheck: &types.ConditionCheck{TableName: aws.String(things), Key: key(b), ConditionExpression: aws.String("attribute_not_exists(x)")}},
		}})
		return err
	},
}

func queryIndex(ctx context.Context, c *dynamodb.Client, index *string, attribute, value string) error {
	_, err := c.Query(ctx, &dynamodb.QueryInput{
		TableName: aws.String(things), IndexName: index, KeyConditionExpression: aws.String("#p = :p"),
		ExpressionAttributeNames: map[string]string{"#p": attribute}, ExpressionAttributeValues: attributes{":p": text(value)},
	})
	return err
}

func TestPolicyOfTenant(t *testing.T) {
	t.Parallel()
	db := setup(t, ddbtest.Options{Record: true})
	own, open := db.Client(db.WithPolicy(tenant("1"))), db.Client()
	for name, call := range calls {
		require.NoError(t, call(t.Context(), open, "T#1#a", "T#10#b"), name)
		db.Load(t, things, key("T#10#b"))
		require.NoError(t, call(t.Context(), own, "T#1#a", "T#1#b"), name)
		before := db.Hash()
		requireDenied(t, call(t.Context(), own, "T#1#c", "T#10#b"), name)
		require.Equal(t, before, db.Hash(), name)
	}
	_, err := own.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String(things)})
	requireDenied(t, err, "Scan")
	_, err = own.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(things)})
	require.NoError(t, err)
	_, err = own.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	requireDenied(t, err, "ListTables")
	fork := db.Fork().Client(func(o *dynamodb.Options) { o.Credentials = own.Options().Credentials })
	require.NoError(t, calls["GetItem"](t.Context(), fork, "", "T#1#a"), "fork")
	requireDenied(t, calls["GetItem"](t.Context(), fork, "", "T#2#a"), "fork")
}

// TestPolicyOfAttributesAndTransactions checks the condition keys other than LeadingKeys.
func TestPolicyOfAttributesAndTransactions(t *testing.T) {
	t.Parallel()
	db := setup(t)
	client := func(condition string) *dynamodb.Client {
		return db.Client(db.WithPolicy(ddbtest.Policy{Document: `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{` + condition + `}}}`}))
	}
	get := func(c *dynamodb.Client, projection *string) error {
		_, err := c.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String(things), Key: key("a"), ProjectionExpression: projection})
		return err
	}
	few := client(`"ForAllValues:StringEquals":{"dynamodb:Attributes":["pk","sk","color"]},"StringEquals":{"dynamodb:Select":"SPECIFIC_ATTRIBUTES"}`)
	require.NoError(t, get(few, aws.String("color")))
	requireDenied(t, get(few, aws.String("color, shape.x")), "another attribute")
	requireDenied(t, get(few, nil), "all attributes")
	values := client(`"StringEquals":{"dynamodb:ReturnValues":"NONE"}`)
	put := func(returns types.ReturnValue) error {
		_, err := values.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(things), Item: key("a"), ReturnValues: returns})
		return err
	}
	require.NoError(t, put(""))
	requireDenied(t, put(types.ReturnValueAllOld), "return values")
	update := func(expression string) error {
		c := client(`"ForAllValues:StringEquals":{"dynamodb:Attributes":["pk","sk","color"]}`)
		_, err := c.UpdateItem(t.Context(), &updateInput{TableName: aws.String(things), Key: key("a"), UpdateExpression: aws.String(expression)})
		return err
	}
	require.NoError(t, update("REMOVE color"))
	requireDenied(t, update("SET color = another"), "source of an update")
	enclosed := client(`"StringEquals":{"dynamodb:EnclosingOperation":"TransactWriteItems"}`)
	require.NoError(t, calls["TransactWriteItems"](t.Context(), enclosed, "a", "b"))
	requireDenied(t, calls["PutItem"](t.Context(), enclosed, "a", "b"), "not enclosed")
	reads := client(`"ForAnyValue:StringEquals":{"dynamodb:EnclosingOperation":["TransactGetItems"]}`)
	require.NoError(t, calls["TransactGetItems"](t.Context(), reads, "a", "b"))
	requireDenied(t, calls["TransactGetItems"](t.Context(), enclosed, "a", "b"), "another enclosing operation")
}

// TestPolicyOfIndex allows a table without its index, and tags only by their own action.
func TestPolicyOfIndex(t *testing.T) {
	t.Parallel()
	db := setup(t)
	table := db.Client(db.WithPolicy(ddbtest.Policy{Document: `{"Version":"2012-10-17","Statement":{"Effect":"Allow",
		"Action":["dynamodb:Query","dynamodb:CreateTable"],"Resource":["arn:aws:dynamodb:*:*:table/things","arn:aws:dynamodb:*:*:table/other"]}}`}))
	require.NoError(t, calls["Query"](t.Context(), table, "", "a"))
	requireDenied(t, calls["Query of an index"](t.Context(), table, "", "a"), "index")
	input := thingsTable()
	input.TableName, input.BillingMode = aws.String("other"), types.BillingModePayPerRequest
	input.Tags = []types.Tag{{Key: aws.String("k"), Value: aws.String("v")}}
	_, err := table.CreateTable(t.Context(), input)
	requireDenied(t, err, "tags")
	input.Tags = nil
	_, err = table.CreateTable(t.Context(), input)
	require.NoError(t, err)
}

// TestDeniedByARNs checks the hint of an error for a policy with the ARNs of another Region or
// account. It is not in other errors.
func TestDeniedByARNs(t *testing.T) {
	t.Parallel()
	for resource, hint := range map[string]bool{
		"arn:aws:dynamodb:eu-west-1:123456789012:table/things": true,
		"arn:aws:dynamodb:us-east-1:000000000000:table/things": true,
		"arn:aws:dynamodb:eu-*:*:table/thi*":                   true,
		"arn:aws:dynamodb:eu-west-1:123456789012:table/other":  false,
		"arn:aws:dynamodb:us-east-1:123456789012:table/other":  false,
		"arn:aws:dynamodb:*:*:table/other":                     false,
	} {
		db := setup(t)
		client := db.Client(db.WithPolicy(ddbtest.Policy{Document: `{"Version":"2012-10-17","Statement":[
			{"Effect":"Allow","Action":"dynamodb:GetItem","Resource":"` + resource + `"},
			{"Effect":"Deny","Action":"dynamodb:PutItem","Resource":"` + resource + `"}]}`}))
		err := calls["GetItem"](t.Context(), client, "", "a")
		requireDenied(t, err, resource)
		require.Equal(t, hint, strings.Contains(err.Error(), "This database has the Region us-east-1 and the account 123456789012"), resource)
		err = calls["PutItem"](t.Context(), client, "", "a")
		requireDenied(t, err, resource)
		require.NotContains(t, err.Error(), "us-east-1 and the account", "it allows it nowhere")
	}
}

// TestPolicyOverHTTP tells clients apart by their access keys.
func TestPolicyOverHTTP(t *testing.T) {
	t.Parallel()
	db := setup(t)
	server := httptest.NewServer(db)
	t.Cleanup(server.Close)
	client := func(o *dynamodb.Options) {
		o.BaseEndpoint, o.HTTPClient = aws.String(server.URL), server.Client()
		o.Credentials = db.PolicyCredentials(tenant("1"))
	}
	require.NoError(t, calls["PutItem"](t.Context(), db.Client(client), "", "T#1#a"))
	requireDenied(t, calls["PutItem"](t.Context(), db.Client(client), "", "T#2#a"), "PutItem")
}

// TestPolicyOfLateRequest applies the policy to a copy of a request that arrives later.
func TestPolicyOfLateRequest(t *testing.T) {
	t.Parallel()
	db := setup(t)
	db.Fail(ddbtest.Op("PutItem"), ddbtest.LateDuplicate)
	require.Error(t, calls["PutItem"](t.Context(), db.Client(db.WithPolicy(tenant("1"))), "", "T#2#a"), "the reply is lost")
	require.NotEmpty(t, db.Pending())
	db.DeliverLate()
	require.Empty(t, db.Dump(things))
}

// TestInvalidPolicy fails the test of the database, and allows nothing.
func TestInvalidPolicy(t *testing.T) {
	t.Parallel()
	db := ddbtest.New(ddbtest.Options{})
	db.CreateTable(t, thingsTable())
	client := db.Client(db.WithPolicy(ddbtest.Policy{Document: `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"IpAddress":{"aws:SourceIp":"::1"}}}}`}))
	require.ErrorContains(t, db.Err(), "IpAddress")
	requireDenied(t, calls["GetItem"](t.Context(), client, "", "a"), "invalid policy")
}

// TestPolicyOfAnotherDatabase checks that a database allows nothing to a policy that it does not
// have, and never applies another one in its place.
func TestPolicyOfAnotherDatabase(t *testing.T) {
	t.Parallel()
	db, other := setup(t), setup(t)
	foreign := db.WithPolicy(tenant("1"))
	require.NoError(t, calls["GetItem"](t.Context(), db.Client(foreign), "", "T#1#a"))
	requireDenied(t, calls["GetItem"](t.Context(), other.Client(foreign), "", "T#1#a"), "no policy")
	own := other.WithPolicy(tenant("2"))
	for _, key := range []string{"T#1#a", "T#2#a"} {
		requireDenied(t, calls["GetItem"](t.Context(), other.Client(foreign), "", key), "another policy")
	}
	require.NoError(t, calls["GetItem"](t.Context(), other.Client(own), "", "T#2#a"))
}
