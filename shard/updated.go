package shard

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
)

// updatedLayout is the form of the attribute Updated of Keys.
const updatedLayout = "2006-01-02T15:04:05"

// updatedText returns a time in the form of the attribute Updated.
func updatedText(t time.Time) core.AV {
	return &types.AttributeValueMemberS{Value: t.UTC().Format(updatedLayout)}
}

// setUpdated sets the attribute Updated, if there is one.
func (c *Counters) setUpdated(b *libitem.Update) {
	if c.layout.updated != "" {
		b.Set(c.layout.updated, updatedText(c.exec.Now()))
	}
}

// updatedIn returns the time of the attribute Updated of an item, with or without a zone.
func updatedIn(item op.Item, attribute string) (time.Time, error) {
	text, ok := item[attribute].(*types.AttributeValueMemberS)
	if !ok {
		return time.Time{}, libitem.Unreadable(attribute, "the attribute is missing or no text")
	}
	for _, form := range []string{updatedLayout, time.RFC3339} {
		if t, err := time.Parse(form, text.Value); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, libitem.Unreadable(attribute, "the attribute is no time such as 2019-09-30T11:35:53")
}
