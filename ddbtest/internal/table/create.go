package table

import (
	"crypto/sha256"
	"fmt"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Create implements CreateTable.
func Create(c *engine.Call, in *api.CreateTableInput) (*api.TableOutput, error) {
	t, view, err := newTable(c.Config, in)
	if err != nil {
		return nil, err
	}
	out := &api.TableOutput{}
	err = change(c, func(s *store.State) error {
		if s.Tables[t.Name] != nil {
			return awserr.New(awserr.CodeResourceInUse, "Table already exists: %s", t.Name)
		}
		t.ID = newID(s.Next(), t.Name)
		t.Created, t.ActiveAt = s.Now, s.Now.Add(c.Config.TableDelay)
		if t.OnDemandBilling {
			t.OnDemandSince = s.Now
		}
		s.AddTable(t)
		if view != "" {
			s.OpenStream(t, view)
		}
		out.TableDescription = describe(t, justBefore(s.Now))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// newTable returns the requested table and the view type of its stream, or "".
func newTable(cfg *engine.Config, in *api.CreateTableInput) (*store.Table, string, error) {
	if err := check.Unsupported(in.Unsupported); err != nil {
		return nil, "", err
	}
	t := &store.Table{
		Name:            api.TableName(in.TableName),
		OnDemandBilling: in.BillingMode == payPerRequest,
	}
	if t.Name != in.TableName {
		if err := checkResource(cfg, "CreateTable", in.TableName); err != nil {
			return nil, "", err
		}
	}
	t.ARN = tableARN(cfg, t.Name)
	if cfg.UnusedDefinitions {
		in = withoutUnused(in)
	}
	for _, step := range []func(*store.Table, *api.CreateTableInput) error{setThroughput, setKeys, setProtectionAndTags} {
		if err := step(t, in); err != nil {
			return nil, "", err
		}
	}
	if err := setSettings(t, cfg, in); err != nil {
		return nil, "", err
	}
	view, err := streamView(in.StreamSpecification)
	return t, view, err
}

func setThroughput(t *store.Table, in *api.CreateTableInput) (err error) {
	if t.Throughput, err = throughput(in.ProvisionedThroughput, t.OnDemandBilling); err != nil {
		return err
	}
	if t.OnDemandLimit, err = newLimit(in.OnDemandThroughput, t.OnDemandBilling, "table"); err != nil {
		return err
	}
	t.Warm, err = newWarm(in.WarmThroughput, t.OnDemandBilling, t.Throughput, "table")
	return err
}

func setKeys(t *store.Table, in *api.CreateTableInput) error {
	defined, err := parseDefinitions(in.AttributeDefinitions)
	if err != nil {
		return err
	}
	if t.Key, err = defined.tableKey(in.KeySchema); err != nil {
		return err
	}
	if in.LocalSecondaryIndexes == nil && in.GlobalSecondaryIndexes == nil {
		t.Definition = defined
		return defined.allUsed(t.Key, nil)
	}
	locals, err := defined.localIndexes(in.LocalSecondaryIndexes, t.Key)
	if err != nil {
		return err
	}
	globals, err := defined.globalIndexes(in.GlobalSecondaryIndexes, locals, t.OnDemandBilling)
	if err != nil {
		return err
	}
	t.Definition = defined
	for _, ix := range append(locals, globals...) {
		t.AddIndex(ix)
	}
	if err := projectedCount(t.Indexes); err != nil {
		return err
	}
	return defined.allUsed(t.Key, t.Indexes)
}

func setProtectionAndTags(t *store.Table, in *api.CreateTableInput) (err error) {
	t.DeletionProtected = in.DeletionProtectionEnabled != nil && *in.DeletionProtectionEnabled
	t.Tags, err = withTags(nil, in.Tags)
	return err
}

func tableARN(cfg *engine.Config, name string) string {
	return fmt.Sprintf("arn:aws:dynamodb:%s:%s:table/%s", cfg.Region, cfg.Account, name)
}

// newID returns a UUID. The same history gives the same IDs.
func newID(n uint64, name string) string {
	b := sha256.Sum256(fmt.Appendf(nil, "%d %s", n, name))
	b[6] = b[6]&0x0f | 0x40 // version 4
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:16])
}

// streamView returns the view type of the requested stream, or "" if there is none.
func streamView(spec *api.StreamSpecification) (string, error) {
	switch {
	case spec == nil:
		return "", nil
	case *spec.StreamEnabled && spec.StreamViewType == "":
		return "", invalid("StreamViewType must not be null or empty when enabling streams")
	case !*spec.StreamEnabled && spec.StreamViewType != "":
		return "", invalid("StreamEnabled was false but a StreamViewType was present")
	default:
		return spec.StreamViewType, nil
	}
}
