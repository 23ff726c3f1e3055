package entity_test

import (
	"net/netip"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// host has pointers to types with a custom form: text, binary and time.
type host struct {
	_     entity.Key   `type:"host" pk:"HOST#<id>" sk:"HOST"`
	_     entity.Index `name:"by-addr" on:"GSI1" pk:"ADDR#<addr>" sk:"OWNER#<owner>"`
	ID    string       `dynamodbav:"id"`
	Addr  *netip.Addr  `dynamodbav:"addr"`
	Owner *uid         `dynamodbav:"owner,omitempty"`
	Home  *url.URL     `dynamodbav:"home"`
	Seen  *time.Time   `dynamodbav:"seen"`
	Hops  []*uid       `dynamodbav:"hops"`
}

var (
	hostAddr  = attr.Must(func(h *host) *netip.Addr { return h.Addr })
	hostOwner = attr.Must(func(h *host) *uid { return h.Owner })
	hostHome  = attr.Must(func(h *host) *url.URL { return h.Home })
	hostSeen  = attr.Must(func(h *host) *time.Time { return h.Seen })
	hostPtr   = attr.Must(func(h *host) **netip.Addr { return &h.Addr })
)

// The handle of a pointer field has the type that the pointer points to, also if a method of the
// type encodes it.
func TestHandlesThroughPointers(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		hosts := entity.Define[host](s)
		_, table := open(t, e, s)
		repo := hosts.In(table)
		addr, seen := netip.MustParseAddr("10.0.0.1"), time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)
		home := url.URL{Scheme: "https", Host: "example.com"}
		require.NoError(t, repo.Create(ctx, &host{ID: "h"}))

		got, err := repo.Update(ctx, host{ID: "h"}, hostAddr.Set(addr), hostOwner.Set(uid{7}), hostHome.Set(home), hostSeen.Set(seen))
		require.NoError(t, err)
		require.Equal(t, host{ID: "h", Addr: &addr, Owner: &uid{7}, Home: &home, Seen: &seen}, got)
		_, err = repo.Update(ctx, host{ID: "h"}, hostSeen.Set(seen), attr.If(hostAddr.Eq(addr), hostPtr.Eq(&addr), hostOwner.In(uid{6}, uid{7}), hostHome.Ne(url.URL{})))
		require.NoError(t, err)
		found, err := query.On(repo, "by-addr", host{Addr: &addr}).Where(hostOwner.Eq(uid{7})).Filter(attr.Since(hostSeen, seen)).Collect(ctx)
		require.NoError(t, err)
		require.Equal(t, []host{got}, found)
	})
}
