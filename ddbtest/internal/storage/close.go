package storage

import "sync"

// users counts what uses a storage, so that its end can be waited for.
type users struct {
	mu     sync.Mutex
	count  int
	closed bool
	none   chan struct{} // closed when the keeper is closed and nothing uses it
}

// Enter reports whether the keeper is open. If it is, [Keeper.Close] waits until the caller calls
// Leave. A nil keeper is always open.
func (k *Keeper) Enter() bool {
	if k == nil {
		return true
	}
	u := &k.users
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.closed {
		u.count++
	}
	return !u.closed
}

// Leave ends what a successful [Keeper.Enter] began.
func (k *Keeper) Leave() {
	if k == nil {
		return
	}
	u := &k.users
	u.mu.Lock()
	defer u.mu.Unlock()
	u.count--
	if u.closed && u.count == 0 {
		close(u.none)
	}
}

// Close waits until nothing uses the keeper. From its call on Enter reports false. Call it once.
func (k *Keeper) Close() {
	if k == nil {
		return
	}
	u := &k.users
	u.mu.Lock()
	u.closed = true
	if u.count == 0 {
		close(u.none)
	}
	u.mu.Unlock()
	<-u.none
}
