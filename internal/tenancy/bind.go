package tenancy

import (
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/keys"
)

// The errors of calls that send nothing.
var (
	ErrNoTenant = errs.New("", "the type has no tenant, so the handle of a tenant cannot use it", "use the table that Schema.Open returned")
	ErrScan     = errs.New("", "a scan reads the items of all tenants", "query a partition, or scan the table that Schema.Open returned")
	ErrMixed    = errs.New("", "it is not of the same table and the same tenant as the first operation", "use one handle of a tenant for all of them, or none")

	ErrCounted = errs.New("", "the counted items are not of the same table and the same tenant as the counting item", "use one handle of a tenant for both, or none")

	errWhole = errs.New("", "the operation is on the whole table, with the items of all tenants", "call it on the table that Schema.Open returned")
	errOther = errs.OtherTenant("", "the entity belongs to another tenant than the handle", "leave the tenant empty, or use the handle of that tenant")
)

// Usable reports why the handle cannot use a type. A plan without a Go type is that of items of the
// library, whose keys have the tenant.
func (g *Guard) Usable(p *core.Plan) error {
	if g != nil && p.Tenant == nil && p.Type != nil {
		return ErrNoTenant
	}
	return nil
}

// Whole reports why the handle cannot use an operation on the whole table.
func (g *Guard) Whole() error {
	if g != nil {
		return errWhole
	}
	return nil
}

// Bind returns an entity or an example with the tenant: it is a copy if the entity has none. It
// returns an error of the kind errs.Tenant if the entity has another one.
func (g *Guard) Bind(p *core.Plan, entity reflect.Value) (reflect.Value, error) {
	if g == nil {
		return entity, nil
	}
	if err := g.Usable(p); err != nil {
		return entity, err
	}
	v, err := p.Tenant.Key(codec.PtrOf(entity))
	switch {
	case err != nil:
		return entity, errs.Wrap(p.Tenant.Name, err)
	case !v.IsAbsent() && v.Text() != g.tenant:
		return entity, errOther
	case !v.IsAbsent():
		return entity, nil
	}
	own := Copy(p, entity, p.Tenant)
	return own, g.set(p, codec.PtrOf(own))
}

// set sets the tenant of an entity. A type with a text form may not hold the tenant, or hold it in
// another form.
func (g *Guard) set(p *core.Plan, entity codec.Ptr) error {
	err := p.Tenant.SetKey(keys.Text(g.tenant), entity)
	if err == nil {
		v, bad := p.Tenant.Key(entity)
		if bad == nil && v.Text() == g.tenant {
			return nil
		}
	}
	return errs.New(p.Tenant.Name, "the type of the field cannot hold the tenant in this form", "open the handle with the text that the type writes")
}

// Copy returns a copy of an entity. It also copies the embedded structs behind pointers that hold
// one of the fields, which may be nil. Otherwise a change of the field would change the entity of
// the caller.
func Copy(p *core.Plan, entity reflect.Value, fields ...*codec.Field) reflect.Value {
	own := reflect.New(p.Type).Elem()
	own.Set(entity)
	for _, f := range fields {
		if f != nil {
			CopyEmbedded(own, f)
		}
	}
	return own
}

// CopyEmbedded copies the structs behind the embedded pointers that hold a field.
func CopyEmbedded(v reflect.Value, f *codec.Field) {
	for _, i := range f.Index[:len(f.Index)-1] {
		v = v.Field(i)
		if v.Kind() != reflect.Pointer {
			continue
		}
		if v.IsNil() {
			return
		}
		own := reflect.New(v.Type().Elem())
		own.Elem().Set(v.Elem())
		v.Set(own)
		v = own.Elem()
	}
}

// BindPtr is Bind for a pointer to an entity or an example.
func (g *Guard) BindPtr(p *core.Plan, entity any) (codec.Ptr, error) {
	if g == nil {
		return codec.PtrTo(entity), nil
	}
	own, err := g.Bind(p, reflect.ValueOf(entity).Elem())
	return codec.PtrOf(own), err
}
