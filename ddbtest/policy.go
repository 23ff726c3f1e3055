package ddbtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/policy"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Policy is an identity-based IAM policy for a client: see [DB.WithPolicy].
type Policy struct {
	// Document is the policy document in JSON, of version 2012-10-17.
	Document string
	// Variables has the values of policy variables, by names with a prefix, such as
	// "aws:PrincipalTag/tenant". They are condition keys too. The case of a name does not count. A
	// value must not contain the characters *, ? and $.
	Variables map[string]string
}

// WithPolicy returns an option of [DB.Client]: the client may do only what the policy allows. An
// invalid document fails the test with an error that names the invalid or unsupported element, and
// the client may do nothing.
//
//	client := db.Client(db.WithPolicy(ddbtest.Policy{Document: document}))
//
// A request that the policy does not allow fails with an AccessDeniedException and changes nothing.
// The ARNs have the Region and the account of [Options], "us-east-1" and "123456789012" by default;
// if the policy allows the request for those of another Region or account, the error says so.
// A batch needs its action for each of its tables. A transaction needs GetItem, PutItem,
// UpdateItem, DeleteItem or ConditionCheckItem for each of its actions. An operation on an index
// needs the action for the index.
//
// The condition operators are the string operators, Bool and Null, with IfExists, ForAllValues and
// ForAnyValue. The condition keys are those of DynamoDB and the names of Variables. LeadingKeys has
// the partition key values that the request names: numbers as decimals, binary values in Base64. A
// Scan has none, and ForAllValues is true for it. Select, ReturnValues and ReturnConsumedCapacity
// have the value that DynamoDB uses if the request omits them. Batches and transactions have no
// ReturnValues. EnclosingOperation is present in transactions only.
//
// A statement of PartiQL needs PartiQLSelect, PartiQLInsert, PartiQLUpdate or PartiQLDelete for its
// table or index. FullTableScan is present for a SELECT. A batch with a statement that the policy
// does not allow fails as a whole.
//
// The policy is checked after the request is decoded and before its item is validated. A rule that
// answers before the request is applied comes first. The documentation of DynamoDB does not specify
// this order.
func (db *DB) WithPolicy(p Policy) func(*dynamodb.Options) {
	db.test().Helper()
	credentials := db.PolicyCredentials(p)
	return func(o *dynamodb.Options) { o.Credentials = credentials }
}

// PolicyCredentials returns credentials to which the policy applies, for clients that are made in
// another way: clients of streams, and those of [DB.ServeHTTP]. The policy applies to all requests
// that are signed with them, to the database and to its forks. Another database, which does not
// have the policy, allows nothing.
func (db *DB) PolicyCredentials(p Policy) aws.CredentialsProvider {
	db.test().Helper()
	document, err := policy.Parse([]byte(p.Document), p.Variables)
	if err != nil {
		db.report(fmt.Errorf("the policy is invalid: %w", err))
	}
	key := p.accessKey()
	db.policies.byKey.Store(key, &clientPolicy{document})
	c := aws.Credentials{AccessKeyID: key, SecretAccessKey: "ddbtest", Source: "ddbtest"}
	return aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return c, nil })
}

// clientPolicy is the policy of a client. Without a document, it allows nothing.
type clientPolicy struct{ document *policy.Document }

// policies holds the policies by the access keys of their clients.
type policies struct{ byKey sync.Map }

// policyKey is the beginning of an access key with a policy. A hash of the policy follows.
const policyKey = "DDBTESTPOLICY"

// accessKey returns the access key of a policy. It is the same in every run and in every database,
// so that an access key never stands for another policy.
func (p *Policy) accessKey() string {
	hash := sha256.Sum256(fmt.Appendf(nil, "%q %q", p.Document, p.Variables)) // in the order of their names
	return policyKey + hex.EncodeToString(hash[:])
}

// find returns the policy of the client that signed a request, or nil. Credentials of another
// database allow nothing.
func (p *policies) find(authorization string) *clientPolicy {
	_, credential, _ := strings.Cut(authorization, "Credential=")
	key, found := strings.CutPrefix(credential, policyKey)
	if !found {
		return nil
	}
	hash, _, _ := strings.Cut(key, "/")
	if c, ok := p.byKey.Load(policyKey + hash); ok {
		return c.(*clientPolicy) //nolint:forcetypeassert // the map has nothing else
	}
	return new(clientPolicy)
}

// authorize returns an error if the policy of the client does not allow the request.
func (x *exchange) authorize() error {
	if x.policy == nil {
		return nil
	}
	var accesses []policy.Access
	err := x.db.data.Store.View(func(s *store.State) (err error) {
		accesses, err = x.request.Accesses(x.db.data.Config, s)
		return err
	})
	if err != nil {
		return err
	}
	for i := range accesses {
		if err := x.policy.check(x.db, &accesses[i]); err != nil {
			return err
		}
	}
	return nil
}

// check returns an error if the policy does not allow the access.
func (p *clientPolicy) check(db *DB, a *policy.Access) error {
	decision := policy.NotAllowed
	if p.document != nil {
		decision = p.document.Decide(a)
	}
	reason := "because no identity-based policy allows the " + a.Action + " action"
	switch decision {
	case policy.Allowed:
		return nil
	case policy.Denied:
		reason = "with an explicit deny in an identity-based policy"
	case policy.NotAllowed:
		if p.document != nil && p.document.AllowedElsewhere(a) {
			reason += fmt.Sprintf(" (ddbtest: it allows it for ARNs of another Region or account. This database has the Region %s and the account %s: "+
				"write them, or *, into the ARNs of the policy, or open a database that has the others)", db.options.Region, db.options.Account)
		}
	}
	return awserr.New("AccessDeniedException", "User: arn:aws:sts::%s:assumed-role/ddbtest/ddbtest is not authorized to perform: %s on resource: %s %s",
		db.options.Account, a.Action, a.Resource, reason)
}
