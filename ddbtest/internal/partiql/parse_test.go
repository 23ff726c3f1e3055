package partiql_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/partiql"
)

// printed has statements and what they are printed as.
var printed = map[string]string{
	`SELECT * FROM orders`:                         `SELECT * FROM "orders"`,
	`select a, m.x, l[2], "b c"['d'] from "o"."i"`: `SELECT "a", "m"."x", "l"[2], "b c"."d" FROM "o"."i"`,
	`SELECT * FROM o WHERE pk = 'it''s' AND sk > -1.50 AND NOT a IN [1, ?] ORDER BY sk DESC, pk ASC;`: `SELECT * FROM "o" WHERE "pk" = 'it''s' AND "sk" > -1.5 AND ` +
		`(NOT ("a" IN (1, ?))) ORDER BY "sk" DESC, "pk"`,
	`SELECT * FROM o WHERE a IS MISSING OR a IS NOT MISSING AND b IS NULL`: `SELECT * FROM "o" WHERE attribute_not_exists("a") OR (attribute_exists("a") AND attribute_type("b", 'NULL'))`,
	`SELECT * FROM o WHERE (a = 1 OR b != 2) AND c NOT BETWEEN ? AND ?`:    `SELECT * FROM "o" WHERE ("a" = 1 OR "b" <> 2) AND (NOT ("c" BETWEEN ? AND ?))`,
	`SELECT * FROM o WHERE BEGINS_WITH(a, 'x') -- note`:                    `SELECT * FROM "o" WHERE begins_with("a", 'x')`,
	`SELECT /* all */ * FROM o WHERE 3 < size(a) AND a IS NOT STRING`:      `SELECT * FROM "o" WHERE 3 < size("a") AND (NOT attribute_type("a", 'S'))`,
	`INSERT INTO o VALUE {'pk': ?, 'l': [1, 'a', true, null, {'x': <<2, 1.0>>}], 's': <<'b', 'a'>>, 'e': []}`: `INSERT INTO "o" VALUE {'pk': ?, 'l': [1, 'a', true, NULL, {'x':<<1, 2>>}], ` +
		`'s': <<'a', 'b'>>, 'e': []}`,
	`UPDATE o SET a = 1, b = b + 1 - ? REMOVE c[0] SET d = list_append(d, [1]) WHERE pk = 'a' RETURNING MODIFIED NEW *`: `UPDATE "o" SET "a" = 1 SET "b" = ("b" + 1) - ? REMOVE "c"[0] ` +
		`SET "d" = list_append("d", [1]) WHERE "pk" = 'a' RETURNING MODIFIED NEW *`,
	`from o where pk = ? set a = 1 remove b returning all new *`: `UPDATE "o" SET "a" = 1 REMOVE "b" WHERE "pk" = ? RETURNING ALL NEW *`,
	`UPDATE o SET a = b - (c - 1)`:                               `UPDATE "o" SET "a" = "b" - ("c" - 1)`,
	`DELETE FROM o WHERE pk = ? RETURNING ALL OLD *`:             `DELETE FROM "o" WHERE "pk" = ? RETURNING ALL OLD *`,
	`EXISTS(SELECT * FROM o WHERE pk = 'a' AND a = 1)`:           `EXISTS(SELECT * FROM "o" WHERE "pk" = 'a' AND "a" = 1)`,
	`SELECT * FROM "SELECT" WHERE "size" = 007 AND $x_1 = .5e1`:  `SELECT * FROM "SELECT" WHERE "size" = 7 AND "$x_1" = 5`,
}

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range printed {
		s, _, err := partiql.Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, printStatement(s))
		again, _, err := partiql.Parse(want)
		require.NoError(t, err, want)
		require.Equal(t, s, again)
	}
}

// TestParameters counts the question marks, but not those in quotes and in comments.
func TestParameters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		`SELECT * FROM o`: 0,
		`SELECT * FROM o WHERE a IN [?, ?] AND b = '?' AND "?" = ? -- ?`: 3,
		`INSERT INTO o VALUE {'a': ?, 'b': '?'}`:                         1,
		`UPDATE o SET a = ?, b = list_append(b, ?) WHERE pk = ?`:         3,
	} {
		_, n, err := partiql.Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, n, text)
	}
}

// rejected has statements that have a wrong syntax, or that DynamoDB does not support.
var rejected = []string{
	``, ` `, `SELEC`, `SELECT`, `SELECT *`, `SELECT * FROM`, `SELECT * FROM 'o'`, `SELECT *, a FROM o`, `SELECT a b FROM o`, `SELECT a AS b FROM o`,
	`SELECT * FROM o x`, `SELECT * FROM o, p`, `SELECT * FROM o.i.j`, `SELECT * FROM o[0]`, `SELECT size FROM o`, `SELECT m.size FROM o`,
	`SELECT a, m.a FROM o`, `SELECT size(a) FROM o`, `SELECT a + 1 FROM o`, `SELECT 'a' FROM o`, `SELECT l[*] FROM o`, `SELECT l[-1] FROM o`, `SELECT l[1.5] FROM o`,
	`SELECT l[99999999999] FROM o`, `SELECT l[ FROM o`, `SELECT "" FROM o`, `SELECT m[''] FROM o`, `SELECT * FROM o WHERE`, `SELECT * FROM o WHERE a`, `SELECT * FROM o WHERE a AND b = 1`,
	`SELECT * FROM o WHERE NOT a`, `SELECT * FROM o WHERE a = b = c`, `SELECT * FROM o WHERE (a = 1) = 2`, `SELECT * FROM o WHERE a = (b = 1)`, `SELECT * FROM o WHERE a NOT 1`,
	`SELECT * FROM o WHERE a IN []`, `SELECT * FROM o WHERE a IN ?`, `SELECT * FROM o WHERE 1 IN l`, `SELECT * FROM o WHERE a BETWEEN 1`, `SELECT * FROM o WHERE a LIKE 'x'`,
	`SELECT * FROM o WHERE a IS`, `SELECT * FROM o WHERE a IS NUMBER`, `SELECT * FROM o WHERE 1 IS NULL`, `SELECT * FROM o WHERE size(a) IS NULL`, `SELECT * FROM o WHERE a = MISSING`,
	`SELECT * FROM o WHERE a = 'b`, `SELECT * FROM o WHERE a = :b`, "SELECT * FROM o WHERE a = `1`", `SELECT * FROM o WHERE a = 1 +`, `SELECT * FROM o WHERE a + 1 = 2`,
	`SELECT * FROM o WHERE size() = 1`, `SELECT * FROM o WHERE EXISTS(SELECT * FROM o)`, `SELECT * FROM o LIMIT 1`, `SELECT * FROM o ORDER sk`, `SELECT * FROM o ORDER BY`, `SELECT * FROM o;;`,
	`SELECT * FROM o RETURNING ALL OLD *`, `SELECT * FROM o /* a`, `SELECT VALUE a FROM o`, `SELECT DISTINCT a FROM o`, `SELECT COUNT(*) FROM o`,
	`INSERT INTO o`, `INSERT INTO o.i VALUE {'a': 1}`, `INSERT INTO o VALUES {'a': 1}`, `INSERT INTO o VALUE ?`, `INSERT INTO o VALUE {a: 1}`, `INSERT INTO o VALUE {'a': b}`,
	`INSERT INTO o VALUE {'a': 1, 'a': 2}`, `INSERT INTO o VALUE {'a': 1,}`, `INSERT INTO o VALUE {'': 1}`, `INSERT INTO o VALUE {'a': [?]}`, `INSERT INTO o VALUE {'a': 1 + 1}`,
	`INSERT INTO o VALUE {'a': <<>>}`, `INSERT INTO o VALUE {'a': <<1, 1.0>>}`, `INSERT INTO o VALUE {'a': <<1, 'b'>>}`, `INSERT INTO o VALUE {'a': <<[1]>>}`, `INSERT INTO o VALUE {'a': <<true>>}`,
	`INSERT INTO o VALUE {'a': 1e200}`, `INSERT INTO o VALUE {'a': 1e-200}`, `INSERT INTO o VALUE {'a': 123456789012345678901234567890123456789}`, `INSERT INTO o VALUE {'a': -'b'}`,
	`INSERT INTO o VALUE {'a': 1} RETURNING ALL OLD *`, `INSERT INTO o VALUE {'a': MISSING}`,
	`UPDATE o`, `UPDATE o WHERE pk = 1`, `UPDATE o SET`, `UPDATE o SET a`, `UPDATE o SET a = `, `UPDATE o SET a = -b`, `UPDATE o SET a = b * 2`, `UPDATE o SET a += 1`, `UPDATE o ADD a 1`,
	`UPDATE o REMOVE a, b`, `UPDATE o.i SET a = 1`, `UPDATE o SET a = [b]`, `UPDATE o SET 'a' = 1`, `UPDATE o WHERE pk = 1 SET a = 1`, `UPDATE o SET a = 1 RETURNING`,
	`UPDATE o SET a = 1 RETURNING ALL OLD a`, `UPDATE o SET a = 1 RETURNING OLD *`, `UPDATE o SET a = 1 RETURNING ALL OLD *, ALL NEW *`,
	`FROM`, `FROM o`, `FROM o WHERE pk = 1`, `FROM o.i WHERE pk = 1 SET a = 1`, `FROM o SET a = 1 WHERE pk = 1`, `FROM o x WHERE pk = 1 SET a = 1`,
	`DELETE o WHERE pk = 1`, `DELETE FROM o.i WHERE pk = 1`, `DELETE FROM o WHERE pk = 1 RETURNING ALL NEW *`, `DELETE FROM o WHERE pk = 1 RETURNING MODIFIED OLD *`,
	`EXISTS`, `EXISTS()`, `EXISTS(DELETE FROM o)`, `EXISTS(SELECT * FROM o`, `NOT EXISTS(SELECT * FROM o)`,
}

func TestParseRejects(t *testing.T) {
	t.Parallel()
	for _, text := range rejected {
		_, _, err := partiql.Parse(text)
		requireRejected(t, err, text)
	}
}

func requireRejected(t *testing.T, err error, text string) {
	t.Helper()
	var serviceErr *awserr.Error
	require.ErrorAs(t, err, &serviceErr, text)
	require.Equal(t, awserr.CodeValidation, serviceErr.Code)
}

// Every text is parsed or rejected. What a parsed statement is printed as parses to the same
// statement.
func FuzzParse(f *testing.F) {
	for text := range printed {
		f.Add(text)
	}
	for _, text := range rejected {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, n, err := partiql.Parse(text)
		if err != nil {
			requireRejected(t, err, text)
			return
		}
		again, m, err := partiql.Parse(printStatement(s))
		require.NoError(t, err, printStatement(s))
		require.Equal(t, s, again)
		require.Equal(t, n, m)
	})
}
