//go:build unix && !aix && !solaris

package main

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"
)

const lockInterval = 50 * time.Millisecond

// lockFile waits for the exclusive lock on a file, and creates the file if needed. The system
// releases the lock when the process ends, so a killed process blocks no other.
func lockFile(ctx context.Context, path string) (unlock func(), err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	tick := time.NewTicker(lockInterval)
	defer tick.Stop()
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { _ = file.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			_ = file.Close()
			return nil, err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			_ = file.Close()
			return nil, ctx.Err()
		}
	}
}
