/** Values as the text of a Postgres array. */
export const toArray = (values: Iterable<string | number>): string => `{${[...values].join(',')}}`
