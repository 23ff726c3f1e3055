package serverbench

import (
	"fmt"
	"strings"
)

const (
	items      = 10_000 // in the table
	partition  = 100    // items with the same partition key
	pageSize   = 20
	actions    = 4   // of a transaction
	itemLength = 300 // every item is at least as long
	variants   = 512 // different requests of a task
)

const createTable = `{"TableName":"bench","BillingMode":"PAY_PER_REQUEST",
	"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}]}`

func keyOf(i int) string {
	return fmt.Sprintf(`"PK":{"S":"CUSTOMER#%d"},"SK":{"S":"ORDER#%08d"}`, i/partition, i)
}

func itemOf(i int) string {
	return fmt.Sprintf(`{%s,"status":{"S":"delivered"},"total":{"N":"%d.99"},"placed_at":{"S":"2026-08-17T10:11:12Z"},`+
		`"version":{"N":"7"},"email":{"S":"customer%d@example.com"},"note":{"S":"%s"}}`,
		keyOf(i), i, i, strings.Repeat("thirty bytes of a text, about ", 5))
}

// task is a request about the i-th item.
type task struct {
	name, operation string
	least           int64
	body            func(i int) string
}

var tasks = []task{
	{"put", "PutItem", 2, func(i int) string { return `{"TableName":"bench","Item":` + itemOf(i) + `}` }},
	{"get", "GetItem", itemLength, func(i int) string { return `{"TableName":"bench","Key":{` + keyOf(i) + `}}` }},
	{"query", "Query", pageSize * itemLength, func(i int) string {
		return fmt.Sprintf(`{"TableName":"bench","KeyConditionExpression":"PK = :p","Limit":%d,`+
			`"ExpressionAttributeValues":{":p":{"S":"CUSTOMER#%d"}}}`, pageSize, i/partition)
	}},
	{"transaction", "TransactWriteItems", 2, func(i int) string {
		var puts []string
		for k := range actions {
			puts = append(puts, `{"Put":{"TableName":"bench","Item":`+itemOf((i+k*items/actions)%items)+`}}`)
		}
		return `{"TransactItems":[` + strings.Join(puts, ",") + `]}`
	}},
}

// requests returns requests of the task that access items all over the table.
func (t *task) requests(address string) []*request {
	made := make([]*request, variants)
	for i := range made {
		made[i] = newRequest(address, t.operation, t.least, t.body(i*7919%items))
	}
	return made
}

// prepare creates the table and puts the items.
func prepare(address string) error {
	c, err := dial(address)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.do(newRequest(address, "CreateTable", 2, createTable)); err != nil {
		return err
	}
	for i := range items {
		if _, err := c.do(newRequest(address, "PutItem", 2, tasks[0].body(i))); err != nil {
			return err
		}
	}
	return nil
}
