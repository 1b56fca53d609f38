import { describeError } from '../http/describeError.ts'
import { logEntry } from '../http/logEntry.ts'
import type { SlotRequest } from './countSlots.ts'

/** The namespace of the Durable Object `ClientSlots`. */
export type SlotsNamespace = {
  getByName: (client: string) => {
    take: (slot: string, request: SlotRequest) => Promise<boolean>
    free: (slot: string) => Promise<void>
  }
}

/** Why there is no stream: `limit` names the cap that is reached, `max` is what it allows. */
export type StreamRefusal<Limit extends string = string> = { limit: Limit; max: number }

export type CountedStream = {
  slots: SlotsNamespace
  /** whose streams are counted together */
  client: string
  slot: SlotRequest
  waitUntil: (work: Promise<unknown>) => void
  /** opens the stream; `leave` has to be called once when it is over */
  join: (leave: () => void) => ReadableStream | StreamRefusal
}

/**
 * Opens a stream that counts as one of its client's until it is over, in the Durable Object that holds it.
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
  // given back before the response, so that another attempt finds it free
  await slots.free(id).catch(logLostSlot)
  return refuse(joined)
}

const refuse = (refusal: StreamRefusal) => Response.json(refusal, { status: 429 })

const logLostSlot = (error: unknown): void =>
  logEntry({ message: 'a stream of a client is not given back', cause: describeError(error) })
