/** The smallest function that answers: the floor of the measurements. */
export const handler = async () => ({ statusCode: 200, body: "{}" });
