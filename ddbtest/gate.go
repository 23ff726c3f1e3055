package ddbtest

import (
	"errors"
	"strconv"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/service"
	"github.com/trestledb/trestle/ddbtest/internal/transport"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
)

// gate is where requests come in.
type gate struct {
	db     *DB
	unseen bool // no rule, no log and no cost knows of what comes in here
}

// Arrive implements [transport.Server].
func (g *gate) Arrive(in *transport.Request) transport.Exchange {
	db := g.db
	db.catchUp()
	x := &exchange{db: db, unseen: g.unseen, in: in}
	x.entry = Request{
		Seq: int(db.requests.Add(1)), Operation: in.Operation, Call: in.Invocation, Attempt: in.Attempt,
		At: db.clock.Now(), body: in.Body,
	}
	x.request, x.invalid = db.read(in)
	if x.request == nil {
		return x
	}
	x.entry.concern(x.request.Targets)
	if !g.unseen && db.rules.Any() {
		x.plan = db.plan(x)
	}
	return x
}

// catchUp does what became due before a request.
func (db *DB) catchUp() {
	if db.late.Any() {
		db.deliverDue()
	}
	if db.tape == nil { // where there is one, it sweeps when it takes down what happened
		db.sweep()
	}
}

// The services that requests name.
const (
	tablesService  = "DynamoDB_20120810"
	streamsService = "DynamoDBStreams_20120810"
)

// read reads a request; what is wrong with it is the reply.
func (db *DB) read(in *transport.Request) (request *service.Request, err error) {
	defer db.recoverTo(&err)
	asked := tablesService
	if fault.OfStreams(in.Operation) {
		asked = streamsService
	}
	if in.Service != asked {
		return nil, awserr.New("UnknownOperationException", "")
	}
	return service.Read(in.Operation, in.Body)
}

// plan asks the rules.
func (db *DB) plan(x *exchange) (plan fault.Plan) {
	var err error
	defer func() {
		if err != nil {
			plan = fault.Plan{Before: fault.Ending{Error: awserr.Internal()}}
		}
	}()
	defer db.recoverTo(&err)
	return db.rules.Plan(&fault.Request{Operation: x.in.Operation, Targets: x.request.Targets, Info: x.entry}, db.arn)
}

// arn is the name of a table, or of an index of it.
func (db *DB) arn(table, index string) string {
	name := "arn:aws:dynamodb:" + db.config.Region + ":" + db.config.Account + ":table/" + table
	if index != "" {
		name += "/index/" + index
	}
	return name
}

// requestID makes the id of the n-th request, in the form of the service's.
func requestID(n int) string {
	const form = "DDBTEST000000000000000000000000000000000000000000000"
	digits := strconv.Itoa(n)
	return form[:len(form)-len(digits)] + digits
}

// refusal is an error as a reply.
func refusal(err error) (status int, body []byte, code string) {
	var refused *awserr.Error
	if !errors.As(err, &refused) {
		refused = awserr.Internal()
	}
	return refused.HTTPStatus(), wire.EncodeError(refused), refused.Code
}
