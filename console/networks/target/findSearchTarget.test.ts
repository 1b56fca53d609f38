import { describe, expect, it } from 'vitest'
import { findSearchTarget } from './findSearchTarget.ts'

const account = `0x${'ab'.repeat(20)}`
const transaction = `0x${'cd'.repeat(32)}`
const uid = `0x${'ef'.repeat(56)}`

describe('findSearchTarget', () => {
  it.each([
    [account, { kind: 'account', id: account }],
    [transaction, { kind: 'transaction', id: transaction }],
    [uid, { kind: 'order', id: uid }],
    [`  ${account.slice(2).toUpperCase()}\n`, { kind: 'account', id: account }],
    [`0X${uid.slice(2)}`, { kind: 'order', id: uid }],
    [`"${transaction.slice(0, 30)} ${transaction.slice(30)}",`, { kind: 'transaction', id: transaction }],
    ['42', { kind: 'auction', id: '42' }],
    ['007', { kind: 'auction', id: '7' }],
    ['1'.repeat(40), { kind: 'account', id: `0x${'1'.repeat(40)}` }],
    [`https://sepolia.etherscan.io/tx/${transaction}#eventlog`, { kind: 'transaction', id: transaction }],
    [`https://etherscan.io/address/${account}`, { kind: 'account', id: account }],
    [`https://etherscan.io/token/${account}?a=${uid}`, { kind: 'order', id: uid }],
    [`explorer.example/gc/orders/${uid.slice(2)}?tab=overview`, { kind: 'order', id: uid }],
    [`https://book.example/orders/${uid}?network=gnosis`, { kind: 'order', id: uid, network: 'gnosis' }],
    [`https://book.example/sepolia/api/v1/debug/order/${uid}`, { kind: 'order', id: uid }],
    ['https://book.example/auctions/77?network=sepolia', { kind: 'auction', id: '77', network: 'sepolia' }],
  ])('finds the target of %j', (text, target) => {
    expect(findSearchTarget(text)).toEqual(target)
  })

  it.each([
    ['', /^Search for an order/],
    ['vitalik.eth', /^Search for an order \(0x and 112 hex digits\)/],
    ['0xabcdefg', /^“g” is not a hex digit/],
    [
      `0x${'a'.repeat(20)}`,
      /^20 hex digits are too few for an account \(40\), a transaction \(64\) or an order \(112\)\.$/,
    ],
    ['0xa', /^1 hex digit is too few/],
    [`0x${'a'.repeat(50)}`, /^50 hex digits are neither/],
    [`0x${'a'.repeat(113)}`, /^113 hex digits are too many/],
    ['https://example.org/about', /^This link contains no order/],
  ])('explains what is wrong with “%s”', (text, hint) => {
    expect(findSearchTarget(text)).toEqual({ kind: 'nothing', hint: expect.stringMatching(hint) })
  })
})
