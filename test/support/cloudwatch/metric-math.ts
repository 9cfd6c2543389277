/** The value of a name in one period; undefined where the metric has no data. */
export type Scope = (name: string) => number | undefined;

export interface MathFunctions {
  /** The quota that a usage metric counts against. */
  readonly quota: number;
}

type Value = number | undefined;

const TOKENS = /\s*(>=|<=|==|!=|[-+*/(),<>]|\d+(?:\.\d+)?|[A-Za-z_]\w*)/y;

const operators: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  ">": (a, b) => Number(a > b),
  ">=": (a, b) => Number(a >= b),
  "<": (a, b) => Number(a < b),
  "<=": (a, b) => Number(a <= b),
  "==": (a, b) => Number(a === b),
  "!=": (a, b) => Number(a !== b),
};

/** Operators by how tightly they bind, the loosest first. */
const LEVELS = [
  [">", ">=", "<", "<=", "==", "!="],
  ["+", "-"],
  ["*", "/"],
] as const;

/**
 * Evaluates an expression of CloudWatch's metric math for one period. It knows the operators and functions that this
 * project uses, and none of them looks at other periods. A value that is made of a missing one is missing.
 */
export function evaluateMath(expression: string, scope: Scope, functions: MathFunctions): Value {
  return new Evaluation(tokensOf(expression), scope, functions).run();
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  TOKENS.lastIndex = 0;
  for (let at = 0; at < expression.trimEnd().length; at = TOKENS.lastIndex) {
    const token = TOKENS.exec(expression)?.[1];
    if (token === undefined) throw new Error(`No reading of ${expression.slice(at)}`);
    tokens.push(token);
  }
  return tokens;
}

class Evaluation {
  readonly #tokens: string[];
  readonly #scope: Scope;
  readonly #functions: MathFunctions;

  constructor(tokens: string[], scope: Scope, functions: MathFunctions) {
    this.#tokens = tokens;
    this.#scope = scope;
    this.#functions = functions;
  }

  run(): Value {
    const value = this.#level(0);
    if (this.#tokens.length > 0) throw new Error(`No reading of ${this.#tokens.join(" ")}`);
    return value;
  }

  #level(level: number): Value {
    const names: readonly string[] | undefined = LEVELS[level];
    if (names === undefined) return this.#primary();
    let value = this.#level(level + 1);
    while (names.includes(this.#tokens[0] ?? "")) {
      const operate = operators[this.#tokens.shift() ?? ""];
      const right = this.#level(level + 1);
      value = value === undefined || right === undefined ? undefined : operate?.(value, right);
    }
    return value;
  }

  #primary(): Value {
    const token = this.#tokens.shift() ?? "";
    if (token === "(") return this.#closed(this.#level(0));
    if (/^\d/.test(token)) return Number(token);
    if (!/^[A-Za-z_]/.test(token)) throw new Error(`No reading of "${token}" as a value`);
    if (this.#tokens[0] !== "(") return this.#scope(token);
    this.#tokens.shift();
    return this.#call(token);
  }

  #call(name: string): Value {
    const values = [this.#level(0)];
    while (this.#tokens[0] === ",") {
      this.#tokens.shift();
      values.push(this.#level(0));
    }
    this.#closed(undefined);
    const [first, second, third] = values;
    if (name === "IF") return first === undefined ? undefined : first === 0 ? third : second;
    if (name === "SERVICE_QUOTA") return first === undefined ? undefined : this.#functions.quota;
    throw new Error(`No reading of the function ${name}`);
  }

  #closed(value: Value): Value {
    if (this.#tokens.shift() !== ")") throw new Error("A bracket is not closed.");
    return value;
  }
}
