package define_test

import (
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// partly returns a type with the fields at and kind in keys only. GSI1 keeps both completely. The
// key of GSI2 has the given templates.
func partly(whole, pk, sk string) definition {
	type Hire struct {
		ID   string    `dynamodbav:"id"`
		City string    `dynamodbav:"city"`
		At   time.Time `dynamodbav:"at" entity:"key"`
		Kind string    `dynamodbav:"kind" entity:"key"`
	}
	return definition{
		config: trestle.Config{Indexes: []trestle.IndexConfig{{Name: "GSI1"}, {Name: "GSI2"}}},
		types:  typesOf(Hire{}),
		specs: specOf(Hire{}, trestle.Spec{
			Type: "hire", Key: trestle.KeySpec{PK: "HIRE#<id>", SK: "HIRE"},
			Indexes: []trestle.IndexSpec{{Name: "by-hire", On: "GSI1", PK: "KIND#<kind>", SK: whole}, {Name: "by-day", On: "GSI2", PK: pk, SK: sk}},
		}),
	}
}

// expiring returns a type with a time to live.
func expiring(config trestle.Config, spec trestle.Spec) definition {
	type Pass struct {
		ID      string    `dynamodbav:"id"`
		Expires time.Time `dynamodbav:"expires"`
	}
	spec.Type, spec.Roles = "pass", map[string]string{"expires": "ttl"}
	return definition{config: config, types: typesOf(Pass{}), specs: specOf(Pass{}, spec)}
}

func invalidRoles() []invalidCase {
	return []invalidCase{
		{"unique values", 11, with(func() any {
			type Order struct {
				_       Key       `type:"order" pk:"ORDER#<id>" sk:"ORDER#<shop>"`
				_       Index     `name:"by-seat" on:"GSI1" pk:"SEAT#<seat>" sk:"<id>"`
				_       Unique    `name:"mail" key:"<emial:lower>"`
				_       Unique    `name:"x"`
				_       Unique    `name:"empty" key:""`
				_       Unique    `name:"number" key:"<total>"`
				_       Unique    `name:"constant" key:"one"`
				_       Unique    `name:"time" key:"<updated:s>"`
				_       Unique    `name:"version" key:"<version:raw>"`
				_       Unique    `name:"misspelled" keys:"<email>"`
				_       Unique    `key:"<email>"`
				_       Unique    `name:"lost" key:"<shop>#<seat>"`
				ID      string    `dynamodbav:"id"`
				Shop    string    `dynamodbav:"shop" entity:"key"`
				Seat    string    `dynamodbav:"seat" entity:"key"`
				Email   string    `dynamodbav:"email" entity:"unique"`
				Total   int       `dynamodbav:"total"`
				Tags    []string  `dynamodbav:"tags" entity:"unique"`
				Updated time.Time `dynamodbav:"updated" entity:"updated"`
				Version int64     `dynamodbav:"version" entity:"version"`
			}
			return Order{}
		}())},
		{"lifetimes", 6, with(func() any {
			type Pass0 struct {
				_       Key       `type:"pass0" pk:"PASS0#<id>" sk:"PASS" lifetime:"soon"`
				ID      string    `dynamodbav:"id"`
				Expires time.Time `dynamodbav:"expires" entity:"ttl"`
			}
			return Pass0{}
		}(), func() any {
			type Pass1 struct {
				_       Key       `type:"pass1" pk:"PASS1#<id>" sk:"PASS" lifetime:"0s"`
				ID      string    `dynamodbav:"id"`
				Expires time.Time `dynamodbav:"expires" entity:"ttl"`
			}
			return Pass1{}
		}(), func() any {
			type Pass2 struct {
				_       Key       `type:"pass2" pk:"PASS2#<id>" sk:"PASS" lifetime:"-1h"`
				ID      string    `dynamodbav:"id"`
				Expires time.Time `dynamodbav:"expires" entity:"ttl"`
			}
			return Pass2{}
		}(), func() any {
			type Pass3 struct {
				_       Key       `type:"pass3" pk:"PASS3#<id>" sk:"PASS" lifetime:"1h0.5s"`
				ID      string    `dynamodbav:"id"`
				Expires time.Time `dynamodbav:"expires" entity:"ttl"`
			}
			return Pass3{}
		}(), func() any {
			type Pass4 struct {
				_       Key       `type:"pass4" pk:"PASS4#<id>" sk:"PASS" lifetime:"876001h"`
				ID      string    `dynamodbav:"id"`
				Expires time.Time `dynamodbav:"expires" entity:"ttl"`
			}
			return Pass4{}
		}(), func() any {
			type Pass5 struct {
				_       Key       `type:"pass5" pk:"PASS5#<id>" sk:"PASS" lifetime:"720h"`
				ID      string    `dynamodbav:"id"`
				Expires time.Time `dynamodbav:"expires"`
			}
			return Pass5{}
		}())},
		{"counts", 10, with(func() any {
			type Post struct {
				_     Key    `type:"post" pk:"POST#<id>" sk:"POST"`
				_     Index  `name:"top" on:"GSI1" pk:"TOP" sk:"<hits:08>#<id>"`
				ID    string `dynamodbav:"id"`
				Stars int    `dynamodbav:"stars"`
				Hits  int    `dynamodbav:"hits"`
				Title string `dynamodbav:"title"`
			}
			return Post{}
		}(), func() any {
			type Star struct {
				_    Key     `type:"star" pk:"POST#<post>" sk:"STAR#<id>"`
				_    Counted `in:"psot" as:"stars" pk:"POST#<post>" sk:"POST"`
				_    Counted `in:"post" as:"strs" pk:"POST#<post>" sk:"POST"`
				_    Counted `in:"post" as:"title" pk:"POST#<post>" sk:"POST"`
				_    Counted `in:"post" as:"hits" pk:"POST#<post>" sk:"POST"`
				_    Counted `in:"post" as:"stars" pk:"POSTS#<post>" sk:"POST"`
				_    Counted `in:"post" as:"stars" pk:"POST#<psot>" sk:"POST"`
				_    Counted `as:"stars" pk:"POST#<post>" sk:"POST"`
				_    Counted `in:"post" pk:"POST#<post>" sk:"POST"`
				_    Counted `in:"post" as:"stars" pk:"POST#<post>"`
				Post string  `dynamodbav:"post"`
				ID   string  `dynamodbav:"id"`
			}
			return Star{}
		}(), func() any {
			type View struct {
				_       Key       `type:"view" pk:"VIEW#<post>" sk:"<id>"`
				_       Counted   `in:"post" as:"stars" pk:"POST#<post>" sk:"POST"`
				Post    string    `dynamodbav:"post"`
				ID      string    `dynamodbav:"id"`
				Expires time.Time `dynamodbav:"expires" entity:"ttl"`
			}
			return View{}
		}())},
		{"unique values in a table with a numeric key", 1, definition{
			config: trestle.Config{Partition: core.Attribute{Name: "id", Type: keys.N}, NoSort: true},
			types: typesOf(func() any {
				type Order struct {
					_     Key    `type:"order"`
					ID    int    `dynamodbav:"id"`
					Email string `dynamodbav:"email" entity:"unique"`
					Login string `dynamodbav:"login" entity:"unique"`
				}
				return Order{}
			}()),
		}},
		{"a misspelled role, an unknown one, an empty one and two at once", 4, with(func() any {
			type Order struct {
				_  Key       `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID string    `dynamodbav:"id"`
				A  int64     `dynamodbav:"a" entity:"versino"`
				B  int64     `dynamodbav:"b" entity:"primary"`
				C  int64     `dynamodbav:"c" entity:""`
				D  time.Time `dynamodbav:"d" entity:"created,updated"`
			}
			return Order{}
		}())},
		{"a role twice", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID string `dynamodbav:"id"`
				A  int64  `dynamodbav:"a" entity:"version"`
				B  int64  `dynamodbav:"b" entity:"version"`
			}
			return Order{}
		}())},
		{"fields of the wrong type", 6, with(func() any {
			type Order struct {
				_       Key               `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID      string            `dynamodbav:"id"`
				Version string            `dynamodbav:"version" entity:"version"`
				Created int64             `dynamodbav:"created" entity:"created"`
				Updated string            `dynamodbav:"updated" entity:"updated"`
				Expires float64           `dynamodbav:"expires" entity:"ttl"`
				Rest    map[string]string `dynamodbav:"rest" entity:"rest"`
				Parts   []string          `dynamodbav:"parts" entity:"key"`
			}
			return Order{}
		}())},
		{"a version stored as text", 1, with(func() any {
			type Order struct {
				_       Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID      string `dynamodbav:"id"`
				Version int64  `dynamodbav:"version,string" entity:"version"`
			}
			return Order{}
		}())},
		{"a version that ends, and a time to live that is no moment", 2, with(func() any {
			type Order struct {
				_       Key           `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID      string        `dynamodbav:"id"`
				Version uint8         `dynamodbav:"version" entity:"version"`
				Expires time.Duration `dynamodbav:"expires" entity:"ttl"`
			}
			return Order{}
		}())},
		{"a time to live in the table's key", 1, expiring(trestle.Config{Sort: attribute("expires", keys.N)}, trestle.Spec{
			Key: trestle.KeySpec{PK: "PASS#<id>", SK: "<expires:unix>"},
		})},
		{"a time to live as a text", 1, expiring(trestle.Config{Indexes: []trestle.IndexConfig{{Name: "ends", Partition: []core.Attribute{attribute("expires", "")}, NoSort: true}}}, trestle.Spec{
			Key: trestle.KeySpec{PK: "PASS#<id>", SK: "PASS"}, Indexes: []trestle.IndexSpec{{Name: "by-end", On: "ends", PK: "<expires:s>"}},
		})},
		{"a role on a field that is not stored", 1, with(func() any {
			type Order struct {
				_       Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID      string `dynamodbav:"id"`
				Version int64  `dynamodbav:"-" entity:"version"`
			}
			return Order{}
		}())},
		{"roles inside of fields", 3, with(func() any {
			type Audit struct {
				V int64 `dynamodbav:"v" entity:"version"`
			}
			type Line struct {
				At time.Time `dynamodbav:"at" entity:"craeted"`
				N  int       `dynamodbav:"n" entitty:"version"`
			}
			type Order struct {
				_     Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID    string `dynamodbav:"id"`
				Audit `dynamodbav:"audit"`
				Lines []Line `dynamodbav:"lines"`
			}
			return Order{}
		}())},
		{"an entity as a part of another", 1, with(func() any {
			type Order struct {
				_       Key        `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID      string     `dynamodbav:"id"`
				Sellers []*Company `dynamodbav:"sellers"`
			}
			return Order{}
		}())},
		{"a key field that no key has", 1, with(func() any {
			type Order struct {
				_    Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID   string `dynamodbav:"id"`
				Kind string `dynamodbav:"kind" entity:"key"`
			}
			return Order{}
		}())},
		{"a key field that one index keeps whole and another does not", 2, partly("HIRED#<at:ns>", "CITY#<city>", "DAY#<at:day>#<city>#<kind:lower>")},
		{"time to live under another name than the table's", 1, definition{config: trestle.Config{TTL: "expires"}, types: typesOf(func() any {
			type Order struct {
				_       Key       `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID      string    `dynamodbav:"id"`
				Expires time.Time `dynamodbav:"expires_at" entity:"ttl"`
			}
			return Order{}
		}())}},
		{"a Spec's roles", 2, definition{types: typesOf(Plain18{}), specs: specOf(Plain18{}, trestle.Spec{
			Type: "order", Key: trestle.KeySpec{PK: "CUST#<customer>", SK: "ORDER#<id>"},
			Roles: map[string]string{"placed": "created", "status": "version"},
		})}},
	}
}
