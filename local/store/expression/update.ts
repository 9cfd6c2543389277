import { OperandParser } from "./operand.ts";
import type { Action, Node, Section, UpdateTree } from "./syntax-tree.ts";
import { TokenReader } from "./token-reader.ts";

const SECTIONS: readonly Section[] = ["SET", "REMOVE", "ADD", "DELETE"];

/** Parses the text of an `UpdateExpression`. Throws `ExpressionSyntaxError`. */
export function parseUpdate(text: string): UpdateTree {
  const parser = new UpdateParser(new TokenReader(text));
  const clauses = parser.clauses();
  return {
    kind: "update",
    sections: clauses.map(({ section }) => section),
    actions: clauses.flatMap(({ actions }) => actions),
    nodes: parser.nodes,
    hasRedundantParentheses: false,
  };
}

interface Clause {
  readonly section: Section;
  readonly actions: readonly Action[];
}

class UpdateParser extends OperandParser {
  clauses(): readonly Clause[] {
    const clauses: Clause[] = [];
    do {
      const section = SECTIONS.find((name) => this.reader.takesKeyword(name));
      if (section === undefined) throw this.reader.unexpected();
      clauses.push({ section, actions: this.reader.list(() => this.#action(section)) });
    } while (this.reader.next.kind !== "end");
    return clauses;
  }

  #action(section: Section): Action {
    const path = this.path();
    if (section === "REMOVE") return { section, path, operand: undefined };
    if (section !== "SET") return { section, path, operand: this.value() };
    this.reader.expectSymbol("=");
    return { section, path, operand: this.#sum() };
  }

  /** An operand, or the sum or the difference of two. */
  #sum(): Node {
    const left = this.#operand();
    const operator = (["+", "-"] as const).find((symbol) => this.reader.takesSymbol(symbol));
    return operator === undefined ? left : this.operation(operator, [left, this.#operand()]);
  }

  #operand(): Node {
    if (!this.reader.takesSymbol("(")) return this.simple(() => this.#operand());
    const inner = this.reader.nested(() => this.#sum());
    this.reader.expectSymbol(")");
    return inner;
  }
}
