package document

import (
	"context"
	"errors"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

func (s *store) clean(ctx context.Context, example any) error {
	doc, rootKey, err := s.example(example)
	if err == nil {
		err = s.cleanDocument(ctx, doc, rootKey)
	}
	return s.failed(opClean, trestle.NoWrite, err)
}

// cleanDocument lists the intents before it reads the root: the log of a listed save that is
// applied is then in the root, or finished.
func (s *store) cleanDocument(ctx context.Context, doc reflect.Value, rootKey op.Item) error {
	list, err := s.listIntents(ctx, opClean, rootKey)
	if err != nil {
		return err
	}
	root, err := s.rootItem(ctx, doc)
	switch {
	case errors.Is(err, errs.NotFound):
	case err != nil:
		return err
	case s.root.rootOf(root).Deleting != "":
		d := &deletion{store: s, doc: doc, root: root, rootKey: rootKey, name: s.root.rootOf(root).Deleting}
		return d.run(ctx)
	default:
		if log := s.root.rootOf(root).Log; log != nil {
			if err := s.finish(ctx, opClean, rootKey, log); err != nil {
				return err
			}
		}
	}
	return s.settle(ctx, opClean, list, s.settled)
}

func number(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }
