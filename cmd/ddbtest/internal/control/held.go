package control

var heldRoutes = []Route{
	read("/held", func(c *call) (RequestList, error) { return requestList(c.db.DB.Pending()), nil }),
	act("/held/deliver", func(c *call) (RequestList, error) {
		c.db.DB.DeliverLate()
		return requestList(c.db.DB.Pending()), kept(c.db)
	}),
}
