import { expect, test } from 'vitest'
import { hash } from '../../testing/sampleOrder.ts'
import { listSettlements } from './listSettlements.ts'

const other = `0x${'33'.repeat(32)}`
const traded = (blockNumber: number, transactionHash: string, logIndex = 0) => ({
  label: 'traded' as const,
  blockNumber,
  data: null,
  trade: { transactionHash, logIndex, sellAmount: '1', buyAmount: '1', feeAmount: '0', executedFee: '0' },
})
const undone = (blockNumber: number, label = 'traded') => ({
  label: 'undone' as const,
  blockNumber: null,
  data: { label, blockNumber },
})

test('lists each transaction once, in the order of its first trade', () => {
  expect(listSettlements([traded(7, hash), traded(7, hash, 1), traded(8, other)])).toEqual([hash, other])
})

test('omits transactions undone by a reorganisation until they settle again', () => {
  expect(listSettlements([traded(7, hash), undone(7)])).toEqual([])
  expect(listSettlements([traded(7, hash), traded(8, other), undone(8)])).toEqual([hash])
  expect(listSettlements([traded(7, hash), undone(7), traded(8, hash)])).toEqual([hash])
  expect(listSettlements([traded(7, hash), undone(7, 'cancelled')])).toEqual([hash])
})
