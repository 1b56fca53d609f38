import { expect, test } from 'vitest'
import { nativeSentinel } from './nativeSentinel.ts'
import { toPaidToken } from './toPaidToken.ts'

const wrappedNative = `0x${'aa'.repeat(20)}`
const ethFlow = `0x${'Ef'.repeat(20)}`
const other = `0x${'bb'.repeat(20)}`
const toUid = (owner: string) => `0x${'11'.repeat(32)}${owner.slice(2)}00000000`

test.each([
  ['an order of the ETH-flow contract', { uid: toUid(ethFlow), sellToken: wrappedNative }, nativeSentinel],
  ['a trade of one', { orderUid: toUid(ethFlow).toLowerCase(), sellToken: wrappedNative }, nativeSentinel],
  [
    'an order of another contract for a user',
    { uid: toUid(other), sellToken: wrappedNative, onchainUser: other },
    nativeSentinel,
  ],
  ['an order of its own owner', { uid: toUid(other), sellToken: wrappedNative }, wrappedNative],
  ['an order of another token', { uid: toUid(ethFlow), sellToken: other }, other],
])('%s sells the token that its user paid', (_, sale, token) => {
  expect(toPaidToken({ wrappedNative, ethFlow }, sale)).toBe(token)
})
