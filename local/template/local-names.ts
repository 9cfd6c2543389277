import { LOCAL_ACCOUNT, LOCAL_REGION } from "../local-account.ts";

/** The property with the name that `Ref` returns, by resource type. */
export const NAME_PROPERTIES: Readonly<Record<string, string>> = {
  "AWS::DynamoDB::Table": "TableName",
  "AWS::DynamoDB::GlobalTable": "TableName",
  "AWS::Lambda::Function": "FunctionName",
  "AWS::Logs::LogGroup": "LogGroupName",
};

/** The part of an ARN after `arn:aws:`, by resource type. */
export const ARN_FORMS: Readonly<Record<string, (name: string) => string>> = {
  "AWS::DynamoDB::Table": (name) => `dynamodb:${LOCAL_REGION}:${LOCAL_ACCOUNT}:table/${name}`,
  "AWS::DynamoDB::GlobalTable": (name) => `dynamodb:${LOCAL_REGION}:${LOCAL_ACCOUNT}:table/${name}`,
  "AWS::Lambda::Function": (name) => `lambda:${LOCAL_REGION}:${LOCAL_ACCOUNT}:function:${name}`,
};
