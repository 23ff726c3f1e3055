package define_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
)

type (
	epoch  int64
	serial uint64
)

// roleOn defines an entity with a field of type T and this role. It reports whether there is a
// issue.
func roleOn[T any](t *testing.T, role string) bool {
	t.Helper()
	d := with()
	d.types = []reflect.Type{entityWith(part[T](reflect.StructTag(`dynamodbav:"part" entity:"` + role + `"`)))}
	_, issues := d.compile()
	require.LessOrEqual(t, len(issues), 1, textOf(issues))
	for _, f := range issues {
		require.Equal(t, "Part", f.Field)
		require.NotEmpty(t, f.Hint, "%T", *new(T))
	}
	return len(issues) > 0
}

// TestTypesOfVersions checks that the type of a version is int, int64, uint or uint64, or is based
// on one of them.
func TestTypesOfVersions(t *testing.T) {
	t.Parallel()
	for name, refused := range map[string]bool{
		"int": roleOn[int](t, "version"), "int64": roleOn[int64](t, "version"), "uint": roleOn[uint](t, "version"),
		"uint64": roleOn[uint64](t, "version"), "epoch": roleOn[epoch](t, "version"), "serial": roleOn[serial](t, "version"),
	} {
		require.False(t, refused, name)
	}
	for name, refused := range map[string]bool{
		"int8": roleOn[int8](t, "version"), "int16": roleOn[int16](t, "version"), "int32": roleOn[int32](t, "version"),
		"uint8": roleOn[uint8](t, "version"), "uint16": roleOn[uint16](t, "version"), "uint32": roleOn[uint32](t, "version"),
		"rune": roleOn[rune](t, "version"), "string": roleOn[string](t, "version"), "float64": roleOn[float64](t, "version"),
		"*int64": roleOn[*int64](t, "version"), "bool": roleOn[bool](t, "version"),
		"time.Duration": roleOn[time.Duration](t, "version"), "time.Time": roleOn[time.Time](t, "version"),
	} {
		require.True(t, refused, name)
	}
}

// TestTypesOfTimesToLive checks that a time to live is a time or an integer of seconds, but no
// integer type of package time.
func TestTypesOfTimesToLive(t *testing.T) {
	t.Parallel()
	for name, refused := range map[string]bool{
		"time.Time": roleOn[time.Time](t, "ttl"), "*time.Time": roleOn[*time.Time](t, "ttl"), "int64": roleOn[int64](t, "ttl"),
		"int": roleOn[int](t, "ttl"), "epoch": roleOn[epoch](t, "ttl"),
	} {
		require.False(t, refused, name)
	}
	for name, refused := range map[string]bool{
		"time.Duration": roleOn[time.Duration](t, "ttl"), "*time.Duration": roleOn[*time.Duration](t, "ttl"), "time.Month": roleOn[time.Month](t, "ttl"),
		"time.Weekday": roleOn[time.Weekday](t, "ttl"), "int32": roleOn[int32](t, "ttl"), "string": roleOn[string](t, "ttl"),
		"uint64": roleOn[uint64](t, "ttl"),
	} {
		require.True(t, refused, name)
	}
}

// TestRolesHaveRules checks that each role of core is either planned or has a rule.
func TestRolesHaveRules(t *testing.T) {
	t.Parallel()
	type Order struct {
		ID   string            `dynamodbav:"id"`
		Some map[string]string `dynamodbav:"some"`
	}
	for _, role := range core.Roles() {
		_, issues := definition{types: typesOf(Order{}), specs: specOf(Order{}, trestle.Spec{
			Type: "order", Key: trestle.KeySpec{PK: "<id>", SK: "<id>"}, Roles: map[string]string{"some": role.Name},
		})}.compile()
		require.Len(t, issues, 1, role.Name)
	}
}
