/** Account and region that the local stage pretends to be deployed to. Engines keep tables apart by region. */
export const LOCAL_ACCOUNT = "000000000000";
export const LOCAL_REGION = "eu-west-1";
