import { HttpRequestError, RpcRequestError } from 'viem'
import { describe, expect, test } from 'vitest'
import { broadcast, createBroadcastMemory, forgetOtherBroadcasts, readRefusal } from './broadcast.ts'

test.each([
  ['geth', 'already known'],
  ['geth', 'nonce too low: next nonce 5, tx nonce 4'],
  ['Nethermind', 'AlreadyKnown'],
  ['Nethermind', 'OldNonce, Current nonce: 5, nonce of rejected tx: 4'],
  ['Erigon', 'ALREADY_EXISTS: already known'],
  ['Besu', 'Known transaction'],
  ['Besu', 'Nonce too low'],
  ['anvil', 'transaction already imported'],
  ['Reth', 'already known'],
])('%s has the transaction, or its nonce is used: "%s" is not a refusal', (_, text) => {
  expect(readRefusal(text)).toBeUndefined()
})

test.each([
  ['underpriced', 'replacement transaction underpriced'],
  ['underpriced', 'transaction underpriced: gas tip cap 1, minimum needed 1000000'],
  ['underpriced', 'max fee per gas less than block base fee: address 0x01, maxFeePerGas: 1, baseFee: 2'],
  ['underpriced', 'ReplacementNotAllowed'],
  ['underpriced', 'FeeTooLow, MaxFeePerGas too low'],
  ['gap', 'Nonce too high'],
  ['gap', 'NonceGap, Future nonce. Expected nonce: 5'],
  ['final', 'Insufficient funds for gas * price + value'],
  ['final', 'InsufficientFunds, Account balance: 0'],
  ['final', 'exceeds block gas limit'],
])('reads a refusal as %s: "%s"', (kind, text) => {
  expect(readRefusal(text)).toMatchObject({ kind, reason: text })
})

test('hides the URL of a node', () => {
  expect(readRefusal('rejected by https://node.example/v3/secret')?.reason).toBe('rejected by https://…')
})

describe('several endpoints', () => {
  const body = { method: 'eth_sendRawTransaction', params: [] }
  const refuse = (message: string) => () =>
    Promise.reject(new RpcRequestError({ url: 'http://127.0.0.1', body, error: { code: -32_000, message } }))
  const accept = () => Promise.resolve('0x')
  const silence = () => Promise.reject(new HttpRequestError({ url: 'http://127.0.0.1' }))

  test.each([
    ['accepted by one of them', [refuse('insufficient funds'), accept], undefined],
    ['known to one of them', [refuse('insufficient funds'), refuse('already known')], undefined],
    ['unknown when one of them does not respond', [refuse('insufficient funds'), silence], undefined],
    ['refused when all of them refuse it', [refuse('insufficient funds'), refuse('exceeds block gas limit')], 'final'],
    [
      'underpriced when one of them may accept a higher fee',
      [refuse('insufficient funds'), refuse('underpriced')],
      'underpriced',
    ],
    [
      'waiting for another nonce when only that is missing',
      [refuse('insufficient funds'), refuse('nonce too high')],
      'gap',
    ],
  ])('a transaction is %s', async (_, submitters, kind) => {
    expect((await broadcast({ submitters }, createBroadcastMemory(), '0x01', 1))?.kind).toBe(kind)
  })

  test('reject transactions whose state is removed once they are replaced', async () => {
    const memory = createBroadcastMemory()
    const raws = ['0x01', '0x02', '0x03'] as const
    for (const raw of raws) await broadcast({ submitters: [refuse('underpriced')] }, memory, raw, 1)
    memory.withoutReceipt.set(6, 1).set(7, 2)
    forgetOtherBroadcasts(memory, [{ solutionId: 7, signed: { raw: '0x03' } }])
    expect([...memory.broadcastAt, ...memory.underpriced, ...memory.withoutReceipt]).toEqual([
      ['0x03', 1],
      '0x03',
      [7, 2],
    ])
  })

  test('receive a transaction once per block, all of them at the same time', async () => {
    const received: string[] = []
    const memory = createBroadcastMemory()
    const submitters = ['public', 'private'].map((name) => async (raw: string) => {
      received.push(`${name} ${raw}`)
      // each responds only once both have the transaction
      while (received.length < 2) await Promise.resolve()
    })
    await broadcast({ submitters }, memory, '0x01', 1)
    await broadcast({ submitters }, memory, '0x01', 1)
    expect(received).toEqual(['public 0x01', 'private 0x01'])
    await broadcast({ submitters }, memory, '0x01', 2)
    expect(received).toHaveLength(4)
  })
})
