package shard

import (
	"strings"

	"github.com/trestledb/trestle/internal/keyspace"
)

// fits reports why an item of a counter cannot have a key. It checks the longest keys of the mode.
func (c *Counters) fits(name string) error {
	for _, of := range c.all(name) {
		if _, err := c.layout.totalKey(of); err != nil {
			return err
		}
		if err := c.partsFit(of); err != nil {
			return err
		}
	}
	if c.config.Listed && len(c.layout.sort(keyspace.Escaped.Segment(name))) > maxSortKey {
		return errLongName
	}
	return nil
}

// partsFit reports why a part of a counter cannot have a key.
func (c *Counters) partsFit(of counter) (err error) {
	switch c.config.Mode {
	case WriterOwned:
		_, err = c.layout.partKey(of, part{writer: longestID})
	case Events:
		_, err = c.layout.eventKey(of, c.layout.most-1, "")
	default:
		_, err = c.layout.partKey(of, part{shard: c.layout.most - 1})
	}
	return err
}

// longestID has the length of the ID of a Writer.
var longestID = strings.Repeat("A", 26)
