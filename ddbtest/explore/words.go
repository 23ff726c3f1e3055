package explore

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// object is a JSON object.
type object = map[string]any

// words describes a request as its author would: the operation, the table, the key as the table
// names it, the changes and the condition, with placeholders replaced.
func (r *run) words(q *request) string {
	if q == nil {
		return ""
	}
	switch q {
	case beginOperation:
		return "calls the operation"
	case endOfClient:
		return "ends"
	}
	b := q.body
	switch q.name {
	case "GetItem", "PutItem", "UpdateItem", "DeleteItem":
		return q.name + " " + r.itemWords(b) + consistently(b)
	case "Query", "Scan":
		return q.name + " " + r.pageWords(b)
	case "BatchGetItem", "BatchWriteItem":
		return q.name + " " + r.batchWords(b)
	case "TransactGetItems", "TransactWriteItems":
		return q.name + " " + r.transactionWords(b)
	default:
		name, _ := b["TableName"].(string)
		return strings.TrimSpace(q.name + " " + name)
	}
}

// itemWords describes a request for one item, or one action of a transaction.
func (r *run) itemWords(b object) string {
	table, legacy := text(b["TableName"]), legacyWordsOf(b)
	parts := []string{table}
	if key := attributes(b["Key"]); key != nil {
		parts = append(parts, pairs(key, r.keyNames(table)))
	}
	if item := attributes(b["Item"]); item != nil {
		parts = append(parts, valueMap(item, r.keyNames(table)))
	}
	if projection := expressionOr(b, "ProjectionExpression", legacy.projection); projection != "" {
		parts = append(parts, "RETURN "+projection)
	}
	if update := expressionOr(b, "UpdateExpression", legacy.update); update != "" {
		parts = append(parts, update)
	}
	if condition := expressionOr(b, "ConditionExpression", legacy.condition); condition != "" {
		parts = append(parts, "IF "+condition)
	}
	return strings.Join(parts, " ")
}

func consistently(b object) string {
	if b["ConsistentRead"] == true {
		return ", consistent"
	}
	return ""
}

// pageWords describes a query or a scan.
func (r *run) pageWords(b object) string {
	source := text(b["TableName"])
	if index := text(b["IndexName"]); index != "" {
		source += "/" + index
	}
	parts, legacy := []string{source}, legacyWordsOf(b)
	if condition := expressionOr(b, "KeyConditionExpression", legacy.keyCondition); condition != "" {
		parts = append(parts, condition)
	}
	if filter := expressionOr(b, "FilterExpression", legacy.filter); filter != "" {
		parts = append(parts, "FILTER "+filter)
	}
	if start := attributes(b["ExclusiveStartKey"]); start != nil {
		parts = append(parts, "AFTER "+pairs(start, r.keyNames(text(b["TableName"]))))
	}
	if projection := expressionOr(b, "ProjectionExpression", legacy.projection); projection != "" {
		parts = append(parts, "RETURN "+projection)
	}
	if text(b["Select"]) == "COUNT" {
		parts = append(parts, "COUNT")
	}
	if b["ScanIndexForward"] == false {
		parts = append(parts, "DESC")
	}
	if limit, ok := b["Limit"].(json.Number); ok {
		parts = append(parts, "LIMIT "+limit.String())
	}
	return strings.Join(parts, " ") + consistently(b)
}

// batchWords describes the parts of a batch.
func (r *run) batchWords(b object) string {
	tables, _ := b["RequestItems"].(object)
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		if read, ok := tables[name].(object); ok {
			for _, key := range list(read["Keys"]) {
				parts = append(parts, name+" "+pairs(attributes(key), r.keyNames(name)))
			}
		}
		for _, write := range list(tables[name]) {
			w, _ := write.(object)
			if put, ok := w["PutRequest"].(object); ok {
				parts = append(parts, "put "+name+" "+valueMap(attributes(put["Item"]), r.keyNames(name)))
			}
			if del, ok := w["DeleteRequest"].(object); ok {
				parts = append(parts, "delete "+name+" "+pairs(attributes(del["Key"]), r.keyNames(name)))
			}
		}
	}
	return strings.Join(parts, "; ")
}

// transactionWords describes the actions of a transaction.
func (r *run) transactionWords(b object) string {
	verbs := map[string]string{"ConditionCheck": "check", "Put": "put", "Update": "update", "Delete": "delete", "Get": "get"}
	var parts []string
	for _, item := range list(b["TransactItems"]) {
		actions, _ := item.(object)
		for _, name := range slices.Sorted(maps.Keys(actions)) {
			if action, ok := actions[name].(object); ok {
				parts = append(parts, strings.TrimSpace(verbs[name]+" "+r.itemWords(action)))
			}
		}
	}
	return strings.Join(parts, "; ")
}

// expressionOr returns an expression of the request, or the words of legacy parameters if it has
// none.
func expressionOr(b object, member, legacy string) string {
	if expression := text(b[member]); expression != "" {
		return replaced(expression, b)
	}
	return legacy
}

// replaced returns an expression with the names and values of its placeholders.
func replaced(expression string, b object) string {
	names, _ := b["ExpressionAttributeNames"].(object)
	values := attributes(b["ExpressionAttributeValues"])
	var out strings.Builder
	for i := 0; i < len(expression); {
		c := expression[i]
		if c != '#' && c != ':' {
			out.WriteByte(c)
			i++
			continue
		}
		end := i + 1
		for end < len(expression) && isWordByte(expression[end]) {
			end++
		}
		placeholder := expression[i:end]
		if name, ok := names[placeholder]; ok {
			out.WriteString(text(name))
		} else if v, ok := values[placeholder]; ok {
			out.WriteString(valueText(v))
		} else {
			out.WriteString(placeholder)
		}
		i = end
	}
	return out.String()
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// attributes returns the attributes of an item, or nil.
func attributes(v any) object {
	m, _ := v.(object)
	return m
}

// keyNames returns the names of the attributes of a table's key, in their order.
func (r *run) keyNames(table string) []string {
	schema, _ := keySchema(r.db, table)
	var names []string
	for _, a := range schema.All() {
		names = append(names, a.Name)
	}
	return names
}

// ordered returns the names of attributes: those of the key, then the others in the order of their
// names.
func ordered(m object, key []string) []string {
	var names []string
	for _, name := range key {
		if m[name] != nil {
			names = append(names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if !slices.Contains(key, name) {
			names = append(names, name)
		}
	}
	return names
}

// pairs returns attributes such as pk="a" sk=1.
func pairs(m object, key []string) string {
	var parts []string
	for _, name := range ordered(m, key) {
		parts = append(parts, name+"="+valueText(m[name]))
	}
	return strings.Join(parts, " ")
}

// valueMap returns attributes such as {pk: "a", sk: 1}.
func valueMap(m object, key []string) string {
	var parts []string
	for _, name := range ordered(m, key) {
		parts = append(parts, name+": "+valueText(m[name]))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// valueText returns an attribute value in its JSON form, such as {"S": "a"}, as text.
func valueText(v any) string {
	m, _ := v.(object)
	for kind, x := range m {
		switch kind {
		case "S":
			return fmt.Sprintf("%q", text(x))
		case "N":
			return text(x)
		case "B":
			return "binary " + text(x)
		case "BOOL":
			return fmt.Sprint(x)
		case "NULL":
			return "null"
		case "M":
			return valueMap(attributes(x), nil)
		case "L":
			return elements("[", list(x), valueText, "]")
		case "SS":
			return elements("<", list(x), func(e any) string { return fmt.Sprintf("%q", text(e)) }, ">")
		case "NS", "BS":
			return elements("<", list(x), text, ">")
		}
	}
	return fmt.Sprint(v)
}

func elements(open string, list []any, one func(any) string, end string) string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = one(e)
	}
	return open + strings.Join(parts, ", ") + end
}
