/** The name of a function in the account, which keeps the functions of several stages apart. */
export const functionName = (stageName: string, name: string): string => `countinghouse-${stageName}-${name}`;
