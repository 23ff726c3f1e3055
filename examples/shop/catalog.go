package main

import "github.com/trestledb/trestle/entity"

// Customer has a partition of its own.
type Customer struct {
	_     entity.Key `type:"customer" pk:"c#<id>" sk:"c#<id>"`
	ID    string     `dynamodbav:"id"`
	Name  string     `dynamodbav:"name"`
	Email string     `dynamodbav:"email"`
}

// Product is the first entity of a partition that also has its stock.
type Product struct {
	_           entity.Key `type:"product" pk:"p#<id>" sk:"p#<id>"`
	ID          string     `dynamodbav:"id"`
	Name        string     `dynamodbav:"name"`
	Description string     `dynamodbav:"description"`
	Price       int        `dynamodbav:"price"`
}

// Warehouse has a partition of its own.
type Warehouse struct {
	_       entity.Key `type:"warehouse" pk:"w#<id>" sk:"w#<id>"`
	ID      string     `dynamodbav:"id"`
	Address Address    `dynamodbav:"address"`
}

// Stock is the quantity of a product in a warehouse. The table's key finds it by product, and GSI2
// by warehouse.
type Stock struct {
	_           entity.Key   `type:"stock" pk:"p#<product_id>" sk:"w#<warehouse_id>"`
	_           entity.Index `name:"by-warehouse" on:"GSI2" pk:"w#<warehouse_id>" sk:"p#<product_id>"`
	ProductID   string       `dynamodbav:"product_id"`
	WarehouseID string       `dynamodbav:"warehouse_id"`
	Quantity    int          `dynamodbav:"quantity"`
}

// Address is the address of a warehouse, or the destination of a shipment.
type Address struct {
	Country  string `dynamodbav:"country"`
	County   string `dynamodbav:"county"`
	City     string `dynamodbav:"city"`
	Street   string `dynamodbav:"street"`
	Number   string `dynamodbav:"number"`
	PostCode string `dynamodbav:"post_code"`
}
