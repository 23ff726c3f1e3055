package differential

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// pair is a reference engine, and a candidate that is compared with it.
type pair struct {
	reference, candidate engine
	known                []explanation // accepted differences
	renew                func() pair   // returns the pair with fresh databases; may be nil
	generate             func(seed uint64, n, length int) history
}

// report is the result of a history.
type report struct {
	coverage  coverage
	explained map[string]int // how often each explanation was used
	failure   *failure       // nil if the engines agree
}

// failure is the first step of a history with an unexplained difference.
type failure struct {
	history     history
	step        int // index of the step; the number of steps if found at the end
	differences []difference
}

// run is the execution of a history on both engines.
type run struct {
	pair
	history
	report
	a, b  *side // the reference and the candidate
	walks map[int]*walk
}

// checkEvery is the number of steps between comparisons of the whole state.
const checkEvery = 150

// attempts is the largest number of attempts to run a history if a server fails, for example under
// load.
const attempts = 3

// run runs a history on both engines and compares them. The error is a failure of a server or of
// the runner, not a difference.
func (p pair) run(ctx context.Context, h history) (report, error) {
	var failures []error
	for range attempts {
		got, err := p.once(ctx, h)
		if err == nil {
			return got, nil
		}
		if failures = append(failures, err); ctx.Err() != nil {
			break
		}
	}
	return report{}, errors.Join(failures...)
}

// once runs a history on its own tables.
func (p pair) once(ctx context.Context, h history) (report, error) {
	id := rand.Text()[:12]
	r := &run{
		pair: p, history: h, a: newSide(p.reference, id), b: newSide(p.candidate, id), walks: map[int]*walk{},
		report: report{coverage: coverage{}, explained: map[string]int{}},
	}
	defer r.dropTables(ctx)
	err := r.createTables(ctx)
	step := 0
	var differences []difference
	for ; err == nil && len(differences) == 0 && step < len(h.steps); step++ {
		differences, err = r.step(ctx, step)
	}
	if err == nil && len(differences) == 0 {
		differences, err = r.end(ctx)
		step++
	}
	if errors.Is(err, errNeverActive) {
		r.explained[neverActive]++
		return r.report, nil
	}
	if len(differences) > 0 {
		r.failure = &failure{history: h, step: step - 1, differences: differences}
	}
	return r.report, err
}

func (r *run) createTables(ctx context.Context) error {
	for _, t := range r.tables {
		if err := errors.Join(r.a.create(ctx, t), r.b.create(ctx, t)); err != nil {
			return err
		}
	}
	return nil
}

// dropTables deletes the tables. It ignores errors, because a table may not exist.
func (r *run) dropTables(ctx context.Context) {
	for _, t := range r.tables {
		_ = r.a.drop(ctx, t)
		_ = r.b.drop(ctx, t)
	}
}

// step runs one step on both engines. Every [checkEvery] steps it compares the whole state.
func (r *run) step(ctx context.Context, i int) ([]difference, error) {
	differences, err := r.do(ctx, r.steps[i])
	if err == nil && len(differences) == 0 && i%checkEvery == checkEvery-1 {
		return r.compareState(ctx)
	}
	return differences, err
}

// end completes the walks, and compares the whole state and the streams.
func (r *run) end(ctx context.Context) ([]difference, error) {
	for _, f := range []func(context.Context) ([]difference, error){r.endWalks, r.compareState, r.compareStreams} {
		if differences, err := f(ctx); err != nil || len(differences) > 0 {
			return differences, err
		}
	}
	return nil, nil
}

func (r *run) do(ctx context.Context, op operation) ([]difference, error) {
	switch in := op.input.(type) {
	case *dynamodb.QueryInput:
		if op.form == deleteAtCursor {
			return r.deleteAtCursor(ctx, op, aws.ToString(in.TableName))
		}
		return r.query(ctx, op, in)
	case *dynamodb.ScanInput:
		if op.form == deleteAtCursor {
			return r.deleteAtCursor(ctx, op, aws.ToString(in.TableName))
		}
		return r.scan(ctx, op, in)
	default:
		return r.call(ctx, op)
	}
}

// call runs an operation with one call and no page.
func (r *run) call(ctx context.Context, op operation) ([]difference, error) {
	a, b := r.a.call(ctx, op), r.b.call(ctx, op)
	if err := r.record(op, a); err != nil {
		return nil, err
	}
	r.markWritten(op.input)
	differences := r.unexplained(op, a, b, compare(a, b))
	if in, ok := op.input.(*dynamodb.UpdateTableInput); ok && len(differences) == 0 && !a.failed() {
		r.endWalksOf(aws.ToString(in.TableName))
		return nil, r.settle(ctx, aws.ToString(in.TableName))
	}
	return differences, nil
}

// record counts an operation. It returns an error if the reference failed as a server.
func (r *run) record(op operation, a outcome) error {
	if slices.Contains(serverErrors, a.code) {
		return fmt.Errorf("%s: %s", r.a.name, a.message)
	}
	r.coverage.count(op, a)
	return nil
}

// settle waits for a changed table.
func (r *run) settle(ctx context.Context, name string) error {
	_, errA := r.a.settle(ctx, name)
	_, errB := r.b.settle(ctx, name)
	return errors.Join(errA, errB)
}

// deleteAtCursor deletes the last item of a read's previous page. The next page must continue
// without it.
func (r *run) deleteAtCursor(ctx context.Context, op operation, table string) ([]difference, error) {
	at := r.a.cursors[op.slot]
	if at == nil {
		return nil, nil
	}
	in := &dynamodb.DeleteItemInput{TableName: aws.String(table), Key: pickMembers(at, r.table(table).names()), ReturnConsumedCapacity: capacity}
	r.coverage["item at the cursor deleted"]++
	return r.call(ctx, operation{input: in})
}

// table returns the table with that name.
func (r *run) table(name string) *table {
	for _, t := range r.tables {
		if t.name == name {
			return t
		}
	}
	return &table{name: name}
}

// compareState compares each table's items and each index's entries.
func (r *run) compareState(ctx context.Context) ([]difference, error) {
	for _, t := range r.tables {
		described, err := r.a.settle(ctx, t.name)
		if err != nil {
			return nil, err
		}
		scans := []*dynamodb.ScanInput{{TableName: name(t), ConsistentRead: aws.Bool(true)}}
		for _, x := range described.GlobalSecondaryIndexes {
			scans = append(scans, &dynamodb.ScanInput{TableName: name(t), IndexName: x.IndexName})
		}
		for _, x := range described.LocalSecondaryIndexes {
			scans = append(scans, &dynamodb.ScanInput{TableName: name(t), IndexName: x.IndexName})
		}
		for _, in := range scans {
			a, b := r.a.all(ctx, in), r.b.all(ctx, in)
			differences := append(compare(a, b), r.compareScans(a, b)...)
			for i := range differences {
				differences[i].what = "state of " + t.name + " " + aws.ToString(in.IndexName) + ": " + differences[i].what
			}
			if len(differences) > 0 {
				return differences, nil
			}
		}
	}
	return nil, nil
}
