package program

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Tour is a walk through a program's requests, which tells what it does and what comes back.
type Tour struct{ Out io.Writer }

// Say writes a line.
func (t Tour) Say(format string, args ...any) { fmt.Fprintf(t.Out, format+"\n", args...) }

// Walk takes the steps in their order, up to the first that fails.
func Walk(ctx context.Context, steps ...func(context.Context) error) error {
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Text is an attribute's text, or a dash where there is none.
func Text(av types.AttributeValue) string {
	if s, ok := av.(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return "-"
}

// List writes what a query yields in one line.
func List[T any](items iter.Seq2[T, error], text func(T) string) string {
	line := ""
	for item, err := range items {
		if err != nil {
			return err.Error()
		}
		if line != "" {
			line += ", "
		}
		line += text(item)
	}
	if line == "" {
		return "nothing"
	}
	return line
}
