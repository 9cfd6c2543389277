import { isMembers, type Members } from "../../lib/json-value.ts";

/** A JSON object's members; undefined for any other value. */
export const membersOf = (value: unknown): Members | undefined => (isMembers(value) ? value : undefined);

/** A JSON array; empty for any other value. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether a member is there: DynamoDB takes null for an absent one. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
