/** Account and region of the local stage. Engines keep the tables of each region apart. */
export const LOCAL_ACCOUNT = "000000000000";
export const LOCAL_REGION = "eu-west-1";
