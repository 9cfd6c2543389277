/** Stands in a function's bundle for the SDK's event streams, 16 KB that no command of this service sends or receives. */
export function EventStreamSerde(): never {
  throw new Error("No command of the store streams events.");
}
