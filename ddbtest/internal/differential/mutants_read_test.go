package differential

import (
	"encoding/json"
	"slices"
	"strings"
)

// readMutants return wrong replies to reads.
var readMutants = []mutant{
	{"numbers ordered as text", on("Query", func(x *exchange, out object) {
		items := listIn(out, "Items")
		byText := func(a, b any) int { return strings.Compare(sortNumber(a), sortNumber(b)) }
		if slices.ContainsFunc(items, func(it any) bool { return sortNumber(it) == "" }) {
			return
		}
		slices.SortStableFunc(items, byText)
		if forward, ok := x.request["ScanIndexForward"].(bool); ok && !forward {
			slices.Reverse(items)
		}
	})},
	{"token by position", tokenByPosition},
	{"token that is not exclusive", func(x *exchange) reply {
		start := objectIn(x.request, "ExclusiveStartKey")
		r := x.pass()
		if items := listIn(r.body, "Items"); r.ok() && x.is("Query") && start != nil && len(items) > 0 {
			r.body["Items"] = append([]any{items[0]}, items...)
		}
		return r
	}},
	{"ScannedCount counts what the filter takes", on("Query Scan", func(_ *exchange, out object) { out["ScannedCount"] = out["Count"] })},
	{"direction lost with a limit", before("Query", func(in object) {
		if in["Limit"] != nil {
			delete(in, "ScanIndexForward")
		}
	})},
	{"filter before the limit", func(x *exchange) reply {
		limit, ok := x.request["Limit"].(json.Number)
		if !ok || !x.is("Query") || x.request["FilterExpression"] == nil {
			return x.pass()
		}
		delete(x.request, "Limit")
		r := x.pass()
		n, err := limit.Int64()
		if items := listIn(r.body, "Items"); err == nil && int64(len(items)) > n && n > 0 {
			r.body["Items"], r.body["Count"] = items[:n], n
		}
		return r
	}},
	{"segments that overlap", before("Scan", func(in object) {
		delete(in, "Segment")
		delete(in, "TotalSegments")
	})},
	{"projection without what is nested", rewrite(func(e string) string {
		if strings.Contains(e, "=") || strings.Contains(e, "(") {
			return e
		}
		kept := slices.DeleteFunc(strings.Split(e, ", "), func(path string) bool { return strings.ContainsAny(path, ".[") })
		if len(kept) == 0 {
			return e
		}
		return strings.Join(kept, ", ")
	})},
	{"index that holds all attributes", on("Query", func(x *exchange, out object) {
		if x.request["IndexName"] == nil || x.request["ProjectionExpression"] != nil {
			return
		}
		for i, it := range listIn(out, "Items") {
			it, _ := it.(object)
			if whole := x.item(x.tableKey(it)); whole != nil {
				listIn(out, "Items")[i] = whole
			}
		}
	})},
	{"strong read that is stale", staleRead},
	{"count that returns items", before("Query Scan", func(in object) {
		if in["Select"] == "COUNT" {
			delete(in, "Select")
		}
	})},
	{"missing item as an empty one", on("GetItem", func(_ *exchange, out object) {
		if out["Item"] == nil {
			out["Item"] = object{}
		}
	})},
	{"batch that reads one too few", before("BatchGetItem", func(in object) {
		for _, request := range objectIn(in, "RequestItems") {
			request, _ := request.(object)
			if keys := listIn(request, "Keys"); len(keys) > 1 {
				request["Keys"] = keys[1:]
			}
		}
	})},
	{"capacity of an index missing", on("Query Scan PutItem UpdateItem DeleteItem", func(_ *exchange, out object) {
		delete(objectIn(out, "ConsumedCapacity"), "GlobalSecondaryIndexes")
	})},
	{"scan of an index for nothing", on("Scan", func(_ *exchange, out object) {
		consumed := objectIn(out, "ConsumedCapacity")
		for _, kind := range []string{"GlobalSecondaryIndexes", "LocalSecondaryIndexes"} {
			for _, arm := range objectIn(consumed, kind) {
				arm, _ := arm.(object)
				arm["CapacityUnits"] = json.Number("0.5")
				consumed["CapacityUnits"] = json.Number("0.5")
			}
		}
	})},
	{"stream without old images", on("GetRecords", func(_ *exchange, out object) {
		for _, record := range listIn(out, "Records") {
			record, _ := record.(object)
			delete(objectIn(record, "dynamodb"), "OldImage")
		}
	})},
	{"stream without removals", on("GetRecords", func(_ *exchange, out object) {
		out["Records"] = slices.DeleteFunc(listIn(out, "Records"), func(record any) bool {
			record_, _ := record.(object)
			return record_["eventName"] == "REMOVE"
		})
	})},
	{"unknown index as an unknown table", func(x *exchange) reply {
		r := x.pass()
		if r.status == 400 && x.request["IndexName"] != nil {
			r.body["__type"] = "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"
		}
		return r
	}},
}

// staleRead returns the previous version of an item to strongly consistent reads.
func staleRead(x *exchange) reply {
	key := objectIn(x.request, "Key")
	if it := objectIn(x.request, "Item"); it != nil {
		key = x.tableKey(it)
	}
	if key == nil {
		return x.pass()
	}
	name := keyText(x, key)
	if x.is("PutItem", "UpdateItem", "DeleteItem") {
		was := x.item(key)
		r := x.pass()
		if r.ok() {
			x.memory.set(name, was)
		}
		return r
	}
	r := x.pass()
	was, written := x.memory.get(name).(object)
	if strong, ok := x.request["ConsistentRead"].(bool); ok && strong && written && x.request["ProjectionExpression"] == nil && r.ok() {
		r.body["Item"] = was
	}
	return r
}

// sortNumber returns the text of a numeric sort key, or "".
func sortNumber(it any) string {
	it_, _ := it.(object)
	return textIn(objectIn(it_, "sk"), "N")
}

// tableKey returns the table key of an item.
func (x *exchange) tableKey(it object) object {
	key := object{}
	for _, name := range []string{"pk", "sk"} {
		if v, ok := it[name]; ok {
			key[name] = v
		}
	}
	if x.memory.get("keys of "+textIn(x.request, "TableName")) == nil {
		table := objectIn(x.send("DescribeTable", object{"TableName": x.request["TableName"]}).body, "Table")
		x.memory.set("keys of "+textIn(x.request, "TableName"), len(listIn(table, "KeySchema")))
	}
	if n, _ := x.memory.get("keys of " + textIn(x.request, "TableName")).(int); n < len(key) {
		delete(key, "sk")
	}
	return key
}

// tokenByPosition continues a read by the number of items read so far.
func tokenByPosition(x *exchange) reply {
	start := objectIn(x.request, "ExclusiveStartKey")
	if !x.is("Query") || x.request["FilterExpression"] != nil || x.request["Select"] == "COUNT" {
		return x.pass()
	}
	limit, ok := x.request["Limit"].(json.Number)
	n, err := limit.Int64()
	if !ok || err != nil || n < 1 {
		return x.pass()
	}
	read := func(start object) string {
		text, err := json.Marshal([]any{start, x.request["KeyConditionExpression"], x.request["ExpressionAttributeValues"], x.request["IndexName"]})
		if err != nil {
			return ""
		}
		return string(text)
	}
	passed := int64(0)
	if start != nil {
		passed, ok = x.memory.get(read(start)).(int64)
		if !ok {
			return x.pass()
		}
		delete(x.request, "ExclusiveStartKey")
		x.request["Limit"] = passed + n
	}
	r := x.pass()
	if items := listIn(r.body, "Items"); r.ok() {
		skipped := items[min(int(passed), len(items)):]
		r.body["Items"], r.body["Count"], r.body["ScannedCount"] = skipped, len(skipped), len(skipped)
		x.memory.set(read(objectIn(r.body, "LastEvaluatedKey")), passed+n)
	}
	return r
}
