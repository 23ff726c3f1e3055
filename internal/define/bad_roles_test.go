package define_test

import (
	"time"

	"github.com/trestledb/trestle/internal/define"
)

func badRoles() []bad {
	return []bad{
		{"roles of a later release", 2, with(func() any {
			type Order struct {
				_     Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID    string `dynamodbav:"id" entity:"tenant"`
				Email string `dynamodbav:"email" entity:"unique"`
			}
			return Order{}
		}())},
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
		{"a role on a field that is not stored", 1, with(func() any {
			type Order struct {
				_       Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID      string `dynamodbav:"id"`
				Version int64  `dynamodbav:"-" entity:"version"`
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
		{"a key field that no key keeps whole", 2, with(func() any {
			type Order struct {
				_    Key       `type:"order" pk:"ORDER#<id>" sk:"AT#<at:day>#<kind:lower>"`
				ID   string    `dynamodbav:"id"`
				At   time.Time `dynamodbav:"at" entity:"key"`
				Kind string    `dynamodbav:"kind" entity:"key"`
			}
			return Order{}
		}())},
		{"time to live under another name than the table's", 1, definition{config: define.Config{TTL: "expires"}, types: typesOf(func() any {
			type Order struct {
				_       Key       `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID      string    `dynamodbav:"id"`
				Expires time.Time `dynamodbav:"expires_at" entity:"ttl"`
			}
			return Order{}
		}())}},
		{"a Spec's roles", 2, definition{types: typesOf(Plain18{}), specs: specOf(Plain18{}, define.Spec{
			Type: "order", Key: define.Keys{PK: "CUST#<customer>", SK: "ORDER#<id>"},
			Roles: map[string]string{"placed": "created", "status": "version"},
		})}},
	}
}
