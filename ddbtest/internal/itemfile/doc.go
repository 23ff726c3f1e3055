// Package itemfile reads items from files of DynamoDB JSON: replies of the AWS CLI, requests of
// batch writes, and exports to S3. It tells the format by the content.
package itemfile
