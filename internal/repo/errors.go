package repo

import "github.com/trestledb/trestle/internal/errs"

// Errors of calls that send nothing.
var (
	ErrNoOpen       = errs.New("", "the table was not opened", "use the table that Schema.Open returned")
	errNoProjection = errs.New("", "the projection is not declared", "declare it with Project, as a package variable")
	errOtherType    = errs.New("", "the item is empty or of another type", "read items of several types with package query")
	errNil          = errs.New("", "the entity is nil", "give a pointer to an entity")

	errNoType        = errs.New("", "the type is not defined", "define it with Define or DefineSpec, as a package variable")
	errNoTable       = errs.New("", "the repository is not bound to a table", "make it with In(table), of a table that Open returned")
	errOtherTable    = errs.New("", "the type belongs to another schema than the table", "define it on the schema that the table was opened with")
	errTooLate       = errs.New("", "the type was defined after the schema was opened", "define all types before Open, as package variables")
	errOldOnly       = errs.New("", "a put and a delete can return the old item only", "use trestle.AllOld")
	errNoReturn      = errs.New("", "a get, a create, a check, a move and an increment cannot return an earlier item", "leave Return out")
	errTxReturn      = errs.New("", "a transaction returns no item", "leave Return out, and read the item afterwards")
	errNotACount     = errs.New("", "the attribute is not a count of the type", "name one that a marker entity.Counted names")
	errTxGet         = errs.New("", "a get is no write", "read with tx.Read")
	errBatchGet      = errs.New("", "a get is no write", "read items with GetMany")
	errTxToken       = errs.New("", "an operation of a transaction has a token of its own", "give the token to the transaction: tx.WriteOnce")
	errTxClient      = errs.New("", "it uses another client than the first operation", "open all tables of a transaction on one client")
	errNoDestination = errs.New("", "the destination is nil", "give a pointer to a pointer to an entity")
	errNoOperation   = errs.New("", "the operation is empty", "make it with the methods of Repo.Op")

	errGuardedReturn = errs.New("", "a write of a type with unique values or counts can be a transaction, which returns no old item", "leave Return out, or read the item before")
	errTokenSize     = errs.New("", "a token has 1 to 36 bytes", "use a UUID")
	errTokenRead     = errs.New("", "a get needs no token", "leave Once out")
	errBadReturn     = errs.New("", "the value of Return does not exist", "use trestle.AllOld, AllNew, UpdatedOld or UpdatedNew")
	errReadsFirst    = errs.New("", "an overwrite of a versioned type depends on the item that it reads first", "take the input of a put")
)
