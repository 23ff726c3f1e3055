package ddbtest

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/service"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/transport"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
)

// gate is the server that receives the requests.
type gate struct {
	db     *DB
	unseen bool // rules, log and cost ignore its requests
}

// Arrive implements [transport.Server].
func (g *gate) Arrive(in *transport.Request) transport.Exchange {
	db := g.db
	x := &exchange{db: db, unseen: g.unseen, in: in}
	x.entry = Request{Operation: in.Operation, Call: in.Invocation, Attempt: in.Attempt, body: in.Body}
	err := db.guard(func() error {
		db.deliverDue()
		if db.tape == nil { // otherwise the tape sweeps when it records the request
			db.sweep()
		}
		if x.entry.At = db.clock.Now(); !x.unseen {
			x.entry.Seq = int(db.requests.Add(1))
		}
		return x.prepare()
	})
	if err != nil {
		x.request, x.invalid, x.plan = nil, err, fault.Plan{}
	}
	return x
}

// prepare parses the request and evaluates the rules.
func (x *exchange) prepare() (err error) {
	if x.request, err = read(x.in); err != nil {
		return err
	}
	x.entry.concern(x.request.Targets)
	if !x.unseen && x.db.rules.Any() {
		targets := x.request.Targets
		if x.db.rules.ByKey() {
			targets = x.db.keysOf(targets)
		}
		x.plan = x.db.rules.Plan(&fault.Request{
			Operation: x.in.Operation, Targets: targets, At: x.entry.At, Info: x.entry, World: world{x.db},
		})
	}
	return nil
}

// guard calls a function and recovers its panic. A panic comes from a defect of the engine or from
// a function of the test. guard reports it and returns an internal error.
func (db *DB) guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			db.reportPanic(fmt.Sprint(p))
			err = awserr.Internal()
		}
	}()
	return f()
}

// reportPanic reports a panic, unless the same one was reported before.
func (db *DB) reportPanic(text string) {
	db.mu.Lock()
	known := db.panics[text]
	if db.panics == nil {
		db.panics = map[string]bool{}
	}
	db.panics[text] = true
	db.mu.Unlock()
	if !known {
		db.report(fmt.Errorf("panic: %s\n%s", text, debug.Stack()))
	}
}

// The services that requests name.
const (
	tablesService  = "DynamoDB_20120810"
	streamsService = "DynamoDBStreams_20120810"
)

// read parses a request. Its error is the reply to the client.
func read(in *transport.Request) (*service.Request, error) {
	if in.TooLarge {
		return nil, &awserr.Error{Code: "RequestEntityTooLarge", Message: "The request is too large.", Status: http.StatusRequestEntityTooLarge}
	}
	asked := tablesService
	if fault.OfStreams(in.Operation) {
		asked = streamsService
	}
	if in.Service != asked {
		return nil, awserr.New("UnknownOperationException", "ddbtest does not implement %s.%s", in.Service, in.Operation)
	}
	return service.Read(in.Operation, in.Body)
}

// world gives rules access to the database.
type world struct{ db *DB }

// ARN implements [fault.World].
func (w world) ARN(table, index string) string { return w.db.arn(table, index) }

// OnDemand implements [fault.World].
func (w world) OnDemand(table string) (is bool) {
	_ = w.db.store.View(func(s *store.State) error {
		t := s.Tables[table]
		is = t != nil && t.OnDemandBilling
		return nil
	})
	return is
}

// IsGlobal implements [fault.World].
func (w world) IsGlobal(table, index string) (is bool) {
	_ = w.db.store.View(func(s *store.State) error {
		if t := s.Tables[table]; t != nil {
			ix := t.Index(index)
			is = ix != nil && !ix.Local
		}
		return nil
	})
	return is
}

// arn returns the ARN of a table or of one of its indexes.
func (db *DB) arn(table, index string) string {
	name := "arn:aws:dynamodb:" + db.config.Region + ":" + db.config.Account + ":table/" + table
	if index != "" {
		name += "/index/" + index
	}
	return name
}

// requestID returns the ID of the n-th request, in the format of the service.
func requestID(n int) string {
	const form = "DDBTEST000000000000000000000000000000000000000000000"
	digits := strconv.Itoa(n)
	return form[:len(form)-len(digits)] + digits
}

// refusal encodes an error as a reply.
func refusal(err error) (status int, body []byte, code string) {
	var refused *awserr.Error
	if !errors.As(err, &refused) {
		refused = awserr.Internal()
	}
	return refused.HTTPStatus(), wire.EncodeError(refused), refused.Code
}
