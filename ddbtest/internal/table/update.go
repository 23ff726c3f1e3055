package table

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Update implements UpdateTable.
func Update(c *engine.Call, in *api.UpdateTableInput) (*api.TableOutput, error) {
	if err := checkUpdate(in); err != nil {
		return nil, err
	}
	defined, err := parseDefinitions(in.AttributeDefinitions)
	if err != nil {
		return nil, err
	}
	out := &api.TableOutput{}
	err = change(c, func(s *store.State) error {
		t, err := findIdle(s, in.TableName)
		if err != nil {
			return err
		}
		u := &update{in: in, defined: defined, cfg: c.Config, s: s, t: t}
		if err := u.plan(); err != nil {
			return err
		}
		for _, step := range u.steps {
			step()
		}
		t.UpdatedAt = s.Now.Add(c.Config.TableDelay)
		s.AddDue(t)
		out.TableDescription = describe(t, justBefore(s.Now))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// checkUpdate rejects updates that are invalid for every table.
func checkUpdate(in *api.UpdateTableInput) error {
	if err := check.Unsupported(in.Unsupported); err != nil {
		return err
	}
	others := in.ProvisionedThroughput != nil || in.BillingMode != "" || in.StreamSpecification != nil || len(in.GlobalSecondaryIndexUpdates) > 0 ||
		in.DeletionProtectionEnabled != nil || in.SSESpecification != nil || hasLimit(in.OnDemandThroughput) ||
		hasWarm(in.WarmThroughput)
	switch {
	case others && in.TableClass != "":
		return invalid("TableClass modification must be the only operation in the request")
	case !others && in.TableClass == "":
		return awserr.Validation("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates " +
			"or SSESpecification or ReplicaUpdates is required")
	}
	if in.BillingMode == provisioned && in.ProvisionedThroughput == nil {
		return invalid("ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
	}
	return checkIndexUpdates(in.GlobalSecondaryIndexUpdates)
}

// update is one UpdateTable. All of it is planned and validated before any of it is applied.
type update struct {
	in      *api.UpdateTableInput
	defined attributes
	cfg     *engine.Config
	s       *store.State
	t       *store.Table
	steps   []func()
}

func (u *update) addStep(step func()) { u.steps = append(u.steps, step) }

func (u *update) plan() error {
	for _, part := range []func() error{
		u.planBilling, u.planLimit, u.planIndexes, u.planStream, u.planProtection, u.planClass, u.planEncryption, u.planWarm,
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func (u *update) planStream() error {
	view, err := streamView(u.in.StreamSpecification)
	switch {
	case err != nil || u.in.StreamSpecification == nil:
		return err
	case view != "" && u.t.Stream != nil:
		return awserr.Validation("Table already has an enabled stream: TableName: %s", u.t.Name)
	case view == "" && u.t.Stream == nil:
		return awserr.Validation("Table has no stream to disable: TableName: %s", u.t.Name)
	case view != "":
		u.addStep(func() { u.s.OpenStream(u.t, view) })
	default:
		u.addStep(func() { u.s.CloseStream(u.t) })
	}
	return nil
}

func (u *update) planProtection() error {
	if p := u.in.DeletionProtectionEnabled; p != nil {
		u.addStep(func() { u.t.DeletionProtected = *p })
	}
	return nil
}
