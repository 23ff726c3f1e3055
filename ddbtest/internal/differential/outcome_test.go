package differential

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// outcome is the result of an operation on one engine, in a comparable form.
type outcome struct {
	code     string             // error code; "" if there is no error
	message  string             // error message, for reports; not compared
	facts    map[string]string  // content of the reply, by name
	capacity map[string]float64 // units, by table and index
	page     *page              // of a query or a scan

	// The attributes that a write returned.
	attributes item
}

// page is one page of a query or a scan.
type page struct {
	items          []item
	count, scanned int
	last           item // LastEvaluatedKey, or nil
}

const (
	codeUnknown    = "no answer of the service"
	codeValidation = "ValidationException"
	codeCanceled   = "TransactionCanceledException"
	codeCondition  = "ConditionalCheckFailedException"
)

// serverErrors are the codes of server failures.
var serverErrors = []string{codeUnknown, "InternalFailure", "InternalServerError"}

func (o outcome) failed() bool { return o.code != "" }

// outcomeOf converts a reply or an error.
func (s spelling) outcomeOf(reply any, err error) outcome {
	o := outcome{facts: map[string]string{}, capacity: map[string]float64{}}
	if err != nil {
		s.readError(&o, err)
		return o
	}
	switch r := reply.(type) {
	case *dynamodb.PutItemOutput:
		s.readWrite(&o, r.Attributes, r.ConsumedCapacity, r.ItemCollectionMetrics)
	case *dynamodb.UpdateItemOutput:
		s.readWrite(&o, r.Attributes, r.ConsumedCapacity, r.ItemCollectionMetrics)
	case *dynamodb.DeleteItemOutput:
		s.readWrite(&o, r.Attributes, r.ConsumedCapacity, r.ItemCollectionMetrics)
	case *dynamodb.GetItemOutput:
		o.facts["Item"] = s.item(r.Item)
		o.charge(r.ConsumedCapacity)
	case *dynamodb.QueryOutput:
		o.page = &page{items: r.Items, count: int(r.Count), scanned: int(r.ScannedCount), last: r.LastEvaluatedKey}
		o.charge(r.ConsumedCapacity)
	case *dynamodb.ScanOutput:
		o.page = &page{items: r.Items, count: int(r.Count), scanned: int(r.ScannedCount), last: r.LastEvaluatedKey}
		o.charge(r.ConsumedCapacity)
	default:
		s.readSeveral(&o, reply)
	}
	return o
}

func (s spelling) readSeveral(o *outcome, reply any) {
	switch r := reply.(type) {
	case *dynamodb.BatchGetItemOutput:
		for table, items := range r.Responses {
			o.facts["Responses "+table] = strings.Join(s.sorted(items), " ")
		}
		o.facts[factUnprocessed] = fmt.Sprint(len(r.UnprocessedKeys))
		o.charges(r.ConsumedCapacity)
	case *dynamodb.BatchWriteItemOutput:
		o.facts["UnprocessedItems"] = fmt.Sprint(len(r.UnprocessedItems))
		s.readMetrics(o, r.ItemCollectionMetrics)
		o.charges(r.ConsumedCapacity)
	case *dynamodb.TransactGetItemsOutput:
		for i, response := range r.Responses {
			o.facts[fmt.Sprintf("Responses[%d]", i)] = s.item(response.Item)
		}
		o.charges(r.ConsumedCapacity)
	case *dynamodb.TransactWriteItemsOutput:
		s.readMetrics(o, r.ItemCollectionMetrics)
		o.charges(r.ConsumedCapacity)
	default:
		readTable(o, reply)
	}
}

// factUnprocessed is the name of the fact with the number of tables with unprocessed keys.
const factUnprocessed = "UnprocessedKeys"

func (s spelling) readWrite(o *outcome, attributes item, consumed *types.ConsumedCapacity, metrics *types.ItemCollectionMetrics) {
	o.attributes, o.facts[factAttributes] = attributes, s.item(attributes)
	if metrics != nil {
		o.facts[factMetrics] = s.item(metrics.ItemCollectionKey)
	}
	o.charge(consumed)
}

// factAttributes is the name of the fact with the attributes that a write returned.
const factAttributes = "Attributes"

// factMetrics is the prefix of the names of facts about item collections.
const factMetrics = "ItemCollectionMetrics"

func (s spelling) readMetrics(o *outcome, byTable map[string][]types.ItemCollectionMetrics) {
	for table, all := range byTable {
		var keys []item
		for _, metrics := range all {
			keys = append(keys, metrics.ItemCollectionKey)
		}
		o.facts[factMetrics+" "+table] = strings.Join(s.sorted(keys), " ")
	}
}

// sorted formats items whose order has no meaning.
func (s spelling) sorted(items []item) []string {
	all := s.items(items)
	slices.Sort(all)
	return all
}

func (s spelling) items(items []item) []string {
	all := make([]string, 0, len(items))
	for _, it := range items {
		all = append(all, s.item(it))
	}
	return all
}

func (s spelling) readError(o *outcome, err error) {
	o.code, o.message = codeUnknown, err.Error()
	var failure smithy.APIError
	if errors.As(err, &failure) {
		o.code, o.message = failure.ErrorCode(), failure.ErrorMessage()
	}
	var condition *types.ConditionalCheckFailedException
	if errors.As(err, &condition) {
		o.facts["Item"] = s.item(condition.Item)
	}
	var canceled *types.TransactionCanceledException
	if errors.As(err, &canceled) {
		codes := make([]string, 0, len(canceled.CancellationReasons))
		for i, reason := range canceled.CancellationReasons {
			codes = append(codes, aws.ToString(reason.Code))
			if reason.Item != nil {
				o.facts[fmt.Sprintf("reason %d: Item", i)] = s.item(reason.Item)
			}
		}
		o.facts[factReasons] = strings.Join(codes, " ")
	}
}

// factReasons is the name of the fact with the codes of the cancellation reasons, in order.
const factReasons = "CancellationReasons"
