package ddbtest_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/engines"
)

// fullTable is a table with everything that a file can define, but its time to live.
func fullTable() *dynamodb.CreateTableInput {
	in := thingsTable()
	in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: aws.String("size"), AttributeType: "N"})
	in.LocalSecondaryIndexes = []types.LocalSecondaryIndex{{
		IndexName:  aws.String("bySize"),
		KeySchema:  []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}, {AttributeName: aws.String("size"), KeyType: "RANGE"}},
		Projection: &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"n"}},
	}}
	in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewImage}
	return in
}

const definitions = `"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},
	{"AttributeName":"color","AttributeType":"S"},{"AttributeName":"size","AttributeType":"N"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
	"GlobalSecondaryIndexes":[{"IndexName":"byColor","KeySchema":[{"AttributeName":"color","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}],
	"LocalSecondaryIndexes":[{"IndexName":"bySize","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"size","KeyType":"RANGE"}],
		"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["n"]}}],
	"SSESpecification":{"SSEEnabled":true},"TableClass":"STANDARD","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}`

const planned = `"hash_key":"pk","range_key":"sk","billing_mode":"PAY_PER_REQUEST","stream_enabled":true,"stream_view_type":"NEW_IMAGE",
	"attribute":[{"name":"color","type":"S"},{"name":"pk","type":"S"},{"name":"sk","type":"N"},{"name":"size","type":"N"}],
	"global_secondary_index":[{"name":"byColor","hash_key":"color","range_key":null,"projection_type":"ALL","non_key_attributes":null,"read_capacity":null}],
	"local_secondary_index":[{"name":"bySize","range_key":"size","projection_type":"INCLUDE","non_key_attributes":["n"]}],
	"ttl":[{"attribute_name":"until","enabled":true}],"server_side_encryption":[{"enabled":true}]`

// TestCreateTables creates the same table from files of each format.
func TestCreateTables(t *testing.T) {
	t.Parallel()
	without, with := ddbtest.Start(t), ddbtest.Start(t)
	without.CreateTable(t, fullTable())
	with.CreateTable(t, fullTable())
	expireBy(t, with)
	for name, c := range map[string]struct {
		content string
		want    *ddbtest.DB
	}{
		"create":         {`{"TableName":"things","BillingMode":"PAY_PER_REQUEST",` + definitions + "}", without},
		"a list of them": {`[{"TableName":"things","Tags":[{"Key":"a","Value":"b"}],` + definitions + "}]", without},
		"describe": {`{"Table":{"TableName":"things","TableStatus":"ACTIVE","CreationDateTime":"2026-01-02T03:04:05+00:00","ItemCount":7,
			"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},` +
			definitions + "}}", without},
		"reply of create": {`{"TableDescription":{"TableName":"things",` + definitions + "}}", without},
		"template": {`{"AWSTemplateFormatVersion":"2010-09-09","Resources":{"Bucket":{"Type":"AWS::S3::Bucket"},"Things":{"Type":"AWS::DynamoDB::Table",
			"Properties":{"TableName":"things","BillingMode":"PAY_PER_REQUEST",` + definitions + `,"TimeToLiveSpecification":{"AttributeName":"until","Enabled":"true"}}}}}`, with},
		"global table": {`{"Resources":{"Things":{"Type":"AWS::DynamoDB::GlobalTable","Properties":{"TableName":"things","Replicas":[{"Region":"eu-north-1"}],` +
			definitions + `,"TimeToLiveSpecification":{"AttributeName":"until","Enabled":true}}}}}`, with},
		"plan": {`{"format_version":"1.2","terraform_version":"1.9.0","planned_values":{"root_module":{"resources":[
			{"address":"aws_s3_bucket.b","type":"aws_s3_bucket","name":"b","values":{}},
			{"address":"aws_dynamodb_table.things","mode":"managed","type":"aws_dynamodb_table","name":"t","values":{"name":"things",` + planned + `}}]}}}`, with},
		"plan of a module": {`{"planned_values":{"root_module":{"child_modules":[{"child_modules":[{"resources":[
			{"mode":"managed","type":"aws_dynamodb_table","name":"things","values":{` + planned + `}}]}]}]}}}`, with},
		"state": {`{"terraform_version":"1.9.0","values":{"root_module":{"resources":[
			{"mode":"data","type":"aws_dynamodb_table","name":"other","values":{}},
			{"mode":"managed","type":"aws_dynamodb_table","name":"things","values":{"name":"things",` + planned + `}}]}}}`, with},
	} {
		db := ddbtest.Start(t)
		require.Equal(t, []string{things}, db.CreateTables(t, writeFile(t, "tables.json", c.content)), name)
		require.Equal(t, c.want.Hash(), db.Hash(), name)
		require.Empty(t, db.Requests())
	}
	require.NotEqual(t, without.Hash(), with.Hash(), "the control")
}

// TestCreateTablesOfNulls creates a table from a request whose optional members are null.
func TestCreateTablesOfNulls(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	require.Equal(t, []string{"orders"}, db.CreateTables(t, writeFile(t, "table.json", `{"TableName":"orders","BillingMode":null,"ProvisionedThroughput":null,
		"GlobalSecondaryIndexes":null,"StreamSpecification":null,"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]}`)))
}

// TestCreateProvisionedTables checks the throughput of tables and indexes.
func TestCreateProvisionedTables(t *testing.T) {
	t.Parallel()
	in := thingsTable()
	in.BillingMode, in.ProvisionedThroughput = types.BillingModeProvisioned, &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(5), WriteCapacityUnits: aws.Int64(2)}
	in.GlobalSecondaryIndexes[0].ProvisionedThroughput = in.ProvisionedThroughput
	want := ddbtest.Start(t)
	want.CreateTable(t, in)
	const units = `"ProvisionedThroughput":{"ReadCapacityUnits":"5","WriteCapacityUnits":2}`
	key := `"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"color","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],` + units + `,
		"GlobalSecondaryIndexes":[{"IndexName":"byColor","KeySchema":[{"AttributeName":"color","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},` + units + `}]`
	for _, content := range []string{
		`{"Resources":{"T":{"Type":"AWS::DynamoDB::Table","Properties":{"TableName":"things",` + key + `}}}}`,
		`{"Table":{"TableName":"things","BillingModeSummary":{"BillingMode":"PROVISIONED"},` + key + `}}`,
		`{"planned_values":{"root_module":{"resources":[{"type":"aws_dynamodb_table","name":"t","values":{"name":"things","hash_key":"pk","range_key":"sk",
			"billing_mode":"PROVISIONED","read_capacity":5,"write_capacity":2,"attribute":[{"name":"color","type":"S"},{"name":"pk","type":"S"},{"name":"sk","type":"N"}],
			"global_secondary_index":[{"name":"byColor","key_schema":[{"attribute_name":"color","key_type":"HASH"}],"projection_type":"ALL"}]}}]}}}`,
	} {
		db := ddbtest.Start(t)
		db.CreateTables(t, writeFile(t, "tables.json", content))
		require.Equal(t, want.Hash(), db.Hash())
	}
}

// TestTableNames checks the names that intrinsic functions make. A name that is not in the file is
// noted in the log.
func TestTableNames(t *testing.T) {
	t.Parallel()
	const rest = `"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":{"Ref":"KeyName"},"KeyType":"HASH"}]`
	for name, want := range map[string]string{
		`"plain"`:        "plain",
		`{"Ref":"Name"}`: "from-parameter",
		`{"Fn::Sub":"${Stage}-${AWS::Region}-${AWS::AccountId}-${AWS::Partition}"}`: "dev-us-east-1-123456789012-aws",
		`{"Fn::Sub":["${Own}-${Stage}",{"Own":{"Ref":"Name"}}]}`:                    "from-parameter-dev",
		`{"Fn::Join":["-",["a",{"Ref":"Stage"}]]}`:                                  "a-dev",
		`{"Fn::FindInMap":["Names",{"Ref":"Stage"},"Table"]}`:                       "mapped",
		`{"Ref":"Required"}`:                      "note: the parameter Required has no Default",
		`{"Ref":"Elsewhere"}`:                     "note: the value of Elsewhere is not in the template",
		`{"Ref":"Stored"}`:                        "note: the value of the parameter Stored is in Systems Manager",
		`{"Fn::Sub":"a-${Stored}"}`:               "note: the value of the parameter Stored is in Systems Manager",
		`"{{resolve:ssm:/app/table}}"`:            "note: the value of a dynamic reference is not in the template",
		`{"Fn::ImportValue":"secret"}`:            "note: the result of Fn::ImportValue is not in the template",
		`{"Fn::Sub":"${Elsewhere}"}`:              "note: the value of Elsewhere",
		`{"Fn::Sub":"${Stage"}`:                   "note: without a closing brace",
		`{"Fn::FindInMap":["Names","x","Table"]}`: "note: finds nothing",
		`{"Fn::Join":["-","x"]}`:                  "note: Fn::Join",
		`{"Fn::Join":["-",[["a"]]]}`:              "note: this is an array",
		`{"Ref":["a"]}`:                           "note: Ref",
		"{}":                                      "note: this is an object",
		"":                                        "note: because it has no TableName",
	} {
		test := new(fakeTest)
		db := ddbtest.Start(test)
		property := `"TableName":` + name + ","
		if name == "" {
			property = ""
		}
		names := db.CreateTables(test, writeFile(t, "template.json", `{"Parameters":{"Name":{"Default":"from-parameter"},"Stage":{"Default":"dev"},"Required":{},
			"KeyName":{"Default":"pk"},"Stored":{"Type":"AWS::SSM::Parameter::Value<String>","Default":"secret"}},"Mappings":{"Names":{"dev":{"Table":"mapped"}}},
			"Resources":{"Orders":{"Type":"AWS::DynamoDB::Table","Properties":{`+property+rest+`}}}}`))
		require.Empty(t, test.failures, name)
		if note, ok := strings.CutPrefix(want, "note: "); ok {
			require.Equal(t, []string{"Orders"}, names, name)
			require.Len(t, test.logs, 1)
			require.Contains(t, test.logs[0], note)
			require.NotContains(t, test.logs[0], "secret")
			continue
		}
		require.Equal(t, []string{want}, names, name)
		require.Empty(t, test.logs)
	}
}

// TestPlannedNames checks the names of resources with an index.
func TestPlannedNames(t *testing.T) {
	t.Parallel()
	values := `,"values":{"hash_key":"pk","attribute":[{"name":"pk","type":"S"}]}}`
	db := ddbtest.Start(t)
	require.Equal(t, []string{"orders-0", "orders-eu-n-rth"}, db.CreateTables(t, writeFile(t, "plan.json", `{"planned_values":{"root_module":{"resources":[
		{"type":"aws_dynamodb_table","name":"orders","index":0`+values+`,
		{"type":"aws_dynamodb_table","name":"orders","index":"eu/nørth"`+values+`]}}}`)))
}

// TestCreateTablesFaults compares the errors of invalid files with the golden file.
func TestCreateTablesFaults(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, content := range []string{
		"", "Resources:\n  T:\n    Type: AWS::DynamoDB::Table\n", "resource \"aws_dynamodb_table\" \"t\" {}", "PK\x03\x04", "text", "{", "7", "[]", `{"a":1}`, "[1]",
		`{"TableNames":["orders"]}`, `{"TableName":"orders"}`, `{"Table":7}`,
		"{\"TableName\":7,\"KeySchema\":[{}],\n\"AttributeDefinitions\":[{\"AttributeName\":\"a\"},1],\n\"GlobalSecondaryIndexes\":[{}],\"LocalSecondaryIndexes\":{}}",
		`{"TableName":"orders","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"b","AttributeType":"S"}]}`,
		`{"Resources":{}}`, `{"Resources":[]}`,
		"{\"Resources\":{\"A\":{\"Type\":\"AWS::DynamoDB::Table\"},\n\"B\":{\"Type\":\"AWS::DynamoDB::Table\",\"Properties\":{\"KeySchema\":{\"Fn::If\":[]}," +
			"\n\"AttributeDefinitions\":[{\"AttributeName\":{\"Ref\":\"Elsewhere\"},\"AttributeType\":\"S\"}],\"StreamSpecification\":{}}}}}",
		`{"Resources":{"Orders":{"Type":"AWS::DynamoDB::Table","Properties":{"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"AttributeDefinitions":[],` +
			`"ProvisionedThroughput":{"ReadCapacityUnits":"many","WriteCapacityUnits":-1}}}}}`,
		`{"TableName":"orders","VectorIndexes":[{"IndexName":"v"}],"DeletionProtection":true,` + "\n" +
			`"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}]}`,
		`{"planned_values":{}}`, `{"planned_values":{"root_module":{}}}`,
		`{"planned_values":{"root_module":{"resources":[{"type":"aws_dynamodb_table","name":"a"},{"type":"aws_dynamodb_table","name":"b","values":{"name":"orders"}}]}}}`,
		`[{"TableName":"orders","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}]},` + "\n" +
			`{"TableName":"orders","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}]}]`,
	} {
		test := new(fakeTest)
		db := ddbtest.Start(test)
		path := writeFile(t, "tables.json", content)
		require.Nil(t, db.CreateTables(test, path))
		require.Len(t, test.failures, 1)
		short, _, _ := strings.Cut(content, "\n")
		text := strings.ReplaceAll(strings.ReplaceAll(test.failures[0], filepath.ToSlash(path), "tables.json"), "\n", "\n\t")
		fmt.Fprintf(&b, "%q\n\t%s\n", short[:min(len(short), 60)], text)
	}
	test := new(fakeTest)
	ddbtest.Start(test).CreateTables(test, "missing.json")
	fmt.Fprintf(&b, "missing\n\t%s\n", test.failures[0])
	golden(t, "tablefaults.txt", b.String())
}

// replies records the bodies of the replies that a client gets.
type replies struct {
	next dynamodb.HTTPClient
	mu   sync.Mutex
	last string
}

func (r *replies) record(o *dynamodb.Options) { r.next, o.HTTPClient = o.HTTPClient, r }

func (r *replies) Do(request *http.Request) (*http.Response, error) {
	response, err := r.next.Do(request)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	_ = response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(body))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = string(body)
	return response, nil
}

// TestFilesOfEngines writes the replies of DescribeTable and Scan to files, as the AWS CLI does,
// and makes the same table of them.
func TestFilesOfEngines(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		in := fullTable()
		in.BillingMode = types.BillingModePayPerRequest
		want := ddbtest.Start(t)
		want.CreateTable(t, in)
		items := []attributes{thing("a", 1, attributes{"color": text("red"), "n": number(7)}), thing("b", 2, attributes{
			"b": &types.AttributeValueMemberB{Value: []byte{1, 255}}, "ss": &types.AttributeValueMemberSS{Value: []string{"y", "x"}},
			"m": &types.AttributeValueMemberM{Value: attributes{"null": &types.AttributeValueMemberNULL{Value: true}}},
		})}
		want.Load(t, things, items...)

		r := new(replies)
		client := e.Client(t, r.record)
		_, err := client.CreateTable(t.Context(), in)
		require.NoError(t, err)
		for _, item := range items {
			_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: in.TableName, Item: item})
			require.NoError(t, err)
		}
		_, err = client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: in.TableName})
		require.NoError(t, err)
		table := r.last
		_, err = client.Scan(t.Context(), &dynamodb.ScanInput{TableName: in.TableName})
		require.NoError(t, err)
		db := ddbtest.Start(t)
		db.CreateTables(t, writeFile(t, "table.json", table))
		db.LoadFile(t, things, writeFile(t, "items.json", r.last))
		require.Equal(t, want.Hash(), db.Hash())
		db = ddbtest.Start(t)
		db.LoadFS(t, tree(map[string]string{"1": r.last, "2": table}))
		require.Equal(t, want.Hash(), db.Hash())
	})
}
