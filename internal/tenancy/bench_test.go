package tenancy_test

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	sdk "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/tenancy"
)

// BenchmarkCheck measures the checks of a Get and of a query that returns a page of 1,000 items,
// with a tenant, and without one, where they do nothing.
func BenchmarkCheck(b *testing.B) {
	l := layouts()[0]
	y := l.types()
	table, err := y.schema.Open(dynamodb.New(dynamodb.Options{Region: "eu-north-1"}), "photos")
	if err != nil {
		b.Fatal(err)
	}
	item := func(i int) map[string]sdk.AttributeValue {
		made, err := y.photos.Encode(&photo{Tenant: "a", Album: "1", ID: fmt.Sprint(i), Place: "x", Name: "fjord"})
		if err != nil {
			b.Fatal(err)
		}
		return made
	}
	key := map[string]sdk.AttributeValue{"PK": item(0)["PK"], "SK": item(0)["SK"]}
	page := &dynamodb.QueryOutput{}
	for i := range 1000 {
		page.Items = append(page.Items, item(i))
	}
	query := &dynamodb.QueryInput{
		TableName: aws.String("photos"), KeyConditionExpression: aws.String("#0 = :0 AND begins_with(#1, :1)"),
		ExpressionAttributeNames: map[string]string{"#0": "PK", "#1": "SK"}, ExpressionAttributeValues: map[string]sdk.AttributeValue{":0": item(0)["PK"], ":1": item(0)["SK"]},
	}
	for name, g := range map[string]*tenancy.Guard{"tenant": tenancy.New(hooks.TableOf(table).Schema, "photos", "a"), "none": nil} {
		run := func(of string, in, out any) {
			b.Run(of+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if g.Request(in) != nil || g.Reply(out, nil) != nil {
						b.Fatal("refused")
					}
				}
			})
		}
		run("get", &dynamodb.GetItemInput{TableName: aws.String("photos"), Key: key}, &dynamodb.GetItemOutput{Item: item(0)})
		run("page", query, page)
	}
	b.Run("handle", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = table.Tenant("a")
		}
	})
}
