package program

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Tour prints what a program does.
type Tour struct{ Out io.Writer }

// Printf prints a formatted line. Like log.Printf, it adds the newline.
func (t Tour) Printf(format string, args ...any) { fmt.Fprintf(t.Out, format+"\n", args...) }

// RunSteps runs the steps in order and stops at the first error.
func RunSteps(ctx context.Context, steps ...func(context.Context) error) error {
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Text returns the value of a string attribute, or "-" if it is not a string or absent.
func Text(av types.AttributeValue) string {
	if s, ok := av.(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return "-"
}

// List returns the items of a query as one line.
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
