import { expect, test } from 'vitest'
import { readRequestId } from './readRequestId.ts'

const read = (id?: string) => readRequestId(new Headers(id === undefined ? {} : { 'X-Request-Id': id }))

test('a given id is taken when it is short and safe to log', () => {
  expect(read('req-1.2:3_4')).toBe('req-1.2:3_4')
  for (const id of ['a b', '"', 'x'.repeat(65)]) expect(read(id)).not.toBe(id)
})

test('new ids are different UUIDs of version 4, also beyond one pool of random bytes', () => {
  const ids = Array.from({ length: 1_000 }, () => read())
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
