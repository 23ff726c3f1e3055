package differential

import (
	"context"
	"sync"
)

// historyLength is how many steps a history has.
const historyLength = 400

// renewEvery is after how many histories a pair goes on with fresh databases: DynamoDB Local grows slow by what it keeps of tables that are gone.
const renewEvery = 8

// many runs histories of one seed, some at a time, until so many operations were done or one of them fails. The first failure by number is
// the one reported.
func many(ctx context.Context, pairs []pair, seed uint64, operations int) (report, error) {
	all := report{coverage: coverage{}, explained: map[string]int{}}
	var (
		mu    sync.Mutex
		wg    sync.WaitGroup
		next  int
		first error
	)
	take := func() (n int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if first != nil || all.failure != nil || all.coverage[rowOperations] >= operations {
			return 0, false
		}
		next++
		return next - 1, true
	}
	for _, p := range pairs {
		wg.Go(func() {
			done := 0
			for n, ok := take(); ok; n, ok = take() {
				if done++; p.renew != nil && done%renewEvery == 0 {
					p = p.renew()
				}
				got, err := p.run(ctx, generate(seed, n, historyLength))
				mu.Lock()
				if err == nil {
					all.add(got)
				} else if first == nil {
					first = err
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return all, first
}

// add adds another report to this one.
func (r *report) add(other report) {
	r.coverage.add(other.coverage)
	for name, n := range other.explained {
		r.explained[name] += n
	}
	if r.failure == nil {
		r.failure = other.failure
	}
}
