export const COMPARATORS = ["=", "<>", "<", "<=", ">", ">="] as const;

export type Comparator = (typeof COMPARATORS)[number];
export type Operator = Comparator | "BETWEEN" | "IN" | "AND" | "OR" | "NOT" | "+" | "-";

/** A document path: attribute names as they are written (`#alias` among them), and indexes of lists. */
export interface PathNode {
  readonly kind: "path";
  readonly steps: readonly (string | number)[];
}

/** A placeholder of a value, its colon included. */
export interface ValueNode {
  readonly kind: "value";
  readonly placeholder: string;
}

export interface FunctionNode {
  readonly kind: "function";
  readonly name: string;
  readonly operands: readonly Node[];
}

export interface OperationNode {
  readonly kind: "operation";
  readonly operator: Operator;
  readonly operands: readonly Node[];
}

export type Node = PathNode | ValueNode | FunctionNode | OperationNode;

export type Section = "SET" | "REMOVE" | "ADD" | "DELETE";

/** One change of an update: the path that it changes and, except for `REMOVE`, the operand. */
export interface Action {
  readonly section: Section;
  readonly path: PathNode;
  readonly operand: Node | undefined;
}

/** The members that expressions of every kind have. */
interface Tree {
  /** Every node of the expression, each after its operands. */
  readonly nodes: readonly Node[];
  /** Whether a pair of parentheses directly encloses another. */
  readonly hasRedundantParentheses: boolean;
}

export interface ConditionTree extends Tree {
  readonly kind: "condition";
  readonly root: Node;
}

export interface ProjectionTree extends Tree {
  readonly kind: "projection";
  readonly paths: readonly PathNode[];
}

export interface UpdateTree extends Tree {
  readonly kind: "update";
  /** The sections in the order in which they are written; one that is written twice is listed twice. */
  readonly sections: readonly Section[];
  readonly actions: readonly Action[];
}

export type ExpressionTree = ConditionTree | ProjectionTree | UpdateTree;
