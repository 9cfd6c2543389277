const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** One demo pass: the document that is published, and whether it is voided right after. */
export interface DemoPass {
  readonly reference: string;
  readonly text: string;
  readonly isVoid: boolean;
}

/** The pass of each type that stays readable, by its type. */
export const demoPassReferences = {
  boarding_pass: "boarding-7Q4KTM",
  event_pass: "event-quartet-0412",
  loyalty_pass: "loyalty-88015",
} as const;

/** A pass that was voided: a flight that was cancelled. */
export const demoVoidReference = "boarding-5ZX2AB";

/** Passes of an airline, a concert hall and a coffee shop, with days counted from a midnight (epoch milliseconds, UTC). */
export function demoPasses(anchorMs: number): readonly DemoPass[] {
  const at = (days: number, hours: number): string =>
    new Date(anchorMs + days * DAY_MS + hours * HOUR_MS).toISOString().replace(".000Z", "Z");
  const boarding = (reference: string, seat: string) => ({
    partner_reference: reference,
    template_id: "airline-boarding",
    type: "boarding_pass",
    version: 3,
    semantics: {
      airline: "Harbour Air",
      flight: "HA 218",
      from: "LIS",
      to: "EDI",
      gate: "B14",
      seat,
      boarding_group: 2,
      departs_at: at(2, 9),
    },
    relevant_at: at(2, 8),
    actions: [{ kind: "open_url", label: "Change seat", url: "https://harbour-air.example/seat" }],
    triggers: [{ kind: "time", at: at(2, 7) }],
  });
  const event = {
    partner_reference: demoPassReferences.event_pass,
    template_id: "hall-ticket",
    type: "event_pass",
    version: 1,
    semantics: { venue: "Old Exchange Hall", title: "String quartets", row: "F", seat: 12 },
    relevant_at: at(9, 19),
    triggers: [{ kind: "location", latitude: 55.9503, longitude: -3.1883, radius_metres: 200 }],
  };
  // The points end in a zero on purpose: it must be served as it stands.
  const loyalty =
    `{"partner_reference":"${demoPassReferences.loyalty_pass}","template_id":"cafe-card","type":"loyalty_pass",` +
    '"version":12,"semantics":{"programme":"Roasters Club","tier":"copper","points":1284.50,"free_cups":2}}';
  return [
    {
      reference: demoPassReferences.boarding_pass,
      text: JSON.stringify(boarding(demoPassReferences.boarding_pass, "14C")),
      isVoid: false,
    },
    { reference: demoPassReferences.event_pass, text: JSON.stringify(event), isVoid: false },
    { reference: demoPassReferences.loyalty_pass, text: loyalty, isVoid: false },
    { reference: demoVoidReference, text: JSON.stringify(boarding(demoVoidReference, "3A")), isVoid: true },
  ];
}
