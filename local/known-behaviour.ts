/** A behaviour of AWS, and how far the local service has it too. */
export interface KnownBehaviour {
  /** The behaviour, as one sentence. */
  readonly behaviour: string;
  /** Where the behaviour is documented or was seen, or that it is assumed. */
  readonly source: string;
  /** `enforced`: a breach is refused here too. `imitated`: the local service does the same. `not here`: it does not. */
  readonly standing: "enforced" | "imitated" | "not here";
  /** The test that holds the behaviour, from the top of the project; absent where no local test can. */
  readonly heldBy?: string;
  /** Commands that show the behaviour on a deployment, where only a deployment can; one a line. */
  readonly shownBy?: string;
  /**
   * Requests of `npm run compare` whose answers differ if only one of two addresses has the behaviour: their names, or
   * the beginning that several names share.
   */
  readonly comparedBy?: readonly string[];
}
