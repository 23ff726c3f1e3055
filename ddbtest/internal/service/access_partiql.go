package service

import (
	"strconv"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/partiql"
	"github.com/trestledb/trestle/ddbtest/internal/policy"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// addStatement adds the access of a statement of PartiQL. Enclosing is the operation of a
// transaction, or "". The error is that of a statement that cannot be parsed.
func (b *accessBuilder) addStatement(text string, parameters []value.Value, capacity, enclosing string) error {
	a, err := partiql.Describe(b.state, text, parameters)
	if err != nil {
		return err
	}
	var index *string
	if a.Index != "" {
		index = &a.Index
	}
	k := keys{policy.ReturnConsumedCapacity: {orNone(capacity)}}
	addLeadingKeys(k, b.partition(a.TableName, index), a.Partitions)
	for _, name := range a.Attributes {
		addTo(k, policy.Attributes, name)
	}
	switch a.Action {
	case "PartiQLSelect":
		k[policy.FullTableScan] = []string{strconv.FormatBool(a.Scan)}
		k[policy.Select] = []string{selectOf("", index != nil, a.Specific)}
	case "PartiQLUpdate", "PartiQLDelete":
		k[policy.ReturnValues] = []string{orNone(a.Returning)}
	}
	if enclosing != "" {
		k[policy.EnclosingOperation] = []string{enclosing}
	}
	b.add(a.Action, a.TableName, k)
	if index != nil {
		b.list[len(b.list)-1].Resource += "/index/" + a.Index
	}
	return nil
}

// RunsAs returns the operation as which a request of PartiQL runs, such as "Scan". It is "" for
// other requests, and for a statement that is invalid.
func (r *Request) RunsAs(s *store.State) string {
	switch in := r.input.(type) {
	case *api.ExecuteStatementInput:
		return partiql.RunsAs(s, in)
	case *api.BatchExecuteStatementInput:
		return partiql.BatchRunsAs(in)
	case *api.ExecuteTransactionInput:
		return partiql.TransactionRunsAs(in)
	default:
		return ""
	}
}

// IsPartiQL reports whether the request has statements of PartiQL.
func (r *Request) IsPartiQL() bool {
	switch r.input.(type) {
	case *api.ExecuteStatementInput, *api.BatchExecuteStatementInput, *api.ExecuteTransactionInput:
		return true
	default:
		return false
	}
}
