import { LOCAL_ACCOUNT, LOCAL_REGION } from "../local-account.ts";

/** Properties that hold the name which `Ref` stands for, of the resource types that templates refer to for one. */
export const NAME_PROPERTIES: Readonly<Record<string, string>> = {
  "AWS::DynamoDB::Table": "TableName",
  "AWS::DynamoDB::GlobalTable": "TableName",
  "AWS::Lambda::Function": "FunctionName",
  "AWS::Logs::LogGroup": "LogGroupName",
};

/** How an ARN of each type ends after region and account. */
export const ARN_FORMS: Readonly<Record<string, (name: string) => string>> = {
  "AWS::DynamoDB::Table": (name) => `dynamodb:${LOCAL_REGION}:${LOCAL_ACCOUNT}:table/${name}`,
  "AWS::DynamoDB::GlobalTable": (name) => `dynamodb:${LOCAL_REGION}:${LOCAL_ACCOUNT}:table/${name}`,
  "AWS::Lambda::Function": (name) => `lambda:${LOCAL_REGION}:${LOCAL_ACCOUNT}:function:${name}`,
};
