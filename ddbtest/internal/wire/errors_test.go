package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
	"github.com/trestledb/trestle/internal/testsize"
)

// decode decodes a body into a new request of that type.
func decode[Request any](body string) error { return wire.Decode([]byte(body), new(Request)) }

// requestError is a body and the expected error message, or "" if the body is valid.
type requestError struct{ body, message string }

func checkErrors(t *testing.T, code string, read func(string) error, refusals []requestError) {
	t.Helper()
	for _, r := range refusals {
		err := read(r.body)
		if r.message == "" {
			require.NoError(t, err, "%s", r.body)
			continue
		}
		require.Error(t, err, "%s", r.body)
		require.Equal(t, code, rejects(t, err).Code, "%s", r.body)
		require.Equal(t, r.message, rejects(t, err).Message, "%s", r.body)
	}
}

// JSON that does not fit the request.
func TestSerializationWording(t *testing.T) {
	t.Parallel()
	text, integer, boolean, list, structure, binary := "String", "Integer", "Boolean", "List", "Structure", "Binary"
	words := map[string][]requestError{
		text: {
			{`true`, `TRUE_VALUE cannot be converted to String`},
			{`false`, `FALSE_VALUE cannot be converted to String`},
			{`23`, `NUMBER_VALUE cannot be converted to String`},
			{`-2147483648`, `NUMBER_VALUE cannot be converted to String`},
			{`34.56`, `DECIMAL_VALUE cannot be converted to String`},
			{`[]`, `Unrecognized collection type class java.lang.String`},
			{`{}`, `Start of structure or map found where not expected`},
		},
		integer: {
			{`"23"`, `STRING_VALUE cannot be converted to Integer`},
			{`true`, `TRUE_VALUE cannot be converted to Integer`},
			{`false`, `FALSE_VALUE cannot be converted to Integer`},
			{`[]`, `Unrecognized collection type class java.lang.Integer`},
			{`{}`, `Start of structure or map found where not expected`},
			{`1e300`, `NUMBER_VALUE cannot be converted to Integer`},
			{`1.9`, ``},
		},
		boolean: {
			{`"23"`, `Unexpected token received from parser`},
			{`23`, `NUMBER_VALUE cannot be converted to Boolean`},
			{`34.56`, `DECIMAL_VALUE cannot be converted to Boolean`},
			{`[]`, `Unrecognized collection type class java.lang.Boolean`},
			{`{}`, `Start of structure or map found where not expected`},
			{`"TRUE"`, ``},
		},
		binary: {
			{`true`, `only base-64-encoded strings are convertible to bytes`},
			{`23`, `only base-64-encoded strings are convertible to bytes`},
			{`34.56`, `only base-64-encoded strings are convertible to bytes`},
			{`[]`, `Unrecognized collection type class java.nio.ByteBuffer`},
			{`{}`, `Start of structure or map found where not expected`},
			{`"23456"`, `Base64 encoded length is expected a multiple of 4 bytes but found: 5`},
			{`"=+/="`, `Invalid last non-pad Base64 character dectected`},
			{`"+/+="`, `Invalid last non-pad Base64 character dectected`},
			{`"ab\ncdefg"`, `Invalid Base64 character: '` + "\n" + `'`},
			{`"abé"`, `Invalid Base64 character: 'é'`},
		},
		list: {
			{`"23"`, `Unexpected field type`},
			{`true`, `Unexpected field type`},
			{`34.56`, `Unexpected field type`},
			{`{}`, `Start of structure or map found where not expected`},
		},
		structure: {
			{`"23"`, `Unexpected field type`},
			{`23`, `Unexpected field type`},
		},
	}
	tests := []struct {
		body  string // %s is the value
		read  func(string) error
		words []requestError
	}{
		{`{"TableName":%s}`, decode[api.GetItemInput], words[text]},
		{`{"TableName":"abc","Limit":%s}`, decode[api.ScanInput], words[integer]},
		{`{"TableName":"abc","Key":{},"ConsistentRead":%s}`, decode[api.GetItemInput], words[boolean]},
		{`{"TagKeys":%s}`, decode[api.UntagResourceInput], words[list]},
		{`{"TagKeys":[%s]}`, decode[api.UntagResourceInput], words[text]},
		{`{"ProvisionedThroughput":%s}`, decode[api.CreateTableInput], append(words[structure],
			requestError{`[]`, `Unrecognized collection type class com.amazonaws.dynamodb.v20120810.ProvisionedThroughput`})},
		{`{"ProvisionedThroughput":{"ReadCapacityUnits":%s}}`, decode[api.CreateTableInput], []requestError{
			{`"23"`, `STRING_VALUE cannot be converted to Long`},
			{`[]`, `Unrecognized collection type class java.lang.Long`},
		}},
		{`{"KeySchema":%s}`, decode[api.CreateTableInput], words[list]},
		{`{"KeySchema":[%s]}`, decode[api.CreateTableInput], []requestError{
			{`"23"`, `Unexpected value type in payload`},
			{`[]`, `Unrecognized collection type class com.amazonaws.dynamodb.v20120810.KeySchemaElement`},
		}},
		{`{"KeySchema":[{"KeyType":%s}]}`, decode[api.CreateTableInput], words[text]},
		{`{"RequestItems":%s}`, decode[api.BatchGetItemInput], append(words[structure],
			requestError{`[]`, `Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.KeysAndAttributes>`})},
		{`{"RequestItems":{"abc":{"Keys":[%s]}}}`, decode[api.BatchGetItemInput], []requestError{
			{`23`, `Unexpected value type in payload`},
			{`[]`, `Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>`},
		}},
		{`{"ExpressionAttributeNames":%s}`, decode[api.GetItemInput], append(words[structure],
			requestError{`[]`, `Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>`})},
		{`{"ExpressionAttributeNames":{"#n":%s}}`, decode[api.GetItemInput], words[text]},
		{`{"Timestamp":%s}`, decode[api.GetShardIteratorInput], []requestError{{`"2026"`, `STRING_VALUE cannot be converted to Double`}}},

		{`{"Key":%s}`, decode[api.GetItemInput], append(words[structure],
			requestError{`[]`, `Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>`})},
		{`{"Key":{"a":%s}}`, decode[api.GetItemInput], []requestError{
			{`"23"`, `Unexpected value type in payload`},
			{`[]`, `Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue`},
		}},
		{`{"Key":{"a":{"S":%s}}}`, decode[api.GetItemInput], words[text]},
		{`{"Key":{"a":{"N":%s}}}`, decode[api.GetItemInput], words[text]},
		{`{"Key":{"a":{"B":%s}}}`, decode[api.GetItemInput], words[binary]},
		{`{"Key":{"a":{"BOOL":%s}}}`, decode[api.GetItemInput], words[boolean][:5]},
		{`{"Key":{"a":{"NULL":%s}}}`, decode[api.GetItemInput], words[boolean][:5]},
		{`{"Key":{"a":{"SS":%s}}}`, decode[api.GetItemInput], words[list]},
		{`{"Key":{"a":{"SS":[%s]}}}`, decode[api.GetItemInput], words[text]},
		{`{"Key":{"a":{"NS":[%s]}}}`, decode[api.GetItemInput], words[text]},
		{`{"Key":{"a":{"BS":[%s]}}}`, decode[api.GetItemInput], words[binary]},
		{`{"Key":{"a":{"L":%s}}}`, decode[api.GetItemInput], words[list]},
		{`{"Key":{"a":{"L":[%s]}}}`, decode[api.GetItemInput], []requestError{{`"23"`, `Unexpected value type in payload`}}},
		{`{"Key":{"a":{"M":%s}}}`, decode[api.GetItemInput], words[structure]},
		{`{"Key":{"a":{"M":{"b":%s}}}}`, decode[api.GetItemInput], []requestError{{`"23"`, `Unexpected value type in payload`}}},
		{`{"ExpressionAttributeValues":{":a":{"S":%s}}}`, decode[api.QueryInput], words[text]},
	}
	for _, test := range tests {
		checkErrors(t, awserr.CodeSerialization, func(value string) error { return test.read(fmt.Sprintf(test.body, value)) }, test.words)
	}
}

// Invalid JSON and duplicate members.
func TestMalformed(t *testing.T) {
	t.Parallel()
	bodies := []string{
		``, ` `, `null`, `[]`, `"a"`, `1`, `{`, `{"TableName"`, `{"TableName":`, `{"TableName":"abc"`, `{"TableName":"abc",}`, `{}x`, `{} {}`,
		`{"TableName":"abc","TableName":"abc"}`,
		`{"Key":{"a":{"S":"1"},"b":{"S":"2"},"a":{"S":"1"}}}`,
		`{"Key":{"a":{"M":{"b":{"S":"1"},"b":{"S":"1"}}}}}`,
		`{"ExpressionAttributeNames":{"#a":"a","#a":"b"}}`,
		`{"Key":{"a":{"S":"` + "\xff" + `"}}}`,
		`{"Key":{"` + "\xed\xa0\x80" + `":{"S":"1"}}}`,
		`{"Key":{"a":{"S":"\ud800"}}}`,
		`{"Key":{"a":{"S":"\udc00\ud800"}}}`,
		`{"Key":{"a":{"S":"` + "\n" + `"}}}`,
		`{"Key":{"a":{"BOOL":tru}}}`,
		`{"Key":{"a":{"BOOL":nul}}}`,
		`{"Key":nul}`,
	}
	for _, body := range bodies {
		require.Equal(t, awserr.CodeSerialization, rejects(t, decode[api.GetItemInput](body)).Code, "%s", body)
	}
	for _, body := range []string{
		`{"ExpressionAttributeValues":{":a":{"S":"a"},":a":{"S":"b"}}}`,
		`{"QueryFilter":{},"QueryFilter":{}}`,
	} {
		require.Equal(t, awserr.CodeSerialization, rejects(t, decode[api.QueryInput](body)).Code, "%s", body)
	}
	twice := `{"RequestItems":{"abc":{"Keys":[]},"abc":{"Keys":[]}}}`
	require.Equal(t, awserr.CodeSerialization, rejects(t, decode[api.BatchGetItemInput](twice)).Code)
}

// Members that violate constraints.
func TestConstraintWording(t *testing.T) {
	t.Parallel()
	const (
		one       = "1 validation error detected: "
		failed    = " failed to satisfy constraint: "
		notNull   = failed + "Member must not be null"
		names     = failed + "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
		tableKeys = failed + "Map keys must satisfy constraint: [Member must have length less than or equal to 255, " +
			"Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"
	)
	long := strings.Repeat("a", 256)
	checkErrors(t, awserr.CodeValidation, decode[api.GetItemInput], []requestError{
		{`{}`, "2 validation errors detected: Value null at 'tableName'" + notNull + "; Value null at 'key'" + notNull},
		{`{"TableName":null,"Key":{}}`, one + "Value null at 'tableName'" + notNull},
		{`{"TableName":"","Key":{}}`, one + "Value '' at 'tableName'" + failed + "Member must have length greater than or equal to 1"},
		{`{"TableName":"xx","Key":{}}`, one + "Value 'xx' at 'tableName'" + failed + "Member must have length greater than or equal to 3"},
		{
			`{"TableName":"x!","Key":{}}`,
			"2 validation errors detected: Value 'x!' at 'tableName'" + failed + "Member must have length greater than or equal to 3; Value 'x!' at 'tableName'" + names,
		},
		{`{"TableName":"` + long + `","Key":{}}`, one + "Value '" + long + "' at 'tableName'" + failed + "Member must have length less than or equal to 255"},
		{`{"TableName":"bad table!@#","Key":{}}`, one + "Value 'bad table!@#' at 'tableName'" + names},
		{
			`{"TableName":"abc;","ReturnConsumedCapacity":"hi"}`,
			"3 validation errors detected: Value 'abc;' at 'tableName'" + names + "; Value null at 'key'" + notNull +
				"; Value 'hi' at 'returnConsumedCapacity'" + failed + "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]",
		},
		{`{"TableName":"arn:aws:dynamodb:eu-north-1:123456789012:table/orders","Key":{}}`, ""},
		{
			`{"TableName":"arn:aws:dynamodb:eu-north-1:123456789012:backup","Key":{}}`,
			one + "Value 'arn:aws:dynamodb:eu-north-1:123456789012:backup' at 'tableName'" + names,
		},
	})
	checkErrors(t, awserr.CodeValidation, decode[api.TableInput], []requestError{
		{
			`{"TableName":""}`,
			"2 validation errors detected: Value '' at 'tableName'" + failed + "Member must have length greater than or equal to 3; Value '' at 'tableName'" + names,
		},
		{`{"TableName":"xx"}`, one + "Value 'xx' at 'tableName'" + failed + "Member must have length greater than or equal to 3"},
		{`{"TableName":"xxx"}`, ""},
	})
	checkErrors(t, awserr.CodeValidation, decode[api.CreateTableInput], []requestError{
		{`{}`, "The parameter 'TableName' is required but was not present in the request"},
		{
			`{"TableName":"ab","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`,
			one + "Value 'ab' at 'tableName'" + failed + "Member must have length greater than or equal to 3",
		},
		{
			`{"TableName":"abc","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"INVALID"}],"KeySchema":[{"AttributeName":"pk","KeyType":"INVALID"}]}`,
			"2 validation errors detected: Value 'INVALID' at 'attributeDefinitions.1.member.attributeType'" + failed +
				"Member must satisfy enum value set: [B, N, S]; Value 'INVALID' at 'keySchema.1.member.keyType'" + failed +
				"Member must satisfy enum value set: [HASH, RANGE]",
		},
		{
			`{"TableName":"abc","AttributeDefinitions":[],"KeySchema":[` + strings.Repeat(`,{"AttributeName":"a","KeyType":"HASH"}`, 3)[1:] + `]}`,
			one + "Value '[" + strings.Repeat(", KeySchemaElement(attributeName=a, keyType=HASH)", 3)[2:] + "]' at 'keySchema'" + failed +
				"Member must have length less than or equal to 2",
		},
		{
			`{"TableName":"abc","AttributeDefinitions":[],"KeySchema":[null],"ProvisionedThroughput":{"ReadCapacityUnits":0}}`,
			"3 validation errors detected: Value null at 'keySchema.1.member'" + notNull +
				"; Value null at 'provisionedThroughput.writeCapacityUnits'" + notNull +
				"; Value '0' at 'provisionedThroughput.readCapacityUnits'" + failed + "Member must have value greater than or equal to 1",
		},
	})
	const (
		arn   = "arn:aws:dynamodb:eu-north-1:123456789012:table/"
		local = `{"TableName":"abc","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"LocalSecondaryIndexes":[` +
			`{"IndexName":"abc","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"Projection":{"NonKeyAttributes":%s}}]}`
		lengths = failed + "Member must satisfy constraint: [Member must have length less than or equal to %d, Member must have length greater than or equal to 1]"
	)
	checkErrors(t, awserr.CodeValidation, decode[api.CreateTableInput], []requestError{
		{`{"TableName":"` + arn + `abc","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`, ""},
		{
			`{"TableName":"` + arn + `ab","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`,
			one + "Value '" + arn + "ab' at 'tableName'" + failed + "Member must have length greater than or equal to 3",
		},
		{fmt.Sprintf(local, `["`+long[1:]+`"]`), ""},
		{
			fmt.Sprintf(local, `["a",""]`),
			one + "Value '[a, ]' at 'localSecondaryIndexes.1.member.projection.nonKeyAttributes'" + fmt.Sprintf(lengths, 255),
		},
		{
			fmt.Sprintf(local, `["`+long+`"]`),
			one + "Value '[" + long + "]' at 'localSecondaryIndexes.1.member.projection.nonKeyAttributes'" + fmt.Sprintf(lengths, 255),
		},
	})
	shard := `{"StreamArn":"` + long + `","ShardFilter":{"Type":"CHILD_SHARDS","ShardId":%q}}`
	checkErrors(t, awserr.CodeValidation, decode[api.DescribeStreamInput], []requestError{
		{fmt.Sprintf(shard, long[:28]), ""},
		{fmt.Sprintf(shard, long[:65]), ""},
		{fmt.Sprintf(shard, "short"), one + "Value 'short' at 'shardFilter.shardId'" + failed + "Member must have length greater than or equal to 28"},
		{fmt.Sprintf(shard, long[:66]), one + "Value '" + long[:66] + "' at 'shardFilter.shardId'" + failed + "Member must have length less than or equal to 65"},
	})
	checkErrors(t, awserr.CodeValidation, decode[api.UntagResourceInput], []requestError{
		{`{"ResourceArn":"a","TagKeys":["` + long[:128] + `"]}`, ""},
		{`{"ResourceArn":"a","TagKeys":[""]}`, one + "Value '[]' at 'tagKeys'" + fmt.Sprintf(lengths, 128)},
	})
	checkErrors(t, awserr.CodeValidation, decode[api.QueryInput], []requestError{
		{`{"TableName":"abc","Limit":0}`, one + "Value at 'Limit'" + failed + "Member must have value greater than or equal to 1"},
		{
			`{"TableName":"abc","Select":"INVALID_VALUE"}`,
			one + "Value 'INVALID_VALUE' at 'select'" + failed +
				"Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]",
		},
	})
	checkErrors(t, awserr.CodeValidation, decode[api.ScanInput], []requestError{
		{`{"TableName":"abc","Limit":0}`, one + "Value '0' at 'limit'" + failed + "Member must have value greater than or equal to 1"},
		{
			`{"TableName":"abc","Segment":1000000,"TotalSegments":1000001}`,
			"2 validation errors detected: Value '1000000' at 'segment'" + failed + "Member must have value less than or equal to 999999" +
				"; Value '1000001' at 'totalSegments'" + failed + "Member must have value less than or equal to 1000000",
		},
	})
	checkErrors(t, awserr.CodeValidation, decode[api.TransactWriteItemsInput], []requestError{
		{`{"TransactItems":[]}`, one + "Value '[]' at 'transactItems'" + failed + "Member must have length greater than or equal to 1"},
		{`{"TransactItems":[{"Update":{"TableName":"abc","Key":{}}}]}`, one + "Value null at 'transactItems.1.member.update.updateExpression'" + notNull},
	})
	checkErrors(t, awserr.CodeValidation, decode[api.BatchGetItemInput], []requestError{
		{`{}`, "The requestItems parameter is required for BatchGetItem"},
		{`{"RequestItems":{}}`, "The requestItems parameter is required for BatchGetItem"},
		{
			`{"RequestItems":{"abc":{"Keys":[` + strings.Repeat(`,{}`, 101)[1:] + `]}}}`,
			one + "Value at 'RequestItems.abc.member.Keys'" + failed + "Member must have length less than or equal to 100",
		},
		{
			`{"RequestItems":{"abc":{"Keys":[]},"abd":{"Keys":[{}]}},"ReturnConsumedCapacity":""}`,
			"2 validation errors detected: Value at 'RequestItems.abc.member.Keys'" + failed + "Member must have length greater than or equal to 1" +
				"; Value '' at 'returnConsumedCapacity'" + failed + "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]",
		},
		{
			`{"RequestItems":{"a!":{"Keys":[{"pk":{"S":"a"}}]}}}`,
			one + "Value '{a!=KeysAndAttributes(keys=[{pk=AttributeValue(s=a, n=null, b=null, sS=null, nS=null, bS=null, m=null, l=null, " +
				"nULL=null, bOOL=null)}], attributesToGet=null, consistentRead=null, projectionExpression=null, expressionAttributeNames=null)}'" +
				" at 'requestItems'" + tableKeys,
		},
		{`{"RequestItems":{"abc":null}}`, one + "Value null at 'requestItems.abc.member'" + notNull},
	})
	checkErrors(t, awserr.CodeValidation, decode[api.BatchWriteItemInput], []requestError{
		{`{"RequestItems":{}}`, "The requestItems parameter is required for BatchWriteItem"},
		{
			`{"RequestItems":{"abc":[]}}`,
			one + "Value '{abc=[]}' at 'requestItems'" + failed + "Map value must satisfy constraint: " +
				"[Member must have length less than or equal to 25, Member must have length greater than or equal to 1]",
		},
		{
			`{"RequestItems":{"abc":[{"DeleteRequest":{}}]}}`,
			one + "Value null at 'requestItems.abc.member.1.member.deleteRequest.key'" + notNull,
		},
	})
	checkErrors(t, awserr.CodeValidation, decode[api.TagResourceInput], []requestError{
		{
			`{"ResourceArn":"a","Tags":[{"Key":"","Value":""},{}]}`,
			"3 validation errors detected: Value '' at 'tags.1.member.key'" + failed + "Member must have length greater than or equal to 1" +
				"; Value null at 'tags.2.member.key'" + notNull + "; Value null at 'tags.2.member.value'" + notNull,
		},
		{
			`{"ResourceArn":"a","Tags":[` + strings.Repeat(`,{}`, 50)[1:] + `]}`,
			"10 validation errors detected: " + func() (all string) {
				for n := 1; n <= 5; n++ {
					for _, member := range []string{"key", "value"} {
						all += fmt.Sprintf("; Value null at 'tags.%d.member.%s'%s", n, member, notNull)
					}
				}
				return all[2:]
			}(),
		},
	})
}

// Invalid attribute values, in an item and as an expression attribute value.
func TestAttributeValueWording(t *testing.T) {
	t.Parallel()
	const invalid = "One or more parameter values were invalid: "
	refusals := []requestError{
		{`{}`, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		{`null`, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		{`{"X":"a"}`, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		{`{"s":"a"}`, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		{`{"S":null}`, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		{`{"S":null,"N":"1"}`, ""},
		{`{"L":[{}]}`, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		{`{"M":{"b":{}}}`, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		{`{"S":"a","N":"1"}`, "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"},
		{`{"N":""}`, "The parameter cannot be converted to a numeric value"},
		{`{"N":"b"}`, "The parameter cannot be converted to a numeric value: b"},
		{`{"NS":["1","b","a"]}`, "The parameter cannot be converted to a numeric value: b"},
		{`{"NS":["a","a"]}`, "The parameter cannot be converted to a numeric value: a"},
		{`{"N":"123456789012345678901234567890123456789"}`, "Attempting to store more than 38 significant digits in a Number"},
		{`{"N":"1e126"}`, "Number overflow. Attempting to store a number with magnitude larger than supported range"},
		{`{"N":"-1e126"}`, "Number overflow. Attempting to store a number with magnitude larger than supported range"},
		{`{"N":"1e-131"}`, "Number underflow. Attempting to store a number with magnitude smaller than supported range"},
		{`{"NULL":false}`, invalid + "Null attribute value types must have the value of true"},
		{`{"SS":[]}`, invalid + "An string set  may not be empty"},
		{`{"NS":[]}`, invalid + "An number set  may not be empty"},
		{`{"BS":[]}`, invalid + "Binary sets should not be empty"},
		{`{"SS":["a","b","a"]}`, invalid + "Input collection [a, b, a] contains duplicates."},
		{`{"NS":["1","1.0"]}`, "Input collection contains duplicates"},
		{`{"BS":["Yg==","Yg=="]}`, invalid + "Input collection [Yg==, Yg==]of type BS contains duplicates."},
		{`{"SS":["a",""]}`, ""},
		{`{"BS":[""]}`, ""},
		{`{"SS":["a",null]}`, invalid + "An string set may not have a null string as a member"},
		{`{"SS":[],"N":"b"}`, invalid + "An string set  may not be empty"},
		{`{"M":{"":{"S":"a"}}}`, "Empty attribute name"},
		{nested(value.MaxDepth-1, `{"S":"a"}`), ""},
		{nested(value.MaxDepth-2, `{"L":[]}`), ""},
		{nested(value.MaxDepth-1, `{"L":[]}`), "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"},
		{nested(value.MaxDepth-1, `{"M":{}}`), "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"},
		{nested(200, `{"S":"a"}`), "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"},
	}
	checkErrors(t, awserr.CodeValidation, func(v string) error {
		return decode[api.PutItemInput](`{"TableName":"abc","Item":{"a":` + v + `}}`)
	}, refusals)
	checkErrors(t, awserr.CodeValidation, func(v string) error {
		return decode[api.TransactWriteItemsInput](`{"TransactItems":[{"Put":{"TableName":"abc","Item":{"a":` + v + `}}}]}`)
	}, refusals)
	for i, r := range refusals {
		if r.message != "" {
			refusals[i].message = "ExpressionAttributeValues contains invalid value: " + r.message + " for key :v"
		}
	}
	checkErrors(t, awserr.CodeValidation, func(v string) error {
		return decode[api.QueryInput](`{"TableName":"abc","ExpressionAttributeValues":{":ok":{"S":"a"},":v":` + v + `}}`)
	}, refusals)
}

// nested puts a value into that many lists and maps.
func nested(levels int, inside string) string {
	for i := range levels {
		if i%2 == 0 {
			inside = `{"L":[` + inside + `]}`
		} else {
			inside = `{"M":{"b":` + inside + `}}`
		}
	}
	return inside
}

// Of several errors the one that the service checks first is reported, wherever it is in the body.
func TestOrderOfErrors(t *testing.T) {
	t.Parallel()
	values := `"ExpressionAttributeValues":{":v":{"N":"v"}}`
	item := `"Item":{"a":{"N":"i"}}`
	table := `"TableName":"abc"`
	for _, order := range [][]string{{values, item, table}, {item, table, values}} {
		err := rejects(t, decode[api.PutItemInput]("{"+strings.Join(order, ",")+"}"))
		require.Equal(t, "The parameter cannot be converted to a numeric value: i", err.Message)
		err = rejects(t, decode[api.PutItemInput]("{"+strings.Join(order, ",")+`,"ReturnValues":"x"}`))
		require.Contains(t, err.Message, "returnValues")
		err = rejects(t, decode[api.PutItemInput]("{"+strings.Join(order, ",")+`,"ReturnValues":[]}`))
		require.Equal(t, awserr.CodeSerialization, err.Code)
	}
}

// An error message repeats only a limited part of the request.
func TestValuesInErrorsAreTruncated(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	huge := strings.Repeat("é", 1<<20)
	list := strings.Repeat(`,{"PutRequest":{"Item":{"a":{"S":"`+huge[:100_000]+`"}}}}`, 26)[1:]
	for _, err := range []error{
		decode[api.GetItemInput](`{"TableName":"` + huge + `","Key":{}}`),
		decode[api.BatchWriteItemInput](`{"RequestItems":{"abc":[` + list + `]}}`),
		decode[api.BatchWriteItemInput](`{"RequestItems":{"` + huge + `":[null]}}`),
		decode[api.PutItemInput](`{"TableName":"abc","Item":{"a":{"N":"` + huge + `"}}}`),
		decode[api.PutItemInput](`{"TableName":"abc","Item":{"a":{"SS":["` + huge + `","` + huge + `"]}}}`),
		decode[api.PutItemInput](`{"TableName":"abc","Item":{"` + huge + `":{"S":""},"` + huge + `":{"S":""}}}`),
		decode[api.QueryInput](`{"TableName":"abc","ExpressionAttributeValues":{"` + huge + `":{}}}`),
	} {
		require.Less(t, len(rejects(t, err).Message), 64<<10)
	}
}

// An error message can repeat values of every type.
func TestValuesInErrors(t *testing.T) {
	t.Parallel()
	const none = "AttributeValue(s=null, n=null, b=null, sS=null, nS=null, bS=null, m=null, l=null, nULL=null, bOOL=null)"
	for attribute, echoed := range map[string][2]string{
		`{"S":"a"}`:                     {"s=null", "s=a"},
		`{"N":"1.0"}`:                   {"n=null", "n=1"},
		`{"B":"YQ=="}`:                  {"b=null", "b=java.nio.HeapByteBuffer[pos=0 lim=1 cap=1]"},
		`{"SS":["b","a"]}`:              {"sS=null", "sS=[a, b]"},
		`{"NS":["2","1"]}`:              {"nS=null", "nS=[1, 2]"},
		`{"BS":["","YQ=="]}`:            {"bS=null", "bS=[java.nio.HeapByteBuffer[pos=0 lim=0 cap=0], java.nio.HeapByteBuffer[pos=0 lim=1 cap=1]]"},
		`{"M":{"b":{"L":[]},"a":null}}`: {"m=null", "m={a=" + none + ", b=" + strings.Replace(none, "l=null", "l=[]", 1) + "}"},
		`{"NULL":true}`:                 {"nULL=null", "nULL=true"},
		`{"BOOL":false}`:                {"bOOL=null", "bOOL=false"},
	} {
		err := rejects(t, decode[api.BatchWriteItemInput](`{"RequestItems":{"a!":[{"PutRequest":{"Item":{"x":`+attribute+`}}}]}}`))
		want := strings.Replace(none, " "+echoed[0], " "+echoed[1], 1)
		if strings.HasPrefix(echoed[0], "s=") {
			want = strings.Replace(none, echoed[0], echoed[1], 1)
		}
		require.Contains(t, err.Message, "{a!=[WriteRequest(putRequest=PutRequest(item={x="+want+"}), deleteRequest=null)]}")
	}
}

// An empty collection differs from an absent one.
func TestEmptyIsNotAbsent(t *testing.T) {
	t.Parallel()
	var in api.PutItemInput
	require.NoError(t, wire.Decode([]byte(`{"TableName":"abc","Item":{},"ExpressionAttributeNames":{},"ExpressionAttributeValues":null}`), &in))
	require.NotNil(t, in.Item)
	require.NotNil(t, in.ExpressionAttributeNames)
	require.Nil(t, in.ExpressionAttributeValues)
	require.Nil(t, in.ConditionExpression)
}
