package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

const ada, bob, cyd = "Ada", "Bob", "Cyd"

// candidates are in the order of the view.
var candidates = []string{ada, bob, cyd}

// ballot is a vote that is cast.
type ballot struct{ voter, candidate string }

// ballots returns the votes of the voters with these numbers. Of six voters, three vote for Ada,
// two for Bob, and one for Cyd.
func ballots(from, to int) []ballot {
	list := make([]ballot, 0, to-from)
	for i := from; i < to; i++ {
		list = append(list, ballot{fmt.Sprintf("voter %d", i), []string{ada, bob, ada, cyd, bob, ada}[i%6]})
	}
	return list
}

// booths is how many voters vote at the same time.
const booths = 8

// cast sends the ballots, several at the same time. Each voter takes the time of pause.
func cast(ctx context.Context, s Store, list []ballot, pause time.Duration) error {
	queue := make(chan ballot, len(list))
	for _, b := range list {
		queue <- b
	}
	close(queue)
	failures := make([]error, booths)
	var voters sync.WaitGroup
	for i := range booths {
		voters.Go(func() {
			for b := range queue {
				if failures[i] = s.Vote(ctx, b.voter, b.candidate); failures[i] != nil {
					return
				}
				wait(ctx, pause)
			}
		})
	}
	voters.Wait()
	return errors.Join(failures...)
}

// wait waits for a time, or for the end of the context.
func wait(ctx context.Context, d time.Duration) {
	if d == 0 {
		return
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
