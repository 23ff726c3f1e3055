package maintain_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/maintain"
)

// No text of an error or a problem has a key or a count, in any format. The control is a value
// without the methods of a problem.
func TestErrorsShowNoKeys(t *testing.T) {
	t.Parallel()
	key := avMap{"PK": avS("canary")}
	list := make([]maintain.Problem, 0, maintain.Changing)
	for kind := maintain.TableDiffers; kind <= maintain.Changing; kind++ {
		require.NotEqual(t, maintain.Kind(0).String(), kind.String(), "a kind without a text")
		list = append(list, maintain.Problem{Kind: kind, Entity: "order", Name: "email", Item: key, Other: key, Guard: key, Stored: 73577357, Items: 73577357, Err: errors.New("why")})
	}
	e := maintain.Error{Op: "reindex", Table: "shop", Problems: list, More: true, Earlier: 3}
	type bare maintain.Problem
	for _, v := range []any{e, &e, list, list[0], &list[0], struct{ E *maintain.Error }{&e}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
			requireHidden(t, fmt.Sprintf(verb, v))
		}
		text, err := json.Marshal(v)
		require.NoError(t, err)
		requireHidden(t, string(text))
		var log strings.Builder
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "v", v)
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "v", v)
		requireHidden(t, log.String())
	}
	require.Contains(t, fmt.Sprintf("%#v", bare(list[0])), "73577357", "the control")
	require.Contains(t, e.Error(), "order email: two items have the same value")
	require.Contains(t, e.Error(), "earlier runs found 3 problems")
	require.Len(t, e.Unwrap(), len(list))
}

func requireHidden(t *testing.T, text string) {
	t.Helper()
	require.NotEmpty(t, text)
	require.NotContains(t, text, "canary")
	require.NotContains(t, text, "73577357")
}
