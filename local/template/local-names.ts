import { LOCAL_ACCOUNT, LOCAL_REGION } from "../store/local-account.ts";

/** The property with the name that `Ref` returns, by resource type. */
export const NAME_PROPERTIES: Readonly<Record<string, string>> = {
  "AWS::DynamoDB::Table": "TableName",
  "AWS::DynamoDB::GlobalTable": "TableName",
  "AWS::Lambda::Function": "FunctionName",
  "AWS::Logs::LogGroup": "LogGroupName",
  "AWS::SQS::Queue": "QueueName",
};

/** The part of an ARN after `arn:aws:`, by resource type. */
export const ARN_FORMS: Readonly<Record<string, (name: string) => string>> = {
  "AWS::DynamoDB::Table": (name) => `dynamodb:${LOCAL_REGION}:${LOCAL_ACCOUNT}:table/${name}`,
  "AWS::DynamoDB::GlobalTable": (name) => `dynamodb:${LOCAL_REGION}:${LOCAL_ACCOUNT}:table/${name}`,
  "AWS::Lambda::Function": (name) => `lambda:${LOCAL_REGION}:${LOCAL_ACCOUNT}:function:${name}`,
  "AWS::SQS::Queue": (name) => `sqs:${LOCAL_REGION}:${LOCAL_ACCOUNT}:${name}`,
};

/** Where the addresses of queues begin on AWS; the endpoint of the local queues takes the place of this beginning. */
export const QUEUES_AT_AWS = `https://sqs.${LOCAL_REGION}.amazonaws.com/`;

/** The address of a queue below an endpoint that ends with a slash, as SQS forms it. */
export const queueAddress = (endpoint: string, name: string): string => `${endpoint}${LOCAL_ACCOUNT}/${name}`;
