import type { Faults } from './createFaults.ts'
import type { Mailbox } from './createMailbox.ts'

/** What every receiver works with. */
export type Sink = { mailbox: Mailbox; faults: Faults }

/** The answer of a fault. */
export const refuse = (status: number): Response =>
  new Response(JSON.stringify({ message: 'as told by /faults' }), {
    status,
    headers: { 'Content-Type': 'application/json', ...(status < 400 ? { Location: '/' } : {}) },
  })

/** undefined when it is no JSON */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The oldest goes when there are too many. */
export const keep = <Value>(values: Map<string, Value>, key: string, value: Value, max: number): void => {
  values.set(key, value)
  const [oldest] = values.keys()
  if (values.size > max && oldest !== undefined) values.delete(oldest)
}
