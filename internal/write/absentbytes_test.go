package write_test

import (
	"fmt"
	"net"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
)

// scan has optional members of index keys: bytes, a text, slices with a text form, and pointers to
// them.
type scan struct {
	_       entity.Key   `type:"scan" pk:"SCAN#<id>" sk:"SCAN"`
	_       entity.Index `name:"by-data" on:"GSI1" pk:"D#<data:hex>" sk:"<level>"`
	_       entity.Index `name:"by-more" on:"GSI2" pk:"M#<more:hex>" sk:"<level>"`
	_       entity.Index `name:"by-text" on:"GSI3" pk:"T#<text>" sk:"<level>"`
	_       entity.Index `name:"by-name" on:"GSI4" pk:"N#<name>" sk:"<level>"`
	_       entity.Index `name:"by-ip" on:"GSI5" pk:"I#<ip>" sk:"<level>"`
	_       entity.Index `name:"by-via" on:"GSI6" pk:"V#<via>" sk:"<level>"`
	_       entity.Index `name:"by-words" on:"GSI7" pk:"W#<words>" sk:"<level>"`
	ID      string       `dynamodbav:"id"`
	Data    []byte       `dynamodbav:"data"`
	More    *[]byte      `dynamodbav:"more"`
	Text    string       `dynamodbav:"text"`
	Name    *string      `dynamodbav:"name"`
	IP      net.IP       `dynamodbav:"ip"`
	Via     *net.IP      `dynamodbav:"via"`
	Words   words        `dynamodbav:"words"`
	Level   string       `dynamodbav:"level"`
	Version int64        `dynamodbav:"version" entity:"version"`
}

// TestAbsentMembersOfAVersionAreEqual: nil and the empty value of an optional member of an index
// key match each stored form of an absent member: none, NULL and the empty value. They do not match
// another value.
func TestAbsentMembersOfAVersionAreEqual(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		schema := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}, {Name: "GSI2"}, {Name: "GSI3"}, {Name: "GSI4"}, {Name: "GSI5"}, {Name: "GSI6"}, {Name: "GSI7"}}})
		scans := entity.Define[scan](schema)
		client := e.Client(t)
		table, err := schema.Open(client, "scans")
		require.NoError(t, err)
		ctx := t.Context()
		require.NoError(t, table.Create(ctx))
		level := attr.Must(func(x *scan) *string { return &x.Level })
		examples := []scan{{}, {Data: []byte{}, More: &[]byte{}, Name: aws.String(""), IP: net.IP{}, Via: &net.IP{}, Words: words{}}, {Via: new(net.IP), More: new([]byte)}}
		null := &types.AttributeValueMemberNULL{Value: true}
		empty, emptyBytes := &types.AttributeValueMemberS{}, &types.AttributeValueMemberB{Value: []byte{}}
		forms := []map[string]types.AttributeValue{
			{},
			{"data": null, "more": null, "text": null, "name": null, "ip": null, "via": null, "words": null},
			{"data": emptyBytes, "more": emptyBytes, "text": empty, "name": empty, "ip": empty, "via": empty, "words": empty},
			{"ip": emptyBytes, "via": emptyBytes, "words": &types.AttributeValueMemberL{Value: []types.AttributeValue{}}},
			{"data": &types.AttributeValueMemberB{Value: []byte{1}}},
		}
		for i, form := range forms {
			for j, example := range examples {
				example.ID, example.Version = fmt.Sprintf("%d-%d", i, j), 3
				item, err := scans.Encode(&scan{ID: example.ID, Version: 3})
				require.NoError(t, err)
				for _, name := range []string{"data", "more", "text", "name", "ip", "via", "words"} {
					if delete(item, name); form[name] != nil {
						item[name] = form[name]
					}
				}
				_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("scans"), Item: item})
				require.NoError(t, err)
				if _, err = scans.In(table).Update(ctx, example, level.Set("x")); i == len(forms)-1 {
					require.ErrorIs(t, err, trestle.ErrCondition)
				} else {
					require.NoError(t, err, "%v, %v", form, example)
				}
			}
		}
	})
}

// TestEmptyValuesReadAsNilAreStoredAsNil: an empty value that its own method reads as nil is stored
// as nil is, so an example that was read matches it, and CheckItems lists nothing. It also lists no
// empty value that another program stored.
func TestEmptyValuesReadAsNilAreStoredAsNil(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		schema := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
			{Name: "GSI1"}, {Name: "GSI2"}, {Name: "GSI3"}, {Name: "GSI4"}, {Name: "GSI5"}, {Name: "GSI6"}, {Name: "GSI7"},
		}})
		scans := entity.Define[scan](schema)
		client := e.Client(t)
		table, err := schema.Open(client, "empties")
		require.NoError(t, err)
		ctx := t.Context()
		require.NoError(t, table.Create(ctx))
		repo, level := scans.In(table), attr.Must(func(x *scan) *string { return &x.Level })
		require.NoError(t, repo.Create(ctx, &scan{ID: "a", IP: net.IP{}, Words: words{}}))
		item, err := scans.Encode(&scan{ID: "a", IP: net.IP{}, Words: words{}})
		require.NoError(t, err)
		require.NotContains(t, item, "ip")
		require.NotContains(t, item, "words")
		for _, form := range []types.AttributeValue{nil, &types.AttributeValueMemberS{}, &types.AttributeValueMemberB{Value: []byte{}}} {
			if form != nil {
				item["ip"], item["version"] = form, &types.AttributeValueMemberN{Value: "1"}
				_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("empties"), Item: item})
				require.NoError(t, err)
			}
			got, err := repo.Strong().Get(ctx, scan{ID: "a"})
			require.NoError(t, err)
			require.Empty(t, got.IP)
			require.NoError(t, testchecks.Items(ctx, table, 10))
			for range 2 {
				got, err = repo.Update(ctx, got, level.Set("x"))
				require.NoError(t, err)
			}
		}
	})
}
