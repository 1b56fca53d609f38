import { hashTypedData } from 'viem'
import { expect, test } from 'vitest'
import { buildManage, buildSubscribe } from './buildMessages.ts'
import { buildStamp } from './buildStamp.ts'
import { formatAuthorization } from './formatAuthorization.ts'

const account = `0x${'ab'.repeat(20)}`
const field = (name: string, type: string) => ({ name, type })
const limits = [field('nonce', 'bytes32'), field('deadline', 'uint256')]
const channels = {
  typedData: {
    domain: { name: 'book notifications', version: '1' },
    types: {
      Subscribe: [
        ...[field('account', 'address'), field('channel', 'string'), field('target', 'string')],
        ...[field('types', 'string[]'), field('networks', 'uint256[]'), ...limits],
      ],
      ManageSubscriptions: [
        ...[field('account', 'address'), field('action', 'string'), field('subscription', 'string'), ...limits],
      ],
    },
    maxSecondsAhead: { write: 3_600, list: 86_400 },
  },
}
const stamp = buildStamp(new Uint8Array(32).fill(7), 1_000_999, 'write')

test('a message is valid for ten minutes and has 32 random bytes', () => {
  expect(stamp).toEqual({ nonce: `0x${'07'.repeat(32)}`, deadline: 1_600 })
  expect(buildStamp(new Uint8Array(32), 0, 'list').deadline).toBe(3_600)
})

test('both messages are typed data that a wallet can hash', () => {
  const terms = { channel: 'email', target: 'me@example.com', types: ['order_filled'], networks: [1] }
  const subscribe = buildSubscribe(channels, 1, account, terms, stamp)
  const manage = buildManage(channels, 1, account, { action: 'test', subscription: 'id' }, stamp)
  const digests = [subscribe, manage].map((message) => hashTypedData(message as never))
  expect(new Set(digests).size).toBe(2)
  expect(subscribe.domain).toEqual({ name: 'book notifications', version: '1', chainId: 1 })
  expect(manage.message).toEqual({ account, action: 'test', subscription: 'id', ...stamp })
})

test('the header has the parts of the message that the path lacks', () => {
  expect(formatAuthorization(5, stamp, '0x12')).toBe(
    `EIP712 chainId=5, nonce=${stamp.nonce}, deadline=1600, signature=0x12`,
  )
})
