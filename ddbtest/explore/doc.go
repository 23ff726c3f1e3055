// Package explore is a model checker for code that talks to DynamoDB.
//
// It runs a few clients of a service again and again, on ddbtest's in-process DynamoDB: each time
// with another order of their requests and with other faults, until every order was run. The first
// run that breaks an invariant of the test is shown step by step. A random test finds what is
// likely; this finds what is possible. It works for any code on the SDK for Go.
//
//	func TestTransfer(t *testing.T) {
//		setup := func(db *ddbtest.DB) {
//			db.CreateTable(t, &dynamodb.CreateTableInput{ … })
//			db.Load(t, "accounts", acme, other)
//		}
//		explore.Run(t, explore.Options{Setup: setup}, func(w *explore.World) {
//			for _, name := range []string{"alice", "bob"} {
//				w.Client(name, func(ctx context.Context, client *dynamodb.Client) {
//					require.NoError(w, bank.New(client).Transfer(ctx, "acme", "other", 10))
//				})
//			}
//			w.Finally(func(db *ddbtest.DB) error { return sumIs(db, 100) })
//		}).Complete()
//	}
//
// # How a run goes
//
// A [World] is one run. The function declares its clients and invariants, anew in each run.
// [Options.Setup] fills the database once, and each run gets a copy of it. A client is a function
// that gets an SDK client. Its requests wait in the transport until the search lets one of them be
// served; then the search waits until all clients wait again. So at any moment one thing happens,
// and the order of these things is the run.
//
// [World.Always] declares an invariant of the database that holds after every step, and
// [World.Finally] one that holds when all clients have ended. In clients and invariants the World
// can be used in assertions instead of the test. To check what clients were told, declare a
// variable for each client in the function, and compare it in Finally.
//
// A run takes place in a bubble of testing/synctest: time is fake. A client may pause, for example
// between two attempts or between two looks at a lock. It may wake at every step of the others: to
// let time pass until its timer is one more choice of the search. While a request waits, time
// passes at most until its deadline. [Options.Wakes] bounds how often time passes in a run while
// requests wait. A timer counts if its client then sends a request, gives one up, or ends.
//
// The clients' retries take part. A client of the run makes three attempts without pauses; the
// options of [World.Client] can set another Retryer.
//
// # Faults
//
// [Options.Faults] names the kinds of faults and how many of each a run may have, for example
//
//	Faults: explore.Faults{explore.LostReply: 1, explore.Crash: 1}
//
// The search then tries every fault at every request, in every order. Without Faults it is one lost
// reply. Two or three faults are usually enough to break what can be broken: each one more
// multiplies the number of runs.
//
// A client that crashes ([Crash]) stops at the request that it was about to send. [World.Restart]
// starts it again, also after a crash that came after its last request. After the run, the requests
// of crashed clients fail, so that their functions return; what they record then comes after
// Finally. A late request ([LateRequest]) is applied after its client saw a reset, at any later
// moment. A stale read ([StaleRead]) sees any earlier content of the database. A [Pause] lets time
// pass while requests wait, so that leases, tokens and the deadlines of requests expire.
//
// # What is proved
//
// If the search is complete, the invariants hold in every order of the requests of these clients
// with these faults. Clients are small: two clients of two or three requests each, or three
// clients of one or two, are hundreds to thousands of runs. [Report.Complete] fails the test if the
// search was cut off. The log has one line that says what was covered.
//
// Requests that commute are not run in both orders: those for different items, reads of the same
// item, and a query of a table with writes outside of its range. A state that was seen before is
// not searched again; the state is the database and what each client has seen so far. All states
// are reached nevertheless. [Options.NoReduction] switches this off. What is outside of the model:
//
//   - Clients share nothing but the database: no cache, counter, limiter or mutex. Make one service
//     for each client. What they share in memory, they must only read. If it shows that they share
//     memory, because a client goes on when another one gets a reply, or does something else, or at
//     another time, after the same replies, the search runs all orders without the reductions
//     above, and the log says so. What a client does between two requests is one step nevertheless.
//   - A batch, a query and a transaction are applied at one moment, as one step.
//   - An invariant of Always depends on the database alone.
//   - The goroutines of a client must not hold a mutex while they wait for a reply, because
//     testing/synctest waits for mutexes: the search hangs. Equal requests that a client sends at
//     the same time are taken for the same one.
//   - Stale reads see each earlier write, but not an item that has expired since. A stale read of
//     several items sees them as they were at one moment. An index that is read without such a
//     fault, and a stream, have each write at once.
//   - Times are those of timers, and of [Options.Pauses]. Code that only compares times, that looks
//     at a variable which a timer sets, or at the error of a context whose requests do not have it,
//     needs Options.Pauses: a lease that a client compares with the clock ends beside a waiting
//     request only after one of these times. Without [Pause] and [Options.Backoff], all clients
//     start at the same time.
//   - [World.Rand] has the numbers of one seed.
//   - [Unprocessed] leaves one part of a batch undone, or all but one.
//   - The search does not parse PartiQL statements: they may read and write anything, so they
//     commute with no request. [Throttle], [Conflict] and [StaleRead] do not act on them;
//     [Report.Lacks] says so if Faults names a kind that DynamoDB has for the statement.
//
// A run has its own time and its own channels. The clock begins on 2000-01-01, also in Setup. Use
// the context that the client got, and context.Background() in invariants: the context of a
// *testing.T ends the program with the error "receive on synctest channel from outside bubble".
//
// A test that proves nothing fails. [Report.Lacks] lists the reasons: for example a client whose
// every write is refused for a reserved word, a fault that no request allows, requests with a
// deadline that never passes, or a pause that is too long to end beside a request. Stale reads of a
// service that reads strongly are no such reason.
//
// Clients must repeat themselves: after the same replies they send the same requests. A request
// that differs from the one of an earlier run fails the test, with what differs. A short search
// repeats its first run, so that this shows. Random numbers come from [World.Rand], and the time
// from time.Now. The SDK's own tokens repeat themselves. Trestle gets its random numbers from an
// option of the table, with another seed for each client:
//
//	table, err := schema.Open(client, "app", entity.Random(rand.NewChaCha8([32]byte{1})))
//
// Two timers of a client that end at the same moment can end in either order, which no search
// decides. The timeout of an attempt (entity.Timeout, 10 seconds) and the lease of a lock are such
// timers: give them different lengths.
//
// # Failures
//
// A failure is shortened: to the fewest faults, and then to the fewest switches between clients. It
// is a table of steps: the client, its request with all values, and the result. The schedule below
// the table repeats this one run: [Options.Replay].
//
// # Larger searches
//
// [Sample] runs random orders with random faults, for clients that are too many or too long to run
// all orders. [History] records operations for a checker of linearizability.
package explore
