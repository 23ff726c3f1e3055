package entity_test

import (
	"maps"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/maintain"
)

// visa has the same attribute as voucher and coupon, for which it is the time to live.
type visa struct {
	_       entity.Key `type:"visa" pk:"VISA#<id>" sk:"VISA"`
	ID      string     `dynamodbav:"id"`
	Expires any        `dynamodbav:"expires"`
}

// CheckItems reports each time to live that DynamoDB ignores once, and no other value. A mistake in
// another attribute is reported too.
func TestCheckItemsReportsIgnoredTimesToLive(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, years := t.Context(), 365*24*time.Hour
		now := time.Now().Add(6 * years) // so that the engines delete nothing
		s := entity.NewSchema(entity.Config{Clock: func() time.Time { return now }})
		vouchers := entity.Define[voucher](s)
		coupons := entity.DefineSpec[coupon](s, entity.Spec{
			Type: "coupon", Key: entity.KeySpec{PK: "COUPON#<id>", SK: "COUPON"}, Roles: map[string]string{"expires": "ttl"},
		})
		visas := entity.Define[visa](s)
		client, table := open(t, e, s)
		fiveYears := now.Add(-5 * years)
		for name, c := range map[string]struct {
			av      types.AttributeValue
			ignored bool
		}{
			"a later second":    {numberAV(now.Unix() + 1), false},
			"the current one":   {numberAV(now.Unix()), false},
			"five years":        {numberAV(fiveYears.Unix()), false},
			"a second more":     {numberAV(fiveYears.Unix() - 1), true},
			"the zero":          {avN("0"), true},
			"a negative number": {avN("-1"), true},
			"the year 5138":     {avN("99999999999"), false},
			"milliseconds":      {numberAV(now.UnixMilli()), true},
			"nanoseconds":       {numberAV(now.UnixNano()), true},
			"text":              {avS(strconv.FormatInt(now.Unix(), 10)), true},
			"null":              {&types.AttributeValueMemberNULL{Value: true}, false},
		} {
			for _, item := range []func() (avMap, error){
				func() (avMap, error) { return vouchers.Encode(&voucher{ID: "a", Expires: now}) },
				func() (avMap, error) { return coupons.Encode(&coupon{ID: "a", Expires: now.Unix()}) },
			} {
				item, err := item()
				require.NoError(t, err)
				item["expires"] = c.av
				require.Len(t, itemDrift(t, client, table, item), map[bool]int{true: 1}[c.ignored], name)

				item["text"] = avN("1")
				require.Len(t, itemDrift(t, client, table, item), map[bool]int{true: 2, false: 1}[c.ignored], name)
				_, err = client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("things"), Key: keyOnly(item)})
				require.NoError(t, err)
			}
			item, err := visas.Encode(&visa{ID: "a"})
			require.NoError(t, err)
			item["expires"] = c.av
			require.Empty(t, itemDrift(t, client, table, item), name)
		}
	})
}

// itemDrift stores an item and returns the differences that CheckItems reports.
func itemDrift(t *testing.T, client *dynamodb.Client, table *entity.Table, item avMap) []maintain.Problem {
	t.Helper()
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("things"), Item: item})
	require.NoError(t, err)
	err = testchecks.Items(t.Context(), table, 100)
	var drift *maintain.Error
	if err == nil {
		return nil
	}
	require.ErrorAs(t, err, &drift)
	return drift.Problems
}

// numberAV is an attribute value of type N.
func numberAV(n int64) types.AttributeValue { return avN(strconv.FormatInt(n, 10)) }

func keyOnly(item avMap) avMap {
	key := maps.Clone(item)
	maps.DeleteFunc(key, func(name string, _ types.AttributeValue) bool { return name != "PK" && name != "SK" })
	return key
}
