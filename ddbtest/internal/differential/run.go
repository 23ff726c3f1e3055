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

// pair is two engines, one of which is held to the other.
type pair struct {
	reference, candidate engine
	known                []explanation // what may differ
	renew                func() pair   // the same on fresh databases; nil: there is no need
}

// report is what came of a history.
type report struct {
	coverage  coverage
	explained map[string]int // how often each explanation was needed
	failure   *failure       // none where the engines agree
}

// failure is the first step of a history at which two engines differ, unexplained.
type failure struct {
	history     history
	step        int // the number of a step; that of all steps where it was found at the end
	differences []difference
}

// run is a history on its way through both engines.
type run struct {
	pair
	history
	report
	a, b  *side // the reference and the candidate
	walks map[int]*walk
}

// checkEvery is after how many steps the whole state is compared.
const checkEvery = 150

// attempts is how often a history is begun where an engine gives no answer, as a server under load may.
const attempts = 3

// run runs a history on both engines, and compares. The error is one of the machinery, not a difference.
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

// once runs a history on tables of its own.
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
	if errors.Is(err, errUnsettled) {
		r.explained[unsettled]++
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

// dropTables leaves nothing behind. That a table is gone already is what is wanted.
func (r *run) dropTables(ctx context.Context) {
	for _, t := range r.tables {
		_ = r.a.drop(ctx, t)
		_ = r.b.drop(ctx, t)
	}
}

// step does one step on both engines, and now and then compares all that they hold.
func (r *run) step(ctx context.Context, i int) ([]difference, error) {
	differences, err := r.do(ctx, r.steps[i])
	if err == nil && len(differences) == 0 && i%checkEvery == checkEvery-1 {
		return r.compareState(ctx)
	}
	return differences, err
}

// end ends what is under way, and compares all that is left.
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

// call is an operation of one call that gives no page.
func (r *run) call(ctx context.Context, op operation) ([]difference, error) {
	a, b := r.a.call(ctx, op), r.b.call(ctx, op)
	if err := r.met(op, a); err != nil {
		return nil, err
	}
	r.touch(op.input)
	differences := r.unexplained(op, a, b, compare(a, b))
	if in, ok := op.input.(*dynamodb.UpdateTableInput); ok && len(differences) == 0 && !a.failed() {
		r.endWalksOf(aws.ToString(in.TableName))
		return nil, r.settle(ctx, aws.ToString(in.TableName))
	}
	return differences, nil
}

// met counts what an operation reached on the reference, which must have answered.
func (r *run) met(op operation, a outcome) error {
	if slices.Contains(noAnswers, a.code) {
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

// deleteAtCursor deletes the item at which a read stands, so that its next page must find its place without it.
func (r *run) deleteAtCursor(ctx context.Context, op operation, table string) ([]difference, error) {
	at := r.a.cursors[op.slot]
	if at == nil {
		return nil, nil
	}
	in := &dynamodb.DeleteItemInput{TableName: aws.String(table), Key: pickMembers(at, r.table(table).names()), ReturnConsumedCapacity: capacity}
	r.coverage["item at the cursor deleted"]++
	return r.call(ctx, operation{input: in})
}

// table is the history's table of a name.
func (r *run) table(name string) *table {
	for _, t := range r.tables {
		if t.name == name {
			return t
		}
	}
	return &table{name: name}
}
