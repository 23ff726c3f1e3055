"""Tests a small service on ddbtest: a lost reply, items that expire, and the cost of a read."""

import unittest

import botocore.exceptions

import ddbtest

TABLE = {
    "TableName": "orders",
    "AttributeDefinitions": [
        {"AttributeName": "customer", "AttributeType": "S"},
        {"AttributeName": "order", "AttributeType": "S"},
    ],
    "KeySchema": [
        {"AttributeName": "customer", "KeyType": "HASH"},
        {"AttributeName": "order", "KeyType": "RANGE"},
    ],
}


class Orders:
    """The service under test."""

    def __init__(self, client):
        self.client = client

    def place(self, customer, order, expires=None):
        item = {"customer": {"S": customer}, "order": {"S": order}}
        if expires is not None:
            item["expires"] = {"N": str(expires)}
        self.client.put_item(
            TableName="orders", Item=item, ConditionExpression="attribute_not_exists(customer)"
        )

    def of(self, customer):
        reply = self.client.query(
            TableName="orders",
            KeyConditionExpression="customer = :c",
            ExpressionAttributeValues={":c": {"S": customer}},
            ConsistentRead=True,
        )
        return [item["order"]["S"] for item in reply["Items"]]


def setUpModule():
    global server
    server = ddbtest.Server()
    unittest.addModuleCleanup(server.close)


class OrdersTest(unittest.TestCase):
    def setUp(self):
        access_key = "".join(c for c in self.id() if c.isalnum())
        self.db = ddbtest.Database(server, access_key)
        self.db.control("POST", "/fixtures", {"tables": [TABLE]})
        self.addCleanup(self.db.control, "DELETE", "/databases")
        self.orders = Orders(self.db.client())

    def test_lost_reply(self):
        """A retry after a lost reply finds the item of the first attempt."""
        self.db.control("POST", "/faults", {
            "operations": ["PutItem"], "nth": 1,
            "effects": [{"effect": "InternalError", "afterCommit": True}],
        })
        with self.assertRaises(botocore.exceptions.ClientError) as raised:
            self.orders.place("ann", "1")
        self.assertEqual("ConditionalCheckFailedException", raised.exception.response["Error"]["Code"])
        self.assertEqual(["1"], self.orders.of("ann"), "it was applied")
        self.assertEqual(1, self.db.control("GET", "/faults/1")["hits"])

    def test_expires(self):
        """An order expires when the clock of the database has moved."""
        client = self.db.client()
        client.update_time_to_live(
            TableName="orders", TimeToLiveSpecification={"AttributeName": "expires", "Enabled": True}
        )
        now = self.db.control("GET", "/clock")["unixSeconds"]
        self.orders.place("ann", "1", expires=now + 3600)
        self.orders.place("ann", "2", expires=now + 7 * 86400)
        self.db.control("POST", "/clock/advance", {"by": "48h"})
        self.assertEqual(["2"], self.orders.of("ann"))

    def test_cost(self):
        """The orders of a customer are one query, and no scan."""
        for order in ("1", "2", "3"):
            self.orders.place("ann", order)
        budget = self.db.control("POST", "/budgets", {"limits": [
            {"quantity": "Requests", "atMost": 1},
            {"quantity": "Requests", "atMost": 0, "operations": ["Scan"]},
        ]})
        self.orders.of("ann")
        self.db.control("POST", f"/budgets/{budget['id']}/check")
        self.orders.of("ann")
        with self.assertRaisesRegex(AssertionError, "Requests: 2 used"):
            self.db.control("POST", f"/budgets/{budget['id']}/check")


if __name__ == "__main__":
    unittest.main()
