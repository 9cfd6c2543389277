import type { KnownBehaviour } from "../../known-behaviour.ts";
import type { EngineKind } from "../engine-kind.ts";

/** A behaviour of DynamoDB in the operations that the local store takes, and the engines that differ from it. */
export interface EngineBehaviour extends KnownBehaviour {
  /** In kebab-case. */
  readonly name: string;
  /** The engines that behave differently by themselves. A test tries each. */
  readonly differs: readonly EngineKind[];
  readonly heldBy: string;
}

const GUIDE = "DynamoDB developer guide";
const API = "DynamoDB API reference";
const UNIT = "test/unit/local/store";
const LISTED = `${UNIT}/behaviours.test.ts`;
const NUMBERS = `${GUIDE}, Supported data types: Number`;

/** Behaviours that a layer in front of every engine adds, always or when an option switches them on. */
const layered: readonly EngineBehaviour[] = [
  {
    name: "index-lag",
    behaviour: "An index shows a change of its table after a while, each item independently.",
    source: `${GUIDE}, Using global secondary indexes: Data synchronization between tables and indexes`,
    differs: ["dynalite", "dynoxide"],
    standing: "imitated",
    heldBy: `${UNIT}/lag.test.ts`,
  },
  {
    name: "eventual-reads",
    behaviour: "A read that is not strongly consistent may not show what was just written.",
    source: `${GUIDE}, DynamoDB read consistency`,
    differs: ["dynalite", "dynoxide"],
    standing: "imitated",
    heldBy: `${UNIT}/lag.test.ts`,
  },
  {
    name: "partition-throttling",
    behaviour:
      "A partition has 3,000 read units and 1,000 write units a second, and keeps up to five minutes of unused ones; one that stays hot splits.",
    source: `${GUIDE}, Burst and adaptive capacity; Key range throughput exceeded`,
    differs: ["dynalite", "dynoxide"],
    standing: "imitated",
    heldBy: `${UNIT}/throttling.test.ts`,
  },
  {
    name: "expiry",
    behaviour:
      "An item whose expiry is in the past, by at most five years, may be deleted at once, and is typically deleted within a few days.",
    source: `${GUIDE}, Using time to live; ${API}, UpdateTimeToLive`,
    differs: ["dynalite", "dynoxide"],
    standing: "imitated",
    heldBy: `${UNIT}/expiry.test.ts`,
  },
  {
    name: "lost-answers",
    behaviour: "A write may take effect although its answer is lost on the way.",
    source: `${GUIDE}, Error handling with DynamoDB: Error retries`,
    differs: ["dynalite", "dynoxide"],
    standing: "imitated",
    heldBy: `${UNIT}/lost-answers.test.ts`,
  },
  {
    name: "failed-condition-item",
    behaviour: "With ALL_OLD, a failed condition returns the item that failed it.",
    source: `${API}, PutItem: ReturnValuesOnConditionCheckFailure`,
    differs: ["dynalite"],
    standing: "imitated",
    heldBy: `${UNIT}/old-item.test.ts`,
  },
  {
    name: "sum-digits",
    behaviour: "An update whose sum has more than 38 digits is refused.",
    source: NUMBERS,
    differs: ["dynalite"],
    standing: "imitated",
    heldBy: `${UNIT}/kept-limits.test.ts`,
  },
];

/** Behaviours that the engines have by themselves, and that this project's stores rely on. */
const shared: readonly EngineBehaviour[] = [
  [
    "strong-reads",
    "A strongly consistent read shows every write that was answered.",
    `${GUIDE}, DynamoDB read consistency`,
  ],
  [
    "numbers-trimmed",
    "Numbers come back without leading and trailing zeros, and without an exponent when they are short.",
    NUMBERS,
  ],
  ["number-keys", "Two spellings of a number are one key.", NUMBERS],
  [
    "number-order",
    "Numbers as sort keys are ordered by value.",
    `${GUIDE}, Querying tables: ordered by sort key`,
  ],
  [
    "binary-order",
    "Binary values are ordered by their bytes, which are unsigned.",
    `${GUIDE}, Supported data types: Binary`,
  ],
  [
    "text-order",
    "Texts as sort keys are ordered by their bytes in UTF-8.",
    `${GUIDE}, Supported data types: String`,
  ],
  [
    "binary-ranges",
    "BETWEEN, comparisons and begins_with select binary sort keys by their bytes.",
    `${GUIDE}, Key condition expressions`,
  ],
  [
    "index-sparse",
    "An index holds only items that have all of the index's key attributes.",
    `${GUIDE}, Take advantage of sparse indexes`,
  ],
  [
    "index-projection",
    "A query of an index returns only attributes that the index projects.",
    `${GUIDE}, Using global secondary indexes: Attribute projections`,
  ],
  [
    "index-pages",
    "Items with equal index keys are returned once each, over several pages.",
    `${GUIDE}, Paginating table query results`,
  ],
  [
    "page-size",
    "A query or a scan reads no more than about 1 MB, whatever is projected or filtered.",
    `${GUIDE}, Paginating table query results`,
  ],
  [
    "limit-before-filter",
    "Limit counts items before the filter, and ScannedCount is the number of these items.",
    `${GUIDE}, Querying tables: Limit, Counting items`,
  ],
  [
    "limit-met",
    "A page that reaches its limit has a LastEvaluatedKey, even if no item follows.",
    `${GUIDE}, Paginating table query results`,
  ],
  [
    "start-after-deleted",
    "A page may start after the key of a deleted item.",
    `${GUIDE}, Paginating table query results`,
  ],
  [
    "segments",
    "The segments of a parallel scan return each item once.",
    `${GUIDE}, Scanning tables: Parallel scan`,
  ],
  [
    "update-sees-before",
    "Every action of an update sees the item as it was before the update.",
    `${GUIDE}, Update expressions`,
  ],
  [
    "update-creates",
    "An update of a missing item creates the item; a deletion of a missing item does nothing.",
    `${API}, UpdateItem; DeleteItem`,
  ],
  [
    "updated-values",
    "UPDATED_NEW and UPDATED_OLD return only the attributes that the update names.",
    `${API}, UpdateItem: ReturnValues`,
  ],
  [
    "old-values",
    "ALL_OLD returns the item as it was, and nothing when there was no item.",
    `${API}, PutItem: ReturnValues`,
  ],
  [
    "sets",
    "Sets are equal in any order, and a set that loses its last element is removed.",
    `${GUIDE}, Supported data types: Sets; Update expressions`,
  ],
  ["empty-values", "Texts, lists and maps may be empty, except in keys.", `${GUIDE}, Supported data types`],
  [
    "atomic-updates",
    "No update is lost when several run at the same time.",
    `${GUIDE}, Working with items: Atomic counters`,
  ],
  [
    "absent-comparison",
    "A comparison with a missing attribute is false, except for <>.",
    `${GUIDE}, Condition expressions`,
  ],
  [
    "absent-item-units",
    "A read of a missing item consumes as much as one of the smallest item, and reports it: without the report no 404 is given.",
    `${GUIDE}, DynamoDB read and write operations`,
    'aws dynamodb get-item --table-name countinghouse-$STAGE-Passes --key \'{"partner_reference":{"S":"nobody"}}\' --return-consumed-capacity TOTAL # ConsumedCapacity is there',
  ],
  [
    "query-units",
    "A query consumes units for all items that it looks at, added up and then rounded, whatever its filter and projection.",
    `${GUIDE}, DynamoDB read and write operations`,
  ],
].map(([name = "", behaviour = "", source = "", shownBy]) => ({
  name,
  behaviour,
  source,
  differs: [],
  standing: "imitated",
  heldBy: LISTED,
  ...(shownBy !== undefined && { shownBy }),
}));

/** Behaviours in which an engine differs, and which no store of this project depends on. */
const otherwise: readonly EngineBehaviour[] = [
  {
    name: "text-comparison",
    behaviour: "Conditions and filters compare texts by their bytes in UTF-8, also beyond U+FFFF.",
    source: `${GUIDE}, Supported data types: String`,
    differs: ["dynalite"],
  },
  {
    name: "documents-equal",
    behaviour: "Lists and maps are equal when their contents are, with numbers compared by value.",
    source: `${GUIDE}, Condition and filter expressions, operators, and functions`,
    differs: ["dynalite"],
  },
  {
    name: "empty-compared",
    behaviour: "BETWEEN, IN, attribute_type and size treat empty texts and false as values.",
    source: `${GUIDE}, Condition and filter expressions, operators, and functions`,
    differs: ["dynalite"],
  },
  {
    name: "absent-pair",
    behaviour: "Two missing attributes are not equal.",
    source: `${GUIDE}, Condition expressions`,
    differs: ["dynalite"],
  },
  {
    name: "double-negation",
    behaviour: "NOT may follow NOT.",
    source: `${GUIDE}, Condition and filter expressions: Syntax`,
    differs: ["dynalite"],
  },
  {
    name: "plus-sign",
    behaviour: "A number may begin with a plus sign.",
    source: `${NUMBERS}; seen by Alternator's tests on AWS`,
    differs: ["dynalite"],
  },
  {
    name: "proto-attribute",
    behaviour:
      "An attribute may be called `__proto__`. (The local store refuses the name, because dynalite would forget the attribute.)",
    source: `${GUIDE}, Constraints: Naming rules`,
    differs: ["dynalite"],
  },
  {
    name: "batch-size",
    behaviour: "A batch of reads returns up to 16 MB, and leaves the other keys unprocessed.",
    source: `${API}, BatchGetItem`,
    differs: ["dynalite"],
  },
  {
    name: "index-write-units",
    behaviour:
      "A write consumes units on each index that it changes, and reports them. (The local store's throttling counts these units itself.)",
    source: `${GUIDE}, Using global secondary indexes: Write capacity units`,
    differs: ["dynalite"],
  },
  {
    name: "projected-read-units",
    behaviour: "A read of an item consumes units for the whole item, whatever its projection.",
    source: `${GUIDE}, DynamoDB read and write operations`,
    differs: ["dynoxide"],
  },
  {
    name: "foreign-segment",
    behaviour: "A segment of a parallel scan may start only after a key of its own.",
    source: `${API}, Scan: ExclusiveStartKey`,
    differs: ["dynoxide"],
  },
  {
    name: "prefix-case",
    behaviour: "begins_with is case-sensitive in key conditions.",
    source: `${GUIDE}, Key condition expressions`,
    differs: ["dynoxide"],
  },
  {
    name: "list-end",
    behaviour: "An element that is set beyond the end of a list is appended to the list.",
    source: `${GUIDE}, Update expressions: Adding elements to a list`,
    differs: ["dynoxide"],
  },
  {
    name: "page-scanned-count",
    behaviour: "ScannedCount of a full page counts the items up to its last key.",
    source: `${GUIDE}, Querying tables: Counting items`,
    differs: ["dynoxide"],
  },
].map((behaviour) => ({ ...behaviour, standing: "not here", heldBy: LISTED }) as EngineBehaviour);

/** The known behaviours of DynamoDB, apart from its refusals. */
export const storeBehaviours: readonly EngineBehaviour[] = [...layered, ...shared, ...otherwise];
