package together_test

import (
	"context"
	"fmt"
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

type (
	// team counts its members. It has every role, and expires.
	team struct {
		_       entity.Key   `type:"team" pk:"T#<tenant>#TEAM#<id>" sk:"TEAM"`
		_       entity.Index `name:"team-of-tenant" on:"tenants" pk:"T#<tenant>"`
		_       entity.Index `name:"by-state" on:"GSI1" pk:"T#<tenant>#STATE#<state>" sk:"<points:06>#<id>"`
		Tenant  string       `dynamodbav:"tenant" entity:"tenant"`
		ID      string       `dynamodbav:"id"`
		Name    string       `dynamodbav:"name,omitempty" entity:"unique"`
		State   string       `dynamodbav:"state,omitempty"`
		Points  int64        `dynamodbav:"points"`
		Members int64        `dynamodbav:"members"`
		Version int64        `dynamodbav:"version" entity:"version"`
		Created time.Time    `dynamodbav:"created" entity:"created"`
		Updated time.Time    `dynamodbav:"updated" entity:"updated"`
		Expires int64        `dynamodbav:"expires,omitempty" entity:"ttl"`
	}
	// member is counted by its team, and has no version.
	member struct {
		_      entity.Key     `type:"member" pk:"T#<tenant>#MEMBER#<id>" sk:"MEMBER"`
		_      entity.Index   `name:"member-of-tenant" on:"tenants" pk:"T#<tenant>"`
		_      entity.Index   `name:"by-team" on:"GSI1" pk:"T#<tenant>#OF#<team>" sk:"<id>"`
		_      entity.Counted `in:"team" as:"members" pk:"T#<tenant>#TEAM#<team>" sk:"TEAM"`
		Tenant string         `dynamodbav:"tenant" entity:"tenant"`
		ID     string         `dynamodbav:"id"`
		Email  string         `dynamodbav:"email,omitempty" entity:"unique"`
		Team   string         `dynamodbav:"team,omitempty"`
		Points int64          `dynamodbav:"points"`
	}
	// entry is in a shard, and expires after its lifetime.
	entry struct {
		_       entity.Key    `type:"entry" pk:"T#<tenant>#LOG#<shard:id>" sk:"<id>" shards:"2,3" lifetime:"100s"`
		_       entity.Index  `name:"entry-of-tenant" on:"tenants" pk:"T#<tenant>"`
		_       entity.Unique `name:"code" key:"<code>#<points:03>"`
		Tenant  string        `dynamodbav:"tenant" entity:"tenant"`
		ID      string        `dynamodbav:"id"`
		Code    string        `dynamodbav:"code,omitempty"`
		Points  int64         `dynamodbav:"points"`
		Expires int64         `dynamodbav:"expires,omitempty" entity:"ttl"`
	}
	// earlierEntry is an entry of a program with fewer shards.
	earlierEntry struct {
		_       entity.Key    `type:"entry" pk:"T#<tenant>#LOG#<shard:id>" sk:"<id>" shards:"2" lifetime:"100s"`
		_       entity.Index  `name:"entry-of-tenant" on:"tenants" pk:"T#<tenant>"`
		_       entity.Unique `name:"code" key:"<code>#<points:03>"`
		Tenant  string        `dynamodbav:"tenant" entity:"tenant"`
		ID      string        `dynamodbav:"id"`
		Code    string        `dynamodbav:"code,omitempty"`
		Points  int64         `dynamodbav:"points"`
		Expires int64         `dynamodbav:"expires,omitempty" entity:"ttl"`
	}
)

// kind is what the test knows of a type.
type kind struct {
	name      string
	texts     []string // fields that calls set; empty is absent
	versioned bool     // and stamped
	expires   bool
	lifetime  int64
	unique    func(row) string // the unique value; empty: none
	keys      func(row) map[string]string
	op        func(*entity.Table, call) sender
	get       func(*entity.Table, row) getter
}

var (
	config = entity.Config{TenantIndex: "tenants", Indexes: []entity.IndexConfig{{Name: "GSI1"}, {Name: "tenants", NoSort: true, KeysOnly: true}}}

	schema  = entity.NewSchema(config)
	teams   = entity.Define[team](schema)
	members = entity.Define[member](schema)
	entries = entity.Define[entry](schema)

	earlierSchema  = entity.NewSchema(config)
	earlierEntries = entity.Define[earlierEntry](earlierSchema)
)

var kinds = map[string]*kind{
	"team": {
		name: "team", texts: []string{"name", "state"}, versioned: true, expires: true,
		unique: func(r row) string { return r.text["name"] },
		keys: func(r row) map[string]string {
			keys := map[string]string{"PK": "T#" + r.tenant + "#TEAM#" + r.id, "SK": "TEAM"}
			if state := r.text["state"]; state != "" {
				keys["GSI1PK"], keys["GSI1SK"] = "T#"+r.tenant+"#STATE#"+state, fmt.Sprintf("%06d#%s", r.points, r.id)
			}
			return keys
		},
		op: func(t *entity.Table, c call) sender {
			e := team{
				Tenant: c.row.tenant, ID: c.row.id, Name: c.row.text["name"], State: c.row.text["state"], Points: c.row.points,
				Members: c.row.members, Version: c.row.version, Created: c.row.created, Expires: c.row.expires,
			}
			return operation(teams.In(t).With(c.options...), c, &e)
		},
		get: func(t *entity.Table, r row) getter {
			return getterOf(teams.In(t), team{Tenant: r.tenant, ID: r.id}, func(e team) row {
				return row{
					kind: "team", tenant: e.Tenant, id: e.ID, text: texts("name", e.Name, "state", e.State), points: e.Points, members: e.Members,
					version: e.Version, created: e.Created, updated: e.Updated, expires: e.Expires,
				}
			})
		},
	},
	"member": {
		name: "member", texts: []string{"email", "team"},
		unique: func(r row) string { return r.text["email"] },
		keys: func(r row) map[string]string {
			keys := map[string]string{"PK": "T#" + r.tenant + "#MEMBER#" + r.id, "SK": "MEMBER"}
			if of := r.text["team"]; of != "" {
				keys["GSI1PK"], keys["GSI1SK"] = "T#"+r.tenant+"#OF#"+of, r.id
			}
			return keys
		},
		op: func(t *entity.Table, c call) sender {
			e := member{Tenant: c.row.tenant, ID: c.row.id, Email: c.row.text["email"], Team: c.row.text["team"], Points: c.row.points}
			return operation(members.In(t).With(c.options...), c, &e)
		},
		get: func(t *entity.Table, r row) getter {
			return getterOf(members.In(t), member{Tenant: r.tenant, ID: r.id}, func(e member) row {
				return row{kind: "member", tenant: e.Tenant, id: e.ID, text: texts("email", e.Email, "team", e.Team), points: e.Points}
			})
		},
	},
	"entry": {
		name: "entry", texts: []string{"code"}, expires: true, lifetime: 100,
		unique: func(r row) string {
			if r.text["code"] == "" {
				return ""
			}
			return fmt.Sprintf("%s#%03d", r.text["code"], r.points)
		},
		keys: func(r row) map[string]string { return map[string]string{"PK": "T#" + r.tenant + "#LOG#", "SK": r.id} },
		op: func(t *entity.Table, c call) sender {
			e := entry{Tenant: c.row.tenant, ID: c.row.id, Code: c.row.text["code"], Points: c.row.points, Expires: c.row.expires}
			if c.earlier {
				was := earlierEntry(e)
				return operation(earlierEntries.In(t), c, &was)
			}
			return operation(entries.In(t).With(c.options...), c, &e)
		},
		get: func(t *entity.Table, r row) getter {
			return getterOf(entries.In(t), entry{Tenant: r.tenant, ID: r.id}, func(e entry) row {
				return row{kind: "entry", tenant: e.Tenant, id: e.ID, text: texts("code", e.Code), points: e.Points, expires: e.Expires}
			})
		},
	},
}

// texts returns a map of the texts that are not empty.
func texts(pairs ...string) map[string]string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			m[pairs[i]] = pairs[i+1]
		}
	}
	return m
}

// sender is an operation.
type sender struct {
	op entity.Operation
	do func(context.Context) error // sends it alone
}

// operation returns the operation of a call. e is the example or the entity.
func operation[T any](r *entity.Repo[T], c call, e *T) sender {
	op := opOf(r.Op(), c, e)
	return sender{op, func(ctx context.Context) error {
		_, err := op.Do(ctx)
		return err
	}}
}

func opOf[T any](ops *entity.Ops[T], c call, e *T) *entity.Op[T] {
	conds := condsOf[T](c.conds)
	switch c.verb {
	case create:
		return ops.Create(e)
	case put:
		return ops.Put(e, conds...)
	case overwrite:
		return ops.Overwrite(e, conds...)
	case remove:
		return ops.Delete(*e, conds...)
	case check:
		return ops.Check(*e, conds...)
	}
	changes := changesOf[T](c.changes)
	if len(conds) > 0 {
		changes = append(changes, attr.If(conds...))
	}
	if c.verb == upsert {
		return ops.Upsert(*e, changes[0], changes[1:]...)
	}
	return ops.Update(*e, changes[0], changes[1:]...)
}

func condsOf[T any](list []cond) (conds []attr.Cond[T]) {
	for _, c := range list {
		switch {
		case c.field == "points":
			conds = append(conds, attr.Typed[int64](attr.Named[T]("points")).Ge(c.number))
		case c.text == "":
			conds = append(conds, attr.Typed[string](attr.Named[T](c.field)).NotExists())
		default:
			conds = append(conds, attr.Typed[string](attr.Named[T](c.field)).Eq(c.text))
		}
	}
	return conds
}

func changesOf[T any](list []change) (changes []attr.Change[T]) {
	for _, c := range list {
		number, text := attr.Typed[int64](attr.Named[T](c.field)), attr.Typed[string](attr.Named[T](c.field))
		switch {
		case c.add:
			changes = append(changes, attr.Add(number, c.number))
		case c.field == "points" || c.field == "expires":
			changes = append(changes, number.Set(c.number))
		case c.text == "":
			changes = append(changes, text.Remove())
		default:
			changes = append(changes, text.Set(c.text))
		}
	}
	return changes
}
