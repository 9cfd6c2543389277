/** The first fault of several things; undefined when none has a fault. */
export function firstFault<Thing, Fault>(
  things: Iterable<Thing>,
  faultOf: (thing: Thing) => Fault | undefined,
): Fault | undefined {
  for (const thing of things) {
    const fault = faultOf(thing);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
