package page_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

func decode(t *testing.T, text string, into any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), into), text)
}

// attributeNames returns the names of the attributes of an element.
func attributeNames(n *html.Node) []string {
	var names []string
	for _, a := range n.Attr {
		names = append(names, a.Key)
	}
	return names
}

// TestValues checks that a value of each type is shown with its type.
func TestValues(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	values := map[string]struct {
		value types.AttributeValue
		want  string
	}{
		"string":  {str("a \"b\"\n\u202e"), `S "a \"b\"\n\u202e"`},
		"number":  {number("1.50"), `N 1.5`},
		"binary":  {&types.AttributeValueMemberB{Value: []byte{0, 10, 255}}, `B 0x000aff`},
		"bool":    {&types.AttributeValueMemberBOOL{Value: false}, `BOOL false`},
		"null":    {&types.AttributeValueMemberNULL{Value: true}, `NULL null`},
		"strings": {&types.AttributeValueMemberSS{Value: []string{"a", "b"}}, `SS ⟨"a", "b"⟩`},
		"numbers": {&types.AttributeValueMemberNS{Value: []string{"1"}}, `NS ⟨1⟩`},
		"bytes":   {&types.AttributeValueMemberBS{Value: [][]byte{{1}}}, `BS ⟨0x01⟩`},
		"list":    {&types.AttributeValueMemberL{Value: []types.AttributeValue{str("1"), number("1")}}, `L ["1", 1]`},
		"map":     {&types.AttributeValueMemberM{Value: item{"k": str("v"), "e": &types.AttributeValueMemberL{}}}, `M {"e": [], "k": "v"}`},
		"empty":   {&types.AttributeValueMemberM{Value: item{}}, `M {}`},
	}
	more := item{}
	for name, v := range values {
		more[name] = v.value
	}
	s.put(order("ada", "1", "monday", "1", more))
	for _, path := range []string{orders, orders + "item?key=" + url.QueryEscape(`{"customer":{"S":"ada"},"order":{"S":"1"}}`)} {
		shown := map[string]string{}
		d := s.get(path)
		for _, n := range d.all("dt") {
			shown[text(n)] = text(n.Parent)
		}
		for name, v := range values {
			require.Equal(t, name+v.want, shown[name])
		}
	}
}

// TestLongValues checks that a long value is shortened and can be opened.
func TestLongValues(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	s.put(order("ada", "1", "monday", "1", item{"long": str(strings.Repeat("ä", 79)), "short": str(strings.Repeat("ä", 78))}))
	d := s.get(orders)
	var opened []string
	for _, n := range d.all("details") {
		opened = append(opened, text(n))
	}
	require.Equal(t, []string{`"` + strings.Repeat("ä", 79) + `…"` + strings.Repeat("ä", 79) + `"`}, opened)
}

// TestHugeValues checks that a page is much smaller than its values, and that the page of the item
// has all of them.
func TestHugeValues(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	const size = 150_000
	s.put(order("ada", "1", "monday", "1", item{"huge": str(strings.Repeat("x", size))}))
	require.Less(t, len(content(s.get(orders).root)), size/10)
	d := s.get(orders + "item?key=" + url.QueryEscape(`{"customer":{"S":"ada"},"order":{"S":"1"}}`))
	require.Greater(t, len(content(d.root)), size)
}

// TestItem checks that the page of an item has it in DynamoDB JSON.
func TestItem(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	for _, name := range hostile {
		s.put(order(name, name, "monday", "1", item{name: str(name)}))
		key, err := json.Marshal(map[string]map[string]string{"customer": {"S": name}, "order": {"S": name}})
		require.NoError(t, err)
		d := s.get(orders + "item?key=" + url.QueryEscape(string(key)))
		var shown map[string]map[string]string
		pre := d.all("pre")
		decode(t, content(pre[len(pre)-1]), &shown)
		require.Equal(t, name, shown[name]["S"])
		require.Equal(t, name, shown["order"]["S"])
		require.Len(t, shown, 5)
	}
}

// content returns the text of an element as it is.
func content(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// TestDefinition checks that the definition is what DescribeTable returns.
func TestDefinition(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	var shown struct {
		TableName              string
		GlobalSecondaryIndexes []any
	}
	d := s.get(orders + "definition")
	decode(t, content(d.all("pre")[0]), &shown)
	require.Equal(t, "orders", shown.TableName)
	require.Len(t, shown.GlobalSecondaryIndexes, 1)
	require.Equal(t, [][]string{{"byTotal", "local", "0", "0 B"}, {"byDay", "global", "0", "0 B"}}, d.rows("Kind"))
}

// TestRecords checks the records of a stream and its pages.
func TestRecords(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	s.putMany("ada", 60)
	s.put(order("bob", "1", "monday", "1", item{"expires": number(jsonNumber(s.db.Now().Unix() + 60))}))
	s.post(base+"clock", url.Values{"by": {"1h"}})
	d := s.get(orders + "records")
	rows := d.rows("Event")
	require.Len(t, rows, 50)
	require.Equal(t, "REMOVE expired", rows[0][0])
	require.Equal(t, "INSERT", rows[1][0])
	require.Contains(t, d.text(), "62 records")
	var older string
	for _, n := range d.all("a") {
		if attr(n, "rel") == "next" {
			older = attr(n, "href")
		}
	}
	require.Len(t, s.get(older).rows("Event"), 12)
	require.Len(t, s.get(orders+"records?until=x").rows("Event"), 50)
}
