/** Reads a value from Postgres' text. */
export type ReadText = (text: string) => unknown

/** Object identifiers of Postgres' types whose text is read; all others stay text, and columns read it themselves. */
const readers: Readonly<Record<number, ReadText>> = {
  // boolean
  16: (text) => text === 't',
  // int2, int4, oid
  21: Number,
  23: Number,
  26: Number,
  // float4, float8
  700: Number,
  701: Number,
  // json, jsonb
  114: JSON.parse,
  3802: JSON.parse,
}

export const keepText: ReadText = (text) => text

/** Reads a value of a type from Postgres' text. `int8`, `numeric`, `bytea` (`\x…`), times and arrays are text. */
export const findReader = (typeId: number): ReadText => readers[typeId] ?? keepText
