package program

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"

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

// Text returns the value of a string or a number, or "-" if the attribute is neither or absent.
func Text(av types.AttributeValue) string {
	switch v := av.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	default:
		return "-"
	}
}

// ErrorText returns the text of an error without the ID of the request, which differs in each run.
func ErrorText(err error) string {
	if err == nil {
		return "no error"
	}
	text, _, _ := strings.Cut(err.Error(), " [request ")
	return text
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
