package check_test

import (
	"testing"

	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

const (
	noKey     = "The provided key element does not match the schema"
	longHash  = "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes"
	longRange = "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
	emptyText = "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"
)

func TestKeyOfARequest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		key  value.Map
		want string
	}{
		"right":              {value.MapOf(attr("pk", text(1)), attr("sk", octets(1))), ""},
		"none":               {nil, noKey},
		"too few":            {value.MapOf(attr("pk", text(1))), noKey},
		"too many":           {value.MapOf(attr("pk", text(1)), attr("sk", octets(1)), attr("x", text(1))), noKey},
		"another name":       {value.MapOf(attr("pk", text(1)), attr("x", octets(1))), noKey},
		"another type":       {value.MapOf(attr("pk", number(1)), attr("sk", octets(1))), noKey},
		"no scalar":          {value.MapOf(attr("pk", value.List{text(1)}), attr("sk", octets(1))), noKey},
		"empty text":         {value.MapOf(attr("pk", text(0)), attr("sk", octets(1))), emptyText},
		"empty bytes":        {value.MapOf(attr("pk", text(1)), attr("sk", octets(0))), "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty binary value. Key: sk"},
		"longest partition":  {value.MapOf(attr("pk", text(2048)), attr("sk", octets(1))), ""},
		"too long partition": {value.MapOf(attr("pk", text(2049)), attr("sk", octets(1))), longHash},
		"longest sort":       {value.MapOf(attr("pk", text(1)), attr("sk", octets(1024))), ""},
		"too long sort":      {value.MapOf(attr("pk", text(1)), attr("sk", octets(1025))), longRange},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireMessage(t, c.want, check.Key(key("pk:S", "|", "sk:B"), c.key))
		})
	}
}

func TestKeyOfAnItem(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		item value.Map
		want string
	}{
		"right":       {value.MapOf(attr("pk", text(1)), attr("sk", number(1)), attr("x", text(5000))), ""},
		"none":        {nil, "One or more parameter values were invalid: Missing the key pk in the item"},
		"half":        {value.MapOf(attr("pk", text(1))), "One or more parameter values were invalid: Missing the key sk in the item"},
		"other type":  {value.MapOf(attr("pk", text(1)), attr("sk", text(1))), "One or more parameter values were invalid: Type mismatch for key sk expected: N actual: S"},
		"no scalar":   {value.MapOf(attr("pk", value.List{}), attr("sk", text(1))), "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: L"},
		"empty text":  {value.MapOf(attr("pk", text(0)), attr("sk", number(1))), emptyText},
		"longest":     {value.MapOf(attr("pk", text(2048)), attr("sk", number(1))), ""},
		"too long":    {value.MapOf(attr("pk", text(2049)), attr("sk", number(1))), longHash},
		"long in B":   {value.MapOf(attr("pk", octets(2049)), attr("sk", number(1))), "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: B"},
		"empty other": {value.MapOf(attr("pk", text(1)), attr("sk", number(1)), attr("x", text(0))), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireMessage(t, c.want, check.ItemKey(key("pk:S", "|", "sk:N"), c.item))
		})
	}
}

func TestEmptyKeyChecksNothingElse(t *testing.T) {
	t.Parallel()
	schema := key("pk:S", "|", "sk:N")
	requireMessage(t, "", check.EmptyKey(schema, nil))
	requireMessage(t, "", check.EmptyKey(schema, value.MapOf(attr("pk", number(1)), attr("x", text(0)))))
	requireMessage(t, "", check.EmptyKey(schema, value.MapOf(attr("pk", text(5000)))))
	requireMessage(t, emptyText, check.EmptyKey(schema, value.MapOf(attr("pk", text(0)), attr("sk", text(1)))))
}

func TestInvalidKeyOperand(t *testing.T) {
	t.Parallel()
	schema := key("pk:S", "|", "sk:B")
	requireMessage(t, "", check.KeyOperand(schema, schema.Partition[0], text(2048)))
	requireMessage(t, longHash, check.KeyOperand(schema, schema.Partition[0], text(2049)))
	requireMessage(t, emptyText, check.KeyOperand(schema, schema.Partition[0], text(0)))
	requireMessage(t, "", check.KeyOperand(schema, schema.Sort[0], octets(1024)))
	requireMessage(t, longRange, check.KeyOperand(schema, schema.Sort[0], octets(1025)))
}
