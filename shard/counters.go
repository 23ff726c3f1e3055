package shard

import (
	"slices"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/hooks"
)

// Counters are the counters of a family, such as the votes of all candidates. Each has a name. They
// are safe for concurrent use. [NewCounters] returns them.
//
// Every error is a [*trestle.OpError] or wraps one. A mistake of the configuration or of the
// arguments is [trestle.ErrInvalid]; nothing was sent then. The observer is notified of each read
// and write that a method sends.
type Counters struct {
	family string
	config Config
	exec   *exec.Config
	schema *core.Schema
	plan   *core.Plan // of the items: only for errors and the observer
	layout layout
	cache  *cache
	err    error // why the counters cannot be used
}

// NewCounters returns the counters of a family on a table. Several families can be on one table, if
// their names differ, and their Keys, if they have some. The value is cheap, but it remembers the
// numbers of shards that it has read: keep it, for example next to the repositories.
//
// NewCounters never fails and sends nothing. If the configuration is invalid, each method returns
// [trestle.ErrInvalid] with all mistakes.
func NewCounters(table *entity.Table, family string, c Config) *Counters {
	t := hooks.TableOf(table)
	v := &Counters{family: family, config: c.withDefaults(), exec: t.Config, schema: t.Schema, cache: new(cache), err: t.Err}
	if v.err != nil {
		return v
	}
	v.config.Names, v.config.Regions = slices.Clone(c.Names), slices.Clone(c.Regions)
	v.plan = &core.Plan{Name: family, Schema: t.Schema}
	var wrong errs.Problems
	wrong.AddErr("", v.config.check(family, t.Schema))
	wrong.AddErr("", t.Schema.CheckOwnItems(t.Config.Tenant.ID()))
	var err error
	v.layout, err = newLayout(t.Schema, t.Config.Tenant.ID(), family, c.Keys)
	wrong.AddErr("", err)
	if c.Keys != nil && t.Config.Tenant != nil {
		wrong.Add("Keys", "the counters of a tenant have keys that the library reserves", "leave Keys out, or use the table that Schema.Open returned")
	}
	if c.Keys != nil && !v.config.Mode.sharded() {
		wrong.Add("Keys", "mode "+c.Mode.String()+" has other items than shards", "use another mode, or leave Keys out")
	}
	v.err = wrong.Err()
	return v
}

// own returns the counter of a name in the Region of this program.
func (c *Counters) own(name string) counter { return counter{name: name, region: c.config.Region} }

// all returns the counters of a name, one for each Region.
func (c *Counters) all(name string) (list []counter) {
	for _, region := range c.config.regions() {
		list = append(list, counter{name: name, region: region})
	}
	return list
}

// ready reports why a method cannot be called for the names.
func (c *Counters) ready(operation string, names ...string) error {
	if c == nil || c.plan == nil && c.err == nil {
		return new(Counters).failed(operation, errNoCounters)
	}
	if c.err != nil {
		return c.failed(operation, c.err)
	}
	var wrong errs.Problems
	for _, name := range names {
		wrong.AddAt("name", checkName(name))
		if fixed := c.config.Names; len(fixed) > 0 && !slices.Contains(fixed, name) {
			wrong.Add("name", "the name is not one of Names", "add it to Names of the Config, or use Listed")
		}
	}
	if len(wrong) == 0 {
		for _, name := range names {
			wrong.AddAt("name", c.fits(name))
		}
	}
	return c.failed(operation, wrong.Err())
}
