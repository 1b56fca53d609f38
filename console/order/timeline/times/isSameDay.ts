/** Returns true for two times, Unix milliseconds, on one local day. */
export const isSameDay = (a: number, b: number): boolean => new Date(a).toDateString() === new Date(b).toDateString()
