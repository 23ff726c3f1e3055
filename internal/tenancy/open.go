package tenancy

import (
	"strings"
	"unicode/utf8"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/reserved"
)

// maxStart is the maximum length of the literal and the tenant in bytes, as they are in keys.
const maxStart = 1000

// Check reports why a schema cannot have a handle of a tenant. bound is the handle that it is made
// from, or nil.
func Check(s *core.Schema, bound *Guard, tenant string) error {
	var wrong errs.Problems
	if s.TenantKey(s.Partition.Name) == nil {
		wrong.Add("", "no type of the schema has a tenant", "give the fields that hold it the role tenant")
	}
	if bound != nil && bound.tenant != tenant {
		wrong.Add("", "the handle is that of another tenant", "make it from the table that Schema.Open returned")
	}
	if tenant == "" || !utf8.ValidString(tenant) {
		wrong.Add("", "the tenant is empty or not valid UTF-8", "use the ID of a tenant")
	}
	for i := range s.Tenants {
		checkKey(&s.Tenants[i], tenant, &wrong)
	}
	return wrong.Err()
}

// checkKey reports why a key attribute cannot start with the tenant.
func checkKey(k *core.TenantKey, tenant string, wrong *errs.Problems) {
	if len(k.Start(tenant)) > maxStart {
		wrong.Add(k.Name, "the tenant takes more than 1000 bytes of the key", "use a shorter ID")
	}
	if !k.Escaped && (strings.Contains(tenant, k.Delimiter) || strings.HasPrefix(tenant, reserved.Prefix)) {
		wrong.Add(k.Name, "the key holds the tenant unescaped, and the tenant contains the delimiter or starts with $U", "use another ID")
	}
}
