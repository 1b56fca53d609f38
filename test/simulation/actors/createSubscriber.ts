import type { Address } from 'viem'
import type { Participant, World } from '../world.ts'

/** Events that a subscriber received, and their positions in the order of arrival. */
export type EventSubscription = {
  account: Address
  received: { id: string; event: string; data: string }[]
}

/**
 * Follows the orders of an account by server-sent events; it disconnects at times, and resumes at its last position.
 */
export const createSubscriber = (world: World, name: string, account: Address): Participant & EventSubscription => {
  const dice = world.dice(name)
  const received: EventSubscription['received'] = []
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  let lastId: string | undefined
  let isConnecting = false

  const take = (text: string): void => {
    const fields = new Map(text.split('\n').map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]))
    const [id, event] = [fields.get('id'), fields.get('event') ?? '']
    if (id !== undefined) lastId = id
    if (event !== 'order' && event !== 'reset') return
    received.push({ id: id ?? '', event, data: fields.get('data') ?? '' })
    world.log('received', { subscriber: name, id, event })
  }
  const listen = async (): Promise<void> => {
    if (reader || isConnecting) return
    isConnecting = true
    world.log('connects', { subscriber: name, lastId })
    try {
      const response = await world.service.streams.fetch(`http://streams/api/v1/account/${account}/orders/events`, {
        headers: lastId === undefined ? {} : { 'Last-Event-ID': lastId },
      })
      if (response.status !== 200 || !response.body) return
      const own = response.body.getReader()
      reader = own
      void read(own)
    } catch {
      world.log('not connected', { subscriber: name })
    } finally {
      isConnecting = false
    }
  }
  const read = async (own: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder()
    let rest = ''
    for (;;) {
      const part = await own.read().catch(() => undefined)
      if (reader !== own) return
      if (!part || part.done) break
      const blocks = (rest + decoder.decode(part.value, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) take(block)
    }
    reader = undefined
  }
  const disconnect = (): void => {
    const own = reader
    reader = undefined
    world.log('disconnects', { subscriber: name, lastId })
    void own?.cancel().catch(() => undefined)
  }

  return {
    name,
    account,
    received,
    act: async () => {
      if (reader && dice.chance(0.08)) disconnect()
      else await listen()
    },
  }
}
