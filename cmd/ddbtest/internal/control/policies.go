package control

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
	"github.com/trestledb/trestle/ddbtest"
)

var policyRoutes = []Route{
	read("/policies", listPolicies),
	send(http.MethodPost, "/policies", addPolicy),
}

// Policy restricts an access key, which uses this database, to what an IAM policy allows.
type Policy struct {
	AccessKey string            `json:"accessKey"`
	Document  json.RawMessage   `json:"document"`
	Variables map[string]string `json:"variables,omitempty"` // such as aws:PrincipalTag/tenant
}

// PolicyList has the policies of a database.
type PolicyList struct {
	Policies []Policy `json:"policies"`
}

func (p *Policy) validate(c *call) []strict.Problem {
	if p.AccessKey == "" {
		return nil
	}
	return (&Fork{AccessKey: p.AccessKey}).validate(c)
}

func addPolicy(c *call, p *Policy) (Policy, error) {
	err := c.databases.Restrict(c.db, p.AccessKey, ddbtest.Policy{Document: string(p.Document), Variables: p.Variables})
	var invalid *databases.PolicyError
	if errors.As(err, &invalid) {
		problems := problemsOf(invalid.Unwrap())
		for i := range problems {
			problems[i].Field = "document"
		}
		return Policy{}, badRequest(problems)
	}
	return *p, err
}

func listPolicies(c *call) (PolicyList, error) {
	list := PolicyList{Policies: []Policy{}}
	for _, r := range c.databases.Restricted(c.db) {
		list.Policies = append(list.Policies, Policy{r.AccessKey, json.RawMessage(r.Policy.Document), r.Policy.Variables})
	}
	return list, nil
}
