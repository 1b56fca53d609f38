import { describeError } from '../http/describeError.ts'
import { logEntry } from '../logging/logEntry.ts'
import type { SlotRequest } from './countSlots.ts'

/** The namespace of the Durable Object `ClientSlots`. */
export type SlotsNamespace = {
  getByName: (client: string) => {
    take: (slot: string, request: SlotRequest) => Promise<boolean>
    free: (slot: string) => Promise<void>
  }
}

/** A rejected stream: `limit` names the reached limit, `max` is its value. */
export type StreamRefusal<Limit extends string = string> = { limit: Limit; max: number }

export type CountedStream = {
  slots: SlotsNamespace
  /** key under which the streams of a client are counted */
  client: string
  slot: SlotRequest
  waitUntil: (work: Promise<unknown>) => void
  /** opens the stream; must call `leave` once when it ends */
  join: (leave: () => void) => ReadableStream | StreamRefusal
}

/**
 * Opens a stream in a slot of its client, which is released when the stream ends. Runs in the Durable Object of the stream.
 * @returns the stream, or 429 with a `StreamRefusal`
 */
export const openCountedStream = async (counted: CountedStream): Promise<Response> => {
  const { slot, join, waitUntil } = counted
  const slots = counted.slots.getByName(counted.client)
  const id = crypto.randomUUID()
  if (!(await slots.take(id, slot))) return refuse({ limit: 'streamsPerClient', max: slot.max })
  const leave = () => waitUntil(slots.free(id).catch(logLostSlot))
  const joined = join(leave)
  if (joined instanceof ReadableStream) return new Response(joined)
  // released before the response, so that a retry finds it free
  await slots.free(id).catch(logLostSlot)
  return refuse(joined)
}

const refuse = (refusal: StreamRefusal) => Response.json(refusal, { status: 429 })

const logLostSlot = (error: unknown): void =>
  logEntry({ message: 'a stream slot was not released', cause: describeError(error) })
