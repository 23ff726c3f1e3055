package define_test

import (
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
)

// Pairs of types whose keys clash.
type (
	Invoice struct {
		_      Key    `type:"invoice" pk:"O#<order>" sk:"I#<id>"`
		Order  string `dynamodbav:"order"`
		ID     string `dynamodbav:"id"`
		Status string `dynamodbav:"status"`
	}
	Item struct {
		_      Key    `type:"item" pk:"O#<order>" sk:"I#<product>"`
		Order  string `dynamodbav:"order"`
		Prod   string `dynamodbav:"product"`
		Status string `dynamodbav:"status"`
	}
	SharedInvoice struct {
		_     Key    `type:"invoice" pk:"O#<order>" sk:"I#<id>" shared:"yes"`
		Order string `dynamodbav:"order"`
		ID    string `dynamodbav:"id"`
	}
	SharedItem struct {
		_     Key    `type:"item" pk:"O#<order>" sk:"I#<product>" shared:"yes"`
		Order string `dynamodbav:"order"`
		Prod  string `dynamodbav:"product"`
	}
)

func invalidSchemas() []invalidCase {
	none := trestle.Config{TypeAttribute: trestle.None, WriteID: trestle.None}
	byStatus := trestle.Config{Indexes: []trestle.IndexConfig{{Name: "statuses", Partition: []core.Attribute{{Name: "status"}}, Sort: []core.Attribute{{Name: "id"}}}}}
	return []invalidCase{
		{"the same keys", 1, with(Invoice{}, Item{})},
		{"shared on one side only", 1, with(SharedInvoice{}, Item{})},
		{"shared on the other side only", 1, with(Invoice{}, SharedItem{})},
		{"shared, and nothing to tell the types apart", 1, definition{config: none, types: typesOf(SharedInvoice{}, SharedItem{})}},
		{"one's query reads the other", 1, with(Invoice{}, func() any {
			type Line struct {
				_     Key    `type:"line" pk:"O#<order>" sk:"I#<invoice>#LINE#<n:03>"`
				Order string `dynamodbav:"order"`
				Inv   string `dynamodbav:"invoice"`
				N     int    `dynamodbav:"n"`
			}
			return Line{}
		}())},
		{"a bare sort key in a partition of others", 1, with(Invoice{}, func() any {
			type Event struct {
				_     Key    `type:"event" pk:"O#<order>" sk:"<what>"`
				Order string `dynamodbav:"order"`
				What  string `dynamodbav:"what"`
			}
			return Event{}
		}())},
		{"on an index that both declare", 1, with(func() any {
			type Card struct {
				_    Key    `type:"card" pk:"CARD#<id>" sk:"CARD#<id>"`
				_    Index  `name:"by-owner" on:"GSI1" pk:"OWNER#<who>" sk:"CARD#<id>"`
				ID   string `dynamodbav:"id"`
				User string `dynamodbav:"who"`
			}
			return Card{}
		}(), func() any {
			type Badge struct {
				_    Key    `type:"badge" pk:"BADGE#<id>" sk:"BADGE#<id>"`
				_    Index  `name:"by-holder" on:"GSI1" pk:"OWNER#<who>" sk:"CARD#<id>"`
				ID   string `dynamodbav:"id"`
				User string `dynamodbav:"who"`
			}
			return Badge{}
		}())},
		{"on an index that neither declares", 1, definition{config: byStatus, types: typesOf(func() any {
			type Task struct {
				_      Key    `type:"task" pk:"TASK#<id>" sk:"TASK#<id>"`
				ID     string `dynamodbav:"id"`
				Status string `dynamodbav:"status"`
			}
			return Task{}
		}(), Invoice{})}},
		{"two types of one name", 1, with(Company{}, func() any {
			type Firm struct {
				_  Key    `type:"company" pk:"FIRM#<id>" sk:"FIRM#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Firm{}
		}())},
		{"a type defined twice", 1, with(Company{}, Company{})},
		{"two attributes for time to live", 1, with(func() any {
			type Session struct {
				_       Key       `type:"session" pk:"SESSION#<id>" sk:"SESSION#<id>"`
				ID      string    `dynamodbav:"id"`
				Expires time.Time `dynamodbav:"expires" entity:"ttl"`
			}
			return Session{}
		}(), func() any {
			type Token struct {
				_   Key    `type:"token" pk:"TOKEN#<id>" sk:"TOKEN#<id>"`
				ID  string `dynamodbav:"id"`
				End int64  `dynamodbav:"ttl" entity:"ttl"`
			}
			return Token{}
		}())},
	}
}
