package explore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// errorCode returns the code of an error reply.
func errorCode(body []byte) string {
	var reply struct {
		Type string `json:"__type"`
	}
	if json.Unmarshal(body, &reply) != nil {
		return "no reply"
	}
	_, code, found := strings.Cut(reply.Type, "#")
	if !found {
		return reply.Type
	}
	return code
}

// errorMessage returns the message of an error reply.
func errorMessage(body []byte) string {
	var reply struct{ Message string }
	if json.Unmarshal(body, &reply) != nil {
		return "no message"
	}
	return reply.Message
}

// result describes the reply to a request.
func (r *run) result(s step) string {
	var reply object
	decoder := json.NewDecoder(bytes.NewReader(s.body))
	decoder.UseNumber()
	if s.body == nil || decoder.Decode(&reply) != nil {
		return ""
	}
	key := r.keyNames(text(s.request.body["TableName"]))
	if s.status != http.StatusOK {
		return errorWords(s.body, reply, key)
	}
	switch s.request.name {
	case "GetItem":
		return itemOrNone(reply["Item"], key)
	case "Query", "Scan":
		return pageResult(reply, key)
	case "BatchGetItem", "TransactGetItems":
		return r.itemsResult(s.request, reply)
	case "BatchWriteItem":
		if parts := r.batchWords(object{"RequestItems": reply["UnprocessedItems"]}); parts != "" {
			return "not done: " + parts
		}
		return "done"
	case "PutItem", "UpdateItem", "DeleteItem":
		if item := attributes(reply["Attributes"]); item != nil {
			return "done: " + valueMap(item, key)
		}
		return "done"
	default:
		return "done"
	}
}

func errorWords(body []byte, reply object, key []string) string {
	code := strings.TrimSuffix(errorCode(body), "Exception")
	var reasons []string
	for _, reason := range list(reply["CancellationReasons"]) {
		m, _ := reason.(object)
		reasons = append(reasons, text(m["Code"]))
	}
	if reasons != nil {
		return code + " [" + strings.Join(reasons, ", ") + "]"
	}
	if item := attributes(reply["Item"]); item != nil {
		return code + ": " + valueMap(item, key)
	}
	if code == "Validation" {
		return code + ": " + errorMessage(body)
	}
	return code
}

func itemOrNone(item any, key []string) string {
	if m := attributes(item); len(m) > 0 {
		return valueMap(m, key)
	}
	return "no item"
}

func pageResult(reply object, key []string) string {
	items := list(reply["Items"])
	parts := make([]string, len(items))
	for i, item := range items {
		parts[i] = itemOrNone(item, key)
	}
	words := count(len(items), "item")
	if n, ok := reply["Count"].(json.Number); ok && len(items) == 0 && n != "0" {
		words = n.String() + " counted"
	}
	if len(parts) > 0 {
		words += ": " + strings.Join(parts, " ")
	}
	if attributes(reply["LastEvaluatedKey"]) != nil {
		words += ", more follow"
	}
	return words
}

// itemsResult describes the items of a batch or of a transaction.
func (r *run) itemsResult(q *request, reply object) string {
	var parts []string
	for i, response := range list(reply["Responses"]) {
		m, _ := response.(object)
		parts = append(parts, itemOrNone(m["Item"], r.keyNames(q.parts[i].Table)))
	}
	if tables, ok := reply["Responses"].(object); ok {
		for _, name := range slices.Sorted(maps.Keys(tables)) {
			for _, item := range list(tables[name]) {
				parts = append(parts, itemOrNone(item, r.keyNames(name)))
			}
		}
	}
	words := strings.Join(parts, "; ")
	if words == "" {
		words = "no item"
	}
	undone := 0
	unprocessed, _ := reply["UnprocessedKeys"].(object)
	for _, keys := range unprocessed {
		m, _ := keys.(object)
		undone += len(list(m["Keys"]))
	}
	if undone > 0 {
		words += fmt.Sprintf("; %d not read", undone)
	}
	return words
}
