package clause_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/trestledb/trestle/internal/engines"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(engines.Main(m)) }
