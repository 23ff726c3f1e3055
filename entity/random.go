package entity

import (
	"io"
	"reflect"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
)

// Random is for tests only. It replaces the source of all random choices that the library makes for
// a table, crypto/rand and math/rand, by one that can repeat itself, such as a rand.ChaCha8 with a
// fixed seed. If a program then makes the same calls again, one after the other, the library makes
// the same choices: write IDs, tokens of transactions, names of generations, nonces of cursors, and
// the pauses after conflicts and before unprocessed items are sent again. The pauses of the SDK's
// own retries and the headers of its requests are choices of the SDK.
//
// Never use Random in production. With a source that repeats itself, different writes can have the
// same ID or token. One of them may then be reported as applied although only the other one was. If
// two cursors have the same key and nonce, encryption no longer protects them: they can be read,
// and others can be forged.
//
// A transaction and a batch write of several tables use the source of the first operation's table,
// except for write IDs. Generations use the source of the pointer item's table. Several tables can
// be opened with the same option: the library reads its source from one goroutine at a time. It
// does not if two options have the same source.
//
// If the source fails or ends, the operation that needs a random choice fails with an error that
// wraps that of the source, and sends nothing more. So does every later operation that needs one.
func Random(source io.Reader) TableOption {
	if v := reflect.ValueOf(source); source == nil || v.Kind() == reflect.Pointer && v.IsNil() {
		return randomOption{}
	}
	return randomOption{exec.NewRandom(source)}
}

type randomOption struct{ random *exec.Random } // nil: the source is nil

func (o randomOption) table(t *Table) { t.view.Exec.Random = o.random }

// checkRandom rejects a nil source, and two sources, of which only one would be used.
func checkRandom(options []TableOption, problems *errs.Problems) {
	found := false
	for _, o := range options {
		switch o, ok := o.(randomOption); {
		case !ok:
		case o.random == nil:
			problems.Add("", "the source of entity.Random is nil", "pass a source such as rand.NewChaCha8, or leave the option out")
		case found:
			problems.Add("", "the option entity.Random is used twice", "use it once")
		default:
			found = true
		}
	}
}
