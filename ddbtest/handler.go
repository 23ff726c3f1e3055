package ddbtest

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/service"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/transport"
)

// handler is the server that receives the requests.
type handler struct {
	db    *DB
	setup bool // its requests set up a test: rules, budgets and cost ignore them
}

// Accept implements [transport.Server].
func (h *handler) Accept(in transport.Request) transport.Exchange {
	db := h.db
	x, _ := exchanges.Get().(*exchange)
	x.db, x.setup, x.in = db, h.setup, in
	x.info.Operation, x.info.Call, x.info.Attempt, x.info.body = in.Operation, in.InvocationID, in.Attempt, in.Body
	now := time.Now()
	if x.unavailable = db.unavailable(now); x.unavailable != nil {
		return x // Connect returns the error
	}
	err := db.recoverPanic(func() error {
		if db.held.Any() {
			db.deliverDue()
			now = time.Now() // this request arrives after the held ones
		}
		db.data.SweepBeforeRequest()
		if x.info.At = db.data.Clock.At(now); !x.setup {
			x.info.Seq = int(db.requests.Add(1))
		}
		x.policy = db.policies.find(in.Authorization)
		return x.prepare()
	})
	if err != nil {
		x.request, x.invalid, x.plan = nil, err, fault.Plan{}
	}
	return x
}

// prepare parses the request and evaluates the rules.
func (x *exchange) prepare() (err error) {
	if x.request, err = parse(&x.in); err != nil {
		return err
	}
	x.info.setTargets(x.request.Targets)
	if x.request.IsPartiQL() {
		_ = x.db.data.Store.View(func(s *store.State) error {
			x.info.RunsAs = x.request.RunsAs(s)
			return nil
		})
	}
	if !x.setup && x.db.rules.Any() {
		targets, data := x.request.Targets, x.db.data
		if x.db.rules.HasKeys() {
			targets = fault.KeysOnly(data.Store, targets)
		}
		x.plan = x.db.rules.Plan(&fault.Request{
			Operation: x.in.Operation, RunsAs: x.info.RunsAs, Targets: targets, At: x.info.At, Info: x.info,
			Tables: fault.StoreInfo{Store: data.Store, Config: data.Config},
		})
	}
	return nil
}

// recoverPanic calls a function and recovers its panic. A panic comes from a defect of the engine
// or from a function of the test. recoverPanic reports it and returns an internal error.
func (db *DB) recoverPanic(f func() error) (err error) {
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
	db.reportOnce("panic: "+text, func() error { return fmt.Errorf("panic: %s\n%s", text, debug.Stack()) })
}

// The services that requests name.
const (
	tablesService  = "DynamoDB_20120810"
	streamsService = "DynamoDBStreams_20120810"
)

// parse parses a request. Its error is the reply to the client.
func parse(in *transport.Request) (*service.Request, error) {
	if in.TooLarge {
		return nil, &awserr.Error{Code: "RequestEntityTooLarge", Message: "The request is too large.", Status: http.StatusRequestEntityTooLarge}
	}
	if in.Undecodable {
		return nil, awserr.Internal() // as the service
	}
	want := tablesService
	if fault.OfStreams(in.Operation) {
		want = streamsService
	}
	if in.Service != want {
		return nil, awserr.New("UnknownOperationException", "ddbtest does not implement %s.%s", in.Service, in.Operation)
	}
	return service.Read(in.Operation, in.Body)
}
