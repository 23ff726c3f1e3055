package write

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/keys"
)

// encodeField returns the attribute value of a field, or nil if the field is omitted.
func encodeField(f *codec.Field, at codec.Ptr) (types.AttributeValue, error) {
	av, err := f.Encode(at)
	return av, errs.Wrap(f.Name, err)
}

// encodeValue returns the attribute value of a field that has the key value v, or nil if the field
// is omitted.
func encodeValue(p *core.Plan, f *codec.Field, v keys.Value) (types.AttributeValue, error) {
	entity := p.NewEntity()
	if err := f.SetKey(v, entity); err != nil {
		return nil, errs.Wrap(f.Name, err)
	}
	return encodeField(f, entity)
}

// validate checks the value of a field that is a key attribute of an index. DynamoDB limits the
// size of such values, and some texts are reserved.
func validate(p *core.Plan, f *codec.Field, v keys.Value) error {
	a := p.Native(f)
	if a == nil || a.Table || v.IsAbsent() {
		return nil
	}
	_, err := a.Template.Render(v)
	return err
}

// inTableKey reports whether the table's key contains the complete stored value of a field, so that
// the key determines the field.
func inTableKey(p *core.Plan, f *codec.Field) bool {
	if f.IsDerived() {
		return true
	}
	for a := range p.Table.Attributes() {
		for i, m := range a.Members {
			if m == f && (a.Field == f || a.Preserves(i)) {
				return true
			}
		}
	}
	return false
}

// determinedByTableKey reports whether the table's key determines how a member of another key is
// rendered. It does if it contains the complete field, or the field in the same format.
func determinedByTableKey(p *core.Plan, a *core.KeyAttr, i int) bool {
	if a.Members[i].IsDerived() {
		return true
	}
	for t := range p.Table.Attributes() {
		for j, m := range t.Members {
			if m == a.Members[i] && (t.Field == m || t.Preserves(j) || t.Template.Format(j) == a.Template.Format(i)) {
				return true
			}
		}
	}
	return false
}

// fieldSet is an ordered set of fields.
type fieldSet []*codec.Field

func (s *fieldSet) add(fields ...*codec.Field) {
	for _, f := range fields {
		if !s.has(f) {
			*s = append(*s, f)
		}
	}
}

func (s fieldSet) has(f *codec.Field) bool { return slices.Contains(s, f) }
