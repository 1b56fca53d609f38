import type { Faults } from './createFaults.ts'
import type { Mailbox } from './createMailbox.ts'

/** Dependencies of every receiver. */
export type Sink = { mailbox: Mailbox; faults: Faults }

/** Response of a fault. */
export const refuse = (status: number): Response =>
  new Response(JSON.stringify({ message: 'configured fault (/faults)' }), {
    status,
    headers: { 'Content-Type': 'application/json', ...(status < 400 ? { Location: '/' } : {}) },
  })

/** undefined for malformed JSON */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The oldest entry is removed beyond the limit. */
export const keep = <Value>(values: Map<string, Value>, key: string, value: Value, max: number): void => {
  values.set(key, value)
  const [oldest] = values.keys()
  if (values.size > max && oldest !== undefined) values.delete(oldest)
}
