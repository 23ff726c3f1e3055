package differential

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	betweenPattern = regexp.MustCompile(`(\S+) BETWEEN (\S+) AND ([^\s)]+)`)
	appendPattern  = regexp.MustCompile(`list_append\((if_not_exists\([^)]*\)|[^,]+), (if_not_exists\([^)]*\)|[^)]+)\)`)
)

// writeMutants write wrong items, or return wrong replies to writes.
var writeMutants = []mutant{
	{"indexes that cost dearly in a transaction", on("TransactWriteItems", func(_ *exchange, out object) {
		for _, consumed := range listIn(out, "ConsumedCapacity") {
			consumed, _ := consumed.(object)
			for _, arm := range objectIn(consumed, "GlobalSecondaryIndexes") {
				arm, _ := arm.(object)
				arm["CapacityUnits"] = json.Number("49")
			}
		}
	})},
	{"REMOVE that leaves an index entry", removeLeavesEntry},
	{"UPDATED_NEW as it was before", before("UpdateItem", func(in object) {
		if in["ReturnValues"] == "UPDATED_NEW" {
			in["ReturnValues"] = "UPDATED_OLD"
		}
	})},
	{"BETWEEN without its bounds", rewrite(func(e string) string { return betweenPattern.ReplaceAllString(e, "($1 > $2 AND $1 < $3)") })},
	{"begins_with as contains", rewrite(func(e string) string { return strings.ReplaceAll(e, "begins_with(", "contains(") })},
	{"OR as AND", rewrite(func(e string) string { return strings.ReplaceAll(e, " OR ", " AND ") })},
	{"<= as <", func(x *exchange) reply {
		strict := func(e string) string { return strings.ReplaceAll(e, " <= ", " < ") }
		if e := textIn(x.request, "KeyConditionExpression"); e != "" {
			x.request["KeyConditionExpression"] = strict(e)
		}
		return rewrite(strict)(x)
	}},
	{"list_append the wrong way around", rewrite(func(e string) string { return appendPattern.ReplaceAllString(e, "list_append($2, $1)") })},
	{"SET that reads new values", setInTurn},
	{"numbers kept as floats", func(x *exchange) reply {
		if x.is("PutItem") {
			floats(x.request["Item"])
		}
		return x.pass()
	}},
	{"addition in floats", func(x *exchange) reply {
		if x.is("UpdateItem") && strings.Contains(textIn(x.request, "UpdateExpression"), " + ") {
			key := objectIn(x.request, "Key")
			r := x.pass()
			if it := x.item(key); r.ok() && it != nil {
				floats(it["n1"])
				floats(it["n2"])
				x.send("PutItem", object{"TableName": x.request["TableName"], "Item": it})
			}
			return r
		}
		return x.pass()
	}},
	{"put that keeps what it should replace", func(x *exchange) reply {
		if it := objectIn(x.request, "Item"); x.is("PutItem") && it != nil && x.request["ConditionExpression"] == nil {
			if old := x.item(x.tableKey(it)); old != nil {
				maps.Copy(old, it)
				x.request["Item"] = old
			}
		}
		return x.pass()
	}},
	{"update without an expression that makes nothing", func(x *exchange) reply {
		if x.is("UpdateItem") && x.request["UpdateExpression"] == nil && x.request["ConditionExpression"] == nil && objectIn(x.request, "Key") != nil {
			if x.item(objectIn(x.request, "Key")) == nil {
				return reply{status: 200, body: object{}}
			}
		}
		return x.pass()
	}},
	{"delete that returns nothing", on("DeleteItem", func(_ *exchange, out object) { delete(out, "Attributes") })},
	{"failed condition without its item", func(x *exchange) reply {
		r := x.pass()
		if !r.ok() {
			delete(r.body, "Item")
		}
		return r
	}},
	{"ConditionCheck ignored", before("TransactWriteItems", func(in object) {
		all := listIn(in, "TransactItems")
		kept := slices.DeleteFunc(slices.Clone(all), func(action any) bool {
			action_, _ := action.(object)
			return action_["ConditionCheck"] != nil
		})
		if len(kept) > 0 {
			in["TransactItems"] = kept
		}
	})},
	{"reasons in the wrong order", func(x *exchange) reply {
		r := x.pass()
		slices.Reverse(listIn(r.body, "CancellationReasons"))
		return r
	}},
	{"canceled transaction that writes", func(x *exchange) reply {
		r := x.pass()
		if r.ok() || !x.is("TransactWriteItems") || r.body["CancellationReasons"] == nil {
			return r
		}
		for _, action := range listIn(x.request, "TransactItems") {
			action, _ := action.(object)
			if put := objectIn(action, "Put"); put != nil && put["ConditionExpression"] == nil {
				x.send("PutItem", object{"TableName": put["TableName"], "Item": put["Item"]})
			}
		}
		return r
	}},
	{"token that is not remembered", func(x *exchange) reply {
		if x.is("TransactWriteItems") {
			delete(x.request, "ClientRequestToken")
		}
		return x.pass()
	}},
	{"duplicates in a batch taken", func(x *exchange) reply {
		r := x.pass()
		if x.is("BatchWriteItem") && !r.ok() {
			return reply{status: 200, body: object{"UnprocessedItems": object{}}}
		}
		return r
	}},
	{"batch that loses its last write", before("BatchWriteItem", func(in object) {
		all := objectIn(in, "RequestItems")
		for table := range all {
			if requests := listIn(all, table); len(requests) > 1 {
				all[table] = requests[:len(requests)-1]
			}
		}
	})},
	{"last element of a set that stays", func(x *exchange) reply {
		if x.is("UpdateItem") && strings.Contains(textIn(x.request, "UpdateExpression"), "DELETE ") {
			return reply{status: 200, body: object{}}
		}
		return x.pass()
	}},
	{"time to live that is forgotten", on("DescribeTimeToLive", func(_ *exchange, out object) {
		out["TimeToLiveDescription"] = object{"TimeToLiveStatus": "DISABLED"}
	})},
}

// floats rounds the numbers in a value to floats.
func floats(v any) {
	switch v := v.(type) {
	case object:
		for name, member := range v {
			if text, ok := member.(string); ok && name == "N" {
				if f, err := strconv.ParseFloat(text, 64); err == nil {
					v[name] = strconv.FormatFloat(f, 'f', -1, 64)
				}
				continue
			}
			floats(member)
		}
	case []any:
		for _, element := range v {
			floats(element)
		}
	}
}

// setInTurn applies the assignments of a SET one after the other.
func setInTurn(x *exchange) reply {
	update := textIn(x.request, "UpdateExpression")
	assignments, set := strings.CutPrefix(update, "SET ")
	if !x.is("UpdateItem") || !set || x.request["ConditionExpression"] != nil || strings.ContainsAny(update, ".[") ||
		strings.Contains(update, "REMOVE ") || strings.Contains(update, "ADD ") || strings.Contains(update, "DELETE ") {
		return x.pass()
	}
	parts := strings.Split(assignments, ", ")
	for i := 0; i+1 < len(parts); { // rejoin parts that were split inside parentheses
		if strings.Count(parts[i], "(") == strings.Count(parts[i], ")") {
			i++
			continue
		}
		parts = slices.Concat(parts[:i], []string{parts[i] + ", " + parts[i+1]}, parts[i+2:])
	}
	names, values := objectIn(x.request, memberNames), objectIn(x.request, memberValues)
	var r reply
	for _, part := range parts {
		one := maps.Clone(x.request)
		used := tokens(part)
		one["UpdateExpression"] = "SET " + part
		delete(one, memberNames)
		delete(one, memberValues)
		if kept := keep(names, used); kept != nil {
			one[memberNames] = kept
		}
		if kept := keep(values, used); kept != nil {
			one[memberValues] = kept
		}
		if r = x.send(x.operation, one); !r.ok() {
			return r
		}
	}
	return r
}

// removeLeavesEntry keeps returning index entries that an update removed, in scans of the index.
func removeLeavesEntry(x *exchange) reply {
	if x.is("UpdateItem") && strings.Contains(textIn(x.request, "UpdateExpression"), "REMOVE ") && objectIn(x.request, "Key") != nil {
		was := x.item(objectIn(x.request, "Key"))
		r := x.pass()
		if r.ok() && was != nil {
			x.memory.set("left in "+textIn(x.request, "TableName"), was)
		}
		return r
	}
	r := x.pass()
	left, _ := x.memory.get("left in " + textIn(x.request, "TableName")).(object)
	if !x.is("Scan") || !r.ok() || x.request["IndexName"] == nil || left == nil {
		return r
	}
	table := objectIn(x.send("DescribeTable", object{"TableName": x.request["TableName"]}).body, "Table")
	for _, index := range slices.Concat(listIn(table, "GlobalSecondaryIndexes"), listIn(table, "LocalSecondaryIndexes")) {
		index, _ := index.(object)
		if index["IndexName"] == x.request["IndexName"] && holds(index, left) && !holds(index, x.item(x.tableKey(left))) {
			r.body["Items"] = append(listIn(r.body, "Items"), left)
		}
	}
	return r
}

// holds reports whether an item has all key attributes of an index.
func holds(index, it object) bool {
	for _, element := range listIn(index, "KeySchema") {
		element, _ := element.(object)
		if it[textIn(element, "AttributeName")] == nil {
			return false
		}
	}
	return true
}
