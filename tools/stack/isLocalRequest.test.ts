import { expect, test } from 'vitest'
import { isLocalRequest } from './isLocalRequest.ts'

test.each([
  ['takes a request without an origin', '127.0.0.1:8545', undefined, true],
  ['takes the name of this machine', 'localhost:8545', undefined, true],
  ['takes the IPv6 address of this machine', '[::1]:8545', undefined, true],
  ['takes a page of this machine', '127.0.0.1:8545', 'http://localhost:8787', true],
  ['refuses a page of another site', '127.0.0.1:8545', 'https://evil.example', false],
  ['refuses a page without a known origin', '127.0.0.1:8545', 'null', false],
  ['refuses a name that resolves to this machine', 'evil.example:8545', undefined, false],
  [
    'refuses a name that resolves to this machine, as origin too',
    'evil.example:8545',
    'http://evil.example:8545',
    false,
  ],
  ['refuses a name that begins like this machine', '127.0.0.1.evil.example:8545', undefined, false],
  ['refuses a user part that looks like this machine', '127.0.0.1:8545@evil.example:8545', undefined, false],
  ['accepts a request forwarded by a local proxy', '127.0.0.1:80', undefined, true],
  ['refuses a missing host', undefined, undefined, false],
] as const)('%s', (_, host, origin, isLocal) => {
  expect(isLocalRequest({ headers: { host, origin } })).toBe(isLocal)
})
