package document

import (
	"reflect"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
)

// The attributes of the root that conditions name.
const (
	attrRevision = "doc_revision"
	attrDeleting = "doc_deleting" // the name of the deletion
)

// has returns the condition that an attribute of the root has a text, or is absent for "".
func (l *layout) has(attribute string, text *string) *expr.Cond {
	path := l.pathTo(attribute, reflect.TypeFor[string]())
	if *text == "" {
		return expr.NewCond(expr.NotExists, path)
	}
	return expr.NewCond(expr.Eq, path, text)
}

// noLog returns the condition that the root has no log.
func (l *layout) noLog() *expr.Cond {
	return expr.NewCond(expr.NotExists, l.pathTo(attrLog, reflect.TypeFor[*Reference]()))
}

// hasLog returns the condition that the root has a log.
func (l *layout) hasLog(log *Reference) *expr.Cond {
	path := l.pathTo(attrLog, reflect.TypeFor[string]())
	path.Steps = append(path.Steps, &core.Step{Kind: core.StepName, Name: attrLogID})
	return expr.NewCond(expr.Eq, path, &log.ID)
}

func (l *layout) pathTo(attribute string, leaf reflect.Type) *core.Path {
	step := &core.Step{Kind: core.StepName, Name: attribute}
	return &core.Path{Owner: l.root.plan.Type, Leaf: leaf, Steps: []*core.Step{step}}
}

// Root holds the state of a document in its root item. The type of the root embeds it. The program
// may read the fields; only this package changes the stored attributes.
type Root struct {
	// Revision is the name of the last save. It is empty for an item that this package has not
	// saved yet.
	Revision string `dynamodbav:"doc_revision,omitempty"`
	// Parts are the checksums of the parts, by the names of their types.
	Parts map[string]string `dynamodbav:"doc_parts,omitempty"`
	// Log is the log of a save beyond a transaction that is not yet applied to the parts.
	Log *Reference `dynamodbav:"doc_log,omitempty"`
	// Deleting is the name of the deletion, while the document is deleted. Readers do not find it
	// any more.
	Deleting string `dynamodbav:"doc_deleting,omitempty"`
}

// Part holds the state of an item that is a part of a document. The types of parts embed it. Only
// this package changes the stored attribute.
type Part struct {
	// Revision is the name of the save that stored the item.
	Revision string `dynamodbav:"doc_revision,omitempty"`
}

// State is what a document was when it was read or saved last. The struct of a document embeds it.
// A document without it is new. A copy of the struct has the same state.
type State struct{ at *snapshot }

func (r *Root) revision() *string { return &r.Revision }

func (p *Part) revision() *string { return &p.Revision }

// revised is a pointer to a Root or a Part.
type revised interface{ revision() *string }

// Reference names content that is stored in chunks: a large value, or a log. Chunk n is in the
// partition First+n of the document's partitions for chunks.
type Reference struct {
	ID     string `dynamodbav:"id"`
	In     string `dynamodbav:"in"` // the name of these partitions
	First  int    `dynamodbav:"first,omitempty"`
	Chunks int    `dynamodbav:"n"`
	Size   int    `dynamodbav:"size"` // bytes before compression
	Sum    []byte `dynamodbav:"sum"`  // the SHA-256 checksum of these bytes
	Packed bool   `dynamodbav:"packed,omitempty"`
}
