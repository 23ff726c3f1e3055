package document

import (
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/tenancy"
)

// unbound reports whether the document has a tenant, and the table is that of all tenants.
func (s *store) unbound() bool {
	return s.layout != nil && s.root.plan.Tenant != nil && s.config.Tenant == nil
}

// ofTenant returns the store to read or to report a document. On the table of all tenants, it is
// bound to the tenant of the document's root.
func (s *store) ofTenant(doc any) (*store, error) {
	if s.err != nil || !s.unbound() {
		return s, s.err
	}
	f := s.root.plan.Tenant
	v, err := f.Key(codec.PtrOf(reflect.ValueOf(doc).Elem().Field(s.root.index)))
	switch {
	case err != nil:
		return nil, errs.Wrap(f.Name, err)
	case v.IsAbsent():
		return nil, errs.New(f.Name, "the document has a tenant, and neither the root nor the table names it", "set it in the root, or use table.Tenant(id)")
	}
	if err := tenancy.Check(s.schema, nil, v.Text()); err != nil {
		return nil, err
	}
	own, config, view := *s, *s.config, *s.view
	config.Tenant = tenancy.New(s.schema, config.Table, v.Text())
	view.Exec = config
	own.config, own.view = &config, &view
	return &own, nil
}

var errUnbound = errs.New("", "the document has a tenant, and the table is not bound to one", "write it with table.Tenant(id)")
