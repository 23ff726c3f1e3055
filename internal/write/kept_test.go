package write_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/repo"
	"github.com/trestledb/trestle/internal/table"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/internal/write"
)

// itemsPerType is the number of items of each random type.
const itemsPerType = 10

// An item that is read and put again is stored as it was, or the definition of its type has an
// issue, or Differences lists each attribute that the put changes.
func TestItemsAreKept(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		seed := testrand.Seed(t)
		db := newKeptTable(t, e.Client(t))
		reached := map[string]int{}
		for i := range uint64(e.Size(1_000, 10_000, 1_000_000) / itemsPerType) {
			g := keptGen{rand.New(rand.NewPCG(seed, i))}
			p := keptPlan(g.entity())
			if p == nil {
				reached["types refused"]++
				continue
			}
			reached["types accepted"]++
			db.use(p, i%2 == 0)
			for range itemsPerType {
				before, after, listed := db.readAndPut(t, p, g.item(p), reached)
				for _, name := range changed(p, before, after) {
					reached["attributes changed"]++
					require.False(t, holdsAll(p, name, before[name]), "type %d, %v: %s is changed\nfrom %v\nto %v", i, p.Type, name, dumpItem(before), dumpItem(after))
					require.True(t, slices.Contains(listed, name), "type %d, %v: %s is changed and not listed: %v\nfrom %v\nto %v",
						i, p.Type, name, listed, dumpItem(before), dumpItem(after))
				}
			}
		}
		t.Logf("reached: %v", reached)
		for _, name := range []string{"types refused", "types accepted", "unreadable", "refused by put", "put", "attributes changed", "unchanged"} {
			require.Positive(t, reached[name], name)
		}
	})
}

// holdsAll reports whether an attribute has a field whose type holds all values of the attribute's
// type. A put changes none of them, so that a list would not be enough.
func holdsAll(p *core.Plan, name string, stored types.AttributeValue) bool {
	f := p.Shape.ByName(name)
	if f == nil || f.Options != 0 {
		return false
	}
	switch f.Node.Type {
	case reflect.TypeFor[any](), reflect.TypeFor[types.AttributeValue]():
		return true
	case reflect.TypeFor[map[string]any](), reflect.TypeFor[map[string]types.AttributeValue]():
		return codec.WireOf(stored) == codec.WireM
	case reflect.TypeFor[[]any]():
		return codec.WireOf(stored) == codec.WireL
	case reflect.TypeFor[json.Number](), reflect.TypeFor[attributevalue.Number]():
		return codec.WireOf(stored) == codec.WireN
	default:
		return false
	}
}

// TestItemsAreKept_control is the negative control: the SDK's codec changes items, and nothing
// lists that. It also changes items of types for which the library needs no list.
func TestItemsAreKept_control(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	lost, lostOnlyBySDK := 0, 0
	for i := range uint64(testsize.Pick(1_000, 10_000) / itemsPerType) {
		g := keptGen{rand.New(rand.NewPCG(seed, i))}
		p := keptPlan(g.entity())
		if p == nil {
			continue
		}
		for range itemsPerType {
			before := g.item(p)
			theirs, ok := throughSDK(p.Type, before)
			if !ok || len(changed(p, fieldsOf(p, before), theirs)) == 0 {
				continue
			}
			lost++
			at := p.NewEntity()
			ours := map[string]types.AttributeValue{}
			if p.Decode(before, at) == nil && p.Shape.Encode(at, ours) == nil && len(changed(p, fieldsOf(p, before), ours)) == 0 {
				lostOnlyBySDK++
			}
		}
	}
	t.Logf("%d items changed, of these %d only by the SDK", lost, lostOnlyBySDK)
	require.Greater(t, lost, 50)
	require.Greater(t, lostOnlyBySDK, 10)
}

// throughSDK decodes and encodes an item with attributevalue.
func throughSDK(t reflect.Type, item map[string]types.AttributeValue) (after map[string]types.AttributeValue, ok bool) {
	defer func() { ok = recover() == nil && ok }()
	v := reflect.New(t)
	err := attributevalue.UnmarshalMapWithOptions(item, v.Interface(), func(o *attributevalue.DecoderOptions) { o.UseEncodingUnmarshalers = true })
	if err != nil {
		return nil, false
	}
	after, err = attributevalue.MarshalMapWithOptions(v.Interface(), func(o *attributevalue.EncoderOptions) { o.UseEncodingMarshalers = true })
	return after, err == nil
}

// fieldsOf returns the attributes of an item that have a field.
func fieldsOf(p *core.Plan, item map[string]types.AttributeValue) map[string]types.AttributeValue {
	own := maps.Clone(item)
	maps.DeleteFunc(own, func(name string, _ types.AttributeValue) bool { return p.Shape.ByName(name) == nil })
	return own
}

// Each type that would lose a value is an issue of the definition, in every position, and the
// others are not.
func TestItemsAreKept_types(t *testing.T) {
	t.Parallel()
	in := func(t reflect.Type) []reflect.Type {
		return []reflect.Type{
			t, reflect.PointerTo(t), reflect.SliceOf(t), reflect.ArrayOf(2, t), reflect.MapOf(reflect.TypeFor[string](), t),
			reflect.StructOf([]reflect.StructField{{Name: "In", Type: t}}),
		}
	}
	plan := func(t reflect.Type) *core.Plan {
		return keptPlan(reflect.StructOf([]reflect.StructField{
			{Name: "ID", Type: reflect.TypeFor[string](), Tag: `dynamodbav:"id"`}, {Name: "F", Type: t},
		}))
	}
	for _, typ := range keptTypes {
		for _, typ := range in(typ) {
			require.NotNil(t, plan(typ), typ)
		}
	}
	for _, typ := range refusedTypes {
		for _, typ := range in(typ) {
			require.Nil(t, plan(typ), typ)
		}
	}
}

// keptPlan compiles a type with an id. It returns nil if the definition has issues.
func keptPlan(t reflect.Type) *core.Plan {
	s, issues := define.Schema(trestle.Config{})
	p, more := define.Compile(s, t, define.Markers{}, &trestle.Spec{Type: "kept", Key: trestle.KeySpec{PK: "K#<id>", SK: "K"}})
	if len(issues)+len(more) > 0 {
		return nil
	}
	s.Add(p)
	if len(define.Validate(s)) > 0 {
		return nil
	}
	return p
}

// item returns an item that a program may have stored for the type: most attributes fit their
// fields, and some have none.
func (g keptGen) item(p *core.Plan) map[string]types.AttributeValue {
	item := map[string]types.AttributeValue{"PK": textAV("K#k"), "SK": textAV("K"), "_type": textAV("kept"), "id": textAV("k")}
	misfits := g.IntN(3) == 0
	for _, f := range p.Shape.Fields() {
		switch g.IntN(8) {
		case 0: // absent
		case 1:
			item[f.Name] = &types.AttributeValueMemberNULL{Value: true}
		default:
			item[f.Name] = g.fit(f.Node, f.Options, 3, misfits)
		}
	}
	item["id"] = textAV("k")
	if g.IntN(5) == 0 {
		item["more"] = g.value(1)
	}
	return item
}

// fit returns a value that a field of the type can mostly read. With misfits, it may return
// another.
func (g keptGen) fit(n *codec.Node, o codec.Options, depth int, misfits bool) types.AttributeValue {
	wire := n.Wire()
	n = n.Base()
	if misfits && g.IntN(8) == 0 || wire == codec.WireAny && n.Type != reflect.TypeFor[pointerValue]() {
		return g.value(max(depth, 0))
	}
	texts := keptTexts[n.Type]
	switch {
	case o&(codec.StringSet|codec.NumberSet|codec.BinarySet) != 0:
		return g.set()
	case n.Type == reflect.TypeFor[pointerValue]():
		return numberAV("1007")
	case o.Has(codec.AsString):
		return textAV(oneOf(g, []string{"0", "7", "07"}))
	case o.Has(codec.UnixTime), wire.Has(codec.WireN):
		return numberAV(g.numberFor(n))
	case texts != nil && wire.Has(codec.WireS):
		return textAV(oneOf(g, texts))
	case n.Type == reflect.TypeFor[url.URL]():
		return &types.AttributeValueMemberB{Value: []byte(oneOf(g, []string{"https://example.com/?q=1", "HTTPS://example.com"}))}
	case n.Enc == 0 && n.Kind == codec.KindStruct:
		m := map[string]types.AttributeValue{}
		for _, f := range n.Struct.Fields() {
			if g.IntN(6) > 0 {
				m[f.Name] = g.fit(f.Node, f.Options, depth-1, misfits)
			}
		}
		return &types.AttributeValueMemberM{Value: m}
	case n.Enc == 0 && (n.Kind == codec.KindList || n.Kind == codec.KindArray) && wire.Has(codec.WireL):
		l := &types.AttributeValueMemberL{Value: []types.AttributeValue{}}
		length := n.Len
		if n.Kind == codec.KindList || misfits {
			length = g.IntN(4)
		}
		if depth < 0 { // a recursive type
			length = 0
		}
		for range length {
			l.Value = append(l.Value, g.fit(n.Elem, 0, depth-1, misfits))
		}
		return l
	case n.Enc == 0 && n.Kind == codec.KindMap:
		m := map[string]types.AttributeValue{}
		for range min(g.IntN(3), max(depth, 0)) {
			if key := oneOf(g, keptTexts[n.Key.Node.Type]); key != "" {
				m[key] = g.fit(n.Elem, 0, depth-1, misfits)
			}
		}
		return &types.AttributeValueMemberM{Value: m}
	}
	for range 20 { // a value of the attribute type
		if av := g.value(1); wire.Has(codec.WireOf(av)) {
			return av
		}
	}
	return g.value(1)
}

// keptTable reads and puts items of random types in one table.
type keptTable struct {
	client *dynamodb.Client
	view   repo.View
	repo   *repo.Repo
}

func newKeptTable(t *testing.T, client *dynamodb.Client) *keptTable {
	s, _ := define.Schema(trestle.Config{})
	_, err := client.CreateTable(t.Context(), table.Definition(s, "kept"))
	require.NoError(t, err)
	return &keptTable{client: client}
}

// use sets the type of the next items, and the codec.
func (k *keptTable) use(p *core.Plan, attributeValues bool) {
	k.view = repo.NewView(p.Schema, exec.Config{
		Client: k.client, JSON: exec.SendsJSON(k.client), AttributeValues: attributeValues, Table: "kept", Clock: p.Schema.Clock,
	})
	k.repo = repo.New(&k.view, &repo.Type{Schema: p.Schema, Plan: p, Valid: func() error { return nil }})
}

// readAndPut stores an item with the SDK's client, and reads and puts it with the library. It
// returns the stored item before and after, and the attributes that Differences listed before.
func (k *keptTable) readAndPut(t *testing.T, p *core.Plan, item map[string]types.AttributeValue, reached map[string]int) (before, after map[string]types.AttributeValue, listed []string) {
	t.Helper()
	ctx := t.Context()
	_, err := k.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("kept"), Item: item})
	require.NoError(t, err, dumpItem(item))
	before = k.stored(ctx, t)
	differences := write.Differences(p, before, core.ExpiryOf(p, time.Now))
	for _, d := range differences {
		listed = append(listed, d.Attribute)
	}
	example, v := reflect.New(p.Type), reflect.New(p.Type)
	example.Elem().FieldByName("ID").SetString("k")
	if err := k.repo.Op(repo.Get, example.Interface(), nil).Do(ctx, repo.Result{Item: v.Interface()}); err != nil {
		return k.refused(t, before, differences, "unreadable", reached)
	}
	if err := k.repo.Op(repo.Put, v.Interface(), nil).Do(ctx, repo.Result{}); err != nil {
		return k.refused(t, before, differences, "refused by put", reached)
	}
	reached["put"]++
	if len(listed) == 0 {
		reached["unchanged"]++
	}
	return before, k.stored(ctx, t), listed
}

// refused counts an item that cannot be put again, which Differences must have listed.
func (k *keptTable) refused(t *testing.T, before map[string]types.AttributeValue, differences []write.Difference, why string, reached map[string]int) (x, y map[string]types.AttributeValue, listed []string) {
	t.Helper()
	require.NotEmpty(t, differences, "%s: %v", why, dumpItem(before))
	reached[why]++
	return before, before, nil
}

func (k *keptTable) stored(ctx context.Context, t *testing.T) map[string]types.AttributeValue {
	t.Helper()
	out, err := k.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: aws.String("kept"), Key: map[string]types.AttributeValue{"PK": textAV("K#k"), "SK": textAV("K")}, ConsistentRead: aws.Bool(true),
	})
	require.NoError(t, err)
	return out.Item
}

// changed returns the attributes whose values differ. NULL, no attribute, and the zero value of a
// field without omitempty do not.
func changed(p *core.Plan, before, after map[string]types.AttributeValue) (names []string) {
	all := maps.Clone(before)
	maps.Copy(all, after)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !sameAttribute(p.Shape.ByName(name), before[name], after[name]) {
			names = append(names, name)
		}
	}
	return names
}

func sameAttribute(f *codec.Field, a, b types.AttributeValue) bool {
	absentA, absentB := a == nil || codec.WireOf(a) == codec.WireNULL, b == nil || codec.WireOf(b) == codec.WireNULL
	switch {
	case absentA && absentB:
		return true
	case f == nil:
		return a != nil && b != nil && core.SameValue(a, b)
	case absentA != absentB:
		present := a
		if absentA {
			present = b
		}
		return !f.Has(codec.OmitEmpty) && isZeroForm(f, present)
	default:
		return sameOfType(f.Node, a, b)
	}
}

// isZeroForm reports whether a field stores its zero value so, or a slice with a form of its own is
// empty.
func isZeroForm(f *codec.Field, av types.AttributeValue) bool {
	if base := f.Node.Base(); base.Type.Kind() == reflect.Slice && hasForm(base.Type) && isEmpty(av) {
		return true
	}
	zero, err := f.EncodeOperand(reflect.New(f.Node.Type).Interface())
	return err == nil && zero != nil && core.SameValue(zero, av)
}

func isEmpty(av types.AttributeValue) bool {
	switch x := av.(type) {
	case *types.AttributeValueMemberS:
		return x.Value == ""
	case *types.AttributeValueMemberB:
		return len(x.Value) == 0
	case *types.AttributeValueMemberL:
		return len(x.Value) == 0
	default:
		return false
	}
}

func sameOfType(n *codec.Node, a, b types.AttributeValue) bool {
	if core.SameValue(a, b) {
		return true
	}
	if n = n.Base(); n.Enc != 0 || codec.WireOf(a) != codec.WireOf(b) {
		return false
	}
	switch x := a.(type) {
	case *types.AttributeValueMemberM:
		y := b.(*types.AttributeValueMemberM).Value
		switch n.Kind {
		case codec.KindStruct:
			all := maps.Clone(x.Value)
			maps.Copy(all, y)
			for name := range all {
				if !sameAttribute(n.Struct.ByName(name), x.Value[name], y[name]) {
					return false
				}
			}
			return true
		case codec.KindMap:
			return maps.EqualFunc(x.Value, y, func(a, b types.AttributeValue) bool { return sameOfType(n.Elem, a, b) })
		}
	case *types.AttributeValueMemberL:
		if n.Elem != nil {
			y := b.(*types.AttributeValueMemberL).Value
			return slices.EqualFunc(x.Value, y, func(a, b types.AttributeValue) bool { return sameOfType(n.Elem, a, b) })
		}
	}
	return false
}

// dumpItem returns a readable item.
func dumpItem(item map[string]types.AttributeValue) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(item)) {
		fmt.Fprintf(&b, " %s=%s", name, dumpValue(item[name]))
	}
	return b.String()
}

func dumpValue(av types.AttributeValue) string {
	switch av := av.(type) {
	case *types.AttributeValueMemberM:
		return "{" + dumpItem(av.Value) + " }"
	case *types.AttributeValueMemberL:
		var b strings.Builder
		for _, e := range av.Value {
			b.WriteString(" " + dumpValue(e))
		}
		return "[" + b.String() + " ]"
	case nil:
		return "nil"
	default:
		return fmt.Sprintf("%s%v", codec.WireOf(av), reflect.ValueOf(av).Elem().Field(0))
	}
}
