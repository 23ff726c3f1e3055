package page_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// TestFilter checks the items of each filter, by the IDs of the orders.
func TestFilter(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	s.put(
		order("ada", "a1", "monday", "10", item{"state": str("open"), "open": &types.AttributeValueMemberBOOL{Value: true}}),
		order("ada", "a2", "tuesday", "20", item{"state": str("closed"), "raw": &types.AttributeValueMemberB{Value: []byte{0, 255}}}),
		order("ada", "b1", "monday", "3", item{"n": number("7"), "gone": &types.AttributeValueMemberNULL{Value: true}}),
		order("bob", "a1", "monday", "10", item{"n": number("70"), "tags": &types.AttributeValueMemberSS{Value: []string{"x", "y"}}}),
		item{"customer": str("bob"), "order": str("draft")},
	)
	for _, c := range []struct {
		query string
		want  string
		scan  bool
	}{
		{"", "ada/a1 ada/a2 ada/b1 bob/a1 bob/draft", true},
		{"key0=ada", "ada/a1 ada/a2 ada/b1", false},
		{"key0=ada&compare1=%3D&key1=a2", "ada/a2", false},
		{"key0=ada&compare1=begins+with&key1=a", "ada/a1 ada/a2", false},
		{"compare1=begins+with&key1=a", "ada/a1 ada/a2 bob/a1", true},
		{"key1=a1", "ada/a1 bob/a1", true},
		{"key0=none", "", false},
		{"attribute=state&operator=%3D&type=S&value=open", "ada/a1", true},
		{"attribute=state&operator=%3C%3E&type=S&value=open", "ada/a2 ada/b1 bob/a1 bob/draft", true},
		{"attribute=n&operator=%3E%3D&type=N&value=7", "ada/b1 bob/a1", true},
		{"attribute=n&operator=%3C&type=N&value=70", "ada/b1", true},
		{"attribute=n&operator=%3C%3D&type=N&value=70&key0=bob", "bob/a1", false},
		{"attribute=n&operator=%3E&type=N&value=7.0", "bob/a1", true},
		{"attribute=state&operator=begins+with&type=S&value=cl", "ada/a2", true},
		{"attribute=tags&operator=contains&type=S&value=y", "bob/a1", true},
		{"attribute=raw&operator=exists", "ada/a2", true},
		{"attribute=day&operator=does+not+exist", "bob/draft", true},
		{"attribute=raw&operator=%3D&type=B&value=00ff", "ada/a2", true},
		{"attribute=open&operator=%3D&type=BOOL&value=true", "ada/a1", true},
		{"attribute=gone&operator=%3D&type=NULL", "ada/b1", true},
		{"attribute=state&value=open", "ada/a1", true},
		{"index=byDay&key0=monday", "ada/a1 bob/a1 ada/b1", false},
		{"index=byDay&key0=monday&compare1=begins+with&key1=b", "ada/b1", false},
		{"index=byTotal&key0=ada&key1=20", "ada/a2", false},
		{"index=byTotal&key1=10", "ada/a1 bob/a1", true},
		{"index=byTotal&key0=ada&attribute=state&operator=exists", "ada/a1 ada/a2", false},
	} {
		d := s.get(orders + "?" + c.query)
		var found []string
		for _, n := range d.all("a") {
			if attr(n, "aria-label") == "" {
				continue
			}
			u, err := url.Parse(attr(n, "href"))
			require.NoError(t, err)
			var key struct{ Customer, Order struct{ S string } }
			decode(t, u.Query().Get("key"), &key)
			found = append(found, key.Customer.S+"/"+key.Order.S)
		}
		want := strings.Fields(c.want)
		if c.scan { // in the order of the partitions
			require.ElementsMatch(t, want, found, c.query)
		} else {
			require.Len(t, found, len(want), c.query)
			require.Subset(t, found, want, c.query)
		}
		require.Equal(t, c.scan, strings.Contains(d.text(), "make it a scan"), c.query)
		require.Contains(t, d.text(), map[bool]string{true: " 1 item on", false: fmt.Sprintf("%d items on", len(want))}[len(want) == 1])
	}
}

// TestDocumentPaths filters by document paths, and by names that look like one.
func TestDocumentPaths(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	nested := func(v types.AttributeValue) types.AttributeValue {
		return &types.AttributeValueMemberM{Value: item{"b": &types.AttributeValueMemberL{Value: []types.AttributeValue{v}}}}
	}
	s.put(
		order("ada", "path", "monday", "1", item{"a": nested(str("x"))}),
		order("ada", "other", "monday", "1", item{"a": nested(str("y"))}),
		order("ada", "name", "monday", "1", item{"a.b[0]": str("x")}),
		order("ada", "bracket", "monday", "1", item{"[": str("x")}),
	)
	for query, want := range map[string]int{
		"attribute=a.b[0]&operator=exists": 3, "attribute=a.b[0]&operator=does+not+exist": 1, "attribute=a.b[0]&value=x": 2,
		"attribute=a.b[0]&operator=%3C%3E&value=x": 2, "attribute=a.b&operator=exists": 2, "attribute=a.c&operator=exists": 0,
		"attribute=[&operator=exists": 1, "attribute=a..b&operator=exists": 0, "attribute=a.b[0]&operator=begins+with&value=x&key0=ada": 2,
	} {
		require.Contains(t, s.get(orders+"?"+query).text(), map[bool]string{true: "1 item on", false: fmt.Sprintf("%d items on", want)}[want == 1], query)
	}
}

// TestInvalidFilter checks that a problem is shown beside its field, and what was typed is kept.
func TestInvalidFilter(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	s.put(order("ada", "1", "monday", "1", nil))
	for query, field := range map[string]string{
		"index=byTotal&key1=ten": "key1", "attribute=n&type=N&value=1x": "value", "attribute=n&type=B&value=0": "value",
		"attribute=n&type=BOOL&value=perhaps": "value", "value=1": "attribute", "attribute=customer&value=1": "attribute", "attribute=n&type=M&value=1": "type",
		"attribute=n&operator=none&value=1": "operator", "attribute=n&operator=none": "operator", "attribute=n&operator=BEGINS+WITH&value=1": "operator",
		// A condition that every item meets:
		"attribute=day&value=x&operator=" + url.QueryEscape("= :v0 OR #n0 <>"):                    "operator",
		"attribute=day&value=x&operator=" + url.QueryEscape("<> :v0 OR size(#n0) > :v0 OR #n0 ="): "operator",
		"key0=ada&key1=1&compare1=none": "compare1", "key0=ada&key1=1&compare1=%3C": "compare1",
	} {
		d := s.page(http.StatusUnprocessableEntity, orders+"?"+query)
		require.NotEmpty(t, text(d.id("filter-"+field+"-problem")), query)
		values, err := url.ParseQuery(query)
		require.NoError(t, err)
		if d.id("filter-"+field).Data == "input" {
			require.Equal(t, values.Get(field), attr(d.id("filter-"+field), "value"))
		}
		require.Empty(t, d.rows("Item"))
	}
	for _, query := range []string{
		"attribute=n&type=N&value=1e999", "after=x", "after={}", `after={"customer":{"N":"1"}}`,
		"attribute=n&operator=begins+with&type=N&value=1", "index=byTotal&compare1=begins+with&key1=1",
	} {
		d := s.page(http.StatusUnprocessableEntity, orders+"?"+query)
		require.Contains(t, d.text(), "Correct this", query)
	}
}

// TestPaging follows the next pages: they have all items once, in tables and indexes, with and
// without a filter.
func TestPaging(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	s.putMany("ada", 120)
	s.putMany("bob", 30)
	for query, want := range map[string][]int{
		"":                               {50, 50, 50},
		"key0=ada":                       {50, 50, 20},
		"key0=bob":                       {30},
		"index=byDay&key0=monday":        {50, 50, 50},
		"index=byTotal&key0=ada":         {50, 50, 20},
		"index=byTotal":                  {50, 50, 50},
		"key1=o1&compare1=begins+with":   {20},
		"key1=o0&compare1=begins+with":   {50, 50, 30},
		"attribute=day&value=monday":     {50, 50, 50},
		"key0=none":                      {0},
		"attribute=none&operator=exists": {0},
	} {
		var sizes []int
		seen := map[string]bool{}
		for target := orders + "?" + query; target != ""; {
			d := s.get(target)
			target = ""
			sizes = append(sizes, len(d.rows("Item")))
			for _, n := range d.all("a") {
				switch {
				case attr(n, "rel") == "next":
					target = attr(n, "href")
				case attr(n, "aria-label") != "":
					require.False(t, seen[attr(n, "href")], query)
					seen[attr(n, "href")] = true
				}
			}
		}
		require.Equal(t, want, sizes, query)
	}
}

// TestSeveralKeyAttributes checks an index whose keys have several attributes.
func TestSeveralKeyAttributes(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	element := func(name string, kind types.KeyType) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: &name, KeyType: kind}
	}
	define := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: &name, AttributeType: types.ScalarAttributeTypeS}
	}
	_, err := s.client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("wide"), BillingMode: types.BillingModePayPerRequest,
		KeySchema:            []types.KeySchemaElement{element("id", types.KeyTypeHash)},
		AttributeDefinitions: []types.AttributeDefinition{define("id"), define("a"), define("b"), define("c"), define("d")},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: aws.String("wideIndex"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
			KeySchema: []types.KeySchemaElement{
				element("a", types.KeyTypeHash), element("b", types.KeyTypeHash), element("c", types.KeyTypeRange), element("d", types.KeyTypeRange),
			},
		}},
	})
	require.NoError(t, err)
	for i := range 81 {
		i := item{"id": str(fmt.Sprint(i)), "a": str("x"), "b": str(fmt.Sprint(i % 3)), "c": str(fmt.Sprint(i / 3 % 3)), "d": str(fmt.Sprint(i / 9))}
		_, err := s.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("wide"), Item: i})
		require.NoError(t, err)
	}
	for query, want := range map[string]struct {
		n    int
		scan bool
	}{
		"key0=x&key1=1":        {27, false},
		"key0=x":               {50, true},
		"key0=x&key2=1":        {27, true},
		"key0=x&key1=1&key2=1": {9, false},
		"key0=x&key1=1&key2=1&compare3=begins+with&key3=2": {1, false},
		"key0=x&key1=1&key2=1&compare2=begins+with&key3=2": {1, true},
		"key0=x&key1=1&key3=2":                             {3, true},
	} {
		d := s.get(base + "tables/wide/?index=wideIndex&" + query)
		require.Len(t, d.rows("Item"), want.n, query)
		require.Equal(t, want.scan, strings.Contains(d.text(), "make it a scan"), query)
	}
}
