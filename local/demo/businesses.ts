import { drawHex, drawInteger, drawUuid } from "./draw.ts";

/** Who the demo's transactions belong to and whom they deal with. All of it is invented. */
export interface DemoAccount {
  readonly id: string;
  readonly currency: "GBP" | "EUR" | "USD";
  readonly openingMinor: number;
}

export interface DemoCard {
  readonly id: string;
  readonly card_number: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly phone: string;
  readonly references?: readonly { readonly name: string; readonly value: string }[];
}

export interface DemoBusiness {
  /** `sub` of its tokens. */
  readonly id: string;
  /** The account that money comes in and goes out by. */
  readonly main: DemoAccount;
  /** A second account in the same currency, for moves between own accounts. */
  readonly reserve: DemoAccount;
  readonly foreign: readonly [DemoAccount, DemoAccount];
  readonly cards: readonly [DemoCard, ...DemoCard[]];
}

const account = (label: string, currency: DemoAccount["currency"], openingMinor: number): DemoAccount => ({
  id: drawUuid(`account/${label}`),
  currency,
  openingMinor,
});

/** Masked as a card network allows: the first six and the last four digits. The phone number is a fictional range. */
const card = (label: string, first: string, last: string, references?: DemoCard["references"]): DemoCard => ({
  id: drawUuid(`card/${label}`),
  card_number: `516760******${drawInteger(`card/${label}/last`, 1000, 9999)}`,
  first_name: first,
  last_name: last,
  phone: `+447700900${drawInteger(`card/${label}/phone`, 100, 999)}`,
  ...(references && { references }),
});

/** A coffee roaster that buys abroad: the business that the printed lines ask about. */
export const roaster: DemoBusiness = {
  id: "harbour-lane-roasters",
  main: account("roaster/main", "GBP", 48_250_00),
  reserve: account("roaster/reserve", "GBP", 30_000_00),
  foreign: [account("roaster/euro", "EUR", 21_400_00), account("roaster/dollar", "USD", 35_900_00)],
  cards: [
    card("amara", "Amara", "Okafor", [
      { name: "Cost centre", value: "Roastery" },
      { name: "Project", value: "Autumn blend" },
    ]),
    card("tomas", "Tomáš", "Dvořák", [{ name: "Cost centre", value: "Sales" }]),
    card("priya", "Priya", "Raman"),
  ],
};

/** A second business, which must never see the first one's records, nor be seen by it. */
export const printer: DemoBusiness = {
  id: "mill-street-print",
  main: account("printer/main", "GBP", 12_600_00),
  reserve: account("printer/reserve", "GBP", 5_000_00),
  foreign: [account("printer/euro", "EUR", 4_100_00), account("printer/dollar", "USD", 2_900_00)],
  cards: [card("owen-ellis", "Owen", "Ellis", [{ name: "Job", value: "Poster run" }])],
};

export interface DemoMerchant {
  readonly id: string;
  readonly name: string;
  readonly city: string;
  readonly category_code: string;
  readonly country: string;
}

const merchant = (name: string, city: string, categoryCode: string, country: string): DemoMerchant => ({
  id: drawHex(`merchant/${name}`, 12),
  name,
  city,
  category_code: categoryCode,
  country,
});

/** Merchants, with the currency they charge in. One country is given in two letters, as some networks do. */
export const merchants = [
  { merchant: merchant("Northline Rail", "York", "4112", "GBR"), currency: "GBP" },
  { merchant: merchant("Pennywort Stationery", "Bristol", "5943", "GBR"), currency: "GBP" },
  { merchant: merchant("Fernside Hardware", "Leeds", "5251", "GBR"), currency: "GBP" },
  { merchant: merchant("Kettle and Quay Hotel", "Whitby", "7011", "GB"), currency: "GBP" },
  { merchant: merchant("Cloudshelf Hosting", "Dublin", "7372", "IRL"), currency: "EUR" },
  { merchant: merchant("Rösthaus Maschinen", "Hamburg", "5046", "DEU"), currency: "EUR" },
  { merchant: merchant("Signalpost Software", "Portland", "5734", "USA"), currency: "USD" },
] as const;

/** A party outside the business: its own id, and the account it is paid at. */
const party = (name: string, purpose: string) => ({
  name,
  purpose,
  id: drawUuid(`party/${name}`),
  accountId: drawUuid(`party/${name}/account`),
});

export const suppliers = [
  party("Cooperativa Valle Alto", "Green coffee, 12 sacks"),
  party("Brightwater Packaging", "Kraft bags and valves"),
  party("Ellery Lettings", "Warehouse rent"),
  party("Swift Mile Couriers", "Parcel collection"),
] as const;

/** Parties whose account is with the same service: paying them is instant. */
export const neighbours = [
  party("Juniper Bakery", "Shared market stall"),
  party("Lantern Studio", "Label design"),
] as const;

export const customers = [
  party("Gable House Cafés", "Wholesale invoice"),
  party("Cardlane Payouts", "Till takings"),
] as const;

export const authority = party("Revenue office", "Quarterly value added tax");
