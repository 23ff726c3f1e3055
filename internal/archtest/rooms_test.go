package archtest

// module is the module path.
const module = "github.com/trestledb/trestle"

// power is a permission that few rooms need.
type power uint8

const (
	sdk       power = 1 << iota // import the AWS SDK
	env                         // read the environment
	useUnsafe                   // import unsafe, in one file
	testingT                    // import testing in code that is not a test
)

// room is a package, or with a pattern dir/... a package and all packages below it. Its code may
// import the listed rooms, the standard library, and what its powers allow. Its tests may import
// any room.
type room struct {
	pattern string
	imports string
	powers  power
}

// rooms is the architecture. It may have lines for rooms that do not exist yet.
var rooms = []room{
	{".", "internal/errs internal/sdkclient keys", sdk},
	{"keys", "internal/keyspace internal/keysyntax", 0},
	{"attr", "internal/expr internal/core", 0},
	{"entity", ". attr internal/repo internal/tenancy internal/table internal/hooks internal/define internal/cursor internal/exec internal/errs internal/expr internal/core keys", sdk},
	{"maintain", ". entity internal/hooks internal/scan internal/table internal/batch internal/cursor internal/write internal/read internal/exec internal/op internal/errs internal/core internal/codec keys internal/fetch internal/libitem internal/reserved internal/clause", sdk},
	{"schema", ". entity internal/hooks internal/repo schema/internal/policy schema/internal/schemadiff schema/internal/schemadoc", 0},
	{"schema/schematest", "entity schema", env},
	{"schema/internal/policy", "internal/tenancy internal/errs internal/core", 0},
	{"internal/costtest", ". tx entity attr internal/codec", sdk},
	{"query", ". entity attr internal/hooks internal/tenancy internal/repo internal/explain internal/cursor internal/fetch internal/read internal/write internal/exec internal/errs internal/expr internal/core internal/codec", sdk},
	{"tx", ". attr entity internal/hooks internal/repo internal/expr", sdk},
	{"generations", ". attr entity query internal/hooks internal/errs", sdk},
	{"document", ". entity internal/hooks internal/repo internal/batch internal/fetch internal/read internal/write internal/exec internal/op internal/clause internal/errs internal/expr internal/reserved internal/tenancy internal/define internal/core internal/codec internal/tag keys", sdk},
	{"shard", ". entity internal/hooks internal/repo internal/batch internal/fetch internal/exec internal/op internal/clause internal/errs internal/reserved internal/libitem internal/spread internal/core internal/keyspace keys", sdk},
	{"lock", ". entity internal/hooks internal/repo internal/exec internal/op internal/clause internal/errs internal/reserved internal/libitem internal/core", sdk},
	{"ddbtest", "ddbtest/internal/awserr ddbtest/internal/capacity ddbtest/internal/engine ddbtest/internal/fault ddbtest/internal/filetree ddbtest/internal/inspect ddbtest/internal/itemfile ddbtest/internal/itemtext ddbtest/internal/jsonfile ddbtest/internal/partition ddbtest/internal/policy ddbtest/internal/recording ddbtest/internal/sdkvalue ddbtest/internal/service ddbtest/internal/storage ddbtest/internal/store ddbtest/internal/stream ddbtest/internal/tablefile ddbtest/internal/transport ddbtest/internal/value", sdk},
	{"ddbtest/explore", "ddbtest ddbtest/internal/engine ddbtest/internal/inspect ddbtest/internal/sdkvalue ddbtest/internal/service ddbtest/internal/store ddbtest/internal/value", sdk | testingT},
	{"ddbtest/explore/internal/services", "", 0},
	{"ddbtest/internal/api", "ddbtest/internal/value", 0},
	{"ddbtest/internal/awserr", "ddbtest/internal/value", 0},
	{"ddbtest/internal/batch", "ddbtest/internal/api ddbtest/internal/awserr ddbtest/internal/check ddbtest/internal/engine ddbtest/internal/expression ddbtest/internal/item ddbtest/internal/store ddbtest/internal/value", 0},
	{"ddbtest/internal/btree", "", 0},
	{"ddbtest/internal/capacity", "ddbtest/internal/api", 0},
	{"ddbtest/internal/check", "ddbtest/internal/awserr ddbtest/internal/expression ddbtest/internal/store ddbtest/internal/value", 0},
	{"ddbtest/internal/clock", "", 0},
	{"ddbtest/internal/decimal", "", 0},
	{"ddbtest/internal/differential", "", 0},
	{"ddbtest/internal/engine", "ddbtest/internal/capacity ddbtest/internal/store ddbtest/internal/value", 0},
	{"ddbtest/internal/expression", "ddbtest/internal/awserr ddbtest/internal/decimal ddbtest/internal/value", 0},
	{"ddbtest/internal/fault", "ddbtest/internal/awserr ddbtest/internal/clock ddbtest/internal/engine ddbtest/internal/store ddbtest/internal/value", 0},
	{"ddbtest/internal/filetree", "ddbtest/internal/itemfile ddbtest/internal/jsonfile ddbtest/internal/tablefile", 0},
	{"ddbtest/internal/inspect", "ddbtest/internal/store", 0},
	{"ddbtest/internal/item", "ddbtest/internal/api ddbtest/internal/awserr ddbtest/internal/capacity ddbtest/internal/check ddbtest/internal/engine ddbtest/internal/expression ddbtest/internal/legacy ddbtest/internal/store ddbtest/internal/value", 0},
	{"ddbtest/internal/itemfile", "ddbtest/internal/jsonfile ddbtest/internal/sdkvalue", sdk},
	{"ddbtest/internal/itemtext", "", sdk},
	{"ddbtest/internal/jsonfile", "", 0},
	{"ddbtest/internal/legacy", "ddbtest/internal/api ddbtest/internal/awserr ddbtest/internal/expression ddbtest/internal/value", 0},
	{"ddbtest/internal/page", "ddbtest/internal/api ddbtest/internal/awserr ddbtest/internal/btree ddbtest/internal/capacity ddbtest/internal/check ddbtest/internal/decimal ddbtest/internal/engine ddbtest/internal/expression ddbtest/internal/item ddbtest/internal/legacy ddbtest/internal/store ddbtest/internal/value", 0},
	{"ddbtest/internal/partiql", "ddbtest/internal/api ddbtest/internal/awserr ddbtest/internal/check ddbtest/internal/decimal ddbtest/internal/engine ddbtest/internal/expression ddbtest/internal/item ddbtest/internal/page ddbtest/internal/store ddbtest/internal/transact ddbtest/internal/value ddbtest/internal/wire", 0},
	{"ddbtest/internal/partition", "ddbtest/internal/awserr ddbtest/internal/capacity ddbtest/internal/engine ddbtest/internal/fault ddbtest/internal/store ddbtest/internal/value", 0},
	{"ddbtest/internal/policy", "", 0},
	{"ddbtest/internal/recording", "ddbtest/internal/clock ddbtest/internal/engine ddbtest/internal/service ddbtest/internal/store", 0},
	{"ddbtest/internal/sdkvalue", "ddbtest/internal/decimal ddbtest/internal/value", sdk},
	{"ddbtest/internal/service", "ddbtest/internal/api ddbtest/internal/awserr ddbtest/internal/batch ddbtest/internal/engine ddbtest/internal/expression ddbtest/internal/item ddbtest/internal/legacy ddbtest/internal/page ddbtest/internal/partiql ddbtest/internal/policy ddbtest/internal/store ddbtest/internal/stream ddbtest/internal/table ddbtest/internal/transact ddbtest/internal/value ddbtest/internal/wire", 0},
	{"ddbtest/internal/storage", "ddbtest/internal/btree ddbtest/internal/store ddbtest/internal/value ddbtest/internal/wire", 0},
	{"ddbtest/internal/store", "ddbtest/internal/api ddbtest/internal/awserr ddbtest/internal/btree ddbtest/internal/clock ddbtest/internal/value", 0},
	{"ddbtest/internal/stream", "ddbtest/internal/api ddbtest/internal/awserr ddbtest/internal/engine ddbtest/internal/store ddbtest/internal/value", 0},
	{"ddbtest/internal/table", "ddbtest/internal/api ddbtest/internal/awserr ddbtest/internal/check ddbtest/internal/engine ddbtest/internal/store ddbtest/internal/value", 0},
	{"ddbtest/internal/tablefile", "ddbtest/internal/jsonfile", sdk},
	{"ddbtest/internal/transact", "ddbtest/internal/api ddbtest/internal/awserr ddbtest/internal/capacity ddbtest/internal/check ddbtest/internal/engine ddbtest/internal/expression ddbtest/internal/item ddbtest/internal/store ddbtest/internal/value", 0},
	{"ddbtest/internal/transport", "", 0},
	{"ddbtest/internal/value", "ddbtest/internal/decimal", 0},
	{"ddbtest/internal/wire", "ddbtest/internal/api ddbtest/internal/awserr ddbtest/internal/decimal ddbtest/internal/value", 0},

	{"internal/errs", "internal/codec keys", 0},
	{"internal/sdkclient", "", sdk},
	{"internal/tag", "", 0},
	{"internal/keyspace", "", 0},
	{"internal/keysyntax", "internal/tag", 0},
	{"internal/codec", "internal/itemjson internal/tag internal/keyspace keys", sdk | useUnsafe},
	{"internal/itemjson", "", sdk},
	{"internal/core", ". internal/errs internal/codec internal/itemjson internal/keyspace keys internal/spread", sdk},
	{"internal/expr", "internal/clause internal/errs internal/core internal/codec internal/keyspace keys", sdk},
	{"internal/clause", "internal/core internal/codec", sdk},
	{"internal/spread", "", 0},
	{"internal/reserved", "internal/keyspace", 0},
	{"internal/libitem", "entity internal/repo internal/exec internal/op internal/clause internal/expr internal/errs internal/reserved internal/core keys", sdk},
	{"internal/define", ". internal/tag internal/reserved internal/core internal/codec internal/keyspace internal/keysyntax keys", 0},
	{"internal/op", ". internal/errs internal/clause internal/expr internal/core internal/codec internal/itemjson", sdk},
	{"internal/write", ". internal/op internal/errs internal/expr internal/clause internal/reserved internal/core internal/codec internal/itemjson keys", sdk},
	{"internal/read", "internal/op internal/errs internal/expr internal/clause internal/core internal/codec internal/keyspace keys", sdk},
	{"internal/exec", ". internal/op internal/clause internal/tenancy internal/errs internal/expr internal/core internal/itemjson", sdk},
	{"internal/tenancy", "internal/errs internal/reserved internal/core internal/codec keys", sdk},
	{"internal/batch", ". internal/exec internal/tenancy internal/op internal/errs internal/core", sdk},
	{"internal/hooks", ". internal/cursor internal/exec internal/core internal/codec", 0},
	{"internal/repo", ". internal/coalesce internal/tenancy internal/hooks internal/define internal/write internal/explain internal/cursor internal/batch internal/fetch internal/read internal/exec internal/op internal/spread internal/errs internal/expr internal/core internal/codec keys", sdk},
	{"internal/table", ". internal/exec internal/op internal/errs internal/reserved internal/core", sdk},
	{"internal/scan", ". internal/cursor internal/fetch internal/read internal/exec internal/op internal/errs internal/core internal/codec", sdk},
	{"internal/fetch", ". internal/read internal/cursor internal/exec internal/op internal/errs internal/core internal/codec internal/keyspace keys", sdk},
	{"internal/coalesce", ". internal/fetch internal/exec internal/op internal/core", sdk},
	{"internal/cursor", "internal/errs internal/core", sdk},
	{"internal/explain", ". internal/read internal/op internal/clause internal/core internal/codec", 0},
	{"schema/internal/schemadoc", "internal/core internal/codec internal/keyspace internal/keysyntax keys", 0},
	{"schema/internal/schemadiff", "schema/internal/schemadoc internal/keysyntax internal/core internal/codec", 0},

	{"internal/archtest", "", 0},
	{"internal/compilecost", "", 0},
	{"internal/canaries", "", 0},
	{"internal/explored", "", 0},
	{"internal/together", "", 0},
	{"internal/testrand", "", env | testingT},
	{"internal/testsize", "", env | testingT},
	{"internal/testchecks", "entity maintain", 0},
	{"internal/testjson", "", sdk},
	{"internal/testdriven", "", env | testingT},
	{"internal/testfaults", "", sdk},
	{"internal/testkill", "ddbtest", sdk | env | testingT},
	{"internal/replayed", "", sdk},
	{"internal/testschema", ". internal/testdriven internal/define internal/read internal/expr internal/core internal/codec keys", sdk},
	{"internal/engines", "ddbtest internal/testsize internal/sdkclient", sdk | env | testingT},
	{"examples/internal/program", ". ddbtest", sdk},
	{"examples/internal/golden", ". internal/engines", testingT},
	{"examples/internal/costs", ". internal/costtest internal/engines", testingT},
	{"examples/...", ". schema maintain examples/internal/program query entity attr tx shard lock document ddbtest", sdk},
}

// strangers are pairs of rooms that must not import each other, directly or through other rooms.
var strangers = [][2]string{{"tx", "query"}}

// testSupport lists the rooms that only tests, examples and other rooms of this list may import.
var testSupport = []string{"ddbtest", "ddbtest/explore", "ddbtest/explore/internal/services", "internal/costtest", "schema/schematest", "internal/archtest", "internal/canaries", "internal/compilecost", "internal/engines", "internal/explored", "internal/replayed", "internal/testchecks", "internal/testdriven", "internal/testfaults", "internal/testkill", "internal/testrand", "internal/testschema", "internal/testsize", "internal/together"}

// sdkPackages are the packages that the power sdk allows, including all packages below them.
var sdkPackages = []string{
	"github.com/aws/aws-sdk-go-v2/aws",
	"github.com/aws/aws-sdk-go-v2/service/dynamodb",
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams",
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue",
	"github.com/aws/smithy-go",
}

// testPackages are the third-party packages that tests may import in addition to the SDK.
var testPackages = []string{
	"github.com/anishathalye/porcupine",
	"github.com/stretchr/testify",
	"go.uber.org/goleak",
	"pgregory.net/rapid",
}

// environmentReads lists the functions that read environment variables, by import path.
var environmentReads = map[string][]string{
	"os":      {"Getenv", "LookupEnv", "Environ", "ExpandEnv"},
	"syscall": {"Getenv", "Environ"},
}
