package document

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// intent lists the chunks of a save: those that it stores, and those that are garbage after it. It
// is stored before the first chunk. It stays as long as one of these chunks may still be stored, so
// that Clean finds the chunk. So it is deleted by the save itself, if the save knows what has
// become of its chunks, or by a program that finds that the save is applied, or old.
type intent struct {
	State string      `dynamodbav:"doc_state"`
	At    int64       `dynamodbav:"doc_at"` // when it was stored, in milliseconds since 1970
	New   []Reference `dynamodbav:"doc_new,omitempty"`
	Old   []Reference `dynamodbav:"doc_old,omitempty"`
	Log   *Reference  `dynamodbav:"doc_log,omitempty"`
	// Creates tells that the save is of a new document. A deletion of the document that is stored
	// does not give up the save.
	Creates bool `dynamodbav:"doc_creates,omitempty"`

	key op.Item
}

// The states of an intent. Only an open one can become done or dead.
const (
	stateOpen = "open"
	stateDone = "done" // the save is applied
	stateDead = "dead" // the save can no longer be applied

	attrState = "doc_state"
)

var intents, _ = codec.Compile(typeOfIntent)

func (s *store) intentKey(rootKey op.Item, revision string) op.Item {
	sort := s.schema.WithTenant(s.schema.Sort.Name, s.config.Tenant.ID(), reserved.Prefix+"#"+revision)
	return op.Item{
		s.schema.Partition.Name: core.KeyValue(s.schema.Partition.Type, s.intentPartition(rootKey)),
		s.schema.Sort.Name:      core.KeyValue(s.schema.Sort.Type, sort),
	}
}

func (s *store) intentPartition(rootKey op.Item) string {
	own := reserved.IntentPartition(s.root.plan.Name, s.schema.Identity(core.NewRow(rootKey)))
	return s.schema.WithTenant(s.schema.Partition.Name, s.config.Tenant.ID(), own)
}

// putIntent stores an intent. It is not sent again after a lost reply: a late request would open
// the intent again after it is done and deleted, and Clean would delete the chunks of the document.
func (c *changes) putIntent(ctx context.Context, i *intent) error {
	attributes := op.Item{}
	if err := intents.Encode(codec.PtrTo(i), attributes); err != nil {
		return err
	}
	item := c.schema.OwnItem(reserved.IntentType, i.key, attributes)
	c.addExpiry(item, c.intentExpires())
	return c.do(ctx, opSave, op.Action{Verb: op.Put, Item: op.NewContent(item)})
}

// settle returns the update of an open intent to another state.
func (i *intent) settle(state string) op.Action {
	a := op.Action{
		Verb: op.Update, Key: i.key, Label: "the intent of the save",
		Clauses: []clause.Clause{condition(clause.Value(attrState, text(stateOpen)))},
	}
	a.Change().ChangeAttribute(expr.Set, attrState, text(state))
	return a
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// kill makes sure that the save of an open intent can no longer be applied. It returns the state
// that the intent then has: dead, done if the save is applied, or "" if there is no intent.
func (s *store) kill(ctx context.Context, operation string, i *intent) (state string, err error) {
	kill := i.settle(stateDead)
	kill.Clauses = []clause.Clause{condition(&clause.State{Attribute: attrState, Values: []core.AV{text(stateOpen), text(stateDead)}})}
	kill.Idempotent = true
	err = s.do(ctx, operation, kill)
	var failed *exec.ConditionFailure
	switch {
	case err == nil:
		return stateDead, nil
	case !errors.As(err, &failed):
		return "", err
	}
	if is, ok := failed.Existing[attrState].(*types.AttributeValueMemberS); ok {
		state = is.Value
	}
	return state, nil
}

// garbage returns the chunks that an intent makes garbage.
func (i *intent) garbage(committed bool) []Reference {
	garbage := i.New
	if committed {
		garbage = i.Old
	}
	if i.Log != nil {
		garbage = append(garbage[:len(garbage):len(garbage)], *i.Log)
	}
	return garbage
}

// forget deletes the chunks that an intent makes garbage, and then the intent unless it is kept.
func (s *store) forget(ctx context.Context, operation string, i *intent, committed, keep bool) error {
	if err := s.deleteChunks(ctx, operation, i.garbage(committed)); err != nil || keep {
		return err
	}
	return s.deleteIntent(ctx, operation, i.key)
}

func (s *store) deleteIntent(ctx context.Context, operation string, key op.Item) error {
	return s.do(ctx, operation, op.Action{Verb: op.Delete, Key: key, Idempotent: true})
}

// settle gives up the saves of some intents that are not applied, and deletes the garbage of all of
// these. It keeps the intent of a save that may still run, because this save may store more chunks.
func (s *store) settle(ctx context.Context, operation string, list []*intent, which func(*intent) bool) error {
	for _, i := range list {
		if !which(i) {
			continue
		}
		committed := i.State == stateDone
		if !committed {
			state, err := s.kill(ctx, operation, i)
			if err != nil {
				return err
			}
			if state != stateDead {
				continue // applied meanwhile, or settled by another program
			}
		}
		if err := s.forget(ctx, operation, i, committed, !committed && !s.old(i)); err != nil {
			return err
		}
	}
	return nil
}

// listIntents reads the intents of a document, strongly consistent.
func (s *store) listIntents(ctx context.Context, operation string, rootKey op.Item) (list []*intent, err error) {
	call := exec.NewCall(s.config, trestle.OperationInfo{Operation: operation, Table: s.config.Table}, s.plan, trestle.NoWrite)
	in := &dynamodb.QueryInput{
		TableName: &s.config.Table, ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		KeyConditionExpression: aws.String("#p = :p"), ExpressionAttributeNames: map[string]string{"#p": s.schema.Partition.Name},
		ExpressionAttributeValues: op.Item{":p": core.KeyValue(s.schema.Partition.Type, s.intentPartition(rootKey))},
	}
	err = call.Observe(ctx, func(ctx context.Context) error {
		for more := true; more; more = len(in.ExclusiveStartKey) > 0 {
			r := s.config.Page(ctx, in, nil)
			if err := call.Account(&r); err != nil {
				return err
			}
			for n := range r.Rows.Len() {
				i := &intent{key: s.schema.KeyOf(r.Rows.At(n))}
				if err := intents.Decode(r.Rows.At(n).Item(), codec.PtrTo(i), nil); err != nil {
					return call.Fail(errs.Undecodable(err))
				}
				list = append(list, i)
			}
			in.ExclusiveStartKey = r.Last
		}
		return nil
	})
	return list, err
}

// settled reports whether Clean settles an intent: its save is applied, or old. A dead one may have
// a program that still stores chunks, until it is old.
func (s *store) settled(i *intent) bool { return i.State == stateDone || s.old(i) }

// old reports whether a save of that age is given up.
func (s *store) old(i *intent) bool {
	return s.config.Now().UnixMilli()-i.At >= 2*s.settings.WriteTime.Milliseconds()
}
