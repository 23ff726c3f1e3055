package codec

import (
	"strconv"
	"time"

	"github.com/trestledb/trestle/internal/itemjson"
)

// appendJSON encodes the item as code written by hand for its type would.
func (x *benchItem) appendJSON(b []byte) []byte {
	text := func(name, s string) {
		b = append(append(b, name...), `{"S":`...)
		b = append(itemjson.AppendText(b, s), '}')
	}
	text(`{"PK":`, x.PK)
	text(`,"SK":`, x.SK)
	text(`,"company_id":`, x.CompanyID)
	text(`,"id":`, x.ID)
	text(`,"name":`, x.Name)
	text(`,"email":`, x.Email)
	text(`,"status":`, x.Status)
	text(`,"bio":`, x.Bio)
	b = append(b, `,"hired_at":{"S":"`...)
	b = x.HiredAt.UTC().AppendFormat(b, time.RFC3339Nano)
	b = append(b, `"},"updated_at":{"S":"`...)
	b = x.UpdatedAt.UTC().AppendFormat(b, time.RFC3339Nano)
	b = append(b, `"},"logins":{"N":"`...)
	b = strconv.AppendInt(b, x.Logins, 10)
	b = append(b, `"},"version":{"N":"`...)
	b = strconv.AppendInt(b, x.Version, 10)
	b = append(b, `"},"salary":{"N":"`...)
	b = strconv.AppendFloat(b, x.Salary, 'f', -1, 64)
	b = append(b, `"},"active":{"BOOL":`...)
	b = append(strconv.AppendBool(b, x.Active), '}')
	if len(x.Skills) > 0 {
		b = append(b, `,"skills":{"L":[`...)
		for i, s := range x.Skills {
			if i > 0 {
				b = append(b, ',')
			}
			text("", s)
		}
		b = append(b, `]}`...)
	}
	if len(x.Tags) > 0 {
		b = append(b, `,"tags":{"SS":[`...)
		for i, s := range x.Tags {
			if i > 0 {
				b = append(b, ',')
			}
			b = itemjson.AppendText(b, s)
		}
		b = append(b, `]}`...)
	}
	if x.Work != nil {
		text(`,"work":{"M":{"street":`, x.Work.Street)
		text(`,"city":`, x.Work.City)
		text(`,"zip":`, x.Work.Zip)
		b = append(b, `}}`...)
	}
	if len(x.Labels) > 0 {
		b = append(b, `,"labels":{"M":{`...)
		first := true
		for name, s := range x.Labels {
			if !first {
				b = append(b, ',')
			}
			first = false
			b = itemjson.AppendText(b, name)
			text(":", s)
		}
		b = append(b, `}}`...)
	}
	return append(b, '}')
}
