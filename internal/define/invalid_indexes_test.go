package define_test

import (
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// shop is a table with every kind of index.
var shop = trestle.Config{Indexes: []trestle.IndexConfig{
	{Name: "GSI1"},
	{Name: "by-number", Partition: []core.Attribute{{Name: "shop"}}, Sort: []core.Attribute{{Name: "number", Type: keys.N}}},
	{Name: "many", Partition: []core.Attribute{{Name: "region"}, {Name: "city"}}, Sort: []core.Attribute{{Name: "floor", Type: keys.N}, {Name: "name"}}},
	{Name: "local", Kind: trestle.LocalIndex},
	{Name: "unsorted", NoSort: true},
}}

func inShop(values ...any) definition { return definition{config: shop, types: typesOf(values...)} }

func invalidIndexes() []invalidCase {
	return []invalidCase{
		{"a misspelled index", 1, inShop(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				_  Index  `name:"by-x" on:"GS1I" pk:"X#<id>" sk:"X#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"the same issue in two fields", 2, inShop(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				_  Index  `name:"by-x" on:"GSI1" pk:"X#<id>" sk:"X#<id>" shared:"no"`
				_  Index  `name:"by-x" on:"GSI1" pk:"X#<id>" sk:"X#<id>" shared:"no"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"an index that nothing is like", 1, inShop(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				_  Index  `name:"by-x" on:"Warehouses" pk:"X#<id>" sk:"X#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"a table without indexes", 1, definition{types: typesOf(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				_  Index  `name:"by-x" on:"GSI1" pk:"X#<id>" sk:"X#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())}},
		{"no name and no index", 2, inShop(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				_  Index  `pk:"X#<id>" sk:"X#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"no sk, and no field of that name", 1, inShop(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				_  Index  `name:"by-x" on:"GSI1" pk:"X#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"two patterns of one name", 1, inShop(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				_  Index  `name:"by-x" on:"GSI1" pk:"X#<id>" sk:"X#<id>"`
				_  Index  `name:"by-x" on:"unsorted" pk:"U#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"two patterns on one index", 1, inShop(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				_  Index  `name:"by-x" on:"GSI1" pk:"X#<id>" sk:"X#<id>"`
				_  Index  `name:"by-y" on:"GSI1" pk:"Y#<id>" sk:"Y#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"a sort key on an index without one", 1, inShop(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				_  Index  `name:"by-x" on:"unsorted" pk:"X#<id>" sk:"X#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"a partition key on a local index", 1, inShop(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				_  Index  `name:"by-x" on:"local" pk:"X#<id>" sk:"X#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"too few attributes", 1, inShop(func() any {
			type Place struct {
				_      Key    `type:"place" pk:"PLACE#<id>" sk:"PLACE#<id>"`
				_      Index  `name:"by-region" on:"many" pk:"<area>" sk:"<floor>,<name>"`
				ID     string `dynamodbav:"id"`
				Area   string `dynamodbav:"area"`
				Floor  int    `dynamodbav:"floor"`
				Name   string `dynamodbav:"name"`
				Region string `dynamodbav:"region"`
				City   string `dynamodbav:"city"`
			}
			return Place{}
		}())},
		{"text around a placeholder of several", 1, inShop(func() any {
			type Place struct {
				_     Key    `type:"place" pk:"PLACE#<id>" sk:"PLACE#<id>"`
				_     Index  `name:"by-region" on:"many" pk:"<area>, C#<town>" sk:"<floor>,<name>"`
				ID    string `dynamodbav:"id"`
				Area  string `dynamodbav:"area"`
				Town  string `dynamodbav:"town"`
				Floor int    `dynamodbav:"floor"`
				Name  string `dynamodbav:"name"`
			}
			return Place{}
		}())},
		{"attributes of several in another order", 1, inShop(func() any {
			type Place struct {
				_      Key    `type:"place" pk:"PLACE#<id>" sk:"PLACE#<id>"`
				_      Index  `name:"by-region" on:"many" pk:"<city>, <region>" sk:"<floor>,<name>"`
				ID     string `dynamodbav:"id"`
				Region string `dynamodbav:"region"`
				City   string `dynamodbav:"city"`
				Floor  int    `dynamodbav:"floor"`
				Name   string `dynamodbav:"name"`
			}
			return Place{}
		}())},
		{"another field in the place of one of several", 1, inShop(func() any {
			type Place struct {
				_      Key    `type:"place" pk:"PLACE#<id>" sk:"PLACE#<id>"`
				_      Index  `name:"by-region" on:"many" pk:"<area>,<city>" sk:"<floor>,<name>"`
				ID     string `dynamodbav:"id"`
				Area   string `dynamodbav:"area"`
				Region string `dynamodbav:"region"`
				City   string `dynamodbav:"city"`
				Floor  int    `dynamodbav:"floor"`
				Name   string `dynamodbav:"name"`
			}
			return Place{}
		}())},
		{"an issue in the second of several", 1, inShop(func() any {
			type Place struct {
				_     Key    `type:"place" pk:"PLACE#<id>" sk:"PLACE#<id>"`
				_     Index  `name:"by-region" on:"many" pk:"<area>, <tonw>" sk:"<floor>,<name>"`
				ID    string `dynamodbav:"id"`
				Area  string `dynamodbav:"area"`
				Town  string `dynamodbav:"town"`
				Floor int    `dynamodbav:"floor"`
				Name  string `dynamodbav:"name"`
			}
			return Place{}
		}())},
		{"the table's sort key written twice", 1, definition{
			config: trestle.Config{Indexes: []trestle.IndexConfig{{Name: "inverted", Partition: []core.Attribute{{Name: "SK"}}, Sort: []core.Attribute{{Name: "PK"}}}}},
			types: typesOf(func() any {
				type Order struct {
					_    Key    `type:"order" pk:"ORDER#<id>" sk:"CUST#<cust>"`
					_    Index  `name:"by-cust" on:"inverted" pk:"C#<cust>"`
					ID   string `dynamodbav:"id"`
					Cust string `dynamodbav:"cust"`
				}
				return Order{}
			}()),
		}},
		{"a text field that is a number attribute", 1, inShop(func() any {
			type Order struct {
				_      Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID     string `dynamodbav:"id"`
				Number string `dynamodbav:"number"`
			}
			return Order{}
		}())},
		{"a number field that is a text attribute", 1, inShop(func() any {
			type Order struct {
				_    Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID   string `dynamodbav:"id"`
				Shop int    `dynamodbav:"shop"`
			}
			return Order{}
		}())},
		{"a number stored as text that is a number attribute", 1, inShop(func() any {
			type Order struct {
				_      Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID     string `dynamodbav:"id"`
				Number int    `dynamodbav:"number,string"`
			}
			return Order{}
		}())},
		{"a list that is a key attribute", 1, inShop(func() any {
			type Order struct {
				_    Key      `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID   string   `dynamodbav:"id"`
				Shop []string `dynamodbav:"shop"`
			}
			return Order{}
		}())},
		{"a time that is a key attribute, without a format", 1, inShop(func() any {
			type Order struct {
				_    Key       `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID   string    `dynamodbav:"id"`
				Shop time.Time `dynamodbav:"shop"`
			}
			return Order{}
		}())},
		{"times that are the table's key, without a format", 2, definition{
			config: trestle.Config{Partition: attribute("at", ""), Sort: attribute("until", keys.N)},
			types: typesOf(func() any {
				type Span struct {
					_     Key       `type:"span"`
					At    time.Time `dynamodbav:"at"`
					Until time.Time `dynamodbav:"until"`
				}
				return Span{}
			}()),
		}},
		{"a Spec's index", 1, definition{config: shop, types: typesOf(Plain18{}), specs: specOf(Plain18{}, trestle.Spec{
			Type: "order", Key: trestle.KeySpec{PK: "CUST#<customer>", SK: "ORDER#<id>"},
			Indexes: []trestle.IndexSpec{{Name: "by-status", On: "GSI1", PK: "STATUS#<statsu>", SK: "ORDER#<id>"}},
		})}},
		{"a Spec beside tags", 1, definition{config: shop, types: typesOf(Company{}), specs: specOf(Company{}, trestle.Spec{
			Type: "company", Key: trestle.KeySpec{PK: "COM#<id>", SK: "COM#<id>"},
		})}},
	}
}
