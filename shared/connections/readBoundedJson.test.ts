import { expect, test } from 'vitest'
import { readBoundedJson } from './readBoundedJson.ts'

test('reads a body of exactly the maximum length in bytes, and rejects a longer one', async () => {
  const text = '"é"'
  expect(await readBoundedJson(new Response(text), 4)).toBe('é')
  await expect(readBoundedJson(new Response(text), 3)).rejects.toThrow('response longer than 3 bytes')
})

test('an empty body is null', async () => {
  expect(await readBoundedJson(new Response(null), 1)).toBeNull()
  expect(await readBoundedJson(new Response(''), 1)).toBeNull()
})
