package shard

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/keys"
)

// check reports all mistakes of a configuration.
func (c *Config) check(family string, s *core.Schema) error {
	var wrong errs.Problems
	wrong.AddAt("family", libitem.CheckText("the family", family))
	if !c.Mode.known() {
		wrong.Add("Mode", "the mode does not exist", "use a constant of this package, such as shard.ExactForever")
	}
	c.checkNumbers(&wrong)
	c.checkNames(&wrong, s)
	c.checkRegions(&wrong)
	if c.Keys == nil {
		libitem.CheckSchema(&wrong, s, ownAttributes, "counters")
	}
	if c.Mode == Events && !sortsText(s) {
		wrong.Add("Mode", "events need a table with a sort key of type S", "use mode ExactForever")
	}
	if c.MarkerLife > 0 && s.TTL == "" {
		wrong.Add("MarkerLife", "the schema has no TTL attribute", "set TTL of entity.Config")
	}
	return wrong.Err()
}

// sortsText reports whether the table has a sort key of type S.
func sortsText(s *core.Schema) bool { return s.Sort.Name != "" && s.Sort.Type == keys.S }

func (c *Config) checkNumbers(wrong *errs.Problems) {
	most := c.most()
	wrong.AddAt("Shards", checkShards(c.Shards, most))
	switch {
	case c.MaxShards == 0:
	case c.MaxShards < 0 || c.MaxShards > most:
		wrong.AddAt("MaxShards", checkShards(c.MaxShards, most))
	case !c.Mode.sharded():
		wrong.Add("MaxShards", "the number of shards does not grow in mode "+c.Mode.String(), "leave it 0")
	case c.MaxShards < c.Shards:
		wrong.Add("MaxShards", "it is less than Shards", "make it at least Shards, or leave it 0")
	}
	for _, d := range []struct {
		name     string
		negative bool
	}{{"GrowEvery", c.GrowEvery < 0}, {"Refresh", c.Refresh < 0}, {"MarkerLife", c.MarkerLife < 0}, {"WriterIdle", c.WriterIdle < 0}} {
		if d.negative {
			wrong.Add(d.name, "the time is negative", "leave it 0 for the default")
		}
	}
	if c.MarkerLife > 0 && c.Mode != ExactForever {
		wrong.Add("MarkerLife", "only mode ExactForever has markers", "leave it 0")
	}
}

var errShards = errs.New("", "the number of shards is not between 1 and 1000", "for a higher rate than 1000 shards sustain, divide it among several counters")

// checkShards checks a number of shards. most is how many of them can have keys.
func checkShards(n, most int) error {
	switch {
	case n < 1 || n > maxShards:
		return errShards
	case n > most:
		return errs.New("", fmt.Sprintf("only %d shards have a number of as many digits as Width of the Keys", most), "use fewer shards")
	default:
		return nil
	}
}

// most returns how many shards of a counter can have keys.
func (c *Config) most() int {
	if c.Keys == nil {
		return maxShards
	}
	return c.Keys.most()
}

func (c *Config) checkNames(wrong *errs.Problems, s *core.Schema) {
	if c.Listed && len(c.Names) > 0 {
		wrong.Add("Names", "the names are fixed, and Listed keeps another list", "use one of the two")
	}
	if c.Listed && !sortsText(s) {
		wrong.Add("Listed", "the list of names needs a table with a sort key of type S", "use Names, if the names are known")
	}
	for i, name := range c.Names {
		wrong.AddAt("Names", checkName(name))
		if slices.Contains(c.Names[:i], name) {
			wrong.Add("Names", "a name is listed twice", "list each name once")
		}
	}
}

func (c *Config) checkRegions(wrong *errs.Problems) {
	switch {
	case c.Region == "" && len(c.Regions) == 0:
	case c.Region == "":
		wrong.Add("Region", "Regions are set, but not the Region of this program", "set it to one of Regions")
	case !slices.Contains(c.Regions, c.Region):
		wrong.Add("Region", "it is not one of Regions", "list all Regions that write")
	}
	for i, r := range c.Regions {
		if r == "" || !utf8.ValidString(r) || slices.Contains(c.Regions[:i], r) {
			wrong.Add("Regions", "a Region is empty, not UTF-8, or listed twice", "list each Region once, such as eu-west-1")
		}
	}
	if len(c.Regions) > 0 && c.MultiRegionStrong {
		wrong.Add("MultiRegionStrong", "Regions are for a table that is eventually consistent", "leave Region and Regions out")
	}
	if len(c.Regions) > 0 && c.Keys != nil {
		wrong.Add("Keys", "the keys of an existing table have no place for the Region", "leave Region and Regions out if only one Region writes")
	}
	if reason, hint := c.noTransactions(); reason != "" && (c.Mode == ExactForever || c.Mode == ExactWindow) {
		wrong.Add("Mode", reason, hint)
	}
}

// checkName reports why a text is no name of a counter.
func checkName(name string) error { return libitem.CheckText("the name of the counter", name) }
