package schema

import (
	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/repo"
	"github.com/trestledb/trestle/schema/internal/policy"
)

// PolicyConfig selects the table and the tenant of a [Policy].
type PolicyConfig struct {
	TableARN string // such as arn:aws:dynamodb:eu-north-1:123456789012:table/app-prod
	// Tenant is the tenant, or Variable is the IAM policy variable that has it, such as
	// aws:PrincipalTag/tenant, for one policy of all tenants. Set one of them.
	Tenant, Variable string
}

// Policy is an IAM policy for the programs of one tenant.
type Policy struct {
	Document string   // the policy document, in JSON
	Limits   []string // what the policy does not restrict, one sentence or two each
}

// TenantPolicy returns the IAM policy that allows the items of one tenant: the actions on items in
// the table, and queries of each index whose keys start with the tenant. It restricts what
// [entity.Table.Tenant] does not, such as a program that uses the SDK's client. Attach it to the
// role or the session that serves the tenant.
//
// The condition compares dynamodb:LeadingKeys with the start of the tenant's keys, alone and before
// the delimiter, so that the tenant 1 cannot read the keys of 10. It also requires that the request
// has keys. The characters *, ? and $ of a tenant match only themselves.
//
// The policy names every index of the schema. Before a program queries a new index, attach the
// policy of the new schema.
//
// It cannot restrict everything: Limits of the result lists what. Above all, an item that is
// written can have an index key of another tenant.
//
// Errors: a [*trestle.DefinitionError] for an invalid schema, and [trestle.ErrInvalid] with all
// other mistakes. A policy can hold the characters U+0020 to U+00FF, tabs and line breaks only:
// other tenants are an error. It sends nothing.
func TenantPolicy(s *entity.Schema, c PolicyConfig) (Policy, error) {
	if err := s.Err(); err != nil {
		return Policy{}, err
	}
	text, limits, err := policy.Of(hooks.SchemaOf(s).Schema, c.TableARN, c.Tenant, c.Variable)
	if err != nil {
		return Policy{}, repo.Invalid("policy", nil, trestle.NoWrite, err)
	}
	return Policy{text, limits}, nil
}
