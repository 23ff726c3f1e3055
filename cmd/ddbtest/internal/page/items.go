package page

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/fixture"
)

// pageSize is how many items a page has.
const pageSize = 50

// itemsView is the page of the items of a table or index.
type itemsView struct {
	Table, Index string
	Sources      []link // the table and its indexes
	Definition   string // the address of the table's definition
	Records      string // that of its stream records; "" if it has no stream
	URL          string // the page without a filter
	Filter       filterForm
	Filtered     bool
	Query        bool // the filter is that of a query, not of a scan
	Columns      []string
	Items        []itemRow
	Continued    bool   // the page continues another one
	Next         string // the address of the next page; "" if this is the last one
}

// itemRow is an item in a table.
type itemRow struct {
	URL   string
	Keys  []keyCell
	Other []attribute
}

// keyCell is a key attribute of an item. An item of a table may lack those of an index.
type keyCell struct {
	Value   valueView
	Present bool
}

// showItems shows the items of a table or index.
func showItems(f *fork, d *types.TableDescription) (*reply, error) {
	v := f.visit
	table, query := aws.ToString(d.TableName), v.request.URL.Query()
	s, err := newSource(d, query.Get(fieldIndex))
	if err != nil {
		return nil, err
	}
	page := &reply{template: "items", title: table}
	view := itemsView{
		Table: table, Index: s.index, Columns: s.columns(), URL: v.tableURL(table, "", nil),
		Sources: v.sources(d, s), Definition: v.tableURL(table, "definition", nil), Continued: query.Get(fieldAfter) != "",
	}
	if s.index != "" {
		page.title += "/" + s.index
		view.URL = v.tableURL(table, "", url.Values{fieldIndex: {s.index}})
	}
	if aws.ToString(d.LatestStreamArn) != "" {
		view.Records = v.tableURL(table, "records", nil)
	}
	filter := newFilter(s, query)
	items, last, err := f.find(filter)
	if err != nil {
		return nil, err
	}
	if last != nil {
		next := url.Values{}
		for name, values := range query {
			next[name] = values
		}
		next.Set(fieldAfter, string(last))
		view.Next = v.tableURL(table, "", next)
	}
	view.Filter, view.Query = filter.form(), filter.isQuery()
	view.Filtered = len(filter.conditions) > 0 || filter.attribute != nil || len(filter.problems) > 0
	for _, item := range items {
		row, err := v.itemRow(s, item)
		if err != nil {
			return nil, err
		}
		view.Items = append(view.Items, row)
	}
	if len(filter.problems) > 0 {
		page.status, page.title = http.StatusUnprocessableEntity, "Error: "+page.title
	}
	page.data = view
	return page, nil
}

// sources returns links to a table and its indexes.
func (v *visit) sources(d *types.TableDescription, current *source) []link {
	links := []link{{Text: current.table, URL: v.tableURL(current.table, "", nil), Current: current.index == ""}}
	for _, ix := range v.indexes(d) {
		links = append(links, link{Text: ix.Name, URL: ix.URL, Current: ix.Name == current.index})
	}
	return links
}

// find returns the items of a page and, if there are more, the position of its last one in DynamoDB
// JSON. It adds to the filter what is wrong with it.
func (f *fork) find(filter *filter) (items []attributes, last []byte, err error) {
	var start attributes
	if after := filter.query.Get(fieldAfter); after != "" {
		var invalid error
		if start, invalid = fixture.ParseItem([]byte(after)); invalid != nil {
			filter.add(fieldAfter, invalid.Error(), "begin with the first page")
		}
	}
	if len(filter.problems) > 0 {
		return nil, nil, nil
	}
	read := f.reader(filter)
	for {
		page, next, err := read(f.visit.request.Context(), start)
		var rejected smithy.APIError
		if errors.As(err, &rejected) {
			filter.add("", rejected.ErrorMessage(), "")
			return nil, nil, nil
		}
		if err != nil {
			return nil, nil, err
		}
		items = append(items, page...)
		if len(items) > pageSize {
			items = items[:pageSize]
			last, err = fixture.FormatItem(filter.source.position(items[pageSize-1]))
			return items, last, err
		}
		if start = next; len(start) == 0 {
			return items, nil, nil
		}
	}
}

// reader reads the items from a position on, and returns the position where the next ones begin.
type reader func(ctx context.Context, start attributes) (items []attributes, next attributes, err error)

// reader returns the reader of a query or scan.
func (f *fork) reader(filter *filter) reader {
	e, s := filter.expression(), filter.source
	consistent := aws.Bool(!s.global)
	if e.key == "" {
		return func(ctx context.Context, start attributes) ([]attributes, attributes, error) {
			reply, err := f.client.Scan(ctx, &dynamodb.ScanInput{
				TableName: &s.table, IndexName: orNil(s.index), ConsistentRead: consistent, ExclusiveStartKey: start,
				FilterExpression: orNil(e.filter), ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
			})
			if err != nil {
				return nil, nil, err
			}
			return reply.Items, reply.LastEvaluatedKey, nil
		}
	}
	return func(ctx context.Context, start attributes) ([]attributes, attributes, error) {
		reply, err := f.client.Query(ctx, &dynamodb.QueryInput{
			TableName: &s.table, IndexName: orNil(s.index), ConsistentRead: consistent, ExclusiveStartKey: start,
			KeyConditionExpression: &e.key, FilterExpression: orNil(e.filter),
			ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
		})
		if err != nil {
			return nil, nil, err
		}
		return reply.Items, reply.LastEvaluatedKey, nil
	}
}

// orNil returns a pointer to a text, or nil for "".
func orNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// itemRow returns the row of an item.
func (v *visit) itemRow(s *source, item attributes) (itemRow, error) {
	address, err := v.itemURL(s, item)
	row := itemRow{URL: address}
	columns := s.columns()
	for _, name := range columns {
		cell := keyCell{}
		if value, ok := item[name]; ok {
			cell = keyCell{viewOf(value), true}
		}
		row.Keys = append(row.Keys, cell)
	}
	row.Other = attributesOf(item, columns)
	return row, err
}
