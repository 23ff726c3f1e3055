package storage

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// The forms are what the values of entries have in JSON.

// timeForm is a time since 1970. nil is no time.
type timeForm struct{ Seconds, Nanos int64 }

type stateForm struct {
	Sequence int64
	Now      *timeForm
	Advanced int64 // how far the clock was advanced, in nanoseconds
	Clock    *timeForm
}

type tableForm struct {
	throughputForm

	Name, ARN, ID                          string
	Created, ActiveAt, UpdatedAt, DeleteAt *timeForm
	Partition, Sort, Definition            []attributeForm
	Indexes                                []indexForm
	OnDemandBilling                        bool
	OnDemandSince                          *timeForm
	ReadLimit, WriteLimit                  int64
	WarmRead, WarmWrite                    int64
	Class                                  string
	ClassChangedAt                         *timeForm
	EncryptionKey                          string
	DeletionProtected                      bool
	Tags                                   map[string]string
	TTLAttribute                           string
	TTLChangedAt                           *timeForm
	RecoverySince                          *timeForm
	RecoveryDays                           int64
	StreamLabel, StreamARN                 string
}

type attributeForm struct{ Name, Kind string }

type indexForm struct {
	throughputForm

	Name                          string
	Local                         bool
	Partition, Sort               []attributeForm
	Projection                    string
	Attributes                    []string
	ReadLimit, WriteLimit         int64
	WarmRead, WarmWrite           int64
	ActiveAt, UpdatedAt, DeleteAt *timeForm
}

type throughputForm struct {
	ReadUnits, WriteUnits                                int64
	IncreasedAt, IncreaseDone, DecreasedAt, DecreaseDone *timeForm
	Decreases                                            int64
}

type itemForm struct{ Item value.Map }

type streamForm struct {
	ARN, Label, Table string
	Partition, Sort   []attributeForm
	View              string
	Created, ClosedAt *timeForm
	Trimmed           int64
	Shards            []shardForm
}

type shardForm struct {
	ID, Parent        string
	Start, End        int64
	Created, ClosedAt *timeForm
}

type recordForm struct {
	At       *timeForm
	Old, New value.Map
	Expired  bool
}

type tokenForm struct {
	Fingerprint string // in hexadecimal digits
	Done        *timeForm
}

func formOfTime(t time.Time) *timeForm {
	if t.IsZero() {
		return nil
	}
	return &timeForm{t.Unix(), int64(t.Nanosecond())}
}

// timeOf returns a time from the year 1 to 9999. Another one is damaged, and becomes the nearest.
func timeOf(f *timeForm) time.Time {
	if f == nil {
		return time.Time{}
	}
	const first, last = -62135596800, 253402300799
	return time.Unix(min(max(f.Seconds, first), last), min(max(f.Nanos, 0), int64(time.Second)-1))
}

func attributeForms(list []store.KeyAttribute) []attributeForm {
	forms := make([]attributeForm, len(list))
	for i, a := range list {
		forms[i] = attributeForm{a.Name, a.Kind.String()}
	}
	return forms
}

func keyAttributes(forms []attributeForm) []store.KeyAttribute {
	list := make([]store.KeyAttribute, len(forms))
	for i, f := range forms {
		list[i] = store.KeyAttribute{Name: f.Name, Kind: value.KindOf(f.Kind)}
	}
	return list
}

func formOfThroughput(p store.Throughput) throughputForm {
	return throughputForm{
		ReadUnits: p.Read, WriteUnits: p.Write,
		IncreasedAt: formOfTime(p.Increase.Requested), IncreaseDone: formOfTime(p.Increase.Done),
		DecreasedAt: formOfTime(p.Decrease.Requested), DecreaseDone: formOfTime(p.Decrease.Done), Decreases: p.Decreases,
	}
}

func (f *throughputForm) throughput() store.Throughput {
	return store.Throughput{
		Read: f.ReadUnits, Write: f.WriteUnits,
		Increase:  store.ThroughputChange{Requested: timeOf(f.IncreasedAt), Done: timeOf(f.IncreaseDone)},
		Decrease:  store.ThroughputChange{Requested: timeOf(f.DecreasedAt), Done: timeOf(f.DecreaseDone)},
		Decreases: f.Decreases,
	}
}

func formOfTable(t *store.Table) *tableForm {
	f := &tableForm{
		Name: t.Name, ARN: t.ARN, ID: t.ID,
		Created: formOfTime(t.Created), ActiveAt: formOfTime(t.ActiveAt), UpdatedAt: formOfTime(t.UpdatedAt), DeleteAt: formOfTime(t.DeleteAt),
		Partition: attributeForms(t.Key.Partition), Sort: attributeForms(t.Key.Sort), Definition: attributeForms(t.Definition),
		OnDemandBilling: t.OnDemandBilling, OnDemandSince: formOfTime(t.OnDemandSince),
		throughputForm: formOfThroughput(t.Throughput),
		ReadLimit:      t.OnDemandLimit.Read, WriteLimit: t.OnDemandLimit.Write,
		WarmRead: t.Warm.Read, WarmWrite: t.Warm.Write,
		Class: t.Settings.Class, ClassChangedAt: formOfTime(t.Settings.ClassChangedAt), EncryptionKey: t.Settings.EncryptionKey,
		DeletionProtected: t.DeletionProtected, Tags: t.Tags,
		TTLAttribute: t.TTL.Attribute, TTLChangedAt: formOfTime(t.TTL.ChangedAt),
		RecoverySince: formOfTime(t.Recovery.Since), RecoveryDays: t.Recovery.Days,
		StreamLabel: t.StreamLabel, StreamARN: t.StreamARN,
	}
	for _, ix := range t.Indexes {
		f.Indexes = append(f.Indexes, indexForm{
			Name: ix.Name, Local: ix.Local, Partition: attributeForms(ix.Key.Partition), Sort: attributeForms(ix.Key.Sort),
			Projection: ix.Projection.Type, Attributes: ix.Projection.Names,
			throughputForm: formOfThroughput(ix.Throughput),
			ReadLimit:      ix.Limit.Read, WriteLimit: ix.Limit.Write,
			WarmRead: ix.Warm.Read, WarmWrite: ix.Warm.Write,
			ActiveAt: formOfTime(ix.ActiveAt), UpdatedAt: formOfTime(ix.UpdatedAt), DeleteAt: formOfTime(ix.DeleteAt),
		})
	}
	return f
}

// table returns the table without items. Its stream is added later.
func (f *tableForm) table() *store.Table {
	t := &store.Table{
		Name: f.Name, ARN: f.ARN, ID: f.ID,
		Created: timeOf(f.Created), ActiveAt: timeOf(f.ActiveAt), UpdatedAt: timeOf(f.UpdatedAt), DeleteAt: timeOf(f.DeleteAt),
		Key:             store.KeySchema{Partition: keyAttributes(f.Partition), Sort: keyAttributes(f.Sort)},
		Definition:      keyAttributes(f.Definition),
		OnDemandBilling: f.OnDemandBilling, OnDemandSince: timeOf(f.OnDemandSince),
		Throughput:        f.throughput(),
		OnDemandLimit:     store.OnDemandLimit{Read: f.ReadLimit, Write: f.WriteLimit},
		Warm:              store.WarmThroughput{Read: f.WarmRead, Write: f.WarmWrite},
		Settings:          store.Settings{Class: f.Class, ClassChangedAt: timeOf(f.ClassChangedAt), EncryptionKey: f.EncryptionKey},
		DeletionProtected: f.DeletionProtected, Tags: f.Tags,
		TTL:         store.TTL{Attribute: f.TTLAttribute, ChangedAt: timeOf(f.TTLChangedAt)},
		Recovery:    store.Recovery{Since: timeOf(f.RecoverySince), Days: f.RecoveryDays},
		StreamLabel: f.StreamLabel, StreamARN: f.StreamARN,
	}
	for _, x := range f.Indexes {
		t.AddIndex(&store.Index{
			Name: x.Name, Local: x.Local,
			Key:        store.KeySchema{Partition: keyAttributes(x.Partition), Sort: keyAttributes(x.Sort)},
			Projection: store.Projection{Type: x.Projection, Names: x.Attributes},
			Throughput: x.throughput(),
			Limit:      store.OnDemandLimit{Read: x.ReadLimit, Write: x.WriteLimit},
			Warm:       store.WarmThroughput{Read: x.WarmRead, Write: x.WarmWrite},
			ActiveAt:   timeOf(x.ActiveAt), UpdatedAt: timeOf(x.UpdatedAt), DeleteAt: timeOf(x.DeleteAt),
		})
	}
	return t
}

func formOfStream(st *store.Stream) *streamForm {
	f := &streamForm{
		ARN: st.ARN, Label: st.Label, Table: st.Table, View: st.View,
		Partition: attributeForms(st.Key.Partition), Sort: attributeForms(st.Key.Sort),
		Created: formOfTime(st.Created), ClosedAt: formOfTime(st.ClosedAt), Trimmed: int64(st.Trimmed),
	}
	for _, s := range st.Shards {
		f.Shards = append(f.Shards, shardForm{s.ID, s.Parent, int64(s.Start), int64(s.End), formOfTime(s.Created), formOfTime(s.ClosedAt)})
	}
	return f
}

// stream returns the stream without records.
func (f *streamForm) stream() *store.Stream {
	st := &store.Stream{
		ARN: f.ARN, Label: f.Label, Table: f.Table, View: f.View,
		Key:     store.KeySchema{Partition: keyAttributes(f.Partition), Sort: keyAttributes(f.Sort)},
		Created: timeOf(f.Created), ClosedAt: timeOf(f.ClosedAt), Trimmed: uint64(f.Trimmed),
	}
	for _, s := range f.Shards {
		st.Shards = append(st.Shards, store.Shard{
			ID: s.ID, Parent: s.Parent, Start: uint64(s.Start), End: uint64(s.End), Created: timeOf(s.Created), ClosedAt: timeOf(s.ClosedAt),
		})
	}
	return st
}
