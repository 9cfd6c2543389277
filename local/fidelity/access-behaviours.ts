import type { KnownBehaviour } from "../known-behaviour.ts";

const IAM = "IAM user guide";
const SERVER = "test/integration/store-server.test.ts";
const IDENTITY = "test/unit/local/store/identity.test.ts";

/** Who may ask the tables for what, and what of that holds on this machine. */
export const accessBehaviours: readonly KnownBehaviour[] = [
  {
    behaviour:
      "A function may do with each table and index what its role allows; anything else is an AccessDeniedException that names who, what and where.",
    source: `${IAM}, Policy evaluation logic; Access denied error messages`,
    standing: "enforced",
    heldBy: "test/infra/bundles.test.ts",
  },
  {
    behaviour: "A statement that denies goes before all that allow.",
    source: `${IAM}, Policy evaluation logic`,
    standing: "enforced",
    heldBy: IDENTITY,
  },
  {
    behaviour:
      "In actions and resources `*` stands for any characters and `?` for one; actions are alike in any case.",
    source: `${IAM}, JSON policy elements: Action, Resource`,
    standing: "enforced",
    heldBy: IDENTITY,
  },
  {
    behaviour: "A query of an index needs a permission for the index, and none for its table.",
    source: "DynamoDB developer guide, Using global secondary indexes: Permissions",
    standing: "enforced",
    heldBy: IDENTITY,
  },
  {
    behaviour:
      "Conditions, boundaries, managed policies and policies of a resource take part; a template that has one does not start here.",
    source: `${IAM}, Policy evaluation logic`,
    standing: "enforced",
    heldBy: "test/unit/local/template/template-permissions.test.ts",
  },
  {
    behaviour:
      "A request without a known access key is refused. Here, one that a web page may have sent is as well.",
    source: "DynamoDB API reference, Common errors; the second is this machine's own",
    standing: "enforced",
    heldBy: SERVER,
  },
  {
    behaviour:
      "The signature of a request is verified. Here only its access key is, which is random in each start.",
    source: `${IAM}, AWS Signature Version 4 for API requests`,
    standing: "not here",
  },
  {
    behaviour: "A table may be named by its ARN. Here only its name is taken.",
    source: "DynamoDB API reference, GetItem: TableName",
    standing: "not here",
  },
  {
    behaviour: "A role's credentials expire, and Lambda hands out others.",
    source: "Lambda developer guide, Defining Lambda function permissions with an execution role",
    standing: "not here",
  },
  {
    behaviour:
      "The key that the tables are encrypted with must let a role decrypt; AWS manages the one that is used.",
    source: "DynamoDB developer guide, How DynamoDB uses AWS KMS",
    standing: "not here",
    shownBy: 'curl -i "$URL/passes/demo-1" # 401, and no 500',
  },
];
