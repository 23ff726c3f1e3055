package define_test

import (
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/keys"
)

func invalidTemplates() []invalidCase {
	return []invalidCase{
		{"unknown field", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"CUST#<custmer>" sk:"ORDER#<id>"`
				ID string `dynamodbav:"id"`
				C  string `dynamodbav:"customer"`
			}
			return Order{}
		}())},
		{"unknown field, nothing like it", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"CUST#<warehouse>" sk:"ORDER#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"Go name for attribute name", 1, with(func() any {
			type Order struct {
				_          Key    `type:"order" pk:"CUST#<CustomerID>" sk:"ORDER#<id>"`
				ID         string `dynamodbav:"id"`
				CustomerID string `dynamodbav:"customer"`
			}
			return Order{}
		}())},
		{"inside a nested struct", 1, with(func() any {
			type Order struct {
				_    Key     `type:"order" pk:"CITY#<ship.city>" sk:"ORDER#<id>"`
				ID   string  `dynamodbav:"id"`
				Ship Address `dynamodbav:"ship"`
			}
			return Order{}
		}())},
		{"not a keyable type", 1, with(func() any {
			type Order struct {
				_    Key      `type:"order" pk:"TAGS#<tags>" sk:"ORDER#<id>"`
				ID   string   `dynamodbav:"id"`
				Tags []string `dynamodbav:"tags"`
			}
			return Order{}
		}())},
		{"structs around a time", 2, with(func() any {
			type Stamp struct{ time.Time }
			type Order struct {
				_    Key    `type:"order" pk:"ORDER#<id>" sk:"AT#<at>"`
				_    Index  `name:"by-end" on:"GSI1" pk:"ORDER" sk:"END#<end:s>"`
				ID   string `dynamodbav:"id"`
				At   Stamp  `dynamodbav:"at"`
				End  *Stamp `dynamodbav:"end"`
				Held Stamp  `dynamodbav:"held"`
			}
			return Order{}
		}())},
		{"not closed", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id" sk:"ORDER#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"spaces and brackets that are too many", 4, with(func() any {
			type Order struct {
				_  Key       `type:"order" pk:"ORDER#<<id>>" sk:"AT#<at:s , desc>#< at : days >"`
				_  Index     `name:"by-id" on:"GSI1" pk:"<<idd>" sk:"END#<id>"`
				ID string    `dynamodbav:"id"`
				At time.Time `dynamodbav:"at"`
			}
			return Order{}
		}())},
		{"reserved characters", 2, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"$ORDER#<id>" sk:"ORDER>#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"no delimiter after a placeholder", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>-x" sk:"ORDER#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"empty template", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"" sk:"ORDER#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"the name shard", 1, with(func() any {
			type Order struct {
				_     Key    `type:"order" pk:"ORDER#<id>#<shard:item>" sk:"ORDER#<item>"`
				ID    string `dynamodbav:"id"`
				Item  string `dynamodbav:"item"`
				Shard string `dynamodbav:"shard"`
			}
			return Order{}
		}())},
		{"number and time without a format", 2, with(func() any {
			type Order struct {
				_        Key       `type:"order" pk:"YEAR#<year>" sk:"ORDER#<placed_at>"`
				Year     int       `dynamodbav:"year"`
				PlacedAt time.Time `dynamodbav:"placed_at"`
			}
			return Order{}
		}())},
		{"formats that do not fit", 3, with(func() any {
			type Order struct {
				_        Key       `type:"order" pk:"YEAR#<year:day>" sk:"ORDER#<placed_at:08>#<id:sortable>"`
				ID       string    `dynamodbav:"id"`
				Year     int       `dynamodbav:"year"`
				PlacedAt time.Time `dynamodbav:"placed_at"`
			}
			return Order{}
		}())},
		{"misspelled formats", 4, with(func() any {
			type Order struct {
				_        Key       `type:"order" pk:"ORDER#<id:lowr>#<year:6>" sk:"<placed_at:days,desc>#<placed_at:s,dsc>"`
				ID       string    `dynamodbav:"id"`
				Year     int       `dynamodbav:"year"`
				PlacedAt time.Time `dynamodbav:"placed_at"`
			}
			return Order{}
		}())},
		{"a format of the table for another kind", 1, definition{
			config: trestle.Config{Formats: map[string]keys.Format{"basic": layout("2006-01-02T150405")}},
			types: typesOf(func() any {
				type Order struct {
					_        Key       `type:"order" pk:"ORDER#<id:basic>" sk:"ORDER#<placed_at:basic>"`
					ID       string    `dynamodbav:"id"`
					PlacedAt time.Time `dynamodbav:"placed_at"`
				}
				return Order{}
			}()),
		}},
		{"several issues in one template", 3, with(func() any {
			type Order struct {
				_   Key    `type:"order" pk:"ORDER#<idd>#<num>$" sk:"ORDER#<id>"`
				ID  string `dynamodbav:"id"`
				Num int    `dynamodbav:"num"`
			}
			return Order{}
		}())},
		{"the version in a key", 1, with(func() any {
			type Order struct {
				_       Key    `type:"order" pk:"ORDER#<id>" sk:"V#<version:08>"`
				ID      string `dynamodbav:"id"`
				Version int64  `dynamodbav:"version" entity:"version"`
			}
			return Order{}
		}())},
		{"the moment of the last write in the table's key", 1, with(func() any {
			type Order struct {
				_       Key       `type:"order" pk:"ORDER#<id>" sk:"AT#<updated:ns>"`
				ID      string    `dynamodbav:"id"`
				Updated time.Time `dynamodbav:"updated" entity:"updated"`
			}
			return Order{}
		}())},
		{"text on a number attribute", 1, definition{
			config: trestle.Config{Sort: attribute("SK", keys.N)},
			types: typesOf(func() any {
				type Order struct {
					_  Key    `type:"order" pk:"ORDER#<id>" sk:"<id>"`
					ID string `dynamodbav:"id"`
				}
				return Order{}
			}()),
		}},
		{"literal text on a number attribute", 1, definition{
			config: trestle.Config{Sort: attribute("SK", keys.N)},
			types: typesOf(func() any {
				type Order struct {
					_   Key    `type:"order" pk:"ORDER#<id>" sk:"NUM#<num>"`
					ID  string `dynamodbav:"id"`
					Num int    `dynamodbav:"num"`
				}
				return Order{}
			}()),
		}},
		{"a number on a text attribute", 1, with(func() any {
			type Order struct {
				_   Key    `type:"order" pk:"ORDER#<id>" sk:"<num>"`
				ID  string `dynamodbav:"id"`
				Num int    `dynamodbav:"num"`
			}
			return Order{}
		}())},
		{"placeholders as they are written elsewhere", 8, with(func() any {
			type Order struct {
				_    Key    `type:"order" pk:"U#{id}" sk:"ORDER#${Customer}#{{.CUSTOMER}}#{o.id:08}"`
				_    Index  `name:"by-customer" on:"GSI1" pk:"C%s" sk:":id#$customer#<id>#%08d"`
				ID   string `dynamodbav:"id"`
				Cust string `dynamodbav:"customer"`
			}
			return Order{}
		}())},
		{"a placeholder of other braces, alone on a number attribute", 1, definition{
			config: trestle.Config{Sort: attribute("SK", keys.N)},
			types: typesOf(func() any {
				type Order struct {
					_   Key    `type:"order" pk:"ORDER#<id>" sk:"{num}"`
					ID  string `dynamodbav:"id"`
					Num int    `dynamodbav:"num"`
				}
				return Order{}
			}()),
		}},
		{"a key field in other braces", 1, with(func() any {
			type Order struct {
				_    Key    `type:"order" pk:"ORDER#<id>" sk:"KIND#{kind}"`
				ID   string `dynamodbav:"id"`
				Kind string `dynamodbav:"kind" entity:"key"`
			}
			return Order{}
		}())},
		{"a carriage of runes before the issue", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"BESTÄTIGUNG-ÜÖ#<idd>" sk:"ORDER#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
	}
}
