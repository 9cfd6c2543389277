import { endpoints } from "../../infra/endpoints.ts";
import { codeIn, type Row, sectionsOf } from "./markdown.ts";
import { projectText } from "./project.ts";

/** One table as docs/data-model.md describes it. */
export interface DescribedTable {
  readonly name: string;
  readonly attributes: readonly Row[];
  readonly indexes: readonly Row[];
  readonly accesses: readonly Row[];
}

/** One kind of call that an endpoint may make, as a policy names it, with the consistency of its reads. */
export interface DescribedCall {
  /** `dynamodb:Query on Transactions/index/by-created` */
  readonly call: string;
  /** `strongly`, `eventually` or both; empty for a write. */
  readonly consistency: readonly string[];
}

const document = projectText("docs/data-model.md");

/** The tables that the document describes, in its order. */
export const describedTables: readonly DescribedTable[] = sectionsOf(document).map(({ title, tables }) => {
  const withColumn = (column: string) => tables.find(([row]) => row !== undefined && column in row) ?? [];
  return {
    name: title,
    attributes: withColumn("attribute"),
    indexes: withColumn("index"),
    accesses: withColumn("access"),
  };
});

const endpointNames = endpoints.map(({ contract }) => contract.name);

const importNames = ["transactions", "sell-orders", "passes", "trades"].map((kind) => `import ${kind}`);

/** The names of the endpoints and commands that make an access. */
export function makersOf(access: Row): readonly string[] {
  const makers = access["made by"] ?? "";
  if (makers === "every endpoint") return endpointNames;
  return [...(makers.startsWith("every import") ? importNames : []), ...codeIn(makers)];
}

const ACTION = /^(?:(?:Batch)?(?:Get|Write|Put|Update|Delete)Item|Query|Scan)$/;
const READ = /^(?:(?:Batch)?GetItem|Query|Scan)$/;

/**
 * The calls of one access: each action, on the table or on the index named after it. A read is strongly consistent unless
 * the text up to the next action says otherwise.
 */
function callsOf({ name, indexes }: DescribedTable, { call = "" }: Row): DescribedCall[] {
  const indexNames = new Set(indexes.flatMap(({ index }) => codeIn(index)));
  return call.split(/(?=`[A-Z])/).flatMap((text) => {
    const [action = "", next = ""] = codeIn(text);
    if (!ACTION.test(action)) return [];
    const told = ["strongly", "eventually"].filter((word) => text.includes(word));
    const consistency = READ.test(action) && told.length === 0 ? ["strongly"] : told;
    return [
      { call: `dynamodb:${action} on ${indexNames.has(next) ? `${name}/index/${next}` : name}`, consistency },
    ];
  });
}

/** Every kind of call that the document says an endpoint makes, in the words of a policy. */
export const describedCalls = (endpoint: string): DescribedCall[] =>
  describedTables.flatMap((table) =>
    table.accesses
      .filter((access) => makersOf(access).includes(endpoint))
      .flatMap((access) => callsOf(table, access)),
  );
