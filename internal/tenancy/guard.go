// Package tenancy checks that requests and their replies belong to one tenant. It works on the
// inputs and outputs of the SDK, and does not rely on the plan of an operation: what it does not
// understand, it refuses.
package tenancy

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
)

type item = map[string]types.AttributeValue

// Guard checks requests and replies of one table for one tenant. A nil Guard checks nothing.
type Guard struct {
	tenant     string
	table      string
	schema     *core.Schema
	partition  start
	partitions []start  // of all indexes and the table, each attribute once
	fields     []string // the attributes of fields with the role tenant, each once
}

// start is how the values of an attribute start for the tenant.
type start struct {
	name      string
	text      string // without the delimiter
	delimiter string
	known     bool // false: no type with a tenant has the attribute
}

// New returns a Guard. The schema must have tenants.
func New(s *core.Schema, table, tenant string) *Guard {
	g := &Guard{tenant: tenant, table: table, schema: s}
	g.partition = startOf(s, s.Partition.Name, tenant)
	g.partitions = []start{g.partition}
	for _, x := range s.Indexes {
		if g.startOf(x.Partition[0].Name) == nil {
			g.partitions = append(g.partitions, startOf(s, x.Partition[0].Name, tenant))
		}
	}
	for _, p := range s.Plans {
		if f := p.Tenant; f != nil && !f.KeyOnly && !slices.Contains(g.fields, f.Name) {
			g.fields = append(g.fields, f.Name)
		}
	}
	return g
}

func startOf(s *core.Schema, attribute, tenant string) start {
	k := s.TenantKey(attribute)
	if k == nil {
		return start{name: attribute}
	}
	return start{name: attribute, text: k.Start(tenant), delimiter: k.Delimiter, known: true}
}

// startOf returns the start of an attribute, or nil if it is the partition key of nothing.
func (g *Guard) startOf(attribute string) *start {
	for i := range g.partitions {
		if g.partitions[i].name == attribute {
			return &g.partitions[i]
		}
	}
	return nil
}

// ID returns the tenant, or "" for a nil Guard.
func (g *Guard) ID() string {
	if g == nil {
		return ""
	}
	return g.tenant
}

// Same reports whether two guards, which may be nil, allow the same requests.
func (g *Guard) Same(o *Guard) bool {
	if g == nil || o == nil {
		return g == o
	}
	return g.tenant == o.tenant && g.table == o.table && g.schema == o.schema
}

// owns reports whether a value of the attribute is one of the tenant.
func (s *start) owns(av types.AttributeValue) bool {
	v, ok := av.(*types.AttributeValueMemberS)
	if !ok || !s.known {
		return false
	}
	rest, ok := strings.CutPrefix(v.Value, s.text)
	return ok && (rest == "" || strings.HasPrefix(rest, s.delimiter))
}

// The errors never contain a key.
var (
	errRequest = errs.OtherTenant("", "the request was not sent, because a key in it is not of the tenant", "this is a defect of the library: please report it")
	errForm    = errs.OtherTenant("", "the request was not sent, because the check of the tenant does not know its form", "use the table without a tenant for it")
	errReply   = errs.OtherTenant("", "DynamoDB returned an item or a key of another tenant, which is withheld", "look for the program that wrote it under a key of this tenant: if the reply had the item's key, OpError.Key has it")
)
