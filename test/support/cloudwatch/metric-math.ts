import { runInNewContext } from "node:vm";

/** The value of a name in one period; undefined where the metric has no data. */
export type Scope = (name: string) => number | undefined;

export interface MathFunctions {
  /** The quota that a usage metric counts against. */
  readonly quota: number;
}

/**
 * Evaluates an expression of CloudWatch's metric math for one period. What this project uses of it means the same in
 * JavaScript, and none of it looks at other periods. A value that is made of a missing one is missing.
 */
export function evaluateMath(expression: string, scope: Scope, { quota }: MathFunctions): number | undefined {
  if (!/^[\w\s.,()<>=!*/+-]+$/.test(expression)) throw new Error(`No reading of ${expression}`);
  const names = Array.from(expression.matchAll(/\b[A-Za-z_]\w*\b(?!\()/g), ([name]) => name);
  const values = names.map((name) => [name, scope(name)] as const);
  const functions = {
    IF: (condition: number | boolean, yes: number, no: number) => (condition ? yes : no),
    SERVICE_QUOTA: () => quota,
  };
  const value: unknown = runInNewContext(expression, { ...functions, ...Object.fromEntries(values) });
  return values.some(([, known]) => known === undefined) ? undefined : Number(value);
}
