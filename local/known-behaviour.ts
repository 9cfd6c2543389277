/** Something that AWS does, and what stands for it on this machine. */
export interface KnownBehaviour {
  /** What AWS does, as one sentence. */
  readonly behaviour: string;
  /** Where that is documented or was seen, or that it is assumed. */
  readonly source: string;
  /** `enforced`: what breaks it is refused. `imitated`: it is done here too. `not here`: nothing stands for it. */
  readonly standing: "enforced" | "imitated" | "not here";
  /** The test that holds it, from the top of the project; absent where nothing here can. */
  readonly heldBy?: string;
  /** A command that shows it on a deployment, where only a deployment can. */
  readonly shownBy?: string;
}
