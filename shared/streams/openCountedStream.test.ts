import { expect, test } from 'vitest'
import { openCountedStream, type StreamRefusal } from './openCountedStream.ts'

const open = async (isFree: boolean, join: (leave: () => void) => ReadableStream | StreamRefusal) => {
  const calls: string[] = []
  const counter = {
    take: async () => {
      calls.push('take')
      return isFree
    },
    free: async () => {
      calls.push('free')
    },
  }
  const works: Promise<unknown>[] = []
  const response = await openCountedStream({
    slots: { getByName: () => counter },
    client: 'client',
    slot: { holder: 'watch', life: 'first', until: 100, max: 2 },
    waitUntil: (work) => works.push(work),
    join: (leave) => {
      calls.push('join')
      return join(leave)
    },
  })
  return { response, calls, works }
}

test('a client without a free slot is refused with 429 and the number of its slots', async () => {
  const { response, calls } = await open(false, () => new ReadableStream())
  expect(response.status).toBe(429)
  expect(await response.json()).toEqual({ limit: 'streamsPerClient', max: 2 })
  expect(calls).toEqual(['take'])
})

test('a refused stream releases its slot before its 429', async () => {
  const { response, calls } = await open(true, () => ({ limit: 'streamsPerTopic', max: 5 }))
  expect(response.status).toBe(429)
  expect(await response.json()).toEqual({ limit: 'streamsPerTopic', max: 5 })
  expect(calls).toEqual(['take', 'join', 'free'])
})

test('an open stream occupies its slot until it ends', async () => {
  let end = () => {}
  const { response, calls, works } = await open(true, (leave) => {
    end = leave
    return new ReadableStream()
  })
  expect(response.status).toBe(200)
  expect(calls).toEqual(['take', 'join'])
  end()
  await Promise.all(works)
  expect(calls).toEqual(['take', 'join', 'free'])
})
