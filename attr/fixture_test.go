package attr_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
)

// The markers replace those of package entity.
type (
	Key   struct{}
	Index struct{}
)

type Address struct {
	City string `dynamodbav:"city"`
	Zip  *int   `dynamodbav:"zip,omitempty"`
}

type Line struct {
	SKU string `dynamodbav:"sku"`
	Qty int64  `dynamodbav:"qty"`
}

type Audit struct {
	CreatedBy string `dynamodbav:"created_by"`
}

type Level string

// Thing has a field of every kind that a condition supports.
type Thing struct {
	_  Key    `type:"thing" pk:"T#<id>" sk:"#"`
	_  Index  `name:"by-status" on:"GSI1" pk:"STATUS#<status>" sk:"AT#<at:ms>"`
	ID string `dynamodbav:"id"`
	Audit
	Status  string                          `dynamodbav:"status"`
	At      time.Time                       `dynamodbav:"at"`
	Expires time.Time                       `dynamodbav:"expires,unixtime"`
	Until   *time.Time                      `dynamodbav:"until,unixtime,omitempty"`
	Ended   *time.Time                      `dynamodbav:"ended,omitempty"`
	Level   Level                           `dynamodbav:"level,omitempty"`
	Count   int64                           `dynamodbav:"count"`
	Small   uint8                           `dynamodbav:"small,omitempty"`
	Price   float64                         `dynamodbav:"price"`
	Code    int                             `dynamodbav:"code,string"`
	Limit   *int                            `dynamodbav:"limit,omitempty"`
	Done    bool                            `dynamodbav:"done"`
	Blob    []byte                          `dynamodbav:"blob,omitempty"`
	Skills  []string                        `dynamodbav:"skills,omitempty"`
	Tags    []string                        `dynamodbav:"tags,stringset,omitempty"`
	Nums    []int                           `dynamodbav:"nums,numberset,omitempty"`
	Lines   []Line                          `dynamodbav:"lines,omitempty"`
	Grid    [2][2]int                       `dynamodbav:"grid"`
	Prefs   map[string]string               `dynamodbav:"prefs,omitempty"`
	Work    *Address                        `dynamodbav:"work,omitempty"`
	Home    Address                         `dynamodbav:"home"`
	Any     any                             `dynamodbav:"any,omitempty"`
	Odd     string                          `dynamodbav:"odd.name[0]"`
	Copy    string                          `dynamodbav:"copy"`
	Hidden  string                          `dynamodbav:"-"`
	Day     time.Time                       `dynamodbav:"day"`
	Raw     types.AttributeValue            `dynamodbav:"raw,omitempty"`
	Rest    map[string]types.AttributeValue `dynamodbav:"rest" entity:"rest"`
}

// Event has fields that are whole key attributes.
type Event struct {
	_      Key       `type:"event" pk:"<PK>" sk:"<SK:day,desc>"`
	Device string    `dynamodbav:"PK"`
	Day    time.Time `dynamodbav:"SK"`
	Kept   string    `dynamodbav:"kept"`
}

var (
	status  = attr.Must(func(x *Thing) *string { return &x.Status })
	at      = attr.Must(func(x *Thing) *time.Time { return &x.At })
	expires = attr.Must(func(x *Thing) *time.Time { return &x.Expires })
	ended   = attr.Must(func(x *Thing) *time.Time { return x.Ended })
	level   = attr.Must(func(x *Thing) *Level { return &x.Level })
	count   = attr.Must(func(x *Thing) *int64 { return &x.Count })
	price   = attr.Must(func(x *Thing) *float64 { return &x.Price })
	limit   = attr.Must(func(x *Thing) *int { return x.Limit })
	done    = attr.Must(func(x *Thing) *bool { return &x.Done })
	blob    = attr.Must(func(x *Thing) *[]byte { return &x.Blob })
	skills  = attr.Must(func(x *Thing) *[]string { return &x.Skills })
	tags    = attr.Must(func(x *Thing) *[]string { return &x.Tags })
	nums    = attr.Must(func(x *Thing) *[]int { return &x.Nums })
	lines   = attr.Must(func(x *Thing) *[]Line { return &x.Lines })
	prefs   = attr.Must(func(x *Thing) *map[string]string { return &x.Prefs })
	work    = attr.Must(func(x *Thing) **Address { return &x.Work })
	city    = attr.Must(func(x *Thing) *string { return &x.Work.City })
	zip     = attr.Must(func(x *Thing) *int { return x.Home.Zip })
	odd     = attr.Must(func(x *Thing) *string { return &x.Odd })
	dup     = attr.Must(func(x *Thing) *string { return &x.Copy })
	rest    = attr.Must(func(x *Thing) *map[string]types.AttributeValue { return &x.Rest })
)

// plan compiles the plan of an entity type, as opening a schema does.
func plan[T any](t testing.TB) *core.Plan {
	t.Helper()
	s, faults := define.Schema(trestle.Config{Indexes: []trestle.IndexConfig{{Name: "GSI1"}}})
	p, more := define.Compile(s, reflect.TypeFor[T](), define.Markers{Key: reflect.TypeFor[Key](), Index: reflect.TypeFor[Index]()}, nil)
	require.Empty(t, append(faults, more...))
	s.Add(p)
	require.Empty(t, define.Validate(s))
	return p
}
