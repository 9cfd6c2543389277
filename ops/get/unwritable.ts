import { codeOf, OperatorError } from "../../local/process/operator-error.ts";

const PROBLEMS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "it is not there, or its directory is not"],
  ["EACCES", "this user may not write it"],
  ["EISDIR", "it is a directory"],
  ["ENOSPC", "the disk is full. Free some space; the same command then goes on"],
  ["EDQUOT", "this user's share of the disk is full. Free some space; the same command then goes on"],
]);

/** Does something with a file that is written. @throws {OperatorError} in place of an error of the system. */
export async function writing<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    const code = codeOf(error);
    throw new OperatorError(`${path} cannot be written: ${PROBLEMS.get(code) ?? code}.`, error);
  }
}
