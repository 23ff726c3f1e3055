package differential

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Suffixes after the name of a table or an index in the names of units.
const (
	partTable    = "table"
	unitsRead    = " read"
	unitsWritten = " written"
)

// charge adds the consumed capacity of each part. The total must be the sum of the parts.
func (o *outcome) charge(c *types.ConsumedCapacity) {
	if c == nil {
		return
	}
	name := aws.ToString(c.TableName)
	sum := 0.0
	part := func(what string, units types.Capacity) {
		sum += aws.ToFloat64(units.CapacityUnits)
		o.units(name+" "+what, units.CapacityUnits)
		o.units(name+" "+what+unitsRead, units.ReadCapacityUnits)
		o.units(name+" "+what+unitsWritten, units.WriteCapacityUnits)
	}
	if c.Table != nil {
		part(partTable, *c.Table)
	}
	for index, units := range c.GlobalSecondaryIndexes {
		part(index, units)
	}
	for index, units := range c.LocalSecondaryIndexes {
		part(index, units)
	}
	if total := aws.ToFloat64(c.CapacityUnits); total != sum {
		o.facts["capacity of "+name] = fmt.Sprintf("%v in all, %v in parts", total, sum)
	}
}

func (o *outcome) units(name string, units *float64) {
	if units != nil {
		o.capacity[name] += *units
	}
}

func (o *outcome) charges(all []types.ConsumedCapacity) {
	for i := range all {
		o.charge(&all[i])
	}
}
