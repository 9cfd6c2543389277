import type { Item } from "./item.ts";

/** The operator who set something, and when. */
export interface Attribution {
  /** Epoch milliseconds. */
  readonly at: number;
  /** As the audit names people and roles. */
  readonly by: string;
}

/** The attributes in which a setting keeps who set it; none where nobody is named. */
export const attributesOf = (attribution: Attribution | undefined): Item => ({
  ...(attribution !== undefined && {
    set_at: { N: String(attribution.at) },
    set_by: { S: attribution.by },
  }),
});

/** Who set a stored setting, and when; undefined where that was not kept, as in settings of the past. */
export function attributionOf(item: Item | undefined): Attribution | undefined {
  const [at, by] = [item?.set_at?.N, item?.set_by?.S];
  return at === undefined || by === undefined ? undefined : { at: Number(at), by };
}
