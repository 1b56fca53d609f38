/** A line of the command's own, in the format of the Workers' lines. */
export const log = (entry: { message: string } & Record<string, unknown>): void => console.log(JSON.stringify(entry))
