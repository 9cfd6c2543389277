/** One place of the project that a new endpoint changes: a file that it adds, or a text that occurs once in a file. */
export interface Change {
  /** From the top of the project. */
  readonly file: string;
  /** The text that the new lines stand before. */
  readonly before?: string;
  /** The text that the new lines replace. */
  readonly instead?: string;
  readonly lines: string;
}

/** `GET /refunds/{refund_id}`: a domain, a table and a limit of its own, for the partners of the ramp. */
export const scratchEndpoint = { name: "get-refund", domain: "refunds", limit: "refunds", burst: 3 } as const;

const contract = `import * as z from "zod/mini";
import { sharedEnv, tableEnv } from "../env.ts";
import type { EndpointContract } from "../http/contract.ts";
import { rateLimitEnv } from "../rate-limit/settings.ts";

const limit = {
  name: "refunds",
  costMax: 1,
  defaultBuckets: [{ name: "refunds", burst: 3, refillTokens: 1, refillWindowMs: 60_000 }],
} as const;

export const getRefund = {
  name: "get-refund",
  method: "GET",
  route: "/refunds/{refund_id}",
  scheme: "ApiKey",
  scope: undefined,
  path: z.object({ refund_id: z._default(z.string(), "") }),
  query: z.object({}),
  repeatable: [],
  retryAfterUnit: "seconds",
  cacheControl: "no-store",
  limit,
  env: z.object({ ...sharedEnv, ...tableEnv("REFUNDS_TABLE"), ...rateLimitEnv(limit) }),
} as const satisfies EndpointContract;
`;

const rules = `export interface Refund {
  readonly partnerId: string;
  readonly refundId: string;
  readonly doc: string;
}

export const isRefundId = (text: string): boolean => /^[a-z0-9-]{1,64}$/.test(text);
`;

const store = `import { readItem } from "../dynamo/read-item.ts";
import type { Table } from "../dynamo/table.ts";
import { isRefundId } from "./refund.ts";

export class RefundStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async get(partnerId: string, refundId: string): Promise<string | undefined> {
    if (!isRefundId(refundId)) return undefined;
    const key = { partner_id: partnerId, refund_id: refundId };
    const item = await readItem(this.#table, { key, attribute: "doc" });
    return item?.doc?.S;
  }
}
`;

const register = `import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { Table } from "../../lib/dynamo/table.ts";
import type { Refund } from "../../lib/refunds/refund.ts";

export class RefundRegister {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async put({ partnerId, refundId, doc }: Refund): Promise<void> {
    const Item = { partner_id: { S: partnerId }, refund_id: { S: refundId }, doc: { S: doc } };
    await this.#table.client.send(new PutItemCommand({ TableName: this.#table.name, Item }));
  }
}
`;

const plan = `import { Failure } from "../errors.ts";
import type { MakePlan } from "../http/plan.ts";
import type { getRefund } from "./contract.ts";
import type { RefundStore } from "./refund-store.ts";

export function planGetRefund(refunds: Pick<RefundStore, "get">): MakePlan<typeof getRefund> {
  return async ({ path, principal }) => ({
    cost: 1,
    answer: async () => {
      const body = await refunds.get(principal.owner, path.refund_id);
      if (body === undefined) throw new Failure("not_found", "There is no such refund.");
      return { body };
    },
  });
}
`;

const handler = `import { apiKey } from "../lib/auth/api-key.ts";
import { commonParts, openConnection } from "../lib/compose.ts";
import { endpoint } from "../lib/http/endpoint.ts";
import { getRefund } from "../lib/refunds/contract.ts";
import { planGetRefund } from "../lib/refunds/get-refund.ts";
import { RefundStore } from "../lib/refunds/refund-store.ts";

const { env, client, clock, log, credentials, switches, limiter } = commonParts(getRefund);
const refunds = new RefundStore({ client, name: env.REFUNDS_TABLE });

export const handler = endpoint({
  contract: getRefund,
  switches,
  authenticate: apiKey({ credentials, clock }),
  plan: planGetRefund(refunds),
  limiter,
  clock,
  log,
});

await openConnection(getRefund, switches);
`;

const deployed = `  {
    contract: getRefund,
    entry: "functions/get-refund.ts",
    replaced: replacedInClient,
    tables: [
      credentials,
      settings,
      limits,
      { variable: "REFUNDS_TABLE", table: "Refunds", actions: ["GetItem"], queriedIndexes: [] },
    ],
  },
`;

const dataModel = `## Refunds

| attribute | type | meaning |
| --- | --- | --- |
| \`partner_id\` | S, partition key | the owner |
| \`refund_id\` | S, sort key | the refund's id |
| \`doc\` | S | the document |

| access | call | made by |
| --- | --- | --- |
| one by its id | \`GetItem\` of \`doc\` | \`get-refund\` |

`;

const demoRow = `  refunds: {
    path: "refunds/tide-wallet.ndjson",
    writer: ({ table }) => {
      const register = new RefundRegister(table("Refunds"));
      return async (doc) => {
        await register.put({ partnerId: "tide-wallet", refundId: "refund-1", doc });
        return { outcome: "written" };
      };
    },
  },
`;

const writer = `  Refunds: async (table) => {
    await new RefundRegister(table).put({ partnerId: "acme", refundId: "refund-1", doc: "{}" });
  },
`;

const description = `import * as z from "zod/mini";
import { getRefund } from "../../lib/refunds/contract.ts";
import { describeEndpoint, header } from "./endpoint-reference.ts";

export const getRefundReference = describeEndpoint({
  contract: getRefund,
  tag: "Ramp",
  title: "Get a refund",
  text: ["Returns one refund of the partner that the API key belongs to."],
  parameters: { refund_id: { text: "ID of the refund.", example: "refund-1" } },
  headers: {},
  success: {
    text: "The refund.",
    record: {
      title: "Refund",
      text: "A refund of a partner.",
      shape: z.strictObject({ id: z.string() }),
      texts: { id: "ID of the refund." },
      types: {},
    },
    headers: {},
  },
  codes: ["invalid_credentials", "not_found", "rate_limited", "internal_error"],
  cost: "1 token a request.",
  curl: ({ baseUrl, ramp }) => [
    { url: \`\${baseUrl}/refunds/refund-1\`, options: header(\`X-API-KEY: \${ramp.apiKey}\`) },
  ],
  examples: { good: { "The record": "/refunds/refund-1" }, refused: { not_found: "/refunds/refund-9" } },
});
`;

/** The changes that each step of CONTRIBUTING's "Add an endpoint" asks for, by the step's number. */
export const scratchSteps: Readonly<Record<string, readonly Change[]>> = {
  1: [
    {
      file: "lib/dynamo/tables.ts",
      before: '  Credentials: { partition: string("id")',
      lines: '  Refunds: { partition: string("partner_id"), sort: string("refund_id"), indexes: [] },\n',
    },
    { file: "docs/data-model.md", before: "## Credentials\n", lines: dataModel },
    { file: "test/support/record-writers.ts", before: "  Credentials: async (", lines: writer },
    {
      file: "test/support/record-writers.ts",
      before: "import { putSellOrder }",
      lines: 'import { RefundRegister } from "../../local/records/refund-register.ts";\n',
    },
  ],
  2: [
    { file: "lib/refunds/contract.ts", lines: contract },
    { file: "lib/refunds/refund.ts", lines: rules },
    { file: "lib/refunds/refund-store.ts", lines: store },
    { file: "lib/refunds/get-refund.ts", lines: plan },
    { file: "local/records/refund-register.ts", lines: register },
  ],
  3: [
    { file: "functions/get-refund.ts", lines: handler },
    { file: "infra/endpoints.ts", before: "  {\n    contract: getTransaction,", lines: deployed },
    {
      file: "infra/endpoints.ts",
      before: "import { getSellOrder }",
      lines: 'import { getRefund } from "../lib/refunds/contract.ts";\n',
    },
  ],
  4: [
    { file: "local/endpoints/get-refund.ts", lines: description },
    {
      file: "local/endpoints/endpoints.ts",
      before: "import { getSellOrderReference }",
      lines: 'import { getRefundReference } from "./get-refund.ts";\n',
    },
    {
      file: "local/endpoints/endpoints.ts",
      before: "  getSellOrderReference,\n];",
      lines: "  getRefundReference,\n",
    },
    { file: "docs/examples/records/refunds/tide-wallet.ndjson", lines: '{"id":"refund-1"}\n' },
    { file: "local/demo/demo-records.ts", before: '  passes: { path: "passes.ndjson"', lines: demoRow },
    {
      file: "local/demo/demo-records.ts",
      before: "  readonly passes: RecordFile<PassDocument>;\n",
      lines: "  readonly refunds: RecordFile<{ readonly id: string }>;\n",
    },
    {
      file: "local/demo/demo-records.ts",
      before: "import { type Line,",
      lines: 'import { RefundRegister } from "../records/refund-register.ts";\n',
    },
    {
      file: "README.md",
      before: "| `GET /sell-orders/{order_id}`",
      lines:
        "| `GET /refunds/{refund_id}` | one refund | a ramp partner | ApiKey | API key in `X-API-KEY` |\n",
    },
  ],
};
