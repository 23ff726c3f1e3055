package together_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
)

// shardOf is the number of a shard in a partition key.
var shardOf = regexp.MustCompile(`(#LOG#)\d+$`)

// same compares the table with the model: all items that have not expired, with their index keys,
// guards and counts, and what a read of each key returns.
func (u *run) same(ctx context.Context, now time.Time) error {
	if err := u.differences(u.model, now); err != nil {
		return err
	}
	for name, k := range kinds {
		want, alive := u.model.live(key{name, pick(u.r, tenants), pick(u.r, ids)}, now.Unix())
		if !alive {
			want = row{kind: name, tenant: pick(u.r, tenants), id: pick(u.r, ids)}
			_, alive = u.model.live(want.key(), now.Unix())
		}
		if alive {
			want = u.model[want.key()]
		}
		got, err := k.get(u.table, want)(ctx)
		switch {
		case !alive && errors.Is(err, trestle.ErrNotFound):
		case !alive:
			return fmt.Errorf("a read of %v returns an item, and there is none: %w", want.key(), err)
		case err != nil:
			return fmt.Errorf("a read of %v: %w", want.key(), err)
		case fmt.Sprint(attributes(got)) != fmt.Sprint(attributes(want)):
			return fmt.Errorf("a read of %v returns %v, and not %v", want.key(), attributes(got), attributes(want))
		}
	}
	return u.queried(ctx, now)
}

// queried compares queries of indexes with the model: the members of a team, and the teams in a
// state by their points.
func (u *run) queried(ctx context.Context, now time.Time) error {
	tenant, of, state := pick(u.r, tenants), pick(u.r, ids), pick(u.r, []string{"on", "off"})
	var want, got []string
	for k := range u.model {
		r, alive := u.model.live(k, now.Unix())
		switch {
		case !alive || r.tenant != tenant:
		case r.kind == "member" && r.text["team"] == of:
			want = append(want, "member "+r.id)
		case r.kind == "team" && r.text["state"] == state:
			want = append(want, fmt.Sprintf("team %06d %s", r.points, r.id))
		}
	}
	slices.Sort(want)
	for m, err := range query.On(members.In(u.table), "by-team", member{Tenant: tenant, Team: of}).All(ctx) {
		if err != nil {
			return err
		}
		got = append(got, "member "+m.ID)
	}
	for e, err := range query.On(teams.In(u.table), "by-state", team{Tenant: tenant, State: state}).All(ctx) {
		if err != nil {
			return err
		}
		got = append(got, fmt.Sprintf("team %06d %s", e.Points, e.ID))
	}
	if !slices.Equal(want, got) {
		return fmt.Errorf("queries return %v, and not %v", got, want)
	}
	return nil
}

// removed removes a tenant, and compares what is left.
func (u *run) removed(ctx context.Context) error {
	for _, run := range []maintain.Run{{}, {Scan: true, DryRun: true}} {
		if _, err := maintain.RemoveTenant(ctx, u.table, tenants[0], run); err != nil {
			return err
		}
	}
	maps.DeleteFunc(u.model, func(k key, _ row) bool { return k.tenant == tenants[0] })
	return u.same(ctx, u.now)
}

// differs reports whether the item of a call is not as in a state.
func (u *run) differs(c call, s store, now time.Time) bool {
	want, alive := s.live(c.row.key(), now.Unix())
	got, err := kinds[c.row.kind].get(u.table, c.row)(context.Background())
	return alive != (err == nil) || alive && fmt.Sprint(attributes(got)) != fmt.Sprint(attributes(want))
}

// differences returns how the table differs from a state.
func (u *run) differences(s store, now time.Time) error {
	want := map[string]string{}
	for k := range s {
		r, alive := s.live(k, now.Unix())
		if !alive {
			continue
		}
		own := attributes(r)
		want[own["PK"]+" "+own["SK"]] = fmt.Sprint(own)
		if value := kinds[r.kind].unique(r); value != "" {
			want["guard "+r.tenant+" "+r.kind+" "+value] = fmt.Sprint(own["PK"], " ", own["SK"], " ", expiryText(r.expires))
		}
	}
	got := map[string]string{}
	for _, item := range u.db.Dump("together") {
		name, text, err := describe(item, now.Unix())
		if err != nil {
			return err
		}
		if name == "" {
			continue
		}
		if _, twice := got[name]; twice {
			return fmt.Errorf("%s is stored twice", name)
		}
		got[name] = text
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			return fmt.Errorf("%s is stored as\n%s, and not as\n%s", name, got[name], want[name])
		}
		delete(got, name)
	}
	if len(got) > 0 {
		return fmt.Errorf("the table has more than the model: %v", got)
	}
	return nil
}

func expiryText(expires int64) string {
	if expires == 0 {
		return ""
	}
	return strconv.FormatInt(expires, 10)
}

// attributes returns the stored attributes of an item, without the ID of the last write.
func attributes(r row) map[string]string {
	k := kinds[r.kind]
	item := k.keys(r)
	maps.Copy(item, r.text)
	item["_type"], item["tenant"], item["id"], item["points"] = r.kind, r.tenant, r.id, strconv.FormatInt(r.points, 10)
	item["tenantsPK"] = "T#" + r.tenant
	if r.expires != 0 {
		item["expires"] = expiryText(r.expires)
	}
	if k.versioned {
		item["version"], item["members"] = strconv.FormatInt(r.version, 10), strconv.FormatInt(r.members, 10)
		item["created"], item["updated"] = r.created.UTC().Format(time.RFC3339Nano), r.updated.UTC().Format(time.RFC3339Nano)
	}
	return item
}

// describe returns the name of a stored item and what it has. The name is empty for items that the
// comparison leaves out: expired ones, and the one about the tenant index.
func describe(item map[string]types.AttributeValue, now int64) (name, text string, err error) {
	has := map[string]string{}
	for attribute, av := range item {
		switch av := av.(type) {
		case *types.AttributeValueMemberS:
			has[attribute] = av.Value
		case *types.AttributeValueMemberN:
			has[attribute] = av.Value
		case *types.AttributeValueMemberM: // of a guard
			has["owner"] = shardOf.ReplaceAllString(textOf(av.Value["PK"]), "$1") + " " + textOf(av.Value["SK"])
		case *types.AttributeValueMemberB:
		default:
			return "", "", fmt.Errorf("the attribute %s has another type", attribute)
		}
	}
	if expires, err := strconv.ParseInt(has["expires"], 10, 64); err == nil && expires <= now {
		return "", "", nil
	}
	switch has["_type"] {
	case "$U#tenantindex":
		return "", "", nil
	case "$U#unique":
		return describeGuard(has)
	}
	has["PK"] = shardOf.ReplaceAllString(has["PK"], "$1")
	return has["PK"] + " " + has["SK"], fmt.Sprint(has), nil
}

// describeGuard describes a guard. Its partition key has the tenant, the type, the name of the
// value and the value.
func describeGuard(has map[string]string) (name, text string, err error) {
	parts := strings.SplitN(has["PK"], "#", 7)
	if len(parts) < 7 || parts[2] != "$U" || has["tenantsPK"] != "T#"+parts[1] || has["tenantsSK"] != "" {
		return "", "", fmt.Errorf("a guard has the attributes %v", has)
	}
	name = strings.Join([]string{"guard", parts[1], parts[4], parts[6]}, " ")
	return name, has["owner"] + " " + has["expires"], nil
}

func textOf(av types.AttributeValue) string {
	s, _ := av.(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}
