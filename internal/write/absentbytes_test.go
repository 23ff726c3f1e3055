package write_test

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// scan has optional members of index keys: bytes, a pointer to bytes, a text and a pointer to a
// text.
type scan struct {
	_       entity.Key   `type:"scan" pk:"SCAN#<id>" sk:"SCAN"`
	_       entity.Index `name:"by-data" on:"GSI1" pk:"D#<data:hex>" sk:"<level>"`
	_       entity.Index `name:"by-more" on:"GSI2" pk:"M#<more:hex>" sk:"<level>"`
	_       entity.Index `name:"by-text" on:"GSI3" pk:"T#<text>" sk:"<level>"`
	_       entity.Index `name:"by-name" on:"GSI4" pk:"N#<name>" sk:"<level>"`
	ID      string       `dynamodbav:"id"`
	Data    []byte       `dynamodbav:"data"`
	More    *[]byte      `dynamodbav:"more"`
	Text    string       `dynamodbav:"text"`
	Name    *string      `dynamodbav:"name"`
	Level   string       `dynamodbav:"level"`
	Version int64        `dynamodbav:"version" entity:"version"`
}

// TestAbsentMembersOfAVersionAreEqual: nil and the empty value of an optional member of an index
// key match each stored form of an absent member: none, NULL and the empty value. They do not match
// another value.
func TestAbsentMembersOfAVersionAreEqual(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		schema := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}, {Name: "GSI2"}, {Name: "GSI3"}, {Name: "GSI4"}}})
		scans := entity.Define[scan](schema)
		client := e.Client(t)
		table, err := schema.Open(client, "scans")
		require.NoError(t, err)
		ctx := t.Context()
		require.NoError(t, table.Create(ctx))
		level := attr.Must(func(x *scan) *string { return &x.Level })
		examples := []scan{{}, {Data: []byte{}, More: &[]byte{}, Name: aws.String("")}, {More: new([]byte)}}
		null := &types.AttributeValueMemberNULL{Value: true}
		forms := []map[string]types.AttributeValue{{}, {"data": null, "more": null, "text": null, "name": null}, {
			"data": &types.AttributeValueMemberB{Value: []byte{}}, "more": &types.AttributeValueMemberB{Value: []byte{}},
			"text": &types.AttributeValueMemberS{}, "name": &types.AttributeValueMemberS{},
		}, {"data": &types.AttributeValueMemberB{Value: []byte{1}}}}
		for i, form := range forms {
			for j, example := range examples {
				example.ID, example.Version = fmt.Sprintf("%d-%d", i, j), 3
				item, err := scans.Encode(&scan{ID: example.ID, Version: 3})
				require.NoError(t, err)
				for _, name := range []string{"data", "more", "text", "name"} {
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
