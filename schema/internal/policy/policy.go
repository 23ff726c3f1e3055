// Package policy makes the IAM policy of a tenant.
package policy

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/tenancy"
)

// document is an IAM policy document.
type document struct {
	Version   string
	Statement []statement
}

type statement struct {
	Sid, Effect string
	Action      []string
	Resource    string
	Condition   map[string]map[string]any
}

// The actions of the library on items. The keys of transactions are evaluated for the actions of
// their parts.
var (
	tableActions = []string{
		"dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem",
		"dynamodb:BatchWriteItem", "dynamodb:ConditionCheckItem",
	}
	indexActions = []string{"dynamodb:Query"}
)

const leadingKeys = "dynamodb:LeadingKeys"

// Of returns the IAM policy document that allows one tenant's keys of a table, and what it
// cannot restrict. The tenant is a text, or else the value of a policy variable, such as
// aws:PrincipalTag/tenant.
func Of(s *core.Schema, arn, tenant, variable string) (text string, limits []string, err error) {
	var wrong errs.Problems
	checkARN(arn, &wrong)
	switch {
	case (tenant == "") == (variable == ""):
		wrong.Add("", "not exactly one of the tenant and the policy variable is given", "set one of them")
	case tenant != "":
		wrong.AddErr("", tenancy.Check(s, nil, tenant))
	case !isVariable(variable):
		wrong.Add("Variable", "it is no policy variable", "such as aws:PrincipalTag/tenant, without ${ and }")
	}
	if s.TenantKey(s.Partition.Name) == nil && tenant == "" {
		wrong.Add("", "no type of the schema has a tenant", "give the fields that hold it the role tenant")
	}
	if err := wrong.Err(); err != nil {
		return "", nil, err
	}
	d := document{Version: "2012-10-17"}
	add := func(sid string, actions []string, resource string, k *core.TenantKey) {
		values, ok := valuesOf(k, tenant, variable)
		if !ok {
			wrong.Add(k.Name, "a policy cannot hold the tenant, because it has a character above U+00FF or a control character", "use other IDs, or the policy variable of a tag with them")
		}
		d.Statement = append(d.Statement, statement{Sid: sid, Effect: "Allow", Action: actions, Resource: resource, Condition: map[string]map[string]any{
			"ForAllValues:StringLike": {leadingKeys: values},
			"Null":                    {leadingKeys: "false"},
		}})
	}
	add("Table", tableActions, arn, s.TenantKey(s.Partition.Name))
	for i, x := range s.Indexes {
		if k := s.TenantKey(x.Partition[0].Name); k != nil {
			add("Index"+strconv.Itoa(i+1), indexActions, arn+"/index/"+x.Name, k)
		}
	}
	if err := wrong.Err(); err != nil {
		return "", nil, err
	}
	text, err = encode(d)
	return text, limitsOf(s, variable), err
}

// encode returns the document with its characters as they are, because IAM counts them.
func encode(d document) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(d)
	return b.String(), err
}

// checkARN adds the problems of the ARN of a table.
func checkARN(arn string, wrong *errs.Problems) {
	parts := strings.SplitN(arn, ":", 6)
	table, ok := strings.CutPrefix(parts[len(parts)-1], "table/")
	if !ok || len(parts) != 6 || parts[0] != "arn" || parts[2] != "dynamodb" || table == "" || strings.ContainsAny(table, "*?/$") {
		wrong.Add("TableARN", "it is not the ARN of one table", "such as arn:aws:dynamodb:eu-north-1:123456789012:table/app-prod")
	}
}

// isVariable reports whether a text is the name of a policy variable.
func isVariable(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:/_.+=@-") == ""
}

// valuesOf returns the patterns for the keys of a tenant: the start of the key alone, and with more
// after the delimiter. ok is false if a policy cannot hold them.
func valuesOf(k *core.TenantKey, tenant, variable string) (values []string, ok bool) {
	start, ok := pattern(k.Start(tenant))
	if variable != "" {
		start, ok = pattern(k.Literal)
		start += "${" + variable + "}"
	}
	delimiter, _ := pattern(k.Delimiter) // printable ASCII
	return []string{start, start + delimiter + "*"}, ok
}

// pattern returns a text as a pattern that matches only this text. ok is false if the text has a
// character that policies cannot have.
func pattern(text string) (escaped string, ok bool) {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '*', r == '?', r == '$':
			b.WriteString("${" + string(r) + "}")
		case r == '\t', r == '\n', r == '\r', r >= 0x20 && r <= 0xff:
			b.WriteRune(r)
		default:
			return "", false
		}
	}
	return b.String(), true
}

// limitsOf returns what a policy does not restrict.
func limitsOf(s *core.Schema, variable string) []string {
	list := []string{
		"A write can store an item with an index key of another tenant, whose queries of the index then return it: DynamoDB compares only the table's key of a write. The handle of a tenant checks both.",
		"Scans and PartiQL are not allowed. Neither are the table's other operations, such as DescribeTable, streams, exports and backups: a program with one of these permissions reads the items of all tenants.",
		"Items without a tenant are not allowed, such as those of types without the role tenant.",
		"It must not be attached to the service role of a global table.",
	}
	for _, x := range s.Indexes {
		if s.TenantKey(x.Partition[0].Name) == nil {
			list = append(list, "Index "+x.Name+" is not allowed, because its keys do not start with a tenant.")
		}
	}
	if variable != "" {
		list = append(list, "The policy variable is compared as it is: tenants that keys hold in another form have no access (those with a space, #, $ or a control character, in escaped keys), and no value of it may contain *, ? or the delimiter.")
	}
	return list
}
