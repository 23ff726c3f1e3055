package entity_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// era has a time behind enough other attributes that the beginning of its JSON is long.
type era struct {
	_    entity.Key `type:"era" pk:"ERA#<id>" sk:"ERA"`
	ID   string     `dynamodbav:"id"`
	Name string     `dynamodbav:"name"`
	Ends time.Time  `dynamodbav:"ends"`
	List []struct {
		At time.Time `dynamodbav:"at"`
	} `dynamodbav:"list"`
}

// A time after the year 9999 has no text in RFC 3339. A write of one is refused, at each depth.
func TestYearsWithoutText(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{})
		declared := entity.Define[era](s)
		table, err := s.Open(e.Client(t), "eras")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		late := time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)
		nested := era{ID: "a", Name: "a long name of an era"}
		nested.List = append(nested.List, struct {
			At time.Time `dynamodbav:"at"`
		}{late})
		for _, v := range []era{{ID: "a", Name: "a long name of an era", Ends: late}, nested} {
			require.ErrorIs(t, declared.In(table).Put(t.Context(), &v), trestle.ErrInvalid)
			require.ErrorIs(t, declared.In(table).Create(t.Context(), &v), trestle.ErrInvalid)
		}
	})
}
