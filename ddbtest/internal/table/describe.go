package table

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Describe implements DescribeTable.
func Describe(c *engine.Call, in *api.TableInput) (*api.DescribeTableOutput, error) {
	out := &api.DescribeTableOutput{}
	err := c.DB.View(func(s *store.State) error {
		now := c.Now()
		t, err := find(s, now, in.TableName)
		if err != nil {
			return err
		}
		out.Table = describe(t, now)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// describe describes a table at a point in time.
func describe(t *store.Table, now time.Time) *api.TableDescription {
	d := &api.TableDescription{
		TableName:                 t.Name,
		TableStatus:               status(t, now),
		CreationDateTime:          api.Seconds(t.Created),
		AttributeDefinitions:      definitions(t.Definition),
		KeySchema:                 elements(t.Key),
		ProvisionedThroughput:     describeThroughput(t.Throughput, now),
		TableSizeBytes:            api.Pointer(t.Size()),
		ItemCount:                 api.Pointer(int64(t.Len())),
		TableArn:                  t.ARN,
		TableId:                   t.ID,
		BillingModeSummary:        billing(t),
		DeletionProtectionEnabled: api.Pointer(t.DeletionProtected),
		OnDemandThroughput:        describeLimit(t.OnDemandLimit),
		SSEDescription:            describeEncryption(t.Settings.EncryptionKey),
		TableClassSummary:         describeClass(t.Settings),
	}
	d.WarmThroughput = describeWarm(currentWarm(t.Warm, t.OnDemandBilling, t.Throughput), d.TableStatus)
	if t.OnDemandBilling {
		d.ProvisionedThroughput.LastDecreaseDateTime = nil
	}
	for _, ix := range t.Indexes {
		if ix.Local {
			d.LocalSecondaryIndexes = append(d.LocalSecondaryIndexes, describeLocal(t, ix))
		} else {
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, describeGlobal(t, ix, now))
		}
	}
	describeStream(d, t)
	return d
}

func describeLocal(t *store.Table, ix *store.Index) api.IndexDescription {
	return api.IndexDescription{
		IndexName:      ix.Name,
		KeySchema:      elements(ix.Key),
		Projection:     &api.Projection{ProjectionType: ix.Projection.Type, NonKeyAttributes: ix.Projection.Names},
		IndexSizeBytes: api.Pointer(ix.Size()),
		ItemCount:      api.Pointer(int64(ix.Len())),
		IndexArn:       t.ARN + "/index/" + ix.Name,
	}
}

func describeGlobal(t *store.Table, ix *store.Index, now time.Time) api.IndexDescription {
	d := describeLocal(t, ix)
	d.IndexStatus = indexStatus(t, ix, now)
	if d.IndexStatus == creating && status(t, now) != creating {
		d.Backfilling = api.Pointer(true)
	}
	d.ProvisionedThroughput = describeThroughput(ix.Throughput, now)
	d.OnDemandThroughput = describeLimit(ix.Limit)
	warm := active
	if d.IndexStatus != active {
		warm = updating
	}
	d.WarmThroughput = describeWarm(currentWarm(ix.Warm, t.OnDemandBilling, ix.Throughput), warm)
	return d
}

func describeStream(d *api.TableDescription, t *store.Table) {
	if t.Stream != nil {
		d.StreamSpecification = &api.StreamSpecification{StreamEnabled: api.Pointer(true), StreamViewType: t.Stream.View}
	}
	if t.StreamARN != "" {
		d.LatestStreamLabel, d.LatestStreamArn = api.Pointer(t.StreamLabel), api.Pointer(t.StreamARN)
	}
}

// billing is nil for a table that was never on demand.
func billing(t *store.Table) *api.BillingModeSummary {
	switch {
	case t.OnDemandSince.IsZero():
		return nil
	case t.OnDemandBilling:
		return &api.BillingModeSummary{BillingMode: payPerRequest, LastUpdateToPayPerRequestDateTime: api.Seconds(t.OnDemandSince)}
	default:
		return &api.BillingModeSummary{BillingMode: provisioned, LastUpdateToPayPerRequestDateTime: api.Seconds(t.OnDemandSince)}
	}
}

func describeThroughput(p store.Throughput, now time.Time) *api.ThroughputDescription {
	return &api.ThroughputDescription{
		LastIncreaseDateTime: api.Seconds(p.Increase.At(now)), LastDecreaseDateTime: api.Seconds(p.Decrease.At(now)),
		NumberOfDecreasesToday: api.Pointer(p.DecreasesToday(now)),
		ReadCapacityUnits:      api.Pointer(p.Read), WriteCapacityUnits: api.Pointer(p.Write),
	}
}

func definitions(attributes []store.KeyAttribute) []api.AttributeDefinition {
	d := make([]api.AttributeDefinition, len(attributes))
	for i, a := range attributes {
		d[i] = api.AttributeDefinition{AttributeName: a.Name, AttributeType: a.Kind.String()}
	}
	return d
}

func elements(key store.KeySchema) []api.KeySchemaElement {
	var e []api.KeySchemaElement
	for _, a := range key.Partition {
		e = append(e, api.KeySchemaElement{AttributeName: a.Name, KeyType: hashKey})
	}
	for _, a := range key.Sort {
		e = append(e, api.KeySchemaElement{AttributeName: a.Name, KeyType: rangeKey})
	}
	return e
}
