import type { KnownBehaviour } from "../known-behaviour.ts";

const IAM = "IAM user guide";
const SERVER = "test/integration/store-server.test.ts";
const IDENTITY = "test/unit/local/store/identity.test.ts";

/** The permissions on the tables, and how far the local store has them. */
export const accessBehaviours: readonly KnownBehaviour[] = [
  {
    behaviour:
      "A function may do with each table and index what its role allows; anything else is an AccessDeniedException that names the caller, the action and the resource.",
    source: `${IAM}, Policy evaluation logic; Access denied error messages`,
    standing: "enforced",
    heldBy: "test/infra/bundles.test.ts",
  },
  {
    behaviour: "A statement that denies overrides all that allow.",
    source: `${IAM}, Policy evaluation logic`,
    standing: "enforced",
    heldBy: IDENTITY,
  },
  {
    behaviour:
      "In actions and resources `*` stands for any characters and `?` for one; the letter case of actions does not matter.",
    source: `${IAM}, JSON policy elements: Action, Resource`,
    standing: "enforced",
    heldBy: IDENTITY,
  },
  {
    behaviour: "A query of an index needs a permission for the index, but not for its table.",
    source: "DynamoDB developer guide, Using global secondary indexes: Permissions",
    standing: "enforced",
    heldBy: IDENTITY,
  },
  {
    behaviour:
      "A statement may be about some items of a table, by their partition keys (`dynamodb:LeadingKeys`).",
    source: "DynamoDB developer guide, Using IAM policy conditions for fine-grained access control",
    standing: "enforced",
    heldBy: "test/unit/local/store/leading-keys.test.ts",
  },
  {
    behaviour:
      "Other conditions, boundaries, managed policies and policies of a resource count; `npm start` refuses a template that has one.",
    source: `${IAM}, Policy evaluation logic`,
    standing: "enforced",
    heldBy: "test/unit/local/template/template-permissions.test.ts",
  },
  {
    behaviour:
      "A request without a known access key is refused. The local store also refuses a request that a web page may have sent.",
    source: "DynamoDB API reference, Common errors; the second rule is the local store's own",
    standing: "enforced",
    heldBy: SERVER,
  },
  {
    behaviour:
      "The signature of a request is verified. The local store checks only the access key, which is random in each start.",
    source: `${IAM}, AWS Signature Version 4 for API requests`,
    standing: "not here",
  },
  {
    behaviour: "A table may be named by its ARN. The local store accepts only its name.",
    source: "DynamoDB API reference, GetItem: TableName",
    standing: "not here",
  },
  {
    behaviour: "A role's credentials expire, and Lambda provides new ones.",
    source: "Lambda developer guide, Defining Lambda function permissions with an execution role",
    standing: "not here",
  },
  {
    behaviour:
      "A role needs permission to decrypt with the key of an encrypted table; AWS manages the key that is used here.",
    source: "DynamoDB developer guide, How DynamoDB uses AWS KMS",
    standing: "not here",
    shownBy: 'curl -i "$URL/passes/demo-1" # 401, not 500',
  },
];
