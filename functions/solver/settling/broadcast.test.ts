import { expect, test } from 'vitest'
import { readRefusal } from './broadcast.ts'

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
])('%s has the transaction, or its nonce is used: "%s" is no refusal', (_, text) => {
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

test('shows no URL of a node', () => {
  expect(readRefusal('rejected by https://node.example/v3/secret')?.reason).toBe('rejected by https://…')
})
