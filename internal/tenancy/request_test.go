package tenancy_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	sdk "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/tenancy"
)

func schemaOf(w *world) *core.Schema { return hooks.TableOf(w.all.table).Schema }

// checkRequests checks requests that a tenant sent: the check of the tenant allows them, that of
// the other one refuses them, and that of the tenant refuses them if one key is of the other one.
// It returns the numbers of requests and of changed keys.
func checkRequests(t *testing.T, w *world, inputs []any, me, other string) (n, changed int) {
	t.Helper()
	mine, theirs := tenancy.New(schemaOf(w), "photos", me), tenancy.New(schemaOf(w), "photos", other)
	for _, in := range inputs {
		require.NoError(t, mine.Request(in), "%T", in)
		require.ErrorIs(t, theirs.Request(in), trestle.ErrTenant, "%T", in)
		n++
		each := keysOf{layout: w.layout}
		each.find(reflect.ValueOf(in), "", false)
		for _, key := range each.found {
			own := key.Value
			start := w.layout.start
			if strings.HasPrefix(own, "X") {
				start = "X" + start
			}
			key.Value = start + inKeys(w.layout, other) + strings.TrimPrefix(own, start+inKeys(w.layout, me))
			require.ErrorIs(t, mine.Request(in), trestle.ErrTenant, "%T", in)
			key.Value = own
			changed++
		}
	}
	return n, changed
}

// inKeys returns a tenant as keys hold it.
func inKeys(l *layout, tenant string) string {
	k := core.TenantKey{Escaped: l.escape, Delimiter: l.delim}
	return k.Start(tenant)
}

// keysOf finds the partition keys in a request, of the table and of indexes.
type keysOf struct {
	layout *layout
	found  []*sdk.AttributeValueMemberS
}

func (k *keysOf) find(v reflect.Value, attribute string, value bool) {
	switch {
	case !v.IsValid():
	case v.Type() == stringMember:
		s := v.Interface().(*sdk.AttributeValueMemberS)
		if isPartition(attribute) && !value || strings.HasPrefix(attribute, ":") && strings.HasPrefix(s.Value, k.layout.start) {
			k.found = append(k.found, s)
		}
	case v.Kind() == reflect.Map:
		for _, name := range v.MapKeys() {
			k.find(v.MapIndex(name), name.String(), value || strings.HasPrefix(attribute, ":"))
		}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		for i := range v.Len() {
			k.find(v.Index(i), attribute, value)
		}
	case v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface:
		k.find(v.Elem(), attribute, value)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				k.find(v.Field(i), attribute, value)
			}
		}
	}
}

// What the check does not know, it refuses. No type with a tenant has a key on GSI2.
func TestRequest_unknownForms(t *testing.T) {
	t.Parallel()
	l := layouts()[0]
	l.config.Indexes = append(l.config.Indexes, entity.IndexConfig{Name: "GSI2"})
	y := l.types()
	table, err := y.schema.Open(dynamodb.New(dynamodb.Options{Region: "eu-north-1"}), "photos")
	require.NoError(t, err)
	g := tenancy.New(hooks.TableOf(table).Schema, "photos", "a")
	text := func(s string) sdk.AttributeValue { return &sdk.AttributeValueMemberS{Value: s} }
	key := map[string]sdk.AttributeValue{"PK": text("T#a#A#1"), "SK": text("XT#a#ALBUM")}
	name, other := aws.String("photos"), aws.String("others")
	query := func(condition, name, value string) *dynamodb.QueryInput {
		return &dynamodb.QueryInput{
			TableName: aws.String("photos"), KeyConditionExpression: &condition,
			ExpressionAttributeNames: map[string]string{"#p": name}, ExpressionAttributeValues: map[string]sdk.AttributeValue{":p": text(value), ":q": text("x")},
		}
	}
	update := func(expression string) *dynamodb.UpdateItemInput {
		return &dynamodb.UpdateItemInput{
			TableName: name, Key: key, UpdateExpression: &expression, ExpressionAttributeNames: map[string]string{"#g": "GSI1PK", "#x": "x"},
			ExpressionAttributeValues: map[string]sdk.AttributeValue{":a": text("T#a#P#1"), ":b": text("T#b#P#1"), ":n": &sdk.AttributeValueMemberN{Value: "1"}},
		}
	}
	allowed := []any{
		&dynamodb.GetItemInput{TableName: name, Key: key},
		query("#p = :p", "PK", "T#a#A#1"), query("#p = :p", "PK", "T#a"), query("#p = :p AND #s = :q", "PK", "T#a#A#1"),
		update("SET #g = :a"), update("SET #x = :b, #g = :a"), update("REMOVE #g"), update("SET #x = if_not_exists(#x, :b), #g = if_not_exists(#g, :a) ADD #x :n"), update("SET #x = #g"),
	}
	for i, in := range allowed {
		require.NoError(t, g.Request(in), i)
		require.Error(t, tenancy.New(hooks.TableOf(table).Schema, "photos", "b").Request(in), i)
	}
	indexed := query("#p = :p", "PK", "T#a#A#1")
	indexed.IndexName = aws.String("GSI1")
	others := query("#p = :p", "GSI2PK", "T#a#A#1")
	others.IndexName = aws.String("GSI2")
	unknown := query("#p = :p", "PK", "T#a#A#1")
	unknown.IndexName = aws.String("unknown")
	started := query("#p = :p", "PK", "T#a#A#1")
	started.ExclusiveStartKey = map[string]sdk.AttributeValue{"PK": text("T#ab#A#1"), "SK": text("XT#ab#ALBUM")}
	legacy := query("#p = :p", "PK", "T#a#A#1")
	legacy.KeyConditions = map[string]sdk.Condition{}
	filtered := query("#p = :p", "PK", "T#a#A#1")
	filtered.QueryFilter = map[string]sdk.Condition{}
	elsewhere := query("#p = :p", "PK", "T#a#A#1")
	elsewhere.TableName = other
	refused := []any{
		nil, "x", &dynamodb.ScanInput{TableName: name}, &dynamodb.CreateTableInput{TableName: name}, &dynamodb.ExecuteStatementInput{},
		&dynamodb.GetItemInput{TableName: other, Key: key}, &dynamodb.GetItemInput{TableName: name}, &dynamodb.GetItemInput{},
		&dynamodb.GetItemInput{TableName: name, Key: map[string]sdk.AttributeValue{"PK": &sdk.AttributeValueMemberB{Value: []byte("T#a")}}},
		&dynamodb.PutItemInput{TableName: name, Item: map[string]sdk.AttributeValue{"PK": text("T#a#A#1"), "SK": text("XT#a"), "GSI1PK": text("T#b#P#1")}},
		query("", "PK", "T#a#A#1"), query(":p = #p", "PK", "T#a#A#1"), query("#p = :p OR #p = :q", "PK", "T#a#A#1"), query("#p = :p", "GSI1PK", "T#a#A#1"),
		query("#q = :p", "PK", "T#a#A#1"), query("#p > :p", "PK", "T#a#A#1"), query("#p = :p", "PK", "T#ab#A#1"), query("#p = :p", "PK", "T#"), query("#p = :z", "PK", "T#a"),
		&dynamodb.PutItemInput{TableName: name, Item: map[string]sdk.AttributeValue{"PK": text("T#a#A#1"), "SK": text("XT#a"), "GSI2PK": text("T#a#P#1")}},
		indexed, others, unknown, started, legacy, filtered, elsewhere,
		update("SET #g = :b"), update("SET #x = :a, #g = :b"), update("SET #g = #x"), update("SET #g = :a + :n"), update("ADD #g :n"), update("DELETE #g :a"), update(""),
		update("SET GSI1PK = :a"), update("SET #g = if_not_exists(#x, :a)"), update("SET #g = if_not_exists(#g, :b)"), update("SET #z = :a"), update("SET #g.#x = :a"), update("REMOVE #g.#x"), update("SET #x = (:a"),
		&dynamodb.UpdateItemInput{TableName: name, Key: key, UpdateExpression: update("REMOVE #g").UpdateExpression, ExpressionAttributeNames: update("").ExpressionAttributeNames, AttributeUpdates: map[string]sdk.AttributeValueUpdate{}},
		&dynamodb.BatchGetItemInput{RequestItems: map[string]sdk.KeysAndAttributes{"others": {Keys: []map[string]sdk.AttributeValue{key}}}},
		&dynamodb.BatchWriteItemInput{RequestItems: map[string][]sdk.WriteRequest{"photos": {{}}}},
		&dynamodb.BatchWriteItemInput{RequestItems: map[string][]sdk.WriteRequest{"photos": {{PutRequest: &sdk.PutRequest{Item: key}, DeleteRequest: &sdk.DeleteRequest{Key: key}}}}},
		&dynamodb.TransactGetItemsInput{TransactItems: []sdk.TransactGetItem{{}}},
		&dynamodb.TransactWriteItemsInput{TransactItems: []sdk.TransactWriteItem{{}}},
		&dynamodb.TransactWriteItemsInput{TransactItems: []sdk.TransactWriteItem{{Put: &sdk.Put{TableName: name, Item: key}, Delete: &sdk.Delete{TableName: name, Key: key}}}},
	}
	for i, in := range refused {
		require.ErrorIs(t, g.Request(in), trestle.ErrTenant, i)
		require.NoError(t, (*tenancy.Guard)(nil).Request(in), "a table without a tenant")
	}
}
