package page

import (
	"net/url"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// tableRow is a table in the list of a database.
type tableRow struct {
	Name, URL    string
	Status       string
	Keys         []keyAttribute
	Items, Bytes int64
	Indexes      []indexRow
	TimeToLive   string // the attribute; "" if it is not enabled
	Stream       string // what its records contain; "" if it has none
	Records      string // the address of its records
}

// indexRow is an index of a table.
type indexRow struct {
	Name, URL    string
	Items, Bytes int64
	Global       bool
}

// tables returns the tables of the database.
func (v *visit) tables() ([]tableRow, error) {
	f := v.fork()
	defer f.close()
	names, err := f.tableNames()
	if err != nil {
		return nil, err
	}
	rows := make([]tableRow, len(names))
	for i, name := range names {
		d, err := f.describe(name)
		if err != nil {
			return nil, err
		}
		if rows[i], err = f.tableRow(d); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func (f *fork) tableRow(d *types.TableDescription) (tableRow, error) {
	name := aws.ToString(d.TableName)
	ttl, err := f.timeToLive(name)
	if err != nil {
		return tableRow{}, err
	}
	row := tableRow{
		Name: name, URL: f.visit.tableURL(name, "", nil), Status: string(d.TableStatus),
		Keys:  keyAttributes(d.KeySchema, d.AttributeDefinitions),
		Items: aws.ToInt64(d.ItemCount), Bytes: aws.ToInt64(d.TableSizeBytes), Indexes: f.visit.indexes(d),
	}
	if ttl.TimeToLiveStatus == types.TimeToLiveStatusEnabled {
		row.TimeToLive = aws.ToString(ttl.AttributeName)
	}
	if s := d.StreamSpecification; s != nil && aws.ToBool(s.StreamEnabled) {
		row.Stream, row.Records = string(s.StreamViewType), f.visit.tableURL(name, "records", nil)
	}
	return row, nil
}

// indexes returns the indexes of a table.
func (v *visit) indexes(d *types.TableDescription) []indexRow {
	var rows []indexRow
	add := func(name *string, items, bytes *int64, global bool) {
		address := v.tableURL(aws.ToString(d.TableName), "", url.Values{fieldIndex: {aws.ToString(name)}})
		rows = append(rows, indexRow{aws.ToString(name), address, aws.ToInt64(items), aws.ToInt64(bytes), global})
	}
	for i := range d.LocalSecondaryIndexes {
		ix := &d.LocalSecondaryIndexes[i]
		add(ix.IndexName, ix.ItemCount, ix.IndexSizeBytes, false)
	}
	for i := range d.GlobalSecondaryIndexes {
		ix := &d.GlobalSecondaryIndexes[i]
		add(ix.IndexName, ix.ItemCount, ix.IndexSizeBytes, true)
	}
	return rows
}
