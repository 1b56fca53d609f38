type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

/** The same fields without those that are undefined. */
export const dropUndefined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
