package engines

import (
	"context"
	"errors"
	"fmt"
	"testing/synctest"
	"time"
)

// CancelIssue makes a call in a synctest bubble, and cancels its context as soon as the call waits
// for a reply or pauses. The call must return at once, with an error that wraps context.Canceled.
// CancelIssue returns what is wrong, or "", and the error of the call.
func CancelIssue(ctx context.Context, call func(context.Context) error) (issue string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- call(ctx) }()
	synctest.Wait()
	select {
	case err := <-done:
		return "it does not wait", err
	default:
	}
	began := time.Now()
	cancel()
	err = <-done
	switch {
	case time.Since(began) > 0:
		return fmt.Sprintf("it returns after %s", time.Since(began)), err
	case !errors.Is(err, context.Canceled):
		return fmt.Sprintf("its error is %v", err), err
	}
	return "", err
}
