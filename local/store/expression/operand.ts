import type {
  FunctionNode,
  Node,
  OperationNode,
  PathNode,
  ProjectionTree,
  ValueNode,
} from "./syntax-tree.ts";
import { TokenReader } from "./token-reader.ts";

/** Reads paths, values and function calls, and keeps a list of the nodes that it made. */
export class OperandParser {
  readonly reader: TokenReader;
  readonly nodes: Node[] = [];
  hasRedundantParentheses = false;

  constructor(reader: TokenReader) {
    this.reader = reader;
  }

  add<Made extends Node>(node: Made): Made {
    this.nodes.push(node);
    return node;
  }

  operation(operator: OperationNode["operator"], operands: readonly Node[]): OperationNode {
    return this.add({ kind: "operation", operator, operands });
  }

  /** Reads `a.b[0]`, with or without aliases. */
  path(): PathNode {
    const steps: (string | number)[] = [this.#name()];
    for (;;) {
      if (this.reader.takesSymbol(".")) {
        steps.push(this.#name());
      } else if (this.reader.takesSymbol("[")) {
        steps.push(Number(this.reader.take("number").text));
        this.reader.expectSymbol("]");
      } else {
        return this.add({ kind: "path", steps });
      }
    }
  }

  value(): ValueNode {
    return this.add({ kind: "value", placeholder: this.reader.take("value").text });
  }

  /** Reads a path, a value or a function call; the operands of the call are read by `operand`. */
  simple(operand: () => Node): Node {
    const { next, afterNext } = this.reader;
    if (next.kind === "value") return this.value();
    if (next.kind === "word" && afterNext.text === "(") return this.#call(operand);
    return this.path();
  }

  #call(operand: () => Node): FunctionNode {
    return this.reader.nested(() => {
      const name = this.reader.take("word").text;
      this.reader.expectSymbol("(");
      const operands = this.reader.list(operand);
      this.reader.expectSymbol(")");
      return this.add({ kind: "function", name, operands });
    });
  }

  #name(): string {
    return this.reader.take(this.reader.next.kind === "name" ? "name" : "word").text;
  }
}

/** Parses the text of a `ProjectionExpression`. Throws `ExpressionSyntaxError`. */
export function parseProjection(text: string): ProjectionTree {
  const parser = new OperandParser(new TokenReader(text));
  const paths = parser.reader.list(() => parser.path());
  parser.reader.take("end");
  return { kind: "projection", paths, nodes: parser.nodes, hasRedundantParentheses: false };
}
