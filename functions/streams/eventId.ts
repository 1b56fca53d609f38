import type { LogPosition } from '#schema/queries/events/logPage.ts'

/** The `id:` of an event, from which a client can resume: the transaction that wrote it, and its number in the log. */
export const toEventId = ({ writtenBy, id }: LogPosition): string => `${writtenBy}-${id}`

/** @returns undefined for a malformed id */
export const readEventId = (text: string): LogPosition | undefined => {
  const [, writtenBy, id] = /^(\d{1,19})-(\d{1,15})$/.exec(text) ?? []
  return writtenBy && id ? { writtenBy: BigInt(writtenBy), id: Number(id) } : undefined
}

export const isAfter = (a: LogPosition, b: LogPosition): boolean =>
  a.writtenBy > b.writtenBy || (a.writtenBy === b.writtenBy && a.id > b.id)
