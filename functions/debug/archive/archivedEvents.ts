import { z } from 'zod'
import { orderEventLabels } from '#schema/tables/enums.ts'

const json = z.record(z.string(), z.json())

/** One line of an archive object, written by the database: the events of an order when they were archived, and its quote's plan. */
export const archivedEventsSchema = z.object({
  uid: z.string(),
  /** null: an order without a quote; undefined: written before plans moved */
  plan: json.nullish(),
  events: z.array(
    z
      .object({
        id: z.number().int(),
        key: z.string(),
        label: z.enum(orderEventLabels),
        reason: z.string().nullable(),
        /** with microseconds, which a `Date` lacks */
        createdAt: z.iso.datetime({ precision: 6 }),
        data: json.nullable(),
      })
      .transform(({ createdAt: time, ...event }) => ({ ...event, time, createdAt: new Date(time) })),
  ),
})

export type ArchivedEvents = z.output<typeof archivedEventsSchema>
