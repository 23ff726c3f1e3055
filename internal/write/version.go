package write

import (
	"math"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// versionOf returns the version of an entity, or 0 if the type has none.
func versionOf(p *core.Plan, entity codec.Ptr) (int64, error) {
	if p.Version == nil {
		return 0, nil
	}
	v, err := p.Version.Key(entity)
	switch {
	case err != nil:
		return 0, errs.Wrap(p.Version.Name, err)
	case v.Uint() > math.MaxInt64:
		return 0, versionLimit(p.Version, nil)
	case v.Kind() == keys.KindUint:
		return int64(v.Uint()), nil
	default:
		return v.Int(), nil
	}
}

// setNextVersion sets the version after old in an entity.
func setNextVersion(f *codec.Field, old int64, entity codec.Ptr) error {
	if old == math.MaxInt64 {
		return versionLimit(f, nil)
	}
	next := keys.Int(old + 1)
	if k, _ := f.KeyKind(); k == keys.KindUint && old >= -1 {
		next = keys.Uint(uint64(old + 1))
	}
	if err := f.SetKey(next, entity); err != nil {
		return versionLimit(f, err)
	}
	return nil
}

func versionLimit(f *codec.Field, cause error) error {
	return &errs.ValidationError{Kind: errs.Limit, Problems: []errs.Problem{{
		Field: f.Name, Reason: "the next version does not fit its type", Hint: "use an int64", Cause: cause,
	}}}
}

// storedVersion returns the version of a stored item, or 0 if it has none.
func storedVersion(p *core.Plan, item op.Item) (int64, error) {
	av := item[p.Version.Name]
	if _, null := av.(*types.AttributeValueMemberNULL); null || av == nil {
		return 0, nil
	}
	if n, ok := av.(*types.AttributeValueMemberN); ok {
		if v, err := strconv.ParseInt(n.Value, 10, 64); err == nil {
			return v, nil
		}
	}
	return 0, errs.New(p.Version.Name, "the stored version is not a whole number", "repair the item, or delete it")
}
