package peerbench

import (
	"fmt"
	"strconv"
	"time"

	"github.com/trestledb/trestle/internal/itemjson"
)

// decodeByHand decodes an item as code written by hand for its type would, on the scanner of the
// library. It does not check the types of attributes.
func (o *storedOrder) decodeByHand(it itemjson.Item) error {
	for i := range it.Members() {
		var err error
		switch string(it.Name(i)) {
		case "PK":
			o.PK = string(it.Text(i))
		case "SK":
			o.SK = string(it.Text(i))
		case "_type":
			o.Type = string(it.Text(i))
		case "GSI1PK":
			o.GSI1PK = string(it.Text(i))
		case "GSI1SK":
			o.GSI1SK = string(it.Text(i))
		case "customer":
			o.Customer = string(it.Text(i))
		case "id":
			o.ID = string(it.Text(i))
		case "placed_at":
			o.PlacedAt, err = time.Parse(time.RFC3339, string(it.Text(i)))
		case "status":
			o.Status = string(it.Text(i))
		case "total":
			o.Total, err = strconv.ParseInt(string(it.Text(i)), 10, 64)
		case "weight":
			o.Weight, err = strconv.ParseFloat(string(it.Text(i)), 64)
		case "paid":
			o.Paid = it.True(i)
		case "street":
			o.Street = string(it.Text(i))
		case "city":
			o.City = string(it.Text(i))
		case "note":
			o.Note = string(it.Text(i))
		case "tags":
			o.Tags = textsByHand(it.Within(i))
		case "line":
			err = o.Line.decodeByHand(it.Within(i))
		case "updated_at":
			o.UpdatedAt, err = time.Parse(time.RFC3339, string(it.Text(i)))
		}
		if err != nil {
			return fmt.Errorf("attribute %s: %w", it.Name(i), err)
		}
	}
	return nil
}

func (l *Line) decodeByHand(it itemjson.Item) (err error) {
	for i := range it.Members() {
		switch string(it.Name(i)) {
		case "sku":
			l.SKU = string(it.Text(i))
		case "count":
			l.Count, err = strconv.Atoi(string(it.Text(i)))
		}
	}
	return err
}

func textsByHand(it itemjson.Item) []string {
	texts := make([]string, 0, 4)
	for i := range it.Members() {
		texts = append(texts, string(it.Text(i)))
	}
	return texts
}

// appendByHand encodes an item as code written by hand for its type would.
func (o *storedOrder) appendByHand(b []byte) []byte {
	text := func(name, s string) {
		b = append(append(b, name...), `{"S":`...)
		b = append(itemjson.AppendText(b, s), '}')
	}
	moment := func(name string, at time.Time) {
		b = append(append(b, name...), `{"S":"`...)
		b = append(at.UTC().AppendFormat(b, time.RFC3339Nano), `"}`...)
	}
	number := func(name string, n int64) {
		b = append(append(b, name...), `{"N":"`...)
		b = append(strconv.AppendInt(b, n, 10), `"}`...)
	}
	text(`{"PK":`, o.PK)
	text(`,"SK":`, o.SK)
	text(`,"_type":`, o.Type)
	text(`,"GSI1PK":`, o.GSI1PK)
	text(`,"GSI1SK":`, o.GSI1SK)
	text(`,"customer":`, o.Customer)
	text(`,"id":`, o.ID)
	moment(`,"placed_at":`, o.PlacedAt)
	text(`,"status":`, o.Status)
	number(`,"total":`, o.Total)
	b = strconv.AppendFloat(append(b, `,"weight":{"N":"`...), o.Weight, 'f', -1, 64)
	b = strconv.AppendBool(append(b, `"},"paid":{"BOOL":`...), o.Paid)
	text(`},"street":`, o.Street)
	text(`,"city":`, o.City)
	text(`,"note":`, o.Note)
	b = append(b, `,"tags":{"L":[`...)
	for i, tag := range o.Tags {
		if i > 0 {
			b = append(b, ',')
		}
		text("", tag)
	}
	text(`]},"line":{"M":{"sku":`, o.Line.SKU)
	number(`,"count":`, int64(o.Line.Count))
	moment(`}},"updated_at":`, o.UpdatedAt)
	return append(b, '}')
}
