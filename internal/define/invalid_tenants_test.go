package define_test

import (
	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// tenantTable is a table with an index by templates, an inverted one, and one by attributes.
func tenantTable() trestle.Config {
	return trestle.Config{Indexes: []trestle.IndexConfig{
		{Name: "GSI1"},
		{Name: "inverted", Partition: []core.Attribute{attribute("SK", keys.S)}, Sort: []core.Attribute{attribute("PK", keys.S)}},
		{Name: "by-owner", Partition: []core.Attribute{attribute("owner", keys.S), attribute("album", keys.S)}, NoSort: true},
	}}
}

func invalidTenants() []invalidCase {
	type Photo struct {
		_      Key    `type:"photo" pk:"TENANT#<tenant>" sk:"TENANT#<tenant>#PHOTO#<id>"`
		_      Index  `name:"by-album" on:"GSI1" pk:"T#<tenant>#<name>" sk:"<id>"`
		Tenant string `dynamodbav:"tenant" entity:"tenant"`
		ID     string `dynamodbav:"id"`
		Name   string `dynamodbav:"name"`
	}
	type Album struct {
		_      Key    `type:"album" pk:"TENANT#<tenant>" sk:"TENANT#<tenant>#ALBUM#<id>"`
		Tenant string `dynamodbav:"tenant" entity:"tenant"`
		ID     string `dynamodbav:"id"`
		Photos int    `dynamodbav:"photos"`
	}
	return []invalidCase{
		{"a tenant of another type", 1, with(func() any {
			type Order struct {
				_      Key    `type:"order" pk:"TENANT#<tenant:08>" sk:"ORDER#<id>"`
				Tenant int    `dynamodbav:"tenant" entity:"tenant"`
				ID     string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"two tenants", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"TENANT#<a>" sk:"ORDER#<id>"`
				A  string `dynamodbav:"a" entity:"tenant"`
				B  string `dynamodbav:"b" entity:"tenant"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"partition keys that do not start with the tenant", 5, definition{config: tenantTable(), types: typesOf(func() any {
			type Order struct {
				_      Key    `type:"order" pk:"ORDER#<id>" sk:"TENANT#<tenant:lower>"`
				_      Index  `name:"by-name" on:"GSI1" pk:"<name>" sk:"<id>"`
				Tenant string `dynamodbav:"tenant" entity:"tenant"`
				ID     string `dynamodbav:"id"`
				Name   string `dynamodbav:"name"`
				Owner  string `dynamodbav:"owner"`
				Album  string `dynamodbav:"album"`
			}
			return Order{}
		}(), func() any {
			type Item struct {
				_      Key    `type:"item" pk:"ITEM#<id>#<tenant>" sk:"TENANT#<tenant>"`
				Tenant string `dynamodbav:"tenant" entity:"tenant"`
				ID     string `dynamodbav:"id"`
			}
			return Item{}
		}())}},
		{"a partition key without the tenant, beside a type with it", 1, definition{types: typesOf(func() any {
			type Member struct {
				_    Key    `type:"member" pk:"TEAM#<team>" sk:"MEMBER#<id>"`
				Team string `dynamodbav:"team" entity:"tenant"`
				ID   string `dynamodbav:"id"`
			}
			return Member{}
		}(), func() any {
			type Order struct {
				_    Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER"`
				Team string `dynamodbav:"team" entity:"tenant"`
				ID   string `dynamodbav:"id"`
			}
			return Order{}
		}())}},
		{"types that start with the tenant in different forms", 3, definition{config: tenantTable(), types: typesOf(Photo{}, func() any {
			type Order struct {
				_     Key    `type:"order" pk:"CUSTOMER#<tenant>#<id>" sk:"TENANT#<tenant>#ORDER#<id>"`
				_     Index  `name:"orders" on:"GSI1" pk:"<tenant>" sk:"<id>"`
				Owner string `dynamodbav:"tenant" entity:"tenant"`
				ID    string `dynamodbav:"id"`
			}
			return Order{}
		}())}},
		{"types without a tenant among the tenants", 4, definition{config: tenantTable(), types: typesOf(Photo{}, func() any {
			type Tenant struct {
				_  Key    `type:"tenant" pk:"TENANT#<id>" sk:"SETTINGS"`
				_  Index  `name:"all" on:"GSI1" pk:"TENANTS" sk:"<id>"`
				ID string `dynamodbav:"id"`
			}
			return Tenant{}
		}(), func() any {
			type Order struct {
				_    Key    `type:"order" pk:"ORDER#<id>" sk:"TENANT#<id>#<kind>"`
				_    Index  `name:"by-kind" on:"GSI1" pk:"<kind>" sk:"<id>"`
				ID   string `dynamodbav:"id"`
				Kind string `dynamodbav:"kind"`
			}
			return Order{}
		}())}},
		{"types that are not on the tenant index as a whole", 3, definition{config: trestle.Config{TenantIndex: "GSI1", Indexes: []trestle.IndexConfig{{Name: "GSI1"}}}, types: typesOf(Album{}, Photo{}, func() any {
			type Order struct {
				_      Key    `type:"order" pk:"TENANT#<tenant>#<id>" sk:"ORDER"`
				_      Index  `name:"orders" on:"GSI1" pk:"T#<tenant>" sk:"ORDER#<note>"`
				Tenant string `dynamodbav:"tenant" entity:"tenant"`
				ID     string `dynamodbav:"id"`
				Note   string `dynamodbav:"note,omitempty"`
			}
			return Order{}
		}())}},
		{"a type whose tenant is not an attribute of the tenant index", 1, definition{config: trestle.Config{
			TenantIndex: "tenants", Indexes: []trestle.IndexConfig{{Name: "tenants", Partition: []core.Attribute{attribute("tenant", keys.S)}, NoSort: true}},
		}, types: typesOf(Album{}, func() any {
			type Order struct {
				_      Key    `type:"order" pk:"TENANT#<owner>#<id>" sk:"ORDER"`
				Tenant string `dynamodbav:"owner" entity:"tenant"`
				ID     string `dynamodbav:"id"`
			}
			return Order{}
		}())}},
		{"a tenant index without a tenant", 1, definition{config: trestle.Config{TenantIndex: "GSI1", Indexes: []trestle.IndexConfig{{Name: "GSI1"}}}, types: typesOf(func() any {
			type Item struct {
				_  Key    `type:"item" pk:"ITEM#<id>" sk:"ITEM"`
				ID string `dynamodbav:"id"`
			}
			return Item{}
		}())}},
		{"counts in the item of another tenant", 3, with(Album{}, func() any {
			type Copy struct {
				_      Key     `type:"copy" pk:"TENANT#<tenant>" sk:"COPY#<id>"`
				_      Counted `in:"album" as:"photos" pk:"TENANT#<from>" sk:"TENANT#<from>#ALBUM#<album>"`
				Tenant string  `dynamodbav:"tenant" entity:"tenant"`
				ID     string  `dynamodbav:"id"`
				From   string  `dynamodbav:"from"`
				Album  string  `dynamodbav:"album"`
			}
			return Copy{}
		}(), func() any {
			type Global struct {
				_     Key     `type:"global" pk:"GLOBAL" sk:"GLOBAL#<id>"`
				_     Counted `in:"album" as:"photos" pk:"TENANT#<from>" sk:"TENANT#<from>#ALBUM#<album>"`
				ID    string  `dynamodbav:"id"`
				From  string  `dynamodbav:"from"`
				Album string  `dynamodbav:"album"`
			}
			return Global{}
		}(), func() any {
			type Total struct {
				_     Key    `type:"total" pk:"TOTAL" sk:"<id>"`
				ID    string `dynamodbav:"id"`
				Marks int    `dynamodbav:"marks"`
			}
			return Total{}
		}(), func() any {
			type Mark struct {
				_      Key     `type:"mark" pk:"TENANT#<tenant>" sk:"MARK#<id>"`
				_      Counted `in:"total" as:"marks" pk:"TOTAL" sk:"<id>"`
				Tenant string  `dynamodbav:"tenant" entity:"tenant"`
				ID     string  `dynamodbav:"id"`
			}
			return Mark{}
		}())},
	}
}
