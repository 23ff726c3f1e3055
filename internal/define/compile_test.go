package define_test

import (
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/keys"
)

type Company struct {
	_    Key    `type:"company" pk:"COM#<id>" sk:"#METADATA#<id>"`
	_    Index  `name:"by-name" on:"GSI1" pk:"ORG#<name>" sk:"COM#<id>"`
	ID   string `dynamodbav:"id"`
	Name string `dynamodbav:"name"`
}

type Address struct {
	City string `dynamodbav:"city"`
}

type Employee struct {
	_         Key       `type:"employee" pk:"COM#<company_id>" sk:"EMP#<id>"`
	_         Index     `name:"by-hire" on:"GSI1" pk:"COM#<company_id>" sk:"HIRED#<hired_at:day>#<id>"`
	CompanyID string    `dynamodbav:"company_id"`
	ID        string    `dynamodbav:"id"`
	HiredAt   time.Time `dynamodbav:"hired_at"`
	Email     string    `dynamodbav:"email"`
	Status    string    `dynamodbav:"status"`
	Skills    []string  `dynamodbav:"skills,omitempty"`
	Work      *Address  `dynamodbav:"work,omitempty"`
	Logins    int64     `dynamodbav:"logins"`
	Version   int64     `dynamodbav:"version" entity:"version"`
	UpdatedAt time.Time `dynamodbav:"updated_at" entity:"updated"`
}

func TestCompile_company(t *testing.T) {
	t.Parallel()
	s := compiled(t, trestle.Config{Indexes: []trestle.IndexConfig{{Name: "GSI1"}}}, Company{}, Employee{})
	p := s.Plans[1]
	require.Equal(t, "employee", p.Name)
	require.Equal(t, reflect.TypeFor[Employee](), p.Type)
	require.Same(t, s, p.Schema)
	require.Equal(t, []string{"PK", "SK", "GSI1PK", "GSI1SK"}, attrNames(p))

	require.Equal(t, []*core.KeyAttr{p.Attrs[0]}, p.Table.Partition)
	require.Equal(t, []*core.KeyAttr{p.Attrs[1]}, p.Table.Sort)
	require.True(t, p.Attrs[0].Table)
	require.False(t, p.Attrs[2].Table)

	hired := p.KeyAttr("GSI1SK")
	require.Equal(t, []*codec.Field{p.Shape.ByName("hired_at"), p.Shape.ByName("id")}, hired.Members)
	require.Nil(t, hired.Field)
	require.Nil(t, hired.Parse, "every member has an attribute of its own")

	require.Len(t, p.Indexes, 1)
	require.Len(t, p.Access, 1)
	require.Same(t, p.Indexes[0], p.Access[0].On)
	require.Same(t, p.Access[0], p.Indexes[0].Access)
	require.Equal(t, "by-hire", p.Access[0].Name)
	require.Same(t, p.Shape.ByName("version"), p.Version)
	require.Same(t, p.Shape.ByName("updated_at"), p.Updated)
	require.Nil(t, p.Created)
}

func attrNames(p *core.Plan) (names []string) {
	for _, a := range p.Attrs {
		names = append(names, a.Name)
	}
	return names
}

func TestCompile_sharedAttribute(t *testing.T) {
	t.Parallel()
	s, issues := inverted().compile()
	require.Empty(t, issues)
	for _, p := range s.Plans {
		require.Len(t, p.Attrs, 2)
		require.Same(t, p.Table.Partition[0], p.Indexes[0].Key.Sort[0])
		require.Same(t, p.Table.Sort[0], p.Indexes[0].Key.Partition[0])
		require.False(t, p.Attrs[0].Table && p.Attrs[0].Rendered())
	}
	require.NotNil(t, s.Plans[0].Indexes[0].Access)
	require.Nil(t, s.Plans[1].Indexes[0].Access, "on the index without declaring it")
}

func TestCompile_storesTimeFieldAsKey(t *testing.T) {
	t.Parallel()
	s, issues := typedDevices().compile()
	require.Empty(t, issues)
	p := s.Plans[0]
	state := reflect.New(p.Type)
	state.Elem().FieldByName("DeviceID").SetString("d#12345")
	state.Elem().FieldByName("Date").Set(reflect.ValueOf(time.Date(2020, 4, 24, 16, 40, 0, 0, time.FixedZone("", 7200))))
	made := codec.Item{}
	require.NoError(t, p.Shape.Encode(codec.PtrTo(state.Interface()), made))
	require.Equal(t, codec.Item{
		"DeviceID": &types.AttributeValueMemberS{Value: "d#12345"},
		"Date":     &types.AttributeValueMemberS{Value: "2020-04-24T14:40:00"},
		"State":    &types.AttributeValueMemberS{Value: ""},
	}, made, "an empty Operator and a nil EscalatedTo are key attributes, and left out")
}

func TestCompile_parsesKeyOnlyFields(t *testing.T) {
	t.Parallel()
	s, issues := onlineShop().compile()
	require.Empty(t, issues)
	text := func(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
	i := codec.Item{
		"EntityType": text("orderItem"), "PK": text("o#12345"), "SK": text("p#99887"), "Quantity": text("5"), "Price": text("40"),
		"GSI1-PK": text("p#99887"), "GSI1-SK": text("2020-06-21T19:20:00"), "GSI2-PK": text("c#12345"), "GSI2-SK": text("p#2020-06-21T19:20:00"),
	}
	p := s.PlanOf(core.NewRow(i))
	require.Equal(t, "orderItem", p.Name)
	var got ShopOrderItem
	require.NoError(t, p.Decode(i, codec.PtrTo(&got)))
	require.Equal(t, ShopOrderItem{Order: "12345", Product: "99887", Customer: "12345", Date: "2020-06-21T19:20:00", Quantity: "5", Price: "40"}, got)

	delete(i, "GSI1-SK")
	got = ShopOrderItem{}
	require.NoError(t, p.Decode(i, codec.PtrTo(&got)))
	require.Equal(t, "2020-06-21T19:20:00", got.Date, "from the other index")
}

func TestValidate_setsTTL(t *testing.T) {
	t.Parallel()
	s, issues := everyRole().compile()
	require.Empty(t, issues)
	require.Equal(t, "expires", s.TTL)
	require.Empty(t, define.Validate(s), "sealing twice changes nothing")
}

func TestCompile_binaryTextTypes(t *testing.T) {
	t.Parallel()
	type Host struct {
		_    Key        `type:"host"`
		_    Index      `name:"by-net" on:"nets" sk:"<addr>"`
		Addr netip.Addr `dynamodbav:"addr"`
		Net  []byte     `dynamodbav:"net"`
	}
	s := compiled(t, trestle.Config{Partition: named("addr"), NoSort: true, Indexes: []trestle.IndexConfig{
		{Name: "nets", Partition: []core.Attribute{{Name: "net", Type: keys.B}}, Sort: []core.Attribute{named("netsSK")}},
	}}, Host{})
	made := codec.Item{}
	require.NoError(t, s.Plans[0].Shape.Encode(codec.PtrTo(&Host{Addr: netip.MustParseAddr("10.0.0.1")}), made))
	require.Equal(t, codec.Item{"addr": &types.AttributeValueMemberS{Value: "10.0.0.1"}}, made)
	require.Equal(t, []string{"addr", "net", "netsSK"}, attrNames(s.Plans[0]))
}

func TestSchema_defaults(t *testing.T) {
	t.Parallel()
	s, issues := define.Schema(trestle.Config{Indexes: []trestle.IndexConfig{{Name: "GSI1"}, {Name: "near", Kind: trestle.LocalIndex}, {Name: "flat", NoSort: true}, {Name: "many", Sort: []core.Attribute{named("a"), named("b")}}}})
	require.Empty(t, issues)
	kinds := make([]trestle.IndexKind, len(s.Indexes))
	for i, x := range s.Indexes {
		kinds[i] = x.Kind
	}
	require.Equal(t, []trestle.IndexKind{trestle.GlobalIndex, trestle.LocalIndex, trestle.GlobalIndex, trestle.MultiAttributeIndex}, kinds)
	text := func(name string) core.Attribute { return core.Attribute{Name: name, Type: keys.S} }
	require.Equal(t, text("PK"), s.Partition)
	require.Equal(t, text("SK"), s.Sort)
	require.Equal(t, []core.Attribute{text("GSI1PK")}, s.Indexes[0].Partition)
	require.Equal(t, []core.Attribute{text("GSI1SK")}, s.Indexes[0].Sort)
	require.Equal(t, []core.Attribute{text("PK")}, s.Indexes[1].Partition)
	require.Equal(t, []core.Attribute{text("nearSK")}, s.Indexes[1].Sort)
	require.Empty(t, s.Indexes[2].Sort)
	require.Equal(t, "_type", s.TypeAttr)
	require.Equal(t, "_w", s.WriteID)
	require.Equal(t, "#", s.Delimiter)
	require.False(t, s.Raw)
	require.NotNil(t, s.Clock)

	s, issues = define.Schema(trestle.Config{TypeAttribute: trestle.None, WriteID: trestle.None, Delimiter: "|", NoSort: true})
	require.Empty(t, issues)
	require.Empty(t, s.TypeAttr)
	require.Empty(t, s.WriteID)
	require.Empty(t, s.Sort)
	require.True(t, s.Raw, "another delimiter implies raw mode")
}
