package define_test

import (
	"net/netip"
	"time"
)

// OneWay is a number with MarshalText and without UnmarshalText.
type OneWay int

func (OneWay) MarshalText() ([]byte, error) { return []byte("status"), nil }

// Types that have the methods of a type that they embed, of the pointers on nil.
type (
	Host   struct{ *netip.Addr }
	Opened struct{ *time.Time }
	Peer   struct {
		netip.Addr
		Port int
	}
)

func invalidFields() []invalidCase {
	return []invalidCase{
		{"a field over a rendered key attribute", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID string `dynamodbav:"id"`
				PK string
			}
			return Order{}
		}())},
		{"a field over the type attribute", 1, with(func() any {
			type Order struct {
				_    Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID   string `dynamodbav:"id"`
				Kind string `dynamodbav:"_type"`
			}
			return Order{}
		}())},
		{"a field over the write id", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID string `dynamodbav:"id"`
				W  string `dynamodbav:"_w,omitempty"`
			}
			return Order{}
		}())},
		{"tags on fields that are not exported", 1, with(func() any {
			type Order struct {
				_     Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID    string `dynamodbav:"id"`
				total int    `dynamodbav:"total" entity:"version"`
			}
			return Order{total: 1}
		}())},
		{"no field is exported", 2, with(func() any {
			type Order struct {
				_     Key `type:"order" pk:"ORDER#<ID>" sk:"ORDER#<number>"`
				id    string
				total int
			}
			return Order{id: "", total: 1}
		}())},
		{"a key made of the one field that is not exported", 1, with(func() any {
			type Order struct {
				_     Key `type:"order" pk:"ORDER#<id>" sk:"ORDER"`
				id    string
				Total int
			}
			return Order{id: "", Total: 1}
		}())},
		{"a type that encodes itself and does not decode", 2, with(func() any {
			type Order struct {
				_      Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER"`
				ID     string `dynamodbav:"id"`
				Status OneWay `dynamodbav:"status"`
				Past   []OneWay
			}
			return Order{}
		}())},
		{"types with the methods of a type that they embed", 3, with(func() any {
			type Order struct {
				_      Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER"`
				ID     string `dynamodbav:"id"`
				Host   Host   `dynamodbav:"host,omitempty"`
				Opened Opened `dynamodbav:"opened"`
				Peer   Peer   `dynamodbav:"peer"`
			}
			return Order{}
		}())},
		{"no field is stored", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER"`
				ID string `dynamodbav:"-"`
			}
			return Order{}
		}())},
		{"no field at all", 1, with(func() any {
			type Order struct {
				_ Key `type:"order" pk:"ORDER#<id>" sk:"ORDER"`
			}
			return Order{}
		}())},
		{"fields that their tag keeps from being stored", 2, with(func() any {
			type Order struct {
				_         Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				_         Index  `name:"by-customer" on:"GSI1" pk:"CUST#<customer_id>" sk:"ORDER#<id>"`
				ID        string `dynamodbav:"-"`
				Total     int    `dynamodbav:"total"`
				CustomerI struct {
					CustomerID string
				} `dynamodbav:"customer"`
				CustomerID string `dynamodbav:"-"`
			}
			return Order{}
		}())},
		{"one misspelled name in several templates", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<idd>" sk:"ORDER#<idd>"`
				_  Index  `name:"by-x" on:"GSI1" pk:"X#<idd>" sk:"<idd>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"a field of the wrong type in several templates", 1, with(func() any {
			type Order struct {
				_  Key      `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				_  Index    `name:"by-x" on:"GSI1" pk:"X#<id>" sk:"<id>"`
				ID []string `dynamodbav:"id" entity:"key"`
			}
			return Order{}
		}())},
		{"a name that templates use, in a misspelled tag", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				_  Index  `name:"by-x" on:"GSI1" pk:"X#<id>" sk:"<id>"`
				ID string `dynamobdav:"id"`
			}
			return Order{}
		}())},
		{"a name that templates use, on a field that is not exported", 1, with(func() any {
			type Order struct {
				_     Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				id    string `dynamodbav:"id"`
				Total int    `dynamodbav:"total"`
			}
			return Order{id: ""}
		}())},
		{"a name that templates use, of two fields", 1, with(func() any {
			type Order struct {
				_      Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID     string `dynamodbav:"id"`
				Number string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"a misspelled name of a field that is in keys only", 1, with(func() any {
			type Order struct {
				_    Key    `type:"order" pk:"ORDER#<id>" sk:"<kind>"`
				ID   string `dynamodbav:"id"`
				Kind string `dynamodbav:"knd" entity:"key"`
			}
			return Order{}
		}())},
		{"two fields of one attribute", 1, with(func() any {
			type Order struct {
				_     Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID    string `dynamodbav:"id"`
				Title string `dynamodbav:"name"`
				Name  string `dynamodbav:"name"`
			}
			return Order{}
		}())},
		{"everything at once, in source order", 6, with(func() any {
			type Order struct {
				_       Key      `type:"order" pk:"CUST#<customr>" sk:"ORDER#<year>#<id>"`
				_       Index    `name:"by-status" on:"GSI2" pk:"STATUS#<id>" sk:"<id>"`
				ID      string   `dynamodbav:"id"`
				Cust    string   `dynamodbav:"customer"`
				Year    int      `dynamodbav:"year"`
				Notes   string   `dynamodbav:"notes,omitemty"`
				Owner   string   `dynamodbav:"owner" entity:"unique"`
				Version string   `dynamodbav:"version" entity:"version"`
				Tags    []string `dynamodbav:"_type"`
			}
			return Order{}
		}())},
	}
}
