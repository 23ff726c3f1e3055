package differential

import (
	"reflect"
	"slices"
	"strings"
)

// needed are the members that a request requires, or that belong to others.
var needed = []string{
	"TableName", "Key", "KeyConditionExpression", "UpdateExpression", "TransactItems", "PutRequest", "DeleteRequest", "Put", "Update", "Delete",
	"ConditionCheck", "Get", memberNames, memberValues,
}

const (
	memberNames  = "ExpressionAttributeNames"
	memberValues = "ExpressionAttributeValues"
)

// simpler returns the operations without one part of the given one: a member, an attribute, or a
// request of several. Placeholders that become unused are removed.
func simpler(op operation) []operation {
	if op.form == nextPage || op.form == deleteAtCursor { // they use the request of another step
		return nil
	}
	var all []operation
	for _, input := range simplerValues(reflect.ValueOf(op.input)) {
		changed := op
		changed.input = input.Interface()
		all = append(all, changed)
	}
	return all
}

// simplerValues returns the values without one part of the given one.
func simplerValues(v reflect.Value) []reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		return simplerPointers(v)
	case reflect.Struct:
		return simplerStructs(v)
	case reflect.Map:
		return simplerMaps(v)
	case reflect.Slice:
		return simplerSlices(v)
	default:
		return nil
	}
}

func simplerPointers(v reflect.Value) []reflect.Value {
	var all []reflect.Value
	if v.IsNil() {
		return nil
	}
	for _, element := range simplerValues(v.Elem()) {
		pointer := reflect.New(v.Type().Elem())
		pointer.Elem().Set(element)
		all = append(all, pointer)
	}
	return all
}

func simplerStructs(v reflect.Value) []reflect.Value {
	var all []reflect.Value
	with := func(field int, part reflect.Value) {
		changed := reflect.New(v.Type()).Elem()
		changed.Set(v)
		changed.Field(field).Set(part)
		pruneMembers(changed)
		all = append(all, changed)
	}
	for i := range v.NumField() {
		field, name := v.Field(i), v.Type().Field(i).Name
		if !v.Type().Field(i).IsExported() || field.IsZero() {
			continue
		}
		if !slices.Contains(needed, name) && name != "Item" {
			with(i, reflect.Zero(field.Type()))
		}
		if name == "Key" || name == memberNames || name == memberValues {
			continue
		}
		for _, part := range simplerValues(field) {
			with(i, part)
		}
	}
	return all
}

func simplerMaps(v reflect.Value) []reflect.Value {
	var all []reflect.Value
	with := func(key reflect.Value, element reflect.Value) { // a zero element removes the key
		changed := reflect.MakeMap(v.Type())
		for _, k := range v.MapKeys() {
			changed.SetMapIndex(k, v.MapIndex(k))
		}
		changed.SetMapIndex(key, element)
		all = append(all, changed)
	}
	for _, key := range v.MapKeys() {
		with(key, reflect.Value{})
		for _, element := range simplerValues(v.MapIndex(key)) {
			with(key, element)
		}
	}
	return all
}

func simplerSlices(v reflect.Value) []reflect.Value {
	var all []reflect.Value
	for i := range v.Len() {
		if v.Len() > 1 {
			all = append(all, reflect.AppendSlice(v.Slice3(0, i, i), v.Slice(i+1, v.Len())))
		}
		for _, element := range simplerValues(v.Index(i)) {
			changed := reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v)
			changed.Index(i).Set(element)
			all = append(all, changed)
		}
	}
	return all
}

// pruneMembers removes unused placeholders of a request.
func pruneMembers(v reflect.Value) {
	expressions := ""
	for i := range v.NumField() {
		if field := v.Type().Field(i); field.IsExported() && strings.HasSuffix(field.Name, "Expression") && !v.Field(i).IsNil() {
			expressions += " " + v.Field(i).Elem().String()
		}
	}
	used := tokens(expressions)
	for _, member := range []string{memberNames, memberValues} {
		field := v.FieldByName(member)
		if !field.IsValid() {
			continue
		}
		kept := reflect.MakeMap(field.Type())
		for _, key := range field.MapKeys() {
			if used[key.String()] {
				kept.SetMapIndex(key, field.MapIndex(key))
			}
		}
		if kept.Len() == 0 {
			kept = reflect.Zero(field.Type())
		}
		field.Set(kept)
	}
}
