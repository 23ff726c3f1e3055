package write

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// sized has an index whose key is a field and an index with a rendered key.
type sized struct {
	_     keyTag   `type:"sized" pk:"P#<id>" sk:"<sort>"`
	_     indexTag `name:"by-owner" on:"OWN"`
	_     indexTag `name:"by-tag" on:"TAG" pk:"T#<tag>" sk:"<id>"`
	ID    string   `dynamodbav:"id"`
	Sort  string   `dynamodbav:"sort"`
	Owner string   `dynamodbav:"owner"`
	Tag   string   `dynamodbav:"tag"`
	Body  string   `dynamodbav:"body"`
}

var (
	sizedConfig = trestle.Config{Indexes: []trestle.IndexConfig{
		{Name: "OWN", Partition: []core.Attribute{{Name: "owner"}}, NoSort: true}, {Name: "TAG"},
	}}
	owner = attr.Must(func(s *sized) *string { return &s.Owner })
	tag   = attr.Must(func(s *sized) *string { return &s.Tag })
	body  = attr.Must(func(s *sized) *string { return &s.Body })
)

// TestItemSize checks that an item of 409,600 bytes is valid and a larger one is not.
func TestItemSize(t *testing.T) {
	t.Parallel()
	p := planOf[sized](t, sizedConfig)
	e := sized{ID: "a", Sort: "b"}
	item, err := Item(p, codec.PtrTo(&e))
	require.NoError(t, err)
	e.Body = strings.Repeat("x", MaxItem-codec.ItemSize(item))
	for _, fits := range []bool{true, false} {
		stored := e
		_, _, err = Put(putArgs(p, &stored))
		requireLimit(t, err, !fits)
		_, _, err = Create(putArgs(p, &stored))
		requireLimit(t, err, !fits)
		_, _, err = Overwrite(putArgs(p, &stored))
		requireLimit(t, err, !fits)
		e.Body += "x"
	}
}

// TestKeySizes checks the maximum sizes of 2,048 bytes for partition keys and 1,024 bytes for sort
// keys. It covers the table, an index, and a field that is a key attribute.
func TestKeySizes(t *testing.T) {
	t.Parallel()
	p := planOf[sized](t, sizedConfig)
	text := func(n int) string { return strings.Repeat("x", n) }
	for name, e := range map[string]sized{
		"table partition": {ID: text(2046), Sort: "s"},
		"table sort":      {ID: "a", Sort: text(1024)},
		"index partition": {ID: "a", Sort: "s", Tag: text(2046)},
		"index sort":      {ID: text(1024), Sort: "s", Tag: "t"},
		"field":           {ID: "a", Sort: "s", Owner: text(2048)},
	} {
		_, err := Item(p, codec.PtrTo(&e))
		require.NoError(t, err, name)
		for _, f := range []*string{&e.ID, &e.Sort, &e.Owner, &e.Tag} {
			if len(*f) >= 1024 {
				*f += "x"
			}
		}
		_, err = Item(p, codec.PtrTo(&e))
		requireLimit(t, err, true)
	}
	example := sized{ID: "a", Sort: "s"}
	_, err := Update(updateArgs(p, example, owner.Set(text(2048)), tag.Set(text(2046))))
	require.NoError(t, err)
	for _, c := range []attr.Change[sized]{owner.Set(text(2049)), owner.SetIfAbsent(text(2049)), tag.Set(text(2047))} {
		_, err = Update(updateArgs(p, example, c))
		requireLimit(t, err, true)
	}
	_, err = Key(p, codec.PtrTo(&sized{ID: text(2047), Sort: "s"}))
	requireLimit(t, err, true)
}

// TestConditionLimits checks that all conditions count together, and that exceeding the limit is
// errs.Limit.
func TestConditionLimits(t *testing.T) {
	t.Parallel()
	p := planOf[sized](t, sizedConfig)
	example := sized{ID: "a", Sort: "s"}
	of := func(n int) []attr.Cond[sized] { return slices.Repeat([]attr.Cond[sized]{body.Ne("x")}, n) }
	// 150 comparisons and 149 ANDs are the maximum.
	for n, fits := range map[int]bool{150: true, 151: false} {
		// Delete adds one condition.
		_, err := Delete(p, codec.PtrTo(&example), conds(of(n-1)...), op.Nothing, core.Expiry{})
		requireLimit(t, err, !fits)
		_, _, err = Put(putArgs(p, &example, of(n)...))
		requireLimit(t, err, !fits)
	}
	_, err := Update(updateArgs(p, example, body.Set("y"), attr.If(of(151)...)))
	requireLimit(t, err, true)
	_, err = Update(updateArgs(p, example, body.Set("y"), attr.If(body.In(slices.Repeat([]string{"x"}, 101)...))))
	requireLimit(t, err, true)
	_, err = Update(updateArgs(p, example, body.Set("y"), owner.Set(strings.Repeat("x", 2049)), attr.If(body.In())))
	requireFields(t, err, errs.Invalid, "owner", "body")
}

// TestReservedPrefix checks that a field that is a key attribute cannot start with a reserved
// prefix.
func TestReservedPrefix(t *testing.T) {
	t.Parallel()
	p := planOf[sized](t, sizedConfig)
	_, err := Item(p, codec.PtrTo(&sized{ID: "a", Sort: "s", Owner: "$Unique"}))
	require.ErrorIs(t, err, keys.ErrReserved)
	require.ErrorIs(t, err, errs.Invalid)
	_, err = Update(updateArgs(p, sized{ID: "a", Sort: "s"}, owner.Set("$Unique")))
	require.ErrorIs(t, err, keys.ErrReserved)
	_, err = Update(updateArgs(p, sized{ID: "a", Sort: "s"}, body.Set("$Unique")))
	require.NoError(t, err)
}

// TestRestField checks that the rest field keeps unknown attributes, but not those that the library
// writes.
func TestRestField(t *testing.T) {
	t.Parallel()
	type open struct {
		_    keyTag                          `type:"open" pk:"O#<id>" sk:"O"`
		_    indexTag                        `name:"by-name" on:"GSI1" pk:"N#<name>" sk:"<id>"`
		ID   string                          `dynamodbav:"id"`
		Name string                          `dynamodbav:"name"`
		Rest map[string]types.AttributeValue `dynamodbav:"rest" entity:"rest"`
	}
	p := planOf[open](t, trestle.Config{Indexes: []trestle.IndexConfig{{Name: "GSI1"}, {Name: "GSI2"}}})
	item, err := Item(p, codec.PtrTo(&open{ID: "a", Rest: op.Item{
		"more": text("x"), "GSI1PK": text("N#other"), "GSI2SK": text("x"), "PK": text("x"), "_type": text("x"), "_w": text("x"),
	}}))
	require.NoError(t, err)
	require.Equal(t, op.Item{"PK": text("O#a"), "SK": text("O"), "_type": text("open"), "id": text("a"), "name": text(""), "more": text("x")}, item)
	rest := attr.Must(func(o *open) *map[string]types.AttributeValue { return &o.Rest })
	o, err := Update(updateArgs(p, open{ID: "a"}, attr.Key(rest, "more").Set(text("y"))))
	require.NoError(t, err)
	require.Equal(t, "SET more = 'y'", substituted(o.Actions[0], o.Actions[0].Expressions().Update))
	_, err = Update(updateArgs(p, open{ID: "a"}, attr.Key(rest, "GSI1PK").Set(text("y"))))
	require.ErrorIs(t, err, errs.Invalid)
}

// TestManyZeros checks that an upsert reads the item first if its type has so many fields that
// their zeros do not fit into a blind update. Only a new item gets the zeros, in a put if an update
// has no space for them either.
func TestManyZeros(t *testing.T) {
	t.Parallel()
	planWith := func(fields int) *core.Plan {
		list := []reflect.StructField{{Name: "ID", Type: reflect.TypeFor[string](), Tag: `dynamodbav:"id"`}}
		for i := range fields {
			list = append(list, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[int](), Tag: reflect.StructTag(fmt.Sprintf(`dynamodbav:"f%d"`, i))})
		}
		s, issues := define.Schema(trestle.Config{})
		require.Empty(t, issues)
		p, issues := define.Compile(s, reflect.StructOf(list), define.Markers{}, &trestle.Spec{Type: "wide", Key: trestle.KeySpec{PK: "W#<id>", SK: "W"}})
		require.Empty(t, issues)
		s.Add(p)
		return p
	}
	upsert := func(p *core.Plan) (op.Operation, error) {
		example := reflect.New(p.Type).Elem()
		example.Field(0).SetString("a")
		operand := any(1)
		path := &core.Path{Owner: p.Type, Steps: []*core.Step{{Kind: core.StepName, Name: "f0"}}}
		return Update(UpdateArgs{Plan: p, Example: codec.PtrOf(example), Changes: []*expr.Change{expr.NewChange(expr.Set, path, &operand)}, Upsert: true, Now: noon})
	}
	o, err := upsert(planWith(50))
	require.NoError(t, err)
	require.Nil(t, o.PreRead)

	o, err = upsert(planWith(200))
	require.NoError(t, err)
	require.NotNil(t, o.PreRead)
	actions, err := o.PreRead.Plan([]op.Item{nil})
	require.NoError(t, err)
	require.Contains(t, actions[0].Expressions().Values, ":v200")
	actions, err = o.PreRead.Plan([]op.Item{o.PreRead.Reads[0].Key})
	require.NoError(t, err)
	require.NotContains(t, actions[0].Expressions().Update, "if_not_exists(#n3")

	o, err = upsert(planWith(400))
	require.NoError(t, err)
	actions, err = o.PreRead.Plan([]op.Item{nil})
	require.NoError(t, err)
	require.Equal(t, op.Put, actions[0].Verb)
	require.Empty(t, actions[0].Expressions().Values) // no placeholder of an update expression is left
	require.Len(t, actions[0].Item.Map(), 2+2+400)
}

// TestManyFieldsBehindAPointer checks that a read before a write lists the attributes that show
// whether an embedded pointer exists, and reads the whole item if there are too many.
func TestManyFieldsBehindAPointer(t *testing.T) {
	t.Parallel()
	for _, fields := range []int{10, 700} {
		base := make([]reflect.StructField, fields)
		for i := range base {
			base[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[int](), Tag: reflect.StructTag(fmt.Sprintf(`dynamodbav:"f%d"`, i))}
		}
		list := []reflect.StructField{
			{Name: "ID", Type: reflect.TypeFor[string](), Tag: `dynamodbav:"id"`},
			{Name: "Base", Type: reflect.PointerTo(reflect.StructOf(base)), Anonymous: true},
		}
		s, issues := define.Schema(trestle.Config{})
		require.Empty(t, issues)
		p, issues := define.Compile(s, reflect.StructOf(list), define.Markers{}, &trestle.Spec{
			Type: "deep", Key: trestle.KeySpec{PK: "D#<id>", SK: "D"}, Uniques: []trestle.UniqueSpec{{Name: "f0", Key: "<f0:08>"}},
		})
		require.Empty(t, issues)
		s.Add(p)
		example := reflect.New(p.Type).Elem()
		example.Field(0).SetString("a")
		o, err := Delete(p, codec.PtrOf(example), nil, op.Nothing, core.Expiry{})
		require.NoError(t, err)
		read := o.PreRead.Reads[0]
		require.NoError(t, expr.CheckLength(read.Projection))
		require.Equal(t, fields < 500, read.Projection != "")
		require.Len(t, read.Names, map[int]int{10: 12, 700: 0}[fields]) // with the partition key and the type
	}
}
