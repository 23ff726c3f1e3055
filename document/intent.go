package document

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// intent lists the chunks of a save: those that it stores, and those that are garbage after it. It
// is stored before the first chunk, and deleted after the last one.
type intent struct {
	State string      `dynamodbav:"doc_state"`
	At    int64       `dynamodbav:"doc_at"` // when it was stored, in milliseconds since 1970
	New   []Reference `dynamodbav:"doc_new,omitempty"`
	Old   []Reference `dynamodbav:"doc_old,omitempty"`
	Log   *Reference  `dynamodbav:"doc_log,omitempty"`

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
	item := c.typed(i.key, reserved.IntentType, attributes)
	c.addExpiry(item, c.intentExpires())
	return c.do(ctx, opSave, op.Action{Verb: op.Put, Item: op.NewContent(item)})
}

// settle returns the update of an open intent to another state.
func (i *intent) settle(state string) op.Action {
	return op.Action{
		Verb: op.Update, Key: i.key, Update: "SET #s = :to", Condition: "#s = :open",
		Names:  map[string]string{"#s": attrState},
		Values: op.Item{":to": text(state), ":open": text(stateOpen)},
		Label:  "the intent of the save",
	}
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// kill makes sure that the save of an open intent can no longer be applied. It reports false if the
// save is applied, or if the intent is gone.
func (s *store) kill(ctx context.Context, operation string, i *intent) (bool, error) {
	kill := i.settle(stateDead)
	kill.Condition = "#s = :open OR #s = :to"
	kill.Idempotent = true
	err := s.do(ctx, operation, kill)
	if errors.Is(err, errs.Condition) {
		return false, nil
	}
	return err == nil, err
}

// forget deletes the chunks that an intent makes garbage, and then the intent.
func (s *store) forget(ctx context.Context, operation string, i *intent, committed bool) error {
	garbage := i.New
	if committed {
		garbage = i.Old
	}
	if i.Log != nil {
		garbage = append(garbage[:len(garbage):len(garbage)], *i.Log)
	}
	if err := s.deleteChunks(ctx, operation, garbage); err != nil {
		return err
	}
	return s.do(ctx, operation, op.Action{Verb: op.Delete, Key: i.key, Idempotent: true})
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

// old reports whether a save of that age is given up.
func (s *store) old(i *intent) bool {
	return s.config.Now().UnixMilli()-i.At >= 2*s.settings.WriteTime.Milliseconds()
}
