package define_test

import (
	"reflect"
	"time"

	"github.com/trestledb/trestle"
)

// malformed returns a struct whose tags go vet would reject.
func malformed(markerTag, fieldTag reflect.StructTag) definition {
	const here = "github.com/trestledb/trestle/internal/define_test"
	t := reflect.StructOf([]reflect.StructField{
		{Name: "_", PkgPath: here, Type: markers.Key, Tag: markerTag},
		{Name: "ID", Type: reflect.TypeFor[string](), Tag: fieldTag},
	})
	d := with()
	d.types = []reflect.Type{t}
	return d
}

func unnamed() definition {
	d := malformed(`pk:"ORDER#<ID>" sk:"ORDER#<ID>"`, "")
	d.config.TypeAttribute = trestle.None
	return d
}

func invalidTags() []invalidCase {
	const goodMarker, goodField = `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`, `dynamodbav:"id"`
	return []invalidCase{
		{"a value without its quote", 1, malformed(goodMarker, `dynamodbav:id`)},
		{"a quote that does not end", 1, malformed(goodMarker, `dynamodbav:"id`)},
		{"a space after the colon", 1, malformed(`type: "order" pk:"ORDER#<id>" sk:"ORDER#<id>"`, goodField)},
		{"commas between pairs", 1, malformed(`type:"order",pk:"ORDER#<id>", sk:"ORDER#<id>"`, goodField)},
		{"other separators than a colon", 2, malformed(`type="order" pk:"ORDER#<id>" sk = "ORDER#<id>"`, goodField)},
		{"a tag of several lines", 1, malformed("type:\"order\"\n\tpk:\"ORDER#<id>\"\n\tsk:\"ORDER#<id>\"", goodField)},
		{"an issue in the second line of a tag", 2, malformed("type:\"order\" pk:\"ORDER#<id>\"\n\tshard:\"yes\" sk:\"ORDER#<id>\"", goodField)},
		{"a template over two lines", 1, malformed("type:\"order\" pk:\"ORDER#\n\t<id>\" sk:\"ORDER#<id>\"", goodField)},
		{"a quote too few", 1, malformed(`type:"order pk:"ORDER#<id>" sk:"ORDER#<id>"`, goodField)},
		{"a quote too many", 1, malformed(`type:"order" pk:"ORDER"#<id>" sk:"ORDER#<id>"`, goodField)},
		{"a backslash", 1, malformed(`type:"order" pk:"ORDER\Q#<id>" sk:"ORDER#<id>"`, goodField)},
		{"no space between pairs", 1, malformed(goodMarker, `json:"id"dynamodbav:"id"`)},
		{"a key twice", 1, malformed(`type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>" pk:"O#<id>"`, goodField)},
		{"only json tags", 1, with(func() any {
			type Order struct {
				_      Key       `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID     string    `json:"id"`
				Count  int       `json:"count,string,omitempty"`
				At     time.Time `json:"at,omitzero"`
				Secret string    `json:"-"`
				Plain  string
				Kept   []string `json:",omitempty"`
				Never  func()   `json:"-" dynamodbav:"-"`
			}
			return Order{}
		}())},
		{"only dynamo tags", 1, with(func() any {
			type Order struct {
				_    Key       `type:"order" pk:"ORDER#<ID>" sk:"ORDER#<ID>"`
				ID   string    `dynamo:"ID,hash"`
				Tags []string  `dynamo:"tags,set,omitempty" json:"labels"`
				Nums []int     `dynamo:",set"`
				At   time.Time `dynamo:"at,unixtime"`
				Note *string   `dynamo:"note,null"`
			}
			return Order{}
		}())},
		{"only json tags in embedded and nested structs", 3, with(func() any {
			type Base struct {
				Author string `json:"author"`
			}
			type Line struct {
				SKU  string `json:"sku"`
				Next *Line  `json:"next"`
			}
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID string `dynamodbav:"id"`
				Base
				Lines []Line `dynamodbav:"lines"`
				Home  struct {
					City string `json:"city"`
				} `dynamodbav:"home"`
			}
			return Order{}
		}())},
		{"other words for pk and sk", 2, with(func() any {
			type Order struct {
				_  Key    `type:"order" partition:"ORDER#<id>" sort:"ORDER#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"a misspelled tag of a marker", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>" sharde:"yes"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"a tag that no marker knows", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>" projection:"all"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"shared with another word than yes", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>" shared:"true"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"misspelled tags of fields", 2, with(func() any {
			type Order struct {
				_       Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID      string `dynamobdav:"id"`
				Version int64  `entitty:"version"`
			}
			return Order{}
		}())},
		{"a misspelled option", 1, with(func() any {
			type Order struct {
				_     Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID    string `dynamodbav:"id"`
				Notes string `dynamodbav:"notes,omitemty"`
			}
			return Order{}
		}())},
		{"an option behind a semicolon", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID string `dynamodbav:"id;omitempty"`
			}
			return Order{}
		}())},
		{"templates on a field", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID string `dynamodbav:"id" pk:"ORDER#<id>"`
			}
			return Order{}
		}())},
		{"no key", 1, with(func() any {
			type Order struct {
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"a blank field of another type", 1, with(func() any {
			type Order struct {
				_  struct{} `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID string   `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"two keys", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				_  Key    `type:"order" pk:"O#<id>" sk:"O#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"no pk", 1, with(func() any {
			type Order struct {
				_  Key    `type:"order" sk:"ORDER#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"no type name", 1, with(func() any {
			type Order struct {
				_  Key    `pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"an empty type name", 1, with(func() any {
			type Order struct {
				_  Key    `type:"" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"a marker with a name", 1, with(func() any {
			type Order struct {
				Key Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
				ID  string `dynamodbav:"id"`
			}
			return Order{}
		}())},
		{"a marker at the end", 1, with(func() any {
			type Order struct {
				ID string `dynamodbav:"id"`
				_  Key    `type:"order" pk:"ORDER#<id>" sk:"ORDER#<id>"`
			}
			return Order{}
		}())},
		{"a marker in an embedded struct", 1, with(func() any {
			type Base struct {
				_  Key    `type:"base" pk:"BASE#<id>" sk:"BASE#<id>"`
				ID string `dynamodbav:"id"`
			}
			type Order struct {
				Base
				Total int `dynamodbav:"total"`
			}
			return Order{}
		}())},
		{"a pointer to a struct", 1, with(&Company{})},
		{"not a struct", 1, with("order")},
		{"no type at all", 1, with(nil)},
		{"a type without any name", 1, unnamed()},
	}
}
