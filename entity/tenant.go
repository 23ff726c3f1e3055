package entity

import "github.com/trestledb/trestle/internal/tenancy"

// Tenant returns a handle of the table that is bound to one tenant. It is cheap: make it for each
// request, from the verified identity of the caller. It needs types with the role tenant (see
// [Key]), and works with all packages of the library:
//
//	photos := Photos.In(table.Tenant(user.TenantID))
//
// On the handle, an empty tenant of an entity or an example is the handle's own. An entity of
// another tenant is refused with [trestle.ErrTenant] before anything is sent. A put sets the tenant
// of the caller's entity if it succeeds. Types without a tenant, scans, and operations on the whole
// table such as Create, CheckItems or Reindex are refused with [trestle.ErrInvalid]; so are
// transactions, batches and other calls that mix handles of two tenants or tables, or a handle and
// the table.
//
// Every request is checked once more just before it is sent, independently of what planned it: all
// its keys must be of the tenant, those of indexes included. Every item, start key and unprocessed
// key that DynamoDB returns is checked too: its keys, and the field with the role tenant, if the
// reply has it. The error is [trestle.ErrTenant], its Key is the key of the item, as far as the
// reply has it, and nothing of the reply is returned. Such an item was written by another program,
// or without the library. The checks cost no units. A count has less to check: see query.Count.
//
// Cursors are bound to the tenant, and idempotency tokens differ between tenants. Unique values and
// package shard's counters are those of the tenant. A handle does not restrict what the program's
// credentials can do: TenantPolicy of package schema returns an IAM policy that does.
//
// The tenant is a text as the fields with the role tenant write it. Every operation returns
// [trestle.ErrInvalid] if it is empty or not valid UTF-8, if it takes more than 1000 bytes in a
// key, if a key holds it unescaped and it contains the delimiter, if no type has a tenant, or if t
// is a handle of another tenant.
func (t *Table) Tenant(id string) *Table {
	if t.opened() != nil {
		return t
	}
	own := *t
	if own.view.Err == nil {
		own.view.Err = tenancy.Check(t.view.Schema, t.view.Exec.Tenant, id)
	}
	own.view.Exec.Tenant = tenancy.New(t.view.Schema, t.view.Exec.Table, id)
	return &own
}
