import { expect, test } from 'vitest'
import { redact } from './redact.ts'

const uid = `0x${'ab'.repeat(56)}`

test.each([
  ['a node', 'fetch https://rpc.example/v3/secret?key=secret failed', 'fetch https://… failed'],
  ['a database', 'connect postgres://user:secret@db.example:5432/x', 'connect postgres://…'],
  ['a signature', `signature 0x${'12'.repeat(65)} is wrong`, 'signature … is wrong'],
  ['a bytea', `invalid "\\x${'12'.repeat(65)}"`, 'invalid "…"'],
  ['an address', 'mail to trader@example.com (trader@example.com)', 'mail to …@… (…@…)'],
  ['no public data', `order ${uid} of 0x${'01'.repeat(20)} at 12:30`, `order ${uid} of 0x${'01'.repeat(20)} at 12:30`],
])('%s', (_, text, expected) => {
  expect(redact(text)).toBe(expected)
})
