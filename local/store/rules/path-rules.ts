import type { PathNode, Section } from "../expression/syntax-tree.ts";
import { firstFault } from "../first-fault.ts";
import { keyAttributes } from "../table-shape.ts";
import { inExpressions } from "./expression-rules.ts";
import {
  type DocumentPath,
  type ExpressionScope,
  shownPath,
  type WrittenExpression,
} from "./expression-scope.ts";
import { DYNALITE, INVALID, pageOf, type Rule, rulesWith } from "./rule.ts";

/** Rules for the paths that expressions name. */
export const pathRules: readonly Rule[] = rulesWith({ operations: ["UpdateItem"] })({
  "sections-once": {
    demands: "Each section of an update is written once.",
    source: pageOf.guide("Using update expressions"),
    check: inExpressions(({ tree }) => {
      const seen = new Set<Section>();
      return firstFault(tree?.kind === "update" ? tree.sections : [], (section) => {
        if (seen.has(section)) {
          return `The "${section}" section can only be used once in an update expression;`;
        }
        seen.add(section);
        return undefined;
      });
    }),
  },
  "updated-paths-apart": {
    demands: "The paths that an update changes neither overlap nor conflict.",
    source: pageOf.guide("Using update expressions"),
    keptBy: DYNALITE,
    check: inExpressions(({ tree }, scope) =>
      tree?.kind === "update"
        ? togetherFault(
            tree.actions.map(({ path }) => path),
            scope,
          )
        : undefined,
    ),
  },
  "projected-paths-apart": {
    demands: "The paths of a projection neither overlap nor conflict.",
    source: "no page; DynamoDB's answer as captured from AWS",
    operations: ["BatchGetItem", "GetItem", "Query", "Scan"],
    keptBy: DYNALITE,
    check: inExpressions(({ tree }, scope) =>
      tree?.kind === "projection" ? togetherFault(tree.paths, scope) : undefined,
    ),
  },
});

/** Rules for paths that need the table's shape. */
export const shapedPathRules: readonly Rule[] = rulesWith({})({
  "keys-are-scalars": {
    demands:
      "No path that a projection or a filter names, or that an update changes, leads into a key attribute.",
    source:
      "no page; DynamoDB's answers as dynalite and Alternator's tests recorded them, with none for conditions",
    operations: ["BatchGetItem", "GetItem", "Query", "Scan", "UpdateItem"],
    keptBy: DYNALITE,
    check: ({ scopes }) =>
      firstFault(scopes, (scope) =>
        firstFault(scope.expressions, (expression) =>
          firstFault(scalarPaths(expression), (path) =>
            path.steps.length > 1 ? intoKey(path, scope) : undefined,
          ),
        ),
      ),
  },
  "key-not-updated": {
    demands: "An update changes no attribute of the table's key.",
    source: pageOf.api("UpdateItem, UpdateExpression"),
    operations: ["UpdateItem"],
    check: ({ scope, table }) => {
      const tree = scope.tree("UpdateExpression");
      if (table === undefined || tree?.kind !== "update") return undefined;
      const changed = new Set(tree.actions.map(({ path }) => scope.attribute(path)));
      return firstFault(keyAttributes(table), ({ name }) =>
        changed.has(name)
          ? `${INVALID}Cannot update attribute ${name}. This attribute is part of the key`
          : undefined,
      );
    },
  },
});

function togetherFault(nodes: readonly PathNode[], scope: ExpressionScope): string | undefined {
  const earlier: DocumentPath[] = [];
  return firstFault(nodes, (node) => {
    const path = scope.resolve(node);
    if (path === undefined) return undefined;
    const fault = firstFault(earlier, (other) => pairFault(other, path));
    earlier.push(path);
    return fault;
  });
}

function pairFault(one: DocumentPath, two: DocumentPath): string | undefined {
  const length = Math.min(one.length, two.length);
  const apart = one.findIndex((step, index) => index < length && step !== two[index]);
  if (apart >= 0 && typeof one[apart] === typeof two[apart]) return undefined;
  return (
    `Two document paths ${apart < 0 ? "overlap" : "conflict"} with each other; ` +
    `must remove or rewrite one of these paths; path one: ${shownPath(one)}, path two: ${shownPath(two)}`
  );
}

/** The paths of an expression that DynamoDB is known to refuse when they lead into a key. */
function scalarPaths({ parameter, tree }: WrittenExpression): readonly PathNode[] {
  if (tree?.kind === "update") return tree.actions.map(({ path }) => path);
  if (parameter !== "FilterExpression" && parameter !== "ProjectionExpression") return [];
  return (tree?.nodes ?? []).filter((node) => node.kind === "path");
}

function intoKey(path: PathNode, scope: ExpressionScope): string | undefined {
  const { table } = scope;
  const attribute = scope.attribute(path);
  if (table === undefined) return undefined;
  const isAttribute = ({ name }: { readonly name: string }) => name === attribute;
  const kind = keyAttributes(table).some(isAttribute)
    ? "Key"
    : table.indexes.some((index) => keyAttributes(index).some(isAttribute)) && "IndexKey";
  return kind
    ? `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${kind}: ${attribute}`
    : undefined;
}
