import { OperandParser } from "./operand.ts";
import type { ProjectionTree } from "./syntax-tree.ts";
import { TokenReader } from "./token-reader.ts";

/** Parses the text of a `ProjectionExpression`. Throws `ExpressionSyntaxError`. */
export function parseProjection(text: string): ProjectionTree {
  const parser = new OperandParser(new TokenReader(text));
  const paths = parser.reader.list(() => parser.path());
  parser.reader.take("end");
  return { kind: "projection", paths, nodes: parser.nodes, hasRedundantParentheses: false };
}
