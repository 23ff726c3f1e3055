package differential

import (
	"context"
	"sync"
)

// historyLength is the number of steps of a history.
const historyLength = 400

// renewEvery is the number of histories after which a pair gets fresh databases. DynamoDB Local
// becomes slow because it retains data of deleted tables.
const renewEvery = 8

// runHistories runs histories of one seed, one per pair concurrently, until that many operations
// were run or one history fails. It reports the first failure that it finds.
func runHistories(ctx context.Context, pairs []pair, seed uint64, operations int) (report, error) {
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
					p.reference, p.candidate = p.renew().engines()
				}
				got, err := p.run(ctx, p.generate(seed, n, historyLength))
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

func (p pair) engines() (reference, candidate engine) { return p.reference, p.candidate }

// add adds another report.
func (r *report) add(other report) {
	r.coverage.add(other.coverage)
	for name, n := range other.explained {
		r.explained[name] += n
	}
	if r.failure == nil {
		r.failure = other.failure
	}
}
