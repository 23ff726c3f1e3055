package entity_test

import (
	"strings"
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

type parcel struct {
	_      entity.Key   `type:"parcel" pk:"PARCEL#<id>" sk:"PARCEL"`
	_      entity.Index `name:"by-place" on:"places" pk:"<country>,<region>" sk:"<city>,<street>"`
	ID     string       `dynamodbav:"id"`
	Region string       `dynamodbav:"region"`
	Nation string       `dynamodbav:"country"`
	City   string       `dynamodbav:"city"`
	Street string       `dynamodbav:"street"`
}

var (
	parcelRegion = attr.Must(func(p *parcel) *string { return &p.Region })
	parcelNation = attr.Must(func(p *parcel) *string { return &p.Nation })
	parcelStreet = attr.Must(func(p *parcel) *string { return &p.Street })
)

// The service limits the total size of the partition key attributes of an index, and of its sort
// key attributes, even if the item is not on the index. Items above a limit are ErrLimit before
// sending, and the service accepts all others.
func TestSizeLimitOfMultiAttributeIndexKeys(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{
			Name: "places", Partition: []entity.Attribute{entity.S("country"), entity.S("region")},
			Sort: []entity.Attribute{entity.S("city"), entity.S("street")},
		}}})
		parcels := entity.Define[parcel](s)
		client, table := open(t, e, s)
		repo := parcels.In(table)
		ctx := t.Context()
		x := func(n int) string { return strings.Repeat("x", n) }
		for name, c := range map[string]struct {
			parcel parcel
			kind   error
		}{
			"largest":           {parcel{Nation: x(1024), Region: x(1024), City: x(512), Street: x(512)}, nil},
			"partition":         {parcel{Nation: x(1024), Region: x(1025), City: x(512), Street: x(512)}, trestle.ErrLimit},
			"sort":              {parcel{Nation: x(1024), Region: x(1024), City: x(512), Street: x(513)}, trestle.ErrLimit},
			"sort, not on it":   {parcel{Region: x(1024), City: x(512), Street: x(513)}, trestle.ErrLimit},
			"half, not on it":   {parcel{Region: x(1024), City: x(512)}, nil},
			"multi-byte, large": {parcel{Nation: x(1024), Region: x(1024), City: x(512), Street: x(511) + "é"}, trestle.ErrLimit},
		} {
			p := c.parcel
			p.ID = name
			outcome := trestle.NotApplied
			if c.kind == nil {
				outcome = trestle.Applied
			}
			requireOutcome(t, repo.Put(ctx, &p), c.kind, outcome)
			item := map[string]types.AttributeValue{"PK": avS("PARCEL#" + name), "SK": avS("raw")}
			for attribute, text := range map[string]string{"country": p.Nation, "region": p.Region, "city": p.City, "street": p.Street} {
				if text != "" {
					item[attribute] = avS(text)
				}
			}
			_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: item})
			require.Equal(t, c.kind != nil, err != nil, "%s: what the service itself does", name)
		}

		_, err := repo.Update(ctx, parcel{ID: "half, not on it"}, parcelNation.Set(x(1024)), parcelRegion.Set(x(1025)))
		requireOutcome(t, err, trestle.ErrLimit, trestle.NotApplied)
		_, err = repo.Update(ctx, parcel{ID: "half, not on it", City: x(1024)}, parcelStreet.Set(x(512)))
		require.NoError(t, err, "what an example says of other fields does not count")
	})
}
