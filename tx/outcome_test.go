package tx_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testsize"
)

// outcomeRow is an error of DynamoDB or the network that one attempt gets. The effects are those of
// a single write, a transaction and a BatchWriteItem request; nil if such a request cannot get it.
type outcomeRow struct {
	name                       string
	single, transaction, batch ddbtest.Effect
	lost                       bool // the write may have been applied
	want                       trestle.Outcome
}

// outcomeRows are the rows of DynamoDB's errors. The attempts after the first one succeed.
func outcomeRows() []outcomeRow {
	every := func(name string, e ddbtest.Effect, want trestle.Outcome) outcomeRow {
		return outcomeRow{name: name, single: e, transaction: e, batch: e, want: want}
	}
	lost := func(name string, e ddbtest.Effect) outcomeRow {
		return outcomeRow{name: name, single: e, transaction: e, batch: e, lost: true, want: trestle.Applied}
	}
	code := func(name string) ddbtest.Effect { return ddbtest.Error(name, "m", 400) }
	cancel := func(reason string, want trestle.Outcome) outcomeRow {
		return outcomeRow{name: "canceled: " + reason, transaction: ddbtest.Cancel(0, reason), want: want}
	}
	return []outcomeRow{
		{name: "condition", single: code("ConditionalCheckFailedException"), want: trestle.NotApplied},
		cancel("ConditionalCheckFailed", trestle.NotApplied),
		cancel("ItemCollectionSizeLimitExceeded", trestle.NotApplied),
		cancel("ValidationError", trestle.NotApplied),
		cancel("TransactionConflict", trestle.Applied),
		cancel("ProvisionedThroughputExceeded", trestle.Applied),
		cancel("ThrottlingError", trestle.Applied),
		{name: "conflict", single: ddbtest.Conflict, want: trestle.Applied},
		{name: "conflict of Regions", single: ddbtest.ReplicatedWriteConflict, transaction: ddbtest.ReplicatedWriteConflict, want: trestle.Applied},
		{name: "in progress", transaction: ddbtest.InProgress, want: trestle.Applied},
		{name: "other parameters", transaction: code("IdempotentParameterMismatchException"), want: trestle.Unknown},
		every("throttled", code("ProvisionedThroughputExceededException"), trestle.Applied),
		every("throttled by the account", code("RequestLimitExceeded"), trestle.Applied),
		every("throttled in another way", code("ThrottlingException"), trestle.Applied),
		every("a limit", code("LimitExceededException"), trestle.Applied),
		every("a full item collection", code("ItemCollectionSizeLimitExceededException"), trestle.NotApplied),
		every("validation", code("ValidationException"), trestle.NotApplied),
		every("no table", code("ResourceNotFoundException"), trestle.NotApplied),
		every("no permission", code("AccessDeniedException"), trestle.NotApplied),
		every("unknown credentials", code("UnrecognizedClientException"), trestle.NotApplied),
		every("refused connection", ddbtest.Refused, trestle.Applied),
		lost("500", ddbtest.InternalError),
		lost("500, applied", ddbtest.AfterCommit(ddbtest.InternalError)),
		lost("503", ddbtest.Unavailable),
		lost("503, applied", ddbtest.AfterCommit(ddbtest.Unavailable)),
		lost("reset", ddbtest.Reset),
		lost("reset, applied", ddbtest.AfterCommit(ddbtest.Reset)),
		lost("no reply", ddbtest.Hang),
		lost("no reply, applied", ddbtest.AfterCommit(ddbtest.Hang)),
		lost("unreadable", ddbtest.InvalidJSON),
		lost("cut off", ddbtest.Truncate),
	}
}

// repeatable reports whether a write is sent again after a lost reply. A link has no version, so a
// condition makes it unrepeatable, unless it is sent with a token.
func repeatable(kind, verb, vehicle string) bool {
	conditional := verb == "update, versioned" || verb == "delete, versioned"
	return kind == "task" || !conditional || vehicle != "alone" && vehicle != "batch"
}

// Every write of every path reports the outcome that the error of DynamoDB means, in both retry
// modes of the SDK. The second mode is a process of its own.
func TestOutcomeOfEveryErrorOnEveryPath(t *testing.T) {
	t.Parallel()
	if testsize.Race {
		t.Skip("the paths run one after the other")
	}
	const variable = "AWS_NEW_RETRIES_2026"
	rows := outcomeRows()
	var names []string
	for _, row := range rows {
		names = append(names, row.name)
	}
	m := newMatrix(names...)
	for _, row := range rows {
		synctest.Test(t, func(t *testing.T) {
			db := ddbtest.Start(t)
			b := newBoard(t, db.Client())
			b.db, b.states = db, map[bool]*ddbtest.Snapshot{}
			sent := vehicles()
			for _, v := range matrixVerbs() {
				for _, by := range sent {
					for _, kind := range []string{"task", "link"} {
						path := kind + ": " + v.name + ", " + by.name
						b.reset(t, v.exists)
						o, _ := v.link(b)
						if kind == "task" {
							o, _ = v.task(b)
						}
						hits := 0
						var rules []*ddbtest.Rule
						add := func(e ddbtest.Effect, requests ...string) {
							if e != nil {
								rules = append(rules, db.Fail(e, ddbtest.First(1), ddbtest.Op(requests...)))
							}
						}
						add(row.single, "PutItem", "UpdateItem", "DeleteItem")
						add(row.transaction, "TransactWriteItems")
						add(row.batch, "BatchWriteItem")
						err := by.send(t.Context(), o)
						for _, rule := range rules {
							hits += rule.Hits()
							rule.Remove()
						}
						if hits == 0 { // such a request cannot get the error
							m.set(path, row.name, none)
							continue
						}
						want := row.want
						if want == trestle.NotApplied && by.token && !strings.HasPrefix(row.name, "canceled") {
							want = trestle.Unknown // it is no answer about earlier calls with the token
						}
						if row.lost && !repeatable(kind, v.name, by.name) {
							want = trestle.Unknown
						}
						require.Equal(t, want.String(), trestle.OutcomeOf(err).String(), "%s, %s: %v", path, row.name, err)
						if applied := b.applied(t, v, kind); want != trestle.Unknown {
							require.Equal(t, want == trestle.Applied, applied, "%s, %s", path, row.name)
						}
						m.set(path, row.name, want.String())
					}
				}
			}
		})
	}
	m.check(t)
	if os.Getenv(variable) == "true" {
		return
	}
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOutcomeOfEveryErrorOnEveryPath$", "-test.v") //nolint:gosec // it is this program
	again.Env = append(os.Environ(), variable+"=true")
	out, err := again.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "--- PASS: TestOutcomeOfEveryErrorOnEveryPath")
}
