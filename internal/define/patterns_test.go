package define_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// TestPlans compiles tables with common key designs and tables of new services.
func TestPlans(t *testing.T) {
	t.Parallel()
	var g golden
	for _, c := range []struct {
		name string
		of   definition
	}{
		{"company", with(Company{}, Employee{})},
		{"company by name, in the company's partition", filterName()},
		{"device states, dates in the table's key", devicesByDate()},
		{"device states, states and dates in the table's key", devices()},
		{"device states with typed times", typedDevices()},
		{"online shop", onlineShop()},
		{"tournament", tournament()},
		{"user profile and cart", profile()},
		{"wish lists", wishLists()},
		{"grid of projects and issues", grid()},
		{"attribute values, by text and by number", values()},
		{"several attributes on each side", several()},
		{"inverted index", inverted()},
		{"local index", localIndex()},
		{"every role", everyRole()},
		{"a Spec", specified()},
	} {
		s, issues := c.of.compile()
		if len(issues) > 0 {
			t.Errorf("%s:\n%s", c.name, textOf(issues))
		}
		g.add(c.name, describe(s))
	}
	g.check(t, "plans.txt")
}

// existingTable configures an existing table: raw mode, without attributes of the library.
func existingTable(c trestle.Config) trestle.Config {
	c.TypeAttribute, c.WriteID, c.Raw = trestle.None, trestle.None, true
	return c
}

func named(name string) core.Attribute { return core.Attribute{Name: name} }

func filterName() definition {
	type Company struct {
		_    Key    `type:"company" pk:"COM#<id>" sk:"#METADATA#<id>"`
		_    Index  `name:"by-filter" on:"filterName" sk:"ORG#<name>"`
		ID   string `dynamodbav:"id"`
		Name string `dynamodbav:"name"`
	}
	type Project struct {
		_       Key    `type:"project" pk:"COM#<company>" sk:"PRO#<id>"`
		_       Index  `name:"by-filter" on:"filterName" sk:"PRO#<name>"`
		Company string `dynamodbav:"company"`
		ID      string `dynamodbav:"id"`
		Name    string `dynamodbav:"name"`
	}
	return definition{
		config: trestle.Config{Indexes: []trestle.IndexConfig{{Name: "filterName", Partition: []core.Attribute{named("PK")}, Sort: []core.Attribute{named("filterName")}}}},
		types:  typesOf(Company{}, Project{}),
	}
}

// deviceIndexes use existing attributes as keys.
var deviceIndexes = []trestle.IndexConfig{
	{Name: "GSI1", Partition: []core.Attribute{named("Operator")}, Sort: []core.Attribute{named("Date")}},
	{Name: "GSI2", Partition: []core.Attribute{named("EscalatedTo")}, Sort: []core.Attribute{named("State#Date")}},
}

func devicesByDate() definition {
	type State struct {
		_        Key `type:"state"`
		DeviceID string
		Date     string
		State    string
		Operator string
	}
	return definition{config: existingTable(trestle.Config{Partition: named("DeviceID"), Sort: named("Date")}), types: typesOf(State{})}
}

// DeviceState is one logged state of a device.
type DeviceState struct {
	_           Key   `sk:"<State>#<Date>"`
	_           Index `name:"by-operator" on:"GSI1"`
	_           Index `name:"escalated" on:"GSI2"`
	DeviceID    string
	Operator    string
	Date        string
	State       string
	EscalatedTo string
}

func devices() definition {
	return definition{
		config: existingTable(trestle.Config{Partition: named("DeviceID"), Sort: named("State#Date"), Indexes: deviceIndexes}),
		types:  typesOf(DeviceState{}),
	}
}

func typedDevices() definition {
	type State struct {
		_           Key   `sk:"<State>#<Date:iso>"`
		_           Index `name:"by-operator" on:"GSI1" sk:"<Date:iso>"`
		_           Index `name:"escalated" on:"GSI2"`
		DeviceID    string
		Operator    string
		Date        time.Time
		State       string
		EscalatedTo *string
	}
	config := existingTable(trestle.Config{Partition: named("DeviceID"), Sort: named("State#Date"), Indexes: deviceIndexes})
	config.Formats = map[string]keys.Format{"iso": layout("2006-01-02T15:04:05")}
	return definition{config: config, types: typesOf(State{})}
}

// The entity types of an online shop.
type (
	ShopCustomer struct {
		_     Key    `type:"customer" pk:"c#<id>" sk:"c#<id>"`
		ID    string `dynamodbav:"id" entity:"key"`
		Email string
		Name  string
	}
	ShopProduct struct {
		_      Key    `type:"product" pk:"p#<id>" sk:"p#<id>"`
		ID     string `dynamodbav:"id" entity:"key"`
		Detail map[string]string
		Price  string
	}
	ShopWarehouse struct {
		_       Key    `type:"warehouse" pk:"w#<id>" sk:"w#<id>"`
		ID      string `dynamodbav:"id" entity:"key"`
		Address map[string]string
	}
	ShopStock struct {
		_         Key    `type:"warehouseItem" pk:"p#<product>" sk:"w#<warehouse>"`
		_         Index  `name:"by-warehouse" on:"GSI2" pk:"w#<warehouse>" sk:"p#<product>"`
		Product   string `dynamodbav:"product" entity:"key"`
		Warehouse string `dynamodbav:"warehouse" entity:"key"`
		Quantity  string
	}
	ShopOrder struct {
		_        Key    `type:"order" pk:"o#<id>" sk:"c#<customer>"`
		ID       string `dynamodbav:"id" entity:"key"`
		Customer string `dynamodbav:"customer" entity:"key"`
		Date     string
	}
	ShopOrderItem struct {
		_        Key    `type:"orderItem" pk:"o#<order>" sk:"p#<product>"`
		_        Index  `name:"by-product" on:"GSI1" pk:"p#<product>" sk:"<date>"`
		_        Index  `name:"by-customer" on:"GSI2" pk:"c#<customer>" sk:"p#<date>"`
		Order    string `dynamodbav:"order" entity:"key"`
		Product  string `dynamodbav:"product" entity:"key"`
		Customer string `dynamodbav:"customer" entity:"key"`
		Date     string `dynamodbav:"date" entity:"key"`
		Quantity string
		Price    string
	}
	ShopInvoice struct {
		_        Key    `type:"invoice" pk:"o#<order>" sk:"i#<id>"`
		_        Index  `name:"by-id" on:"GSI1" pk:"i#<id>" sk:"i#<id>"`
		_        Index  `name:"by-customer" on:"GSI2" pk:"c#<customer>" sk:"i#<Date>"`
		Order    string `dynamodbav:"order" entity:"key"`
		ID       string `dynamodbav:"id" entity:"key"`
		Customer string `dynamodbav:"customer" entity:"key"`
		Date     string
		Amount   string
	}
	ShopShipment struct {
		_         Key    `type:"shipment" pk:"o#<order>" sk:"sh#<id>"`
		_         Index  `name:"by-id" on:"GSI1" pk:"sh#<id>" sk:"sh#<id>"`
		_         Index  `name:"by-warehouse" on:"GSI2" pk:"w#<warehouse>" sk:"sh#<id>"`
		Order     string `dynamodbav:"order" entity:"key"`
		ID        string `dynamodbav:"id" entity:"key"`
		Warehouse string `dynamodbav:"warehouse" entity:"key"`
		Type      string
		Date      string
	}
	ShopShipmentItem struct {
		_        Key    `type:"shipmentItem" pk:"o#<order>" sk:"shp#<id>"`
		_        Index  `name:"by-shipment" on:"GSI1" pk:"sh#<shipment>" sk:"p#<product>"`
		Order    string `dynamodbav:"order" entity:"key"`
		ID       string `dynamodbav:"id" entity:"key"`
		Shipment string `dynamodbav:"shipment" entity:"key"`
		Product  string `dynamodbav:"product" entity:"key"`
		Quantity string
	}
)

func onlineShop() definition {
	gsi := func(name string) trestle.IndexConfig {
		return trestle.IndexConfig{Name: name, Partition: []core.Attribute{named(name + "-PK")}, Sort: []core.Attribute{named(name + "-SK")}}
	}
	config := existingTable(trestle.Config{Indexes: []trestle.IndexConfig{gsi("GSI1"), gsi("GSI2")}})
	config.TypeAttribute = "EntityType"
	return definition{config: config, types: typesOf(
		ShopCustomer{}, ShopProduct{}, ShopWarehouse{}, ShopStock{}, ShopOrder{}, ShopOrderItem{}, ShopInvoice{}, ShopShipment{}, ShopShipmentItem{},
	)}
}

// The entity types of a tournament, in one item collection.
type (
	Match struct {
		_          Key    `pk:"<tournament>" sk:"match-<id>"`
		Tournament string `dynamodbav:"tournament" entity:"key"`
		ID         string `dynamodbav:"id" entity:"key"`
	}
	Player struct {
		_          Key    `pk:"<tournament>" sk:"player-<id>"`
		Tournament string `dynamodbav:"tournament" entity:"key"`
		ID         string `dynamodbav:"id" entity:"key"`
	}
	Team struct {
		_          Key    `pk:"<partitionKey>" sk:"team-<id>"`
		Tournament string `dynamodbav:"partitionKey"`
		ID         string `dynamodbav:"id" entity:"key"`
	}
	Details struct {
		_          Key    `sk:"tournament-details"`
		Tournament string `dynamodbav:"partitionKey"`
		Location   string `dynamodbav:"location"`
		Prize      string `dynamodbav:"prize"`
	}
)

func tournament() definition {
	config := existingTable(trestle.Config{Partition: named("partitionKey"), Sort: named("sortKey"), Delimiter: "-"})
	return definition{config: config, types: typesOf(Match{}, Player{}, Team{}, Details{})}
}

// The parts of a user's profile, one item each.
type (
	ProfileAddress struct {
		_       Key    `pk:"<user>" sk:"Address#<country>#<state>#<city>#<zip>"`
		_       Index  `name:"by-status" on:"GSI" sk:"<status>" shared:"yes"`
		User    string `dynamodbav:"user" entity:"key"`
		Country string `dynamodbav:"country" entity:"key"`
		State   string `dynamodbav:"state" entity:"key"`
		City    string `dynamodbav:"city" entity:"key"`
		Zip     string `dynamodbav:"zip" entity:"key"`
		Status  string `dynamodbav:"status" entity:"key"`
		Data    string `dynamodbav:"data"`
	}
	CartItem struct {
		_       Key       `pk:"<user>" sk:"Cart#<state>#<product>"`
		_       Index     `name:"by-date" on:"GSI" sk:"<added:basic>" shared:"yes"`
		User    string    `dynamodbav:"user" entity:"key"`
		State   string    `dynamodbav:"state" entity:"key"`
		Product string    `dynamodbav:"product" entity:"key"`
		Added   time.Time `dynamodbav:"added,omitempty"`
		Data    string    `dynamodbav:"data,omitempty"`
	}
	ProfileOrder struct {
		_    Key    `pk:"<user>" sk:"OrderHistory#<id>"`
		User string `dynamodbav:"user" entity:"key"`
		ID   string `dynamodbav:"id" entity:"key"`
	}
	ProfileName struct {
		_    Key    `pk:"<user>" sk:"ProfileName"`
		User string `dynamodbav:"user" entity:"key"`
		Data string `dynamodbav:"data"`
	}
	ProfileStore struct {
		_    Key    `pk:"<user>" sk:"Store#<id>"`
		User string `dynamodbav:"user" entity:"key"`
		ID   string `dynamodbav:"id" entity:"key"`
	}
)

func profile() definition {
	config := existingTable(trestle.Config{Indexes: []trestle.IndexConfig{{Name: "GSI", Partition: []core.Attribute{named("PK")}, Sort: []core.Attribute{named("GSI-SK")}}}})
	config.Formats = map[string]keys.Format{"basic": layout("2006-01-02T150405")}
	return definition{config: config, types: typesOf(ProfileAddress{}, CartItem{}, ProfileOrder{}, ProfileName{}, ProfileStore{})}
}

func wishLists() definition {
	type Address struct {
		_    Key    `type:"address" sk:"U#Address#<kind>"`
		PK   string `dynamodbav:"PK"`
		Kind string `dynamodbav:"kind" entity:"key"`
	}
	type Information struct {
		_  Key    `type:"information" sk:"U#Information"`
		PK string `dynamodbav:"PK"`
	}
	type WishList struct {
		_          Key    `type:"wishList" sk:"M#WishList#<visibility>#<at>"`
		PK         string `dynamodbav:"PK"`
		Visibility string `dynamodbav:"visibility" entity:"key"`
		At         string `dynamodbav:"at" entity:"key"`
	}
	type Preference struct {
		_    Key    `type:"preference" sk:"P#<name>"`
		PK   string `dynamodbav:"PK"`
		Name string `dynamodbav:"name" entity:"key"`
	}
	return definition{config: existingTable(trestle.Config{}), types: typesOf(Address{}, Information{}, WishList{}, Preference{})}
}

// The entity types of a grid view.
type (
	GridTenant struct {
		_    Key    `pk:"tenant-<id>" sk:"*"`
		ID   string `dynamodbav:"id" entity:"key"`
		Name string
	}
	GridProject struct {
		_      Key    `pk:"project-<id>" sk:"tenant-<tenant>"`
		_      Index  `name:"by-name" on:"related"`
		ID     string `dynamodbav:"id" entity:"key"`
		Tenant string `dynamodbav:"tenant" entity:"key"`
		Name   string `dynamodbav:"Sort String"`
	}
	GridField struct {
		_       Key    `pk:"project-<project>" sk:"xattrib-<id>"`
		Project string `dynamodbav:"project" entity:"key"`
		ID      string `dynamodbav:"id" entity:"key"`
		Name    string
		Num     int
		Type    string
	}
	GridIssue struct {
		_       Key    `pk:"issue-<id>" sk:"project-<project>"`
		_       Index  `name:"by-number" on:"related" sk:"<num:06>"`
		ID      string `dynamodbav:"id" entity:"key"`
		Project string `dynamodbav:"project" entity:"key"`
		Num     int    `dynamodbav:"num" entity:"key"`
		Name    string
		State   string
	}
	GridValue struct {
		_     Key    `pk:"issue-<issue>" sk:"xvalue-<field>"`
		_     Index  `name:"by-value" on:"related" sk:"<value>#<num:06>"`
		Issue string `dynamodbav:"issue" entity:"key"`
		Field string `dynamodbav:"field" entity:"key"`
		Value string `dynamodbav:"value" entity:"key"`
		Num   int    `dynamodbav:"num" entity:"key"`
	}
)

func grid() definition {
	config := existingTable(trestle.Config{Partition: named("Entity Id"), Sort: named("Related Id"), Indexes: []trestle.IndexConfig{
		{Name: "related", Partition: []core.Attribute{named("Related Id")}, Sort: []core.Attribute{named("Sort String")}},
	}})
	return definition{config: config, types: typesOf(GridTenant{}, GridProject{}, GridField{}, GridIssue{}, GridValue{})}
}

func values() definition {
	type Value struct {
		_      Key      `type:"value"`
		_      Index    `name:"by-text" on:"by-text"`
		_      Index    `name:"by-number" on:"by-number"`
		Issue  string   `dynamodbav:"Issue Id"`
		Def    string   `dynamodbav:"Attribute Definition Id"`
		Text   string   `dynamodbav:"String"`
		Number *float64 `dynamodbav:"Number"`
	}
	def := []core.Attribute{named("Attribute Definition Id")}
	return definition{config: existingTable(trestle.Config{
		Partition: named("Issue Id"), Sort: def[0],
		Indexes: []trestle.IndexConfig{
			{Name: "by-text", Partition: def, Sort: []core.Attribute{named("String")}},
			{Name: "by-number", Partition: def, Sort: []core.Attribute{{Name: "Number", Type: keys.N}}},
		},
	}), types: typesOf(Value{})}
}

func several() definition {
	type Place struct {
		_      Key    `type:"place" pk:"PLACE#<id>" sk:"PLACE#<id>"`
		_      Index  `name:"by-region" on:"many" pk:"<area>, <city>" sk:"<floor>,<title>"`
		ID     string `dynamodbav:"id"`
		Area   string `dynamodbav:"area"`
		City   string `dynamodbav:"city"`
		Floor  int    `dynamodbav:"floor"`
		Title  string `dynamodbav:"title"`
		Number int    `dynamodbav:"number"` // only half of an index key: items are not on it
	}
	return definition{config: shop, types: typesOf(Place{})}
}

func inverted() definition {
	type Actor struct {
		_     Key    `type:"role" pk:"ACTOR#<actor>" sk:"MOVIE#<movie>"`
		_     Index  `name:"by-movie" on:"inverted"`
		Actor string `dynamodbav:"actor"`
		Movie string `dynamodbav:"movie"`
	}
	type Person struct {
		_    Key    `type:"person" pk:"ACTOR#<name>" sk:"ACTOR#<name>"`
		Name string `dynamodbav:"name"`
	}
	return definition{
		config: trestle.Config{Indexes: []trestle.IndexConfig{{Name: "inverted", Partition: []core.Attribute{named("SK")}, Sort: []core.Attribute{named("PK")}}}},
		types:  typesOf(Actor{}, Person{}),
	}
}

func localIndex() definition {
	type Song struct {
		_      Key    `type:"song" pk:"ARTIST#<artist>" sk:"SONG#<title>"`
		_      Index  `name:"by-year" on:"local" sk:"YEAR#<year:04>#<title>"`
		Artist string `dynamodbav:"artist"`
		Title  string `dynamodbav:"title"`
		Year   int    `dynamodbav:"year"`
	}
	return definition{config: shop, types: typesOf(Song{})}
}

// Base is for embedding.
type Base struct {
	Version int64      `dynamodbav:"version" entity:"version"`
	Created time.Time  `dynamodbav:"created" entity:"created"`
	Updated *time.Time `dynamodbav:"updated" entity:"updated"`
}

func everyRole() definition {
	type Session struct {
		_ Key `type:"session" pk:"SESSION#<id>" sk:"SESSION#<id>"`
		Base
		ID      string                          `dynamodbav:"id" entity:"key"`
		Expires time.Time                       `dynamodbav:"expires" entity:"ttl"`
		Rest    map[string]types.AttributeValue `entity:"rest"`
	}
	return with(Session{})
}

func specified() definition {
	return definition{config: twoIndexes, types: typesOf(Plain18{}), specs: specOf(Plain18{}, trestle.Spec{
		Type: "order", Key: trestle.KeySpec{PK: "CUST#<customer>", SK: "ORDER#<id>"},
		Indexes: []trestle.IndexSpec{{Name: "by-status", On: "GSI1", PK: "STATUS#<status>", SK: "<placed_at:s>"}},
		Roles:   map[string]string{"placed_at": "created"},
	})}
}
