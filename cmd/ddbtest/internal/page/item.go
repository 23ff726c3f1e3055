package page

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/fixture"
)

// queryKey is the query parameter with the key of an item in DynamoDB JSON.
const queryKey = "key"

// itemView is the page of an item.
type itemView struct {
	Keys, Other []attribute
	JSON        string
}

// itemURL returns the address of an item.
func (v *visit) itemURL(s *source, item attributes) (string, error) {
	key, err := fixture.FormatItem(s.key(item))
	return v.tableURL(s.table, "item", url.Values{queryKey: {string(key)}}), err
}

// showItem shows an item.
func showItem(f *fork, d *types.TableDescription) (*reply, error) {
	v, table := f.visit, aws.ToString(d.TableName)
	s, err := newSource(d, "")
	if err != nil {
		return nil, err
	}
	key, err := fixture.ParseItem([]byte(v.request.URL.Query().Get(queryKey)))
	if err != nil {
		return nil, &statusError{http.StatusBadRequest, "The key in the address " + err.Error() + "."}
	}
	found, err := f.client.GetItem(v.request.Context(), &dynamodb.GetItemInput{TableName: &table, Key: key, ConsistentRead: aws.Bool(true)})
	if err != nil {
		return nil, err
	}
	if len(found.Item) == 0 {
		return nil, &statusError{http.StatusNotFound, "There is no such item. It may have been deleted or may have expired."}
	}
	text, err := fixture.FormatItem(found.Item)
	if err != nil {
		return nil, err
	}
	view := itemView{Other: attributesOf(found.Item, s.columns()), JSON: indented(text)}
	for _, name := range s.columns() {
		view.Keys = append(view.Keys, attribute{name, viewOf(found.Item[name])})
	}
	return &reply{template: "item", title: "Item of " + table, crumbs: v.tableCrumbs(table), data: view}, nil
}

// tableCrumbs returns the link to a table.
func (v *visit) tableCrumbs(table string) []link {
	return []link{{Text: table, URL: v.tableURL(table, "", nil)}}
}

// indented returns JSON with a line for each member, in the order of their names, and with "<" as
// it is: the template escapes it.
func indented(text []byte) string {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return string(text)
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if encoder.Encode(value) != nil {
		return string(text)
	}
	return strings.TrimSpace(b.String())
}
