package expression_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// number parses a valid number.
func number(text string) value.Value {
	d, err := decimal.Parse(text)
	if err != nil {
		panic(err)
	}
	return value.Number{Decimal: d}
}

func numberSet(texts ...string) value.Value {
	var members []decimal.Decimal
	for _, text := range texts {
		members = append(members, number(text).(value.Number).Decimal)
	}
	set, ok := value.NewNumberSet(members)
	if !ok {
		panic("no set")
	}
	return set
}

func attribute(name string, v value.Value) value.Attribute {
	return value.Attribute{Name: name, Value: v}
}

var placeholderPattern = regexp.MustCompile(`[#:][A-Za-z0-9_]+`)

// placeholdersIn returns the names and values that the text uses; nil if there are none.
func placeholdersIn(text string, names map[string]string, values map[string]value.Value) (n map[string]string, v map[string]value.Value) {
	for _, key := range placeholderPattern.FindAllString(text, -1) {
		if name, ok := names[key]; ok {
			if n == nil {
				n = map[string]string{}
			}
			n[key] = name
		}
		if given, ok := values[key]; ok {
			if v == nil {
				v = map[string]value.Value{}
			}
			v[key] = given
		}
	}
	return n, v
}

func mustPlaceholders(t testing.TB, names map[string]string, values map[string]value.Value) *expression.Placeholders {
	t.Helper()
	p, err := expression.NewPlaceholders(names, values)
	require.NoError(t, err)
	return p
}

func mustCondition(t testing.TB, text string, names map[string]string, values map[string]value.Value) *expression.Condition {
	t.Helper()
	c, err := expression.ParseCondition("ConditionExpression", text, mustPlaceholders(t, names, values))
	require.NoError(t, err, text)
	return c
}

func mustUpdate(t testing.TB, text string, names map[string]string, values map[string]value.Value) *expression.Update {
	t.Helper()
	u, err := expression.ParseUpdate(text, mustPlaceholders(t, names, values))
	require.NoError(t, err, text)
	return u
}

// message returns the message of a ValidationException, or "" for a nil error.
func message(t testing.TB, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var refused *awserr.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, awserr.CodeValidation, refused.Code)
	return refused.Message
}

// requireRejected asserts that an error is a ValidationException, with any message.
func requireRejected(t testing.TB, err error) {
	t.Helper()
	require.NotEmpty(t, message(t, err))
}
