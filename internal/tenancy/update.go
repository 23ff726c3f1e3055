package tenancy

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// update checks an update: its key, and the partition keys of indexes that it sets.
func (g *Guard) update(table *string, key item, expression *string, names map[string]string, values item) error {
	if err := g.key(table, key); err != nil {
		return err
	}
	clauses, ok := clausesOf(aws.ToString(expression))
	if !ok {
		return errForm
	}
	for _, c := range clauses {
		if err := g.clause(c, names, values); err != nil {
			return err
		}
	}
	return nil
}

// clause is one change of an update expression, in tokens.
type clause struct {
	verb   string // SET, REMOVE, ADD or DELETE
	tokens []string
}

// clause checks a change. A partition key of an index can only be removed, or set to a value of the
// tenant.
func (g *Guard) clause(c clause, names map[string]string, values item) error {
	if len(c.tokens) == 0 || !isPlaceholder(c.tokens[0], '#') {
		return errForm
	}
	path := c.tokens[0]
	attribute, named := names[path]
	s := g.startOf(attribute)
	switch {
	case !named:
		return errForm
	case s == nil, c.verb == "REMOVE" && len(c.tokens) == 1:
		return nil
	case c.verb != "SET":
		return errForm
	}
	value, ok := constant(path, c.tokens[1:])
	switch {
	case !ok:
		return errForm
	case !s.owns(values[value]):
		return errRequest
	}
	return nil
}

// constant returns the placeholder of the value that an attribute is set to: "= :v", or
// "= if_not_exists(#path, :v)".
func constant(path string, tokens []string) (value string, ok bool) {
	text := strings.Join(tokens, " ")
	if rest, found := strings.CutPrefix(text, "= if_not_exists ( "+path+" , "); found {
		value, ok = strings.CutSuffix(rest, " )")
	} else {
		value, ok = strings.CutPrefix(text, "= ")
	}
	return value, ok && isPlaceholder(value, ':')
}

// clausesOf splits an update expression into its changes.
func clausesOf(expression string) (list []clause, ok bool) {
	depth, verb := 0, ""
	var now []string
	end := func() {
		if verb != "" {
			list = append(list, clause{verb, now})
		}
		now = nil
	}
	for _, token := range tokensOf(expression) {
		switch {
		case isVerb(token):
			end()
			verb = strings.ToUpper(token)
		case token == "," && depth == 0:
			end()
		default:
			depth += strings.Count(token, "(") - strings.Count(token, ")")
			now = append(now, token)
		}
	}
	end()
	return list, depth == 0 && len(list) > 0
}

func isVerb(token string) bool {
	switch strings.ToUpper(token) {
	case "SET", "REMOVE", "ADD", "DELETE":
		return true
	default:
		return false
	}
}

// tokensOf splits an expression at spaces and around the characters that separate its parts.
func tokensOf(expression string) []string {
	var spaced strings.Builder
	for i := range len(expression) {
		switch b := expression[i]; b {
		case ',', '(', ')', '=', '.', '[', ']', '+', '-':
			spaced.WriteString(" " + string(b) + " ")
		default:
			spaced.WriteByte(b)
		}
	}
	return strings.Fields(spaced.String())
}
