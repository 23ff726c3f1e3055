package ddbtest

import (
	"github.com/trestledb/trestle/ddbtest/internal/inspect"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

func init() {
	inspect.Store = func(db any) *store.DB { return db.(*DB).data.Store }
	inspect.HasRules = func(db any) bool { return db.(*DB).rules.Any() }
}
