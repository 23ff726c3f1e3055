package shard

import (
	"sync"
	"time"
)

// maxCached is the maximum number of counters that a cache has.
const maxCached = 10_000

// cache has the numbers of shards that were read. An old number is never wrong: increments choose a
// shard that is read, or one that is closed, in which case they read the number again.
type cache struct {
	mu      sync.Mutex
	entries map[counter]*cached
}

// cached is what is known of a counter.
type cached struct {
	shards  int       // for increments
	max     int       // for readers
	read    time.Time // when the numbers were read
	writers []string  // of mode WriterOwned
	listed  bool      // its name is in the list
	grew    time.Time // when growth was tried last
}

// get returns what is known of a counter, and whether its numbers are not older than refresh. Of
// several callers at the same time, only the first is told that they are.
func (c *cache) get(of counter, now time.Time, refresh time.Duration) (found cached, fresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[of]
	if e == nil || e.shards == 0 {
		return cached{}, false
	}
	found = *e
	if fresh = now.Sub(e.read) < refresh; !fresh {
		e.read = now
	}
	return found, fresh
}

// put stores the numbers of a counter.
func (c *cache) put(of counter, s state, now time.Time) {
	c.change(of, func(e *cached) { e.shards, e.max, e.writers, e.read = s.shards, s.max, s.writers, now })
}

// change changes what is known of a counter.
func (c *cache) change(of counter, f func(*cached)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[of]
	if e == nil {
		e = c.add(of)
	}
	f(e)
}

// add adds an entry, and removes another one if there are too many.
func (c *cache) add(of counter) *cached {
	if c.entries == nil {
		c.entries = map[counter]*cached{}
	}
	for other := range c.entries {
		if len(c.entries) < maxCached {
			break
		}
		delete(c.entries, other)
	}
	e := new(cached)
	c.entries[of] = e
	return e
}

// known returns what is known of a counter, also if it is old.
func (c *cache) known(of counter) cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[of]; e != nil {
		return *e
	}
	return cached{}
}

// forget removes a counter.
func (c *cache) forget(of counter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, of)
}
