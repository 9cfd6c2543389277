import type { KnownBehaviour } from "../../known-behaviour.ts";
import type { EngineKind } from "../engine-kind.ts";

/** Something that DynamoDB does with the operations that the local store takes, and which engines do otherwise. */
export interface EngineBehaviour extends KnownBehaviour {
  /** In kebab-case. */
  readonly name: string;
  /** The engines that do otherwise by themselves. A test tries each. */
  readonly differs: readonly EngineKind[];
  readonly heldBy: string;
}

const GUIDE = "DynamoDB developer guide";
const API = "DynamoDB API reference";
const UNIT = "test/unit/local/store";
const LISTED = `${UNIT}/behaviours.test.ts`;
const NUMBERS = `${GUIDE}, Supported data types: Number`;

/** What a layer does in front of every engine, always or when it is asked for. */
const layered: readonly EngineBehaviour[] = [
  {
    name: "index-lag",
    behaviour: "An index follows its table after a while, each item by itself.",
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
      "A partition bears 3,000 read units and 1,000 write units a second and what it did not use for five minutes; one that stays hot splits.",
    source: `${GUIDE}, Burst and adaptive capacity; Key range throughput exceeded`,
    differs: ["dynalite", "dynoxide"],
    standing: "imitated",
    heldBy: `${UNIT}/throttling.test.ts`,
  },
  {
    name: "expiry",
    behaviour:
      "An item whose expiry is less than the time now, and no more than five years less, may be deleted at once, or typically within a few days.",
    source: `${GUIDE}, Using time to live; ${API}, UpdateTimeToLive`,
    differs: ["dynalite", "dynoxide"],
    standing: "imitated",
    heldBy: `${UNIT}/expiry.test.ts`,
  },
  {
    name: "lost-answers",
    behaviour: "A write may take effect and its answer be lost on the way.",
    source: `${GUIDE}, Error handling with DynamoDB: Error retries`,
    differs: ["dynalite", "dynoxide"],
    standing: "imitated",
    heldBy: `${UNIT}/lost-answers.test.ts`,
  },
  {
    name: "failed-condition-item",
    behaviour: "A failed condition gives back the item that failed it, when ALL_OLD is asked for.",
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

/** What the engines do by themselves, and the stores of this project build on. */
const shared: readonly EngineBehaviour[] = [
  [
    "strong-reads",
    "A strongly consistent read shows every write that was answered.",
    `${GUIDE}, DynamoDB read consistency`,
  ],
  [
    "numbers-trimmed",
    "Numbers come back without zeros at their ends, and without an exponent where they are short.",
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
    "Binary values are ordered by bytes, each of them unsigned.",
    `${GUIDE}, Supported data types: Binary`,
  ],
  [
    "text-order",
    "Texts as sort keys are ordered by the bytes of their UTF-8.",
    `${GUIDE}, Supported data types: String`,
  ],
  [
    "binary-ranges",
    "BETWEEN, comparisons and begins_with select binary sort keys by their bytes.",
    `${GUIDE}, Key condition expressions`,
  ],
  [
    "index-sparse",
    "An index holds only items that have all of its keys.",
    `${GUIDE}, Take advantage of sparse indexes`,
  ],
  [
    "index-projection",
    "A query of an index shows what the index projects, and no more.",
    `${GUIDE}, Using global secondary indexes: Attribute projections`,
  ],
  [
    "index-pages",
    "Items with one index key are paged through, each once.",
    `${GUIDE}, Paginating table query results`,
  ],
  [
    "page-size",
    "A query or a scan reads no more than about 1 MB, whatever is projected or filtered.",
    `${GUIDE}, Paginating table query results`,
  ],
  [
    "limit-before-filter",
    "Limit counts items before the filter, and ScannedCount tells how many those were.",
    `${GUIDE}, Querying tables: Limit, Counting items`,
  ],
  [
    "limit-met",
    "A page that meets its limit exactly names a last key, although nothing may follow.",
    `${GUIDE}, Paginating table query results`,
  ],
  [
    "start-after-deleted",
    "A page goes on after a key whose item is gone.",
    `${GUIDE}, Paginating table query results`,
  ],
  [
    "segments",
    "The segments of a parallel scan hold each item once.",
    `${GUIDE}, Scanning tables: Parallel scan`,
  ],
  [
    "update-sees-before",
    "Every action of an update sees the item as it was before.",
    `${GUIDE}, Update expressions`,
  ],
  [
    "update-creates",
    "An update of an item that is not there makes it; deleting one does nothing.",
    `${API}, UpdateItem; DeleteItem`,
  ],
  [
    "updated-values",
    "UPDATED_NEW and UPDATED_OLD hold the attributes that were named, and those alone.",
    `${API}, UpdateItem: ReturnValues`,
  ],
  [
    "old-values",
    "ALL_OLD holds the item that was there, and nothing where there was none.",
    `${API}, PutItem: ReturnValues`,
  ],
  [
    "sets",
    "Sets are equal in any order, and one that loses its last element is gone.",
    `${GUIDE}, Supported data types: Sets; Update expressions`,
  ],
  ["empty-values", "Texts, lists and maps may be empty, outside of keys.", `${GUIDE}, Supported data types`],
  [
    "atomic-updates",
    "Of updates at the same time none is lost.",
    `${GUIDE}, Working with items: Atomic counters`,
  ],
  [
    "absent-comparison",
    "A value compared with an attribute that is not there gives false, but for <>.",
    `${GUIDE}, Condition expressions`,
  ],
  [
    "absent-item-units",
    "A read of an item that is not there consumes as much as one of the smallest, and says so: without that no 404 is given.",
    `${GUIDE}, DynamoDB read and write operations`,
    'aws dynamodb get-item --table-name countinghouse-$STAGE-Passes --key \'{"partner_reference":{"S":"nobody"}}\' --return-consumed-capacity TOTAL # ConsumedCapacity is there',
  ],
  [
    "query-units",
    "A query consumes what it looked at, added up and then rounded, whatever is filtered or projected.",
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

/** What an engine does otherwise, and none of this project's stores meets. */
const otherwise: readonly EngineBehaviour[] = [
  {
    name: "text-comparison",
    behaviour: "Conditions and filters compare texts by the bytes of their UTF-8, beyond U+FFFF as well.",
    source: `${GUIDE}, Supported data types: String`,
    differs: ["dynalite"],
  },
  {
    name: "documents-equal",
    behaviour: "Lists and maps are equal by what they hold, numbers in them by value.",
    source: `${GUIDE}, Condition and filter expressions, operators, and functions`,
    differs: ["dynalite"],
  },
  {
    name: "empty-compared",
    behaviour: "Empty texts and false are values to BETWEEN, IN, attribute_type and size.",
    source: `${GUIDE}, Condition and filter expressions, operators, and functions`,
    differs: ["dynalite"],
  },
  {
    name: "absent-pair",
    behaviour: "Two attributes that are not there are not equal.",
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
    behaviour: "An attribute may be called `__proto__`. (The local store refuses it, as it is forgotten.)",
    source: `${GUIDE}, Constraints: Naming rules`,
    differs: ["dynalite"],
  },
  {
    name: "batch-size",
    behaviour: "A batch of reads returns up to 16 MB, and leaves the keys beyond it.",
    source: `${API}, BatchGetItem`,
    differs: ["dynalite"],
  },
  {
    name: "index-write-units",
    behaviour:
      "A write consumes units on each index that follows it, and tells them. (Throttling here counts them by itself.)",
    source: `${GUIDE}, Using global secondary indexes: Write capacity units`,
    differs: ["dynalite"],
  },
  {
    name: "projected-read-units",
    behaviour: "A read of an item consumes what the whole item takes, whatever is projected.",
    source: `${GUIDE}, DynamoDB read and write operations`,
    differs: ["dynoxide"],
  },
  {
    name: "foreign-segment",
    behaviour: "A segment of a parallel scan goes on only after a key of its own.",
    source: `${API}, Scan: ExclusiveStartKey`,
    differs: ["dynoxide"],
  },
  {
    name: "prefix-case",
    behaviour: "begins_with tells upper from lower case in key conditions.",
    source: `${GUIDE}, Key condition expressions`,
    differs: ["dynoxide"],
  },
  {
    name: "list-end",
    behaviour: "An element that is set beyond the end of a list is appended to it.",
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

/** What is known of how DynamoDB behaves, beyond what it refuses. */
export const storeBehaviours: readonly EngineBehaviour[] = [...layered, ...shared, ...otherwise];
