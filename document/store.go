package document

import (
	"context"
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/repo"
	"github.com/trestledb/trestle/internal/write"
)

// store is a Repo without its type parameter.
type store struct {
	*layout
	settings Config
	config   *exec.Config
	view     *repo.View
	plan     *core.Plan // of the library's own items: only for errors and the observer
	err      error      // why the store cannot be used
}

func newStore(table any, d *definition, c Config) *store {
	t := hooks.TableOf(table)
	s := &store{settings: c.withDefaults(), config: t.Config}
	switch {
	case t.Err != nil:
		s.err = t.Err
	case d == nil || d.schema.Err != nil:
		s.err = errNoRepo
	case d.schema.Schema != t.Schema:
		s.err = errs.New("", "the document belongs to another schema than the table", "define it on the schema that the table was opened with")
	case d.late:
		s.err = errs.New("", "the document was defined after the schema was opened", "define it before Open, as a package variable")
	default:
		s.layout = d.layout()
		s.view = &repo.View{Exec: *t.Config, Schema: t.Schema, Cursors: t.Cursors}
		s.plan = &core.Plan{Name: s.typ.Name(), Schema: t.Schema}
	}
	return s
}

// storeOf returns a store that reports an error for nil.
func storeOf(s *store) *store {
	if s == nil {
		return &store{err: errNoRepo}
	}
	return s
}

// writable reports why the store cannot write.
func (s *store) writable() error {
	if s.err == nil && s.unbound() {
		return errUnbound
	}
	return s.err
}

func (s *store) name() string {
	if s.layout == nil {
		return ""
	}
	return s.typ.Name()
}

// repo returns the repository of a part.
func (s *store) repo(p *part) *repo.Repo {
	return repo.New(s.view, &repo.Type{Schema: s.schema, Plan: p.plan, Valid: func() error { return nil }})
}

// do sends actions on the library's own items, or on items as they are: one as a request of its
// own, several as a transaction.
func (s *store) do(ctx context.Context, operation string, actions ...op.Action) error {
	for i := range actions {
		actions[i].Plan = s.plan
	}
	return exec.Do(ctx, s.config, &op.Operation{Name: operation, Plan: s.plan, Actions: actions}, func(op.Reply) error { return nil })
}

// own returns an operation on the library's own items, as a member of a transaction.
func (s *store) own(operation string, a op.Action) *repo.Op {
	a.Plan = s.plan
	r := repo.New(s.view, &repo.Type{Schema: s.schema, Plan: s.plan})
	return r.AddOp(repo.Addition{Plan: func(bool) (op.Operation, error) {
		return op.Operation{Name: operation, Plan: s.plan, Actions: []op.Action{a}}, nil
	}})
}

// rootItem reads the root of an example, strongly consistent. The error is ErrNotFound if there is
// none.
func (s *store) rootItem(ctx context.Context, doc reflect.Value) (reflect.Value, error) {
	item := reflect.New(s.root.plan.Type)
	example := doc.Field(s.root.index).Addr().Interface()
	err := s.repo(s.root).Strong().Op(repo.Get, example, nil).Do(ctx, repo.Result{Item: item.Interface()})
	return item, err
}

// key returns the key of an entity of a part.
func (p *part) key(entity reflect.Value) (op.Item, error) {
	return write.Key(p.plan, codec.PtrOf(entity.Elem()))
}

// example checks an example, and returns it as a document.
func (s *store) example(example any) (doc reflect.Value, key op.Item, err error) {
	if err := s.writable(); err != nil {
		return doc, nil, err
	}
	doc = reflect.ValueOf(example).Elem()
	root := doc.Field(s.root.index).Addr()
	if err := s.bind(s.root, root); err != nil {
		return doc, nil, err
	}
	key, err = s.root.key(root)
	return doc, key, err
}

// bind sets the tenant of the table in an entity that has none. The error is ErrTenant if it has
// another one.
func (s *store) bind(p *part, entity reflect.Value) error {
	own, err := s.config.Tenant.Bind(p.plan, entity.Elem())
	if err == nil {
		entity.Elem().Set(own)
	}
	return err
}

// version returns the version of a root.
func (s *store) version(root reflect.Value) (core.AV, error) {
	return s.root.plan.Version.Encode(codec.PtrOf(root.Elem()))
}
