import { expect, test } from 'vitest'
import { redact } from './redact.ts'

const uid = `0x${'ab'.repeat(56)}`

test.each([
  ['a node', 'fetch https://rpc.example/v3/secret?key=secret failed', 'fetch https://… failed'],
  ['a database', 'connect postgres://user:secret@db.example:5432/x', 'connect postgres://…'],
  ['a signature', `signature 0x${'12'.repeat(65)} is wrong`, 'signature … is wrong'],
  ['a bytea', `invalid "\\x${'12'.repeat(65)}"`, 'invalid "…"'],
  ['an address', 'mail to trader@example.com (trader@example.com)', 'mail to …@… (…@…)'],
  ['several addresses', '(a@example.com)b@example.com "c@example.com"', '(…@…)…@… "…@…"'],
  ['a signature in a word', `f0x${'12'.repeat(65)}z`, 'f0x…z'],
  ['no public data', `order ${uid} of 0x${'01'.repeat(20)} at 12:30`, `order ${uid} of 0x${'01'.repeat(20)} at 12:30`],
])('%s', (_, text, expected) => {
  expect(redact(text)).toBe(expected)
})

/** A contract chooses its revert text, which nodes repeat. */
test.each([
  ['one word', 'w'.repeat(1_000_000)],
  ['almost signatures', `${'a'.repeat(129)}w`.repeat(8_000)],
  ['almost URLs', 'a.'.repeat(500_000)],
  ['almost addresses', '@'.repeat(1_000_000)],
  ['almost schemes', 'abcdefghijklmnop:/'.repeat(60_000)],
])('reads a megabyte of %s in less than a second of processor time', (_, text) => {
  const before = process.threadCpuUsage()
  const redacted = redact(text)
  const { user, system } = process.threadCpuUsage(before)
  expect(user + system).toBeLessThan(1_000_000)
  expect(redacted === text).toBe(true)
})
