package tx_test

import (
	"errors"
	"testing"

	"github.com/aws/smithy-go"
)

func dbg(t testing.TB, err error) {
	var api smithy.APIError
	if errors.As(err, &api) {
		t.Log(api.ErrorCode(), api.ErrorMessage())
	}
}
