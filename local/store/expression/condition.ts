import { OperandParser } from "./operand.ts";
import { COMPARATORS, type Comparator, type ConditionTree, type Node, type Operator } from "./syntax-tree.ts";
import { TokenReader } from "./token-reader.ts";

/** A node, and whether it stands in parentheses of its own. */
interface Read {
  readonly node: Node;
  readonly enclosed: boolean;
}

const COMPARATOR_TEXTS: ReadonlySet<string> = new Set(COMPARATORS);

/**
 * Parses the text of a `ConditionExpression`, a `FilterExpression` or a `KeyConditionExpression`, which share one
 * grammar. Throws `ExpressionSyntaxError`.
 */
export function parseCondition(text: string): ConditionTree {
  const parser = new ConditionParser(new TokenReader(text));
  const root = parser.whole();
  return {
    kind: "condition",
    root,
    nodes: parser.nodes,
    hasRedundantParentheses: parser.hasRedundantParentheses,
  };
}

class ConditionParser extends OperandParser {
  whole(): Node {
    const root = this.#condition(this.#or());
    this.reader.take("end");
    return root;
  }

  #or(): Read {
    return this.#chain("OR", () => this.#chain("AND", () => this.#not()));
  }

  #chain(operator: "AND" | "OR", read: () => Read): Read {
    let left = read();
    while (this.reader.nextIsKeyword(operator)) {
      const first = this.#condition(left);
      this.reader.take("word");
      left = this.#made(operator, [first, this.#condition(read())]);
    }
    return left;
  }

  #not(): Read {
    if (!this.reader.takesKeyword("NOT")) return this.#comparison();
    return this.reader.nested(() => this.#made("NOT", [this.#condition(this.#not())]));
  }

  #comparison(): Read {
    const left = this.#primary();
    const comparator = this.#comparator();
    if (comparator !== undefined) return this.#made(comparator, [this.#operand(left), this.#right()]);
    if (this.reader.takesKeyword("BETWEEN")) {
      const lower = this.#right();
      if (!this.reader.takesKeyword("AND")) throw this.reader.unexpected();
      return this.#made("BETWEEN", [this.#operand(left), lower, this.#right()]);
    }
    if (this.reader.takesKeyword("IN")) {
      this.reader.expectSymbol("(");
      const candidates = this.reader.list(() => this.#right());
      this.reader.expectSymbol(")");
      return this.#made("IN", [this.#operand(left), ...candidates]);
    }
    return left;
  }

  #made(operator: Operator, operands: readonly Node[]): Read {
    return { node: this.operation(operator, operands), enclosed: false };
  }

  #comparator(): Comparator | undefined {
    const { kind, text } = this.reader.next;
    if (kind !== "symbol" || !COMPARATOR_TEXTS.has(text)) return undefined;
    this.reader.take("symbol");
    return text as Comparator;
  }

  /** A group in parentheses, or an operand. Whether a group is an operand itself shows only after the group. */
  #primary(): Read {
    if (!this.reader.takesSymbol("(")) return { node: this.simple(() => this.#right()), enclosed: false };
    const inner = this.reader.nested(() => this.#or());
    this.reader.expectSymbol(")");
    if (inner.enclosed) this.hasRedundantParentheses = true;
    return { node: inner.node, enclosed: true };
  }

  #right(): Node {
    return this.#operand(this.#primary());
  }

  #operand({ node }: Read): Node {
    if (node.kind === "operation") throw this.reader.unexpected();
    return node;
  }

  /** Throws for a path or a value, which is not a condition. */
  #condition({ node }: Read): Node {
    if (node.kind === "path" || node.kind === "value") throw this.reader.unexpected();
    return node;
  }
}
