package api

// UpdateContinuousBackupsInput is the request of UpdateContinuousBackups.
type UpdateContinuousBackupsInput struct {
	TableName                        string                            `api:"required,table"`
	PointInTimeRecoverySpecification *PointInTimeRecoverySpecification `api:"required"`
}

// PointInTimeRecoverySpecification turns point-in-time recovery on or off.
type PointInTimeRecoverySpecification struct {
	PointInTimeRecoveryEnabled *bool  `api:"required"`
	RecoveryPeriodInDays       *int64 `api:"min=1,max=35"`
}

// ContinuousBackupsOutput is the reply to UpdateContinuousBackups and DescribeContinuousBackups.
type ContinuousBackupsOutput struct {
	ContinuousBackupsDescription *ContinuousBackupsDescription
}

// ContinuousBackupsDescription describes the backups of a table.
type ContinuousBackupsDescription struct {
	ContinuousBackupsStatus        string
	PointInTimeRecoveryDescription *PointInTimeRecoveryDescription
}

// PointInTimeRecoveryDescription describes point-in-time recovery. The times and the period are nil
// if it is off.
type PointInTimeRecoveryDescription struct {
	EarliestRestorableDateTime *float64
	LatestRestorableDateTime   *float64
	PointInTimeRecoveryStatus  string
	RecoveryPeriodInDays       *int64
}
