package compilecost

// trestleHead and trestleEntity are an entity of a service and its data access object with Trestle.
const (
	trestleHead = `package main

import (
	"context"
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

var schema = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})

var table *entity.Table

func use(store any) { println(store != nil) }
`
	trestleEntity = `
type Thing struct {
	_         entity.Key   ` + "`" + `type:"Thing" pk:"Thing#<tenant>" sk:"Thing#<id>"` + "`" + `
	_         entity.Index ` + "`" + `name:"by-status" on:"GSI1" pk:"Thing#<tenant>#<status>" sk:"<created_at:s>#<id>"` + "`" + `
	Tenant    string       ` + "`" + `dynamodbav:"tenant"` + "`" + `
	ID        string       ` + "`" + `dynamodbav:"id"` + "`" + `
	Status    string       ` + "`" + `dynamodbav:"status"` + "`" + `
	Name      string       ` + "`" + `dynamodbav:"name"` + "`" + `
	Count     int64        ` + "`" + `dynamodbav:"count"` + "`" + `
	CreatedAt time.Time    ` + "`" + `dynamodbav:"created_at"` + "`" + `
	Tags      []string     ` + "`" + `dynamodbav:"tags,omitempty"` + "`" + `
	Version   int64        ` + "`" + `dynamodbav:"version" entity:"version"` + "`" + `
}

var (
	Things          = entity.Define[Thing](schema)
	ThingStatus    = attr.Must(func(e *Thing) *string { return &e.Status })
	ThingCount     = attr.Must(func(e *Thing) *int64 { return &e.Count })
	ThingCreatedAt = attr.Must(func(e *Thing) *time.Time { return &e.CreatedAt })
)

type ThingStore struct{ things *entity.Repo[Thing] }

func newThingStore() *ThingStore { return &ThingStore{Things.In(table)} }

func (s *ThingStore) Create(ctx context.Context, e *Thing) error {
	return s.things.Create(ctx, e)
}

func (s *ThingStore) Get(ctx context.Context, tenant, id string) (Thing, error) {
	return s.things.Get(ctx, Thing{Tenant: tenant, ID: id})
}

func (s *ThingStore) Put(ctx context.Context, e *Thing) error {
	return s.things.Put(ctx, e)
}

func (s *ThingStore) Close(ctx context.Context, e Thing) (Thing, error) {
	return s.things.Update(ctx, e, ThingStatus.Set("closed"), attr.Add(ThingCount, 1), attr.If(ThingStatus.Eq("open")))
}

func (s *ThingStore) Delete(ctx context.Context, e Thing) error {
	return s.things.Delete(ctx, e, ThingStatus.Eq("closed"))
}

func (s *ThingStore) List(ctx context.Context, tenant, cursor string) ([]Thing, string, error) {
	page, err := query.Of(s.things, Thing{Tenant: tenant}).Limit(25).Page(ctx, cursor)
	return page.Items, page.Next, err
}

func (s *ThingStore) Open(ctx context.Context, tenant string, since time.Time, yield func(Thing) bool) error {
	for e, err := range query.On(s.things, "by-status", Thing{Tenant: tenant, Status: "open"}).Where(attr.Since(ThingCreatedAt, since)).Desc().All(ctx) {
		if err != nil || !yield(e) {
			return err
		}
	}
	return nil
}
`
)

// sdkHead and sdkEntity are the same service on the raw SDK, as it is often written: with
// attributevalue and expressions by hand. It does not encrypt cursors, escape keys or validate
// requests.
const (
	sdkHead = `package main

import (
	"context"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type item = map[string]types.AttributeValue

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

var client *dynamodb.Client

func use(store any) { println(store != nil) }
`
	sdkEntity = `
type Thing struct {
	Tenant    string    ` + "`" + `dynamodbav:"tenant"` + "`" + `
	ID        string    ` + "`" + `dynamodbav:"id"` + "`" + `
	Status    string    ` + "`" + `dynamodbav:"status"` + "`" + `
	Name      string    ` + "`" + `dynamodbav:"name"` + "`" + `
	Count     int64     ` + "`" + `dynamodbav:"count"` + "`" + `
	CreatedAt time.Time ` + "`" + `dynamodbav:"created_at"` + "`" + `
	Tags      []string  ` + "`" + `dynamodbav:"tags,omitempty"` + "`" + `
	Version   int64     ` + "`" + `dynamodbav:"version"` + "`" + `
}

type ThingStore struct{ client *dynamodb.Client }

func newThingStore() *ThingStore { return &ThingStore{client} }

func (s *ThingStore) key(tenant, id string) item {
	return item{"PK": text("Thing#" + tenant), "SK": text("Thing#" + id)}
}

func (s *ThingStore) item(e *Thing) (item, error) {
	av, err := attributevalue.MarshalMap(e)
	if err != nil {
		return nil, err
	}
	for name, v := range s.key(e.Tenant, e.ID) {
		av[name] = v
	}
	av["GSI1PK"] = text("Thing#" + e.Tenant + "#" + e.Status)
	av["GSI1SK"] = text(e.CreatedAt.UTC().Format(time.RFC3339) + "#" + e.ID)
	return av, nil
}

func (s *ThingStore) Create(ctx context.Context, e *Thing) error {
	av, err := s.item(e)
	if err != nil {
		return err
	}
	_, err = s.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("app"), Item: av, ConditionExpression: aws.String("attribute_not_exists(PK)"),
	})
	return err
}

func (s *ThingStore) Get(ctx context.Context, tenant, id string) (Thing, error) {
	var e Thing
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("app"), Key: s.key(tenant, id)})
	if err != nil {
		return e, err
	}
	return e, attributevalue.UnmarshalMap(out.Item, &e)
}

func (s *ThingStore) Put(ctx context.Context, e *Thing) error {
	av, err := s.item(e)
	if err != nil {
		return err
	}
	_, err = s.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("app"), Item: av, ConditionExpression: aws.String("version = :v"),
		ExpressionAttributeValues: item{":v": number(e.Version)},
	})
	return err
}

func (s *ThingStore) Close(ctx context.Context, e Thing) (Thing, error) {
	out, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("app"), Key: s.key(e.Tenant, e.ID),
		UpdateExpression:    aws.String("SET #s = :closed, GSI1PK = :pk, version = version + :one ADD #c :one"),
		ConditionExpression: aws.String("#s = :open AND version = :v"),
		ExpressionAttributeNames: map[string]string{"#s": "status", "#c": "count"},
		ExpressionAttributeValues: item{
			":closed": text("closed"), ":open": text("open"), ":one": number(1), ":v": number(e.Version), ":pk": text("Thing#" + e.Tenant + "#closed"),
		},
		ReturnValues: types.ReturnValueAllNew,
	})
	if err != nil {
		return e, err
	}
	var after Thing
	return after, attributevalue.UnmarshalMap(out.Attributes, &after)
}

func (s *ThingStore) Delete(ctx context.Context, e Thing) error {
	_, err := s.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: aws.String("app"), Key: s.key(e.Tenant, e.ID), ConditionExpression: aws.String("#s = :closed"),
		ExpressionAttributeNames: map[string]string{"#s": "status"}, ExpressionAttributeValues: item{":closed": text("closed")},
	})
	return err
}

func (s *ThingStore) List(ctx context.Context, tenant string, from item) ([]Thing, item, error) {
	var page []Thing
	out, err := s.client.Query(ctx, &dynamodb.QueryInput{
		TableName: aws.String("app"), KeyConditionExpression: aws.String("PK = :pk AND begins_with(SK, :sk)"),
		ExpressionAttributeValues: item{":pk": text("Thing#" + tenant), ":sk": text("Thing#")}, Limit: aws.Int32(25), ExclusiveStartKey: from,
	})
	if err != nil {
		return page, nil, err
	}
	err = attributevalue.UnmarshalListOfMaps(out.Items, &page)
	return page, out.LastEvaluatedKey, err
}

func (s *ThingStore) Open(ctx context.Context, tenant string, since time.Time, yield func(Thing) bool) error {
	pages := dynamodb.NewQueryPaginator(s.client, &dynamodb.QueryInput{
		TableName: aws.String("app"), IndexName: aws.String("GSI1"), KeyConditionExpression: aws.String("GSI1PK = :pk AND GSI1SK >= :since"),
		ExpressionAttributeValues: item{":pk": text("Thing#" + tenant + "#open"), ":since": text(since.UTC().Format(time.RFC3339))},
		ScanIndexForward: aws.Bool(false),
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		var page []Thing
		if err := attributevalue.UnmarshalListOfMaps(out.Items, &page); err != nil {
			return err
		}
		for _, e := range page {
			if !yield(e) {
				return nil
			}
		}
	}
	return nil
}
`
)
